"""`load`, and what editors and type checkers are told of it and of the modules that it returns.

``python tools/tables.py`` writes what follows from what metrics say of themselves: what stands
between ``# modules`` and ``# end``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, overload

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from textsimp.metrics import options
    from textsimp.text.functions import Function


class ScoreOptions(TypedDict, total=False):
    """Options that all metrics share."""

    per_example: bool
    confidence: float | None
    resamples: int
    seed: int
    signature: bool
    lists: bool


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


class LoadedModule(Protocol):
    """What all modules have, beside `compute`, `add` and `add_batch`."""

    name: str
    description: str
    citation: str
    inputs_description: str
    features: Any
    info: Any

    def __len__(self) -> int: ...


# modules


class SariOptions(ScoreOptions, total=False):
    """Options of ``sari``."""

    variant: Literal["easse", "easse_paper", "easse_legacy", "xu", "huggingface", "joshua"]
    tokenizer: (
        Literal[
            "13a",
            "intl",
            "char",
            "zh",
            "ja-mecab",
            "ko-mecab",
            "moses",
            "penn",
            "none",
        ]
        | Function
    )
    source_tokenizer: (
        Literal[
            "same",
            "13a",
            "intl",
            "char",
            "zh",
            "ja-mecab",
            "ko-mecab",
            "moses",
            "penn",
            "none",
        ]
        | Function
    )
    lowercase: bool
    split: Literal["whitespace", "space"]
    level: Literal["corpus", "sentence", "aligned"]
    delete: Literal["f1", "precision"]
    average: Literal["f1", "precision_recall"]
    keep_recall: Literal["counts", "types"]
    zero_division: Literal[0, 1]
    orders: Literal["all", "existing"]
    weight: int | None
    per_order: bool
    aligner: options.AlignerLike
    threshold: float | None
    links: Literal["best", "mutual", "all"]
    monotone: bool
    group_weights: Literal["words", "equal"]
    repetition: Literal["penalised", "ignored"]
    splitter: options.SplitterLike


class LoadSari(LoadOptions, SariOptions, total=False):
    """For ``load("sari")``."""


class SariModule(LoadedModule, Protocol):
    """What ``load("sari")`` returns. A column is any sequence."""

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

    def add(self, *, source: Any, prediction: Any, reference: Any) -> None:
        """Add one example, to be scored by ``compute()``."""

    def add_batch(self, *, sources: Any, predictions: Any, references: Any) -> None:
        """Add examples, to be scored by ``compute()``."""


class DSariOptions(ScoreOptions, total=False):
    """Options of ``d_sari``."""

    variant: Literal["sun", "corrected"]
    tokenizer: (
        Literal[
            "13a",
            "intl",
            "char",
            "zh",
            "ja-mecab",
            "ko-mecab",
            "moses",
            "penn",
            "none",
        ]
        | Function
    )
    lowercase: bool
    splitter: options.SplitterLike
    split: Literal["whitespace", "space"]
    means: Literal["exact", "truncated"]
    excess: Literal["smooth", "published"]
    penalties: bool


class LoadDSari(LoadOptions, DSariOptions, total=False):
    """For ``load("d_sari")``."""


class DSariModule(LoadedModule, Protocol):
    """What ``load("d_sari")`` returns. A column is any sequence."""

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

    def add(self, *, source: Any, prediction: Any, reference: Any) -> None:
        """Add one example, to be scored by ``compute()``."""

    def add_batch(self, *, sources: Any, predictions: Any, references: Any) -> None:
        """Add examples, to be scored by ``compute()``."""


class FkglComponentsOptions(ScoreOptions, total=False):
    """Options of ``fkgl_components``."""

    variant: Literal["default", "easse", "paper", "textstat"]
    splitter: options.SplitterLike
    tokenizer: (
        Literal[
            "13a",
            "intl",
            "char",
            "zh",
            "ja-mecab",
            "ko-mecab",
            "moses",
            "penn",
            "none",
        ]
        | Function
    )
    normalize: bool
    words: Literal["spoken", "tokens", "readability_scripts", "textstat"]
    syllables: str
    rounding: Literal["none", "integer_length", "one_decimal"]
    clip: bool
    splits: Literal["sentences", "periods"]
    sentences: int | None


class LoadFkglComponents(LoadOptions, FkglComponentsOptions, total=False):
    """For ``load("fkgl_components")``."""


class FkglComponentsModule(LoadedModule, Protocol):
    """What ``load("fkgl_components")`` returns. A column is any sequence."""

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

    def add(self, *, source: Any = None, prediction: Any, reference: Any = None) -> None:
        """Add one example, to be scored by ``compute()``."""

    def add_batch(self, *, sources: Any = None, predictions: Any, references: Any = None) -> None:
        """Add examples, to be scored by ``compute()``."""


class ReadabilityOptions(ScoreOptions, total=False):
    """Options of ``readability``."""

    variant: Literal["default"]
    language: str
    splitter: options.SplitterLike
    tokenizer: (
        Literal[
            "13a",
            "intl",
            "char",
            "zh",
            "ja-mecab",
            "ko-mecab",
            "moses",
            "penn",
            "none",
        ]
        | Function
    )
    dale_chall: bool


class LoadReadability(LoadOptions, ReadabilityOptions, total=False):
    """For ``load("readability")``."""


class ReadabilityModule(LoadedModule, Protocol):
    """What ``load("readability")`` returns. A column is any sequence."""

    def compute(
        self,
        *,
        sources: Any = None,
        predictions: Any = None,
        references: Any = None,
        **options: Unpack[ReadabilityOptions],
    ) -> dict[str, Any]:
        """Score the examples given here and those added before."""
        ...

    def add(self, *, source: Any = None, prediction: Any, reference: Any = None) -> None:
        """Add one example, to be scored by ``compute()``."""

    def add_batch(self, *, sources: Any = None, predictions: Any, references: Any = None) -> None:
        """Add examples, to be scored by ``compute()``."""


class EditOpsOptions(ScoreOptions, total=False):
    """Options of ``edit_ops``."""

    variant: Literal["paper", "shortest"]
    path: Literal["paper", "shortest"]
    moves: Literal["paper", "one_to_one"] | None
    tokenizer: (
        Literal[
            "13a",
            "intl",
            "char",
            "zh",
            "ja-mecab",
            "ko-mecab",
            "moses",
            "penn",
            "none",
        ]
        | Function
    )


class LoadEditOps(LoadOptions, EditOpsOptions, total=False):
    """For ``load("edit_ops")``."""


class EditOpsModule(LoadedModule, Protocol):
    """What ``load("edit_ops")`` returns. A column is any sequence."""

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

    def add(self, *, source: Any, prediction: Any, reference: Any = None) -> None:
        """Add one example, to be scored by ``compute()``."""

    def add_batch(self, *, sources: Any, predictions: Any, references: Any = None) -> None:
        """Add examples, to be scored by ``compute()``."""


class SimplificationStatsOptions(ScoreOptions, total=False):
    """Options of ``simplification_stats``."""

    variant: Literal["easse"]
    tokenizer: (
        Literal[
            "13a",
            "intl",
            "char",
            "zh",
            "ja-mecab",
            "ko-mecab",
            "moses",
            "penn",
            "none",
        ]
        | Function
    )
    lowercase: bool
    splitter: options.SplitterLike
    lexical_complexity: bool
    language: str
    level: Literal["corpus", "aligned"]
    repetition: Literal["ignored"]
    aligner: options.AlignerLike
    threshold: float | None
    links: Literal["best", "mutual", "all"]
    monotone: bool
    group_weights: Literal["words", "equal"]


class LoadSimplificationStats(LoadOptions, SimplificationStatsOptions, total=False):
    """For ``load("simplification_stats")``."""


class SimplificationStatsModule(LoadedModule, Protocol):
    """What ``load("simplification_stats")`` returns. A column is any sequence."""

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

    def add(self, *, source: Any, prediction: Any, reference: Any = None) -> None:
        """Add one example, to be scored by ``compute()``."""

    def add_batch(self, *, sources: Any, predictions: Any, references: Any = None) -> None:
        """Add examples, to be scored by ``compute()``."""


class WordDifficultyOptions(ScoreOptions, total=False):
    """Options of ``word_difficulty``."""

    variant: Literal["zipf"]
    language: str
    cefr: bool
    content_words: bool


class LoadWordDifficulty(LoadOptions, WordDifficultyOptions, total=False):
    """For ``load("word_difficulty")``."""


class WordDifficultyModule(LoadedModule, Protocol):
    """What ``load("word_difficulty")`` returns. A column is any sequence."""

    def compute(
        self,
        *,
        sources: Any = None,
        predictions: Any = None,
        references: Any = None,
        **options: Unpack[WordDifficultyOptions],
    ) -> dict[str, Any]:
        """Score the examples given here and those added before."""
        ...

    def add(self, *, source: Any = None, prediction: Any, reference: Any = None) -> None:
        """Add one example, to be scored by ``compute()``."""

    def add_batch(self, *, sources: Any = None, predictions: Any, references: Any = None) -> None:
        """Add examples, to be scored by ``compute()``."""


class F1TokenOptions(ScoreOptions, total=False):
    """Options of ``f1_token``."""

    variant: Literal["bags"]
    tokenizer: (
        Literal[
            "13a",
            "intl",
            "char",
            "zh",
            "ja-mecab",
            "ko-mecab",
            "moses",
            "penn",
            "none",
        ]
        | Function
    )
    lowercase: bool
    level: Literal["corpus", "aligned"]
    aligner: options.AlignerLike
    threshold: float | None
    links: Literal["best", "mutual", "all"]
    monotone: bool
    group_weights: Literal["words", "equal"]
    repetition: Literal["penalised", "ignored"]
    splitter: options.SplitterLike


class LoadF1Token(LoadOptions, F1TokenOptions, total=False):
    """For ``load("f1_token")``."""


class F1TokenModule(LoadedModule, Protocol):
    """What ``load("f1_token")`` returns. A column is any sequence."""

    def compute(
        self,
        *,
        sources: Any = None,
        predictions: Any = None,
        references: Any = None,
        **options: Unpack[F1TokenOptions],
    ) -> dict[str, Any]:
        """Score the examples given here and those added before."""
        ...

    def add(self, *, source: Any = None, prediction: Any, reference: Any) -> None:
        """Add one example, to be scored by ``compute()``."""

    def add_batch(self, *, sources: Any = None, predictions: Any, references: Any) -> None:
        """Add examples, to be scored by ``compute()``."""


class WordTransformationsOptions(ScoreOptions, total=False):
    """Options of ``word_transformations``."""

    variant: Literal["corpus", "easse2019", "easse"]
    rules: Literal["corpus", "easse2019", "easse"]
    aggregate: Literal["corpus", "mean"]
    absent: Literal["zero", "left_out"]
    punctuation: Literal["labelled", "unlabelled"]
    same_index: bool
    aligner: options.WordAlignerLike
    parts: options.PartsLike
    gap: int
    threshold: float
    tokenizer: (
        Literal[
            "13a",
            "intl",
            "char",
            "zh",
            "ja-mecab",
            "ko-mecab",
            "moses",
            "penn",
            "none",
        ]
        | Function
    )
    lowercase: bool


class LoadWordTransformations(LoadOptions, WordTransformationsOptions, total=False):
    """For ``load("word_transformations")``."""


class WordTransformationsModule(LoadedModule, Protocol):
    """What ``load("word_transformations")`` returns. A column is any sequence."""

    def compute(
        self,
        *,
        sources: Any = None,
        predictions: Any = None,
        references: Any = None,
        **options: Unpack[WordTransformationsOptions],
    ) -> dict[str, Any]:
        """Score the examples given here and those added before."""
        ...

    def add(self, *, source: Any, prediction: Any, reference: Any) -> None:
        """Add one example, to be scored by ``compute()``."""

    def add_batch(self, *, sources: Any, predictions: Any, references: Any) -> None:
        """Add examples, to be scored by ``compute()``."""


class SplitF1Options(ScoreOptions, total=False):
    """Options of ``split_f1``."""

    variant: Literal["places"]
    tokenizer: (
        Literal[
            "13a",
            "intl",
            "char",
            "zh",
            "ja-mecab",
            "ko-mecab",
            "moses",
            "penn",
            "none",
        ]
        | Function
    )
    splitter: options.SplitterLike


class LoadSplitF1(LoadOptions, SplitF1Options, total=False):
    """For ``load("split_f1")``."""


class SplitF1Module(LoadedModule, Protocol):
    """What ``load("split_f1")`` returns. A column is any sequence."""

    def compute(
        self,
        *,
        sources: Any = None,
        predictions: Any = None,
        references: Any = None,
        **options: Unpack[SplitF1Options],
    ) -> dict[str, Any]:
        """Score the examples given here and those added before."""
        ...

    def add(self, *, source: Any, prediction: Any, reference: Any) -> None:
        """Add one example, to be scored by ``compute()``."""

    def add_batch(self, *, sources: Any, predictions: Any, references: Any) -> None:
        """Add examples, to be scored by ``compute()``."""


class SamsaOptions(ScoreOptions, total=False):
    """Options of ``samsa``."""

    variant: Literal["corrected", "sulem", "easse"]
    aligner: options.WordAlignerLike
    splitter: options.SplitterLike
    tokenizer: (
        Literal[
            "13a",
            "intl",
            "char",
            "zh",
            "ja-mecab",
            "ko-mecab",
            "moses",
            "penn",
            "none",
        ]
        | Function
    )
    lowercase: bool
    mapping: Literal["best", "greedy"]
    surplus: Literal["scored", "zero"]
    relations: Literal["own", "flat"]
    centres: Literal["all", "last"]
    words: Literal["tokens", "forms"]


class LoadSamsa(LoadOptions, SamsaOptions, total=False):
    """For ``load("samsa")``."""


class SamsaModule(LoadedModule, Protocol):
    """What ``load("samsa")`` returns. A column is any sequence."""

    def compute(
        self,
        *,
        sources: Any = None,
        predictions: Any = None,
        passages: Any = None,
        **options: Unpack[SamsaOptions],
    ) -> dict[str, Any]:
        """Score the examples given here and those added before."""
        ...

    def add(self, *, source: Any = None, prediction: Any, passage: Any) -> None:
        """Add one example, to be scored by ``compute()``."""

    def add_batch(self, *, sources: Any = None, predictions: Any, passages: Any) -> None:
        """Add examples, to be scored by ``compute()``."""


class InformationErrorsOptions(ScoreOptions, total=False):
    """Options of ``information_errors``."""

    variant: Literal["majority"]
    labels: str


class LoadInformationErrors(LoadOptions, InformationErrorsOptions, total=False):
    """For ``load("information_errors")``."""


class InformationErrorsModule(LoadedModule, Protocol):
    """What ``load("information_errors")`` returns. A column is any sequence."""

    def compute(
        self,
        *,
        sources: Any = None,
        predictions: Any = None,
        insertion: Any = None,
        deletion: Any = None,
        substitution: Any = None,
        **options: Unpack[InformationErrorsOptions],
    ) -> dict[str, Any]:
        """Score the examples given here and those added before."""
        ...

    def add(
        self,
        *,
        source: Any = None,
        prediction: Any = None,
        insertion: Any,
        deletion: Any,
        substitution: Any,
    ) -> None:
        """Add one example, to be scored by ``compute()``."""

    def add_batch(
        self,
        *,
        sources: Any = None,
        predictions: Any = None,
        insertion: Any,
        deletion: Any,
        substitution: Any,
    ) -> None:
        """Add examples, to be scored by ``compute()``."""


@overload
def load(
    name: Literal["sari"],
    config_name: str | None = None,
    **kwargs: Unpack[LoadSari],
) -> SariModule: ...
@overload
def load(
    name: Literal["d_sari"],
    config_name: str | None = None,
    **kwargs: Unpack[LoadDSari],
) -> DSariModule: ...
@overload
def load(
    name: Literal["fkgl_components"],
    config_name: str | None = None,
    **kwargs: Unpack[LoadFkglComponents],
) -> FkglComponentsModule: ...
@overload
def load(
    name: Literal["readability"],
    config_name: str | None = None,
    **kwargs: Unpack[LoadReadability],
) -> ReadabilityModule: ...
@overload
def load(
    name: Literal["edit_ops"],
    config_name: str | None = None,
    **kwargs: Unpack[LoadEditOps],
) -> EditOpsModule: ...
@overload
def load(
    name: Literal["simplification_stats"],
    config_name: str | None = None,
    **kwargs: Unpack[LoadSimplificationStats],
) -> SimplificationStatsModule: ...
@overload
def load(
    name: Literal["word_difficulty"],
    config_name: str | None = None,
    **kwargs: Unpack[LoadWordDifficulty],
) -> WordDifficultyModule: ...
@overload
def load(
    name: Literal["f1_token"],
    config_name: str | None = None,
    **kwargs: Unpack[LoadF1Token],
) -> F1TokenModule: ...
@overload
def load(
    name: Literal["word_transformations"],
    config_name: str | None = None,
    **kwargs: Unpack[LoadWordTransformations],
) -> WordTransformationsModule: ...
@overload
def load(
    name: Literal["split_f1"],
    config_name: str | None = None,
    **kwargs: Unpack[LoadSplitF1],
) -> SplitF1Module: ...
@overload
def load(
    name: Literal["samsa"],
    config_name: str | None = None,
    **kwargs: Unpack[LoadSamsa],
) -> SamsaModule: ...
@overload
def load(
    name: Literal["information_errors"],
    config_name: str | None = None,
    **kwargs: Unpack[LoadInformationErrors],
) -> InformationErrorsModule: ...
# end
@overload
def load(name: str, config_name: str | None = None, **kwargs: Unpack[LoadAny]) -> Any: ...
def load(name: str, *args: Any, **kwargs: Any) -> Any:
    """Load a module: ``evaluate.load`` on its folder, so without network.

    Args:
        name: Such as ``"sari"``.
        *args: As for ``evaluate.load``; the first is the variant.
        **kwargs: As for ``evaluate.load``; also the metric's options, as defaults for ``compute``.

    Returns:
        The ``evaluate`` module.

    Raises:
        InputError: No such module or option.
    """
    import evaluate

    from textsimp.hub import path

    return evaluate.load(str(path(name)), *args, **kwargs)
