"""Documents in files, folders and tables: what `textsimp documents` measures."""

import glob
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
from textsimp.corpora import reading
from textsimp.corpora.reading import System, parse_column, parse_system
from textsimp.corpora.subsets import read_subsets
from textsimp.corpora.tables import Table, read_part
from textsimp.corpora.text_files import is_table, read_lines, text_files
from textsimp.documents.measures import Measures, measure_documents
from textsimp.support.errors import InputError, advise

_NEWSELA = re.compile(r"(?P<article>.+)\.(?P<language>[a-z]{2})\.(?P<level>\d)\.txt")


class _Documents(NamedTuple):
    """The documents of a subset."""

    name: str
    sources: list[str]
    targets: dict[str, list[str]]  # by name
    ids: Sequence[str] = ()  # of the documents, if they have any


def measure_files(
    sources: str | Path | None = None,
    targets: Sequence[str | Path] = (),
    *,
    subsets: Sequence[str] | str = (),
    config: str | None = None,
    source_column: str | None = None,
    target_columns: Sequence[str] = (),
    id_column: str | None = None,
    **options: Any,
) -> Measures:
    """Measure documents in files: text files or folders, or tables.

    Args:
        sources: Text file: one document per line; or a folder with a text file for each document.
            Without targets, a folder of all levels, or a pattern, with names as Newsela's: in
            art000.en.0.txt and art000.en.1.txt, level 0 is the source.
        targets: Text file: the simplification of each document; or a folder of such files. If the
            sources are in a folder: a folder with files of the same names. References and systems'
            outputs are several targets.
        subsets: Instead of both, tables or datasets, see `textsimp.corpora.subsets.read_subsets`.
        config: Configuration of the dataset.
        source_column: Default: source.
        target_columns: Of texts, or of lists of as many texts each. Default: target.
        id_column: The documents' ids for --alignment. Default: id, if there is one; of folders, the
            names of files.
        **options: Those of `measure_documents`; ``words`` may be files with a word per line, or
            several words between commas.

    Returns:
        What `measure_documents` does. Each result has its ``split``, the name of the subset if
        there are several, and each group of sentences its ``split`` and the document's ``id``.
    """
    if not subsets and sources is None and not targets:
        raise InputError("expected -s FILE and -t FILE, or subsets, or one of them after -d")
    newsela = _newsela_files(str(sources)) if sources and not targets else []
    if not subsets and not newsela and (sources is None or not targets):
        missing = "-s FILE" if sources is None else "-t FILE"
        raise InputError(f"expected both -s and -t: give {missing}")
    table_options = subsets or config or source_column or target_columns or id_column
    if table_options and (sources is not None or targets):
        raise InputError("expected either -s and -t, or subsets or -d, with -S and -T")
    if subsets:
        corpus = read_subsets(subsets, config, named=False)
        parts = _tables(corpus, source_column or "source", target_columns or ["target"], id_column)
    elif newsela:
        parts = _newsela(str(sources), newsela)
    else:
        read = _folders if os.path.isdir(str(sources)) else _text_files
        parts = iter([read(str(sources), [parse_system(str(target)) for target in targets])])
    options["words"] = _words(options.get("words", ()))
    results: list[dict[str, Any]] = []
    groups: list[dict[str, Any]] = []
    signature = ""
    for part in parts:
        try:
            measured = measure_documents(part.sources, part.targets, **options)
        except InputError as error:
            raise InputError(f"{part.name}: {error}" if part.name else str(error)) from None
        signature = measured.signature
        results += ({"split": part.name or None, **result} for result in measured.results)
        for group in measured.alignments:
            place = {"split": part.name} if part.name else {}
            place |= {"id": part.ids[group["document"] - 1]} if part.ids else {}
            groups.append({**place, **group})
    return Measures(results, groups, signature)


def _words(arguments: Sequence[str]) -> list[str]:
    """Read words from WORD[,WORD…], or the lines of a file."""
    words = []
    for argument in arguments:
        parts = read_lines(argument) if os.path.exists(argument) else argument.split(",")
        stripped = [word.strip() for word in parts if word.strip()]
        if not stripped:
            raise InputError(f"words: expected a word or more, got none in {argument!a}")
        words += stripped
    return words


def _folders(sources: str, systems: Sequence[System]) -> _Documents:
    """Read documents from the files of a folder, and their simplifications from those of others."""
    documents = _read_folder(sources)
    targets: dict[str, list[str]] = {}
    for system in systems:
        folder = str(system.file)
        simple = _read_folder(folder)
        name = system.name or Path(folder).name
        if lacking := [document for document in documents if document not in simple]:
            raise InputError(f"{folder} has no file for {', '.join(lacking)} of {sources}")
        if further := [document for document in simple if document not in documents]:
            raise InputError(f"{sources} has no file for {', '.join(further)} of {folder}")
        if name in targets:
            raise InputError(f"two targets are called {name!r}: name them, as in -t NAME=FOLDER")
        targets[name] = [simple[document] for document in documents]
    return _Documents("", [*documents.values()], targets, [*documents])


def _read_folder(folder: str) -> dict[str, str]:
    """Return the documents of a folder by the names of their files."""
    if not os.path.isdir(folder):
        raise InputError(f"{folder}: expected a folder, as of the sources")
    return {path.stem: "\n".join(read_lines(path)) for path in text_files(folder)}


def _newsela_files(sources: str) -> list[str]:
    """Return the files of a folder or pattern if all are named as Newsela's, else none."""
    paths = map(str, text_files(sources)) if os.path.isdir(sources) else glob.glob(sources)
    files = sorted(paths)
    return files if all(_NEWSELA.fullmatch(os.path.basename(path)) for path in files) else []


def _newsela(sources: str, files: Sequence[str]) -> Iterator[_Documents]:
    """Yield the articles that have the same levels above 0, with a target for each level."""
    articles: dict[str, dict[str, str]] = {}
    languages = set[str]()
    for path in files:
        match = _NEWSELA.fullmatch(os.path.basename(path))
        assert match
        languages.add(match["language"])
        articles.setdefault(match["article"], {})[match["level"]] = path
    if len(languages) > 1:
        raise InputError(
            f"{sources}: expected articles in one language, got {', '.join(sorted(languages))}: "
            f"give a pattern, as in -s 'FOLDER/*.{min(languages)}.*.txt'"
        )
    if without := [article for article, paths in articles.items() if "0" not in paths]:
        raise InputError(f"{sources}: no level 0, the source, of {', '.join(without)}")
    groups: dict[tuple[str, ...], list[str]] = {}  # articles → the levels that just they have
    for level in sorted({level for paths in articles.values() for level in paths} - {"0"}):
        having = tuple(article for article, paths in articles.items() if level in paths)
        groups.setdefault(having, []).append(level)
    if not groups:
        raise InputError(f"{sources}: expected a level above 0, got only level 0")
    for names, levels in groups.items():
        texts = {
            level: ["\n".join(read_lines(articles[name][level])) for name in names]
            for level in ["0", *levels]
        }
        targets = {f"level {level}": texts[level] for level in levels}
        yield _Documents(", ".join(targets) if len(groups) > 1 else "", texts["0"], targets, names)


def _text_files(sources: str, systems: Sequence[System]) -> _Documents:
    """Read a text file of documents, and files of their targets."""
    for file in [sources, *(target.file or "" for target in systems)]:
        if is_table(file):
            raise InputError(
                f"{file}: expected a text file, one document per line; tables are given by -d"
            )
    readers = {"documents": (SOURCES, PREDICTIONS)}
    with advise({"names": ": name them, as in -t NAME=FILE"}):
        examples = reading.read(readers, sources=sources, systems=systems)
    assert examples.sources is not None
    return _Documents(
        "", examples.sources, {name: examples.predictions(name) for name in examples.systems}
    )


def _tables(
    corpus: Mapping[str, Table], source: str, target_columns: Sequence[str], id_column: str | None
) -> Iterator[_Documents]:
    """Iterate over the documents of each subset."""
    for name, subset in corpus.items():
        sources = read_part(subset, SOURCES, source)
        by_name: dict[str, list[str]] = {}
        for argument in target_columns:
            label, column = parse_column(argument, subset.names)
            texts = _one_or_more(subset, column)
            for i, target_texts in enumerate(texts, 1):
                target = label if len(texts) == 1 else f"{label} {i}"
                if target in by_name:
                    raise InputError(
                        f"two targets are called {target!r}: name them, as in NAME=COLUMN"
                    )
                by_name[target] = target_texts
        id_name = id_column or ("id" if "id" in subset.names else None)
        ids = [key[0] for key in subset.ids([id_name])] if id_name else []
        yield _Documents(name if len(corpus) > 1 else "", sources, by_name, ids)


def _one_or_more(subset: Table, column: str) -> list[list[str]]:
    """Return a column of texts; or, of a column of lists, a column for each place in them."""
    rows = read_part(subset, REFERENCES, column)
    sizes = sorted({*map(len, rows)})
    if len(sizes) > 1:
        where = f"column {column!r} of {subset.where}"
        raise InputError(
            f"{where}: expected as many texts in each row, got {sizes[0]} to {sizes[-1]}"
        )
    return [list(texts) for texts in zip(*rows, strict=True)]
