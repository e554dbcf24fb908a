"""The page that compares systems: a form, and the report on them."""

import json
from collections.abc import Callable
from html import escape
from typing import Any

from textsimp import report
from textsimp.core.examples import Examples
from textsimp.core.metric import Metric, extra_required_columns
from textsimp.demo import text_inputs, views
from textsimp.demo.example_corpus import SYSTEMS, examples
from textsimp.demo.gradio_page import (
    TEXT_FILES,
    WIDTH,
    Tab,
    connect,
    gradio,
    new_page,
    results_block,
    set_up,
    upload_tab,
)
from textsimp.demo.limits import Limits
from textsimp.metrics import catalogue
from textsimp.support.errors import InputError

_BOXES = 4  # systems that can be pasted; files can be more
_MAX_SYSTEMS = 10
_FILES = (
    f"{TEXT_FILES} and a file for each system, named after it. Or one table with the columns "
    "`source` and `references` (lists, in .jsonl; or `reference 1`, `reference 2`, …), and a "
    "column for each system, or `system` and `prediction`."
)
_DESCRIPTION = (
    "Paste or upload the outputs of several systems for the same sources, and get a report: scores "
    "with intervals and significance tests, plots, and all examples with their edits marked."
)


def build_compare() -> Any:
    """Make a page that shows a report on systems with the same sources and references.

    Returns:
        A ``gradio.Blocks``; its ``launch()`` serves the page.
    """
    gr = gradio()
    limits = Limits(characters=3_000_000, request=6 * 2**20)
    with new_page("Compare simplification systems", _DESCRIPTION) as demo:
        with gr.Row():
            with gr.Column(scale=4, min_width=320):
                with gr.Tabs():
                    pasting = _pasting_tab()
                    uploading = upload_tab(_FILES, "Compare", text_inputs.read_uploads)
                with gr.Accordion("Options", open=False):
                    settings = _metric_lists()
            with gr.Column(scale=9, min_width=600):
                waiting = views.note("The report on the example appears here in a moment.")
                results = results_block(views.box(waiting), script="report_frame.js")

        def show_report(read: Callable[..., Examples], boxes: int, *values: Any) -> str:
            name, variant = values[boxes:]
            metric = catalogue.metric_class(name).preset(variant)
            data = read(type(metric), *values[:boxes])
            limits.check_examples(data)
            if len(data.systems) > _MAX_SYSTEMS:
                raise InputError(
                    f"expected at most {_MAX_SYSTEMS} systems, got {len(data.systems)}"
                )
            # Metrics without a direction can't say which system is better.
            main = [] if metric.ranks() or data.references is None else ["sari"]
            page = report.html(data, metrics=[metric, *main])
            return views.data_checks(data, notes=False) + _show(page)

        pasting = pasting._replace(listeners=[*pasting.listeners, demo.load])
        connect(results, [pasting, uploading], settings, show_report)
    return set_up(demo, limits)


def _show(page: str) -> str:
    """Return the report in a sandboxed frame."""
    # Links to sections would lead to the page around the frame without this base.
    document = page.replace("<head>", '<head><base href="about:srcdoc">', 1)
    return (
        views.downloads('<button type="button" class="download">Save the report</button>')
        + '<iframe class="report" title="Report" sandbox="allow-scripts allow-downloads" '
        f'srcdoc="{escape(document)}"></iframe>'
    )


def _metrics() -> list[str]:
    """Return the metrics that need only sources, references and predictions."""
    return [n for n in catalogue.names() if not extra_required_columns(catalogue.metric_class(n))]


def _pasting_tab() -> Tab:
    gr = gradio()
    rows, systems = examples("sentences"), SYSTEMS["sentences"]
    size = {"lines": 3, "max_lines": 4}
    with gr.Tab("Paste"):
        sources = gr.Textbox(
            "\n".join(row["source"] for row in rows), label="Sources, one per line", **size
        )
        references = gr.Textbox(
            "\n".join("\t".join(row["references"]) for row in rows),
            label="References, one line per source",
            info="Several references of a source: side by side, with tabs between them",
            **size,
        )
        names, outputs = [], []
        with gr.Tabs():
            for i in range(_BOXES):
                name = systems[i] if i < len(systems) else f"system {i + 1}"
                text = "\n".join(row[name] for row in rows if name in row)
                with gr.Tab(str(i + 1) if i else "System 1"):
                    names.append(gr.Textbox(name, label="Name", max_lines=1))
                    outputs.append(gr.Textbox(text, label="Outputs, one per line", **size))
        boxes = [sources, references, *names, *outputs]
        button = gr.Button("Compare", variant="primary")
        with gr.Row():
            fill = gr.Button("Fill in an example", size="md", min_width=160)
            gr.ClearButton(boxes, value="Clear", size="md", min_width=100)
    example = json.dumps([box.value for box in boxes])
    filled = fill.click(None, None, boxes, js=f"() => {example}", api_visibility="private")

    def read(metric: type[Metric], sources: str, references: str, *typed: str) -> Examples:
        predictions: dict[str, str] = {}
        called = [name or f"system {i}" for i, name in enumerate(typed[:_BOXES], 1)]
        for name, text in zip(called, typed[_BOXES:], strict=True):
            if text and name in predictions:
                raise InputError(f"two systems are called {name!r}")
            if text:
                predictions[name] = text
        return text_inputs.read_pasted(metric, sources, references, predictions)

    return Tab(button, boxes, read, [filled.then])


def _metric_lists() -> list[Any]:
    """Return drop-down lists of metrics and of the selected metric's variants."""
    gr = gradio()
    common = {"filterable": False, "min_width": WIDTH}
    metric = gr.Dropdown(_metrics(), value="sari", label="metric", **common)
    variants = list(catalogue.metric_class("sari").presets)
    variant = gr.Dropdown(variants, value=variants[0], label="variant", **common)

    def list_variants(name: str) -> Any:
        choices = list(catalogue.metric_class(name).presets)
        return gr.Dropdown(choices, value=choices[0])

    metric.input(list_variants, metric, variant, queue=False, api_visibility="private")
    return [metric, variant]
