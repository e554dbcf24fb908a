"""Numbers and tables as people read them: in a terminal, a page, a notebook, a paper."""

from __future__ import annotations

import csv
import html
import io
import json
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby, repeat
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
}
_CODES = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_INTERVAL = re.compile(r" \[[^\]]*\]$")  # behind a number, in a cell
# What Markdown would read as emphasis, code, a link, a tag, a character's name or a cell's end;
# in the middle of a word _ is itself.
_MARKDOWN = re.compile(
    r"[\\*`~|]|\](?=[(\[])|(?<!\w)_|_(?!\w)|<(?=[a-z/!?])|&(?=#?\w+;)", re.IGNORECASE
)


def places(values: Iterable[float | None], score: Score | None = None) -> int:
    """How many decimals numbers that stand together are shown with.

    Counts have none, nor have numbers from 1,000 on; others those that their score is declared
    with, or else two from 2 on and three below.

    >>> places([3, 1200]), places([1999.5, 3.5]), places([41.234]), places([0.93, 1.04])
    (0, 0, 2, 3)
    """
    found = [value for value in values if value is not None]
    if all(isinstance(value, int) for value in found):
        return 0
    largest = max((abs(value) for value in found if math.isfinite(value)), default=0)
    if largest >= 1000:
        return 0
    if score is not None and score.places is not None:
        return score.places + (2 if score.unit == "share" else 0)
    return 2 if largest >= 2 or not largest else 3


def number(value: float, places: int, sign: bool = False, minus: str = "-") -> str:
    """A number: thousands separated, nothing before a zero.

    >>> number(-1234.5, 1), number(0.25, 2, sign=True), number(-0.001, 2)
    ('-1,234.5', '+0.25', '0.00')
    """
    text = f"{value:{'+' if sign else ''},.{places}f}"
    if not text.strip("+-0.,"):
        text = text.lstrip("+-")
    return text.replace("-", minus)


def interval(
    bounds: Sequence[float] | None, places: int, sign: bool = False, minus: str = "-"
) -> str:
    """An interval in brackets, or nothing.

    >>> interval([-1, 2.5], 1)
    '[-1.0, 2.5]'
    """
    if bounds is None:
        return ""
    return f"[{', '.join(number(bound, places, sign, minus) for bound in bounds)}]"


def cell(value: float, bounds: Sequence[float] | None, places: int, sign: bool = False) -> str:
    """A number with its interval; a count has no decimals.

    >>> cell(1.5, [1, 2], 2), cell(7, [6.5, 8.1], 2), cell(1.5, None, 1)
    ('1.50 [1.00, 2.00]', '7 [6, 8]', '1.5')
    """
    places = 0 if isinstance(value, int) else places
    return " ".join(filter(None, [number(value, places, sign), interval(bounds, places, sign)]))


def numbers(values: Sequence[float | None], score: Score | None = None) -> list[str]:
    """Numbers of a score that stand together; whole ones of what is counted have no decimals.

    >>> numbers([41.234, None, 3.5]), numbers([2, 2.0, 1.25], Score("x", "", "", unit="words"))
    (['41.23', '', '3.50'], ['2', '2', '1.25'])
    """
    decimals = places(values, score)
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
    """Plain data without numbers that JSON lacks: they become None."""
    if isinstance(value, dict):
        return {str(name): finite(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def p_value(p: float | None) -> str:
    """A p-value with three decimals; nothing where there is none.

    >>> p_value(0.0314), p_value(0.0001), p_value(None), p_value(float("nan"))
    ('0.031', '<0.001', '', '')
    """
    if p is None or math.isnan(p):
        return ""
    return f"{p:.3f}" if p >= 0.0005 else "<0.001"


def runs(numbers: Iterable[int]) -> list[str]:
    """Whole numbers in ascending order, those that follow each other as one.

    >>> runs([3, 7, 9, 10, 11])
    ['3', '7', '9-11']
    """
    found = []
    for _, pairs in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in pairs]
        found.append(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}")
    return found


@dataclass(frozen=True)
class Grid:
    """A table's cells, and what is to stand below it.

    Attributes:
        header: Names of the columns.
        rows: A name or more, and cells as `cell` makes them.
        notes: What exactly was computed, a line each.
        bold: The rows and columns of cells whose number is in bold, counted from 0.
        meaning: What bold means.
        named: How many columns are names.
    """

    header: list[str]
    rows: list[list[str]]
    notes: list[str] = field(default_factory=list)
    bold: Collection[tuple[int, int]] = ()
    meaning: str = ""
    named: int = 1

    def bare(self) -> Grid:
        """The same without intervals."""
        rows = [[name, *(_INTERVAL.sub("", text) for text in cells)] for name, *cells in self.rows]
        return replace(self, rows=rows)

    @property
    def below(self) -> list[str]:
        """All that stands below it."""
        return [*([self.meaning] if self.bold else []), *self.notes]

    def escaped(self, escape: Callable[[str], str], bold: tuple[str, str]) -> list[list[str]]:
        """The rows for a language in which bold begins and ends with two strings."""
        rows = [[escape(text) for text in row] for row in self.rows]
        for i, j in self.bold:
            number = _INTERVAL.sub("", self.rows[i][j])
            interval = self.rows[i][j].removeprefix(number)
            rows[i][j] = f"{bold[0]}{escape(number)}{bold[1]}{escape(interval)}"
        return rows


class Tabular(ABC):
    """What can be shown as a table."""

    @abstractmethod
    def grid(self) -> Grid:
        """The table: names in the first column, numbers in the others."""

    def to_markdown(self, *, intervals: bool = True) -> str:
        """The table in Markdown, with what exactly was computed below it.

        Args:
            intervals: Whether they stand behind the numbers.
        """
        grid = self.grid() if intervals else self.grid().bare()
        lines = [
            _piped(map(_markdown, grid.header)),
            _piped(["---"] * grid.named + ["---:"] * (len(grid.header) - grid.named)),
            *map(_piped, grid.escaped(_markdown, ("**", "**"))),
            "",
            *([grid.meaning, ""] if grid.bold else []),
            *(f"`{note}`" for note in grid.notes),
        ]
        return "\n".join(lines) + "\n"

    def to_latex(self, *, intervals: bool = True) -> str:
        """The table in LaTeX, for the package booktabs, and below it what exactly was computed.

        Args:
            intervals: Whether they stand behind the numbers.
        """
        grid = self.grid() if intervals else self.grid().bare()
        header = [_latex(text) for text in grid.header]
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
        """The table in a notebook."""
        grid = self.grid()
        head = _html(map(html.escape, grid.header), grid.named, "th")
        escaped = grid.escaped(html.escape, ("<b>", "</b>"))
        body = "".join(_html(row, grid.named) for row in escaped)
        meaning = f"<div>{html.escape(grid.meaning)}</div>" if grid.bold else ""
        notes = "".join(f"<div><code>{html.escape(note)}</code></div>" for note in grid.notes)
        table = f"<thead>{head}</thead><tbody>{body}</tbody>"
        style = "font-variant-numeric:tabular-nums"
        return f'<table style="{style}">{table}</table>{meaning}{notes}'


def frame(rows: Sequence[dict[str, Any]]) -> Any:
    """A ``pandas.DataFrame``, a row each; columns in which there is nothing are left out."""
    import pandas as pd  # type: ignore[import-untyped]

    return pd.DataFrame(rows).dropna(axis="columns", how="all")


def delimited(
    records: Sequence[Mapping[str, Any]], delimiter: str = ",", *, head: bool = True
) -> str:
    """Records as CSV or TSV, a row each below the names of their columns.

    All texts stand in quotes, so that tabs and line breaks in them come back; quotes in them are
    doubled. A list or a mapping is written as JSON, None as an empty cell.

    Args:
        records: Column → value, all with the columns of the first.
        delimiter: What stands between cells.
        head: Whether names stand above.

    >>> print(delimited([{"system": "ours", "sari": 41.5, "p": None}]), end="")
    "system","sari","p"
    "ours",41.5,""
    """
    file = io.StringIO()
    writer = csv.writer(
        file, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC
    )
    if head:
        writer.writerow(records[0])
    for record in records:
        writer.writerow(
            json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else value
            for value in record.values()
        )
    return file.getvalue()


def json_lines(records: Iterable[Mapping[str, Any]]) -> str:
    """Records as JSON lines.

    >>> json_lines([{"system": "é"}, {"system": None}])
    '{"system": "é"}\\n{"system": null}\\n'
    """
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def without_codes(text: str) -> str:
    r"""The text with terminal codes, but no tabs and line breaks, as escapes.

    >>> print(without_codes("\x1b[31mred"))
    \x1b[31mred
    """
    return _CODES.sub(lambda code: one_line(code[0]), text)


def _piped(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\g<0>", without_codes(re.sub(r"\s+", " ", text)))


def _latex(text: str) -> str:
    written = "".join(_LATEX.get(char, char) for char in without_codes(re.sub(r"\s+", " ", text)))
    written = re.sub(r"(?<![\w-])-(?=\d)", "$-$", written)  # a minus sign, not a hyphen
    written = re.sub(r"-(?=-)", "-{}", written)  # or two would become a dash
    return re.sub(r"^(?=[\[*])", "{}", written)  # or it would belong to the end of the row before


def _html(cells: Iterable[str], named: int, tag: str = "td") -> str:
    """A row: names, and numbers that stand below each other."""
    shown = (
        f'<{tag} style="text-align:{side}; padding:2px 8px">{text}</{tag}>'
        for side, text in zip(chain(["left"] * named, repeat("right")), cells, strict=False)
    )
    return f"<tr>{''.join(shown)}</tr>"
