"""Syllables of a word: a counter for English, the published rule, and pyphen's hyphenation.

``counter(name)`` gives a function word -> number of syllables:

=========================  ======================================================================
``"textsimp"``             `count`: English, a learned rule and a table of its exceptions
``"easse"``                `published_rule` as in the EASSE package
``"readability_scripts"``  `published_rule` as in the scripts of the simplification literature
``"cmudict"``              English, the CMU Pronouncing Dictionary, and pyphen for other words
``"pyphen-<language>"``    hyphenation points of LibreOffice's dictionaries, such as ``pyphen-de``
=========================  ======================================================================

Nothing here looks at its neighbours, so a count depends on the word alone, and never on its case.
"""

import lzma
import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, Literal, get_args

from textsimp.support.errors import InputError
from textsimp.support.imports import require

_FOLDER = Path(__file__).parent
_REMEMBERED = 2**16  # words kept by each cache; English texts seldom have more distinct ones

# Counting English -------------------------------------------------------------------------------

LONGEST_PATTERN = 6
_VOWELS = re.compile("[aeiouy]+")
_MARKS = re.compile("[\u0300-\u036f]")
# Tokens of tokenized corpora that aren't words of their own: parts of words, and brackets.
_SILENT = {"'s", "'d", "'m", "'t", "'re", "'ve", "'ll"}
_SILENT |= {"-lrb-", "-rrb-", "-lsb-", "-rsb-", "-lcb-", "-rcb-"}
# After a head that matches, the part behind the apostrophe is a syllable of its own.
_CLITIC_SOUNDED_AFTER = {
    "s": re.compile("([sxz]|[cs]h|[cgsxz]e)$"),
    "d": re.compile("[dt]e?$"),
    "t": re.compile("[dst]n$"),
    "ll": re.compile("[^aeiouyw]$"),
    "ve": re.compile("[^aeiouyw]$"),
    "re": re.compile("[^aeiouyw]$"),
    "m": re.compile("(?!)"),
}
_UNFOLDED = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
    | dict.fromkeys("’‘ʼ", "'")
)
_PARTS = re.compile(
    r"""\d+(?:[.,:/]\d+)*(?:(?:st|nd|rd|th|'?s)(?![a-z]))?
      | (?P<letters>(?<![a-z])[a-z](?:\.[a-z])+(?![a-z]))
      | (?P<word>[a-z]+(?:'[a-z]+)*)
      | [^\W\d_]+""",
    re.VERBOSE,
)


@lru_cache(_REMEMBERED)
def count(word: str) -> int:
    """Count the syllables of an English word.

    A rule learned from the CMU Pronouncing Dictionary counts the groups of vowels and adds or
    subtracts one for some letter patterns. A table has the words of that dictionary on which the
    rule is wrong. ``benchmarks/syllables.md`` gives the accuracy.

    - A number is 1, however long (``1918``, ``20th``, ``1,000.5``): read aloud, numbers would add
      0.8 grades to Wikipedia's sentences (those of ASSET), though a date is easy to read.
    - Abbreviations with periods (``U.S.`` 2) and words without vowels (``BBC`` 3; up to 5 letters)
      are spelt out. Acronyms with vowels are read as words (``NATO`` 2), unless the dictionary
      spells them (``FBI`` 3): upper case is no help in headlines and lowercased corpora.
    - Hyphens and other punctuation separate parts, whose counts are summed.
    - Apostrophes: ``dog's`` 1, ``boss's`` 2, ``didn't`` 2, ``O'Brien`` 3. In tokenized text ``'s``,
      ``'ll`` and the like are 0 and ``n't`` is 1 (``did n't`` 2), and so is ``-lrb-`` 0, a bracket.
    - Accents are removed, but a final é is sounded (``café`` 2) and a dieresis after a vowel
      starts a syllable (``naïve`` 2). A run of letters that aren't Latin is 1.
    - A token without letters or digits is 0. Case and surrounding white space don't matter.
    """
    folded = _fold(word)
    if folded in _SILENT:
        return 0
    syllables = 0
    for part in _PARTS.finditer(folded):
        if part["word"]:
            syllables += _count_word(part["word"])
        elif part["letters"]:
            syllables += _spell(part["letters"].replace(".", ""))
        else:
            syllables += 1  # a number, or letters that aren't Latin
    return syllables


def is_spoken(token: str) -> bool:
    """Return whether an English token has a syllable: no punctuation, bracket or clitic."""
    return count(token) > 0


def rule(word: str) -> int:
    """Count the syllables of a word of letters a to z by the rule alone, without the table."""
    groups = len(_VOWELS.findall(word))
    if not groups:
        return _spell(word) if len(word) <= 5 else 1
    weights, _ = _english()
    return max(1, groups + sum(weights[p] for p in patterns(word) & weights.keys()))


def patterns(word: str) -> set[str]:
    """All runs of up to 6 characters of ``^word$``: what the rule may look at."""
    marked = f"^{word}$"
    return {
        marked[i:j]
        for i in range(len(marked))
        for j in range(i + 1, min(i + LONGEST_PATTERN, len(marked)) + 1)
    }


@lru_cache(1)
def _english() -> tuple[dict[str, int], dict[str, int]]:
    """Patterns -> weight, and words -> syllables."""
    weights: dict[str, int] = {}
    exceptions: dict[str, int] = {}
    text = _FOLDER.joinpath("syllables_en.txt").read_text("utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            number, *entries = line.split()
            table = weights if number[0] in "+-" else exceptions
            table.update(dict.fromkeys(entries, int(number)))
    return weights, exceptions


def _fold(word: str) -> str:
    word = word.strip().casefold()
    if word.isascii():
        return word
    word = unicodedata.normalize("NFKC", word).casefold().translate(_UNFOLDED)
    word = re.sub("(?<=[aeiou])(?=[ëïöü])", "-", word)
    word = re.sub(r"[éèë](?=s?(?!\w))", "ey", word)
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))


def _count_word(word: str) -> int:
    _, exceptions = _english()
    if word in exceptions:
        return exceptions[word]
    if "'" not in word:
        return rule(word)
    head, *tails = word.split("'")
    # The d of d'Artagnan belongs to the syllable after it.
    elided = len(head) == 1 and not _VOWELS.match(head) and tails[0] not in _CLITIC_SOUNDED_AFTER
    syllables = 0 if elided else _count_word(head)
    for tail in tails:
        if tail in _CLITIC_SOUNDED_AFTER:
            syllables += bool(_CLITIC_SOUNDED_AFTER[tail].search(head))
        else:
            syllables += _count_word(tail)
        head = tail
    return syllables


def _spell(letters: str) -> int:
    return len(letters) + 2 * letters.count("w")


# The published rule ------------------------------------------------------------------------------

Form = Literal["easse", "readability_scripts"]


def _read_counts(text: str) -> dict[str, int]:
    """Read word -> syllables from lines of a number and the words that have so many."""
    lines = map(str.split, text.splitlines())
    return {word: int(number) for number, *words in lines for word in words}


_PUBLISHED_EXCEPTIONS = _read_counts(_FOLDER.joinpath("syllables_published.txt").read_text("utf-8"))
_ADD = (
    r"ia riet dien iu io ii [aeiouy]bl$ mbl$ [aeiou]{3} ^mc ism$ (.)(?!\1)([aeiouy])\2l$ "
    r"[^l]llien ^coad. ^coag. ^coal. ^coax. (.)(?!\1)[gq]ua(.)(?!\2)[aeiou] dnt$"
)
_SUBTRACT = "cial tia cius cious gui ion iou sia$ .ely$"
_PUBLISHED_ADD = [*map(re.compile, _ADD.split())]
_PUBLISHED_SUBTRACT = [*map(re.compile, _SUBTRACT.split())]


@lru_cache(_REMEMBERED)
def published_rule(word: str, form: Form) -> int:
    """Count syllables by the rule that the simplification literature's FKGL uses.

    Greg Fast's Lingua::EN::Syllable. Short words can come out as 0 (``be``): that is the rule.
    ``"easse"`` removes all final e's, and ``the`` is an exception (1); ``"readability_scripts"``
    removes one.
    """
    word = word.strip().lower()
    if form == "easse":
        if word == "the":
            return 1
        stem = word.rstrip("e")
    else:
        stem = word.removesuffix("e")
    if word in _PUBLISHED_EXCEPTIONS:
        return _PUBLISHED_EXCEPTIONS[word]
    return (
        len(_VOWELS.findall(stem))
        + sum(1 for pattern in _PUBLISHED_ADD if pattern.search(stem))
        - sum(1 for pattern in _PUBLISHED_SUBTRACT if pattern.search(stem))
    )


# The CMU Pronouncing Dictionary ------------------------------------------------------------------

CMUDICT = _FOLDER / "cmudict.xz"
"""Lines of a number of syllables and the words whose first pronunciation has them."""


@cache
def cmudict() -> dict[str, int]:
    """Read word -> syllables from the dictionary, as tools/build_syllables.py wrote it."""
    return _read_counts(lzma.decompress(CMUDICT.read_bytes()).decode("utf-8"))


def _dictionary_or_hyphenation(dictionary: Any, word: str) -> int:
    word = word.lower()
    known = cmudict().get(word)
    return len(dictionary.positions(word)) + 1 if known is None else known


# Counters by name --------------------------------------------------------------------------------


def counter(name: str) -> Callable[[str], int]:
    """Get a syllable counter by its name in signatures. Hyphenation points underestimate."""
    if name == "textsimp":
        return count
    if name in get_args(Form):
        return partial(published_rule, form=name)
    if name == "cmudict":
        return partial(_dictionary_or_hyphenation, hyphenator("pyphen-en_US"))
    if name.startswith("pyphen-"):
        return partial(_hyphenation_points, hyphenator(name))
    raise InputError(
        "syllables: expected 'textsimp', 'easse', 'readability_scripts', 'cmudict' or "
        f"'pyphen-<language>', got {name!r}"
    )


def hyphenator(name: str) -> Any:
    """Return pyphen's dictionary for the language in a name such as ``pyphen-de``."""
    kind, _, code = name.partition("-")
    pyphen = require("pyphen", extra="languages")
    language = pyphen.language_fallback(code)
    if language is None:
        known = ", ".join(sorted(pyphen.LANGUAGES))
        raise InputError(f"syllables: expected {kind}- and one of {known}; got {name!r}")
    return pyphen.Pyphen(lang=language)


def _hyphenation_points(dictionary: Any, word: str) -> int:
    plain = _MARKS.sub("", unicodedata.normalize("NFC", word))  # ü of two characters, stressed о́
    return sum(1 + len(dictionary.positions(run)) for run in re.findall(r"[^\W_]+", plain))
