"""``textsimp documents``: what a corpus of documents and their simplifications is like."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from textsimp.cli.data_arguments import FILE, check_outputs, system_of
from textsimp.cli.documents_tables import Result, print_results
from textsimp.cli.options import FORCE, form_options
from textsimp.core import columns, tables
from textsimp.core.declarations import PREDICTIONS, SOURCES
from textsimp.corpora import reading
from textsimp.corpora.files import note, read_lines
from textsimp.corpora.subsets import Subset, read_subsets
from textsimp.corpora.tables import is_table
from textsimp.support.errors import InputError, check_integer
from textsimp.support.files import check_new, write_files
from textsimp.support.version import __version__
from textsimp.text.memory import cache_scope
from textsimp.text.sentence_alignment import (
    ALIGNERS,
    EMBEDDING,
    LEXICAL,
    LINKED,
    get_aligner,
    tokenizer_of_words,
)
from textsimp.text.sentences import DEFAULT_SPLITTER, SPLITTERS, get_splitter
from textsimp.text.tokenizers import TOKENIZERS

if TYPE_CHECKING:
    from textsimp.documents import Alignment


@dataclass(frozen=True)
class _Part:
    """Documents of one source, and their simplifications by several."""

    name: str  # the subset's; empty if there is only one
    sources: list[str]
    targets: dict[str, list[str]]
    rows: Sequence[int]  # numbers of the documents, from 1


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
@click.option(
    "-w",
    "--words",
    multiple=True,
    metavar="WORD[,WORD…]|FILE",
    help="Words whose odds ratios are wanted; or a text file with a word per line.",
)
@click.option(
    "--max-words", type=int, help="Leave out documents of which any text has more words than this."
)
@click.option(
    "--tokenizer",
    type=click.Choice(list(TOKENIZERS)),
    default="13a",
    help="What counts as a word; also for the lexical aligner if it is for texts without spaces.",
)
@click.option(
    "--splitter",
    default=DEFAULT_SPLITTER,
    help=f"What splits documents into sentences: {', '.join(SPLITTERS)}, punkt-de and others of a "
    "language.",
)
@click.option(
    "--aligner",
    default=LEXICAL,
    help=f"What says how similar two sentences are: {', '.join(ALIGNERS)}, or "
    f"{EMBEDDING}: and a model of sentence-transformers, a folder or a name on the Hub.",
)
@click.option(
    "--threshold",
    type=float,
    help="Similarity from which sentences may be aligned, from 0 to 1. Default: the aligner's own.",
)
@click.option(
    "--links",
    type=click.Choice(LINKED),
    default="best",
    help="Each sentence is aligned with the best one of the other side, only where that is mutual, "
    "or with all that are similar.",
)
@click.option("--monotone", is_flag=True, help="No links that cross, so nothing is reordered.")
@click.option(
    "--alignment",
    type=FILE,
    metavar="FILE",
    help="Write which sentences belong together, and what became of them (.jsonl).",
)
@FORCE
@form_options
def documents(
    words: Sequence[str],
    max_words: int | None,
    tokenizer: str,
    splitter: str,
    aligner: str,
    threshold: float | None,
    links: Any,
    monotone: bool,
    alignment: str | None,
    force: bool,
    form: str,
    **files: Any,
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
    from tqdm import tqdm  # type: ignore[import-untyped]

    from textsimp.documents.corpus_sizes import corpus_statistics, odds_ratio
    from textsimp.documents.document_alignment import iterate_alignments, sum_operations

    sentence_aligner = get_aligner(
        aligner,
        threshold=threshold,
        links=links,
        monotone=monotone,
        tokenizer=tokenizer_of_words(tokenizer),
    )
    sentence_splitter = get_splitter(splitter)
    if alignment is not None:
        if Path(alignment).suffix.lower() != ".jsonl":
            raise InputError(f"--alignment: expected a file that ends with .jsonl, got {alignment}")
        check_new([Path(alignment)], overwrite=force)
        given = [files["sources"], files["data"], *files["targets"], *files["subsets"]]
        read = [name for text in given if text for name in text.split(",")]
        check_outputs([Path(alignment)], predictions=read)
    word_list = _words(words)
    if max_words is not None:
        check_integer("--max-words", max_words, 0)
    parts = _read(**files)
    if max_words is not None:
        parts = [_shorten(part, max_words, tokenizer) for part in parts]
    odds = {
        (part.name, target): odds_ratio(part.sources, texts, words=word_list, tokenizer=tokenizer)
        for part in parts
        for target, texts in part.targets.items()
        if word_list
    }
    results = []
    records: list[dict[str, Any]] = []
    progress: dict[str, Any] = {"unit": " documents", "disable": None, "leave": False}
    for part in parts:
        with cache_scope():
            for target, texts in part.targets.items():
                pair = part.sources, texts
                found = iterate_alignments(pair, sentence_splitter, sentence_aligner)
                title = f"{part.name}: {target}" if part.name else target
                alignments = [*tqdm(found, desc=title, total=len(texts), **progress)]
                written = zip(part.rows, alignments, strict=True) if alignment else ()
                for row, one in written:
                    named: dict[str, Any] = {"split": part.name} if part.name else {}
                    named |= {"target_name": target, "document": row}
                    records += ({**named, **group} for group in _describe_groups(one))
                operations = sum_operations(alignments)
                statistics = corpus_statistics(*pair, splitter=splitter, tokenizer=tokenizer)
                result: Result = {"split": part.name or None, "target": target}
                result |= {"statistics": statistics, "operations": operations}
                if word_list:
                    result["odds_ratios"] = odds[part.name, target]
                results.append(result)
    if alignment is not None:
        write_files({Path(alignment): tables.json_lines(records).encode()}, overwrite=force)
    options = {
        "tok": tokenizer,
        "splitter": sentence_splitter.name,
        "aligner": sentence_aligner.name,
        "threshold": sentence_aligner.threshold,
        "links": links,
        "monotone": "yes" if monotone else None,
        "max_words": max_words,
    }
    chosen = [f"{key}:{value}" for key, value in options.items() if value is not None]
    signature = "|".join(["documents", *chosen, f"v:{__version__}"])
    print_results(form, results, signature)
    if alignment is not None:
        note(f"written: {alignment}")


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


def _read(sources: str | None, targets: Sequence[str], **tables: Any) -> list[_Part]:
    if sources is None and not targets:
        return list(_tables(**tables))
    if any(tables.values()):
        raise InputError("expected either -s and -t, or subsets or -d, with -S and -T")
    return [_text_files(sources, targets)]


def _text_files(sources: str | None, targets: Sequence[str]) -> _Part:
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
    return _Part("", read.sources, texts, range(1, len(read) + 1))


def _tables(
    subsets: Sequence[str],
    data: str | None,
    config: str | None,
    source_column: str | None,
    target_columns: Sequence[str],
) -> Iterator[_Part]:
    """Read the documents of each subset."""
    if not subsets and data is None:
        raise InputError("expected -s FILE and -t FILE, or subsets, or one of them after -d")
    if subsets and data is not None:
        raise InputError("expected subsets, or one file or dataset after -d")
    corpus = read_subsets(subsets if data is None else data, config, named=False)
    for name, subset in corpus.items():
        source = source_column or "source"
        sources = subset.column(source).to_pylist()
        where = f"column {source!r} of {subset.where}"
        if isinstance(sources[0], list):
            raise InputError(f"{where}: expected texts, got lists")
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
        part = name if len(corpus) > 1 else ""
        rows = range(1, len(sources) + 1)
        yield _Part(part, columns.texts(sources, where), by_name, rows)


def _one_or_more(subset: Subset, column: str) -> list[list[str]]:
    """Return a column of texts; of lists, as many columns as each list has texts."""
    rows, where = subset.column(column).to_pylist(), f"column {column!r} of {subset.where}"
    if not all(isinstance(row, list) for row in rows):
        return [columns.texts(rows, where)]
    lists = columns.references(rows, where)
    sizes = sorted({len(row) for row in lists})
    if len(sizes) > 1:
        raise InputError(
            f"{where}: expected as many texts in each row, got {sizes[0]} to {sizes[-1]}"
        )
    return [list(column) for column in zip(*lists, strict=True)]


def _shorten(part: _Part, max_words: int, tokenizer: str) -> _Part:
    """Leave out the documents of which any text is too long."""
    from textsimp.documents.corpus_sizes import short_rows

    rows = short_rows([part.sources, *part.targets.values()], max_words, tokenizer)
    where = f"{part.name}: " if part.name else ""
    if not rows:
        raise InputError(f"--max-words: {where}every document has more than {max_words:,} words")
    if len(rows) < len(part.sources):
        removed = len(part.sources) - len(rows)
        note(f"{where}left out {removed:,} of {len(part.sources):,} documents with longer texts")
    return _Part(
        part.name,
        [part.sources[i] for i in rows],
        {name: [texts[i] for i in rows] for name, texts in part.targets.items()},
        [part.rows[i] for i in rows],
    )


def _describe_groups(alignment: Alignment) -> Iterator[dict[str, Any]]:
    """Yield which sentences belong together, and what became of them."""
    labels, moved = alignment.target_operations(), set(alignment.reordered())
    similarities = dict(zip(alignment.links, alignment.similarities, strict=True))
    for sources, targets in alignment.groups():
        several = len(sources) > 1, len(targets) > 1
        operation = "deleted" if not targets else labels[targets[0]]
        pairs = itertools.product(sources, targets)
        values = [similarities[pair] for pair in pairs if pair in similarities]
        yield {
            "operation": "split and joined" if all(several) else operation,
            "reordered": not moved.isdisjoint(targets),
            "similarity": round(min(values), 4) if values else None,
            "source_sentences": [i + 1 for i in sources],
            "target_sentences": [j + 1 for j in targets],
            "source": [alignment.source[i] for i in sources],
            "target": [alignment.target[j] for j in targets],
        }
