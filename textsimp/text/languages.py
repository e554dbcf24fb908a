"""Languages, their recommended options, and detection of scripts."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LATIN = ("Latin",)


@dataclass(frozen=True)
class Language:
    """A language and its recommended options; the main script comes first."""

    name: str
    scripts: tuple[str, ...]
    tokenizer: str
    splitter: str
    syllables: str | None


LANGUAGES: Mapping[str, Language] = {
    "en": Language("English", LATIN, "13a", "punkt-en", "textsimp"),
    "de": Language("German", LATIN, "intl", "punkt-de", "pyphen-de"),
    "es": Language("Spanish", LATIN, "intl", "punkt-es", "pyphen-es"),
    "fr": Language("French", LATIN, "intl", "punkt-fr", "pyphen-fr"),
    "it": Language("Italian", LATIN, "intl", "punkt-it", "pyphen-it"),
    "pt": Language("Portuguese", LATIN, "intl", "punkt-pt", "pyphen-pt"),
    "nl": Language("Dutch", LATIN, "intl", "punkt-nl", "pyphen-nl"),
    "ru": Language("Russian", ("Cyrillic",), "intl", "punkt-ru", "pyphen-ru"),
    "hi": Language("Hindi", ("Devanagari",), "intl", "punkt-hi", None),
    "zh": Language("Chinese", ("Han",), "zh", "nltk-punkt-untrained", None),
    "ja": Language("Japanese", ("Kana", "Han"), "ja-mecab", "nltk-punkt-untrained", None),
    "ko": Language("Korean", ("Hangul", "Han"), "ko-mecab", "nltk-punkt-untrained", None),
}
"""Code → language."""

UNSPACED = ("Han", "Kana", "Thai", "Lao", "Khmer", "Myanmar")
"""Scripts that put no spaces between words."""

TOKENIZERS_FOR = {
    "char": UNSPACED,
    "zh": ("Han",),
    "ja-mecab": ("Kana", "Han"),
    "ko-mecab": ("Hangul", "Han"),
}
"""Tokenizer → the scripts that it is for; characters serve others too, the others don't."""

_OTHERS = {  # languages that pySBD, pyphen or wordfreq have, by their scripts; the rest is Latin
    **dict.fromkeys(("ar", "fa", "ur"), ("Arabic",)),
    **dict.fromkeys(("be", "bg", "kk", "mk", "mn", "sr", "uk"), ("Cyrillic",)),
    **dict.fromkeys(("mr", "sa"), ("Devanagari",)),
    "am": ("Ethiopic",),
    **dict.fromkeys(("as", "bn"), ("Bengali",)),
    "el": ("Greek",),
    "he": ("Hebrew",),
    "hy": ("Armenian",),
    "kn": ("Kannada",),
    "my": ("Myanmar",),
    "or": ("Oriya",),
    "pa": ("Gurmukhi",),
    "sh": ("Latin", "Cyrillic"),
    "ta": ("Tamil",),
    "te": ("Telugu",),
    "th": ("Thai",),
}
_NAMED = re.compile(r"(?:pysbd|punkt|pyphen|textstat)-([a-z]{2,3})(?![a-z])(?!_Latn)")

_TEXTS, _CHARACTERS = 50, 100  # of a sample: enough to tell, in a fraction of a millisecond
_LEAST = 5  # letters that a script is told by
_LONGEST = 5  # letters between white space, on average, where words are set apart


@dataclass(frozen=True)
class Sample:
    """The script of most letters in texts, and whether white space stands between words.

    Scripts are called ``"Latin"``, ``"Han"`` (Chinese), ``"Kana"`` (Japanese with its Chinese
    characters) and so on. It is None if no script has more than half of the letters.
    """

    script: str | None
    apart: bool


def tokenizer_reads(tokenizer: Any, texts: Sample) -> bool:
    """Whether a tokenizer suits such texts; most need spaces between words."""
    if not isinstance(tokenizer, str) or tokenizer in ("char", "same"):
        return True
    if tokenizer in TOKENIZERS_FOR:
        return texts.script in TOKENIZERS_FOR[tokenizer]
    return texts.apart or texts.script not in UNSPACED


def splitter_reads(splitter: Any, texts: Sample) -> bool:
    """Whether a splitter suits such texts; those of a language suit its script."""
    name = splitter if isinstance(splitter, str) else ""
    return _reads(re.sub(r"^pysbd(?!-[a-z])", "pysbd-en", name), texts)


def syllables_read(syllables: str, texts: Sample) -> bool:
    """Whether a syllable counter suits such texts; those without a language are English."""
    return _reads(syllables if "-" in syllables else "pyphen-en", texts)


def _reads(name: str, texts: Sample) -> bool:
    """Whether a splitter or counter named after a language suits the script."""
    match = _NAMED.match(name)
    return match is None or language_reads(match[1], texts)


def language_reads(code: str, texts: Sample) -> bool:
    """Whether a language is written in the script of such texts."""
    language = LANGUAGES.get(code)
    return texts.script in (language.scripts if language else _OTHERS.get(code, LATIN))


def recommended(option: str, script: str) -> list[str]:
    """List the recommended values of an option for a script, each once."""
    values = [
        getattr(language, option)
        for language in LANGUAGES.values()
        if script == language.scripts[0]
    ]
    if option == "tokenizer" and script in UNSPACED:
        values.append("char")
    return [*dict.fromkeys(value for value in values if value is not None)]


def sample(texts: Sequence[str]) -> Sample:
    """Detect the script from the beginnings of some texts, spread over all of them."""
    some = texts[:: -(-len(texts) // _TEXTS) or 1]
    joined = " ".join(text[:_CHARACTERS] for text in some)
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
    spaced = pieces > sum(not text.isspace() for text in some if text)  # within a text, not between
    return Sample(script if clear else None, total <= (_LONGEST if spaced else 2) * pieces)


@functools.lru_cache(2**14)
def _script(letter: str) -> str:
    """The script of a letter, by its name in Unicode."""
    plain = unicodedata.normalize("NFKC", letter)[0]  # of full width, bold or raised
    first = unicodedata.name(plain, "").partition(" ")[0]
    if first in ("CJK", "IDEOGRAPHIC"):
        return "Han"
    return "Kana" if first.startswith(("HIRAGANA", "KATAKANA")) else first.title()
