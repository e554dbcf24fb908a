"""Cells of tables: how names, numbers and marks are written, and how HTML shows them."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, groupby, product
from string import ascii_uppercase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textsimp.core.declarations import Score

__all__ = ["interval", "quantity", "runs"]

ROOM = 24  # letters of a system's short name
_PART = re.compile(r"([\s/\\_:,-]*)([^\s/\\_:,-]+)")  # what stands before a part, and the part
_LEVEL = 0.05  # of significance, usually
_LONG = 24  # characters of a cell, from which on pages break it into lines

MARKS = {  # of cells: the sign, and the words that explain it
    "best": ("★", "best"),
    "undecided": ("☆", "not significantly different"),
    "unranked": ("⚠", "not ranked"),
    "better": ("▲", "better"),
    "worse": ("▼", "worse"),
    "alike": ("n.s.", "not significantly different"),
}
_BOLD = ("best", "undecided")  # marks of numbers that are bold in papers
_BEFORE = (*_BOLD, "unranked")  # marks that stand before a number
_HIDDEN = ("undecided", "better", "worse", "alike")  # marks whose words only screen readers read


@dataclass(frozen=True)
class Cell:
    """A cell of a table, with what HTML shows beside its text."""

    text: str
    small: Sequence[str] = ()  # lines below it, such as an interval
    value: float | None = None  # what rows are sorted by
    bounds: Sequence[float] | None = None  # the interval's, in full
    mark: str = ""  # one of `MARKS`
    behind: str = ""  # a baseline that is ahead of this system
    kind: str = ""  # a class of the style sheets; in the first column, the row's
    about: str = ""  # what it is, or where its link leads
    href: str = ""
    bar: Sequence[float] | None = None  # where a bar starts and ends, as shares of its track

    @classmethod
    def of(
        cls,
        value: float | None,
        bounds: Sequence[float] | None,
        decimals: int,
        sign: bool = False,
        minus: str = "-",
        spread: float | None = None,
    ) -> Cell:
        """Format a number with its interval and spread; a count has no decimals, None is a dash.

        An interval with NaN is left out: too few examples have both numbers of the difference.

        >>> str(Cell.of(1.5, [1, 2], 2)), str(Cell.of(7, [6.5, 8.1], 2))
        ('1.50 [1.00, 2.00]', '7 [6, 8]')
        """
        if value is None:
            return cls("–")
        decimals = 0 if isinstance(value, int) else decimals
        if bounds and any(map(math.isnan, bounds)):
            bounds = None
        small = [interval(bounds, decimals, sign, minus)] if bounds else []
        small += [] if spread is None else [f"± {number(spread, decimals)}"]
        return cls(number(value, decimals, sign, minus), small, value, bounds)

    def __str__(self) -> str:
        return " ".join([str(self.text), *self.small])

    @property
    def bold(self) -> bool:
        """Whether papers print the number in bold."""
        return self.mark in _BOLD

    @property
    def marked(self) -> str:
        """The cell with the sign that stands for bold in text."""
        return f"{MARKS[self.mark][0]} {self}" if self.mark in _BOLD else str(self)


def breakable(text: str) -> str:
    """Escape a text for HTML, with possible line breaks between the parts of a name.

    >>> breakable("runs/t5_small")
    'runs/<wbr>t5_<wbr>small'
    """
    return re.sub(r"(?<=\w)([_/:\\]+)(?=\w)", r"\1<wbr>", html.escape(text))


def attributes(values: Mapping[str, object]) -> str:
    """Return the attributes of a tag; empty ones are left out."""
    return "".join(
        f' {name}="{html.escape(str(value))}"' for name, value in values.items() if value != ""
    )


def draw_cell(
    cell: Cell,
    column: int,
    scope: str,
    named: int,
    sortable: bool = False,
    head: str = "",
) -> str:
    """Return a heading or a cell: its text between its marks, and small lines below."""
    is_name = column < named
    is_heading = is_name or scope == "col"
    tag = "th" if is_heading else "td"
    classes = [
        cell.kind if scope == "col" or not is_heading else "",
        "name" if is_name else "",
        "" if cell.mark in _BEFORE else cell.mark,
        "long" if len(cell.text) > _LONG else "",
    ]
    values = {
        "scope": scope if is_heading else "",
        "class": " ".join(filter(None, classes)),
        "dir": "auto" if is_heading else "",
        "data-value": "" if cell.value is None else cell.value,
        "data-bounds": " ".join(map(str, cell.bounds or ())),
        "data-head": "" if is_heading else head,
        "title": "" if cell.href else cell.about,
    }
    text = breakable(cell.text)
    if sortable:
        text = f'<button type="button" dir="auto">{text}</button>'
    elif cell.value is not None:
        text = f'<span class="value">{text}</span>'
    if cell.href:
        link = {"href": cell.href, "aria-label": f"{cell.text}, {cell.about}"}
        text = f"<a{attributes(link)}>{text}</a>"
    mark = _draw_mark(cell.mark, *MARKS[cell.mark]) if cell.mark else ""
    parts = [mark, text] if cell.mark in _BEFORE else [text, mark]
    parts += [f"<small>{html.escape(line)}</small>" for line in cell.small if line]
    if cell.behind:
        parts.append(_draw_mark("behind", "▽", f"behind {cell.behind}"))
    if cell.bar is not None:
        start, end = cell.bar
        parts.append(f'<i style="--from:{start:.3f};--to:{end:.3f}" aria-hidden="true"></i>')
    return f"<{tag}{attributes(values)}>{' '.join(filter(None, parts))}</{tag}>"


def _draw_mark(mark: str, sign: str, words: str) -> str:
    kind = "hidden" if mark in _HIDDEN else "word"
    words = f'<span class="{kind}"> {html.escape(words)}</span>'
    return f'<span class="mark {mark}">{sign}{words}</span>'


def count_decimals(values: Iterable[float | None], score: Score | None = None) -> int:
    """Return the number of decimals for numbers of one column.

    Counts and numbers from 1,000 on have none. Others have as many as their score declares;
    without a declaration two if the largest is at least 2, otherwise three.

    >>> [count_decimals(n) for n in ([3, 1200], [1999.5, 3.5], [41.234], [0.93, 1.04])]
    [0, 0, 2, 3]
    """
    present = [value for value in values if value is not None]
    if all(isinstance(value, int) for value in present):
        return 0
    largest = max((abs(value) for value in present if math.isfinite(value)), default=0)
    if largest >= 1000:
        return 0
    if score is not None and score.decimals is not None:
        return score.decimals + (2 if score.unit == "share" else 0)
    return 2 if largest >= 2 or not largest else 3


def number(value: float, decimals: int, sign: bool = False, minus: str = "-") -> str:
    """Format a number: separate thousands, no sign before zero.

    >>> number(-1234.5, 1), number(0.25, 2, sign=True), number(-0.001, 2)
    ('-1,234.5', '+0.25', '0.00')
    """
    text = f"{value:{'+' if sign else ''},.{decimals}f}"
    if not text.strip("+-0.,"):
        text = text.lstrip("+-")
    return text.replace("-", minus)


def interval(
    bounds: Sequence[float] | None, decimals: int, sign: bool = False, minus: str = "-"
) -> str:
    """Format an interval in brackets; return "" for None.

    >>> interval([-1, 2.5], 1)
    '[-1.0, 2.5]'
    """
    if bounds is None:
        return ""
    return f"[{', '.join(number(bound, decimals, sign, minus) for bound in bounds)}]"


def numbers(values: Sequence[float | None]) -> list[str]:
    """Format numbers for one column; integers have no decimals, None is empty.

    >>> numbers([41.234, None, 3])
    ['41.23', '', '3']
    """
    decimals = count_decimals(values)
    return [
        "" if value is None else number(value, 0 if isinstance(value, int) else decimals)
        for value in values
    ]


def quantity(number: int, noun: str) -> str:
    """Write a number with its noun.

    >>> quantity(1, "example"), quantity(1200, "system")
    ('1 example', '1,200 systems')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def p_value(p: float | None) -> str:
    """Format a p-value with three decimals, or more where it would look like 0.05.

    >>> p_value(0.0314), p_value(0.04996), p_value(0.0001), p_value(None), p_value(float("nan"))
    ('0.031', '0.04996', '<0.001', '', '')
    """
    if p is None or math.isnan(p):
        return ""
    if p < 0.0005:
        return "<0.001"
    decimals = 3
    while decimals < 6 and round(p, decimals) == _LEVEL != p:
        decimals += 1
    return f"{p:.{decimals}f}"


def runs(numbers: Iterable[int]) -> list[str]:
    """Format whole numbers in ascending order, consecutive ones as a range.

    >>> runs([3, 7, 9, 10, 11])
    ['3', '7', '9-11']
    """
    ranges = []
    for _, pairs in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in pairs]
        ranges.append(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}")
    return ranges


def fit_columns(
    widths: Sequence[float], named: int, joined: Collection[int], room: float, gap: float = 2
) -> list[list[int]]:
    """Return the columns of each part of a table that fits ``room``.

    ``named`` columns are in each; those that are ``joined`` stay beside the one before them.
    """
    names = list(range(named))
    space = room - sum(widths[i] + gap for i in names)
    groups: list[list[int]] = []  # of columns that stay together, if there is room
    for i in range(named, len(widths)):
        if i in joined and sum(widths[j] + gap for j in [*groups[-1], i]) - gap <= space:
            groups[-1].append(i)
        else:
            groups.append([i])
    parts: list[list[int]] = [names]
    for group in groups:
        if sum(widths[i] + gap for i in [*parts[-1], *group]) - gap > room and parts[-1] != names:
            parts.append(names)
        parts[-1] = [*parts[-1], *group]
    return parts


def shorten_names(names: Sequence[str], others: Collection[str] = ()) -> dict[str, str]:
    """Return each system's name → its short name. They differ from each other and from ``others``.

    Names of more than 24 letters lose the parts that all of these share. If that isn't enough, they
    become letters.

    >>> shorten_names(["ours", "theirs"])
    {'ours': 'ours', 'theirs': 'theirs'}
    >>> paths = [f"/runs/2024/bart-large/seed-{i}/predictions.txt" for i in (1, 2)]
    >>> [*shorten_names(paths).values()]
    ['seed-1', 'seed-2']
    >>> [*shorten_names(["gpt-3.5-turbo-instruct-0914-zero-shot", "t5"]).values()]
    ['A', 't5']
    """
    short = {name: clean_name(name) for name in names}
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


def clean_name(name: str) -> str:
    """Put a name on one line, without invisible characters.

    >>> clean_name("two\\n lines\\u200b")
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
