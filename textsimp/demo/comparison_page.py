"""The page that compares systems: a form, and the report on them."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from textsimp import report
from textsimp.core.examples import Examples
from textsimp.core.metric import Metric, beyond
from textsimp.core.scores import Comparison
from textsimp.demo import controls, text_inputs, views
from textsimp.demo.endpoints import OPTIONS, Argument, add_endpoint, check_object
from textsimp.demo.example_corpus import SYSTEMS, examples
from textsimp.demo.gradio_page import (
    WIDTH,
    Tab,
    connect_tabs,
    files_tab,
    gradio,
    new_page,
    results_block,
    set_up,
)
from textsimp.demo.limits import Limits
from textsimp.metrics import catalogue
from textsimp.scoring.comparison import check_examples, compare
from textsimp.support.errors import InputError

_BOXES = 4  # systems that can be pasted; files can be more
_MAX_SYSTEMS = 10
_DESCRIPTION = (
    "Paste or upload the outputs of several systems for the same sources, and get a report: scores "
    "with intervals and significance tests, plots, and all examples with their edits marked."
)
_API_DESCRIPTION = (
    "Compare the outputs of text simplification systems for the same sources: each system's scores "
    "with bootstrap intervals, and its difference from a baseline with its interval and p-values "
    "of two paired tests."
)


def build_compare() -> Any:
    """Make a page that shows a report on systems with the same sources and references.

    Returns:
        A ``gradio.Blocks``; its ``launch()`` serves the page. ``/compare`` of its API takes
        systems, columns and options and returns what `textsimp.compare` does.
    """
    gr = gradio()
    limits = Limits(characters=3_000_000, request=6 * 2**20)
    with new_page("Compare simplification systems", _DESCRIPTION) as demo:
        with gr.Row(), gr.Column(min_width=320):
            with gr.Tabs():
                tabs = [_pasting_tab(), _upload_tab()]
            with gr.Accordion("Options", open=False):
                metric_lists, sampling = _options()
                settings = [*metric_lists, *(control.component for control in sampling)]
                controls.lay_out(settings)
        results = results_block(
            views.box(views.note("The report appears here: fill in an example to see.")),
            script="report_frame.js",
        )

        def show_report(read: Callable[..., Examples], boxes: int, *values: Any) -> str:
            name, variant, *chosen = values[boxes:]
            metric = catalogue.metric_class(name).preset(variant)
            data = read(type(metric), *values[:boxes])
            options = controls.values(sampling, chosen)
            _check(data, limits, options)
            # Metrics without a direction can't say which system is better.
            main = [] if metric.ranks() or data.references is None else ["sari"]
            return _frame(report.html(data, metrics=[metric, *main], **options))

        connect_tabs(results, tabs, settings, show_report)

        def compare_columns(
            systems: Any, sources: Any, references: Any, metric: Any, baseline: Any, options: Any
        ) -> dict[str, Any]:
            options = check_object(options, "options", "names and values")
            for name in {"metric", "baseline", "systems", "data"} & {*options}:
                raise InputError(f"options: {name!r} is none of them")
            checker = catalogue.metric_class(metric).preset()
            columns = {"sources": sources, "references": references}
            data = check_examples([checker], systems, columns)
            _check(data, limits, options)
            comparison: Comparison = compare(data, metric=metric, baseline=baseline, **options)
            return comparison.to_dict()

        add_endpoint(demo, "compare", _API_DESCRIPTION, _arguments(), compare_columns)
    return set_up(demo, limits)


def _frame(page: str) -> str:
    """Return the report in a frame that can reach nothing of the page around it."""
    # Links to sections would lead to the page around the frame without this base.
    document = page.replace("<head>", '<head><base href="about:srcdoc">', 1)
    return (
        views.downloads('<button type="button" class="download">Save the report</button>')
        + '<iframe class="report" title="Report" sandbox="allow-scripts allow-downloads" '
        f'srcdoc="{escape(document)}"></iframe>'
    )


def _check(data: Examples, limits: Limits, options: Mapping[str, Any]) -> None:
    limits.check_examples(data, options)
    if len(data.systems) > _MAX_SYSTEMS:
        raise InputError(f"expected at most {_MAX_SYSTEMS} systems, got {len(data.systems)}")


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
        Argument("baseline", str | None, "a system; by default the first", default=None),
        Argument("options", dict[str, Any] | None, f"{OPTIONS}; variant among them", default=None),
    ]


def _metrics() -> list[str]:
    """Return the metrics that read what the boxes have."""
    return [n for n in catalogue.names() if not beyond(catalogue.metric_class(n))]


def _pasting_tab() -> Tab:
    gr = gradio()
    with gr.Tab("Paste"):
        with gr.Row():
            sources = gr.Textbox(label="Sources, one per line", lines=5, max_lines=8, min_width=300)
            references = gr.Textbox(
                label="References, one line per source",
                info="Several references of a source: side by side, with tabs between them",
                lines=4,
                max_lines=8,
                min_width=300,
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

    rows, systems = examples("sentences"), SYSTEMS["sentences"]
    texts = [
        "\n".join(row["source"] for row in rows),
        "\n".join("\t".join(row["references"]) for row in rows),
        *systems,
        *("\n".join(row[system] for row in rows) for system in systems),
    ]
    boxes = [sources, references, *names[: len(systems)], *outputs[: len(systems)]]
    # The browser fills in the example at once. If it asked the server, a click on Compare before
    # the answer would compare what was in the boxes until then.
    fill.click(None, None, boxes, js=f"() => {json.dumps(texts)}", api_visibility="private")

    def read(metric: type[Metric], sources: str, references: str, *typed: str) -> Examples:
        predictions: dict[str, str] = {}
        for name, text in zip(typed[:_BOXES], typed[_BOXES:], strict=True):
            if text and name in predictions:
                raise InputError(f"two systems are called {name!r}")
            if text:
                predictions[name] = text
        return text_inputs.read_pasted(metric, sources, references, predictions)

    return button, [sources, references, *names, *outputs], read


def _upload_tab() -> Tab:
    about = (
        "Text files with one text per line, a system each, named after its file; or one table with "
        "the columns `source`, `references` (lists, in .jsonl) or `reference 1`, `reference 2`, …, "
        "and a column for each system."
    )
    labels = {name: f"{name} (.txt)" for name in ("sources", "references", "systems")}
    button, boxes = files_tab(about, labels, ("references", "systems"), "Compare")
    return button, boxes, functools.partial(text_inputs.read_files, every=True)


def _options() -> tuple[list[Any], list[controls.Control]]:
    """Return lists of metrics and variants, and controls of the bootstrap."""
    gr = gradio()
    common = {"filterable": False, "min_width": WIDTH, "render": False}
    metric = gr.Dropdown(_metrics(), value="sari", label="metric", **common)
    variants = list(catalogue.metric_class("sari").presets)
    variant = gr.Dropdown(variants, value=variants[0], label="variant", **common)

    def list_variants(name: str) -> Any:
        choices = list(catalogue.metric_class(name).presets)
        return gr.Dropdown(choices, value=choices[0])

    metric.input(list_variants, metric, variant, queue=False, api_visibility="private")
    return [metric, variant], controls.sampling_controls(required=True)
