"""``textsimp documents``: what a corpus of documents and their simplifications is like."""

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import click

from textsimp.cli import printing, subset_arguments
from textsimp.cli.data_arguments import check_outputs
from textsimp.cli.functions import FILE, function_options
from textsimp.cli.options import FORCE, form_options
from textsimp.core import tables
from textsimp.core.tables import Grid, Tabular
from textsimp.corpora.files import note, read_lines
from textsimp.corpora.subsets import write_excel
from textsimp.documents import OPERATIONS
from textsimp.documents.files import measure_files
from textsimp.support.errors import InputError
from textsimp.support.files import check_new, write_files

_ALIGNMENTS = (".jsonl", ".csv", ".xlsx")
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

Result = dict[str, Any]  # of the documents of a source and a target, as JSON has it


@click.command(params=[*subset_arguments.PARAMETERS])
@function_options(
    "textsimp.documents.files:measure_files",
    into=None,
    sources="-s --sources FILE|FOLDER",
    targets="-t --targets [NAME=]FILE|FOLDER",
    source_column="-S --source-column COLUMN",
    target_columns="-T --target-column [NAME=]COLUMN",
    id_column="--id COLUMN",
)
@function_options(
    "textsimp.documents.measures:measure_documents",
    *("max_words", "tokenizer", "splitter", "aligner", "threshold", "links", "monotone"),
    words="-w --words WORD[,WORD…]|FILE",
)
@click.option(
    "--alignment",
    type=FILE,
    metavar="FILE",
    help="Write which sentences belong together, and what became of them (.jsonl, .csv or .xlsx).",
)
@FORCE
@form_options
def documents(
    settings: dict[str, Any],
    alignment: str | None,
    force: bool,
    form: str,
    subsets: Sequence[str],
    data: str | None,
    **files: Any,
) -> None:
    """Measure documents: sizes, and sentences split, joined, added or moved.

    The analyses of Sun, Jin & Wan (2021). Sentences are aligned automatically, by their words: a
    sentence aligned with several was split, several aligned with one were joined, those without a
    partner were deleted or added. With --words, how much more often the simple side uses them.

    Documents are given by -s and -t, or as subsets, which `textsimp split --help` lists.

    \b
    Examples:
      textsimp documents -s source.txt -t simple.txt
      textsimp documents -s originals -t simple
      textsimp documents -s source.txt -t references -t ours=output.txt --words which,who,that
      textsimp documents train.jsonl valid.jsonl test.jsonl -S normal -T simple --max-words 1000
      textsimp documents -s source.txt -t simple.txt --alignment aligned.jsonl
    """
    if alignment is not None:
        _check_alignment(alignment, force, [files["sources"], data, *files["targets"], *subsets])
    settings["words"] = _words(settings["words"])
    if subsets or data:
        files["subsets"] = subset_arguments.chosen(subsets, data)
    targets = [argument.rpartition("=")[2] for argument in files["target_columns"] or ["target"]]
    with subset_arguments.hints(files["source_column"] or "source", *targets):
        found = measure_files(**files, **settings)
    if alignment is not None:
        write = partial(_write_alignment, found.alignments, Path(alignment))
        write_files({Path(alignment): write}, overwrite=force)
    _print_results(form, found.results, found.signature)
    if alignment is not None:
        note(f"written: {alignment}")


def _check_alignment(alignment: str, force: bool, given: Sequence[str | None]) -> None:
    """Check the file of --alignment before anything is computed."""
    if Path(alignment).suffix.lower() not in _ALIGNMENTS:
        raise InputError(
            f"--alignment: expected a file that ends with {', '.join(_ALIGNMENTS)}, got {alignment}"
        )
    check_new([Path(alignment)], overwrite=force)
    read = [name for text in given if text for name in text.split(",")]
    check_outputs([Path(alignment)], predictions=read)


def _write_alignment(groups: Sequence[dict[str, Any]], path: Path, file: BinaryIO) -> None:
    suffix = path.suffix.lower()
    if suffix == ".xlsx":
        write_excel(groups, file)
    else:
        write = tables.format_csv if suffix == ".csv" else tables.json_lines
        file.write(write(groups).encode())


def _words(arguments: Sequence[str]) -> list[str]:
    """Read words from WORD[,WORD…], or the lines of a file."""
    words = []
    for argument in arguments:
        parts = read_lines(argument) if os.path.exists(argument) else argument.split(",")
        own = [word.strip() for word in parts if word.strip()]
        if not own:
            raise InputError(f"--words: expected a word or more, got none in {argument!a}")
        words += own
    return words


# Tables -------------------------------------------------------------------------------------------


def _print_results(form: str, results: Sequence[Result], signature: str) -> None:
    """Print results in one of the forms of `options.form_options` or as text."""
    if form == "json":
        printing.print_json({"signature": signature, "results": results})
        return
    if form == "csv":
        printing.print_csv([{**record, "signature": signature} for record in _records(results)])
        return
    what = "What happened to the sentences: how many, and documents with any"
    grids: dict[str, Tabular] = {"Sizes": _sizes(results), what: _operations(results)}
    if "odds_ratios" in results[0]:
        grids["Odds ratios of words: above 1, the target prefers them"] = _odds(results)
    printing.print_tables(form, grids)
    click.echo(
        {"text": f"\n{signature}", "markdown": f"\n`{signature}`", "latex": f"% {signature}"}[form]
    )


def _grid(header: Sequence[str], rows: list[list[Any]], names: int = 2) -> Grid:
    """Return a table whose rows begin with names, the first that of the subset or None."""
    if rows[0][0] is None:
        return Grid(header, [row[1:] for row in rows], named=names - 1)
    return Grid(["subset", *header], rows, named=names)


def _sizes(results: Sequence[Result]) -> Grid:
    """A row for each text."""
    header = ["", "documents", *_SIZES.values(), *_RATIOS.values()]
    rows: dict[tuple[str | None, str, str], list[int | float | None]] = {}
    for result in results:
        numbers = result["statistics"]
        for side, label in (("source", "source"), ("target", result["target"])):
            sizes = [numbers[f"{side}_{key}"] for key in _SIZES]
            ratios = [numbers[key] if side == "target" else None for key in _RATIOS]
            rows[result["split"], side, label] = [numbers["documents"], *sizes, *ratios]
    cells = zip(rows, _cells(rows.values()), strict=True)
    return _grid(header, [[part, label, *row] for (part, _, label), row in cells])


def _cells(rows: Iterable[Sequence[int | float | None]]) -> list[list[str]]:
    """Numbers as text, those of a column with as many decimals."""
    columns = [tables.numbers(column) for column in zip(*rows, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]


def _operations(results: Sequence[Result]) -> Grid:
    """Two rows for each target: sentences, with their share, and documents that have any."""
    rows = []
    for result in results:
        numbers = result["operations"]
        sentences, documents = [], []
        for name in OPERATIONS:
            side = _SIDES.get(name, "target")
            sentences.append(_share(numbers[name], numbers[f"{side}_sentences"]))
            documents.append(_share(numbers[f"documents_with_{name}"], numbers["documents"]))
        rows.append([result["split"], result["target"], *sentences])
        rows.append([result["split"], "  documents", *documents])
    return _grid(["", *OPERATIONS], rows)


def _share(n: int, total: int) -> str:
    return f"{n:,} ({n / total:.1%})" if total else f"{n:,}"


def _odds(results: Sequence[Result]) -> Grid:
    """A row for each word and target, above them one of all words together."""
    names, numbers = [], []
    for result in results:
        words = result["odds_ratios"]["by_word"]
        together = [("together", result["odds_ratios"])] if len(words) > 1 else []
        for word, odds in [*together, *words.items()]:
            names.append((result["split"], result["target"], word))
            numbers.append([odds.get(key) for key in _ODDS])
    at = list(_ODDS).index("p_value")
    rows = []
    for (part, target, word), cells, values in zip(names, _cells(numbers), numbers, strict=True):
        cells[at] = tables.p_value(values[at])
        rows.append([part, target, word, *cells])
    return _grid(["", "word", *_ODDS.values()], rows, names=3)


def _records(results: Sequence[Result]) -> Iterator[Result]:
    """A number a row."""
    for result in results:
        odds = result.get("odds_ratios", {"by_word": {}})
        parts = [(name, "", result[name]) for name in ("statistics", "operations")]
        parts += [("odds_ratios", word, n) for word, n in [("", odds), *odds["by_word"].items()]]
        for table, word, numbers in parts:
            row = {"table": table, "split": result["split"], "target": result["target"]}
            for quantity, value in numbers.items():
                if quantity != "by_word":
                    yield {**row, "word": word, "quantity": quantity, "value": value}
