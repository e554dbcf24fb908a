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
from importlib import resources
from types import MappingProxyType
from typing import Any

from textsimp.core.cells import Cell
from textsimp.core.metric import Metric
from textsimp.core.tables import Grid, breakable, runs
from textsimp.corpora import checks
from textsimp.corpora.checks import Finding
from textsimp.extensions.people.judgements.analysis_results import INTERVALS
from textsimp.extensions.people.report import people
from textsimp.metrics import citations
from textsimp.metrics import description as describe
from textsimp.report import (
    deciding,
    example_data,
    marks,
    permalinks,
    plots,
    report_rows,
    score_tables,
    since,
    system_cards,
    unsound,
)
from textsimp.report.report_rows import Data, Measurements
from textsimp.scoring import headlines, verdict
from textsimp.scoring.headlines import join
from textsimp.scoring.published import Field, find_field
from textsimp.scoring.ranking import Ranking, aligns, judge
from textsimp.support import addresses
from textsimp.support.extras import require
from textsimp.support.version import __version__

_STYLES = (*("page.css", "checks.css", "tables.css", "scores.css", "plots.css", "examples.css"),)
_EXAMPLES = ("state.js", "find.js", "cards.js", "download.js", "examples.js")
_SCRIPTS = ("page.js", "tables.js", *_EXAMPLES, "pairs.js", "plots.js")  # each uses those before it

_OF_METHODS = (  # paired tests, their number, truncation
    "koehn-2004-statistical",
    "holm-1979-simple",
    "martin-etal-2022-muss",
)


STEPS = ("tests", "plots", "examples")
"""What `render` tells of."""


def render(
    measurements: Measurements,
    count: int,
    heading: Mapping[str, str],
    findings: Sequence[Finding] | None,
    tell: report_rows.Tell = str,
    *,
    published: bool = False,
    earlier: since.Earlier | None = None,
) -> str:
    """Render the page, with ``count`` examples in each group; ``tell`` is called with `STEPS`.

    ``findings`` are those of data checks, None without them. ``earlier`` are outputs of a report
    before.
    """
    environment = _environment(require("jinja2", extra="report"))
    # ``</script`` would end a script in a page.
    scripts = [_file(name).replace("</script", "<\\/script") for name in _SCRIPTS]
    digests = (base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    # Nothing but these scripts runs, and nothing is loaded from anywhere.
    policy = (
        f"default-src 'none'; script-src {allowed}; "
        "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    )
    contents: dict[str, Any] = {"check": findings is not None}
    if findings is not None:
        contents |= _checks(findings) | unsound.contents(findings, measurements)
    field, remark = _find_published(measurements) if published else ({}, "")
    contents |= _contents(measurements, count, tell, findings or (), field)
    contents |= {"published": _draw_published(measurements, field), "remark": remark}
    contents["since"] = None if earlier is None else since.contents(measurements, earlier)
    systems = measurements.data.systems
    style = marks.style() + "".join(map(_file, _STYLES))
    page: str = environment.get_template("page.html").render(
        contents,
        full_names={row.name: row.full for row in systems if row.full != row.name},
        copies=functools.partial(_copies, measurements),
        isolate=_isolating([row.name for row in systems]),
        heading=heading,
        addresses=addresses.links(),
        version=__version__,
        style=style,
        scripts=scripts,
        policy=policy,
    )
    return page


@functools.cache
def _environment(jinja2: Any) -> Any:
    """Return the templates, which are compiled once."""
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_file),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["page_address"] = addresses.page
    environment.filters |= {"breakable": breakable, "drawn": _draw_table}
    return environment


def _contents(
    measurements: Measurements,
    count: int,
    tell: report_rows.Tell,
    findings: Sequence[Finding] = (),
    field: Field = MappingProxyType({}),
) -> dict[str, Any]:
    data = measurements.data
    metrics = measurements.metrics.values()
    names = [row.name for row in data.rows]
    edits = dict(zip(names, measurements.values("edit_ops"), strict=True))
    del edits[report_rows.UNCHANGED]
    shares = [score_tables.operation_shares(values) for values in edits.values()]
    papers = [*(key for metric in metrics for key in citations.papers(metric)), *_OF_METHODS]
    tell("tests")
    overview = score_tables.overview_table(measurements)
    cards = system_cards.cards(measurements, overview)
    shown, folded = system_cards.divide(cards, measurements.unranked)
    judging, of_judging = _score_contents(measurements, findings, field)
    tell("plots")
    profiles, distributions = dict[str, plots.Plot](), dict[str, plots.Plot]()
    for name in measurements.describing:
        profiles |= plots.profiles(measurements.metrics[name], measurements.values(name), names)
    texts = [row.name for row in data.rows if row.kind != "baseline"]
    for what in plots.DISTRIBUTIONS:
        values = [measurements.features[what.key][name] for name in texts]
        distributions[what.key] = plots.distribution(what, values, texts)
    tell("examples")
    return {
        **judging,
        **example_data.contents(measurements, count),
        "overview": overview,
        "cards": shown,
        "folded_cards": folded,
        "head": score_tables.head(data),
        "description": score_tables.description_table(measurements),
        "distributions": {what.key: what.label for what in plots.DISTRIBUTIONS},
        "plots": {
            **of_judging,
            "edits": plots.operations(shares, [*edits]),
            **distributions,
            **{f"profile-{i}": plot for i, plot in enumerate(profiles.values())},
        },
        "pair": score_tables.first_pair(measurements),
        "has_meaning": any(metric.name in score_tables.MEANING for metric in metrics),
        "profiles": [*profiles],
        "systems": [row.name for row in data.systems],
        "sampling": measurements.sampling,
        "has_references": data.references is not None,
        "signatures": [*dict.fromkeys(map(measurements.signature, measurements.statistics))],
        "citations": "\n\n".join([*citations.bibtex(papers), citations.TEXTSIMP]),
        "provenance": json.dumps(_provenance(measurements)),
    }


def _provenance(measurements: Measurements) -> dict[str, Any]:
    """Return what `textsimp statement` reads of the page: keys of ``textsimp score --json``."""
    names = [name for name in measurements.statistics if not measurements.is_people(name)]
    return {
        "version": __version__,
        "examples": len(measurements.data.sources),
        **vars(measurements.sampling),
        "signatures": {name: measurements.signature(name) for name in names},
        "pairs": len(measurements.data.systems) > 1,
    }


def _copies(measurements: Measurements, table: Grid) -> dict[str, str]:
    """Return a table as text for a paper, with the full names of systems, and the methods."""
    _, references, _ = score_tables.head(measurements.data)
    rows = [[name.about or name.text, *cells] for name, *cells in table.rows]
    whole = replace(table, header=["", *table.header[1:]], rows=rows)
    signatures = [note for note in table.notes if "|" in note]
    these = f"{len(measurements.data.sources):,} examples, {references}"
    methods = headlines.describe_methods(signatures, these, **vars(measurements.sampling))
    return {"LaTeX": whole.to_latex(), "Markdown": whole.to_markdown(), "methods": methods}


def _by_metrics(measurements: Measurements) -> dict[str, Metric]:
    """Return the metrics with a direction that aren't people's."""
    return {n: m for n, m in measurements.judging.items() if not measurements.is_people(n)}


def _find_published(measurements: Measurements) -> tuple[Field, str]:
    """Return published scores by the same signatures, and a line on them."""
    data, sampling = measurements.data, measurements.sampling
    metrics = _by_metrics(measurements)
    signatures = {name: measurements.signature(name) for name in metrics}
    own = {
        row.name: {
            name: measurements.comparisons[name].systems[row.name].main.value for name in metrics
        }
        for row in data.systems
    }
    return find_field(data.sources, data.references, signatures, sampling.confidence, own)


def _draw_published(measurements: Measurements, field: Field) -> str:
    """Draw the table of published scores."""
    metrics = _by_metrics(measurements)
    heads = [metric.heading(metric.scores[0].title) for metric in metrics.values()]
    rows: list[list[Any]] = [[name] for name in field]
    for row, own in zip(rows, field.values(), strict=True):
        row += [Cell.of(own[m].value, own[m].interval, 2) if m in own else "" for m in metrics]
    return Grid(["", *heads], rows).to_html() if rows else ""


def _checks(findings: Sequence[Finding]) -> dict[str, Any]:
    """Return the findings of data checks, each with a link to its examples."""
    links = []
    for finding in findings:
        one = finding.systems[0] if len(finding.systems) == 1 else None
        lines = ",".join(runs(finding.examples))
        links.append((finding, permalinks.examples(system=one, lines=lines) if lines else ""))
    problems = any(finding.gravity != "note" for finding in findings)
    return {"findings": links, "checked": checks.summary(findings), "problems": problems}


def _score_contents(
    measurements: Measurements, findings: Sequence[Finding], field: Field
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the verdict, and scores, tests and plots of metrics with a direction."""
    data, metrics = measurements.data, measurements.judging
    rankings = judge(measurements.comparisons)
    by_people, plots_of_people = people.contents(measurements, rankings)
    strengths = people.judge_strengths(measurements)
    statements = [_describe(measurements, name, one) for name, one in rankings.items()]
    statements += [[people.list_strengths(one)] for one in strengths]
    by_metrics = _by_metrics(measurements)
    realigned = {}
    if by_metrics:
        measured = measurements.statistics[measurements.first]
        realigned = verdict.score_realigned(findings, data.examples, measured)
    first = next(iter(rankings), "")
    scores_of_field = {name: of[first].value for name, of in field.items() if first in of}
    contents: dict[str, Any] = {
        "verdict": verdict.write(
            rankings.values(), measurements.unranked, realigned, findings, scores_of_field
        ),
        "deciding": deciding.choose(measurements, first, rankings[first]) if first else None,
        "statements": statements,
        "people": [
            (
                metric.scores[0].title,
                metric.people + "; on sentences, not documents" * _is_unlike(metric, data),
            )
            for metric in by_metrics.values()
        ],
        "ratings": by_people,
        "intervals": INTERVALS,
        "matrices": [],
    }
    if not metrics:
        return {**contents, "main": None}, plots_of_people
    main = score_tables.columns_of(metrics[measurements.first])[0]
    names = [row.name for row in data.rows]
    scores = score_tables.score_table(measurements)
    contents |= {
        "main": main,
        "scores": scores,
        "behind": any(cell.behind for row in scores.rows for cell in row),
        "matrices": [*filter(None, (score_tables.matrix(measurements, n) for n in by_metrics))],
        "rounds": data.rounds,
        "kept_percent": report_rows.KEPT_PERCENT,
        "people_page": describe.PEOPLE_PAGE,
    }
    return contents, plots_of_people | {"overview": plots.overview(scores, names)}


def _describe(measurements: Measurements, name: str, ranking: Ranking) -> list[str]:
    """Say what a metric says of systems."""
    headline, *more = headlines.describe(ranking)
    headline = people.caution(measurements, name) + headline
    rest = {*ranking.scores, *ranking.comparison.baselines, *measurements.unranked}
    undefined = [system for system in ranking.comparison.systems if system not in rest]
    if undefined and ranking.scores:
        more.append(f"{ranking.label} is undefined for {join(undefined)}.")
    return [headline, *more]


def _is_unlike(metric: Metric, data: Data) -> bool:
    """Whether texts are documents, while people's ratings of a metric were of sentences."""
    return metric.reads == "sentences" and (data.documents or aligns(metric))


def _isolating(names: Sequence[str]) -> Callable[[str], str]:
    """Return a filter that escapes a sentence, and isolates names from right to left in it."""
    written = [n for n in names if {"R", "AL"} & {*map(unicodedata.bidirectional, n)}]
    longest = sorted(map(html.escape, written), key=len, reverse=True)
    pattern = "|".join(map(re.escape, longest)) or "(?!)"
    return lambda text: re.sub(pattern, r"<bdi>\g<0></bdi>", html.escape(text))


def _draw_table(table: Grid, kind: str = "sortable", dense: int = 9, crowded: int = 13) -> str:
    """Draw a table; cells of one with so many columns are closer together."""
    columns = len(table.header) - 1
    return table.to_html(kind + " dense" * (columns >= dense) + " crowded" * (columns >= crowded))


def _file(name: str) -> str:
    """Return the text of a file in this folder, or of ``PACKAGE:FILE``."""
    package, _, file = name.rpartition(":")
    return resources.files(package or __package__).joinpath(file).read_text(encoding="utf-8")
