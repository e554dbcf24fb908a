"""Data checks of characters that nobody sees, and that make other words of the same letters."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from textsimp.corpora.column_checks import describe_distinctive, find_distinctive
from textsimp.corpora.findings import ARTEFACT_SHARE, Finding, Texts, join

_MAX_NAMES = 2


def _search(pattern: str, but_in: str = "(?!)") -> Callable[[str], str]:
    """Return a function that finds a pattern in texts without another pattern, or ""."""
    search, exception = re.compile(pattern).search, re.compile(but_in).search

    def find(text: str) -> str:
        match = search(text)
        return match[0] if match and not exception(text) else ""

    return find


def _find_decomposed(text: str) -> str:
    """Return a mark, or another part, that composes with its letter, or ""."""
    lost = sorted({*text} - {*unicodedata.normalize("NFC", text)})
    parts = (one for one in lost if not unicodedata.decomposition(one))
    return max(parts, key=unicodedata.combining, default="")


def _find_composed(text: str) -> str:
    """Return a letter with a mark in it, or ""."""
    return min({*text} - {*unicodedata.normalize("NFD", text)}, default="")


@dataclass(frozen=True)
class _Form:
    what: str
    find: Callable[[str], str]  # returns one such character of a text, or ""
    fix: str


_HIDDEN = "[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u2028\u2029\u2060\ufeff"
_HIDDEN += "\ue000-\uf8ff\ufff9-\ufffc](?<![\u0080-\u00bfÂÃâÐÑð€].)"  # which are `mojibake`
_JOINING = "[\u200b-\u200f\u202a-\u202e\u2066-\u2069](?<![\u2190-\U0010ffff].)"  # but in emoji
_JOINED = "[\u0590-\u1aff]"  # scripts that need them, from Hebrew to Khmer
_WIDE = "[\ufb00-\ufb06\u3001\u3002\uff01-\uff5e]"
_EAST_ASIAN = "[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"  # which have such
_SPACE = "[\u00a0\u1680\u2000-\u200a\u202f\u205f]"  # which tokenizers split at, as at others
_DECOMPOSED = _Form("decomposed letters", _find_decomposed, "normalise them to NFC")
_COMPOSED = _Form("composed letters", _find_composed, "normalise all texts to NFC")
_FORMS = (
    _DECOMPOSED,
    _Form("hidden or control characters", _search(_HIDDEN), "remove them"),
    _Form("joiners or marks of direction", _search(_JOINING, _JOINED), "remove them"),
    _Form("ligatures or full-width marks", _search(_WIDE, _EAST_ASIAN), "write usual ones"),
    _Form("spaces of another kind", _search(_SPACE), "write usual ones"),
)


def check_characters(texts: Texts) -> Iterator[Finding]:
    """Find characters that some columns have, and those beside them don't."""
    gold = [column for column in texts.each if column.of != "outputs"]
    decomposed = all(any(map(_find_decomposed, column.texts)) for column in gold)
    for form in [*_FORMS, _COMPOSED] if decomposed else _FORMS:
        for column in texts.each:
            own = find_distinctive(texts, column, form.find, ARTEFACT_SHARE)
            if own:
                what = f"have {form.what} ({_name([*own.values()])})"
                yield describe_distinctive(texts, column, own, "characters", what, form.fix)


def _name(characters: Sequence[str]) -> str:
    """Return the names of the most frequent characters."""
    most = Counter(characters).most_common(_MAX_NAMES)
    names = {one: unicodedata.name(one, f"U+{ord(one):04X}") for one, _ in most}
    return join([*(names | {one: "BYTE ORDER MARK" for one in names if one == "\ufeff"}).values()])
