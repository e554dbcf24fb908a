"""The report's page, made of a template, style sheets and scripts."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from typing import Any

from textsimp.core import tables
from textsimp.core.metric import Floats
from textsimp.corpora import checks
from textsimp.corpora.checks import Finding
from textsimp.metrics import citations
from textsimp.metrics import description as describe
from textsimp.report import (
    example_data,
    exports,
    people,
    permalinks,
    plots,
    report_rows,
    score_pairs,
    score_tables,
    system_cards,
    unsound,
    verdict,
)
from textsimp.report.report_rows import Data, Measurements
from textsimp.scoring import headlines
from textsimp.scoring.published import find_field
from textsimp.support import addresses
from textsimp.support.extras import require
from textsimp.support.version import __version__

_STYLES = (
    *("shared.css", "page.css", "checks.css", "tables.css", "scores.css", "plots.css"),
    "examples.css",
)
_EXAMPLES = ("state.js", "find.js", "cards.js", "scatter.js", "download.js", "examples.js")
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
    tell: report_rows.Tell = str,
    *,
    check: bool = True,
    published: bool = False,
) -> str:
    """Render the page, with ``count`` examples in each group; ``tell`` is called with `STEPS`."""
    jinja2 = require("jinja2", extra="report")
    scripts = [_script(text) for text in map(_file, _SCRIPTS)]
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_file),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # Nothing but these scripts runs, and nothing is loaded from anywhere; `data:` is for plots that
    # are saved as pictures.
    policy = (
        f"default-src 'none'; script-src {' '.join(map(_hash, scripts))}; "
        "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    contents: dict[str, Any] = {"check": check}
    if check:
        systems = {row.name: row.outputs for row in measurements.data.systems}
        findings = checks.run(measurements.data.sources, measurements.data.references, systems)
        measurements = replace(measurements, unranked=headlines.find_unranked(findings, systems))
        contents |= _checks(findings) | unsound.contents(findings, measurements)
    contents |= _contents(measurements, count, tell)
    contents |= _published(measurements) if published else {"published": "", "remark": ""}
    signatures, confidence = _signatures(measurements), measurements.sampling.confidence
    full = {row.name: row.full for row in measurements.data.systems if row.full != row.name}
    environment.globals["full_names"] = full
    environment.globals["page_address"] = addresses.page
    environment.globals["export_files"] = lambda table: exports.files(
        table, [*dict.fromkeys(signatures[name] for name in table.metrics)], confidence, full
    )
    environment.filters["breakable"] = breakable
    style = "".join(map(_file, _STYLES)) + contents["drawing_style"]
    page: str = environment.get_template("page.html").render(
        contents,
        draw=lambda id, label, full: plots.draw(
            contents["plots"][id], label, plots.WIDTHS[: 2 if full else 1]
        ),
        heading=heading,
        addresses=addresses.links(),
        version=__version__,
        style=style,
        scripts=scripts,
        policy=policy,
    )
    return page


def _contents(measurements: Measurements, count: int, tell: report_rows.Tell) -> dict[str, Any]:
    data = measurements.data
    metrics = measurements.metrics.values()
    names = [row.name for row in data.rows]
    changing = [i for i, name in enumerate(names) if name != report_rows.UNCHANGED]
    edits = measurements.values["edit_ops"]
    shares = [score_tables.operation_shares(edits[i]) for i in changing]
    papers = [*(key for metric in metrics for key in citations.papers(metric)), *_OF_METHODS]
    tell("tests")
    overview = score_tables.overview_table(measurements)
    judging, of_judging = _score_contents(measurements)
    tell("plots")
    profiles = _profiles(measurements)
    tell("examples")
    return {
        **judging,
        **example_data.contents(measurements, count),
        "overview": overview,
        "cards": system_cards.cards(measurements, overview),
        "head": score_tables.head(data),
        "facts": score_tables.facts(data, measurements.values),
        "description": score_tables.description_table(measurements),
        "distributions": {what.key: what.label for what in plots.DISTRIBUTIONS},
        "plots": {
            **of_judging,
            "edits": plots.operations(shares, [names[i] for i in changing]),
            **_distributions(measurements.features, data),
            **{f"profile-{i}": plot for i, plot in enumerate(profiles.values())},
        },
        **score_pairs.contents(measurements),
        "profiles": [*profiles],
        "systems": [row.name for row in data.systems],
        "sampling": measurements.sampling,
        "has_references": data.references is not None,
        "signatures": [*dict.fromkeys(_signatures(measurements).values())],
        "citations": "\n\n".join([*citations.bibtex(papers), citations.TEXTSIMP]),
    }


def _published(measurements: Measurements) -> dict[str, str]:
    """Return a table of published scores by the same signatures, and a line on it."""
    data, sampling = measurements.data, measurements.sampling
    metrics = {n: m for n, m in measurements.judging.items() if not measurements.is_people(n)}
    signatures = {name: metric.signature(data.references) for name, metric in metrics.items()}
    found, remark = find_field(data.sources, data.references, signatures, sampling.confidence)
    heads = [metric.heading(metric.scores[0].title) for metric in metrics.values()]
    rows = [[name] for name in found]
    for row, own in zip(rows, found.values(), strict=True):
        row += [tables.cell(own[m].value, own[m].interval, 2) if m in own else "" for m in metrics]
    table = tables.Grid(["", *heads], rows)._repr_html_() if rows else ""
    return {"published": table, "remark": remark}


def _checks(findings: Sequence[Finding]) -> dict[str, Any]:
    """Return the findings of data checks, each with a link to its examples."""
    links = []
    for finding in findings:
        one = finding.systems[0] if len(finding.systems) == 1 else None
        lines = permalinks.lines(number - 1 for number in finding.examples)
        links.append((finding, permalinks.examples(lines=lines, system=one) if lines else ""))
    problems = any(finding.gravity != "note" for finding in findings)
    return {"findings": links, "checked": checks.summary(findings), "problems": problems}


def _signatures(measurements: Measurements) -> dict[str, str]:
    references = measurements.data.references
    signatures = {
        name: metric.signature(references) for name, metric in measurements.judging.items()
    }
    signatures |= {name: metric.signature() for name, metric in measurements.describing.items()}
    rated = measurements.people
    return signatures | (dict.fromkeys(rated.metrics, rated.analysis.signature) if rated else {})


def _score_contents(measurements: Measurements) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the verdict, and scores, tests and plots of metrics with a direction."""
    data, metrics = measurements.data, measurements.judging
    judgements = verdict.judge(measurements)
    by_people, plots_of_people = people.contents(measurements, judgements)
    contents: dict[str, Any] = {
        "unranked": headlines.describe_unranked(measurements.unranked),
        "statements": [*map(verdict.describe, judgements)] if measurements.ranked else [],
        "raters": verdict.describe_raters(judgements),
        "detection": headlines.describe_detection(
            [one for one in judgements if not one.rated],
            len(data.sources),
            measurements.sampling.confidence,
        ),
        "people": [
            (
                metric.scores[0].title,
                metric.people + "; on sentences, not documents" * verdict.unlike(metric, data),
            )
            for name, metric in metrics.items()
            if not measurements.is_people(name)
        ],
        "ratings": by_people,
        "matrices": [],
    }
    if not metrics:
        return {**contents, "main": None, "legend": []}, plots_of_people
    main = score_tables.columns_of(metrics[measurements.first])[0]
    names = [row.name for row in data.rows]
    scores = score_tables.score_table(measurements)
    lengths = score_tables.by_length(measurements)
    names_with_score = [line.name for line in lengths.lines if line.cells[0].value is not None]
    matrices = [
        score_tables.matrix(measurements, name)
        for name in metrics
        if not measurements.is_people(name)
    ]
    contents |= {
        "main": main,
        "scores": scores,
        "signs": {sign for line in scores.lines for cell in line.cells for sign, *_ in cell.signs},
        "matrices": [matrix for matrix in matrices if matrix.tests],
        "rounds": data.rounds,
        "kept_percent": report_rows.KEPT_PERCENT,
        "people_page": describe.PEOPLE_PAGE,
        "lengths": lengths,
        "legend": [row for row in plots.legend(names) if row["name"] in names_with_score],
    }
    return contents, plots_of_people | {
        "overview": plots.overview(scores, names),
        "by-length": plots.by_length(lengths, main.label, names),
    }


def _profiles(measurements: Measurements) -> dict[str, Any]:
    """Return the plot of each profile, by its caption."""
    names, bars = [row.name for row in measurements.data.rows], dict[str, Any]()
    for name, metric in measurements.describing.items():
        values = measurements.values[name]
        rows = [{key: value for key, (value, _) in of_row.items()} for of_row in values]
        bars |= plots.profiles(metric, rows, names)
    return bars


def _distributions(features: Mapping[str, list[Floats]], data: Data) -> dict[str, Any]:
    """Return the plot of each quantity by key."""
    indices = [i for i, row in enumerate(data.rows) if row.kind != "baseline"]
    names, systems = [data.rows[i].name for i in indices], [row.name for row in data.systems]
    return {
        what.key: plots.distribution(what, [features[what.key][i] for i in indices], names, systems)
        for what in plots.DISTRIBUTIONS
    }


def breakable(name: str) -> str:
    """Escape a name for HTML, with possible line breaks between its parts.

    >>> breakable("runs/t5_small")
    'runs/<wbr>t5_<wbr>small'
    """
    return re.sub(r"(?<=\w)([_/:\\]+)(?=\w)", r"\1<wbr>", html.escape(name))


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _script(text: str) -> str:
    """Escape ``</script`` in a script, which would end it in a page."""
    return text.replace("\r\n", "\n").replace("</script", "<\\/script")


def _hash(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"
