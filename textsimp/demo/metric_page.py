"""The page to try a metric."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, cast

from textsimp import hub
from textsimp.core import tables
from textsimp.core.declarations import Column
from textsimp.core.examples import UNNAMED_SYSTEM, Examples, check_scripts
from textsimp.core.metric import Metric, extra_required_columns
from textsimp.core.scores import Scores
from textsimp.core.tables import Cell, Grid
from textsimp.demo import controls, text_inputs, views
from textsimp.demo.endpoints import scoring_function, serve
from textsimp.demo.example_corpus import SYSTEMS, examples
from textsimp.demo.gradio_page import (
    TEXT_FILES,
    Tab,
    connect,
    gradio,
    new_page,
    results_block,
    set_up,
    upload_tab,
)
from textsimp.demo.limits import Limits
from textsimp.metrics.catalogue import alias_options, metric_class
from textsimp.report import drawings, plots

_LIMITS = Limits()
_TEXTS = ("text", "texts")
_SHOWN = 20  # examples whose edits are shown
_ROWS = 4  # of examples


def build_demo(module: Any) -> Any:
    """Make a page to try a metric on a typed text, a table or files; it shows scores and edits.

    Args:
        module: A metric's name, such as ``"sari"``, or a module made by `textsimp.load`. The page
            starts with the options of the module.

    Returns:
        A ``gradio.Blocks``; its ``launch()`` serves the page.
    """
    gr = gradio()
    metric: type[Metric] = metric_class(module) if isinstance(module, str) else module.metric_class
    defaults = alias_options(module) if isinstance(module, str) else module.defaults
    defaults = metric.configure(defaults)[0].given_options()
    title, description, card = metric.__name__, (metric.__doc__ or "").split("\n")[0], ""
    if metric.name in hub.names():
        front, card = hub.read_card(hub.path(metric.name))
        title, description = str(front["title"]), str(front["description"])

    with new_page(title, description, metric, _reliability(metric)) as demo:
        with gr.Row():
            with gr.Column(scale=5, min_width=320):
                with gr.Tabs():
                    tabs = [_example_tab(metric), _upload_tab(metric)]
                options = controls.metric_controls(metric, defaults)
                if len(metric.presets) > 1:
                    options[0].component.render()
                with gr.Accordion("Options", open=False):
                    controls.lay_out(options[1:] if len(metric.presets) > 1 else options)
            with gr.Column(scale=6, min_width=320):
                results = results_block()
        if card:
            with gr.Accordion("Metric card", open=False):
                gr.Markdown(card)

        def show_scores(
            read: Callable[..., Examples], boxes: int, before: Any, *values: Any
        ) -> tuple[str, Any]:
            data = read(metric, *values[:boxes])
            chosen = controls.values(options, values[boxes:])
            scores = _score(metric, data, chosen)
            now = scores.examples, scores.to_dict(lists=False, signature=False)
            alike = before and before[0] == scores.examples and before != now
            return show(scores, data, before[1] if alike else {}), now

        settings = [control.component for control in options]
        connect(results, tabs, settings, show_scores)
        serve(scoring_function(metric, defaults, functools.partial(_score, metric)), "score")
    return set_up(demo, _LIMITS)


def _reliability(metric: type[Metric]) -> str:
    """Return a remark on how well the metric agrees with people."""
    one = "document" if metric.reads == "documents" else "sentence"
    start = "" if extra_required_columns(metric) else f"The score of one {one} is not reliable. "
    return f"{start}Agreement with people: {metric.people}."


def example_rows(metric: type[Metric]) -> list[dict[str, Any]]:
    """Return examples with the metric's columns, where the example corpus has them."""
    if extra_required_columns(metric):
        names = [column.usual_names for column in metric.columns if column.required]
        for rows in map(examples, ("labels", "parses", "substitutes")):
            if all({*usual} & {*rows[0]} for usual in names):
                return rows[:_ROWS]
        return []
    first, second = SYSTEMS[metric.reads]
    return [
        {**row, "prediction": row[second if i % 2 else first]}
        for i, row in enumerate(examples(metric.reads)[:_ROWS])
    ]


def _typed(row: Mapping[str, Any], column: Column) -> str:
    """Return an example's texts or labels as a visitor would type them."""
    value = row.get(column.name, row.get(column.usual_names[0], ""))
    between = {"texts": "\n", "labels": " "}.get(column.kind)
    return str(value) if between is None else between.join(map(str, value))


def _example_tab(metric: type[Metric]) -> Tab:
    gr = gradio()
    rows = [[_typed(row, column) for column in metric.columns] for row in example_rows(metric)]
    first = rows[0] if rows else [""] * len(metric.columns)
    with gr.Tab("One example"):
        boxes = [
            gr.Textbox(text, label=_box(column), lines=3 if column.kind in _TEXTS else 1)
            for text, column in zip(first, metric.columns, strict=True)
        ]
        button = gr.Button("Score", variant="primary")
        if not rows:
            return Tab(button, boxes, text_inputs.read_typed)
        labels = [f"Example {i + 1}" for i in range(len(rows))]
        more = gr.Examples(rows, boxes, example_labels=labels, api_visibility="private")
    return Tab(button, boxes, text_inputs.read_typed, [more.load_input_event.then])


def _box(column: Column) -> str:
    """Return the label of a box for one row of a column."""
    if column.kind == "labels":
        legal = ", ".join(map(str, column.labels))
        name = f"{column.name.capitalize()}: {legal}, of each annotator"
    else:
        several = column.kind == "texts"
        name = f"{column.name}, one per line" if several else column.one or column.name
        name = name.capitalize()
    return name if column.required or column.name == "predictions" else f"{name} (optional)"


def _upload_tab(metric: type[Metric]) -> Tab:
    names = []
    for column in metric.columns:
        first, last = column.usual_names[0], column.usual_names[-1]
        if column.kind == "texts":
            names.append(f"`{column.name}` (lists, in .jsonl) or `{last} 1`, `{last} 2`, …")
        elif column.kind == "labels":
            names.append(f"`{first}` (or lists, in .jsonl)")
        else:
            names.append(f"`{first}`")
    about = f"One table with the columns {', '.join(names[:-1])} and {names[-1]}."
    if not extra_required_columns(metric):
        about = f"{TEXT_FILES} and a file of predictions. Or o{about[1:]}"
    read = functools.partial(text_inputs.read_uploads, several=False)
    return upload_tab(about, "Score", read)


def _score(metric: type[Metric], data: Examples, options: Mapping[str, Any]) -> Scores:
    """Return the scores of a corpus and of each example."""
    _LIMITS.check_examples(data)
    confidence = 0.95 if len(data) > 1 else None  # all resamples of one example are the same
    (scores,) = metric.preset(**options).measure(data).score(data, confidence=confidence).values()
    return scores


def show(scores: Scores, data: Examples, before: Mapping[str, Any] = MappingProxyType({})) -> str:
    """Return a part of the page: scores, a file to save, and examples with their edits.

    ``before`` are the last scores by name, which stand beside those of the same name.
    """
    metric = cast(Metric, scores.metric)
    examples = f"{scores.examples:,} examples" if scores.examples > 1 else "one example"
    main = metric.find_score(next(iter(scores.predictions))).title
    name = metric.heading(main)
    return views.render(
        "metric.html",
        main=main,
        examples=examples,
        variant="" if name == main else f"{name}, {metric.presets[metric.variant].about}.",
        unfit=check_scripts([metric], data),
        checks=views.data_checks(data),
        table=_table(scores, before),
        yardstick=_yardstick(scores, data),
        profiles=plots.profiles(metric, scores.sides()),
        signature=scores.signature,
        file=views.json_file(metric.name, scores.to_dict(), "Save all as JSON"),
        **_edits(scores, data),
    )


def _yardstick(scores: Scores, data: Examples) -> str:
    """Return a sentence with the main scores of unchanged sources and of a reference."""
    metric, sources, references = cast(Metric, scores.metric), data.sources, data.references
    if extra_required_columns(metric) or not (metric.ranks() and sources and references):
        return ""
    main = metric.scores[0]

    def score(outputs: list[str], others: list[list[str]]) -> str:
        shared: dict[str, Any] = {"sources": sources, "references": others}
        examples = Examples(shared, {UNNAMED_SYSTEM: {"predictions": outputs}})
        counted = metric.compute_statistics(examples)[UNNAMED_SYSTEM].sum(axis=0)
        value = float(metric.fill(metric.reduce(counted)[main.key]))
        return tables.number(value, tables.count_decimals([value], main))

    sentence = f"For comparison: unchanged sources get {score(sources, references)}"
    if min(map(len, references)) > 1:
        first, others = [row[0] for row in references], [row[1:] for row in references]
        sentence += f", the first references {score(first, others)} when the others score them"
    return f"{sentence}."


def _table(scores: Scores, before: Mapping[str, Any]) -> str:
    """Return the table of scores, each with its range, direction and the last score."""
    grid, rows = scores.grid(), []
    for (name, value), (title, *cells) in zip(scores.predictions.items(), grid.rows, strict=True):
        score = scores.metric.find_score(name)
        if name in before and not value.many:
            decimals = tables.count_decimals([value.value, before[name]], score)
            last = tables.number(before[name], decimals)
            gain = tables.number(value.value - before[name], decimals, sign=True, minus="−")
            cells[0] = replace(cells[0], small=[*cells[0].small, f"{gain} from {last}"])
        kind = "main" if value is scores.main else ""
        rows.append([Cell(title, [views.scale(score)], kind=kind), *cells])
    return Grid(["score", *grid.header[1:]], rows).to_html()


def _edits(scores: Scores, data: Examples) -> dict[str, Any]:
    """Return examples with their scores and edits, if there are texts."""
    metric = cast(Metric, scores.metric)
    (own,) = data.systems.values()
    if "predictions" not in own:
        return {"drawn": None}
    values, predictions = scores.main.per_example or [], own["predictions"][:_SHOWN]
    decimals = tables.count_decimals(values, metric.find_score(next(iter(scores.predictions))))
    sources = (data.sources or predictions)[:_SHOWN]  # without sources there is nothing to mark
    linking = drawings.choose([metric])
    drawn = drawings.draw(linking, sources, predictions, "Prediction")
    return {
        "drawn": [
            (tables.number(value, decimals), output if linking else f"<p>{output}</p>")
            for value, output in zip(values, drawn, strict=False)
        ],
        "sources": data.sources is not None,
        "links": drawings.explain(linking),
        "more": f"{_SHOWN} of {len(data):,} examples are shown." if len(data) > _SHOWN else "",
    }
