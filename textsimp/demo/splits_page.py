"""The page that measures and improves the splits of a corpus."""

from __future__ import annotations

import atexit
import functools
import inspect
import io
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from textsimp import splits
from textsimp.core import cells, tables
from textsimp.core.tables import Cell, Grid
from textsimp.corpora.subsets import join_tables, read_subsets
from textsimp.demo import text_inputs, views
from textsimp.demo.example_corpus import examples
from textsimp.demo.gradio_page import Tab, connect, gradio, new_page, results_block, set_up
from textsimp.demo.limits import Limits
from textsimp.metrics.edit_ops import EditOps
from textsimp.report import marks, plots
from textsimp.splits.divergences import pairs_grid
from textsimp.splits.subsets import CHANGE, corpus_tables, in_merge_order
from textsimp.support.errors import InputError
from textsimp.text.alignment import COUNTED

_SHOWN = 20  # worst alignments
_ITERATIONS = 100_000  # of the search for a balanced split
_MEASURED = (CHANGE, *COUNTED)
_MAX_SUBSETS = 20
_TEXTS = (".source.txt", ".target.txt")

_DESCRIPTION = (
    "Upload the subsets of a simplification corpus: edit operations, how far the subsets differ, "
    "the worst alignments to look through, and a better split to download."
)


def build_splits() -> Any:
    """Make a page to look at a corpus's subsets and to make better ones.

    Returns:
        A ``gradio.Blocks``; its ``launch()`` serves the page.
    """
    gr = gradio()
    limits = Limits(
        rows=20_000, characters=5_000_000, text=5_000, work=5 * 10**8, request=8 * 2**20
    )
    with new_page("Explore and improve corpus splits", _DESCRIPTION, EditOps) as demo:
        with gr.Row():
            with gr.Column(scale=4, min_width=320):
                files, names = _corpus_inputs()
                with gr.Row():
                    fill = gr.Button("Fill in an example")
                    measure = gr.Button("Measure", variant="primary")
                with gr.Group():
                    method = gr.Radio(
                        [(about(name), name) for name in splits.STRATEGIES],
                        value="balanced",
                        label="A better split",
                    )
                    fraction = gr.Slider(
                        0.01, 0.3, 0.05, step=0.01, label="Share of worst alignments"
                    )
                    seed = gr.Number(0, label="Seed", precision=0, minimum=0)
                make = gr.Button("Make the split", variant="primary")
            with gr.Column(scale=7, min_width=320):
                waiting = views.note("The results on the example appear here in a moment.")
                results = results_block(views.box(waiting))

        boxes = [files, *names, fraction]
        example = {"fn": _example_files, "outputs": files, "queue": False}
        opened = demo.load(**example, api_visibility="private")
        filled = fill.click(**example, api_visibility="private")
        measured = functools.partial(show_measures, limits)
        made = functools.partial(show_split, limits)
        tabs = [
            Tab(measure, boxes, measured, [opened.then, filled.then]),
            Tab(make, [*boxes, method, seed], made),
        ]
        connect(results, tabs, [], lambda show, _, *values: show(*values))
    return set_up(demo, limits)


def _corpus_inputs() -> tuple[Any, list[Any]]:
    """Return the list of files, and the boxes with names of columns."""
    gr = gradio()
    files = gr.File(
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
    limits: Limits, paths: Sequence[str] | None, source: str, target: str
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
    if len(of) > _MAX_SUBSETS:
        raise InputError(f"expected at most {_MAX_SUBSETS} subsets, got {len(of)}")
    arguments = [f"{name}={','.join(of[name])}" for name in reversed(in_merge_order(of))]
    with text_inputs.hide_folders(*paths):
        subsets = read_subsets(arguments)
        if join_tables([*subsets.values()]).form == "text":
            source, target = "source", "target"
        data = corpus_tables(subsets, (source, target))
    rows: list[tuple[str, list[str]]] = []
    for name, part in data.items():
        data[name] = part.select([source, target]).rename_columns(["source", "target"])
        for pair in data[name].to_pylist():
            targets = pair["target"]
            rows.append((pair["source"], [targets] if isinstance(targets, str) else targets))
    limits.check(rows)
    return data, {"subsets": arguments, "source": source, "target": target}


def about(strategy: str) -> str:
    """Return the first sentence on a strategy."""
    return (inspect.getdoc(splits.STRATEGIES[strategy]) or "").partition("\n")[0]


def show_measures(
    limits: Limits, paths: Sequence[str] | None, source: str, target: str, fraction: float
) -> str:
    """Return a part of the page: edit operations of the subsets, and their worst alignments."""
    data, _ = read_corpus(limits, paths, source, target)
    worst = splits.drop_poor_alignments(data, fraction, mode="merged").removed.to_pylist()
    return "".join(
        (
            _show_operations(data, "subsets", worst=worst),
            views.title("Pairs that change most"),
            views.note(
                f"At most {_SHOWN} of the worst {fraction:.0%}, which are {len(worst):,} pairs, "
                "with their change percentage. Good simplifications may be among them."
            ),
            views.legend("target"),
            *map(_example, worst[:_SHOWN]),
        )
    )


def _example(pair: Mapping[str, Any]) -> str:
    targets = [pair["target"]] if isinstance(pair["target"], str) else pair["target"]
    texts = marks.mark_html([pair["source"]] * len(targets), targets)
    place = f"{pair['removed_from']}, row {pair['removed_row'] + 1} ·"
    body = "".join(f"<p>{text}</p>" for text in texts)
    return views.example([place, f"{pair[CHANGE]:.0f} %"], body)


def show_split(
    limits: Limits,
    paths: Sequence[str] | None,
    source: str,
    target: str,
    fraction: float,
    method: str,
    seed: int,
) -> str:
    """Return a part of the page: a better split to download, and its edit operations."""
    _, corpus = read_corpus(limits, paths, source, target)
    options: dict[str, dict[str, Any]] = {
        "poor_alignments": {"fraction": fraction},
        "balanced": {"iterations": _ITERATIONS},
    }
    packed = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, text_inputs.hide_folders(*paths or ()):
        made = splits.split_files(
            method, output=folder, seed=seed, **corpus, **options.get(method, {})
        )
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(Path(folder).iterdir()):
                archive.write(path, path.name)
        files = [file for subset in made["subsets"].values() for file in subset["files"]]
        better, _ = read_corpus(limits, files, source, target)
    return "".join(
        (
            views.title(f"A better split: {method.replace('_', ' ')}"),
            views.note(about(method)),
            views.download(f"{method}.zip", packed.getvalue(), "application/zip", "Save the split"),
            _show_operations(better, method),
        )
    )


def _show_operations(
    data: Mapping[str, Any], name: str, **further: Sequence[Mapping[str, Any]]
) -> str:
    """Return tables and plots of the subsets, with links to save these and further records."""
    import pandas as pd  # type: ignore[import-untyped]

    edits, operations = {}, []
    for subset, part in data.items():
        columns = splits.edit_columns(part.to_pydict())
        edits[subset] = pd.DataFrame(columns).explode([*_MEASURED]).astype(float)
        operations.append({"subset": subset, "rows": len(part), **edits[subset].mean().to_dict()})
    means = {name: own[[*plots.OPERATIONS]].mean().to_dict() for name, own in edits.items()}
    changes = {name: own[CHANGE].to_numpy() for name, own in edits.items()}
    drawn = {
        "Shares of operations, by subset": plots.operations(means),
        "Change percentages, by subset": plots.distribution(plots.CHANGE, changes),
    }
    names = [Cell(row["subset"], [f"rows: {row['rows']:,}"]) for row in operations]
    numbers = [cells.numbers([row[name] for row in operations]) for name in _MEASURED]
    change = EditOps().find_score(CHANGE)
    heads = ["subset", Cell(change.title.lower(), [views.scale(change)])]
    heads += [plots.OPERATIONS[operation] for operation in COUNTED]
    divergence = splits.divergence(data)["pairs"] if len(data) > 1 else []
    parts = {"operations": operations, "divergence": divergence, **further}
    links = [views.csv_link(f"{name}-{part}", parts[part], f"Save {part} as CSV") for part in parts]
    return "".join(
        (
            views.title("Edit operations per pair"),
            Grid(heads, [[*row] for row in zip(names, *numbers, strict=True)]).to_html("stacked"),
            views.figures(drawn),
            views.title("Do the subsets differ in their change percentages?") if divergence else "",
            pairs_grid(divergence).to_html("stacked") if divergence else "",
            views.downloads(*links),
        )
    )


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
