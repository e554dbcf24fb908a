"""Data checks of characters that nobody sees, and that make other words of the same letters."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from textsimp.corpora.findings import (
    ARTEFACT_SHARE,
    HARDLY_ANY,
    NEARLY_ALL,
    Column,
    Finding,
    Gravity,
    Texts,
    join,
)

_DIFFERENCE = 0.2  # of shares, where other columns have such characters, too
_MAX_NAMES = 2


def _search(pattern: str, but_in: str = "(?!)") -> Callable[[str], str]:
    """Return a function that finds a pattern in texts without another pattern, or ""."""
    search, exception = re.compile(pattern).search, re.compile(but_in).search

    def find(text: str) -> str:
        match = search(text)
        return match[0] if match and not exception(text) else ""

    return find


def _find_decomposed(text: str) -> str:
    """Return the first mark that composes with its letter, or ""."""
    if unicodedata.is_normalized("NFC", text):
        return ""
    marks = (b for a, b in pairwise(text) if len(unicodedata.normalize("NFC", a + b)) == 1)
    return next(marks, "")


def _find_composed(text: str) -> str:
    """Return the first letter with a mark in it, or ""."""
    if unicodedata.is_normalized("NFD", text):
        return ""
    return next(letter for letter in text if not unicodedata.is_normalized("NFD", letter))


@dataclass(frozen=True)
class _Form:
    what: str
    find: Callable[[str], str]  # returns the first such character of a text, or ""
    fix: str = "remove them"
    gravity: Gravity = "problem"


_HIDDEN = "[\u00ad\u2060\ufeff]"
_JOINING = "(?<![\u2190-\U0010ffff])[\u200b-\u200f\u202a-\u202e\u2066-\u2069]"  # but in emoji
_JOINED = "[\u0590-\u1aff]"  # scripts that need them, from Hebrew to Khmer
_FULL_WIDTH = "[\u3001\u3002\uff01-\uff5e]"
_EAST_ASIAN = "[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"  # which have such
_CONTROL = "[\0-\x08\x0b\x0c\x0e-\x1f\x7f\u2028\u2029\ue000-\uf8ff\ufff9-\ufffc]"
_CONTROL += "|(?<![\u0080-\u00bfÂÃâÐÑð€])[\u0080-\u009f]"  # alone: others are `mojibake`
_SPACE = "[\u00a0\u1680\u2000-\u200a\u202f\u205f]"  # which tokenizers split at, as at others
_DECOMPOSED = _Form("decomposed letters", _find_decomposed, "normalise them to NFC")
_COMPOSED = _Form("composed letters", _find_composed, "normalise all texts to NFC")
_FORMS = (
    _DECOMPOSED,
    _Form("hidden characters", _search(_HIDDEN)),
    _Form("joiners or marks of direction", _search(_JOINING, _JOINED)),
    _Form("control characters", _search(_CONTROL)),
    _Form("ligatures", _search("[\ufb00-\ufb06]"), "write letters"),
    _Form("full-width letters or marks", _search(_FULL_WIDTH, _EAST_ASIAN), "write usual ones"),
    _Form("spaces of another kind", _search(_SPACE), "write usual ones", "note"),
)


def check_characters(texts: Texts) -> Iterator[Finding]:
    """Find characters that some columns have, and those beside them don't."""
    for form in _FORMS:
        yield from _compare(texts, form, texts.each)
    gold = [column for column in texts.each if column.of != "outputs"]
    if any(_find(_DECOMPOSED, column) for column in gold):
        yield from _compare(texts, _COMPOSED, [one for one in texts.each if one.of == "outputs"])


def _compare(texts: Texts, form: _Form, columns: Sequence[Column]) -> Iterator[Finding]:
    """Tell which of some columns have characters that those beside them lack."""
    hits = {column.title: _find(form, column) for column in texts.each}
    if not any(hits.values()):
        return
    shares = {one.title: len(hits[one.title]) / max(1, _count(form, one)) for one in texts.each}
    for column in columns:
        beside = texts.beside(column)
        share, others = shares[column.title], [shares[other.title] for other in beside]
        usual = max(others, default=0)
        alone = min(others, default=1) if column.of == "sources" else max(others, default=1)
        gravity = form.gravity
        if form.gravity == "problem" and column.of != "outputs":
            gravity = "error" if share >= NEARLY_ALL and alone <= HARDLY_ANY else "problem"
        elif form.gravity == "note" and column.of == "outputs" and share > usual + _DIFFERENCE:
            gravity = "problem"
        if share > (ARTEFACT_SHARE if usual <= ARTEFACT_SHARE else usual + _DIFFERENCE):
            own = hits[column.title]
            kinds = join([*dict.fromkeys(other.of for other in beside)])
            text = f"{column.title}: {len(own):,} of {len(column.texts):,} texts have {form.what} "
            text += f"({_name([*own.values()])}), unlike {kinds}; {form.fix}"
            yield Finding.of("characters", gravity, text, column.systems, own)


def _find(form: _Form, column: Column) -> dict[int, str]:
    """Return row → the first such character, of the rows that have one."""
    hits = {
        i: form.find(text)
        for i, text in enumerate(column.texts)
        if text.strip() and not (text.isascii() and text.isprintable())
    }
    return {i: hit for i, hit in hits.items() if hit}


def _count(form: _Form, column: Column) -> int:
    """Return the number of texts that could have such characters."""
    if form in (_DECOMPOSED, _COMPOSED):
        return sum(
            1
            for text in column.texts
            if not unicodedata.is_normalized("NFD", text)
            or not unicodedata.is_normalized("NFC", text)
        )
    return sum(1 for text in column.texts if text.strip())


def _name(characters: Sequence[str]) -> str:
    """Return the names of the most frequent characters."""
    most = Counter(characters).most_common(_MAX_NAMES)
    names = {one: unicodedata.name(one, f"U+{ord(one):04X}") for one, _ in most}
    return join([*(names | {one: "BYTE ORDER MARK" for one in names if one == "\ufeff"}).values()])
