"""The page that compares systems."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from textsimp import catalogue, marks, significance, tables
from textsimp.columns import InputError
from textsimp.comparison import checked_systems, compare
from textsimp.demo import forms, options, views
from textsimp.demo.api import OPTIONS, Argument, endpoint, mapping
from textsimp.demo.examples import SYSTEMS, examples
from textsimp.demo.limits import Limits
from textsimp.demo.page import (
    WIDTH,
    blocks,
    files_tab,
    gradio,
    html_block,
    protect,
    shown,
)
from textsimp.examples import Examples, doubt
from textsimp.metric import Metric, beyond
from textsimp.report import plots
from textsimp.scores import SIDES, Comparison, ranked

_BOXES = 4  # systems that can be pasted; files can be more
_MOST_SYSTEMS = 10
_SHOWN = 10  # examples
_PLOTTED = 4  # scores
_WIDTH = 350  # of a plot, in pixels

_HOLM = "; Holm: adjusted for the number of systems"
_DESCRIPTION = (
    "Paste or upload the outputs of several systems for the same sources: scores with intervals, "
    "paired tests against a baseline, and the examples where the systems differ most."
)
_TOLD = (
    "Compare the outputs of text simplification systems for the same sources: each system's scores "
    "with bootstrap intervals, and its difference from a baseline with its interval and p-values "
    "of two paired tests."
)


def build_compare() -> Any:
    """A page that compares systems on the same sources and references.

    Returns:
        A ``gradio.Blocks``; its ``launch()`` serves the page. ``/compare`` of its API takes
        systems, columns and options and returns what `textsimp.compare` does.

    Raises:
        ImportError: Gradio is not installed (the extra ``demo``).
    """
    gr = gradio()
    limits = Limits(characters=3_000_000, request=6 * 2**20)
    with blocks("Compare simplification systems", _DESCRIPTION) as demo:
        with gr.Row():
            with gr.Column(scale=4, min_width=320):
                with gr.Tabs():
                    tabs = [_paste(), _files()]
                with gr.Accordion("Options", open=False):
                    settings, controls = _options()
                    options.lay_out(settings)
            with gr.Column(scale=7, min_width=320):
                results = html_block(
                    views.box(views.note("The comparison appears here: fill in an example to see."))
                )

        def comparer(read: Callable[..., Examples], inputs: int) -> Callable[..., str]:
            def show(*values: Any) -> str:
                metric, variant, baseline, *sampling = values[inputs:]
                data = read(catalogue.metric_class(metric), *values[:inputs])
                found = _compare(
                    data,
                    limits,
                    metric=metric,
                    variant=variant,
                    baseline=(baseline or "").strip() or None,
                    per_example=True,
                    **options.values(controls, sampling),
                )
                return _report(found, data)

            return shown(show)

        for button, inputs, read in tabs:
            button.click(
                comparer(read, len(inputs)),
                [*inputs, *settings],
                results,
                api_visibility="private",
                scroll_to_output=True,
            )

        def of_api(
            systems: Any, sources: Any, references: Any, metric: Any, baseline: Any, options: Any
        ) -> dict[str, Any]:
            options = mapping(options, "options", "names and values")
            for name in {"metric", "baseline", "systems", "data"} & {*options}:
                raise InputError(f"options: {name!r} is none of them")
            checker = catalogue.metric_class(metric).preset()
            checked = checked_systems(
                [checker], systems, {"sources": sources, "references": references}
            )
            return _compare(checked, limits, metric=metric, baseline=baseline, **options).to_dict()

        endpoint(demo, "compare", _TOLD, _arguments(), of_api)
    return protect(demo, limits)


def _arguments() -> list[Argument]:
    return [
        Argument(
            "systems",
            dict[str, list[str]],
            "the outputs of each system, one per source, by its name",
            {"ours": ["The cat sat on the mat."], "theirs": ["The feline sat."]},
        ),
        Argument(
            "sources",
            list[str] | None,
            "the original texts; null for metrics that read none",
            ["The feline sat on the mat."],
        ),
        Argument(
            "references",
            list[list[str]] | None,
            "the reference simplifications of each source; null for metrics that read none",
            [["A cat sat on the mat.", "The cat sat on it."]],
        ),
        Argument("metric", str, f"one of {', '.join(_metrics())}", default="sari"),
        Argument("baseline", str | None, "a system; the first unless given", default=None),
        Argument("options", dict[str, Any] | None, f"{OPTIONS}; variant among them", default=None),
    ]


def _metrics() -> list[str]:
    """Those that read what the boxes have."""
    return [n for n in catalogue.names() if not beyond(catalogue.metric_class(n))]


def _paste() -> tuple[Any, list[Any], Callable[..., Examples]]:
    gr = gradio()
    with gr.Tab("Paste"):
        sources = gr.Textbox(label="Sources, one per line", lines=4, max_lines=8)
        references = gr.Textbox(
            label="References, one line per source",
            info="Several references of a source: side by side, with tabs between them",
            lines=4,
            max_lines=8,
        )
        names, outputs = [], []
        with gr.Tabs():
            for i in range(1, _BOXES + 1):
                with gr.Tab(f"System {i}"):
                    names.append(gr.Textbox(f"system {i}", label="Name", max_lines=1))
                    outputs.append(gr.Textbox(label="Outputs, one per line", lines=4, max_lines=8))
        with gr.Row():
            fill = gr.Button("Fill in an example")
            button = gr.Button("Compare", variant="primary")

    def example() -> list[str]:
        rows = examples("sentences")
        systems = SYSTEMS["sentences"]
        return [
            "\n".join(row["source"] for row in rows),
            "\n".join("\t".join(row["references"]) for row in rows),
            *("source unchanged", *systems),
            "\n".join(row["source"] for row in rows),
            *("\n".join(row[system] for row in rows) for system in systems),
        ]

    filled = [sources, references, *names[:3], *outputs[:3]]
    fill.click(example, None, filled, queue=False, api_visibility="private")

    def read(metric: type[Metric], sources: str, references: str, *systems: str) -> Examples:
        given: dict[str, str] = {}
        for name, text in zip(systems[:_BOXES], systems[_BOXES:], strict=True):
            if text and name in given:
                raise InputError(f"two systems are called {name!r}")
            if text:
                given[name] = text
        return forms.pasted(metric, sources, references, given)

    return button, [sources, references, *names, *outputs], read


def _files() -> tuple[Any, list[Any], Callable[..., Examples]]:
    about = (
        "Text files with one text per line, a system each, named after its file; or one table with "
        "the columns `source`, `references` (lists, in .jsonl) or `reference 1`, `reference 2`, …, "
        "and a column for each system."
    )
    labels = {name: f"{name} (.txt)" for name in ("sources", "references", "systems")}
    return (
        *files_tab(about, labels, ("references", "systems"), "Compare"),
        forms.files_of_systems,
    )


def _options() -> tuple[list[Any], list[options.Control]]:
    """All components, and controls for the last of them."""
    gr = gradio()
    common = {"filterable": False, "min_width": WIDTH, "render": False}
    metric = gr.Dropdown(_metrics(), value="sari", label="metric", **common)
    variants = list(catalogue.metric_class("sari").presets)
    variant = gr.Dropdown(variants, value=variants[0], label="variant", **common)
    baseline = gr.Textbox(
        label="baseline", placeholder="the first system", min_width=WIDTH, render=False
    )

    def presets(name: str) -> Any:
        choices = list(catalogue.metric_class(name).presets)
        return gr.Dropdown(choices, value=choices[0])

    metric.input(presets, metric, variant, queue=False, api_visibility="private")
    sampling = options.sampling_controls(required=True)
    return [metric, variant, baseline, *(control.component for control in sampling)], sampling


def _compare(data: Examples, limits: Limits, **options: Any) -> Comparison:
    limits.check_examples(data)
    limits.check_resamples(options.get("resamples", 0))
    if len(data.systems) > _MOST_SYSTEMS:
        raise InputError(f"expected at most {_MOST_SYSTEMS} systems, got {len(data.systems)}")
    found: Comparison = compare(data, **options)
    return found


def _report(found: Comparison, data: Examples) -> str:
    scores = found.systems
    first = next(iter(scores.values()))
    metric, main = first.metric, next(iter(first.predictions))
    label, order = metric.titled(main), ranked(scores)
    plotted = {}
    for name in [name for name, value in first.predictions.items() if not value.many][:_PLOTTED]:
        points = []
        for system in order:
            value = scores[system].predictions[name]
            low, high = value.interval or (None, None)
            points.append({"row": system, "score": value.value, "low": low, "high": high})
        plotted[f"{name} with intervals"] = plots.intervals(name, points, list(scores))
    few = significance.caution(len(data), found.resamples)
    unfit = doubt([next(iter(found.systems.values())).metric], data)
    saved = json.dumps(found.to_dict(), indent=1, ensure_ascii=False).encode()
    return "".join(
        (
            views.title(f"{label}, {len(data):,} example{'s' * (len(data) > 1)}"),
            _ranking(found, order, main, label),
            views.note(
                f"Intervals: {100 * found.confidence:g} % bootstrap. p: two-sided paired tests "
                f"of the difference from {found.baseline}{_HOLM if found.several else ''}."
            ),
            *(views.note(f"Beware: {caution}.") for caution in (unfit, few) if caution),
            views.signature(found.signature),
            views.title("All scores"),
            _all_scores(found, order),
            views.figures(plotted, _WIDTH),
            views.download("comparison.json", saved, "application/json", "Save all as JSON"),
            views.title(f"Where the systems' {label} differs most"),
            views.legend(),
            _examples(found, data, order),
        )
    )


def _ranking(found: Comparison, ranked: list[str], main: str, label: str) -> str:
    scores = found.systems
    declared = scores[ranked[0]].metric.score_named(main)
    decimals = tables.places((scores[system].main.value for system in ranked), declared)
    heads = significance.p_heads("p, bootstrap", "p, permutation", found.several)
    rows = []
    for system in ranked:
        value = scores[system].main
        row = [
            system,
            tables.number(value.value, decimals),
            tables.interval(value.interval, decimals),
        ]
        if system == found.baseline:
            row += ["baseline", *[""] * (len(heads) + 1)]
        else:
            difference = found.differences[system][main]
            row += [
                tables.number(difference.value, decimals, sign=True),
                tables.interval(difference.interval, decimals, sign=True),
                *map(tables.p_value, difference.p_values(found.several)),
            ]
        rows.append(row)
    header = ["system", label, "interval", "difference", "its interval"]
    return views.table([*header, *heads], rows)


def _all_scores(found: Comparison, ranked: list[str]) -> str:
    scores = found.systems
    first = scores[ranked[0]]
    rows, lists = [], []
    for side, named in first.sides().items():
        for name, value in named.items():
            label, declared = SIDES[side] + name, first.metric.score_named(name)
            of_systems = [(system, getattr(scores[system], side)[name]) for system in ranked]
            if not value.many:
                decimals = tables.places((v.value for _, v in of_systems), declared)
                rows.append([label, *(tables.number(v.value, decimals) for _, v in of_systems)])
            elif side != "predictions":  # the same beside every system
                lists.append((label, value))
            else:
                lists += [(f"{label}, {system}", of_system) for system, of_system in of_systems]
    return views.table(["score", *ranked], rows, main=1) + (views.lists(lists) if lists else "")


def _examples(found: Comparison, data: Examples, ranked: list[str]) -> str:
    columns = [found.systems[system].main.per_example or [] for system in ranked]
    spread = [max(row) - min(row) for row in zip(*columns, strict=True)]
    first = found.systems[ranked[0]]
    declared = first.metric.score_named(next(iter(first.predictions)))
    decimals = tables.places((value for column in columns for value in column), declared)
    numbers = sorted(range(len(data)), key=lambda i: -spread[i])[:_SHOWN]
    predictions = {s: [data.predictions(s)[i] for i in numbers] for s in data.systems}
    marked = {
        system: marks.marked([data.sources[i] for i in numbers] if data.sources else texts, texts)
        for system, texts in predictions.items()
    }
    return "".join(
        views.example(
            [f"Example {i + 1}", ""],
            *(
                views.labelled([system, tables.number(column[i], decimals)], marked[system][rank])
                for system, column in zip(ranked, columns, strict=True)
            ),
        )
        for rank, i in enumerate(numbers)
    )
