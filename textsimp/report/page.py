"""Lays out the report: a template, a style sheet and a script, all inside one page."""

from __future__ import annotations

import base64
import hashlib
import html
import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from typing import Any

import numpy as np

from textsimp import checks, citations, describe, marks
from textsimp.extras import require
from textsimp.metric import Floats, Metric
from textsimp.metrics.information_errors import CATEGORIES, GIBBERISH, majority
from textsimp.metrics.word_transformations import WordTransformations
from textsimp.report import (
    examples,
    exports,
    linked,
    links,
    pairs,
    plots,
    rows,
    tables,
    verdict,
    words,
)
from textsimp.report.rows import Data, Measurements
from textsimp.version import __version__
from textsimp.words import of_metric

_EXAMPLE_BYTES = 3_200_000  # of the page's 5 MB
_TEXT_BYTES = 300  # of markup around each text, at most

_LIGHT_DARK = re.compile(r"light-dark\(((?:[^(),]|\([^()]*\))+),(?:[^()]|\([^()]*\))+\)")
_STYLES = (
    *("shared.css", "page.css", "checks.css", "tables.css", "scores.css", "plots.css"),
    "examples.css",
)
_SCRIPTS = ("page.js", "tables.js", "examples.js", "plots.js")  # the others use the first one

_OF_METHODS = (  # paired tests, their number, truncation
    "koehn-2004-statistical",
    "holm-1979-simple",
    "martin-etal-2022-muss",
)


STEPS = ("tests", "plots", "examples")
"""What `render` tells of."""


def render(
    found: Measurements, count: int, heading: Mapping[str, str], tell: rows.Tell = str
) -> str:
    """The page.

    Args:
        found: What it is about.
        count: Examples of each group.
        heading: ``title``, ``description`` and ``date``, which may be empty.
        tell: Is told each of `STEPS` before it is done.
    """
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
    contents = _contents(found, count, tell)
    environment.globals["taken"] = _taken(found)
    environment.filters["breakable"] = breakable
    style = "".join(map(_file, _STYLES)) + contents["drawing_style"]
    page: str = environment.get_template("page.html").render(
        contents,
        draw=lambda id, label, full: plots.drawn(contents["plots"][id], label, full),
        heading=heading,
        version=__version__,
        style=style + light(style),
        scripts=scripts,
        policy=policy,
    )
    return page


def _contents(found: Measurements, count: int, tell: rows.Tell) -> dict[str, Any]:
    """What the template lays out."""
    data, metrics = found.data, [*found.judging.values(), *found.describing.values()]
    names = [row.name for row in data.rows]
    changing = [i for i, name in enumerate(names) if name != rows.UNCHANGED]
    papers = [*(key for metric in metrics for key in citations.papers(metric)), *_OF_METHODS]
    tell("tests")
    judging, of_judging = _judging(found)
    tell("plots")
    profiles, bars = _profiles(found)
    distributions, histograms = _distributions(found.features, data)
    by_two = pairs.pairs(found)
    tell("examples")
    return {
        **judging,
        **_examples(found, count),
        **_checks(data),
        "facts": tables.facts(data, found.values),
        "description": tables.description_table(found),
        "distributions": distributions,
        "operations": tables.operations_table(found.values["edit_ops"], data),
        "plots": {
            "source-lengths": plots.lengths(data.sources),
            **of_judging,
            "edits": plots.operations(
                [tables.operation_shares(found.values["edit_ops"][i]) for i in changing],
                [names[i] for i in changing],
            ),
            **histograms,
            **bars,
            **{f"{pair.id}-plot": pair.draw for pair in by_two},
        },
        "pairs": by_two,
        "has_meaning": pairs.has_meaning(found),
        "profiles": profiles,
        "systems": [row.name for row in data.systems],
        "sampling": found.sampling,
        "has_references": data.references is not None,
        "signatures": [*_signatures(found).values()],
        "citations": "\n\n".join([*citations.bibtex(papers), citations.TEXTSIMP]),
    }


def _checks(data: Data) -> dict[str, Any]:
    """What is wrong with the texts, each with a link to the examples concerned."""
    systems = {row.name: row.outputs for row in data.systems}
    found = checks.found(data.sources, data.references, systems)
    listed = []
    for finding in found:
        one = finding.systems[0] if len(finding.systems) == 1 else None
        lines = links.lines(number - 1 for number in finding.examples)
        listed.append((finding, links.examples(lines=lines, system=one) if lines else ""))
    problems = any(finding.gravity == "problem" for finding in found)
    return {"findings": listed, "checked": checks.summary(found), "problems": problems}


def _signatures(found: Measurements) -> dict[str, str]:
    """What exactly was computed, by metric."""
    references = found.data.references
    judging = {name: metric.signature(references) for name, metric in found.judging.items()}
    return judging | {name: metric.signature() for name, metric in found.describing.items()}


def _taken(found: Measurements) -> Callable[[tables.Table | tables.Matrix], list[exports.File]]:
    """What makes files of a table."""
    signatures, confidence = _signatures(found), found.sampling.confidence
    return lambda table: exports.files(
        table,
        [signatures[name] for name in table.metrics if name in signatures]
        or [*signatures.values()],
        confidence,
    )


def _judging(found: Measurements) -> tuple[dict[str, Any], dict[str, Any]]:
    """The verdict; scores of metrics that judge, their tests and plots."""
    data, values, sampling, first = found.data, found.values, found.sampling, found.first
    differences = {
        name: tables.compare(found.measured[name], data, sampling, baselines=True)
        for name in found.judging
    }
    decided = verdict.of(found, differences)
    told, agreement = verdict.words(decided)
    contents = {"verdict": decided, "told": told, "agreement": agreement}
    if not found.judging:
        return {**contents, "main": None, "legend": []}, {}
    mains = {name: tables.columns_of(metric)[0] for name, metric in found.judging.items()}
    main = mains[first]
    names = [row.name for row in data.rows]
    scores = tables.score_table(found.judging, values, differences, data, sampling)
    lengths = tables.by_length(main, found.measured[first], data, sampling)
    contents |= {
        "main": main,
        "scores": scores,
        "signs": {sign for line in scores.lines for cell in line.cells for sign, *_ in cell.signs},
        "matrices": [
            tables.matrix(name, column, values[name], differences[name], data, sampling)
            for name, column in mains.items()
        ],
        "rounds": data.rounds,
        "kept_percent": rows.KEPT_PERCENT,
        "people": [(metric.scores[0].title, metric.people) for metric in found.judging.values()],
        "people_page": describe.PEOPLE_PAGE,
        "lengths": lengths,
        "legend": _legend(lengths, data),
    }
    return contents, {
        "overview": plots.overview(scores, names),
        "by-length": plots.by_length(lengths, main.label, names),
    }


def _legend(lengths: tables.Table, data: Data) -> list[dict[str, Any]]:
    """Rows of the plot by length; references that aren't scored have no marks in it."""
    names = [row.name for row in data.rows]
    scored = {line.name for line in lengths.lines if line.cells[0].value is not None}
    return [
        {
            "row": i,
            "name": name,
            "short": plots.shown(names)[i],
            "color": color.removeprefix("var(--").removesuffix(")"),
            "glyph": plots.GLYPHS[shape],
        }
        for i, (name, (color, shape)) in enumerate(zip(names, plots.looks(names), strict=True))
        if name in scored
    ]


def _profiles(found: Measurements) -> tuple[list[tables.Table], dict[str, Any]]:
    """Of each profile of a metric its table, and its plot by the table's id."""
    listed: list[tables.Table] = []
    bars = {}
    names = [row.name for row in found.data.rows]
    for name, metric in found.describing.items():
        for caption in metric.profiles:
            if metric.profiles[caption][0] in metric.reported():
                values, id = found.values[name], f"profile-{len(listed)}"
                listed.append(tables.profile_table(id, caption, metric, values, found.data))
                shares = [tables.profile_shares(metric, caption, of_row) for of_row in values]
                bars[f"{id}-plot"] = plots.profile(shares, names)
    return listed, bars


def _distributions(
    features: Mapping[str, list[Floats]], data: Data
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Of each quantity its label and table; and its plot by its key."""
    shown = [i for i, row in enumerate(data.rows) if row.kind != "baseline"]
    of_rows = [data.rows[i] for i in shown]
    listed, histograms = [], {}
    for what in plots.DISTRIBUTIONS:
        values = [features[what.key][i] for i in shown]
        places = 2 if what.width < 1 else 1
        table = tables.quantile_table(what.key, what.label, places, values, of_rows)
        listed.append({"id": what.key, "label": what.label, "table": table})
        histograms[what.key] = plots.distribution(
            what,
            values,
            [row.name for row in of_rows],
            linked=[row.name for row in data.systems],
        )
    return listed, histograms


def _examples(found: Measurements, count: int) -> dict[str, Any]:
    """Chosen examples with their marked texts."""
    data, features, metrics = found.data, found.features, [*found.judging.values()]
    aligning = linked.documents([*metrics, *found.describing.values()])
    drawing = aligning or words.labelling(metrics)
    main = tables.columns_of(metrics[0])[0] if metrics else None
    judged = found.measured[found.first] if metrics else None
    systems = [i for i, row in enumerate(data.rows) if row.kind == "system"]
    scores = {i: judged.per_example(i, main.key) for i in systems} if judged and main else {}
    lengths, changes = features["compression_ratio"], features["change_percentage"]
    labels = {
        data.rows[i].name: {
            category: majority(given)
            for category, given in data.labels.get(data.rows[i].name, {}).items()
        }
        for i in systems
    }
    places = examples.choose(
        {
            data.rows[i].name: examples.Features(
                (-1 if main.lower else 1) * scores[i] if main else None,
                lengths[i],
                features["novel_1grams"][i],
                features["sentence_splits"][i],
                _worst(labels[data.rows[i].name]),
            )
            for i in systems
        },
        count,
        found.sampling.seed,
    )
    marked = [] if drawing else systems  # the others are drawn
    references: list[list[str]] = data.references or [[]] * len(data.sources)
    targets = [
        [*(data.rows[i].outputs[example] for i in marked), *references[example]]
        for example in places
    ]
    repeated = [
        data.sources[example] for example, texts in zip(places, targets, strict=True) for _ in texts
    ]
    marking = iter(marks.marked(repeated, [text for texts in targets for text in texts]))
    drawn = _drawn(drawing, data, systems, list(places)) if drawing else [[]] * len(targets)
    of_examples = {
        example: [*own, *itertools.islice(marking, len(texts))]
        for example, own, texts in zip(places, drawn, targets, strict=True)
    }
    sizes = {
        example: _bytes("" if drawing else data.sources[example], of_texts)
        for example, of_texts in of_examples.items()
    }
    kept = examples.within(places, sizes, _EXAMPLE_BYTES)
    shown = [
        {
            "number": example + 1,
            "places": places[example],
            "source": data.sources[example],
            "outputs": [
                {
                    "name": data.rows[i].name,
                    "text": text,
                    "empty": not data.rows[i].outputs[example].strip(),
                    "facts": [
                        *([f"{main.label} {tables.number(scores[i][example], 1)}"] if main else []),
                        f"compression {tables.number(lengths[i][example], 2)}",
                        f"change percentage {tables.number(changes[i][example], 0)}",
                        *_told(labels[data.rows[i].name], example),
                    ],
                    "errors": " ".join(_kinds(labels[data.rows[i].name], example)),
                }
                for i, text in zip(systems, of_examples[example], strict=False)
            ],
            "references": of_examples[example][len(systems) :],
        }
        for example in kept
    ]
    grouped = {place.group for example in kept for place in places[example]}
    return {
        "examples": shown,
        "left_out": len(places) - len(kept),
        "groups": {name: examples.GROUPS[name] for name in examples.GROUPS if name in grouped},
        "labelled": bool(data.labels),
        "categories": CATEGORIES,
        "marks": marks.LEGEND if drawing is aligning else words.LEGEND,
        "links": linked.legend(aligning) if aligning else "",
        "drawn": drawing is not None,
        "drawing_style": linked.style() if aligning else words.style() if drawing else "",
    }


def _drawn(
    metric: Metric, data: Data, systems: Sequence[int], chosen: Sequence[int]
) -> list[list[str]]:
    """Each of these sources with the output of each system: words labelled, or sentences linked."""
    pairs = [(example, i) for example in chosen for i in systems]
    sources = [data.sources[example] for example, _ in pairs]
    outputs = [data.rows[i].outputs[example] for example, i in pairs]
    if isinstance(metric, WordTransformations):
        labelled = of_metric(metric, sources, outputs)
        drawn = iter([*map(words.texts, labelled, sources, outputs)])
    else:
        drawn = iter(
            linked.html(alignment, f"linked-{example + 1}-{i}", data.rows[i].name)
            for (example, i), alignment in zip(
                pairs, linked.align(metric, sources, outputs), strict=True
            )
        )
    return [[*itertools.islice(drawn, len(systems))] for _ in chosen]


Labels = Mapping[str, Sequence[int | None]]
"""Category → the label that most annotators gave to each output."""


def _worst(labels: Labels) -> Floats | None:
    """(n,) the worst label of each output in any category, gibberish as 3; 0 without one."""
    if not labels:
        return None
    levels = {0: 0, None: 0, 1: 1, 2: 2, GIBBERISH: 3}
    worst = [max(map(levels.__getitem__, row)) for row in zip(*labels.values(), strict=True)]
    return np.array(worst, dtype=np.float64)


def _told(labels: Labels, example: int) -> list[str]:
    """The errors of an output, in words."""
    found = {category: of_outputs[example] for category, of_outputs in labels.items()}
    return [
        f"{category}: {'gibberish' if label == GIBBERISH else label}"
        for category, label in found.items()
        if label
    ]


def _kinds(labels: Labels, example: int) -> list[str]:
    """What the errors of an output are found by."""
    found = {category: of_outputs[example] for category, of_outputs in labels.items()}
    wrong = [category for category, label in found.items() if label]
    kinds = {"any": bool(wrong), "main": 2 in found.values()}
    kinds |= {"gibberish": GIBBERISH in found.values()}
    kinds |= {"none": bool(found) and set(found.values()) == {0}}
    return [*wrong, *(kind for kind, there in kinds.items() if there)]


def _bytes(source: str, marked: Sequence[str]) -> int:
    """What an example takes in the page, or a little less."""
    sizes = [len(text.encode()) for text in (html.escape(source), *marked)]
    return sum(sizes) + _TEXT_BYTES * len(marked)


def breakable(name: str) -> str:
    """A name as HTML that is wrapped between its parts, if it must be.

    >>> breakable("runs/t5_small")
    'runs/<wbr>t5_<wbr>small'
    """
    return re.sub(r"(?<=\w)([_/:\\]+)(?=\w)", r"\1<wbr>", html.escape(name))


def light(style: str) -> str:
    """Rules for browsers without ``light-dark()``, from before 2024: its first colours.

    >>> light("a { color: light-dark(#fff, rgb(0 0 0 / 0.6)); margin: 0 }")
    '@supports not (color: light-dark(#000, #fff)) { a { color: #fff } }'
    """
    rules = []
    for selector, body in re.findall(r"([^{};]+)\{([^{}]*)\}", style):
        found = [
            _LIGHT_DARK.sub(r"\1", part) for part in body.split(";") if _LIGHT_DARK.search(part)
        ]
        if found:
            rules.append(f"{selector.strip()} {{{';'.join(found).rstrip()} }}")
    return f"@supports not (color: light-dark(#000, #fff)) {{ {' '.join(rules)} }}"


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _script(text: str) -> str:
    """A script as it can stand in a page, whose parser would end it at ``</script``."""
    return text.replace("\r\n", "\n").replace("</script", "<\\/script")


def _hash(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"
