"""The report's page, made of a template, style sheets and scripts."""

import base64
import functools
import hashlib
import html
import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from textsimp.core.cells import runs
from textsimp.core.metric import group
from textsimp.core.tables import Cell, Grid
from textsimp.corpora import checks
from textsimp.corpora.checks import Finding
from textsimp.metrics import citations
from textsimp.metrics import description as describe
from textsimp.report import examples, marks, plots, score_tables, templates
from textsimp.report.measurements import EDITS, STATS, Report, Tell, score_examples
from textsimp.scoring import headlines, verdict
from textsimp.scoring.published import Field, find_field
from textsimp.scoring.ranking import EQUAL, Ranking, aligns, number
from textsimp.scoring.systems import KEPT_PERCENT, UNCHANGED
from textsimp.support import addresses
from textsimp.support.version import __version__

_STYLES = ("page.css", "checks.css", "tables.css", "scores.css", "plots.css", "examples.css")
_EXAMPLES = ("state.js", "find.js", "cards.js", "download.js", "examples.js")
_TABLES = ("tables.js", "systems.js")
_SCRIPTS = ("page.js", *_EXAMPLES, *_TABLES, "plots.js", "pairs.js")  # each uses those before it

_METHOD_PAPERS = (  # paired tests, their number, truncation
    "koehn-2004-statistical",
    "holm-1979-simple",
    "martin-etal-2022-muss",
)

STEPS = ("tests", "plots", "examples")
"""The steps that `render` names."""


def render(
    report: Report,
    count: int,
    heading: Mapping[str, str],
    findings: Sequence[Finding] | None,
    tell: Tell = str,
    *,
    published: bool = False,
    changes: Mapping[str, Any] | None = None,
) -> str:
    """Render the page.

    Args:
        report: All numbers.
        count: The number of examples in each group.
        heading: ``title`` and ``description``.
        findings: Findings of data checks; None without checks.
        tell: Is called with each of `STEPS`.
        published: Whether to show published systems.
        changes: What changed since an earlier report.
    """
    tell("tests")
    field, others = _published(report) if published else ({}, None)
    parts: dict[str, Any] = {
        "checks": None if findings is None else _checks(findings, report),
        "unsound": score_tables.unsound_outputs(findings, report) if findings else None,
        "since": changes,
        "verdict": _verdict(report, findings or (), field),
        "systems": _systems(report),
        "tests": _tests(report),
        "published": others,
        "ratings": report.ratings.contents(report) if report.ratings else None,
    }
    tell("plots")
    facts = score_tables.describe_sources(report)
    parts["test_set"] = {"facts": facts, "lengths": plots.lengths(report)}
    parts["texts"] = _texts(report)
    tell("examples")
    parts["examples"] = examples.contents(report, count)
    return _render(parts, report, heading)


def _render(parts: Mapping[str, Any], report: Report, heading: Mapping[str, str]) -> str:
    """Render the template; each of its parts reads the entry of its name."""
    # ``</script`` would end a script in a page.
    script = "".join(map(templates.read, _SCRIPTS)).replace("</script", "<\\/script")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    sizes = score_tables.describe_texts(report)
    return templates.render(
        "page.html",
        **parts,
        report=report,
        heading=heading,
        sizes=sizes,
        cite=_cite(report),
        copies=functools.partial(_copies, report, sizes[1]),
        isolate=_isolating(report.systems),
        addresses=addresses.links(),
        version=__version__,
        style=marks.style() + "".join(map(templates.read, _STYLES)),
        script=script,
        # Nothing but this script runs, and nothing is loaded from anywhere.
        policy=f"default-src 'none'; script-src 'sha256-{digest}'; "
        "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    )


# Parts of the page -------------------------------------------------------------------------------


def _systems(report: Report) -> dict[str, Any]:
    """Return the table of systems, its parts for papers, and a typical output of each system."""
    shown = score_tables.systems_table(report)
    ratings = report.ratings if {*report.criteria} & {*report.judging} else None
    caption = "Scores by references"
    if ratings is not None:
        caption += ", and by raters"
    notes = [] if ratings is None else [ratings.note]
    scores = {name: report.columns[name] for name in report.judging}
    texts = {name: report.columns[name] for name in report.describing}
    parts = [score_tables.table(report, "scores", caption, scores, notes)] if scores else []
    parts.append(score_tables.table(report, "description", "What the texts are like", texts))
    counts = [len(row) for row in report.texts.references or [[]]]
    return {
        "table": shown,
        "plot": plots.overview(parts[0], report.rows, report.sampling["confidence"]),
        "parts": parts,
        "behind": any(cell.behind for row in shown.rows for cell in row),
        "rounds": min(counts) if min(counts) > 1 else 0,
        "kept_percent": KEPT_PERCENT,
        "people_page": describe.PEOPLE_PAGE,
        "outputs": _typical_outputs(report),
        "deciding": examples.deciding_example(report),
    }


def _typical_outputs(report: Report) -> list[dict[str, Any]]:
    """Return a typical output of each system: its example, and its edits as HTML.

    The example is 0 if the system copies all sources.
    """
    typical, sources = [], report.texts.shared["sources"]
    for name in report.systems:
        compression = report.example_scores[STATS][name]["compression_ratio"]
        changed = report.example_scores[EDITS][name]["change_percentage"]
        example, marked = examples.typical_example(compression, changed, sources), ""
        if example is not None:
            output = report.texts.predictions(name)[example]
            (marked,) = marks.mark_html([sources[example]], [output])
        number = 0 if example is None else example + 1
        typical.append({"name": name, "example": number, "marked": marked})
    return typical


def _checks(findings: Sequence[Finding], report: Report) -> dict[str, Any]:
    """Return the findings of data checks, each with a link to its examples, if they are shown."""
    groups, links = group(report.texts.systems, report.texts.runs), []
    shown = {own[0]: name for name, own in groups.items()}
    for finding in findings:
        system = shown.get(finding.systems[0]) if len(finding.systems) == 1 else None
        lines = ",".join(runs(finding.examples))
        if finding.systems and shown.keys().isdisjoint(finding.systems):
            lines = ""  # of other runs
        links.append((finding, examples.link(system=system, lines=lines) if lines else ""))
    problems = any(finding.gravity != "note" for finding in findings)
    return {"findings": links, "summary": checks.summary(findings), "problems": problems}


def _verdict(report: Report, findings: Sequence[Finding], field: Field) -> dict[str, Any]:
    """Return the verdict, what each metric says, and an example."""
    statements = [_describe(report, name, ranking) for name, ranking in report.rankings.items()]
    if report.ratings is not None:
        statements += [[sentence] for sentence in report.ratings.sentences(report)]
    realigned = {}
    if report.ranked_by:
        measured = report.statistics[report.ranked_by[0]]
        realigned = verdict.score_realigned(findings, report.texts, measured)
    first = next(iter(report.rankings), "")
    scores = {name: own[first].value for name, own in field.items() if first in own}
    rankings = report.rankings.values()
    return {
        "sentences": verdict.write(rankings, report.unranked, realigned, findings, scores),
        "statements": statements,
        "people": [_describe_people(report, name) for name in report.ranked_by],
    }


def _describe(report: Report, name: str, ranking: Ranking) -> list[str]:
    """Say what a metric or a criterion says of systems."""
    headline, *more = headlines.describe(ranking)
    if report.ratings is not None:
        headline = report.ratings.caution(name) + headline
    comparison = ranking.comparison
    rest = {*ranking.scores, *comparison.baselines, *report.unranked}
    undefined = [system for system in comparison.systems if system not in rest]
    if undefined and ranking.scores:
        more.append(f"{ranking.label} is undefined for {headlines.join(undefined)}.")
    return [headline, *more]


def _describe_people(report: Report, name: str) -> tuple[str, str]:
    """Return a metric's title, and how well it agrees with people."""
    metric, people = report.metrics[name], report.metrics[name].people
    if metric.reads == "sentences" and (report.documents or aligns(metric)):
        people += "; on sentences, not documents"
    return metric.scores[0].title, people


def _tests(report: Report) -> dict[str, Any] | None:
    """Return the tests of all pairs: as matrices of few systems, and as data for scripts."""
    by_metrics = {name: own for name, own in report.rankings.items() if name not in report.criteria}
    many = any(len(own.scores) > score_tables.MATRIX_SYSTEMS for own in by_metrics.values())
    drawn = [] if many else [score_tables.matrix(name, own) for name, own in by_metrics.items()]
    matrices = [*filter(None, drawn)]
    if not many and not matrices:
        return None
    return {"matrices": matrices, "data": examples.pack(score_tables.tests(report))}


def _published(report: Report) -> tuple[Field, dict[str, str]]:
    """Return published scores by the same signatures; a remark, how many are ahead, and a table."""
    metrics = report.ranked_by
    own_scores = {name: report.comparisons[name].systems for name in metrics}
    confidence = report.sampling["confidence"]
    field, remark = find_field(report.texts, own_scores, report.systems, confidence)
    if not field:
        return field, {"remark": remark, "ahead": "", "table": ""}
    heads = [report.metrics[name].heading(report.metrics[name].scores[0].title) for name in metrics]
    rows: list[list[Any]] = [[name] for name in field]
    for row, own in zip(rows, field.values(), strict=True):
        row += [Cell.of(own[m].value, own[m].interval, 2) if m in own else "" for m in metrics]
    ahead, ranking = "Published systems", report.rankings.get(report.judging[0])
    if ranking is not None and ranking.scores:
        column, best = ranking.column, ranking.scores[ranking.top]
        scores = {name: column.scale * own[metrics[0]].value for name, own in field.items()}
        above = [name for name in scores if column.gain(scores[name] - best) > EQUAL]
        nearest = min(above or scores, key=lambda name: abs(scores[name] - best))
        verb = "are" if len(above) > 1 else "is"
        ahead = (
            f"{len(above) or 'None'} of {len(field)} published systems {verb} ahead; the nearest, "
            f"{nearest}, has {number(scores[nearest], 2)}"
        )
    return field, {"remark": remark, "ahead": ahead, "table": Grid(["", *heads], rows).to_html()}


def _texts(report: Report) -> dict[str, Any]:
    """Return the plots of what systems do to the texts."""
    profiles = dict[str, plots.Plot]()
    for name in report.describing:
        rows = {row: report.values[name].get(row, {}) for row in report.rows}
        profiles |= plots.profiles(report.metrics[name], rows)
    edits = {
        row: {score: counted.value for score, counted in report.values[EDITS][row].items()}
        for row in report.rows
        if row != UNCHANGED
    }
    scores = {n: score_examples(report.statistics[n], report.texts) for n in (STATS, EDITS)}
    drawn = [row for row, kind in report.rows.items() if kind != "baseline"]
    distributions = [
        (what, plots.distribution(what, {row: scores[what.metric][row][what.key] for row in drawn}))
        for what in plots.DISTRIBUTIONS
    ]
    return {
        "distributions": distributions,
        "edits": plots.operations(edits),
        "profiles": profiles,
        "pair": score_tables.first_pair(report),
        "has_meaning": any(metric.meaning for metric in report.metrics.values()),
    }


def _cite(report: Report) -> dict[str, Any]:
    """Return signatures, papers, and what `textsimp statement` reads of the page."""
    papers = [key for metric in report.metrics.values() for key in citations.papers(metric)]
    entries = citations.bibtex([*papers, *_METHOD_PAPERS])
    provenance = {  # keys of ``textsimp score --json``
        "version": __version__,
        "examples": len(report.texts),
        **report.sampling,
        "signatures": {n: s for n, s in report.signatures.items() if n not in report.criteria},
        "pairs": len(report.systems) > 1,
        "runs": {name: len(runs) for name, runs in report.texts.runs.items()},
    }
    return {
        "signatures": [*dict.fromkeys(report.signatures.values())],
        "bibtex": "\n\n".join([*entries, citations.TEXTSIMP]),
        "provenance": json.dumps(provenance),
    }


# Functions of the template -----------------------------------------------------------------------


def _copies(report: Report, references: str, table: Grid) -> dict[str, str]:
    """Return a table in LaTeX and Markdown, with full names of systems, and a text on methods."""
    rows = [[replace(name, text=name.about or name.text), *cells] for name, *cells in table.rows]
    whole = replace(table, header=["", *table.header[1:]], rows=rows)
    signatures = [note for note in table.notes if "|" in note]
    texts = f"{len(report.texts):,} examples, {references}"
    runs = bool(report.texts.runs)
    methods = headlines.describe_methods(signatures, texts, runs=runs, **report.sampling)
    return {"LaTeX": whole.to_latex(), "Markdown": whole.to_markdown(), "methods": methods}


def _isolating(names: Sequence[str]) -> Callable[[str], str]:
    """Return a filter that escapes a sentence, and isolates names from right to left in it."""
    written = [n for n in names if {"R", "AL"} & {*map(unicodedata.bidirectional, n)}]
    longest = sorted(map(html.escape, written), key=len, reverse=True)
    pattern = "|".join(map(re.escape, longest)) or "(?!)"
    return lambda text: re.sub(pattern, r"<bdi>\g<0></bdi>", html.escape(text))
