"""Edit operations: how many words were inserted, deleted, replaced and kept.

Vásquez-Rodríguez et al. (2021); the alignment is in `textsimp.text.alignment`.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Preset, Score
from textsimp.core.metric import Floats, Metric, divide
from textsimp.core.option import option
from textsimp.metrics import options
from textsimp.metrics.sides import by_side, mean_references, pair_references, side_names
from textsimp.text import alignment
from textsimp.text.alignment import KEEP, OPERATIONS
from textsimp.text.tokenizers import Encoder, Tokens

BINS = 10
_BIN_NAMES = [f"change_{100 * i // BINS}" for i in range(BINS)]

Prepared = tuple[Encoder, Tokens, Floats]
"""Sources; (n, 16) means of the statistics of each example's references, or (n, 0) without."""


@dataclass(frozen=True)
class EditOps(Metric):
    """Edit operations from sources to predictions, and side by side from sources to references.

    Texts are stripped, lowercased unless ``lowercase=False``, and split at single spaces, or
    tokenised by ``tokenizer``. The words of the source are turned into those of the prediction by a
    shortest edit path. With I, D, R, K the words inserted, deleted, replaced and kept, an example's
    change percentage is 100·(I+D+R)/(I+D+R+K), from 0 (unchanged) to 100. The distance I+D+R is
    unique, the percentage is not: ``path`` decides, see `textsimp.text.alignment`.

    A move is a deletion and an insertion of the same word. It counts as both, and once more as a
    move: ``moves`` says how they are paired (`textsimp.text.alignment.merge_moves`), one to one
    unless it is ``"paper"``. Only where it is given do moves stand in `details`.

    Example:
        >>> from textsimp import EditOps
        >>> scores = EditOps.preset().score(
        ...     sources=["About 95 species are currently accepted ."],
        ...     predictions=["About 95 species are now accepted ."],
        ...     per_example=True,
        ... )
        >>> scores["replace"], scores["keep"], round(scores["change_percentage"], 2)
        (1, 6, 14.29)
        >>> scores["operations_per_example"]
        ['4-']
    """

    name: ClassVar[str] = "edit_ops"
    about: ClassVar[str] = "words inserted, deleted, replaced, kept and moved"
    papers: ClassVar = ("vasquez-rodriguez-etal-2021-investigating",)
    people: ClassVar[str] = (
        "it describes, and must not rank systems: by single outputs the correlation with "
        "people's ratings of simplicity runs from −.28 [−.37, −.20] on one set to "
        ".48 [.39, .57] on another"
    )
    columns: ClassVar = (SOURCES, PREDICTIONS, REFERENCES.optional)
    presets: ClassVar = {
        "paper": Preset("the path that the authors' script counts"),
        "shortest": Preset(
            "the path with the fewest insertions", {"path": "shortest"}, own="shortest, textsimp's"
        ),
    }
    scores: ClassVar = (
        Score(
            "change_percentage",
            "Change percentage",
            "words that shortest edits change, percent; mean over examples",
            decimals=1,
        ),
        Score(
            "corpus_change_percentage",
            "Change percentage of the corpus",
            "change percentage of sums over the corpus, so long texts weigh more",
            decimals=1,
        ),
        Score("insert", "Inserted", "words inserted", most=None, unit="words"),
        Score("delete", "Deleted", "words deleted", most=None, unit="words"),
        Score("replace", "Replaced", "words replaced", most=None, unit="words"),
        Score("keep", "Kept", "words kept", most=None, unit="words"),
        Score(
            "move",
            "Moved",
            "words deleted in one place and inserted in another, part of both",
            most=None,
            unit="words",
        ),
        Score(
            "change_distribution",
            "Change distribution",
            "examples with a change percentage from 0 to below 10, …, from 90 to 100",
            most=None,
            unit="examples",
            many=True,
        ),
    )

    path: str = option(
        about="which of the shortest edit paths is counted: as published, or the one with the "
        "fewest insertions",
        choices=("paper", "shortest"),
    )
    moves: str | None = option(
        about="how deletions and insertions of a word are paired as moves; None counts them "
        "one to one and leaves them out of `operations_per_example`",
        choices=(None, "paper", "one_to_one"),
    )
    tokenizer: options.TokenizerLike = options.tokenizer(
        "none",
        about="words as published, between single spaces; or those of `13a`, `intl`, `moses`, "
        "`penn`",
        always=False,
    )
    lowercase: bool = options.lowercase(always=False)

    def score_names(self, shared: Sequence[str] = ()) -> tuple[str, ...]:
        """``change_percentage`` and the other scores; with references each as ``reference_…``."""
        return side_names(super().score_names(), [side for side in shared if side != "sources"])

    def prepare(self, sources: list[str], references: list[list[str]] | None) -> Prepared:
        encoder = Encoder(self.tokenizer, self.lowercase, single_spaces=True)
        tokens = self._encode(encoder, sources)
        if references is None:
            return encoder, tokens, np.empty((len(sources), 0))
        sizes = [*map(len, references)]
        targets = self._encode(encoder, [*itertools.chain.from_iterable(references)])
        counts = self._count(tokens.take(np.repeat(np.arange(len(sources)), sizes)), targets)
        return encoder, tokens, mean_references(counts, sizes)

    def statistics(self, prepared: Prepared, predictions: list[str]) -> Floats:
        """Return counts of operations, change percentage and its bin, of each side; and 1."""
        encoder, sources, references = prepared
        system = self._count(sources, self._encode(encoder, predictions))
        return np.hstack([system, references, np.ones((len(system), 1))])

    def statistic_names(self, width: int) -> list[str]:
        of_side = [*OPERATIONS, "change_percentage", *_BIN_NAMES]
        shared = ["references"] if width > len(of_side) + 1 else []
        return [*side_names(of_side, shared), "examples"]

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        """Sums of operations and examples, means and percentages."""
        scores: dict[str, NDArray[Any]] = {}
        sides = by_side(self.by_name(totals))
        examples = sides[""]["examples"]
        for side, sums in sides.items():
            if not sums:
                continue
            changed = sums["insert"] + sums["delete"] + sums["replace"]
            of_corpus = divide(100 * changed, changed + sums["keep"])
            scores[f"{side}change_percentage"] = divide(sums["change_percentage"], examples)
            scores[f"{side}corpus_change_percentage"] = of_corpus
            counts = {"change_distribution": np.stack([sums[b] for b in _BIN_NAMES], axis=-1)}
            counts |= {name: sums[name] for name in OPERATIONS}
            for name, count in counts.items():  # of references they are means
                scores[side + name] = count if side else count.astype(np.int64)
        return scores

    def details(
        self, sources: list[str], predictions: list[str], references: list[list[str]] | None
    ) -> dict[str, list[Any]]:
        """``operations`` of each example, such as ``"3-2-"``; of references, a list of them."""
        lists: dict[str, list[Any]] = {"operations": self._spell(sources, predictions)}
        if references is not None:
            spelled = iter(self._spell(*pair_references(sources, references)))
            lists["reference_operations"] = [[next(spelled) for _ in row] for row in references]
        return lists

    def _count(self, sources: Tokens, targets: Tokens) -> Floats:
        """(pairs, 16) statistics."""
        options: Any = self.path, self.moves or "one_to_one"
        counts = alignment.operation_counts(sources, targets, *options)
        changed, total = counts[:, :3].sum(axis=1), counts[:, :4].sum(axis=1)
        bins = np.minimum(BINS * changed // total, BINS - 1)
        one_hot = bins[:, None] == np.arange(BINS)
        return np.column_stack([counts, change_percentages(counts), one_hot])

    def _encode(self, encoder: Encoder, texts: list[str]) -> Tokens:
        """Number the words of texts. As published, a text without any is one empty word."""
        return encoder.encode([*map(str.strip, texts)] if self.tokenizer == "none" else texts)

    def _spell(self, sources: list[str], targets: list[str]) -> list[str]:
        """Write the codes of each pair as the paper does; moves only if these were asked for."""
        encoder = Encoder(self.tokenizer, self.lowercase, single_spaces=True)
        sides = self._encode(encoder, sources), self._encode(encoder, targets)
        options: Any = self.path, self.moves
        paths = alignment.operations(*sides, options[0])
        if self.moves:
            words = (side.lists() for side in sides)
            paths = map(alignment.merge_moves, paths, *words, itertools.repeat(options[1]))
        codes = ([code for code, _, _ in path if code != KEEP] for path in paths)
        return ["".join(f"{code}-" for code in row) for row in codes]


def change_percentages(counts: NDArray[np.int64]) -> Floats:
    """Return (...) change percentages of (..., 4 or more) counts in the order of `OPERATIONS`."""
    # In this order of operations the result is the authors', to the last bit.
    percentages: Floats = counts[..., :3].sum(axis=-1) / counts[..., :4].sum(axis=-1) * 100
    return percentages
