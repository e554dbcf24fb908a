"""What editors and type checkers are told of `textsimp.load` and the modules it returns.

Nothing here runs. One dictionary of options per metric serves `load` and ``compute``; a test holds
them against the metrics' own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict

if TYPE_CHECKING:
    from typing_extensions import Unpack

Tokenizer = Literal["13a", "intl", "moses", "penn", "none"]
Splitter = str | Callable[[str], list[str]]
Split = Literal["whitespace", "space"]


class ScoreOptions(TypedDict, total=False):
    """Options that all metrics share."""

    per_example: bool
    confidence: float | None
    resamples: int
    seed: int
    signature: bool
    lists: bool


class SariOptions(ScoreOptions, total=False):
    """Options of ``sari``."""

    variant: Literal["easse", "easse_paper", "easse_legacy", "xu", "huggingface", "joshua"]
    tokenizer: Tokenizer
    source_tokenizer: Literal["same", "13a", "intl", "moses", "penn", "none"]
    lowercase: bool
    split: Split
    level: Literal["corpus", "sentence"]
    delete: Literal["f1", "precision"]
    average: Literal["f1", "precision_recall"]
    keep_recall: Literal["counts", "types"]
    zero_division: Literal[0, 1]
    orders: Literal["all", "existing"]
    weight: int | None
    per_order: bool


class DSariOptions(ScoreOptions, total=False):
    """Options of ``d_sari``."""

    variant: Literal["sun", "corrected"]
    tokenizer: Tokenizer
    lowercase: bool
    splitter: Splitter
    split: Split
    means: Literal["exact", "truncated"]
    excess: Literal["smooth", "published"]
    penalties: bool


class FkglComponentsOptions(ScoreOptions, total=False):
    """Options of ``fkgl_components``."""

    variant: Literal["default", "easse", "paper", "textstat"]
    splitter: Splitter
    tokenizer: Tokenizer
    normalize: bool
    words: Literal["spoken", "tokens", "readability_scripts", "textstat"]
    syllables: str
    rounding: Literal["none", "integer_length", "one_decimal"]
    clip: bool
    splits: Literal["sentences", "periods"]
    sentences: int | None


class EditOpsOptions(ScoreOptions, total=False):
    """Options of ``edit_ops``."""

    variant: Literal["paper", "shortest"]
    path: Literal["paper", "shortest"]
    moves: Literal["paper", "one_to_one"] | None
    tokenizer: Tokenizer


class SimplificationStatsOptions(ScoreOptions, total=False):
    """Options of ``simplification_stats``."""

    variant: Literal["easse"]
    tokenizer: Tokenizer
    lowercase: bool
    splitter: Splitter
    lexical_complexity: bool
    language: str


class LoadOptions(TypedDict, total=False):
    """What ``evaluate.load`` takes, and what is said to loaders of other things."""

    process_id: int
    num_process: int
    cache_dir: str | None
    experiment_id: str | None
    keep_in_memory: bool
    max_concurrent_cache_files: int
    timeout: float
    module_type: str | None
    download_config: Any
    download_mode: Any
    revision: Any
    trust_remote_code: bool | None
    verification_mode: Any
    token: bool | str | None
    use_auth_token: bool | str | None
    force_download: bool
    local_files_only: bool
    script_version: str | None


class LoadAny(LoadOptions, ScoreOptions, total=False):
    """For a module whose name isn't known before the program runs."""

    variant: str


class LoadSari(LoadOptions, SariOptions, total=False):
    """For ``load("sari")``."""


class LoadDSari(LoadOptions, DSariOptions, total=False):
    """For ``load("d_sari")``."""


class LoadFkglComponents(LoadOptions, FkglComponentsOptions, total=False):
    """For ``load("fkgl_components")``."""


class LoadEditOps(LoadOptions, EditOpsOptions, total=False):
    """For ``load("edit_ops")``."""


class LoadSimplificationStats(LoadOptions, SimplificationStatsOptions, total=False):
    """For ``load("simplification_stats")``."""


class LoadedModule(Protocol):
    """A `textsimp.hub.module.Module`, but for `compute`. A column is any sequence of texts."""

    name: str
    description: str
    citation: str
    inputs_description: str
    features: Any
    info: Any

    def __len__(self) -> int: ...

    def add(self, *, source: Any = None, prediction: Any, reference: Any = None) -> None:
        """Add one example, to be scored by ``compute()``."""

    def add_batch(self, *, sources: Any = None, predictions: Any, references: Any = None) -> None:
        """Add examples, to be scored by ``compute()``."""


class SariModule(LoadedModule, Protocol):
    """What ``load("sari")`` returns."""

    def compute(
        self,
        *,
        sources: Any = None,
        predictions: Any = None,
        references: Any = None,
        **options: Unpack[SariOptions],
    ) -> dict[str, Any]:
        """Score the examples given here and those added before."""
        ...


class DSariModule(LoadedModule, Protocol):
    """What ``load("d_sari")`` returns."""

    def compute(
        self,
        *,
        sources: Any = None,
        predictions: Any = None,
        references: Any = None,
        **options: Unpack[DSariOptions],
    ) -> dict[str, Any]:
        """Score the examples given here and those added before."""
        ...


class FkglComponentsModule(LoadedModule, Protocol):
    """What ``load("fkgl_components")`` returns."""

    def compute(
        self,
        *,
        sources: Any = None,
        predictions: Any = None,
        references: Any = None,
        **options: Unpack[FkglComponentsOptions],
    ) -> dict[str, Any]:
        """Score the examples given here and those added before."""
        ...


class EditOpsModule(LoadedModule, Protocol):
    """What ``load("edit_ops")`` returns."""

    def compute(
        self,
        *,
        sources: Any = None,
        predictions: Any = None,
        references: Any = None,
        **options: Unpack[EditOpsOptions],
    ) -> dict[str, Any]:
        """Score the examples given here and those added before."""
        ...


class SimplificationStatsModule(LoadedModule, Protocol):
    """What ``load("simplification_stats")`` returns."""

    def compute(
        self,
        *,
        sources: Any = None,
        predictions: Any = None,
        references: Any = None,
        **options: Unpack[SimplificationStatsOptions],
    ) -> dict[str, Any]:
        """Score the examples given here and those added before."""
        ...
