"""``textsimp documents``: what a corpus of documents and their simplifications is like."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from textsimp.cli import printing, subset_arguments
from textsimp.cli.data_arguments import check_outputs
from textsimp.cli.functions import FILE, function_options
from textsimp.cli.options import FORCE, form_options
from textsimp.core import tables
from textsimp.corpora.files import note
from textsimp.documents.files import measure_files
from textsimp.support.errors import InputError
from textsimp.support.files import check_new, write_files

_ALIGNMENTS: dict[str, Callable[[Sequence[dict[str, Any]]], str]] = {
    ".jsonl": tables.json_lines,
    ".csv": tables.format_csv,
}


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
    *("tokenizer", "splitter", "aligner", "threshold", "links", "monotone"),
    words="-w --words WORD[,WORD…]|FILE",
)
@click.option(
    "--alignment",
    type=FILE,
    metavar="FILE",
    help="Write which sentences belong together, and what became of them (.jsonl or .csv).",
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
      textsimp documents train.jsonl valid.jsonl test.jsonl -S normal -T simple
      textsimp documents -s source.txt -t simple.txt --alignment aligned.jsonl
    """
    if alignment is not None:
        _check_alignment(alignment, force, [files["sources"], data, *files["targets"], *subsets])
    if subsets or data:
        files["subsets"] = subset_arguments.chosen(subsets, data)
    targets = [argument.rpartition("=")[2] for argument in files["target_columns"] or ["target"]]
    with subset_arguments.hints(files["source_column"] or "source", *targets):
        found = measure_files(**files, **settings)
    if alignment is not None:
        write = _ALIGNMENTS[Path(alignment).suffix.lower()]
        write_files({Path(alignment): write(found.alignments).encode()}, overwrite=force)
    if form == "json":
        printing.print_json({"signature": found.signature, "results": found.results})
    else:
        printing.print_tables(form, found.tables())
        signed = {"text": "\n{}", "markdown": "\n`{}`", "latex": "% {}", "csv": "{}"}[form]
        click.echo(signed.format(found.signature), err=form == "csv")
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
