"""The page that compares systems: a form, and the report on them."""

import json
from collections.abc import Callable
from typing import Any

from textsimp import report
from textsimp.core.comparisons import Comparison
from textsimp.core.draws import RESAMPLES
from textsimp.core.examples import Examples, check_scripts
from textsimp.core.metric import Metric, extra_required_columns
from textsimp.corpora import checks
from textsimp.demo import text_inputs, views
from textsimp.demo.controls import preset_control
from textsimp.demo.endpoints import serve
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
from textsimp.metrics.sari import Sari
from textsimp.scoring import verdict
from textsimp.scoring.comparison import make_comparison
from textsimp.scoring.ranking import judge
from textsimp.scoring.systems import add_baselines, check_examples, score_baselines
from textsimp.support.errors import InputError, check_choice

_BOXES = 4  # systems that can be pasted; files can be more
_MAX_SYSTEMS = 10
_LIMITS = Limits(characters=3_000_000, request=6 * 2**20)
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
    with new_page("Compare simplification systems", _DESCRIPTION) as demo:
        with gr.Row():
            with gr.Column(scale=4, min_width=320):
                with gr.Tabs():
                    pasting = _pasting_tab()
                    uploading = upload_tab(_FILES, "Compare", text_inputs.read_uploads)
                with gr.Accordion("Options", open=False):
                    settings = _metric_lists()
            with gr.Column(scale=9, min_width=600):
                results = results_block()

        def show_report(
            read: Callable[..., Examples], boxes: int, before: str | None, *values: Any
        ) -> tuple[str, str]:
            name, variant = values[boxes:]
            metric = catalogue.metric_class(name).preset(variant)
            data = read(type(metric), *values[:boxes])
            _check(data)
            # Metrics without a direction can't say which system is better.
            metrics = [metric]
            if not metric.ranks() and data.references is not None:
                metrics.append(Sari())
            page = report.html(data, metrics=metrics)
            verdict, _ = _judge(data, metrics[-1])
            shown = views.render(
                "comparison.html",
                unfit=check_scripts(metrics, data),
                checks=views.data_checks(data, notes=False),
                verdict=verdict,
                before=f"Before: {before}" if before and before != verdict else "",
                # Links to sections would lead to the page around the frame without this base.
                document=page.replace("<head>", '<head><base href="about:srcdoc">', 1),
            )
            return shown, verdict

        connect(results, [pasting, uploading], settings, show_report)
        serve(compare, "compare")
    return set_up(demo, _LIMITS)


def compare(
    systems: dict[str, list[str]],
    sources: list[str],
    references: list[list[str]] | None = None,
    metric: str = "sari",
) -> dict[str, Any]:
    """Compare the outputs of systems for the same sources.

    Args:
        systems: Name of each system: its outputs, one per source.
        sources: The original texts.
        references: One or more reference simplifications per source.
        metric: A metric with its options, such as sari, bleu or sari(xu).

    Returns:
        verdict: who leads, and by how much; rows: scores of each system with intervals and paired
        tests; signature: to print with the scores; warnings: options that don't fit the texts.
    """
    for choice in catalogue.read(metric, "metric"):
        check_choice("metric", choice.name, _metrics())
    chosen = catalogue.metric(metric)
    data = check_examples([chosen], systems, {"sources": sources, "references": references})
    _check(data)
    text, comparison = _judge(data, chosen)
    unfit = check_scripts([chosen], data)
    found = {"verdict": text, "rows": comparison.records(), "signature": comparison.signature}
    return {**found, "warnings": [unfit] if unfit else []}


def _check(data: Examples) -> None:
    _LIMITS.check_examples(data)
    if len(data.systems) > _MAX_SYSTEMS:
        raise InputError(f"expected at most {_MAX_SYSTEMS} systems, got {len(data.systems)}")


def _judge(data: Examples, metric: Metric) -> tuple[str, Comparison]:
    """Return the verdict by a metric, "" if it has no direction, and its comparison of systems."""
    outputs = {name: data.predictions(name) for name in data.systems}
    findings = checks.run(data.sources or [], data.references, outputs)
    unranked = verdict.find_unranked(findings, outputs, len(data))
    examples, baselines, hidden = add_baselines(data)
    measured = score_baselines(metric.measure(examples), hidden)
    comparison = make_comparison(
        measured,
        baselines=baselines,
        unranked=unranked,
        all_pairs=True,
        confidence=0.95,
        resamples=RESAMPLES,
        seed=0,
    )
    rankings = judge({metric.name: comparison}).values()
    realigned = verdict.score_realigned(findings, data, measured)
    return " ".join(verdict.write(rankings, unranked, realigned, findings)), comparison


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
    metrics = {name: catalogue.metric_class(name) for name in _metrics()}
    names = [(f"{one.scores[0].title}: {one.about}", name) for name, one in metrics.items()]
    first = next(iter(metrics))
    metric = gr.Dropdown(names, value=first, label="Metric", filterable=False, min_width=WIDTH)
    variant = preset_control(metrics[first], metrics[first].variant).component
    variant.render()

    def list_variants(name: str) -> Any:
        return preset_control(metrics[name], metrics[name].variant).component

    metric.input(list_variants, metric, variant, queue=False, api_visibility="private")
    return [metric, variant]
