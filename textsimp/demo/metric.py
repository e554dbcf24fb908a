"""A metric's page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast

from textsimp import hub
from textsimp.core import tables
from textsimp.core.declarations import Column
from textsimp.core.examples import Examples, doubt
from textsimp.core.metric import Metric, beyond
from textsimp.core.scores import Scores, Value
from textsimp.demo import forms, options, views
from textsimp.demo.api import OPTIONS, Argument, endpoint, mapping
from textsimp.demo.examples import SYSTEMS, examples, labelled, parsed
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
from textsimp.documents.words import of_metric
from textsimp.hub import read_card
from textsimp.metrics import description as describe
from textsimp.metrics.catalogue import metric_class
from textsimp.metrics.edit_ops import EditOps
from textsimp.report import marks, plots, sentence_links, word_links
from textsimp.text.alignment import OPERATIONS

_TYPES = {
    "text": list[str],
    "texts": list[list[str]],
    "labels": list[Any],
    "number": list[float],
    "structured": list[Any],
}

Tab = tuple[Any, list[Any], Callable[..., Examples]]  # button, inputs, what reads the inputs

_SHOWN = 20  # examples whose edits are shown
_ORDERS = ("as given", "lowest score first", "highest score first")
_ROWS = 12  # of the table's example
_PLOT = (360, 560)  # pixels, on a phone and elsewhere
_AS_COUNTED = (
    "Each mark is one operation on one word, as the options say what a word is; replaced and by "
    "this together are one. A word that moved is counted as deleted and as inserted too."
)


def build_demo(module: Any) -> Any:
    """A page to try a metric: type a text, fill in a table or upload files; see scores and edits.

    Args:
        module: A metric's name, such as ``"sari"``, or a module made by `textsimp.load`, whose
            options the page starts with.

    Returns:
        A ``gradio.Blocks``; its ``launch()`` serves the page. ``/score`` of its API takes columns
        and options and returns what the metric's ``score`` does.

    Raises:
        InputError: No such metric.
        ImportError: Gradio is not installed (the extra ``demo``).
    """
    gr = gradio()
    metric, defaults = _metric(module)
    title, description, card = _about(metric)
    limits = Limits()

    with blocks(title, description) as demo:
        with gr.Row():
            with gr.Column(scale=5, min_width=320):
                with gr.Tabs():
                    tabs = [_one_example(metric), _table(metric), _files(metric)]
                with gr.Accordion("Options", open=False):
                    controls = options.metric_controls(metric, defaults)
                    controls += options.sampling_controls()
                    order = gr.Dropdown(
                        list(_ORDERS),
                        label="examples",
                        info=f"Which {_SHOWN} are shown",
                        filterable=False,
                        min_width=WIDTH,
                        render=False,
                    )
                    options.lay_out_all(controls, order)
            with gr.Column(scale=6, min_width=320):
                results = results_block()
        if card:
            with gr.Accordion("Metric card", open=False):
                gr.Markdown(card)

        def scorer(read: Callable[..., Examples], inputs: int) -> Callable[..., str]:
            def show(*values: Any) -> str:
                *chosen, ordered = values[inputs:]
                data = read(metric, *values[:inputs])
                given = options.values(controls, chosen)
                found = _score(metric, data, limits, given)
                return _scores(found, data) + _examples(found, data, ordered)

            return show

        settings = [*(control.component for control in controls), order]
        asking = [
            (button, scorer(read, len(inputs)), [*inputs, *settings])
            for button, inputs, read in tabs
        ]
        answered(results, asking, at_once=demo)

        def score(options: Any, **given: Any) -> dict[str, Any]:
            options = mapping(options, "options", "names and values")
            return _score(metric, metric.check(**given), limits, options).to_dict()

        endpoint(demo, "score", _told_of(metric), _arguments(metric), score)
    return protect(demo, limits)


def _metric(module: Any) -> tuple[type[Metric], dict[str, Any]]:
    """The metric of a name or module, and the module's options."""
    if isinstance(module, str):
        return metric_class(module), {}
    return module.metric_class, dict(module.defaults)


def _about(metric: type[Metric]) -> tuple[str, str, str]:
    """Title, description and metric card; those of the class for a metric without a module."""
    if metric.name in hub.names():
        front, card = read_card(hub.path(metric.name))
        return str(front["title"]), str(front["description"]), card
    return metric.__name__, (metric.__doc__ or "").split("\n")[0], ""


def _told_of(metric: type[Metric]) -> str:
    """What programs and agents are told of a metric."""
    named = (score for score in metric.scores if not score.many)
    scores = "; ".join(f"{score.key}: {describe.score_line(score)}" for score in named)
    return f"Score simplified texts by {metric.name}. {metric.description} Results: {scores}."


def _arguments(metric: type[Metric]) -> list[Argument]:
    """Its columns, with an example of those that it needs, and options."""
    row = next(iter(_corpus(metric)), {})
    found = []
    for column in sorted(metric.columns, key=lambda column: not column.required):
        about = f"a list of {column.about}"
        value = row.get(column.name, row.get(column.usual[0]))
        if column.required:
            found.append(Argument(column.name, _TYPES[column.kind], about, [value]))
        else:
            optional = _TYPES[column.kind] | None
            found.append(Argument(column.name, optional, f"{about}; optional", default=None))
    variants = f"variant ({', '.join(metric.presets)}), {', '.join(metric.option_names())}"
    about = f"{OPTIONS}: {variants}"
    return [*found, Argument("options", dict[str, Any] | None, about, default=None)]


def _label(name: str, column: str, metric: type[Metric]) -> str:
    required = {declared.name for declared in metric.columns if declared.required}
    return name if column in required else f"{name} (optional)"


def _corpus(metric: type[Metric]) -> list[dict[str, Any]]:
    """Examples, with the columns of the metric as far as there are examples of them."""
    if beyond(metric):
        known = (rows for rows in (labelled(), parsed()) if {*beyond(metric)} <= {*rows[0]})
        return next(known, [])[:_ROWS]
    first, second = SYSTEMS[metric.reads]
    return [
        {**row, "prediction": row[second if i % 2 else first]}
        for i, row in enumerate(examples(metric.reads)[:_ROWS])
    ]


def _cells(row: Mapping[str, Any], column: Column) -> list[str]:
    """An example's texts or labels as they are typed."""
    value = row.get(column.name, row.get(column.usual[0], ""))
    if column.kind == "texts":
        return list(value)
    return [" ".join(map(str, value)) if column.kind == "labels" else str(value)]


def _one_example(metric: type[Metric]) -> Tab:
    gr = gradio()
    rows = [
        ["\n".join(_cells(row, column)) for column in metric.columns] for row in _corpus(metric)[:4]
    ]
    with gr.Tab("One example"):
        inputs = [
            gr.Textbox(text, label=_box(column, metric), lines=3 if _is_text(column) else 1)
            for text, column in zip(
                rows[0] if rows else [""] * len(metric.columns), metric.columns, strict=True
            )
        ]
        button = gr.Button("Score", variant="primary")
        if rows:
            gr.Examples(
                rows,
                inputs,
                example_labels=[f"Example {i + 1}" for i in range(len(rows))],
                api_visibility="private",
            )
    return button, inputs, forms.one


def _is_text(column: Column) -> bool:
    return column.kind in ("text", "texts")


def _box(column: Column, metric: type[Metric]) -> str:
    """The label of a box for one row of a column."""
    if column.kind == "labels":
        legal = ", ".join(map(str, column.labels))
        name = f"{column.name.capitalize()}: {legal}, of each annotator"
    else:
        several = "s, one per line" if column.kind == "texts" else ""
        name = (column.one or column.name).capitalize() + several
    return name if column.name == "predictions" else _label(name, column.name, metric)


def _table(metric: type[Metric]) -> Tab:
    gr = gradio()
    columns = [name for name, _ in forms.heads(metric)]
    with gr.Tab("Table"):
        table = gr.Dataframe(
            [[""] * len(columns)] * 3,
            headers=columns,
            column_count=len(columns),
            type="array",
            interactive=True,
            wrap=True,
            max_height=420,
            show_label=False,
            column_widths=[220 if _is_text(column) else 110 for _, column in forms.heads(metric)],
        )
        with gr.Row():
            fill = gr.Button("Fill in an example")
            button = gr.Button("Score", variant="primary")

    def example() -> list[list[str]]:
        rows = []
        for row in _corpus(metric):
            filled = []
            for column in metric.columns:
                width = sum(of == column for _, of in forms.heads(metric))
                filled += [*_cells(row, column), *[""] * width][:width]
            rows.append(filled)
        return rows

    fill.click(example, None, table, queue=False, api_visibility="private")
    return button, [table], forms.cells


def _files(metric: type[Metric]) -> Tab:
    names = []
    for column in metric.columns:
        several = f"`{column.name}` (lists, in .jsonl) or `{column.one} 1`, `{column.one} 2`, …"
        one = f"`{column.usual[0]}`"
        if column.kind == "labels":
            one += " (or lists, in .jsonl)"
        names.append(several if column.kind == "texts" else one)
    table = f"one table with the columns {', '.join(names[:-1])} and {names[-1]}"
    about = f"Text files with one text per line; or {table}"
    labels = {
        name: _label(f"{name} (.txt)", name, metric)
        for name in ("sources", "references", "predictions")
    }
    if not beyond(metric):
        return *files_tab(about, labels, ("references",), "Score"), forms.files

    def read(metric: type[Metric], table: str | None) -> Examples:
        return forms.files(metric, None, None, None, table)

    about = f"{table[0].upper()}{table[1:]}"
    return *files_tab(about, {}, (), "Score"), read


def _score(
    metric: type[Metric], data: Examples, limits: Limits, options: Mapping[str, Any]
) -> Scores:
    """What the metric's ``score`` returns, examples' scores included."""
    limits.check_examples(data)
    configured, score_options = metric.configure({**options, "per_example": True})
    limits.check_resamples(score_options.get("resamples", 0))
    if len(data) == 1:  # resampled, one example is always itself
        score_options["confidence"] = None
    ((system, statistics),) = configured.statistics_of(data).items()
    return configured.scored(statistics, data, system, **score_options)


def _scores(found: Scores, data: Examples) -> str:
    """A row per score: of predictions, and beside it of sources and references; and the lists."""
    beside = {side: values for side, values in found.sides().items() if side != "predictions"}
    rows: list[list[views.Cell]] = []
    lists: list[tuple[views.Cell, Value]] = []
    drawn = ""
    for name, value in found.predictions.items():
        score = found.metric.score_named(name)
        others = {
            side: replace(values[name], interval=None)
            for side, values in beside.items()
            if name in values
        }
        if score.bins:
            drawn += views.title(score.title) + views.note(score.about)
            drawn += views.bars(score, [("predictions", value), *others.items()])
        elif value.many:
            lists.append(((name, views.scale(score)), value))
            lists += [(f"of {side}", other) for side, other in others.items()]
        else:
            found_values = [value, *(others.get(side) for side in beside)]
            numbers = [None if one is None else one.value for one in found_values]
            decimals = 0 if isinstance(value.value, int) else tables.places(numbers, score)
            first, *cells = tables.numbers(numbers, score)
            below = tables.interval(value.interval, decimals)
            rows.append([(name, views.scale(score)), (first, below), *cells])
    header = ["score", "predictions" if beside else "value", *beside]
    examples = f"{found.examples:,} examples" if found.examples > 1 else "one example"
    unfit = doubt([found.metric], data)
    return (
        views.title(f"{found.metric.titled(next(iter(found.predictions)))}, {examples}")
        + (views.note(f"Beware: {unfit}.") if unfit else "")
        + views.table(header, rows, main=1)
        + (views.lists(lists) if lists else "")
        + drawn
        + _profiles(found)
        + views.signature(found.signature)
        + _files_to_save(found)
    )


def _files_to_save(found: Scores) -> str:
    """All as JSON; scores, and those of each example with its number, as CSV."""
    name, per_example = found.metric.name, "_per_example"
    every = {
        key.removesuffix(per_example): values
        for key, values in found.to_dict().items()
        if key.endswith(per_example)
    }
    rows = [
        {"example": i + 1} | {key: values[i] for key, values in every.items()}
        for i in range(found.examples)
    ]
    return views.downloads(
        views.json_link(name, found.to_dict(), "Save all as JSON"),
        views.csv_link(f"{name}-scores", [*found.records()], "Scores as CSV"),
        views.csv_link(f"{name}-examples", rows, "Examples' scores as CSV"),
    )


def _profiles(found: Scores) -> str:
    """A picture of each profile: a bar of predictions, and below it of sources and references."""
    metric, sides = found.metric, found.sides()
    specs = {}
    for title, keys in metric.profiles.items():
        if keys[0] in found.predictions:
            shares = [
                {metric.score_named(key).title: values[key].value for key in keys}
                for values in sides.values()
            ]
            specs[title] = plots.profile(shares, [*sides])
    return "".join(
        views.title(title) + views.sized({width: plots.svg(spec, width, title) for width in _PLOT})
        for title, spec in specs.items()
    )


def _examples(found: Scores, data: Examples, order: str) -> str:
    """Some examples with their scores and edits."""
    main, scores = next(iter(found.predictions)), found.main.per_example or []
    (own,) = data.systems.values()
    if "predictions" not in own:
        return ""
    predictions = own["predictions"]
    numbers = list(range(len(data)))
    if order != _ORDERS[0]:
        numbers.sort(key=lambda i: scores[i], reverse=order == _ORDERS[2])
    decimals = tables.places(scores, found.metric.score_named(main))
    numbers = numbers[:_SHOWN]
    sources = data.sources or predictions  # without sources there is nothing to mark
    pairs = [sources[i] for i in numbers], [predictions[i] for i in numbers]
    heads = [(f"{i + 1} · {main}", tables.number(scores[i], decimals)) for i in numbers]
    legend, lines, drawn = marks.LEGEND, "", []
    if isinstance(found.metric, EditOps):
        legend, lines = marks.OPERATIONS_LEGEND, _AS_COUNTED
        edits = zip(numbers, found.metric.aligned(*pairs), strict=True)
        drawn = [
            f"<p><small>{_operations(found, i)}</small>\n"
            f"{marks.operations_html(*pair, found.metric.merged(pair))}</p>"
            for i, pair in edits
        ]
    elif labelling := word_links.find_labelling_metric([cast(Metric, found.metric)]):
        legend, lines = word_links.LEGEND, word_links.LINES
        drawn = [word_links.html(row, "Prediction") for row in of_metric(labelling, *pairs)]
    elif aligning := sentence_links.find_document_metric([cast(Metric, found.metric)]):
        lines = sentence_links.legend(aligning)
        drawn = [
            sentence_links.html(alignment, f"linked-{i + 1}", "Prediction")
            for i, alignment in zip(numbers, sentence_links.align(aligning, *pairs), strict=True)
        ]
    if drawn:
        cards = [views.example(head, below=d) for head, d in zip(heads, drawn, strict=True)]
    else:
        cards = [*map(views.example, heads, marks.mark_html(*pairs))]
    title = views.title("Edits") + views.legend(of=legend)
    top = (title if data.sources is not None else views.title("Texts")) + views.note(lines)
    more = f"{_SHOWN} of {len(data):,} examples are shown." if len(data) > _SHOWN else ""
    return top + "".join(cards) + views.note(more)


def _operations(found: Scores, example: int) -> str:
    """How many operations of each kind an example has."""
    counts = [(found.predictions[name].per_example or [])[example] for name in OPERATIONS]
    titles = (found.metric.score_named(name).title.lower() for name in OPERATIONS)
    return ", ".join(f"{n:,} {title}" for n, title in zip(counts, titles, strict=True))
