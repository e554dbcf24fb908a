"""The page that compares systems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from textsimp import report
from textsimp.core.examples import Examples
from textsimp.core.metric import Metric, beyond
from textsimp.core.scores import Comparison
from textsimp.demo import compared, forms, options, views
from textsimp.demo.api import OPTIONS, Argument, endpoint, mapping
from textsimp.demo.examples import SYSTEMS, examples
from textsimp.demo.limits import Limits
from textsimp.demo.page import (
    WIDTH,
    answered,
    blocks,
    files_tab,
    gradio,
    protect,
    results_block,
)
from textsimp.metrics import catalogue
from textsimp.scoring.comparison import checked_systems, compare
from textsimp.support.errors import InputError

# Buttons, to compare and to make the report too; inputs; and what reads the inputs.
Tab = tuple[tuple[Any, Any], list[Any], Callable[..., Examples]]

_BOXES = 4  # systems that can be pasted; files can be more
_MOST_SYSTEMS = 10
_COMPARE, _REPORT = "Compare", "Compare, and make the full report"
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
                results = results_block(
                    views.box(
                        views.note("The comparison appears here: fill in an example to see.")
                    ),
                    script="scatter.js",
                    serving=[_scatter],
                )

        def comparer(
            read: Callable[..., Examples], inputs: int, reporting: bool
        ) -> Callable[..., str]:
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
                full = _full_report(found, data) if reporting else ""
                return compared.results(found, data, full)

            return show

        answered(
            results,
            [
                (button, comparer(read, len(inputs), reporting), [*inputs, *settings])
                for buttons, inputs, read in tabs
                for button, reporting in zip(buttons, (False, True), strict=True)
            ],
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


def _scatter(asked: Any) -> dict[str, str]:
    """A plot for the page, which is told what is wrong instead of failing."""
    try:
        return {"drawn": compared.scatter(asked)}
    except InputError as error:
        return {"error": str(error)}


def _paste() -> Tab:
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
            button = gr.Button(_COMPARE, variant="primary")
        reporting = gr.Button(_REPORT)

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

    return (button, reporting), [sources, references, *names, *outputs], read


def _files() -> Tab:
    about = (
        "Text files with one text per line, a system each, named after its file; or one table with "
        "the columns `source`, `references` (lists, in .jsonl) or `reference 1`, `reference 2`, …, "
        "and a column for each system."
    )
    labels = {name: f"{name} (.txt)" for name in ("sources", "references", "systems")}
    button, boxes = files_tab(about, labels, ("references", "systems"), _COMPARE)
    with button.parent:
        reporting = gradio().Button(_REPORT)
    return (button, reporting), boxes, forms.files_of_systems


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
    for name in data.systems:
        if len(name) > compared.LONGEST:
            raise InputError(
                f"systems: expected names of at most {compared.LONGEST} characters, got "
                f"{len(name)}: {name[:20]}…"
            )
    found: Comparison = compare(data, **options)
    return found


def _full_report(found: Comparison, data: Examples) -> str:
    """The report on these systems; those that are its own baselines are in it anyway."""
    metric = cast(Metric, next(iter(found.systems.values())).metric)
    own = compared.baselines(data)
    systems = {name: columns for name, columns in data.systems.items() if name not in own}
    judging = [] if metric.ranks() or data.references is None else ["sari"]
    return report.html(
        Examples(data.shared, systems),
        metrics=[metric, *judging],
        confidence=found.confidence,
        resamples=found.resamples,
        seed=found.seed,
    )
