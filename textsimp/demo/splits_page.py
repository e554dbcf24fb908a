"""The page about the splits of a corpus."""

from __future__ import annotations

import functools
import io
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from textsimp import splits
from textsimp.core import tables
from textsimp.core.tables import Cell, Grid
from textsimp.corpora.subsets import Output, Subset, check_form, read_subsets
from textsimp.corpora.tables import is_table
from textsimp.demo import text_inputs, views
from textsimp.demo.example_corpus import examples
from textsimp.demo.gradio_page import connect, gradio, new_page, results_block, set_up
from textsimp.demo.limits import REFERENCES, Limits
from textsimp.metrics.edit_ops import EditOps
from textsimp.report import marks, plots
from textsimp.splits.edits import CHANGE
from textsimp.splits.files import ROW, corpus_tables
from textsimp.splits.strategies import STRATEGIES
from textsimp.splits.subsets import in_merge_order
from textsimp.support.errors import InputError
from textsimp.text.alignment import COUNTED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SHOWN = 20  # worst alignments
_ITERATIONS = 100_000  # of the search for a balanced split
_MEASURED = (CHANGE, *COUNTED)
_MAX_SUBSETS = 20
_TEXTS = (".source.txt", ".target.txt")
_DIVERGENCE = ("js_divergence_bits", "random_split_js_divergence_bits", "p_value")

_DESCRIPTION = (
    "Upload the subsets of a simplification corpus: edit operations, how far the subsets differ, "
    "the worst alignments to look through, and a better split to download."
)


class Corpus(NamedTuple):
    data: dict[str, Any]  # tables with ``source``, ``target`` and `ROW`
    subsets: dict[str, Subset]  # as they were read


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
                with gr.Row():
                    fill = gr.Button("Fill in an example")
                    measure = gr.Button("Measure", variant="primary")
                with gr.Group():
                    method = gr.Radio(
                        [
                            (f"{_spell(n)}: {strategy.about}", n)
                            for n, strategy in STRATEGIES.items()
                        ],
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

        def measure_files(paths: list[str], source: str, target: str, fraction: float) -> str:
            return show_measures(read_corpus(paths, source, target, limits).data, fraction)

        def split_files(
            paths: list[str], source: str, target: str, fraction: float, method: str, seed: int
        ) -> str:
            return show_split(read_corpus(paths, source, target, limits), method, fraction, seed)

        boxes = [files, *names, fraction]
        example = {"fn": _example_files, "outputs": files, "queue": False}
        filled = [
            event(**example, api_visibility="private").then for event in (demo.load, fill.click)
        ]
        connect(
            results,
            [
                (measure, measure_files, boxes, filled),
                (make, split_files, [*boxes, method, seed], ()),
            ],
        )
    return set_up(demo, limits)


def read_corpus(paths: Sequence[str] | None, source: str, target: str, limits: Limits) -> Corpus:
    """Read subsets, which are named as files are before the first dot."""
    if not paths:
        raise InputError("there are no files: upload some, or fill in an example")
    of: dict[str, list[str]] = {}
    for path in sorted(paths, key=lambda path: Path(path).name):
        of.setdefault(Path(path).name.partition(".")[0], []).append(path)
    for name, files in of.items():
        endings = [Path(file).name.removeprefix(name) for file in files]
        if endings != [*_TEXTS] and (len(files) > 1 or not is_table(files[0])):
            raise InputError(
                f"subset {name}: expected one table, or {name}{_TEXTS[0]} and {name}{_TEXTS[1]}, "
                f"got {', '.join(Path(file).name for file in files)}"
            )
    with text_inputs.hide_folders(*paths):
        subsets = read_subsets([f"{name}={','.join(of[name])}" for name in _sort_subsets(of)])
        check_form(subsets.values())
        pair = (source, target)
        if next(iter(subsets.values())).form == "text":
            pair = ("source", "target")
        data = corpus_tables(subsets, pair)
    for name, part in data.items():
        data[name] = part.select([*pair, ROW]).rename_columns(["source", "target", ROW])
    _check(data, limits)
    return Corpus(data, subsets)


def _sort_subsets(names: Iterable[str]) -> list[str]:
    """Return train, others, validation, test: the order of merging, from its end."""
    return in_merge_order(dict.fromkeys([*names][::-1]))[::-1]


def _check(data: Mapping[str, Any], limits: Limits) -> None:
    """Check that a corpus isn't too large for this page."""
    if len(data) > _MAX_SUBSETS:
        raise InputError(f"expected at most {_MAX_SUBSETS} subsets, got {len(data)}")
    rows: list[tuple[str, list[str]]] = []
    for part in data.values():
        targets = part["target"].to_pylist()
        lists = [[row] if isinstance(row, str) else row for row in targets]
        if max(map(len, lists)) > REFERENCES:
            raise InputError(f"expected at most {REFERENCES} targets of a source")
        rows.extend(zip(part["source"].to_pylist(), lists, strict=True))
    limits.check(rows)


def show_measures(data: Mapping[str, Any], fraction: float) -> str:
    """Return a part of the page: edit operations of the subsets, and their worst alignments."""
    edits = _count_edits(data)
    operations, divergence = _operations(edits), _divergence(data)
    removed = splits.drop_poor_alignments(data, fraction, mode="merged").removed
    worst = [
        {"subset": pair["removed_from"], "row": pair["removed_row"] + 1}
        | {key: pair[key] for key in (CHANGE, "source", "target")}
        for pair in removed.to_pylist()
    ]
    more = f" (the first {_SHOWN} are shown)" if len(worst) > _SHOWN else ""
    return "".join(
        (
            views.title("Edit operations per pair"),
            _operations_table(operations),
            views.figures(_figures(edits)),
            _divergence_table(divergence),
            _downloads("subsets", operations=operations, divergence=divergence, worst=worst),
            views.title("Pairs that change most"),
            views.note(
                f"The worst {100 * fraction:.0f} % are {len(worst):,} pair{'s' * (len(worst) != 1)}"
                f"{more}, with their change percentage. Good simplifications may be among them."
            ),
            views.legend("target"),
            *map(_example, worst[:_SHOWN]),
        )
    )


def _example(pair: Mapping[str, Any]) -> str:
    targets = [pair["target"]] if isinstance(pair["target"], str) else pair["target"]
    texts = marks.mark_html([pair["source"]] * len(targets), targets)
    place = f"{pair['subset']}, row {pair['row']} ·"
    body = "".join(f"<p>{text}</p>" for text in texts)
    return views.example([place, f"{pair[CHANGE]:.0f} %"], body)


def show_split(corpus: Corpus, method: str, fraction: float, seed: int) -> str:
    """Return a part of the page: a better split to download, and its edit operations."""
    data, strategy = corpus.data, STRATEGIES[method]
    chosen = {"fraction": fraction, "iterations": _ITERATIONS}
    options = {name: value for name, value in chosen.items() if name in strategy.options}
    for name in strategy.lists(options):
        if name in data:
            raise InputError(f"a file of the split is called {name}: rename that subset")
    better, lists = strategy.split(data, seed, options)
    better = {name: better[name] for name in _sort_subsets(better)}
    parts = {name: lists[name] for name in strategy.lists(options)} | better
    archive = _archive(corpus.subsets, {n: part[ROW].to_numpy() for n, part in parts.items()})
    operations = [
        {"split": split, **row}
        for split, subsets in (("before", data), ("after", better))
        for row in _operations(_count_edits(subsets))
    ]
    divergence = _divergence(better)
    return "".join(
        (
            views.title(f"A better split: {_spell(method)}"),
            views.note(strategy.about),
            views.download(f"{method}.zip", archive, "application/zip", f"Save {method}.zip"),
            views.title("Edit operations per pair, before and after"),
            _operations_table(operations),
            _divergence_table(divergence),
            _downloads(method, operations=operations, divergence=divergence),
        )
    )


def _count_edits(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row for each pair of a subset, and a column for each operation."""
    import pandas as pd  # type: ignore[import-untyped]

    return {
        name: pd.DataFrame(splits.edit_columns(data[name].to_pydict()))
        .explode([*_MEASURED])
        .astype(float)
        .reset_index(names="row")
        for name in data
    }


def _figures(edits: Mapping[str, Any]) -> dict[str, plots.Plot]:
    means = [subset[[*plots.OPERATIONS]].mean() for subset in edits.values()]
    shares = [(mean / mean.sum()).to_dict() for mean in means]
    changes = [subset[CHANGE].to_numpy() for subset in edits.values()]
    return {
        "Shares of operations, by subset": plots.operations(shares, list(edits)),
        "Change percentages, by subset": plots.distribution(plots.CHANGE, changes, list(edits)),
    }


def _operations(edits: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"subset": name, "rows": rows["row"].nunique(), **rows[[*_MEASURED]].mean().to_dict()}
        for name, rows in edits.items()
    ]


def _operations_table(operations: Sequence[Mapping[str, Any]]) -> str:
    columns = [tables.numbers([row[name] for row in operations]) for name in _MEASURED]
    names = []
    for row in operations:
        subset = f"{row['subset']}, {row['split']}" if "split" in row else row["subset"]
        names.append(Cell(subset, [f"{row['rows']:,} row{'s' * (row['rows'] > 1)}"]))
    change = EditOps().find_score(CHANGE)
    heads = ["subset", Cell(change.title.lower(), [views.scale(change)])]
    heads += [plots.OPERATIONS[operation] for operation in COUNTED]
    return Grid(heads, [[*row] for row in zip(names, *columns, strict=True)]).to_html("stacked")


def _divergence(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return how far every two subsets differ, train first."""
    pairs = splits.divergence(data)["pairs"] if len(data) > 1 else []
    return [
        {"first": pair["second"], "second": pair["first"], **{k: pair[k] for k in _DIVERGENCE}}
        for pair in reversed(pairs)
    ]


def _divergence_table(divergence: Sequence[Mapping[str, Any]]) -> str:
    if not divergence:
        return ""
    rows = [
        [
            f"{pair['first']}, {pair['second']}",
            *(f"{pair[key]:.4f}" for key in _DIVERGENCE[:2]),
            tables.p_value(pair["p_value"]),
        ]
        for pair in divergence
    ]
    return "".join(
        (
            views.title("Do the subsets differ?"),
            Grid(["subsets", "JS divergence, bits", "at random", "p"], rows).to_html("stacked"),
            views.note(
                "Jensen–Shannon divergence of their change percentages, 0 to 1; its mean over "
                "random splits of the same sizes; and how often those differ as much."
            ),
        )
    )


def _downloads(name: str, **parts: Sequence[Mapping[str, Any]]) -> str:
    """Return links to all as JSON, and to each part as CSV."""
    return views.downloads(
        views.json_link(name, parts, "Save all as JSON"),
        *(
            views.csv_link(f"{name}-{part}", rows, f"{part.capitalize()} as CSV")
            for part, rows in parts.items()
        ),
    )


def _archive(subsets: Mapping[str, Subset], rows: Mapping[str, NDArray[np.int64]]) -> bytes:
    """Return an archive of files with these rows, in the form in which they were read."""
    packed = io.BytesIO()
    with (
        tempfile.TemporaryDirectory() as folder,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for files in Output(subsets, folder, rows).write(rows, {}).values():
            for file in files:
                archive.write(file, Path(file).name)
    return packed.getvalue()


def _spell(name: str) -> str:
    return name.replace("_", " ")


def _example_files() -> list[str]:
    """Write the example corpus as files, which last as long as the process."""
    pairs = [
        {"source": row["source"], "target": row["references"][number]}
        for number in range(3)
        for row in examples("sentences")
    ]
    subsets = {"train": pairs[:96], "validation": pairs[96:120], "test": pairs[120:]}
    files = []
    for name, rows in subsets.items():
        file = Path(_example_folder().name, f"{name}.jsonl")
        file.write_text(tables.json_lines(rows), encoding="utf-8")
        files.append(str(file))
    return files


@functools.cache
def _example_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="textsimp-")
