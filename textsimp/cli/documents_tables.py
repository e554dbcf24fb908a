"""Tables of ``textsimp documents``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from textsimp.cli import printing
from textsimp.core import tables
from textsimp.core.tables import Grid
from textsimp.documents import OPERATIONS

_SIZES = {
    "sentences": "sentences",
    "words": "words",
    "sentences_per_document": "sentences per document",
    "words_per_document": "words per document",
    "words_per_sentence": "words per sentence",
}
_RATIOS = {"sentence_compression_ratio": "sentence ratio", "word_compression_ratio": "word ratio"}
_ODDS = {
    "odds_ratio": "odds ratio",
    "p_value": "p",
    "source_count": "in source",
    "target_count": "in target",
    "source_rank": "rank in source",
    "target_rank": "rank in target",
}
_SIDES = {"joined": "target", "split": "source", "deleted": "source"}  # the others of the target


@dataclass(frozen=True)
class PairResult:
    """Results for the documents of a source and a target."""

    part: str
    target: str
    statistics: dict[str, Any]
    operations: dict[str, int]
    odds: dict[str, Any] | None

    def to_dict(self) -> dict[str, Any]:
        """Return the object that JSON has."""
        odds = {} if self.odds is None else {"odds_ratios": self.odds}
        return {
            "split": self.part or None,
            "target": self.target,
            "statistics": self.statistics,
            "operations": self.operations,
            **odds,
        }


def print_results(form: str, results: Sequence[PairResult], signature: str) -> None:
    """Print results in one of the forms of `options.form_options` or as text."""
    if form == "json":
        printing.print_json({"signature": signature, "results": [one.to_dict() for one in results]})
        return
    if form == "csv":
        printing.print_csv([{**record, "signature": signature} for record in _records(results)])
        return
    what = "What happened to the sentences: how many, and documents with any"
    made = {"Sizes": _sizes(results), what: _operations(results)}
    if results[0].odds is not None:
        made["Odds ratios of words: above 1, the target prefers them"] = _odds(results)
    for i, (title, grid) in enumerate(made.items()):
        click.echo("\n" * (i > 0), nl=False)
        if form == "text":
            printing.print_line(title)
            printing.print_table(grid)
        else:
            click.echo(f"% {title}" if form == "latex" else f"{title}:\n")
            click.echo(printing.format_table(form, grid), nl=False)
    click.echo(
        {"text": f"\n{signature}", "markdown": f"\n`{signature}`", "latex": f"% {signature}"}[form]
    )


def _grid(
    results: Sequence[PairResult],
    header: Sequence[str],
    rows: Iterable[tuple[str, list[str]]],
    names: int = 1,
) -> Grid:
    """A table whose rows begin with the subset, where there are several, and other names."""
    split = bool(results[0].part)
    cells = [[*([part] if split else []), *row] for part, row in rows]
    return Grid([*(["subset"] if split else []), *header], cells, named=names + split)


def _sizes(results: Sequence[PairResult]) -> Grid:
    """A row for each text."""
    header = ["", "documents", *_SIZES.values(), *_RATIOS.values()]
    rows: dict[tuple[str, str, str], list[int | float | None]] = {}
    for one in results:
        numbers = one.statistics
        for side, label in (("source", "source"), ("target", one.target)):
            sizes = [numbers[f"{side}_{key}"] for key in _SIZES]
            ratios = [numbers[key] if side == "target" else None for key in _RATIOS]
            rows[one.part, side, label] = [numbers["documents"], *sizes, *ratios]
    cells = zip(rows, _cells(list(rows.values())), strict=True)
    return _grid(results, header, ((part, [label, *row]) for (part, _, label), row in cells))


def _cells(rows: Sequence[Sequence[int | float | None]]) -> list[list[str]]:
    """Numbers as text, those of a column with as many decimals."""
    made = []
    for column in zip(*rows, strict=True):
        places = tables.places(column)
        made.append(["" if n is None else tables.number(n, places) for n in column])
    return [list(row) for row in zip(*made, strict=True)]


def _operations(results: Sequence[PairResult]) -> Grid:
    """Two rows for each target: sentences, with their share, and documents that have any."""
    rows = []
    for one in results:
        numbers = one.operations
        sentences = [
            _share(numbers[name], numbers[f"{_SIDES.get(name, 'target')}_sentences"])
            for name in OPERATIONS
        ]
        of_documents = [
            _share(numbers[f"documents_with_{name}"], numbers["documents"]) for name in OPERATIONS
        ]
        rows += [(one.part, [one.target, *sentences]), (one.part, ["  documents", *of_documents])]
    return _grid(results, ["", *OPERATIONS], rows)


def _share(n: int, of: int) -> str:
    return f"{n:,} ({n / of:.1%})" if of else f"{n:,}"


def _odds(results: Sequence[PairResult]) -> Grid:
    """A row for each word and target, above them one of all words together."""
    rows, numbers = [], []
    for one in results:
        assert one.odds is not None
        words = one.odds["by_word"]
        together = [("together", one.odds)] if len(words) > 1 else []
        for word, odds in [*together, *words.items()]:
            rows.append((one.part, one.target, word))
            numbers.append([odds.get(key) for key in _ODDS])
    at = list(_ODDS).index("p_value")
    cells = _cells(numbers)
    for row, values in zip(cells, numbers, strict=True):
        row[at] = tables.p_value(values[at])
    made = [
        (part, [target, word, *row]) for (part, target, word), row in zip(rows, cells, strict=True)
    ]
    return _grid(results, ["", "word", *_ODDS.values()], made, names=2)


def _records(results: Sequence[PairResult]) -> Iterator[dict[str, Any]]:
    """A number a row."""

    def records(
        one: PairResult, table: str, word: str, numbers: Mapping[str, Any]
    ) -> Iterator[Any]:
        named = {"table": table, "split": one.part, "target": one.target, "word": word}
        for quantity, value in numbers.items():
            if not isinstance(value, dict):
                yield {**named, "quantity": quantity, "value": value}

    for one in results:
        yield from records(one, "statistics", "", one.statistics)
        yield from records(one, "operations", "", one.operations)
        if one.odds is not None:
            yield from records(one, "odds_ratios", "", one.odds)
            for word, odds in one.odds["by_word"].items():
                yield from records(one, "odds_ratios", word, odds)
