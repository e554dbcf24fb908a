"""Short names of systems, for plots."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import count
from unicodedata import bidirectional, east_asian_width

ROOM = 28  # letters
_CUT = "…"
_LEFTWARDS = ["R", "AL", "AN", "RLE", "RLO", "LRE", "LRO", "RLI", "LRI", "FSI", "PDI", "PDF"]


def shorten(names: Sequence[str], others: Collection[str] = (), room: int = ROOM) -> list[str]:
    """Shorten names so that they fit and all differ.

    Where one is wider, what all of them begin and end with is left out, then the middle. Names
    that still look alike, as those that differ in blanks only, are numbered.

    Args:
        names: Names that differ.
        others: Names that stand beside them as they are.
        room: The width of a name in letters; at least 12.

    >>> shorten(["ours", "theirs"])
    ['ours', 'theirs']
    >>> shorten([f"/experiments/2024/bart-large/seed-{i}/predictions.txt" for i in (1, 2)])
    ['…seed-1…', '…seed-2…']
    """
    shown = cleaned = [clean(name) for name in names]
    if any(width(name) > room for name in cleaned):
        shown = [_squeeze(name, room) for name in _strip_common(cleaned, room)]
        for name in {name for name in shown if shown.count(name) > 1}:
            alike = [i for i, other in enumerate(shown) if other == name]
            for i, part in zip(
                alike, _strip_common([cleaned[i] for i in alike], room), strict=True
            ):
                shown[i] = _squeeze(part, room)
    return _number_duplicates(shown, others, room)


def _number_duplicates(names: list[str], others: Collection[str], room: int) -> list[str]:
    """Add numbers to names that occur more than once."""
    numbered: list[str] = []
    taken = {*others, *(name for name in names if names.count(name) == 1)}
    for name in names:
        single = names.count(name) == 1 and name not in others
        numbers = (f" #{number}" for number in count(1))
        marked = (_squeeze(name, room - len(mark)) + mark for mark in numbers)
        numbered.append(name if single else next(text for text in marked if text not in taken))
        taken.add(numbered[-1])
    return numbered


def clean(name: str) -> str:
    """Put a name on one line, without invisible characters.

    >>> clean("two\\n lines\\u200b")
    'two lines'
    """
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())


def isolate(name: str) -> str:
    """Isolate a name that is written from right to left, so that it doesn't reorder a sentence.

    >>> isolate("ours"), isolate("\u202eours")
    ('ours', '\u2068\u202eours\u2069')
    """
    if not any(bidirectional(letter) in _LEFTWARDS for letter in name):
        return name
    told = re.sub("[\u2066-\u2069]", lambda match: f"U+{ord(match[0]):04X}", name)
    return f"\u2068{told}\u2069"


def width(text: str) -> int:
    """The width of a text in columns of a fixed-width font; Chinese characters take two."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def wrap(name: str, room: int = 16) -> str:
    """Break a short name into two lines between its parts, if it is too long for one.

    >>> wrap("bart-large, five epochs")
    'bart-large,\\nfive epochs'
    """
    if width(name) <= room:
        return name
    middle = len(name) / 2
    ends = [match.end() for match in re.finditer(r"[\W_]+", name)]
    near = [end for end in ends if max(width(name[:end].strip()), width(name[end:])) <= room + 4]
    cut = min(near or [round(middle)], key=lambda end: abs(end - middle))
    return f"{name[:cut].strip()}\n{name[cut:].strip()}"


def _strip_common(names: list[str], room: int) -> list[str]:
    """Remove the common start and end of names, in whole words if possible."""
    common = _common_prefix(names)
    start = _last_word_end(common)
    end = _last_word_end(_common_prefix([name[start:][::-1] for name in names]))
    if len(names) < 2 or any(len(name) <= start + end for name in names):
        return names
    last_word = re.search(r"[^\W_]{1,9}[\W_]+$", common[:start])  # says what follows: "seed-"
    stripped = names
    for from_ in (last_word.start() if last_word else start, start):
        first, last = (_CUT if length else "" for length in (from_, end))
        stripped = [f"{first}{name[from_ : len(name) - end]}{last}" for name in names]
        if max(map(width, stripped)) <= room:
            break
    return stripped


def _common_prefix(names: Sequence[str]) -> str:
    """The longest common prefix."""
    first, last = min(names, default=""), max(names, default="")
    same = (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b)
    return first[: next(same, len(first))]


def _last_word_end(common: str) -> int:
    """The length of a common prefix up to its last end of a word."""
    return max((match.end() for match in re.finditer(r"[\W_]+", common)), default=len(common))


def _squeeze(name: str, room: int) -> str:
    """Cut the middle out of a name that is too wide."""
    if width(name) <= room:
        return name
    parts = ((kept - kept // 2, len(name) - kept // 2) for kept in range(room - 1, -1, -1))
    cut = (f"{name[:head]}{_CUT}{name[tail:]}" for head, tail in parts)
    return next(text for text in cut if width(text) <= room)
