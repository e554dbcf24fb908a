"""``textsimp documents``: what a corpus of documents and their simplifications is like."""

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import click

from textsimp.cli import subset_arguments
from textsimp.cli.data_arguments import check_outputs
from textsimp.cli.documents_tables import Result, print_results
from textsimp.cli.functions import FILE, function_options
from textsimp.cli.options import FORCE, form_options
from textsimp.core import tables
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
from textsimp.corpora import reading
from textsimp.corpora.file_arguments import system_of
from textsimp.corpora.files import note, read_lines, text_files
from textsimp.corpora.reading import Request, System
from textsimp.corpora.subsets import Subset, read_subsets, write_excel
from textsimp.corpora.tables import is_table, read_column
from textsimp.support.errors import InputError
from textsimp.support.files import check_new, write_files

_ALIGNMENTS = (".jsonl", ".csv", ".xlsx")


class Part(NamedTuple):
    """The documents of a subset."""

    name: str
    sources: list[str]
    targets: dict[str, list[str]]  # by name
    ids: Sequence[str] = ()  # of the documents, if they have any


@click.command(params=[*subset_arguments.PARAMETERS])
@click.option(
    "-s",
    "--sources",
    type=FILE,
    metavar="FILE|FOLDER",
    help="Text file: one document per line; or a folder with a text file for each document.",
)
@click.option(
    "-t",
    "--targets",
    type=FILE,
    multiple=True,
    metavar="[NAME=]FILE|FOLDER",
    help="Text file: the simplification of each document; or a folder of such files. If the "
    "sources are in a folder: a folder with files of the same names. Repeat it for several, such "
    "as references and systems' outputs.",
)
@click.option("-S", "--source-column", metavar="COLUMN", help="Default: source.")
@click.option(
    "-T",
    "--target-column",
    "target_columns",
    multiple=True,
    metavar="[NAME=]COLUMN",
    help="Of texts, or of lists of as many texts each. Repeat it for several. Default: target.",
)
@click.option(
    "--id",
    "id_column",
    metavar="COLUMN",
    help="The documents' ids for --alignment. Default: id, if there is one; of folders, the names "
    "of files.",
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
    settings: dict[str, Any], alignment: str | None, force: bool, form: str, **files: Any
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
    from textsimp.documents import measure_documents

    if alignment is not None:
        _check_alignment(alignment, force, files)
    settings["words"] = _words(settings["words"])
    results: list[Result] = []
    groups: list[dict[str, Any]] = []
    for name, sources, targets, ids in _read(**files):
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
        for group in found.alignments:
            place = {"split": name} if name else {}
            place |= {"id": ids[group["document"] - 1]} if ids else {}
            groups.append({**place, **group})
    if alignment is not None:
        write_files(
            {Path(alignment): partial(_write_alignment, groups, Path(alignment))}, overwrite=force
        )
    print_results(form, results, found.signature)
    if alignment is not None:
        note(f"written: {alignment}")


def _check_alignment(alignment: str, force: bool, files: Mapping[str, Any]) -> None:
    """Check the file of --alignment before anything is computed."""
    if Path(alignment).suffix.lower() not in _ALIGNMENTS:
        raise InputError(
            f"--alignment: expected a file that ends with {', '.join(_ALIGNMENTS)}, got {alignment}"
        )
    check_new([Path(alignment)], overwrite=force)
    given = [files["sources"], files["data"], *files["targets"], *files["subsets"]]
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


def _read(
    sources: str | None,
    targets: Sequence[str],
    subsets: Sequence[str],
    data: str | None,
    config: str | None,
    **columns: Any,
) -> Iterator[Part]:
    if sources is None and not targets:
        if not subsets and data is None:
            raise InputError("expected -s FILE and -t FILE, or subsets, or one of them after -d")
        corpus = read_subsets(subset_arguments.chosen(subsets, data), config, named=False)
        yield from _tables(corpus, **columns)
    elif subsets or data or config or any(columns.values()):
        raise InputError("expected either -s and -t, or subsets or -d, with -S and -T")
    elif sources is None or not targets:
        missing = "-s FILE" if sources is None else "-t FILE"
        raise InputError(f"expected both -s and -t: give {missing}")
    else:
        systems = [system_of(argument) for argument in targets]
        read = _folders if os.path.isdir(sources) else _text_files
        yield read(sources, systems)


def _folders(sources: str, systems: Sequence[System]) -> Part:
    """Read documents from the files of a folder, and their simplifications from those of others."""
    documents = _documents(sources)
    targets: dict[str, list[str]] = {}
    for system in systems:
        folder = str(system.file)
        simple = _documents(folder)
        name = system.name or Path(folder).name
        if lacking := [document for document in documents if document not in simple]:
            raise InputError(f"{folder} has no file for {', '.join(lacking)} of {sources}")
        if further := [document for document in simple if document not in documents]:
            raise InputError(f"{sources} has no file for {', '.join(further)} of {folder}")
        if name in targets:
            raise InputError(f"two targets are called {name!r}: name them, as in -t NAME=FOLDER")
        targets[name] = [simple[document] for document in documents]
    return Part("", [*documents.values()], targets, [*documents])


def _documents(folder: str) -> dict[str, str]:
    """Return the documents of a folder by the names of their files."""
    if not os.path.isdir(folder):
        raise InputError(f"{folder}: expected a folder, as of the sources")
    return {path.stem: "\n".join(read_lines(path)) for path in text_files(folder)}


def _text_files(sources: str, systems: Sequence[System]) -> Part:
    """Read documents of text files, of which there are several targets."""
    for file in [sources, *(target.file or "" for target in systems)]:
        if is_table(file):
            raise InputError(
                f"{file}: expected a text file, one document per line; tables are given by -d"
            )
    request = Request(
        sources=sources, systems=systems, advice={"name systems": ": name them, as in -t NAME=FILE"}
    )
    read = reading.read(request, {"documents": (SOURCES, PREDICTIONS)})
    assert read.sources is not None
    return Part("", read.sources, {name: read.predictions(name) for name in read.systems})


def _tables(
    corpus: Mapping[str, Subset],
    source_column: str | None,
    target_columns: Sequence[str],
    id_column: str | None,
) -> Iterator[Part]:
    """Return the documents of each subset."""
    source = source_column or "source"
    for name, subset in corpus.items():
        named = [
            reading.named_column(argument, subset.names)
            for argument in target_columns or ["target"]
        ]
        by_name: dict[str, list[str]] = {}
        with subset_arguments.hints(source, *(column for _, column in named)):
            sources = read_column(subset, SOURCES, [source])
            assert sources is not None
            for label, column in named:
                texts = _one_or_more(subset, column)
                for i, one in enumerate(texts, 1):
                    target = label if len(texts) == 1 else f"{label} {i}"
                    if target in by_name:
                        raise InputError(
                            f"two targets are called {target!r}: name them, as in NAME=COLUMN"
                        )
                    by_name[target] = one
        id_name = id_column or ("id" if "id" in subset.names else None)
        ids = [one for (one,) in subset.ids([id_name])] if id_name else []
        yield Part(name if len(corpus) > 1 else "", sources.rows, by_name, ids)


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
