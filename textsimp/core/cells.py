"""Cells of tables, and how HTML shows them."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from textsimp.core.numbers import interval, number

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
    bar: float | None = None  # a share of 1, drawn as a bar

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

        >>> str(Cell.of(1.5, [1, 2], 2)), str(Cell.of(7, [6.5, 8.1], 2))
        ('1.50 [1.00, 2.00]', '7 [6, 8]')
        """
        if value is None:
            return cls("–")
        decimals = 0 if isinstance(value, int) else decimals
        small = [interval(bounds, decimals, sign, minus)] if bounds else []
        small += [] if spread is None else [f"± {number(spread, decimals)}"]
        return cls(number(value, decimals, sign, minus), small, value, bounds)

    def __str__(self) -> str:
        return " ".join([self.text, *self.small])

    @property
    def signs(self) -> list[tuple[str, str, str]]:
        """Mark, sign and words."""
        signs = [(self.mark, *MARKS[self.mark])] if self.mark else []
        if self.behind:
            signs.append(("behind", "▽", f"behind {self.behind}"))
        return signs


def breakable(text: str) -> str:
    """Escape a text for HTML, with possible line breaks between the parts of a name.

    >>> breakable("runs/t5_small")
    'runs/<wbr>t5_<wbr>small'
    """
    return re.sub(r"(?<=\w)([_/:\\]+)(?=\w)", r"\1<wbr>", html.escape(text))


def as_cell(cell: str | Cell) -> Cell:
    """Return a cell, from one or from its text."""
    return cell if isinstance(cell, Cell) else Cell(cell)


def is_bold(cell: str | Cell) -> bool:
    """Whether papers print the number in bold."""
    return isinstance(cell, Cell) and cell.mark in _BOLD


def marked(cell: str | Cell) -> str:
    """Return a cell with the mark that stands for bold in text."""
    return f"{MARKS[cell.mark][0]} {cell}" if is_bold(cell) else str(cell)  # type: ignore


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
    signs = {}
    for mark, sign, words in cell.signs:
        kind = "hidden" if mark in _HIDDEN else "word"
        words = f'<span class="{kind}"> {html.escape(words)}</span>'
        signs[mark] = f'<span class="mark {mark}">{sign}{words}</span>'
    parts = [*(signs[mark] for mark in signs if mark in _BEFORE), text]
    parts += [signs[mark] for mark in signs if mark in _HIDDEN and mark not in _BEFORE]
    parts += [f"<small>{html.escape(line)}</small>" for line in cell.small if line]
    parts += [signs[mark] for mark in signs if mark == "behind"]
    if cell.bar is not None:
        parts.append(f'<i style="--share:{cell.bar:.3f}" aria-hidden="true"></i>')
    return f"<{tag}{attributes(values)}>{' '.join(parts)}</{tag}>"
