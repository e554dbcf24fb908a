"""Short names of systems, for plots."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

ROOM = 28  # letters
_CUT = "…"


def shorten(names: Sequence[str], others: Collection[str] = ()) -> list[str]:
    """Shorten names so that they fit and differ from each other and from ``others``.

    >>> shorten(["ours", "theirs"])
    ['ours', 'theirs']
    >>> shorten([f"/experiments/2024/bart-large/seed-{i}/predictions.txt" for i in (1, 2)])
    ['…seed-1…', '…seed-2…']
    """
    names = [clean(name) for name in names]
    start, end = _common_ends([name for name in names if len(name) > ROOM])
    labels: list[str] = []
    for name in names:
        short = label = name if len(name) <= ROOM else _cut(name, start, end)
        number = 1
        while label in {*labels, *others}:
            number += 1
            label = f"{short[: ROOM - 5]} #{number}"
        labels.append(label)
    return labels


def clean(name: str) -> str:
    """Put a name on one line, without invisible characters.

    >>> clean("two\\n lines\\u200b")
    'two lines'
    """
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())


def _common_ends(names: list[str]) -> tuple[int, int]:
    """The lengths of what names begin and end with, but for the last word before they differ."""
    if len({*names}) < 2:
        return 0, 0
    before = re.sub(r"[^\W_]{0,9}[\W_]*$", "", _common_start(names))
    after = _common_start([name[len(before) :][::-1] for name in names])[::-1]
    return len(before), len(re.sub(r"^[^\W_]*", "", after))


def _common_start(names: Sequence[str]) -> str:
    first, last = min(names), max(names)
    same = (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b)
    return first[: next(same, len(first))]


def _cut(name: str, start: int, end: int) -> str:
    """Cut off the ends of a name, and its middle where the rest is too long."""
    first, last = (_CUT if length else "" for length in (start, end))
    name = f"{first}{name[start : len(name) - end]}{last}"
    half = (ROOM - 1) // 2
    return name if len(name) <= ROOM else f"{name[:half]}{_CUT}{name[-half:]}"
