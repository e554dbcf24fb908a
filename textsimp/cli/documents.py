"""``textsimp documents``: measures of a corpus of documents and their simplifications."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from textsimp.cli import printing
from textsimp.cli.data_arguments import SUBSET_PARAMETERS, choose_subsets
from textsimp.cli.options import FILE, FORCE, form_options, function_options
from textsimp.core import tables
from textsimp.documents.document_files import measure_files
from textsimp.documents.measures import measure_documents
from textsimp.support.errors import advise
from textsimp.support.files import check_new, write_files
from textsimp.support.progress import note


@click.command(params=[*SUBSET_PARAMETERS])
@function_options(
    measure_files,
    sources="-s --sources FILE|FOLDER",
    targets="-t --targets [NAME=]FILE|FOLDER",
    source_column="-S --source-column COLUMN",
    target_columns="-T --target-column [NAME=]COLUMN",
    id_column="--id COLUMN",
)
@function_options(
    measure_documents,
    *("tokenizer", "splitter", "aligner", "threshold", "links", "monotone", "resamples", "seed"),
    words="-w --words WORD[,WORD…]|FILE",
)
@click.option(
    "--alignment",
    type=FILE,
    metavar="FILE",
    help="Write which sentences belong together, and what became of them (.tsv, .csv or .jsonl).",
)
@FORCE
@form_options
def documents(
    form: str,
    alignment: str | None,
    force: bool,
    subsets: Sequence[str],
    data: str | None,
    **arguments: Any,
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
        tables.check_ending("--alignment", alignment)
        check_new([Path(alignment)], overwrite=force)
    if subsets or data:
        arguments["subsets"] = choose_subsets(subsets, data)
    columns = [column.rpartition("=")[2] for column in arguments["target_columns"] or ["target"]]
    advice = {f"no column {column}": ": choose with -T" for column in columns}
    advice[f"no column {arguments['source_column'] or 'source'}"] = ": choose with -S"
    with advise(advice):
        measures = measure_files(**arguments)
    if alignment is not None:
        contents = tables.format_records(alignment, measures.alignments)
        write_files({Path(alignment): contents.encode()}, overwrite=force)
    if form == "json":
        printing.print_json({"signature": measures.signature, "results": measures.results})
    else:
        printing.print_tables(form, measures.tables())
        if form == "text":
            click.echo()
            printing.print_sentence(measures.signature)
        else:
            signed = {"markdown": "\n`{}`", "latex": "% {}", "csv": "{}"}[form]
            click.echo(signed.format(measures.signature), err=form == "csv")
    if alignment is not None:
        note(f"written: {alignment}")
