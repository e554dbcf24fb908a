"""What pages show, as HTML. Every text is escaped here and nowhere else."""

from __future__ import annotations

import base64
import io
import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from textsimp.text.alignment import KEEP, operations

_WORD = re.compile(r"""\s*(?:[.,;:!?…()\[\]"“”«»]|[^\s.,;:!?…()\[\]"“”«»]+)""")

_LONG = 24  # characters of a cell, from which on it is broken into lines

_STYLE = """
.virtual-row { font-family: var(--font) !important; }
.virtual-row .cell-wrap { align-items: flex-start; }
.ts { font-size: 1rem; line-height: 1.5; color: var(--body-text-color); overflow-wrap: anywhere; }
.ts h1 { font-size: 1.6rem; margin: 0; font-weight: 600; }
.ts h2 { font-size: 1.05rem; margin: 1.2rem 0 .4rem; font-weight: 600; }
.ts p { margin: .3rem 0; }
.ts .quiet { opacity: .75; font-size: .9rem; }
.ts .scroll { overflow-x: auto; }
.dark .ts .scroll { color-scheme: dark; }
.ts table { font-size: .92rem; border-collapse: collapse; overflow-wrap: normal;
  font-variant-numeric: tabular-nums; }
.ts th, .ts td { padding: .25rem .7rem .25rem 0; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--border-color-primary); font-weight: 400; }
.ts th { white-space: normal; line-height: 1.2; }
.ts thead th { vertical-align: bottom; }
.ts th:first-child, .ts td:first-child { text-align: left; }
.ts .lists { margin-top: 1rem; }
.ts .lists tbody > tr > * { vertical-align: top; line-height: 1.5; }
.ts .lists small { font-size: .8rem; opacity: .75; }
.ts td.long { white-space: normal; min-width: 8rem; }
.ts tbody tr.main > * { font-weight: 600; }
.ts code { font-size: .85rem; user-select: all; display: block; padding: .5rem .7rem;
  background: var(--background-fill-secondary); border-radius: 8px; }
.ts .problem { border: 1px solid #d92d20; border-left-width: 6px; border-radius: 8px;
  padding: .6rem .9rem; }
.ts .example { border: 1px solid var(--border-color-primary); border-radius: 8px;
  padding: .6rem .9rem; margin: .6rem 0; }
.ts .example h3 { font-size: .85rem; font-weight: 400; margin: 0 0 .3rem; }
.ts .example small { font-size: .85rem; }
.ts .example p { white-space: pre-wrap; }
.ts del { color: #b42318; background: #fdecea; text-decoration: line-through; }
.ts ins { color: #05603a; background: #e3f6ec; text-decoration: underline;
  text-underline-offset: .2em; }
.ts del + ins { margin-left: .15em; }
.dark .ts del { color: #ffa198; background: #4d1f1f; }
.dark .ts ins { color: #7ee2a8; background: #123d29; }
.ts img { max-width: 100%; width: 36rem; background: white; border-radius: 8px;
  margin: .8rem 0; }
.ts .plots { display: flex; flex-wrap: wrap; gap: 1rem 2rem; margin: 1rem 0; }
.ts svg { max-width: 100%; height: auto; }
.ts svg text { fill: currentColor; font-size: 13px; }
.ts svg .quiet { font-size: 12px; }
.ts svg .grid { stroke: var(--border-color-primary); }
.ts svg .mark { stroke: #2563eb; fill: #2563eb; }
.dark .ts svg .mark { stroke: #7aa7ff; fill: #7aa7ff; }
.ts a.download { display: inline-block; padding: .4rem .9rem; border-radius: 8px;
  border: 1px solid var(--border-color-primary); color: var(--link-text-color);
  text-decoration: none; }
"""


def heading(title: str, description: str) -> str:
    """The top of a page, with the style of everything below."""
    return (
        f'<style>{_STYLE}</style><div class="ts"><h1>{escape(title)}</h1>'
        f"<p>{escape(description)}</p></div>"
    )


def box(*parts: str) -> str:
    """Parts of a page, one below the other."""
    return f'<div class="ts">{"".join(parts)}</div>'


def title(text: str) -> str:
    """The title of a part."""
    return f"<h2>{escape(text)}</h2>"


def note(text: str) -> str:
    """A remark, or nothing."""
    return f'<p class="quiet">{escape(text)}</p>' if text else ""


def problem(text: str) -> str:
    """What is wrong with the input."""
    return f'<p class="problem" role="alert">{escape(text)}</p>'


def signature(text: str) -> str:
    """A signature: one click selects it."""
    return f'<p class="quiet">Print the signature with the score:</p><code>{escape(text)}</code>'


def table(header: Sequence[str], rows: Iterable[Sequence[str]], main: int = 0) -> str:
    """A table, whose first ``main`` rows stand out."""
    head = "".join(f'<th scope="col">{escape(cell).replace("_", "_<wbr>")}</th>' for cell in header)
    body = []
    for i, (first, *cells) in enumerate(rows):
        kind = ' class="main"' if i < main else ""
        wide = [' class="long"' if len(cell) > _LONG else "" for cell in cells]
        others = "".join(
            f"<td{long}>{escape(cell)}</td>" for long, cell in zip(wide, cells, strict=True)
        )
        body.append(f'<tr{kind}><th scope="row">{escape(first)}</th>{others}</tr>')
    return (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def lists(rows: Sequence[tuple[str, Sequence[float], Sequence[Sequence[float]] | None]]) -> str:
    """A table of scores that are lists: a row has name, values, and the interval of each."""
    body = []
    for name, values, bounds in rows:
        decimals = places(values)
        shown = [number(value, decimals) for value in values]
        below = [f"<br><small>{interval(b, decimals)}</small>" for b in bounds or ()]
        cells = "".join(
            f"<td>{value}{small}</td>"
            for value, small in zip(shown, below or [""] * len(shown), strict=True)
        )
        body.append(f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>')
    most = max(len(values) for _, values, _ in rows)
    head = "".join(f'<th scope="col">{i + 1}</th>' for i in range(most))
    return (
        f'<div class="scroll"><table class="lists"><thead><tr><th scope="col">score</th>{head}</tr>'
        f"</thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def example(about: Sequence[str], *texts: str) -> str:
    """An example: what it is and its score; and texts that are HTML already."""
    what, score = about
    body = "".join(f"<p>{text}</p>" for text in texts)
    return f'<div class="example"><h3>{escape(what)} <b>{escape(score)}</b></h3>{body}</div>'


def labelled(about: Sequence[str], text: str) -> str:
    """A text that is HTML already, after whose it is and its score."""
    who, score = about
    return f"<small>{escape(who)} <b>{escape(score)}</b></small>\n{text}"


def legend(target: str = "prediction") -> str:
    """What the marks of `edits` mean."""
    return f'<p class="quiet">From source to {target}: <del>deleted</del>, <ins>inserted</ins></p>'


def picture(figure: Any, text: str) -> str:
    """A matplotlib figure, and what it shows in words."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=144)
    data = base64.b64encode(file.getvalue()).decode()
    return f'<img src="data:image/png;base64,{data}" alt="{escape(text)}">'


def edits(source: str, target: str) -> str:
    """The target, with what was deleted from the source and what is new."""
    before, after = _WORD.findall(source), _WORD.findall(target)
    (path,) = operations([_bare(before)], [_bare(after)], "shortest")
    shown = []
    for kept, group in itertools.groupby(path, key=lambda operation: operation[0] == KEEP):
        found = list(group)
        new = [after[j] for code, _, j in found if j is not None]
        if kept:
            shown.append(escape("".join(new)))
            continue
        old = [before[i] for code, i, _ in found if i is not None]
        shown += [_marked("del", "".join(old)), _marked("ins", "".join(new))]
    return "".join(shown).strip()


def interval_plot(scores: Mapping[str, Mapping[str, tuple[float, list[float]]]]) -> str:
    """Scores and their intervals, side by side: score → system → (value, [low, high])."""
    panels = "".join(_panel(name, systems) for name, systems in scores.items())
    return f'<div class="plots">{panels}</div>'


def download(name: str, content: bytes, kind: str, label: str) -> str:
    """A link to a file that lies in the page itself, so none is kept on the server."""
    data = base64.b64encode(content).decode()
    return (
        f'<a class="download" download="{escape(name)}" href="data:{kind};base64,{data}">'
        f"{escape(label)}</a>"
    )


def places(values: Iterable[Any]) -> int:
    """Decimals to show numbers with: two from 2 on or of 0, three below."""
    flat = list(values)
    if all(isinstance(v, int) for v in flat):
        return 0
    return 2 if any(abs(v) >= 2 for v in flat) or not any(flat) else 3


def number(value: float, decimals: int, sign: bool = False) -> str:
    """A score."""
    return f"{value:{'+' if sign else ''},.{decimals}f}"


def interval(bounds: Sequence[float] | None, decimals: int, sign: bool = False) -> str:
    """An interval in brackets, or nothing."""
    if bounds is None:
        return ""
    return f"[{', '.join(number(bound, decimals, sign) for bound in bounds)}]"


def _bare(words: Sequence[str]) -> list[str]:
    return [word.lstrip() for word in words]


def _marked(tag: str, text: str) -> str:
    """Marked text; the white space before it isn't."""
    bare = text.lstrip()
    space = text[: len(text) - len(bare)]
    return f"{space}<{tag}>{escape(bare)}</{tag}>" if bare else ""


def _panel(name: str, systems: Mapping[str, tuple[float, list[float]]]) -> str:
    left, right, row = 140, 330, 24
    bounds = [bound for value, ends in systems.values() for bound in (value, *ends)]
    low, high = min(bounds), max(bounds)
    room = 0.05 * (high - low) or 1.0
    low, high = low - room, high + room
    height = row * len(systems) + 44

    def x(value: float) -> str:
        return f"{left + (right - left) * (value - low) / (high - low):.1f}"

    parts = [f'<text y="14" font-weight="600">{escape(name)}</text>']
    for tick in _ticks(low, high):
        parts.append(
            f'<line class="grid" x1="{x(tick)}" x2="{x(tick)}" y1="22" y2="{height - 20}"/>'
            f'<text class="quiet" text-anchor="middle" x="{x(tick)}" y="{height - 5}">'
            f"{tick:g}</text>"
        )
    for i, (system, (value, ends)) in enumerate(systems.items()):
        y = 34 + row * i
        label = system if len(system) <= 20 else system[:19] + "…"
        parts.append(
            f'<text y="{y + 4}">{escape(label)}</text>'
            f'<line class="mark" stroke-width="2" x1="{x(ends[0])}" x2="{x(ends[1])}" y1="{y}" '
            f'y2="{y}"/><circle class="mark" cx="{x(value)}" cy="{y}" r="4.5"/>'
        )
    return (
        f'<svg viewBox="0 0 {right + 14} {height}" width="{right + 14}" role="img" '
        f'aria-label="{escape(name)} with intervals">{"".join(parts)}</svg>'
    )


def _ticks(low: float, high: float) -> list[float]:
    """Two to five round numbers between two others."""
    step = 10.0 ** math.floor(math.log10((high - low) / 5))
    step *= next(m for m in (1, 2, 5, 10) if (high - low) / (step * m) <= 5)
    return [round(step * i, 12) for i in range(math.ceil(low / step), math.floor(high / step) + 1)]
