"""Tables in LaTeX that fit a column or a page of a two-column paper.

Widths are estimated by those of Computer Modern, which is wider than Times.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, product, zip_longest
from typing import TYPE_CHECKING, TypeAlias

from textsimp.core.cells import Cell, fit_columns, number
from textsimp.support.errors import one_line

if TYPE_CHECKING:
    from textsimp.core.tables import Grid

__all__ = ["escape", "write_table"]

_ROOMS = {"table": 219, "table*": 455}  # points of a column and of a page
_HEIGHT = 420  # points of a page without the caption
_GAP = 8  # points between columns
_NAME, _HEAD = 60, 45  # points of a column of names, and of a heading's line, at least
# Sizes: points of an em and of a line; the size of intervals, and points of its em.
_SIZES = {
    "small": (9.25, 11, "scriptsize", 8.0),
    "footnotesize": (8.5, 9.5, "scriptsize", 8.0),
    "scriptsize": (8.0, 8, "tiny", 6.8),
}
_PLACES = ("beside", "below", "half", "none")  # of intervals
_WIDTHS = {  # of characters, in ems
    **dict.fromkeys(".,:;!'|il[]()j", 0.3),
    **dict.fromkeys(" -_frst", 0.4),
    **dict.fromkeys("%m−+±=<>≤≥ABCDEFGHKLNOPQRSTUVXYZ", 0.83),
    **dict.fromkeys("0123456789*↑↓", 0.5),
    **dict.fromkeys("MW", 1.03),
}
# What pdfLaTeX lacks, in T1 fonts, too.
_FOREIGN = re.compile(
    "[\u0180-\u01cc\u01d5-\u01e5\u021c-\u1fff\u2027-\u2038\u203b-\u20ab\u20ad-\U0010ffff]"
)
_T1 = re.compile("[«»ÐÞðþĄąĐđĘęĮįŊŋŲų‚„‹›]")  # what its first fonts lack
_PART = re.compile(r"\s*[^\s/_:\\-]{1,20}[/_:\\-]*(?: [↑↓])?|\s*[/_:\\-]+")  # lines break after it

_Line: TypeAlias = tuple[tuple[str, str], ...]
"""A line of a cell: pieces of text, each with its command or none."""

_INDENT = (" ", "quad")  # of the further lines of a name

_COMMANDS = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": "$<$",
    ">": "$>$",
    "±": r"$\pm$",
    "†": r"$^{\dagger}$",
    "‡": r"$^{\ddagger}$",
    "§": r"$^{\S}$",
    "¶": r"$^{\P}$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "→": r"$\to$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "−": "$-$",
    "×": r"$\times$",
    "α": r"$\alpha$",
    "κ": r"$\kappa$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
}


def escape(text: str) -> str:
    """Write a text on one line so that LaTeX shows its characters."""
    text = one_line(unicodedata.normalize("NFC", re.sub(r"\s+", " ", text)))
    text = re.sub(r"(?<![\w-])-(?=\d)", "−", text)  # a minus sign, not a hyphen
    text = "".join(_COMMANDS.get(char, char) for char in text).replace("$>$=", r"$\geq$")
    text = re.sub(r"-(?=-)", "-{}", text)  # LaTeX sets two hyphens as a dash
    return re.sub(r"^(?=[\[*])", "{}", text)  # LaTeX reads [ and * after \\ as its arguments


class _Setting:
    """A table in a layout: lines of its cells, and which columns stand beside each other.

    A layout has an environment, a size and a place of intervals.
    """

    def __init__(self, grid: Grid, layout: tuple[str, str, str]) -> None:
        self.environment, self.size, self.place = layout
        self.named, room = grid.named, _ROOMS[self.environment]
        em, leading, self.small, small_em = _SIZES[self.size]
        self.ems = {"": em, "textbf": 1.15 * em, self.small: small_em, "quad": 2.5 * em}
        header, *rows = cells = grid.cells
        self.columns = []  # of cells, each with its lines
        for j, head in enumerate(header):
            body = [self._lines(row[j]) for row in rows]
            width = self._width(chain.from_iterable(body))
            self.columns.append([self._wrap(head.text, max(width, _HEAD)), *body])
        widths = self._widths()
        for j in sorted(range(grid.named), key=widths.__getitem__, reverse=True):
            spare = room - sum(widths) - _GAP * (len(widths) - 1)
            if spare < 0:
                names = widths[j] + spare
                names = names if names > _NAME else room / 3  # if there are parts, anyway
                self.columns[j] = [self._wrap(row[j].text, names, _INDENT) for row in cells]
                widths = self._widths()
        self.parts = fit_columns(widths, grid.named, grid.joined, room, _GAP)
        metrics = len(header) - grid.named - len(grid.joined)
        allowed = 2 if grid.joined and metrics == 2 and self.environment == "table" else 1
        lines = 1 + sum(max(map(len, row)) for row in zip(*self.columns, strict=True))
        self.faults = (
            any(sum(widths[j] + _GAP for j in part) - _GAP > room for part in self.parts),
            max(0, lines * len(self.parts) * leading - _HEIGHT),
            self.place == "none",
            self.size == "scriptsize",  # only for long tables
            max(0, len(self.parts) - allowed),
        )

    def _widths(self) -> list[float]:
        return [self._width(chain.from_iterable(column)) for column in self.columns]

    def _width(self, lines: Iterable[_Line]) -> float:
        """Return the points that the widest of these lines takes."""
        widths = (sum(self.ems[c] * _ems(text) for text, c in line) for line in lines)
        return max(widths, default=0)

    def _wrap(self, text: str, room: float, *indent: tuple[str, str]) -> list[_Line]:
        """Break a text into lines that fit ``room``, after spaces and the parts of names."""
        lines: list[_Line] = [(("", ""),)]
        for part in _PART.findall(text):
            *before, (line, _) = lines[-1]
            longer: _Line = (*before, (line + part, ""))
            if line and self._width([longer]) > room:
                lines.append((*indent, (part.lstrip(), "")))
            else:
                lines[-1] = longer
        return lines

    def _lines(self, cell: Cell) -> list[_Line]:
        """Return a number with its interval beside it, below it, or as half its width."""
        text = (cell.text, "textbf" if cell.bold else "")
        small = [line for line in cell.small if line]
        if self.place == "half" and cell.bounds and small:
            decimals = len(cell.text.partition(".")[2].rstrip("†‡§¶"))
            half = number((cell.bounds[1] - cell.bounds[0]) / 2, decimals)
            small = small[1:] or [f"± {half}"]
        if self.place == "none" and cell.bounds:
            small = small[1:]
        if self.place == "below":
            return [(text,), *(((line, self.small),) for line in small)]
        return [(text, *((f" {line}", "") for line in small))]

    def write(self, baselines: Collection[int]) -> Iterator[list[str]]:
        """Return the lines of each part of the table, with the rows of baselines behind a rule."""
        gap = "[-2pt]" if self.size == "small" else ""
        for part in self.parts:
            heads, *rows = map(list, zip(*(self.columns[j] for j in part), strict=True))
            highest = max(map(len, heads))
            names = sum(j < self.named for j in part)
            lines = [rf"\begin{{tabular}}{{@{{}}{'l' * names}{'r' * (len(part) - names)}@{{}}}}"]
            heads = [[*[()] * (highest - len(head)), *head] for head in heads]
            lines += [r"\toprule", _row(heads, gap)]
            systems = [row for i, row in enumerate(rows) if i not in baselines]
            for group in (systems, [rows[i] for i in baselines]):
                if group:
                    lines += [r"\midrule", *(_row(row, gap) for row in group)]
            yield [*lines, r"\bottomrule", r"\end{tabular}"]


@functools.lru_cache(65536)
def _ems(text: str) -> float:
    return sum(_WIDTHS.get(char, 1 if _FOREIGN.match(char) else 0.56) for char in text)


def _row(cells: Iterable[Sequence[_Line]], gap: str) -> str:
    """Write a row of cells, which may have several lines with a ``gap`` between them."""
    rows = [
        " & ".join("".join(map(_piece, line)) for line in lines)
        for lines in zip_longest(*cells, fillvalue=())
    ]
    return f" \\\\{gap}\n".join(rows) + r" \\"


def _piece(piece: tuple[str, str]) -> str:
    text, command = escape(piece[0]), piece[1]
    if command == "textbf":
        return rf"\textbf{{{text}}}"
    return rf"{{\{command} {text.removeprefix('{}')}}}" if command else text


def break_signatures(text: str) -> str:
    """Let lines of escaped text break after each |."""
    return text.replace("textbar{}", r"textbar{}\allowbreak{}")


def _sentence(text: str) -> str:
    """Write a sentence or a signature, which lines break after its |, but no number."""
    stop = "" if "|" in text or text.endswith(".") else "."
    text = break_signatures(escape(text + stop))
    return re.sub(r"p (\$\S+\$) (?=\d)", r"p~\1~", text.replace(r" \%", r"~\%"))


def _choose_setting(grid: Grid) -> _Setting:
    """Return the first setting without a fault, or else the one with the least."""
    settings = []
    smallest = [*_SIZES][-1:]
    too_long = (1 + len(grid.rows)) * _SIZES[smallest[0]][1] > _HEIGHT  # in each setting
    for layout in product(_ROOMS, smallest if too_long else _SIZES, _PLACES):
        settings.append(_Setting(grid, layout))
        if not any(settings[-1].faults):
            break
    return min(settings, key=lambda setting: setting.faults)


def write_table(grid: Grid) -> str:
    """Write a table for booktabs with its caption: as wide as a column, or else a page.

    Intervals stand beside the numbers, or else below them, or else as half their widths; if a
    page is too short for that, they are left out. A table that is wider has several parts.
    """
    setting = _choose_setting(grid)
    brackets = grid.brackets
    if setting.place == "half":
        brackets = brackets or "In brackets: intervals."
        brackets = brackets.replace("In brackets:", "After ±: half the widths of")
    if setting.place == "none":
        brackets = "Intervals are left out, since they do not fit."
    title = grid.about or (grid.caption and f"{grid.caption}.")
    sentences = "\n".join(map(_sentence, filter(None, (title, brackets, *grid.below))))
    apart = [i for i, (name, *_) in enumerate(grid.cells[1:]) if name.text in grid.baselines]
    lines = [
        rf"\begin{{{setting.environment}}}",
        rf"\centering\{setting.size}\setlength{{\tabcolsep}}{{{_GAP / 2:g}pt}}",
        "\n\\par\\medskip\n".join("\n".join(part) for part in setting.write(apart)),
        *([rf"\caption{{\protect\raggedright {sentences}}}"] if sentences else []),
        rf"\end{{{setting.environment}}}",
    ]
    text = "".join(lines)
    foreign = "".join(sorted({*_FOREIGN.findall(text)}))
    accented = "".join(sorted({*_T1.findall(text)}))
    if setting.faults[1]:
        lines.insert(0, "% Longer than a page: choose fewer systems or metrics")
    if accented and not foreign:
        lines.insert(0, rf"% Load \usepackage[T1]{{fontenc}} for {accented}")
    if foreign:
        lines.insert(0, f"% Compile with XeLaTeX or LuaLaTeX, in a font that has {foreign}")
    return "\n".join(lines) + "\n"
