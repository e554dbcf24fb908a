"""Tables of the measures of documents and their simplifications."""

from collections.abc import Sequence
from typing import Any

from textsimp.core import tables
from textsimp.core.cells import numbers
from textsimp.core.tables import Cell, Grid
from textsimp.documents.document_alignment import OPERATIONS

_SIZES = {
    "sentences": "sentences",
    "words": "words",
    "sentences_per_document": "sentences per document",
    "words_per_document": "words per document",
    "words_per_sentence": "words per sentence",
}
_RATIOS = {"sentence_compression_ratio": "sentence ratio", "word_compression_ratio": "word ratio"}
_COUNTS = {
    "source_count": "in source",
    "target_count": "in target",
    "source_rank": "rank in source",
    "target_rank": "rank in target",
}
_SIDES = {"joined": "target", "split": "source", "deleted": "source"}  # the others of the target

Result = dict[str, Any]
"""One of the ``results`` of `Measures`."""


def make_grids(results: Sequence[Result]) -> dict[str, Grid]:
    """Return title → table: sizes, what happened to the sentences, odds ratios of words."""
    what = "What happened to the sentences: how many, and documents with any"
    grids = {"Sizes": _sizes(results), what: _operations(results)}
    if "odds_ratios" in results[0]:
        grids["Odds ratios of words: above 1, the target prefers them"] = _odds(results)
    return grids


def _grid(header: Sequence[str], rows: list[list[Any]], names: int = 2) -> Grid:
    """Return a table whose rows begin with the name of the subset, or None, and other names."""
    if rows[0][0] is None:
        return Grid(header, [row[1:] for row in rows], named=names - 1)
    return Grid(["subset", *header], rows, named=names)


def _sizes(results: Sequence[Result]) -> Grid:
    """A row for each text."""
    header = ["", "documents", *_SIZES.values(), *_RATIOS.values()]
    rows: dict[tuple[str | None, str, str], list[int | float | None]] = {}
    for result in results:
        statistics = result["statistics"]
        for side, label in (("source", "source"), ("target", result["target"])):
            sizes = [statistics[f"{side}_{key}"] for key in _SIZES]
            ratios = [statistics[key] if side == "target" else None for key in _RATIOS]
            rows[result.get("split"), side, label] = [statistics["documents"], *sizes, *ratios]
    columns = [numbers(column) for column in zip(*rows.values(), strict=True)]
    cells = zip(rows, *columns, strict=True)
    return _grid(header, [[part, label, *row] for (part, _, label), *row in cells])


def _operations(results: Sequence[Result]) -> Grid:
    """Two rows for each target: sentences, with their share, and documents that have any."""
    rows = []
    for result in results:
        counts = result["operations"]
        sentences, documents = [], []
        for name in OPERATIONS:
            side = _SIDES.get(name, "target")
            sentences.append(_share(counts[name], counts[f"{side}_sentences"]))
            documents.append(_share(counts[f"documents_with_{name}"], counts["documents"]))
        rows.append([result.get("split"), result["target"], *sentences])
        rows.append([result.get("split"), "  documents", *documents])
    return _grid(["", *OPERATIONS], rows)


def _share(n: int, total: int) -> str:
    return f"{n:,} ({n / total:.1%})" if total else f"{n:,}"


def _odds(results: Sequence[Result]) -> Grid:
    """A row for each word and target, below a row for all words together."""
    rows = []
    for result in results:
        words = result["odds_ratios"]["by_word"]
        together = [("together", result["odds_ratios"])] if len(words) > 1 else []
        for word, odds in [*together, *words.items()]:
            ratio = Cell.of(odds["odds_ratio"], odds["interval"], 3)
            p = tables.p_value(odds["p_value"])
            counts = numbers([odds.get(key) for key in _COUNTS])
            rows.append([result.get("split"), result["target"], word, ratio, p, *counts])
    return _grid(["", "word", "odds ratio", "p", *_COUNTS.values()], rows, names=3)
