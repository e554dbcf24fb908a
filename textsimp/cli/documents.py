"""``textsimp documents``: what a corpus of documents and their simplifications is like."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from textsimp.cli.data_arguments import FILE, check_outputs, system_of
from textsimp.cli.documents_tables import Result, print_results
from textsimp.cli.functions import function_options
from textsimp.cli.options import FORCE, form_options
from textsimp.core import tables
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
from textsimp.corpora import reading
from textsimp.corpora.files import note, read_lines
from textsimp.corpora.subsets import Subset, read_subsets
from textsimp.corpora.tables import is_table, read_column
from textsimp.support.errors import InputError
from textsimp.support.files import check_new, write_files

Part = tuple[str, list[str], dict[str, list[str]]]  # a subset, its sources, and targets by name


@click.command()
@click.argument("subsets", nargs=-1, metavar="[SUBSET]...")
@click.option("-s", "--sources", type=FILE, help="Text file: one document per line.")
@click.option(
    "-t",
    "--targets",
    type=FILE,
    multiple=True,
    metavar="[NAME=]FILE",
    help="Text file: the simplification of each document; or a folder of such files. Repeat it for "
    "several, such as references and systems' outputs.",
)
@click.option(
    "-d",
    "--data",
    metavar="FILE|DATASET",
    help="Instead of subsets: one of them, or a dataset, also by its name on the Hugging Face Hub.",
)
@click.option("--config", help="Configuration of the dataset.")
@click.option("-S", "--source-column", metavar="COLUMN", help="Default: source.")
@click.option(
    "-T",
    "--target-column",
    "target_columns",
    multiple=True,
    metavar="[NAME=]COLUMN",
    help="Of texts, or of lists of as many texts each. Repeat it for several. Default: target.",
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
    help="Write which sentences belong together, and what became of them (.jsonl).",
)
@FORCE
@form_options
def documents(
    settings: dict[str, Any], alignment: str | None, force: bool, form: str, **files: Any
) -> None:
    """Measure documents: sizes, and sentences split, joined, added or moved.

    The analyses of Sun, Jin & Wan (2021). Sentences are aligned automatically, by their words: a
    sentence aligned with several was split, several aligned with one were joined, those without a
    partner were deleted or added. With --words, how much more often the simple side uses them.

    \b
    Documents are given by -s and -t, or as subsets as to `textsimp split`:
      NAME=FILE             a JSONL, JSON, CSV, TSV or parquet file
      NAME=SOURCE,TARGET    two text files, one document per line
      FILE                  named by what comes before the first dot
      FOLDER                a dataset, each of its splits a subset

    \b
    Examples:
      textsimp documents -s source.txt -t simple.txt
      textsimp documents -s source.txt -t references -t ours=output.txt --words which,who,that
      textsimp documents train.jsonl valid.jsonl test.jsonl -S normal -T simple --max-words 1000
      textsimp documents -s source.txt -t simple.txt --alignment aligned.jsonl
    """
    from textsimp.documents import measure_documents

    if alignment is not None:
        _check_alignment(alignment, force, files)
    settings["words"] = _words(settings["words"])
    results: list[Result] = []
    groups: list[dict[str, Any]] = []
    parts = _read(**files)
    for name, sources, targets in parts:
        try:
            found = measure_documents(sources, targets, **settings)
        except InputError as error:
            raise InputError(f"{name}: {error}" if name else str(error)) from None
        left_out = len(sources) - len(found.rows)
        if left_out:
            note(
                f"{name}{': ' * bool(name)}left out {left_out:,} of {len(sources):,} documents "
                "with longer texts"
            )
        results += ({"split": name or None, **result} for result in found.results)
        groups += ({**({"split": name} if name else {}), **group} for group in found.alignments)
    if alignment is not None:
        write_files({Path(alignment): tables.json_lines(groups).encode()}, overwrite=force)
    print_results(form, results, found.signature)
    if alignment is not None:
        note(f"written: {alignment}")


def _check_alignment(alignment: str, force: bool, files: Mapping[str, Any]) -> None:
    """Check the file of --alignment before anything is computed."""
    if Path(alignment).suffix.lower() != ".jsonl":
        raise InputError(f"--alignment: expected a file that ends with .jsonl, got {alignment}")
    check_new([Path(alignment)], overwrite=force)
    given = [files["sources"], files["data"], *files["targets"], *files["subsets"]]
    read = [name for text in given if text for name in text.split(",")]
    check_outputs([Path(alignment)], predictions=read)


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


def _read(sources: str | None, targets: Sequence[str], **tables: Any) -> list[Part]:
    if sources is None and not targets:
        return list(_tables(**tables))
    if any(tables.values()):
        raise InputError("expected either -s and -t, or subsets or -d, with -S and -T")
    return [_text_files(sources, targets)]


def _text_files(sources: str | None, targets: Sequence[str]) -> Part:
    """Read documents of text files, of which there are several targets."""
    if sources is None or not targets:
        missing = "-s FILE" if sources is None else "-t FILE"
        raise InputError(f"expected both -s and -t: give {missing}")
    systems = [system_of(argument) for argument in targets]
    for file in [sources, *(target.file or "" for target in systems)]:
        if is_table(file):
            raise InputError(
                f"{file}: expected a text file, one document per line; tables are given by -d"
            )
    request = reading.Request(
        sources=sources, systems=systems, advice={"name systems": ": name them, as in -t NAME=FILE"}
    )
    read = reading.read(request, {"documents": (SOURCES, PREDICTIONS)})
    assert read.sources is not None
    texts = {name: read.predictions(name) for name in read.systems}
    return "", read.sources, texts


def _tables(
    subsets: Sequence[str],
    data: str | None,
    config: str | None,
    source_column: str | None,
    target_columns: Sequence[str],
) -> Iterator[Part]:
    """Read the documents of each subset."""
    if not subsets and data is None:
        raise InputError("expected -s FILE and -t FILE, or subsets, or one of them after -d")
    if subsets and data is not None:
        raise InputError("expected subsets, or one file or dataset after -d")
    corpus = read_subsets(subsets if data is None else data, config, named=False)
    for name, subset in corpus.items():
        source = source_column or "source"
        sources = read_column(subset, SOURCES, [source])
        assert sources is not None
        by_name: dict[str, list[str]] = {}
        for argument in target_columns or ["target"]:
            label, column = reading.named_column(argument, subset.names)
            texts = _one_or_more(subset, column)
            for i, one in enumerate(texts, 1):
                target = label if len(texts) == 1 else f"{label} {i}"
                if target in by_name:
                    raise InputError(
                        f"two targets are called {target!r}: name them, as in NAME=COLUMN"
                    )
                by_name[target] = one
        yield name if len(corpus) > 1 else "", sources.rows, by_name


def _one_or_more(subset: Subset, column: str) -> list[list[str]]:
    """Return a column of texts; of lists, as many columns as each list has texts."""
    lists = read_column(subset, REFERENCES, [column])
    assert lists is not None
    sizes = sorted({*map(len, lists.rows)})
    if len(sizes) > 1:
        raise InputError(
            f"{lists.where}: expected as many texts in each row, got {sizes[0]} to {sizes[-1]}"
        )
    return [list(column) for column in zip(*lists.rows, strict=True)]
