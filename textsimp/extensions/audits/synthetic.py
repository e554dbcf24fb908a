"""Synthetic information errors (Devaraj et al. 2022, Appendix E.1): a pair in, a labelled row out.

Each generator takes a source and a simplification without an error of its category (level 0). It
makes a row with an error by changing one of the two texts. In an insertion error the
simplification says what its source doesn't. So it is the *source* that loses a name or phrase, and
only one that the simplification has. docs/extensions/people.md has a table of the generators.

A row depends on the pair and the seed only. For more rows of a pair use more seeds.
"""

import functools
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from textsimp.extensions.audits import spans
from textsimp.extensions.audits.spans import vocabulary

Row = dict[str, Any]
"""With the keys source, target, category, level and generator."""
Change = Callable[[str, str, random.Random], tuple[str, int] | None]
"""The text to change, the pair's other text, and chance → the changed text and the error's level;
None if it can't have the error."""

# The similarity of a text with and without a phrase → the level of the error.
SIMILARITIES = {1: (0.6, 0.8), 2: (0.2, 0.4)}
_TRIES = 16  # phrases looked at in a text: a book has thousands


@dataclass(frozen=True)
class Generator:
    """Makes a row with a synthetic error of a pair without."""

    name: str
    category: str
    changes: Literal["source", "target"]
    """Which text."""
    change: Change

    def row(self, source: str, target: str, seed: int = 0) -> Row | None:
        """Return the row of a pair, or None if it can't have the error."""
        key = "\0".join((str(seed), self.name, source, target))
        chance = random.Random(key)
        pair = {"source": source, "target": target}
        other = "target" if self.changes == "source" else "source"
        text, level = self.change(pair[self.changes], pair[other], chance) or ("", 0)
        # A change may make the two texts the same: that is no error.
        if text in (source, target) or not text.strip():
            return None
        pair[self.changes] = text
        return {**pair, "category": self.category, "level": level, "generator": self.name}


# Insertions: the text that changes is the source -------------------------------------------------


_PRONOUNS = (("he", "him", "his"), ("she", "her", "her"))
_PREPOSITIONS = vocabulary(
    "about after against before behind beside between by for from in into like near of on onto "
    "over through to towards under upon with without"
)
# "met Ann." has an object; "but Ann, ..." and "it was Ann." have none.
_BEFORE_SUBJECTS = vocabulary(
    "and or but that which when where while because since if as than then so is are was were be "
    "been"
)
_CLAUSE_ENDS = re.compile(r"\s*(?:[.,;:!?()]|$|(?:in|on|at|to|for|with|from|by|as|after)\b)")
_LAST_WORD = re.compile(r"(\w+)\W*$")


def _pronoun(text: str, other: str, chance: random.Random) -> tuple[str, int] | None:
    """One of the names that the other text has too becomes a pronoun wherever it stands."""
    names = dict.fromkeys(text[start:end].strip() for start, end in spans.persons(text))
    there = spans.words(other)
    shared = [name for name in names if _surname(name) and _surname(name).lower() in there]
    if not shared:
        return None
    name, forms = chance.choice(shared), chance.choice(_PRONOUNS)
    mention = rf"(?<!\w)(?:{re.escape(name)}|{re.escape(_surname(name))})(\s?['’]s|['’])?(?!\w)"

    def replace(match: re.Match[str]) -> str:
        before = _LAST_WORD.search(text, max(0, match.start() - 20), match.start())
        follows = before is not None and before[1].lower() in _PREPOSITIONS
        if before is not None and not follows and before[1] not in _BEFORE_SUBJECTS:
            follows = before[1].islower() and _CLAUSE_ENDS.match(text, match.end()) is not None
        pronoun = forms[2 if match[1] else 1 if follows else 0]
        return pronoun.capitalize() if spans.sentence_start(text, match.start()) else pronoun

    return re.sub(mention, replace, text), 1


def _surname(name: str) -> str:
    last = _LAST_WORD.search(name)
    return last[1] if last else ""


COMMON = vocabulary(
    "a an the and or but nor of in on at by for from to with as is are was were be been being has "
    "have had do does did it its this that these those he she they his her their which who whom "
    "whose when where while although because since until if so not also"
)


def phrases_deleted_by(levels: Sequence[int]) -> Generator:
    """``phrases_deleted`` of some levels only."""
    change = functools.partial(_shorten, levels=levels)
    return Generator("phrases_deleted", "insertion", "source", change)


def _shorten(
    text: str, other: str, chance: random.Random, *, levels: Sequence[int]
) -> tuple[str, int] | None:
    """A phrase is left out of which the other text says at least half."""
    candidates = spans.phrases(text)
    before, there = spans.words(text), spans.words(other)
    for start, end in chance.sample(candidates, min(_TRIES, len(candidates))):
        shorter = _without(text, start, end)
        lost = before - spans.words(shorter) - COMMON
        if not lost or 2 * len(lost & there) < len(lost):
            continue
        level = level_of(spans.similarity(shorter, text))
        if level in levels:
            return shorter, level
    return None


def level_of(similarity: float) -> int:
    """The level of an error by the similarity of the texts with and without it; 0 for no level."""
    return next(
        (level for level, (low, high) in SIMILARITIES.items() if low <= similarity <= high), 0
    )


_LEADING = re.compile(r"^[\s,;:–—-]*(?:(?:and|or|but)\s+)?", re.IGNORECASE)


def _without(text: str, start: int, end: int) -> str:
    """The text without a part of it, put together as a sentence."""
    left, right = text[:start].rstrip(), text[end:]
    if not left:
        right = _LEADING.sub("", right)
        return right[:1].upper() + right[1:] if text.lstrip()[:1].isupper() else right
    right = right.lstrip()
    if left[-1] in ".!?" and right[:1] in (".", "!", "?"):
        right = right[1:]  # the last sentence is gone, and its stop with it
    if not right or right[0] in ".!?,;:":
        left = re.sub(r"(?:-L[RCS]B-|[\s,;:–—(-])+$", "", left)
    space = " " if right and (right[0] not in ".!?,;:)" or text[end : end + 1].isspace()) else ""
    return left + space + right


# Substitutions: the text that changes is the target ----------------------------------------------

_NUMBER = re.compile(
    r"(?<![\w.-])(?<![0-9][,:/–])"
    r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?"
    r"(?!\w|[.,:/–-][0-9]|\s?['’]s\b)"  # the 1990's are no number
)
_LONGEST_NUMBER = 100  # Python reads none of more than 4,300 digits
_YEARS = range(1000, 2100)
_YEARS_APART = 50
_LATEST_YEAR = 2025  # what was doesn't become what is to come
_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_MONTH_BEFORE = re.compile(rf"\b{_MONTH}\s$")
_MONTH_AFTER = re.compile(rf"\s(?:of\s)?{_MONTH}\b")


def _number(text: str, other: str, chance: random.Random) -> tuple[str, int] | None:
    """One number becomes another of its order of magnitude, written alike; a year another near."""
    candidates = [
        match
        for match in _NUMBER.finditer(text)
        if match[0].strip("0.,") and len(match[0]) <= _LONGEST_NUMBER
    ]
    if not candidates:
        return None
    match = chance.choice(candidates)
    number, (start, end) = match[0], match.span()
    month = _MONTH_BEFORE.search(text, max(0, start - 20), start) or _MONTH_AFTER.match(text, end)
    if month and len(number) < 3 and int(number) in range(1, 32):
        low, high = (1, 9) if int(number) < 10 else (10, max(28, int(number)))
        new = str(_another(int(number), low, high, chance)).zfill(len(number))
    else:
        new = _other_number(number, chance)
    return text[:start] + new + text[end:], 1


def _other_number(number: str, chance: random.Random) -> str:
    if len(number) == 4 and number.isdigit() and int(number) in _YEARS:
        low = max(_YEARS.start, int(number) - _YEARS_APART)
        latest = max(int(number), _LATEST_YEAR)
        high = min(_YEARS.stop - 1, int(number) + _YEARS_APART, latest)
        return str(_another(int(number), low, high, chance))
    digits = re.sub(r"\D", "", number)
    value = digits.strip("0")  # 1,200,000 becomes 3,700,000, and 0.05 becomes 0.08
    power = 10 ** (len(value) - 1)
    new = str(_another(int(value), power, 10 * power - 1, chance))
    start = len(digits) - len(digits.lstrip("0"))
    figures = iter(digits[:start] + new + digits[start + len(new) :])
    return "".join(next(figures) if char.isdigit() else char for char in number)


def _another(value: int, low: int, high: int, chance: random.Random) -> int:
    """An integer from low to high that isn't the value, which is one of them."""
    drawn = chance.randrange(low, high)
    return drawn + (drawn >= value)


_NEGATED = {
    **{
        word: word + "n't"
        for word in vocabulary("is are was were has have had do does did could would should must")
    },
    **{word: word + " not" for word in ("am", "may", "might")},
    "can": "can't",
    "will": "won't",
    "shall": "shan't",
}
_NEGATIVE = "no|not|never|none|nobody|nothing|nowhere|neither|nor|hardly|n['’]t"
_AUXILIARY = re.compile(
    rf"(?<![\w'’-])(?:{'|'.join(_NEGATED)})(?![\w'’-])"
    rf"(?!(?:[\s,]+\w+)?[\s,]+(?:{_NEGATIVE})\b)",
    re.IGNORECASE,
)
_NEGATED_BEFORE = re.compile(rf"(?:\b(?:{_NEGATIVE}|cannot)|n['’]t)\b", re.IGNORECASE)
_CLAUSE_STARTS = re.compile(
    r"[.,;:!?()]|\b(?:and|but|or|that|which|who|because|when|while|if|as)\b", re.IGNORECASE
)
_CLAUSE = 100  # characters of it that are looked at
# "He may have gone", "to have gone": not the auxiliary that is negated.
_INFINITIVE = re.compile(
    r"(?:\b(?:to|can|could|may|might|must|shall|should|will|would)|n['’]t|['’](?:ll|d))"
    r"(?:\s+\w+){,2}\s+$",
    re.IGNORECASE,
)
_NEXT_WORD = re.compile(r"\s+(\w+)(?:\s+(\w+))?")
# Words before "the will of the people", "a can", "in may".
_NO_VERB_AFTER = vocabulary(
    "a an the his her its their our my your no in of on by from to at with into"
)
_NOUNS = frozenset(("can", "will", "may", "might", "must"))
_HAVE, _DO = frozenset(("has", "have", "had")), frozenset(("do", "does", "did"))
_PRONOUNS_ASKED = frozenset(("he", "she", "they", "we", "you", "i"))
_PARTICIPLES = vocabulary(
    "been become begun born bought brought built caught come cut done drawn felt flown found gone "
    "got grown had held hit kept known laid led left lost made meant met paid put read run said "
    "seen sent set shown shut sold spent spread stood sung sunk swum taught thought thrown told "
    "torn understood won worn"
)


def _negate(text: str, other: str, chance: random.Random) -> tuple[str, int] | None:
    """One auxiliary is negated: "is" becomes "isn't", "will" becomes "won't"."""
    auxiliaries = [match for match in _AUXILIARY.finditer(text) if _is_auxiliary(text, match)]
    if not auxiliaries:
        return None
    match = chance.choice(auxiliaries)
    negated = _NEGATED[match[0].lower()]
    if match[0][0].isupper():
        negated = negated[0].upper() + negated[1:]
    return text[: match.start()] + negated + text[match.end() :], 1


def _is_auxiliary(text: str, match: re.Match[str]) -> bool:
    """Whether the word is no noun, name or main verb, as far as its neighbours tell."""
    word = match[0].lower()
    if match[0] not in (word, word.capitalize()) or match[0] in ("May", "Will", "Might"):
        return False
    before = _LAST_WORD.search(text, max(0, match.start() - 20), match.start())
    if word in _NOUNS and before is not None and before[1].lower() in _NO_VERB_AFTER:
        return False
    following = _NEXT_WORD.match(text, match.end())
    after = [part.lower() for part in following.groups() if part] if following else []
    if word == "may" and after and after[0][0].isdigit():
        return False
    if word == "am" and not (before is not None and before[1] == "I") and after[:1] != ["i"]:
        return False  # 8 am
    start = max(0, match.start() - _CLAUSE)
    if _NEGATED_BEFORE.search(_CLAUSE_STARTS.split(text[start : match.start()])[-1]):
        return False
    if word == "have" and _INFINITIVE.search(text, start, match.start()):
        return False
    if word in _HAVE:  # before a participle, perhaps with an adverb before it
        return any(map(_is_participle, after))
    return word not in _DO or (bool(after) and after[0] in _PRONOUNS_ASKED)


def _is_participle(word: str) -> bool:
    regular = len(word) > 3 and word.endswith(("ed", "en")) and not word.endswith("eed")
    return regular or word in _PARTICIPLES


names_to_pronouns = Generator("names_to_pronouns", "insertion", "source", _pronoun)
phrases_deleted = phrases_deleted_by(tuple(SIMILARITIES))
numbers = Generator("numbers", "substitution", "target", _number)
negated = Generator("negated", "substitution", "target", _negate)

GENERATORS = {
    generator.name: generator
    for generator in (names_to_pronouns, phrases_deleted, numbers, negated)
}
