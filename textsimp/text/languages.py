"""Languages, their recommended options, and detection of scripts."""

from __future__ import annotations

import csv
import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # NumPy isn't imported for --help
    from textsimp.text.tokenizers import Tokens

__all__ = ["LanguageProfile", "language_reads"]


@dataclass(frozen=True)
class Language:
    """A language, its frequent words, and recommended options; the main script comes first."""

    name: str
    scripts: tuple[str, ...]
    tokenizer: str
    splitter: str
    syllables: str | None
    function_words: frozenset[str]


def _read() -> Iterator[tuple[str, Language]]:
    """Read ``languages.csv``: code and language of each line."""
    with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            scripts, words = row["scripts"].split(), row["function_words"].split()
            options = row["tokenizer"], row["splitter"], row["syllables"] or None
            yield row["code"], Language(row["name"], tuple(scripts), *options, frozenset(words))


_ALL = dict(_read())

LANGUAGES = {code: language for code, language in _ALL.items() if language.tokenizer}
"""Code → language, of those with recommended options."""

NAMES = {code: language.name for code, language in _ALL.items()}
"""Code → name in English."""

FUNCTION_WORDS = {c: one.function_words for c, one in _ALL.items() if one.function_words}
"""Code → frequent words of languages in Latin script."""

UNSPACED = ("Han", "Kana", "Thai", "Lao", "Khmer", "Myanmar")
"""Scripts that put no spaces between words."""

TOKENIZERS_FOR = {
    "char": UNSPACED,
    "zh": ("Han",),
    "ja-mecab": ("Kana", "Han"),
    "ko-mecab": ("Hangul", "Han"),
}
"""Tokenizer → the scripts that it is for; characters serve others too, the others don't."""

_OWN_STOPS = ("Han", "Kana", "Devanagari", "Bengali", "Gurmukhi", "Oriya", "Arabic")
"""Scripts with other marks than ``.?!`` at the end of sentences, which `_AT_STOPS` don't know."""
_AT_STOPS = ("punkt-untrained", "simple-token")

_LANGUAGES_OF: dict[str, list[str]] = {}
for _code, _words in FUNCTION_WORDS.items():
    for _word in _words:
        _LANGUAGES_OF.setdefault(_word, []).append(_code)
_MIN_WORDS = 3  # function words

_NAMED = re.compile(r"(?:pysbd|nltk-punkt|pyphen|textstat)-([a-z]{2,3})(?![a-z])(?!_Latn)")

_TEXTS, _CHARACTERS = 50, 100  # looked at: enough to tell, in a fraction of a millisecond
_LEAST = 5  # letters that a script is told by
_LONGEST = 5  # letters between white space, on average, where words are set apart


@dataclass(frozen=True)
class LanguageProfile:
    """The script of most letters in texts, and whether words are pieces between spaces.

    Scripts are called ``"Latin"``, ``"Han"`` (Chinese), ``"Kana"`` (Japanese with its Chinese
    characters) and so on. It is None if no script has more than half of the letters. Languages are
    codes that `guess_languages` returns.
    """

    script: str | None
    spaced: bool
    languages: tuple[str, ...] = ()


def tokenizer_reads(tokenizer: Any, texts: LanguageProfile) -> bool:
    """Return whether a tokenizer suits such texts; most need spaces between words."""
    if not isinstance(tokenizer, str) or tokenizer in ("char", "same"):
        return True
    if tokenizer in TOKENIZERS_FOR:
        return texts.script in TOKENIZERS_FOR[tokenizer]
    return texts.spaced


def splitter_reads(splitter: Any, texts: LanguageProfile) -> bool:
    """Return whether a splitter suits such texts; those of a language suit its script."""
    name = splitter if isinstance(splitter, str) else ""
    if name in _AT_STOPS:
        return texts.script not in _OWN_STOPS
    match = _NAMED.match(re.sub(r"^pysbd(?!-[a-z])", "pysbd-en", name))
    return match is None or _script_reads(match[1], texts)


def language_reads(code: str, texts: LanguageProfile) -> bool:
    """Return whether such texts may be in a language, by their script and function words."""
    unclear = not texts.languages or code not in FUNCTION_WORDS
    return _script_reads(code, texts) and (unclear or code in texts.languages)


def _script_reads(code: str, texts: LanguageProfile) -> bool:
    return texts.script in (_ALL[code].scripts if code in _ALL else ("Latin",))


def recommended(option: str, texts: LanguageProfile) -> list[str]:
    """List the recommended values of an option for such texts, each once."""
    values = [
        getattr(language, option, None)
        for code, language in LANGUAGES.items()
        if (code == texts.languages[0] if texts.languages else texts.script == language.scripts[0])
    ]
    if option == "tokenizer" and texts.script in UNSPACED:
        values.append("char")
    if option == "splitter" and texts.script in _OWN_STOPS:
        values.append("punkt-all-scripts")
    return [*dict.fromkeys(value for value in values if value is not None)]


def detect(texts: Sequence[str], characters: int = _CHARACTERS) -> LanguageProfile:
    """Detect script and language from the beginnings of some texts, spread over all of them."""
    some = texts[:: -(-len(texts) // _TEXTS) or 1]
    joined = " ".join(text[:characters] for text in some)
    letters: Counter[str] = Counter()
    for character, number in Counter(joined).items():
        if character.isalpha():
            letters[_script(character)] += number
    total = letters.total()
    if letters["Kana"] and 20 * letters["Kana"] >= letters["Han"]:  # Japanese, not Chinese
        letters["Kana"] += letters.pop("Han", 0)
    script, most = max(letters.items(), key=lambda item: item[1], default=("", 0))
    clear = most >= _LEAST and 2 * most > total
    pieces = len(joined.split())
    within = pieces > sum(not text.isspace() for text in some if text)  # spaces within texts
    apart = total <= (_LONGEST if within else 2) * pieces
    spaced = apart or not clear or script not in UNSPACED  # long words alone are no sign
    return LanguageProfile(script if clear else None, spaced, guess_languages(joined))


_MARK = re.compile(r"(\s?)(?:,(?=\s)|[.!?]$)")  # a comma, or a final stop
_MARKED_TEXTS, _MARKS = 500, 5  # the most that are looked at, the fewest that tell


def is_natural(texts: Sequence[str]) -> bool:
    """Return whether texts aren't tokenised: over a fifth of their marks follow a word at once."""
    some = texts[:: -(-len(texts) // _MARKED_TEXTS) or 1]
    spaces = [space for text in some for space in _MARK.findall(text.rstrip())]
    return spaces.count("") >= max(_MARKS, len(spaces) / 5)


def is_english(texts: Sequence[str]) -> bool:
    """Return whether texts may be English, as short ones in Latin script may."""
    profile = detect(texts)
    return profile.script is None or language_reads("en", profile)


_LETTERS = re.compile(r"[^\W\d_]+")


def guess_languages(text: str) -> tuple[str, ...]:
    """Guess the languages of a text in Latin script by function words, likeliest first."""
    words = _LANGUAGES_OF.keys() & _LETTERS.findall(text.lower())
    # in order, since the first of equally likely languages counts
    hits = Counter(code for word in sorted(words) for code in _LANGUAGES_OF[word])
    least = max(hits.values(), default=0)
    codes = tuple(code for code, number in hits.most_common() if 2 * number > least)
    return codes if least >= _MIN_WORDS else ()


def rows_in_others(codes: Sequence[str], words: Tokens, vocabulary: Sequence[str]) -> list[int]:
    """Return the texts whose languages, as `guess_languages` returns them, may all be others.

    Args:
        codes: Languages; without any no text is in others.
        words: The words of n texts in lower case, each once, as numbers.
        vocabulary: Number → word.
    """
    import numpy as np

    if not codes:
        return []
    has = np.zeros((len(FUNCTION_WORDS), len(vocabulary)), np.bool_)
    joined = []  # with digits between letters, which part words
    for i, word in enumerate(vocabulary):
        if word in _LANGUAGES_OF:
            has[:, i] = [word in others for others in FUNCTION_WORDS.values()]
        elif not word.isalpha() and not _LANGUAGES_OF.keys().isdisjoint(_LETTERS.findall(word)):
            joined.append(i)
    rows = words.rows()
    hits = [np.bincount(rows[own[words.ids]], minlength=len(words)) for own in has]
    most, ours = np.max(hits, 0), np.max([hits[[*FUNCTION_WORDS].index(code)] for code in codes], 0)
    others = np.flatnonzero((most >= _MIN_WORDS) & (2 * ours <= most))
    return [*others.tolist(), *rows[np.isin(words.ids, joined)].tolist()]


@functools.lru_cache(2**14)
def _script(letter: str) -> str:
    """The script of a letter, by its name in Unicode."""
    plain = unicodedata.normalize("NFKC", letter)[0]  # of full width, bold or raised
    first = unicodedata.name(plain, "").partition(" ")[0]
    if first in ("CJK", "IDEOGRAPHIC"):
        return "Han"
    return "Kana" if first.startswith(("HIRAGANA", "KATAKANA")) else first.title()
