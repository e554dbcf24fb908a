"""The test sets of the field.

textsimp doesn't contain them, since their licences differ. They are loaded from the Hugging Face
Hub, through ``datasets`` and its cache, or from a folder:

    asset_test/
      source.txt           one text per line
      references/0.txt     as many lines
      references/1.txt     …

``datasets`` loads a folder without ``source.txt``, with the columns that the test set has on the
Hub, or ``source`` and ``references``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.core.declarations import REFERENCES, SOURCES
from textsimp.corpora.datasets import is_saved_whole, load_dataset
from textsimp.corpora.files import read_references, read_texts, text_files
from textsimp.corpora.tables import Table, read_column
from textsimp.support.errors import InputError, nearest

UNKNOWN = "unknown"


@dataclass(frozen=True)
class Part:
    """A test or validation set.

    Attributes:
        name: The argument of ``-t``.
        sources: Number of sources; None if it is unknown or depends on the release.
        split: Its split on the Hub.
    """

    name: str
    sources: int | None
    split: str = "test"


@dataclass(frozen=True)
class Corpus:
    """A corpus with its test sets.

    Attributes:
        title: Its usual name and version.
        paper: Its authors.
        references: Number of references of each source.
        licence: The licence, or ``"unknown"``.
        parts: Its test and validation sets.
        training: Number of training pairs; None if there are none, or their number is unknown.
        hub: Its repository on the Hub, ``"unknown"`` or ``"none"``.
        config: Its configuration there.
        source: Its column of sources there.
        target: Its column of references there.
        note: A remark.
    """

    title: str
    paper: str
    references: int
    licence: str
    parts: tuple[Part, ...]
    training: int | None = None
    hub: str = UNKNOWN
    config: str | None = None
    source: str = "source"
    target: str = "references"
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
    ),
    Corpus(
        "TurkCorpus, tokenised and mostly lowercased",
        "Xu et al. 2016",
        8,
        "GPL-3.0 (authors' repository)",
        (
            Part("turkcorpus_test_legacy", 359),
            Part("turkcorpus_valid_legacy", 2000, "validation"),
        ),
        note="scores on it don't compare with those on the cased one",
    ),
    Corpus(
        "HSplit",
        "Sulem et al. 2018",
        4,
        UNKNOWN,
        (Part("hsplit_test", 359),),
        note="the test sources of TurkCorpus, only split",
    ),
    Corpus(
        "PWKP / WikiSmall",
        "Zhu et al. 2010; Zhang and Lapata 2017",
        1,
        UNKNOWN,
        (Part("wikismall_test", 100), Part("wikismall_valid", 205, "validation")),
        training=88_837,
    ),
    Corpus(
        "WikiLarge",
        "Zhang and Lapata 2017",
        1,
        UNKNOWN,
        (Part("wikilarge_test", 359), Part("wikilarge_valid", 992, "validation")),
        training=296_402,
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
        note="documents",
    ),
    Corpus(
        "Newsela",
        "Xu et al. 2015",
        1,
        "on request from Newsela, must not be passed on",
        (Part("newsela_test", None), Part("newsela_valid", None, "validation")),
        hub="none",
        note="local copy only; its size depends on the release",
    ),
)


def names() -> list[str]:
    """Return the names that `load` takes."""
    return [part.name for corpus in CORPORA for part in corpus.parts]


def load(
    name: str, data_dir: str | None = None, argument: str = "data_dir"
) -> tuple[list[str], list[list[str]]]:
    """Load a test set.

    Args:
        name: One of `names`, or a folder.
        data_dir: A folder with a folder of this name, which is used instead of the Hub.
        argument: The name of ``data_dir`` in messages.

    Returns:
        Sources, and a list of references for each.
    """
    parts = {part.name: (corpus, part) for corpus in CORPORA for part in corpus.parts}
    folder = Path(name) if data_dir is None else Path(data_dir) / name
    if folder.is_dir():
        return _from_folder(folder, parts.get(name))
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
            f"{name} has no known place on the Hub: give a folder {name}/ with source.txt and "
            f"references/*.txt, and the folder it is in as {argument}"
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
        sources = read_texts(folder / "source.txt")
        return sources.rows, read_references(text_files(folder / "references"), sources).rows
    corpus, part = entry or (None, Part(folder.name, None))
    config = corpus.config if corpus and corpus.config in _configs(folder) else None
    table = load_dataset(str(folder), config, None if is_saved_whole(folder) else part.split)
    return _from_table(table, corpus)


def _configs(folder: Path) -> list[str]:
    import datasets

    try:
        return list(datasets.get_dataset_config_names(str(folder)))
    except Exception as error:  # a folder of any contents
        raise InputError(
            f"{folder}: expected source.txt and references/*.txt, or files that datasets can load"
        ) from error


def _from_table(table: Table, corpus: Corpus | None) -> tuple[list[str], list[list[str]]]:
    pairs = [("source", "references")]
    if corpus is not None:
        pairs.insert(0, (corpus.source, corpus.target))
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
        }
        for corpus in CORPORA
    ]
