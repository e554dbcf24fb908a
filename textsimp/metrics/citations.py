"""BibTeX of the papers that metrics cite, and of textsimp itself."""

import functools
import re
from collections.abc import Iterable
from importlib import resources

from textsimp.core.declarations import Declarations
from textsimp.support.errors import InputError, nearest
from textsimp.support.version import __version__, __year__

# `misc` and `note`, since BibTeX's own styles know neither `software` nor `version`.
TEXTSIMP = f"""@misc{{textsimp,
  title  = {{textsimp: Measure text simplification}},
  author = {{{{The textsimp authors}}}},
  year   = {{{__year__}}},
  note   = {{Version {__version__}}}
}}"""

OPTION_PAPERS = {
    **dict.fromkeys(("13a", "intl", "char", "zh"), "post-2018-call"),
    "ja-mecab": "kudo-etal-2004-applying",
    "ko-mecab": "kudo-etal-2004-applying",
    "moses": "koehn-etal-2007-moses",
    "penn": "koehn-etal-2007-moses",
    "punkt": "kiss-strunk-2006-unsupervised",
    "nltk": "kiss-strunk-2006-unsupervised",
    "pysbd": "sadvilkar-neumann-2020-pysbd",
    "easse": "alva-manchego-etal-2019-easse",
}
"""Value of an option, or a variant → the key of its paper.

A splitter's paper is that of the name before its version: ``pysbd-0.3.4``.
"""


def papers(metric: Declarations) -> list[str]:
    """Return the keys of the papers of a metric with the options that it uses, each once."""
    names = [option.name for option in metric.declared_options() if metric.uses(option)]
    values = [getattr(metric, name) for name in ("variant", *names)]
    texts = [value for value in values if isinstance(value, str)]
    papers = [OPTION_PAPERS.get(t) or OPTION_PAPERS.get(t.partition("-")[0]) for t in texts]
    return list(dict.fromkeys([*metric.paper_keys(), *filter(None, papers)]))


def bibtex(keys: Iterable[str]) -> list[str]:
    """Return the entries of some papers, each once, in the order of the keys."""
    entries, keys = _entries(), dict.fromkeys(keys)
    for key in keys:
        if key not in entries:
            raise InputError(f"papers: citations.bib has no {key!r}{nearest(key, [*entries])}")
    return [entries[key] for key in keys]


def urls(keys: Iterable[str]) -> dict[str, str]:
    """Return key → address, of the papers that have one."""
    matches = {key: re.search(r"  url *= \{(.*)\}", _entries()[key]) for key in keys}
    return {key: match[1] for key, match in matches.items() if match}


@functools.cache
def _entries() -> dict[str, str]:
    """Key → entry."""
    text = resources.files("textsimp.metrics").joinpath("citations.bib").read_text(encoding="utf-8")
    return {entry.split("{", 1)[1].split(",", 1)[0]: entry for entry in text.strip().split("\n\n")}
