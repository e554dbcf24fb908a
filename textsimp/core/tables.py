"""Format numbers and tables for terminals, pages, notebooks and papers."""

from __future__ import annotations

import csv
import functools
import html
import io
import json
import math
import re
import sys
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from typing import Any

from textsimp.core.declarations import Score
from textsimp.support.errors import one_line

_LATEX = {char: f"\\{char}" for char in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": "$<$",
    ">": "$>$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
}
_CODES = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_FORMULA = re.compile(r"'*[=+\-@]")  # the beginning of a cell
_LEVEL = 0.05  # of significance, usually
_LONG = 24  # characters of a cell, from which on pages break it into lines
# Characters that Markdown reads as emphasis, code, a link, a tag, an entity or the end of a cell.
# Inside a word, _ is an ordinary character.
_MARKDOWN = re.compile(
    r"[\\*`~|]|\](?=[(\[])|(?<!\w)_|_(?!\w)|<(?=[a-z/!?])|&(?=#?\w+;)", re.IGNORECASE
)

BEST, UNDECIDED = "★", "☆"
"""Marks: the best system; one of those that no test tells apart."""
MARKS = {  # of cells: the sign, and the words that explain it
    "best": (BEST, "best"),
    "undecided": (UNDECIDED, "not significantly different"),
    "unranked": ("⚠", "not ranked"),
    "better": ("▲", "better"),
    "worse": ("▼", "worse"),
    "alike": ("n.s.", "not significantly different"),
}
_BOLD = ("best", "undecided")  # marks of numbers that are bold in papers
_BEFORE = (*_BOLD, "unranked")  # marks that stand before a number
_HIDDEN = ("undecided", "better", "worse", "alike")  # marks whose words only screen readers read


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
    ) -> Cell:
        """Format a number with its interval; a count has no decimals, None is a dash.

        >>> str(Cell.of(1.5, [1, 2], 2)), str(Cell.of(7, [6.5, 8.1], 2))
        ('1.50 [1.00, 2.00]', '7 [6, 8]')
        """
        if value is None:
            return cls("–")
        decimals = 0 if isinstance(value, int) else decimals
        small = [interval(bounds, decimals, sign, minus)] if bounds else []
        return cls(number(value, decimals, sign, minus), small, value, bounds)

    def __str__(self) -> str:
        return " ".join([self.text, *self.small])

    @property
    def signs(self) -> list[tuple[str, str, str]]:
        """Mark, sign and words; to be behind a baseline takes the place of being the best."""
        marks = [] if not self.mark or (self.mark == "best" and self.behind) else [self.mark]
        signs = [(mark, *MARKS[mark]) for mark in marks]
        return signs + [("behind", "▽", f"behind {self.behind}")] * bool(self.behind)


def numbers(values: Sequence[float | None], score: Score | None = None) -> list[str]:
    """Format a score's numbers for one column; whole numbers of a count have no decimals.

    >>> numbers([41.234, None, 3.5]), numbers([2, 2.0, 1.25], Score("x", "", "", unit="words"))
    (['41.23', '', '3.50'], ['2', '2', '1.25'])
    """
    decimals = count_decimals(values, score)
    counts = score is not None and score.unit not in ("", "share")
    return [
        ""
        if value is None
        else number(
            value,
            0 if isinstance(value, int) or (counts and float(value).is_integer()) else decimals,
        )
        for value in values
    ]


def finite(value: Any) -> Any:
    """Replace numbers that JSON lacks, such as NaN, by None."""
    if isinstance(value, dict):
        return {str(name): finite(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


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


class Tabular(ABC):
    """Base class of results that print as a table."""

    @abstractmethod
    def grid(self) -> Grid:
        """Return the table: names in the first columns, numbers in the others."""

    def records(self) -> list[dict[str, Any]]:
        """Return a dict per row, heading → number or text; intervals as ``low`` and ``high``."""
        return self.grid().records()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data that JSON can hold: by default ``rows`` and ``notes``."""
        return {"rows": self.records(), "notes": [*self.grid().notes]}

    def to_pandas(self) -> Any:
        """Return `records` as a ``pandas.DataFrame``, with NaN for what is missing."""
        import pandas as pd  # type: ignore[import-untyped]

        return pd.DataFrame(self.records())

    def __str__(self) -> str:
        """Return the table as text, with its notes below it."""
        grid = self.grid()
        return "\n".join([grid.to_text(), *map(one_line, grid.text_notes)])

    def __repr__(self) -> str:
        return str(self)

    def to_markdown(self, *, intervals: bool = True) -> str:
        """Return the table in Markdown with signatures below it, with or without ``intervals``."""
        grid = self.grid() if intervals else self.grid().bare()
        lines = [
            _piped(_markdown(str(text)) for text in grid.header),
            _piped(["---"] * grid.named + ["---:"] * (len(grid.header) - grid.named)),
            *map(_piped, grid.escaped(_markdown, ("**", "**"))),
            "",
            *([grid.meaning, ""] if len(grid.below) > len(grid.notes) else []),
            *(f"`{note}`" for note in grid.notes),
        ]
        return "\n".join(lines) + "\n"

    def to_latex(self, *, intervals: bool = True) -> str:
        """Return the table in LaTeX for booktabs, likewise with or without ``intervals``."""
        grid = self.grid() if intervals else self.grid().bare()
        header = [_latex(str(text)) for text in grid.header]
        rows = [
            " & ".join(row) + r" \\" for row in [header, *grid.escaped(_latex, (r"\textbf{", "}"))]
        ]
        sides = "l" * grid.named + "r" * (len(grid.header) - grid.named)
        lines = [
            rf"\begin{{tabular}}{{{sides}}}",
            r"\toprule",
            rows[0],
            r"\midrule",
            *rows[1:],
            r"\bottomrule",
            r"\end{tabular}",
            *(f"% {one_line(note)}" for note in grid.below),
        ]
        return "\n".join(lines) + "\n"

    def _repr_html_(self) -> str:
        """Return the table as HTML, for notebooks."""
        grid = self.grid()
        notes = "".join(f"<div><code>{html.escape(note)}</code></div>" for note in grid.text_notes)
        return grid.to_html(inline=True) + notes


@dataclass(frozen=True)
class Grid(Tabular):
    """A table's cells and the notes below it."""

    header: Sequence[Any]  # of texts or `Cell`
    rows: list[list[Any]]  # of names and numbers, as text or `Cell`
    notes: list[str] = field(default_factory=list)  # signatures and remarks, one line each
    meaning: str = ""  # of bold numbers
    legend: str = ""  # of the marks that stand for bold in text
    named: int = 1  # number of columns with names
    joined: Collection[int] = ()  # columns that stay beside the one before them
    id: str = ""  # in a page
    caption: str = ""  # what it is called

    def grid(self) -> Grid:
        """Return the table itself."""
        return self

    def records(self) -> list[dict[str, Any]]:
        """Return a dict per row, heading → number or text.

        An interval is in ``HEADING low`` and ``HEADING high``, if any row has one.

        >>> Grid(["", "SARI"], [["ours", Cell.of(41.234, [40, 42], 2)]]).records()
        [{'': 'ours', 'SARI': 41.234, 'SARI low': 40, 'SARI high': 42}]
        """
        rows = [[*map(_as_cell, row)] for row in self.rows]
        bounded = [any(cell.bounds for cell in column) for column in zip(*rows, strict=True)]
        records: list[dict[str, Any]] = [{} for _ in rows]
        for record, row in zip(records, rows, strict=True):
            for head, cell, has_bounds in zip(self.header, row, bounded, strict=True):
                record[str(head)] = cell.text if cell.value is None else cell.value
                if has_bounds:
                    record[f"{head} low"], record[f"{head} high"] = cell.bounds or (None, None)
        return records

    def to_text(self, width: int = sys.maxsize) -> str:
        """Return the table as text for a terminal of ``width`` columns, in parts that fit it.

        A part has no empty rows.
        """
        lines = [[one_line(_marked(text)) for text in line] for line in (self.header, *self.rows)]
        widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
        parts = []
        for columns in _fitting(widths, self.named, self.joined, width):
            full = [line for line in lines if any(line[j] for j in columns if j >= self.named)]
            shown = full if len(columns) < len(widths) else lines
            parts.append(
                "".join(f"{_aligned(line, columns, widths, self.named)}\n" for line in shown)
            )
        return "\n".join(parts)

    def to_html(self, kind: str = "", *, inline: bool = False) -> str:
        """Return the table as HTML, for reports, pages and notebooks.

        Args:
            kind: Classes of the style sheets: ``sortable`` headings are buttons, ``stacked`` rows
                are lists on a phone.
            inline: Style cells one by one, for notebooks, which have no style sheet.
        """
        kinds = kind.split()
        heads = [_as_cell(cell) for cell in self.header]
        draw = functools.partial(_html_cell, named=self.named, inline=inline)
        top = [draw(cell, j, "col", sortable="sortable" in kinds) for j, cell in enumerate(heads)]
        body = []
        for row in self.rows:
            cells = [*map(_as_cell, row)]
            names = [cell.text for cell in heads] if "stacked" in kinds else [""] * len(cells)
            drawn = [
                draw(cell, j, "row", head=head)
                for j, (cell, head) in enumerate(zip(cells, names, strict=False))
            ]
            body.append(f"<tr{_attributes({'class': cells[0].kind})}>{''.join(drawn)}</tr>")
        caption = f"{self.id}-caption"
        label = {"aria-labelledby": caption} if self.id else {"aria-label": kind or "table"}
        title = f'<caption id="{caption}">{html.escape(self.caption)}</caption>'
        style = "font-variant-numeric:tabular-nums" if inline else ""
        table = (
            f"<table{_attributes({'id': self.id, 'class': kind, 'style': style})}>"
            f"{title if self.id else ''}<thead><tr>{''.join(top)}</tr></thead>"
            f"<tbody>{''.join(body)}</tbody></table>"
        )
        if inline:
            return table
        scroll = {"class": "scroll", "role": "group", **label, "tabindex": "0"}
        return f"<div{_attributes(scroll)}>{table}</div>"

    def bare(self) -> Grid:
        """Return the table without intervals."""
        return replace(self, rows=[[name, *map(_bare, cells)] for name, *cells in self.rows])

    @property
    def text_notes(self) -> list[str]:
        """All notes below the table in terminals and notebooks."""
        return [*filter(None, [self.legend]), *self.notes]

    @property
    def below(self) -> list[str]:
        """All notes below the table."""
        bold = any(map(_is_bold, chain.from_iterable(self.rows)))
        return [*([self.meaning] if bold else []), *self.notes]

    def escaped(self, escape: Callable[[str], str], bold: tuple[str, str]) -> list[list[str]]:
        """Return escaped rows; ``bold`` is the markup before and after a bold number."""

        def write(cell: str | Cell) -> str:
            if not isinstance(cell, Cell) or not _is_bold(cell):
                return escape(str(cell))
            rest = escape(str(cell).removeprefix(cell.text))
            return f"{bold[0]}{escape(cell.text)}{bold[1]}{rest}"

        return [[*map(write, row)] for row in self.rows]


def breakable(text: str) -> str:
    """Escape a text for HTML, with possible line breaks between the parts of a name.

    >>> breakable("runs/t5_small")
    'runs/<wbr>t5_<wbr>small'
    """
    return re.sub(r"(?<=\w)([_/:\\]+)(?=\w)", r"\1<wbr>", html.escape(text))


def _as_cell(cell: str | Cell) -> Cell:
    return cell if isinstance(cell, Cell) else Cell(cell)


def _is_bold(cell: str | Cell) -> bool:
    return isinstance(cell, Cell) and cell.mark in _BOLD


def _marked(cell: str | Cell) -> str:
    """Return a cell with the mark that stands for bold in text."""
    return f"{MARKS[cell.mark][0]} {cell}" if _is_bold(cell) else str(cell)  # type: ignore


def _bare(cell: str | Cell) -> str | Cell:
    return replace(cell, small=()) if isinstance(cell, Cell) else cell


def _attributes(values: Mapping[str, object]) -> str:
    """Return the attributes of a tag; empty ones are left out."""
    return "".join(
        f' {name}="{html.escape(str(value))}"' for name, value in values.items() if value != ""
    )


def _html_cell(
    cell: Cell,
    column: int,
    scope: str,
    named: int,
    inline: bool,
    sortable: bool = False,
    head: str = "",
) -> str:
    """Return a heading or a cell: its text between its marks, and small lines below."""
    name = column < named
    tag = "th" if name or scope == "col" else "td"
    kinds = [cell.kind if tag == "td" or scope == "col" else "", "name" * name]
    kinds += [cell.mark * (cell.mark not in _BEFORE), "long" * (len(cell.text) > _LONG)]
    attributes = {
        "scope": scope * (tag == "th"),
        "class": " ".join(filter(None, kinds)),
        "dir": "auto" * (tag == "th"),
        "data-value": "" if cell.value is None else cell.value,
        "data-head": head * (tag == "td"),
        "title": cell.about * (not cell.href),
        "style": f"text-align:{'left' if name else 'right'}; padding:2px 8px" * inline,
    }
    text = breakable(cell.text)
    if sortable:
        text = f'<button type="button" dir="auto">{text}</button>'
    elif cell.value is not None and not inline:
        text = f'<span class="value">{text}</span>'
    if cell.href:
        link = {"href": cell.href, "aria-label": f"{cell.text}, {cell.about}"}
        text = f"<a{_attributes(link)}>{text}</a>"
    signs = {}
    for mark, sign, words in cell.signs:
        kind = "hidden" if mark in _HIDDEN else "word"
        words = f'<span class="{kind}"> {html.escape(words)}</span>'
        signs[mark] = sign if inline else f'<span class="mark {mark}">{sign}{words}</span>'
    parts = [*(signs[mark] for mark in signs if mark in _BEFORE), text]
    parts += [signs[mark] for mark in signs if mark in _HIDDEN and mark not in _BEFORE]
    parts += [f"<small>{html.escape(line)}</small>" for line in cell.small if line]
    parts += [signs[mark] for mark in signs if mark == "behind"]
    if cell.bar is not None:
        parts.append(f'<i style="--share:{cell.bar:.3f}" aria-hidden="true"></i>')
    return f"<{tag}{_attributes(attributes)}>{' '.join(parts)}</{tag}>"


def format_csv(
    records: Sequence[Mapping[str, Any]], delimiter: str = ",", *, head: bool = True
) -> str:
    """Format records as CSV or TSV; texts are quoted, lists and mappings JSON, and None is empty.

    Before a text that a spreadsheet would take for a formula stands an apostrophe, see `unescaped`.

    >>> print(format_csv([{"system": "ours", "sari": 41.5, "p": None}]), end="")
    "system","sari","p"
    "ours",41.5,""
    """
    file = io.StringIO()
    writer = csv.writer(
        file, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC
    )
    if head:
        writer.writerow(map(_csv_cell, records[0]))
    writer.writerows(map(_csv_cell, record.values()) for record in records)
    return file.getvalue()


def _csv_cell(value: Any) -> Any:
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def unescaped(cell: str) -> str:
    """Return the text of a cell of CSV, without the apostrophe of `format_csv`.

    >>> unescaped("'=1"), unescaped("''=1"), unescaped("'tis")
    ('=1', "'=1", "'tis")
    """
    return cell[1:] if cell[:1] == "'" and _FORMULA.match(cell) else cell


def json_lines(records: Iterable[Mapping[str, Any]]) -> str:
    """Format records as JSON lines.

    >>> json_lines([{"system": "é"}, {"system": None}])
    '{"system": "é"}\\n{"system": null}\\n'
    """
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def without_codes(text: str) -> str:
    r"""Escape terminal codes in a text, but not tabs and line breaks.

    >>> print(without_codes("\x1b[31mred"))
    \x1b[31mred
    """
    return _CODES.sub(lambda code: one_line(code[0]), text)


def _width(text: str) -> int:
    """The columns of a terminal that a text takes: two for a Chinese sign, none for an accent."""
    shown = [c for c in text if unicodedata.category(c) not in ("Mn", "Me")]
    return len(shown) + sum(unicodedata.east_asian_width(c) in "WF" for c in shown)


def _aligned(line: Sequence[str], columns: Iterable[int], widths: Sequence[int], named: int) -> str:
    """Some cells of a row, each as wide as its column: names on the left, numbers on the right."""
    cells = []
    for i in columns:
        space = " " * (widths[i] - _width(line[i]))
        cells.append(line[i] + space if i < named else space + line[i])
    return "  ".join(cells).rstrip()


def _fitting(
    widths: Sequence[int], named: int, joined: Collection[int], room: int
) -> list[list[int]]:
    """The columns of each part of a table."""
    names = list(range(named))
    space = room - sum(widths[i] + 2 for i in names)
    groups: list[list[int]] = []  # of columns that stay together, if there is room
    for i in range(named, len(widths)):
        if i in joined and sum(widths[j] + 2 for j in [*groups[-1], i]) - 2 <= space:
            groups[-1].append(i)
        else:
            groups.append([i])
    parts: list[list[int]] = [names]
    used = 0
    for group in groups:
        needed = sum(widths[i] + 2 for i in group)
        if used + needed - 2 > space and used:
            parts.append([*names])
            used = 0
        parts[-1] = [*parts[-1], *group]
        used += needed
    return parts


def _piped(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown(text: str) -> str:
    text = re.sub(r"\s+", " ", text).replace("−", "-")
    return _MARKDOWN.sub(r"\\\g<0>", without_codes(text))


def _latex(text: str) -> str:
    escaped = "".join(_LATEX.get(char, char) for char in without_codes(re.sub(r"\s+", " ", text)))
    escaped = re.sub(r"(?<![\w-])[-−](?=\d)", "$-$", escaped)  # a minus sign, not a hyphen
    escaped = re.sub(r"-(?=-)", "-{}", escaped)  # LaTeX sets two hyphens as a dash
    return re.sub(r"^(?=[\[*])", "{}", escaped)  # LaTeX reads [ and * after \\ as its arguments
