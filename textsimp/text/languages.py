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
FUNCTION_WORDS: Mapping[str, frozenset[str]] = {
    code: frozenset(words.split())
    for code, words in {
        "en": "the of and to a an in on at for with from by as is was were are has have had be not "
        "this which that who when his her its their it he she they we you i do or but",
        "de": "der die das und ist nicht ein eine dem den mit auf für sich als auch wird sind bei "
        "zu im aus einer einen zum zur nach oder von wurde",
        "es": "el los las la de en y que una con por lo es su del se más como pero sus también "
        "este esta son para fue al sin desde muy",
        "fr": "le les la de et est des un une du en que dans pour qui au sur par pas avec il elle "
        "ce se sont aux",
        "it": "il di che gli la della una per con nel è sono si del alla dei anche come dal più le",
        "pt": "os uma de que do da em não com um dos das ao no na foi mais como é são pelo para se",
        "nl": "de het een en van op dat is te zijn niet voor met aan ook werd bij wordt naar deze",
        "ca": "el els les la de en que amb i és una un per del dels al va són se però també més",
        "da": "af ikke og en den det er til på som med de et blev også har var fra",
        "nb": "av ikke og en den det er til på som med de et ble også har var fra",
        "sv": "av inte och en den det är till på som med de ett att för har var från",
        "pl": "się nie na w z jest że jak po dla przez oraz był są od które jego",
        "cs": "se na je že v jako po od jsou byl která který při jeho ale nebo pro",
        "ro": "și de în la o din pe este că cu pentru se un au mai prin care fost",
        "hu": "az és nem hogy egy volt ez vagy már még csak azt mint meg ki",
        "fi": "ja ei että se oli ovat myös kun hän joka mutta sekä kuin olla sen tai",
        "tr": "ve bir bu da de için çok ile olarak daha gibi olan sonra kadar ise",
        "eu": "eta da ez du zen bat dira ere zuen baina egin dute edo bere izan",
        "fil": "ang ng sa mga na ay si ito hindi para niya nang kung sila",
        "id": "yang dan di ini dari untuk dengan itu dalam pada adalah tidak oleh juga",
    }.items()
}
"""Code → frequent words of languages in Latin script."""

NAMES = {
    "ca": "Catalan",
    "da": "Danish",
    "nb": "Norwegian",
    "sv": "Swedish",
    "pl": "Polish",
    "cs": "Czech",
    "ro": "Romanian",
    "hu": "Hungarian",
    "fi": "Finnish",
    "tr": "Turkish",
    "eu": "Basque",
    "id": "Indonesian",
    "fil": "Filipino",
} | {code: language.name for code, language in LANGUAGES.items()}
"""Code → name in English."""

_LANGUAGES_OF: dict[str, list[str]] = {}
for _code, _words in FUNCTION_WORDS.items():
    for _word in _words:
        _LANGUAGES_OF.setdefault(_word, []).append(_code)
_MIN_WORDS = 3  # function words

_NAMED = re.compile(r"(?:pysbd|punkt|pyphen|textstat)-([a-z]{2,3})(?![a-z])(?!_Latn)")

_TEXTS, _CHARACTERS = 50, 100  # of a sample: enough to tell, in a fraction of a millisecond
_LEAST = 5  # letters that a script is told by
_LONGEST = 5  # letters between white space, on average, where words are set apart


@dataclass(frozen=True)
class Sample:
    """The script of most letters in texts, and whether white space stands between words.

    Scripts are called ``"Latin"``, ``"Han"`` (Chinese), ``"Kana"`` (Japanese with its Chinese
    characters) and so on. It is None if no script has more than half of the letters. Languages are
    codes that `guess_languages` returns.
    """

    script: str | None
    apart: bool
    languages: tuple[str, ...] = ()


def tokenizer_reads(tokenizer: Any, texts: Sample) -> bool:
    """Return whether a tokenizer suits such texts; most need spaces between words."""
    if not isinstance(tokenizer, str) or tokenizer in ("char", "same"):
        return True
    if tokenizer in TOKENIZERS_FOR:
        return texts.script in TOKENIZERS_FOR[tokenizer]
    return texts.apart or texts.script not in UNSPACED


def splitter_reads(splitter: Any, texts: Sample) -> bool:
    """Return whether a splitter suits such texts; those of a language suit its script."""
    name = splitter if isinstance(splitter, str) else ""
    match = _NAMED.match(re.sub(r"^pysbd(?!-[a-z])", "pysbd-en", name))
    return match is None or _script_reads(match[1], texts)


def syllables_read(syllables: str, texts: Sample) -> bool:
    """Return whether a syllable counter suits such texts; those without language are English."""
    match = _NAMED.match(syllables if "-" in syllables else "pyphen-en")
    return match is None or language_reads(match[1], texts)


def language_reads(code: str, texts: Sample) -> bool:
    """Return whether such texts may be in a language, by their script and function words."""
    unclear = not texts.languages or code not in FUNCTION_WORDS
    return _script_reads(code, texts) and (unclear or code in texts.languages)


def _script_reads(code: str, texts: Sample) -> bool:
    language = LANGUAGES.get(code)
    return texts.script in (language.scripts if language else _OTHERS.get(code, LATIN))


def recommended(option: str, texts: Sample) -> list[str]:
    """List the recommended values of an option for such texts, each once."""
    values = [
        getattr(language, option)
        for code, language in LANGUAGES.items()
        if (code == texts.languages[0] if texts.languages else texts.script == language.scripts[0])
    ]
    if option == "tokenizer" and texts.script in UNSPACED:
        values.append("char")
    return [*dict.fromkeys(value for value in values if value is not None)]


def sample(texts: Sequence[str], characters: int = _CHARACTERS) -> Sample:
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
    spaced = pieces > sum(not text.isspace() for text in some if text)  # within a text, not between
    apart = total <= (_LONGEST if spaced else 2) * pieces
    return Sample(script if clear else None, apart, guess_languages(joined))


def guess_languages(text: str) -> tuple[str, ...]:
    """Guess the languages of a text in Latin script by function words, likeliest first."""
    words = _LANGUAGES_OF.keys() & re.findall(r"[^\W\d_]+", text.lower())
    # in order, since the first of equally likely languages counts
    hits = Counter(code for word in sorted(words) for code in _LANGUAGES_OF[word])
    least = max(hits.values(), default=0)
    codes = tuple(code for code, number in hits.most_common() if 2 * number > least)
    return codes if least >= _MIN_WORDS else ()


@functools.lru_cache(2**14)
def _script(letter: str) -> str:
    """The script of a letter, by its name in Unicode."""
    plain = unicodedata.normalize("NFKC", letter)[0]  # of full width, bold or raised
    first = unicodedata.name(plain, "").partition(" ")[0]
    if first in ("CJK", "IDEOGRAPHIC"):
        return "Han"
    return "Kana" if first.startswith(("HIRAGANA", "KATAKANA")) else first.title()
