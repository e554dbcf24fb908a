"""The page that measures and improves the splits of a corpus."""

import atexit
import functools
import inspect
import io
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from textsimp import splits
from textsimp.core import cells, columns, significance, tables
from textsimp.core.tables import Cell, Grid
from textsimp.corpora.subsets import join_tables, read_subsets
from textsimp.demo import text_inputs, views
from textsimp.demo.endpoints import serve
from textsimp.demo.example_corpus import examples
from textsimp.demo.gradio_page import Tab, connect, gradio, new_page, results_block, set_up
from textsimp.demo.limits import Limits
from textsimp.metrics.edit_ops import EditOps
from textsimp.report import marks, plots
from textsimp.splits.divergences import pairs_grid
from textsimp.splits.subsets import CHANGE, check_subsets, in_merge_order
from textsimp.support.errors import InputError, check_choice, check_fields, check_integer
from textsimp.text.alignment import COUNTED

_LIMITS = Limits(rows=20_000, characters=5_000_000, text=5_000, work=5 * 10**8, request=8 * 2**20)
_SHOWN = 20  # worst alignments
_ITERATIONS = 100_000  # of the search for a balanced split
_MEASURED = (CHANGE, *COUNTED)
_MAX_SUBSETS = 20
_LEVEL = 0.05
_TEXTS = (".source.txt", ".target.txt")

_DESCRIPTION = (
    "Upload the subsets of a simplification corpus: do they differ more than random subsets do? "
    "Compare them with another split, download it, and look through the worst alignments."
)
_METHODS = (
    "Random subsets have the same distributions of edit operations, up to chance. Balanced ones "
    "have the same means, but their distributions may differ."
)


def build_splits() -> Any:
    """Make a page to look at a corpus's subsets and to make better ones.

    Returns:
        A ``gradio.Blocks``; its ``launch()`` serves the page.
    """
    gr = gradio()
    with new_page("Explore and improve corpus splits", _DESCRIPTION, EditOps) as demo:
        with gr.Row():
            with gr.Column(scale=4, min_width=320):
                files, names = _corpus_inputs()
                with gr.Group():
                    method = gr.Radio(
                        [(describe(name), name) for name in splits.STRATEGIES],
                        value="balanced",
                        label="Another split",
                        info=_METHODS,
                    )
                    fraction = gr.Slider(
                        0.01, 0.3, 0.05, step=0.01, label="Share of worst alignments"
                    )
                    seed = gr.Number(0, label="Seed", precision=0, minimum=0)
                make = gr.Button("Make the split", variant="primary")
                with gr.Row():
                    fill = gr.Button("Fill in an example", size="md", min_width=160)
                    measure = gr.Button("Only measure", size="md", min_width=120)
            with gr.Column(scale=7, min_width=480):
                results = results_block()

        boxes = [files, *names, fraction]
        filled = fill.click(_example_files, None, files, queue=False, api_visibility="private")
        start = [_example_files(), *(box.value for box in (*names, fraction, method, seed))]
        tabs = [
            Tab(make, [*boxes, method, seed], show_split, [filled.then], start),
            Tab(measure, boxes, show_split),
        ]
        connect(results, tabs, [], lambda show, _, kept, *values: (show(*values), kept))
        serve(split, "split")
    return set_up(demo, _LIMITS)


def _corpus_inputs() -> tuple[Any, list[Any]]:
    """Return the list of files, and the boxes with names of columns."""
    gr = gradio()
    files = gr.File(
        _example_files(),
        label="A file or two for each subset",
        file_types=[".txt", *text_inputs.TABLES],
        file_count="multiple",
        height=190,
    )
    gr.Markdown(
        "Named after their subsets: tables such as `train.jsonl` and `test.jsonl`, or, "
        "with one text per line, `train.source.txt` and `train.target.txt`."
    )
    with gr.Row():
        names = [
            gr.Textbox(name, label=f"{name} column of tables", min_width=140)
            for name in ("source", "target")
        ]
    return files, names


def read_corpus(
    paths: Sequence[str] | None, source: str, target: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return tables with the columns ``source`` and ``target``, and arguments of `split_files`.

    The name of a subset is that of its file before the first dot.
    """
    if not paths:
        raise InputError("there are no files: upload some, or fill in an example")
    of: dict[str, list[str]] = {}
    for path in sorted(paths, key=lambda path: Path(path).name):
        of.setdefault(Path(path).name.partition(".")[0], []).append(path)
    for name, files in of.items():
        endings = [Path(file).name.removeprefix(name) for file in files]
        if len(files) > 1 and endings != [*_TEXTS]:
            raise InputError(
                f"subset {name}: expected one table, or {name}{_TEXTS[0]} and {name}{_TEXTS[1]}, "
                f"got {', '.join(Path(file).name for file in files)}"
            )
    check_integer("number of subsets", len(of), 1, _MAX_SUBSETS)
    arguments = [f"{name}={','.join(of[name])}" for name in reversed(in_merge_order(of))]
    with text_inputs.hide_folders(*paths):
        subsets = read_subsets(arguments)
        if join_tables([*subsets.values()]).form == "text":
            source, target = "source", "target"
        tables = check_subsets(subsets, texts=(source, target), at_least=1)
    names = ["source", "target"]
    data = {name: tables[name].select([source, target]).rename_columns(names) for name in subsets}
    _check_limits(data)
    return data, {"subsets": arguments, "source": source, "target": target}


def _check_limits(data: Mapping[str, Any]) -> None:
    pairs = (pair for part in data.values() for pair in part.to_pylist())
    _LIMITS.check((pair["source"], _list_targets(pair)) for pair in pairs)


def _list_targets(pair: Mapping[str, Any]) -> list[str]:
    return [pair["target"]] if isinstance(pair["target"], str) else pair["target"]


def describe(strategy: str) -> str:
    """Return a strategy's name, and the first sentence on it."""
    about = (inspect.getdoc(splits.STRATEGIES[strategy]) or "").partition("\n")[0]
    return f"{strategy.replace('_', ' ').capitalize()}: {about[0].lower()}{about[1:]}"


class Measured(NamedTuple):
    """Edit operations of a corpus."""

    means: list[dict[str, Any]]  # of each subset
    changes: dict[str, Any]  # subset → change percentages
    pairs: list[dict[str, Any]]  # how far every two subsets differ


def measure(data: Mapping[str, Any]) -> Measured:
    """Measure the subsets of a corpus."""
    import pandas as pd  # type: ignore[import-untyped]

    means, changes = [], {}
    for subset, part in data.items():
        edits = pd.DataFrame(splits.edit_columns(part.to_pydict()))
        edits = edits.explode([*_MEASURED]).astype(float)
        means.append({"subset": subset, "rows": len(part), **edits.mean().to_dict()})
        changes[subset] = edits[CHANGE].to_numpy()
    return Measured(means, changes, _divergence(data))


def _divergence(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return how far every two subsets differ."""
    pairs: list[dict[str, Any]] = splits.divergence(data)["pairs"] if len(data) > 1 else []
    return pairs


def _tell(stage: str, pairs: Sequence[Mapping[str, Any]]) -> str:
    """Say whether subsets differ more than random ones."""
    if not pairs:
        return "There is only one subset."
    p, pair = _worst(pairs)
    who = f"{pair['first']} and {pair['second']}" if p < _LEVEL else "no two subsets"
    return (
        f"{stage.capitalize()}: {who} differ more in their change percentages than random subsets "
        f"do (Jensen–Shannon divergence {pair['js_divergence_bits']:.2f} bits, of random ones "
        f"{pair['random_split_js_divergence_bits']:.2f}, p = {tables.p_value(p)} by Holm's method)."
    )


def _worst(pairs: Sequence[Mapping[str, Any]]) -> tuple[float, Mapping[str, Any]]:
    """Return the two subsets that differ most, and the adjusted p-value."""
    adjusted = significance.holm([pair["p_value"] for pair in pairs])
    tested = zip(adjusted, pairs, strict=True)
    return min(tested, key=lambda one: (one[0], -one[1]["js_divergence_bits"]))


def advise(method: str, pairs: Sequence[Mapping[str, Any]]) -> str:
    """Return what to do if the subsets of a split differ more than random ones; or ""."""
    if not pairs or _worst(pairs)[0] >= _LEVEL:
        return ""
    if method == "random":
        return "These subsets are random, so this is chance: another seed draws others."
    balances = "balances means, but " if method == "balanced" else ""
    return (
        f"This split {balances}leaves distributions further apart than random ones: choose the "
        "random split if they have to be alike."
    )


def split(
    subsets: dict[str, dict[str, list[Any]]],
    method: str = "balanced",
    seed: int = 0,
    fraction: float = 0.05,
) -> dict[str, Any]:
    """Split a corpus of sources and simplifications anew, and compare both splits.

    Args:
        subsets: Name of each subset: its columns source and target, lists of texts.
        method: random, balanced or poor_alignments.
        seed: Of the random choices.
        fraction: Share of the worst alignments that poor_alignments removes.

    Returns:
        subsets: where each pair of a new subset was, as subset and row counted from 0; removed: the
        same of removed pairs; before and after: how far every two subsets differ; verdict.
    """
    check_choice("method", method, [*splits.STRATEGIES])
    data = _tables(subsets)
    made = splits.STRATEGIES[method](data, seed=seed, **_options(fraction)[method])
    kept, removed = made if method == "poor_alignments" else (made, None)
    before, after = _divergence(data), _divergence(kept)
    return {
        "subsets": {name: part["place"].to_pylist() for name, part in kept.items()},
        "removed": [] if removed is None else removed["place"].to_pylist(),
        "before": before,
        "after": after,
        "verdict": " ".join(filter(None, (_tell("after", after), advise(method, after)))),
    }


def _tables(subsets: Any) -> dict[str, Any]:
    """Return Arrow tables of columns, with a column that says where each pair is."""
    import pyarrow as pa

    check_fields(subsets, subsets, "subsets", ())
    check_integer("number of subsets", len(subsets), 1, _MAX_SUBSETS)
    data: dict[str, Any] = {}
    for name, part in subsets.items():
        check_fields(part, ("source", "target"), f"subset {name}", ("source", "target"))
        source: list[str] = columns.texts(part["source"], f"source of {name}")
        target: list[list[str]] = columns.references(part["target"], f"target of {name}")
        columns.check_lengths(source=source, target=target)
        place = [{"subset": name, "row": i} for i in range(len(source))]
        data[name] = pa.table({"source": source, "target": target, "place": place})
    _check_limits(data)
    return data


def _options(fraction: float) -> dict[str, dict[str, Any]]:
    """Return method → its options."""
    return {
        "random": {},
        "poor_alignments": {"fraction": fraction},
        "balanced": {"iterations": _ITERATIONS},
    }


def show_split(
    paths: Sequence[str] | None,
    source: str,
    target: str,
    fraction: float,
    method: str = "",
    seed: int = 0,
) -> str:
    """Return a part of the page: the edit operations of subsets, those after another split, too.

    Without a ``method`` there is no other split.
    """
    data, corpus = read_corpus(paths, source, target)
    if method not in ("", "poor_alignments") and len(data) == 1:
        raise InputError(
            f"the {method} split: expected two or more subsets, got one, {next(iter(data))}: "
            "upload another, or choose poor alignments"
        )
    stages, packed, warning = {"as uploaded": measure(data)}, None, ""
    if method:
        archive, better = _split_files(paths or (), corpus, method, fraction, seed)
        packed = views.file(f"{method}.zip", archive, "application/zip", "Save the split")
        name = "without poor alignments" if method == "poor_alignments" else method
        stages[name] = measure(better)
        warning = advise(method, stages[name].pairs)
    worst = splits.drop_poor_alignments(data, fraction).removed.to_pylist()
    return views.render(
        "splits.html",
        verdicts=[_tell(stage, one.pairs) for stage, one in stages.items()],
        warning=warning,
        packed=packed,
        plots=_plot_stages(stages),
        tables=_stage_grids(stages),
        files=_files(stages, method or "subsets", worst),
        worst=f"At most {_SHOWN} of the worst {fraction:.0%} of each subset, {len(worst):,} in "
        "all, with their change percentage. Good simplifications may be among them.",
        pairs=[*map(_example, worst[:_SHOWN])],
    )


def _example(pair: Mapping[str, Any]) -> dict[str, Any]:
    targets = _list_targets(pair)
    return {
        "place": f"{pair['removed_from']}, row {pair['removed_row'] + 1} ·",
        "change": f"{pair[CHANGE]:.0f} %",
        "marked": marks.mark_html([pair["source"]] * len(targets), targets),
    }


def _split_files(
    paths: Sequence[str], corpus: Mapping[str, Any], method: str, fraction: float, seed: int
) -> tuple[bytes, dict[str, Any]]:
    """Return another split: its files in an archive, and as tables."""
    packed = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, text_inputs.hide_folders(*paths):
        options = _options(fraction)[method]
        made = splits.split_files(method, output=folder, seed=seed, **corpus, **options)
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(Path(folder).iterdir()):
                archive.write(path, path.name)
        files = [file for subset in made["subsets"].values() for file in subset["files"]]
        better, _ = read_corpus(files, corpus["source"], corpus["target"])
    return packed.getvalue(), better


def _plot_stages(stages: Mapping[str, Measured]) -> dict[str, plots.Plot]:
    """Plot splits side by side: caption → plot."""
    drawn = {}
    for stage, measured in stages.items():
        means = {row["subset"]: row for row in measured.means}
        drawn[f"Operations, {stage}"] = plots.operations(means)
    both = [values for measured in stages.values() for values in measured.changes.values()]
    for stage, measured in stages.items():
        plot = plots.distribution(plots.CHANGE, measured.changes, both)
        drawn[f"Change percentages, {stage}"] = plot
    return drawn


def _files(
    stages: Mapping[str, Measured], name: str, worst: Sequence[Mapping[str, Any]]
) -> list[views.File]:
    """Return the numbers of splits, and the worst alignments, as files of CSV."""
    parts = {
        "operations": [{"split": s, **row} for s, x in stages.items() for row in x.means],
        "divergence": [{"split": s, **pair} for s, x in stages.items() for pair in x.pairs],
        "worst": worst,
    }
    return [
        views.csv_file(f"{name}-{part}", records, f"Save {part} as CSV")
        for part, records in parts.items()
        if records
    ]


def _stage_grids(stages: Mapping[str, Measured]) -> list[Grid]:
    """Return the mean operations of each subset in each split, and how far subsets differ."""
    change = EditOps().find_score(CHANGE)
    heads = ["subset", Cell(change.title.lower(), [views.scale(change)])]
    heads += [plots.OPERATIONS[operation] for operation in COUNTED]
    rows = [(stage, row) for stage, measured in stages.items() for row in measured.means]
    names = [Cell(row["subset"], [f"{stage}, rows: {row['rows']:,}"]) for stage, row in rows]
    numbers = [cells.numbers([row[name] for _, row in rows]) for name in _MEASURED]
    grids = [Grid(heads, [[*row] for row in zip(names, *numbers, strict=True)])]
    pairs = {stage: pairs_grid(one.pairs) for stage, one in stages.items() if one.pairs}
    if pairs:
        differences = [
            [Cell(first, [stage]), *row]
            for stage, grid in pairs.items()
            for first, *row in grid.rows
        ]
        grids.append(Grid(next(iter(pairs.values())).header, differences))
    return grids


@functools.cache
def _example_files() -> list[str]:
    """Write the example corpus as files, which are deleted when the process ends."""
    folder = tempfile.TemporaryDirectory(prefix="textsimp-")
    atexit.register(folder.cleanup)
    for number, name in enumerate(("train", "validation", "test")):
        rows = [
            {"source": row["source"], "target": row["references"][number]}
            for row in examples("sentences")
        ]
        Path(folder.name, f"{name}.jsonl").write_text(tables.json_lines(rows), encoding="utf-8")
    return sorted(map(str, Path(folder.name).iterdir()))
