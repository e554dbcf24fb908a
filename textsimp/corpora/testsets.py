"""The test sets of the field.

textsimp doesn't contain them, since their licences differ. They are loaded from the Hugging Face
Hub, through ``datasets`` and its cache, or from a folder:

    asset_test/
      source.txt           one text per line
      references/0.txt     as many lines
      references/1.txt     …

Files may also have the names that the field gives them, see `_published_files`. ``datasets`` loads
any other folder, with the columns that the test set has on the Hub, or ``source`` and
``references``.
"""

import csv
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from textsimp.core.declarations import REFERENCES, SOURCES
from textsimp.corpora.datasets import is_saved_whole, load_dataset
from textsimp.corpora.tables import Table, read_column, read_part, read_table
from textsimp.corpora.text_files import (
    check_lengths,
    is_table,
    natural_key,
    read_texts,
    text_files,
    without_empty,
)
from textsimp.support.errors import InputError, nearest
from textsimp.support.progress import note

_SOURCES = re.compile(r"(.+)\.(?:orig|org|norm|src|complex|source)(?:\.txt)?")
_REFERENCES = (  # in the order of preference, after the name that the sources have, too
    r"{}\.((simp|turk)\.)?[0-9]+",  # ASSET, TurkCorpus, HSplit as EASSE has it
    r"{}\.(dst|tgt|simp|simple|reference)(\.txt)?",  # Zhang and Lapata's corpora, D-Wikipedia
    r"HSplit[0-9]+_full",  # beside the sources of TurkCorpus
)
_TSAR = "tsar*.jsonl"
_COLUMNS = [
    *[("source", "references"), ("original", "reference")],  # the usual ones; TSAR's
    *[("original", "simplification"), ("original", "simple")],  # DEplain's, MultiSim's
    *[("complex", "simple"), ("complex", "simple_auto")],  # Cochrane-auto's
]
_VALIDATION = {"valid", "validation", "val", "dev", "tune", "trial"}


class TestSet(NamedTuple):
    name: str  # the argument of -t
    sources: int | None  # number of sources; None if it is unknown or depends on the release
    split: str = "test"  # on the Hub


class Corpus(NamedTuple):
    """A corpus with its test sets, a line of ``testsets.csv``."""

    corpus: str  # its usual name and version
    paper: str  # its authors
    language: str
    test_sets: list[TestSet]
    training_pairs: int | None  # None if it is unknown, or there are none
    references: int  # number of references of each source
    licence: str
    hub: str  # its repository there, "unknown" or "none"
    hub_config: str | None
    note: str
    files: str  # to fetch where it has no repository on the Hub
    source: str  # column on the Hub
    target: str  # column on the Hub


def _read_corpus(row: dict[str, str]) -> Corpus:
    values: dict[str, Any] = {name: row[name] for name in Corpus._fields if name in row}
    values |= {name: _number(row[name]) for name in ("references", "training_pairs")}
    parts = [
        TestSet(row[split], _number(row[f"{split}_sources"]), split)
        for split in ("test", "validation")
        if row[split]
    ]
    return Corpus(**values | {"test_sets": parts, "hub_config": row["hub_config"] or None})


def _number(cell: str) -> int | None:
    return int(cell) if cell else None


with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as _file:
    CORPORA = tuple(map(_read_corpus, csv.DictReader(_file)))


def names() -> list[str]:
    """Return the names that `load` takes."""
    return [part.name for corpus in CORPORA for part in corpus.test_sets]


def load(name: str, data_dir: str | None = None) -> tuple[list[str], list[list[str]]]:
    """Load sources and references of one of `names`, from ``data_dir`` or the Hub; or of a folder.

    Messages name the option ``--data-dir``.
    """
    parts = {part.name: (corpus, part) for corpus in CORPORA for part in corpus.test_sets}
    folder = Path(name) if data_dir is None else Path(data_dir) / name
    if folder.is_dir():
        return _from_folder(folder, parts.get(name))
    if is_table(folder) and folder.is_file():
        return _from_table(read_table(folder), None)
    if data_dir is not None:
        raise InputError(f"{folder}: no such folder")
    if name not in parts:
        raise InputError(
            f"unknown test set {name!r}{nearest(name, names())}: expected a folder or one "
            f"of {', '.join(names())}"
        )
    corpus, part = parts[name]
    if "/" not in corpus.hub:
        raise InputError(
            f"{name} has no known place on the Hub: put {corpus.files}, or source.txt and "
            f"references/*.txt, into a folder {name}, and give the folder it is in as --data-dir"
        )
    try:
        table = load_dataset(corpus.hub, corpus.hub_config, part.split, cached_first=True)
    except InputError as error:
        raise InputError(f"{error}; a local copy is given by --data-dir") from error
    return _from_table(table, corpus)


def _from_folder(
    folder: Path, entry: tuple[Corpus, TestSet] | None
) -> tuple[list[str], list[list[str]]]:
    if (folder / "source.txt").is_file():
        return _from_files(folder / "source.txt", text_files(folder / "references"))
    corpus, part = entry or (None, TestSet(folder.name, None))
    for place in (folder, *folder.glob("[dD]ataset")):  # clones of ASSET and D-Wikipedia have one
        published = _published_files(place, part.split)
        if published:
            file, references = published
            names = ", ".join(path.name for path in references)
            note(f"{place}: sources {file.name}; references {names}")
            return _from_files(file, references)
    tables = _of_split([*folder.glob(_TSAR)], part.split)
    if len(tables) == 1:
        note(f"{folder}: sources and references {tables[0].name}")
        return _from_table(read_table(tables[0]), None)
    config = corpus.hub_config if corpus and corpus.hub_config in _configs(folder) else None
    table = load_dataset(str(folder), config, None if is_saved_whole(folder) else part.split)
    return _from_table(table, corpus)


def _from_files(file: Path, references: Sequence[Path]) -> tuple[list[str], list[list[str]]]:
    """Read sources from a file, and a reference of each from every other file."""
    sources, *parts = map(read_texts, (file, *references))
    check_lengths([sources, *parts])
    rows = [list(row) for row in zip(*(part.rows for part in parts), strict=True)]
    return sources.rows, without_empty(replace(parts[0], rows=rows)).rows


def _published_files(folder: Path, split: str) -> tuple[Path, list[Path]] | None:
    """Find sources and references by the names that ASSET, TurkCorpus and others gave them."""
    paths = sorted(folder.iterdir(), key=lambda path: natural_key(path.name))
    sets: dict[Path, list[Path]] = {}
    for path in paths:
        match = _SOURCES.fullmatch(path.name)
        names = [pattern.format(re.escape(match[1])) for pattern in _REFERENCES] if match else []
        groups = [[p for p in paths if re.fullmatch(name, p.name)] for name in names]
        if any(groups):
            sets[path] = next(filter(None, groups))
    sources = _of_split([*sets], split)
    if len(sources) > 1:  # Zhang and Lapata's have a second version, without names
        sources = [path for path in sources if ".ori." in path.name] or sources
    if len(sources) > 1:
        raise InputError(
            f"{folder}: expected one test set, got the sources "
            f"{', '.join(path.name for path in sources)}"
        )
    return (sources[0], sets[sources[0]]) if sources else None


def _of_split(paths: Sequence[Path], split: str) -> list[Path]:
    """Choose files of a split by their names; without any of the test split, those there are."""
    words = {path: {*re.split(r"[\W_]", path.name)} for path in paths}
    validation = [path for path in paths if words[path] & _VALIDATION]
    test = [path for path in paths if path not in validation and "train" not in words[path]]
    return validation if split != "test" or not test else test


def _configs(folder: Path) -> list[str]:
    import datasets

    try:
        return list(datasets.get_dataset_config_names(str(folder)))
    except Exception as error:  # a folder of any contents
        raise InputError(
            f"{folder}: expected source.txt and references/*.txt, or files that datasets can load"
        ) from error


def _from_table(table: Table, corpus: Corpus | None) -> tuple[list[str], list[list[str]]]:
    pairs = [(corpus.source, corpus.target), *_COLUMNS] if corpus else _COLUMNS
    source, target = next((pair for pair in pairs if {*pair} <= {*table.names}), pairs[0])
    sources = read_part(table, SOURCES, source)
    further = [name for name in table.names if re.fullmatch(rf"{target}_?\d+", name)]
    references = read_column(table, REFERENCES, [target, *further])
    assert references is not None  # a missing column is an error
    return sources, references.rows


def records() -> list[dict[str, Any]]:
    """Return `CORPORA` as plain data."""
    rows = []
    for corpus in CORPORA:
        test_sets = {part.name: part.sources for part in corpus.test_sets}
        row = {**corpus._asdict(), "test_sets": test_sets}
        rows.append({name: row[name] for name in row if name not in ("source", "target")})
    return rows
