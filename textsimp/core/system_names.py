"""Short names of systems, for tables, plots and sentences."""

from collections.abc import Collection, Sequence
from itertools import count
from string import ascii_uppercase

ROOM = 24  # letters


def shorten(names: Sequence[str], others: Collection[str] = ()) -> dict[str, str]:
    """Return each name's short name. They differ from each other and from ``others``.

    Names of more than 24 letters become letters.

    >>> shorten(["ours", "gpt-3.5-turbo-instruct-0914-zero-shot"])
    {'ours': 'ours', 'gpt-3.5-turbo-instruct-0914-zero-shot': 'A'}
    """
    short = {name: clean(name) for name in names}
    used = [*others, *(name for name in short.values() if len(name) <= ROOM)]
    letters = (f"{ascii_uppercase[i % 26]}{i // 26 or ''}" for i in count())  # A, …, Z, A1, …
    free = (one for one in letters if one not in used)
    return {
        name: of_name if len(of_name) <= ROOM and used.count(of_name) == 1 else next(free)
        for name, of_name in short.items()
    }


def clean(name: str) -> str:
    """Put a name on one line, without invisible characters.

    >>> clean("two\\n lines\\u200b")
    'two lines'
    """
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())
