"""Short names of systems, for tables, plots and sentences."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import count, product
from string import ascii_uppercase

ROOM = 24  # letters
_PART = re.compile(r"([\s/\\_:,-]*)([^\s/\\_:,-]+)")  # what stands before a part, and the part


def shorten(names: Sequence[str], others: Collection[str] = ()) -> dict[str, str]:
    """Return each name's short name. They differ from each other and from ``others``.

    Names of more than 24 letters lose the parts that all of these share. If that isn't enough, they
    become letters.

    >>> shorten(["ours", "theirs"])
    {'ours': 'ours', 'theirs': 'theirs'}
    >>> [*shorten([f"/runs/2024/bart-large/seed-{i}/predictions.txt" for i in (1, 2)]).values()]
    ['seed-1', 'seed-2']
    >>> [*shorten(["gpt-3.5-turbo-instruct-0914-zero-shot", "t5"]).values()]
    ['A', 't5']
    """
    short = {name: clean(name) for name in names}
    long = [name for name in names if len(short[name]) > ROOM]
    used = [*others, *(short[name] for name in names if name not in long)]
    if not long and len({*used}) == len(used):
        return short
    lettered = [name for name in names if name not in long and used.count(short[name]) > 1]
    parts = _drop_shared([short[name] for name in long])
    differ = len({*parts} - {*used}) == len(long)
    if differ and all(0 < len(part) <= ROOM for part in parts):
        short |= zip(long, parts, strict=True)
    else:
        lettered += long
    free = (letters for letters in _letters() if letters not in used)
    return short | dict(zip(lettered, free, strict=False))


def clean(name: str) -> str:
    """Put a name on one line, without invisible characters.

    >>> clean("two\\n lines\\u200b")
    'two lines'
    """
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())


def _drop_shared(names: Sequence[str]) -> list[str]:
    """Drop parts that are in all names, unless a number that isn't follows: ``seed-1``."""
    parts = [_PART.findall(name) for name in names]
    sets = [{part for _, part in of_name} for of_name in parts]
    shared = set.intersection(*sets) if sets else set()
    dropped = []
    for of_name in parts:
        following = [part for _, part in of_name[1:]] + [""]
        kept = [
            (before if i else "") + part
            for i, ((before, part), after) in enumerate(zip(of_name, following, strict=True))
            if part not in shared or (after not in shared and after[:1].isdigit())
        ]
        dropped.append("".join(kept).lstrip(" /\\_:,-"))
    return dropped


def _letters() -> Iterator[str]:
    """A, B, …, Z, AA, AB, …"""
    return ("".join(some) for size in count(1) for some in product(ascii_uppercase, repeat=size))
