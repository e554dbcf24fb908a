"""What pages show, as HTML. Every text is escaped here and nowhere else."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import resources

from textsimp import marks, tables
from textsimp.report import linked, plots, words
from textsimp.scores import Value

_LONG = 24  # characters of a cell, from which on it is broken into lines

_STYLE = """
.virtual-row { font-family: var(--font) !important; }
.virtual-row .cell-wrap { align-items: flex-start; }
.ts { color-scheme: light; --ink: var(--body-text-color); color: var(--ink); font-size: 1rem;
  line-height: 1.5; overflow-wrap: anywhere; }
.dark .ts { color-scheme: dark; }
.ts h1 { font-size: 1.6rem; margin: 0; font-weight: 600; }
.ts h2 { font-size: 1.05rem; margin: 1.2rem 0 .4rem; font-weight: 600; }
.ts p { margin: .3rem 0; }
.ts .quiet { opacity: .75; font-size: .9rem; }
.ts .scroll { overflow-x: auto; }
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
.ts.outdated { margin: 0 0 .6rem; padding: .4rem .9rem; border-radius: 8px;
  border: 2px dashed var(--delete-ink); color: var(--delete-ink); }
.ts.outdated:empty { display: none; }
.ts.outdated:not(:empty) ~ * { opacity: .65; filter: grayscale(1); }
.ts .problem { border: 1px solid #d92d20; border-left-width: 6px; border-radius: 8px;
  padding: .6rem .9rem; }
.ts .example { border: 1px solid var(--border-color-primary); border-radius: 8px;
  padding: .6rem .9rem; margin: .6rem 0; }
.ts .example h3 { font-size: .85rem; font-weight: 400; margin: 0 0 .3rem; }
.ts .example small { font-size: .85rem; }
.ts .example p { white-space: pre-wrap; position: relative; }
.ts .plots { display: flex; flex-wrap: wrap; gap: 1rem 2rem; margin: 1rem 0; }
.ts svg { max-width: 100%; height: auto; }
.ts a.download { display: inline-block; padding: .4rem .9rem; border-radius: 8px;
  border: 1px solid var(--border-color-primary); color: var(--link-text-color);
  text-decoration: none; }
"""


def heading(title: str, description: str) -> str:
    """The top of a page, with the style of everything below."""
    shared = resources.files("textsimp.report").joinpath("shared.css").read_text(encoding="utf-8")
    return (
        f"<style>{shared}{linked.style()}{words.style()}{_STYLE}</style>"
        f'<div class="ts"><h1>{escape(title)}</h1><p>{escape(description)}</p></div>'
    )


def box(*parts: str) -> str:
    """Parts of a page, one below the other."""
    return f'<div class="ts">{"".join(parts)}</div>'


def answer(number: str, content: str) -> str:
    """Results with the number of the answer that they are, see `textsimp.demo.page.answered`."""
    return f'<div data-answer="{escape(number)}">{content}</div>'


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


def lists(rows: Sequence[tuple[str, Value]]) -> str:
    """A table of scores that are lists: a row has a name, numbers, and the interval of each."""
    body = []
    for name, found in rows:
        decimals = tables.places(found.value)
        shown = [tables.number(value, decimals) for value in found.value]
        bounds = found.interval or ()
        below = [f"<br><small>{tables.interval(b, decimals)}</small>" for b in bounds]
        cells = "".join(
            f"<td>{value}{small}</td>"
            for value, small in zip(shown, below or [""] * len(shown), strict=True)
        )
        body.append(f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>')
    most = max(len(found.value) for _, found in rows)
    head = "".join(f'<th scope="col">{i + 1}</th>' for i in range(most))
    return (
        f'<div class="scroll"><table class="lists"><thead><tr><th scope="col">score</th>{head}</tr>'
        f"</thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def example(about: Sequence[str], *texts: str, below: str = "") -> str:
    """An example: what it is and its score; texts that are HTML already; and what is no text."""
    what, score = about
    body = "".join(f"<p>{text}</p>" for text in texts) + below
    return f'<div class="example"><h3>{escape(what)} <b>{escape(score)}</b></h3>{body}</div>'


def labelled(about: Sequence[str], text: str) -> str:
    """A text that is HTML already, after whose it is and its score."""
    who, score = about
    return f"<small>{escape(who)} <b>{escape(score)}</b></small>\n{text}"


def legend(target: str = "prediction", of: str = marks.LEGEND) -> str:
    """What marks mean."""
    return f'<p class="quiet">From source to {target}: {of}</p>'


def figures(specs: Mapping[str, plots.Spec], width: int) -> str:
    """Plots side by side: what each shows, in words → its specification."""
    drawn = "".join(plots.svg(spec, width, text) for text, spec in specs.items())
    return f'<div class="plots">{drawn}</div>'


def download(name: str, content: bytes, kind: str, label: str) -> str:
    """A link to a file that lies in the page itself, so none is kept on the server."""
    data = base64.b64encode(content).decode()
    return (
        f'<a class="download" download="{escape(name)}" href="data:{kind};base64,{data}">'
        f"{escape(label)}</a>"
    )
