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

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.core.declarations import REFERENCES, SOURCES
from textsimp.corpora.datasets import is_saved_whole, load_dataset
from textsimp.corpora.files import check_lengths, natural_key, note, read_texts, text_files
from textsimp.corpora.tables import Table, is_table, read_column, read_table
from textsimp.support.errors import InputError, nearest

UNKNOWN = "unknown"

_SOURCES = re.compile(r"(.+)\.(?:orig|norm|src|complex|source)(?:\.txt)?")
_REFERENCES = (  # in the order of preference, after the name that the sources have, too
    r"{}\.((simp|turk)\.)?[0-9]+",  # ASSET, TurkCorpus, HSplit as EASSE has it
    r"{}\.(dst|tgt|simp|simple|reference)(\.txt)?",  # Zhang and Lapata's corpora, D-Wikipedia
    r"HSplit[0-9]+_full",  # beside the sources of TurkCorpus
)
_TSAR = "tsar*.jsonl"
_COLUMNS = [("source", "references"), ("original", "reference")]  # the usual ones; TSAR's
_VALIDATION = {"valid", "validation", "val", "dev", "tune", "trial"}


@dataclass(frozen=True)
class Part:
    """A test or validation set."""

    name: str  # the argument of -t
    sources: int | None  # number of sources; None if it is unknown or depends on the release
    split: str = "test"  # on the Hub


@dataclass(frozen=True)
class Corpus:
    """A corpus with its test sets."""

    title: str  # its usual name and version
    paper: str  # its authors
    references: int  # number of references of each source
    licence: str
    parts: tuple[Part, ...]
    training: int | None = None  # number of pairs; None if it is unknown, or there are none
    hub: str = UNKNOWN  # its repository there, "unknown" or "none"
    config: str | None = None  # on the Hub
    source: str = "source"  # column on the Hub
    target: str = "references"  # column on the Hub
    files: str = ""  # to fetch where it has no repository on the Hub
    note: str = ""


CORPORA = (
    Corpus(
        "ASSET",
        "Alva-Manchego et al. 2020",
        10,
        "CC BY-NC 4.0 (authors' repository)",
        (Part("asset_test", 359), Part("asset_valid", 2000, "validation")),
        hub="facebook/asset",
        config="simplification",
        source="original",
        target="simplifications",
        note="the sources of TurkCorpus, simplified anew",
    ),
    Corpus(
        "TurkCorpus, cased and not tokenised",
        "Xu et al. 2016",
        8,
        "GPL-3.0 (authors' repository)",
        (Part("turkcorpus_test", 359), Part("turkcorpus_valid", 2000, "validation")),
        files="test.truecase.detok.orig and .simp.0 to .simp.7 (tune.truecase.detok.* for "
        "validation) from github.com/feralvam/easse, easse/resources/data/test_sets/turkcorpus",
    ),
    Corpus(
        "TurkCorpus, tokenised and mostly lowercased",
        "Xu et al. 2016",
        8,
        "GPL-3.0 (authors' repository)",
        (Part("turkcorpus_test_legacy", 359), Part("turkcorpus_valid_legacy", 2000, "validation")),
        hub="community-datasets/turk",
        config="simplification",
        source="original",
        target="simplifications",
        note="scores on it don't compare with those on the cased one",
    ),
    Corpus(
        "HSplit",
        "Sulem et al. 2018",
        4,
        "CC BY-SA 3.0 (authors' repository)",
        (Part("hsplit_test", 359),),
        files="HSplit1_full to HSplit4_full from github.com/eliorsulem/HSplit-corpus, HSplit, and "
        "test.8turkers.tok.norm from github.com/cocoxu/simplification, data/turkcorpus",
        note="the test sources of TurkCorpus, only split",
    ),
    Corpus(
        "PWKP / WikiSmall",
        "Zhu et al. 2010; Zhang and Lapata 2017",
        1,
        UNKNOWN,
        (Part("wikismall_test", 100), Part("wikismall_valid", 205, "validation")),
        training=88_837,
        files="PWKP_108016.tag.80.aner.ori.test.src and .dst (.valid.* for validation) from "
        "data-simplification.tar.bz2, which github.com/XingxingZhang/dress links",
    ),
    Corpus(
        "WikiLarge",
        "Zhang and Lapata 2017",
        1,
        UNKNOWN,
        (Part("wikilarge_test", 359), Part("wikilarge_valid", 992, "validation")),
        training=296_402,
        files="wiki.full.aner.ori.test.src and .dst (.valid.* for validation) from "
        "data-simplification.tar.bz2, which github.com/XingxingZhang/dress links",
        note="the test sources are those of TurkCorpus, whose references are usually taken",
    ),
    Corpus(
        "Wiki-Auto",
        "Jiang et al. 2020",
        1,
        UNKNOWN,
        (),
        training=488_332,
        hub="chaojiang06/wiki_auto",
        note="for training; aligned by a model",
    ),
    Corpus(
        "D-Wikipedia",
        "Sun et al. 2021",
        1,
        UNKNOWN,
        (Part("d_wikipedia_test", 8000), Part("d_wikipedia_valid", 3000, "validation")),
        training=132_546,
        files="test.src and test.tgt (valid.* for validation) from "
        "github.com/RLSNLP/Document-level-text-simplification, Dataset",
        note="documents",
    ),
    Corpus(
        "Newsela",
        "Xu et al. 2015",
        1,
        "on request from Newsela, must not be passed on",
        (Part("newsela_test", None), Part("newsela_valid", None, "validation")),
        hub="none",
        files="newsela.test.orig and newsela.test.simp, or *.test.src and *.test.dst, which "
        "newsela.com/data gives on request",
        note="local copy only; its size depends on the release",
    ),
)


def names() -> list[str]:
    """Return the names that `load` takes."""
    return [part.name for corpus in CORPORA for part in corpus.parts]


def load(
    name: str, data_dir: str | None = None, argument: str = "data_dir"
) -> tuple[list[str], list[list[str]]]:
    """Load sources and references of one of `names`, from ``data_dir`` or the Hub; or of a folder.

    ``argument`` is the name of ``data_dir`` in messages.
    """
    parts = {part.name: (corpus, part) for corpus in CORPORA for part in corpus.parts}
    folder = Path(name) if data_dir is None else Path(data_dir) / name
    if folder.is_dir():
        return _from_folder(folder, parts.get(name))
    if is_table(folder) and folder.is_file():
        return _from_table(read_table(folder, lines=False), None)
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
            f"references/*.txt, into a folder {name}, and give the folder it is in as {argument}"
        )
    try:
        table = load_dataset(corpus.hub, corpus.config, part.split, cached_first=True)
    except InputError as error:
        raise InputError(f"{error}; a local copy is given by {argument}") from error
    return _from_table(table, corpus)


def _from_folder(
    folder: Path, entry: tuple[Corpus, Part] | None
) -> tuple[list[str], list[list[str]]]:
    if (folder / "source.txt").is_file():
        return _from_files(folder / "source.txt", text_files(folder / "references"))
    corpus, part = entry or (None, Part(folder.name, None))
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
        return _from_table(read_table(tables[0], lines=False), None)
    config = corpus.config if corpus and corpus.config in _configs(folder) else None
    table = load_dataset(str(folder), config, None if is_saved_whole(folder) else part.split)
    return _from_table(table, corpus)


def _from_files(file: Path, references: Sequence[Path]) -> tuple[list[str], list[list[str]]]:
    """Read sources from a file, and a reference of each from every other file."""
    sources, *parts = map(read_texts, (file, *references))
    check_lengths([sources, *parts])
    return sources.rows, [list(row) for row in zip(*(part.rows for part in parts), strict=True)]


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
    sources = read_column(table, SOURCES, [source])
    references = read_column(table, REFERENCES, [target])
    assert sources is not None  # a missing column is an error
    assert references is not None
    return sources.rows, references.rows


def records() -> list[dict[str, Any]]:
    """Return `CORPORA` as plain data."""
    return [
        {
            "corpus": corpus.title,
            "paper": corpus.paper,
            "test_sets": {part.name: part.sources for part in corpus.parts},
            "training_pairs": corpus.training,
            "references": corpus.references,
            "licence": corpus.licence,
            "hub": corpus.hub,
            "hub_config": corpus.config,
            "note": corpus.note,
            "files": corpus.files,
        }
        for corpus in CORPORA
    ]
