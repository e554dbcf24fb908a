"""HTML of the results on pages. Every text is escaped here and nowhere else."""

import base64
import json
from collections.abc import Mapping, Sequence
from html import escape
from importlib import resources
from typing import Any

from textsimp.core import tables
from textsimp.core.declarations import Score
from textsimp.core.examples import Examples
from textsimp.corpora import checks
from textsimp.report import marks, plots

__all__ = ["resource"]


def resource(name: str, package: str = "textsimp.demo") -> str:
    """Return the text of a file in a package."""
    return resources.files(package).joinpath(name).read_text(encoding="utf-8")


OLD = (
    '<p class="old" role="status">These are the results of the earlier input. Ctrl+Enter or the '
    "button computes new ones.</p>"
)
"""Shown only once the input has changed."""


def heading(
    title: str, description: str, remark: str, links: Mapping[str, str], *further: str
) -> str:
    """Return the top of a page, with links, what folds out, and the style of everything below."""
    style = f"<style>{marks.style()}{resource('pages.css')}</style>"
    return style + box(
        f"<h1>{escape(title)}</h1><p>{escape(description)}</p>",
        note(remark),
        f'<p class="quiet">{_links(links)}</p>' if links else "",
        *further,
    )


def other_pages(links: Mapping[str, str], command: str) -> str:
    """Return links to other pages, and the command that installs textsimp; both fold out."""
    return (
        '<details class="quiet"><summary>Other pages, and textsimp on your own machine</summary>'
        f"<p>{_links(links)}</p><code>{escape(command)}</code></details>"
    )


def _links(links: Mapping[str, str]) -> str:
    return " · ".join(
        f'<a href="{escape(address)}" target="_blank">{escape(text)}</a>'
        for text, address in links.items()
    )


def box(*parts: str) -> str:
    return f'<div class="ts">{"".join(parts)}</div>'


def title(text: str) -> str:
    return f"<h2>{escape(text)}</h2>"


def paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>" if text else ""


def note(text: str) -> str:
    """Return a remark; "" without text."""
    return f'<p class="quiet">{escape(text)}</p>' if text else ""


def problem(text: str) -> str:
    return f'<p class="problem" role="alert">{escape(text)}</p>'


def data_checks(data: Examples, notes: bool = True) -> str:
    """Return the findings of data checks, with ``notes`` or without; "" if there are none.

    Without sources only empty outputs are checked.
    """
    systems = {
        name or "the system": own["predictions"]
        for name, own in data.systems.items()
        if "predictions" in own
    }
    if not systems:
        return ""
    findings = checks.run(data.sources or [""] * len(data), data.references, systems)
    if data.sources is None:
        findings = [finding for finding in findings if finding.kind == "empty" and finding.systems]
    findings = [finding for finding in findings if notes or finding.gravity != "note"]
    if not findings:
        return ""
    texts = [str(finding).removeprefix("problem: ") for finding in findings]
    lines = "".join(f"<li>{escape(text)}</li>" for text in texts)
    kind = "quiet" if findings[0].gravity == "note" else "problem"
    return f'<div class="{kind}">Data checks: {checks.summary(findings)}<ul>{lines}</ul></div>'


def signature(text: str) -> str:
    """Return a signature, which a click selects."""
    return f'<p class="quiet">Print the signature with the score:</p><code>{escape(text)}</code>'


def scale(score: Score) -> str:
    """Return a score's unit, range and direction, as far as the metric declares them.

    >>> from textsimp.metrics.sari import Sari
    >>> scale(Sari().find_score("sari"))
    '0–100, higher is better'
    """
    least, most = score.least, score.most
    unit, limits = "" if score.unit == "share" else score.unit, ""
    if least is not None and most is not None:
        limits = f"{least:g}–{most:g}".replace("-", "−")
    elif least is not None and not unit:
        limits = f"from {least:g}".replace("-", "−")
    return ", ".join(filter(None, (unit, limits, score.better and f"{score.better} is better")))


def example(about: Sequence[str], body: str) -> str:
    """Return an example: its name and score, and HTML below them."""
    what, score = about
    return f'<div class="example"><h3>{escape(what)} <b>{escape(score)}</b></h3>{body}</div>'


def legend(target: str = "prediction") -> str:
    """Return the legend of marked edits."""
    return f'<p class="quiet">From source to {target}: {marks.LEGEND}</p>'


def figures(drawn: Mapping[str, plots.Plot]) -> str:
    """Return plots side by side, each below its title: title → plot."""
    pictures = "".join(
        f"<figure><figcaption>{escape(text)}</figcaption>{plot.svg(text)}</figure>"
        for text, plot in drawn.items()
    )
    return f'<div class="plots">{pictures}</div>'


def download(name: str, content: bytes, kind: str, label: str) -> str:
    """Return a link to a file in the page itself, so that the server keeps none."""
    data = base64.b64encode(content).decode()
    return (
        f'<a class="download" download="{escape(name)}" href="data:{kind};base64,{data}">'
        f"{escape(label)}</a>"
    )


def json_link(name: str, data: Any, label: str = "JSON") -> str:
    """Return a link to plain data as JSON, in which NaN and infinity are null."""
    text = json.dumps(tables.finite(data), ensure_ascii=False)
    return download(f"{name}.json", text.encode(), "application/json", label)


def csv_link(name: str, records: Sequence[Mapping[str, Any]], label: str = "CSV") -> str:
    """Return a link to records as CSV; "" if there are none."""
    if not records:
        return ""
    return download(f"{name}.csv", tables.format_csv(records).encode(), "text/csv", label)


def downloads(*links: str) -> str:
    return f'<p class="downloads">{"".join(links)}</p>'
