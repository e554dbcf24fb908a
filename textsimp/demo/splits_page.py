"""The page about the splits of a corpus."""

from __future__ import annotations

import functools
import io
import itertools
import json
import re
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from textsimp import splits
from textsimp.core import columns, tables
from textsimp.corpora.files import Rows, check_lengths, read_lines
from textsimp.corpora.tables import read_table
from textsimp.demo import text_inputs, views
from textsimp.demo.endpoints import Argument, add_endpoint, check_object
from textsimp.demo.example_corpus import examples
from textsimp.demo.gradio_page import connect, gradio, new_page, results_block, set_up
from textsimp.demo.limits import REFERENCES, Limits
from textsimp.metrics.edit_ops import EditOps
from textsimp.report import marks, plots
from textsimp.splits.edits import CHANGE
from textsimp.splits.strategies import STRATEGIES
from textsimp.splits.subsets import in_merge_order
from textsimp.support.errors import InputError
from textsimp.text.alignment import COUNTED

if TYPE_CHECKING:
    from datasets import DatasetDict

Means = dict[str, dict[str, float]]

_SHOWN = 20  # worst alignments
_WIDTH = 350  # of a plot, in pixels
_ITERATIONS = 100_000  # of the search for a balanced split
_MEASURED = (CHANGE, *COUNTED)
_MAX_SUBSETS = 20
_PAIR = (".source.txt", ".target.txt")
_DIVERGENCE = ("js_divergence_bits", "random_split_js_divergence_bits", "p_value")

_DESCRIPTION = (
    "Upload the subsets of a simplification corpus: edit operations, how far the subsets differ, "
    "the worst alignments to look through, and a better split to download."
)


_API_DESCRIPTION = (
    "Measure the subsets of a text simplification corpus, such as train and test: mean edit "
    "operations from source to target of each, and how far their change percentages differ."
)
_SUBSETS_ARGUMENT = (
    dict[str, dict[str, list[Any]]],
    "the columns source and target of at least two subsets, by their names; a target is a text or "
    "a list of them",
    {
        "train": {"source": ["The feline sat down."], "target": ["The cat sat."]},
        "test": {"source": ["A canine ran away."], "target": ["A dog ran."]},
    },
)


@dataclass(frozen=True)
class Corpus:
    """The subsets of a corpus.

    Attributes:
        data: Columns ``source``, ``target`` and ``row``, its number over all subsets.
        lines: Each row's line in each of its subset's files.
        endings: What follows the subset's name in the names of these files.
    """

    data: DatasetDict
    lines: list[tuple[str, ...]]
    endings: tuple[str, ...]


def build_splits() -> Any:
    """Make a page to look at a corpus's subsets and to make better ones.

    Returns:
        A ``gradio.Blocks``; its ``launch()`` serves the page. ``/measure`` of its API takes
        subsets (name → ``source`` and ``target`` columns) and returns their mean operations and
        what `textsimp.splits.divergence` does.

    Raises:
        ImportError: Gradio is not installed (the extra ``demo``).
    """
    gr = gradio()
    limits = Limits(
        rows=20_000, characters=5_000_000, text=5_000, work=5 * 10**8, request=8 * 2**20
    )
    with new_page("Explore and improve corpus splits", _DESCRIPTION) as demo:
        with gr.Row():
            with gr.Column(scale=4, min_width=320):
                files = gr.File(
                    label="A file or two for each subset",
                    file_types=[".jsonl", ".txt"],
                    file_count="multiple",
                    height=190,
                )
                gr.Markdown(
                    "Named after their subsets: `train.jsonl`, `test.jsonl`; or, with one text per "
                    "line, `train.source.txt` and `train.target.txt`."
                )
                with gr.Row():
                    names = [
                        gr.Textbox(name, label=f"{name} column (.jsonl)", min_width=140)
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
                results = results_block(
                    views.box(views.note("The results appear here: fill in an example to see."))
                )

        def measure_files(paths: list[str], source: str, target: str, fraction: float) -> str:
            return show_measures(read_corpus(paths, source, target, limits).data, fraction)

        def split_files(
            paths: list[str], source: str, target: str, fraction: float, method: str, seed: int
        ) -> str:
            return show_split(read_corpus(paths, source, target, limits), method, fraction, seed)

        boxes = [files, *names, fraction]
        connect(
            results,
            [(measure, measure_files, boxes), (make, split_files, [*boxes, method, seed])],
        )
        fill.click(_example_files, None, files, queue=False, api_visibility="private")

        def measure_columns(subsets: Any) -> dict[str, Any]:
            columns = {
                name: check_object(subset, f"subset {name!r}", "source and target")
                for name, subset in check_object(subsets, "subsets", "their names").items()
            }
            data = _dataset(columns, limits)
            return {"operations": _means(_count(data)), "divergence": splits.divergence(data)}

        add_endpoint(
            demo,
            "measure",
            _API_DESCRIPTION,
            [Argument("subsets", *_SUBSETS_ARGUMENT)],
            measure_columns,
        )
    return set_up(demo, limits)


def read_corpus(paths: Sequence[str] | None, source: str, target: str, limits: Limits) -> Corpus:
    """Read the files of all subsets.

    Raises:
        InputError: No files, of several kinds, that can't be read, or too much.
    """
    if not paths:
        raise InputError("there are no files: upload some, or fill in an example")
    with text_inputs.hide_folders(*paths):
        files: dict[str, str] = {}
        for path in sorted(map(Path, paths), key=lambda path: path.name):
            if path.name in files:
                raise InputError(f"two files are called {path.name}")
            files[path.name] = str(path)
        pairs = [name for name in files if name.endswith(".txt")]
        if pairs and len(pairs) < len(files):
            raise InputError("expected .jsonl files or pairs of .txt files, got both")
        subsets = _read_texts(files) if pairs else _read_json(files, source, target)
        subsets = {name: subsets[name] for name in _sort_subsets(subsets)}
        lines = [line for subset in subsets.values() for line in zip(*subset["lines"], strict=True)]
        data = _dataset(subsets, limits)
        return Corpus(data, lines, _PAIR if pairs else (".jsonl",))


def _read_json(paths: Mapping[str, str], source: str, target: str) -> dict[str, dict[str, Any]]:
    read = {}
    for name, path in paths.items():
        table = read_table(path)
        subset = _subset_name(name)
        if subset in read:
            raise InputError(f"two files are of the subset {subset}: {name} is one of them")
        read[subset] = {
            "source": table.column(source),
            "target": table.column(target),
            "lines": [table.lines],
        }
    return read


def _read_texts(paths: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    read = {}
    for name in paths:
        if not name.endswith(_PAIR):
            raise InputError(f"{name}: expected a name such as train{_PAIR[0]} or train{_PAIR[1]}")
    for name in dict.fromkeys(name.split(".")[0] for name in paths):
        files = [paths.get(name + ending) for ending in _PAIR]
        if None in files:
            raise InputError(f"expected {name}{_PAIR[0]} and {name}{_PAIR[1]}")
        both = [Rows(read_lines(path), path) for path in files if path]
        check_lengths(both)
        texts = [column.rows for column in both]
        read[_subset_name(name)] = {"source": texts[0], "target": texts[1], "lines": texts}
    return read


def _sort_subsets(names: Iterable[str]) -> list[str]:
    """Return train, others, validation, test: the order of merging, from its end."""
    return in_merge_order(dict.fromkeys([*names][::-1]))[::-1]


def _subset_name(file: str) -> str:
    name = file.split(".")[0]
    if not re.fullmatch(r"[A-Za-z0-9][\w-]*", name, re.ASCII):
        raise InputError(f"{file}: expected a name such as train.jsonl, of letters and digits")
    return name


def _dataset(subsets: Mapping[str, Mapping[str, Any]], limits: Limits) -> DatasetDict:
    """Return the columns, checked, and the numbers of the rows."""
    from datasets import Dataset, DatasetDict

    if len(subsets) > _MAX_SUBSETS:
        raise InputError(f"expected at most {_MAX_SUBSETS} subsets, got {len(subsets)}")
    checked: dict[str, tuple[list[str], list[list[str]], bool]] = {}
    for name, subset in subsets.items():
        sources = columns.texts(subset.get("source"), f"source of {name}")
        targets = columns.references(subset.get("target"), f"target of {name}")
        single = isinstance(subset["target"][0], str)
        pair: dict[str, Any] = {f"source of {name}": sources, f"target of {name}": targets}
        columns.check_lengths(**pair)
        if max(map(len, targets)) > REFERENCES:
            raise InputError(f"expected at most {REFERENCES} targets of a source")
        checked[name] = sources, targets, single
    rows = (zip(sources, targets, strict=True) for sources, targets, _ in checked.values())
    limits.check(itertools.chain.from_iterable(rows))
    data, start = {}, 0
    for name, (sources, targets, single) in checked.items():
        numbers = range(start, start + len(sources))
        target: list[Any] = [row[0] for row in targets] if single else targets
        data[name] = Dataset.from_dict({"source": sources, "target": target, "row": numbers})
        start = numbers.stop
    return DatasetDict(data)


def show_measures(data: DatasetDict, fraction: float) -> str:
    """Return a part of the page: edit operations of the subsets, and their worst alignments."""
    counts = _count(data)
    means = _means(counts)
    operations, divergence = _operations(means, data), _divergence(data)
    removed = splits.drop_poor_alignments(data, fraction, mode="merged").removed
    worst = [
        {"subset": subset, "row": row + 1, CHANGE: change, "source": source, "target": target}
        for subset, row, change, source, target in zip(
            *(removed[name][:] for name in ("removed_from", "removed_row", CHANGE)),
            *(removed[name][:] for name in ("source", "target")),
            strict=True,
        )
    ]
    more = f" (the first {_SHOWN} are shown)" if len(worst) > _SHOWN else ""
    return "".join(
        (
            views.title("Edit operations per pair"),
            _operations_table(operations),
            views.figures(_figures(counts, means), _WIDTH),
            _divergence_table(divergence),
            _downloads("subsets", operations=operations, divergence=divergence, worst=worst),
            views.title("Pairs that change most"),
            views.note(
                f"The worst {100 * fraction:.0f} % are {len(worst):,} pair{'s' * (len(worst) != 1)}"
                f"{more}, with their change percentage. Bold simplifications are among them."
            ),
            views.legend("target"),
            *map(_example, worst[:_SHOWN]),
        )
    )


def _example(pair: Mapping[str, Any]) -> str:
    targets = _targets(pair["target"])
    texts = marks.mark_html([pair["source"]] * len(targets), targets)
    place = f"{pair['subset']}, row {pair['row']} ·"
    return views.example([place, f"{pair[CHANGE]:.0f} %"], *texts)


def show_split(corpus: Corpus, method: str, fraction: float, seed: int) -> str:
    """Return a part of the page: a better split to download, and its edit operations."""
    data, strategy = corpus.data, STRATEGIES[method]
    options = strategy.defaults()
    chosen = {"fraction": fraction, "iterations": _ITERATIONS}
    options |= {name: value for name, value in chosen.items() if name in strategy.options}
    for name in strategy.lists(options):
        if name in data:
            raise InputError(f"a file of the split is called {name}: rename that subset")
    better, lists = strategy.split(data, seed, options)
    parts = {name: lists[name] for name in strategy.lists(options)} | better
    files = {name: part["row"][:] for name, part in parts.items()}
    before, after = (_operations(_means(_count(split)), split) for split in (data, better))
    both = [
        {"split": split, **row}
        for split, rows in (("before", before), ("after", after))
        for row in rows
    ]
    divergence = _divergence(better)
    return "".join(
        (
            views.title(f"A better split: {_spell(method)}"),
            views.note(strategy.about),
            views.download(
                f"{method}.zip", _archive(corpus, files), "application/zip", f"Save {method}.zip"
            ),
            views.title("Edit operations per pair, before"),
            _operations_table(before, both),
            views.title("After"),
            _operations_table(after, both),
            _divergence_table(divergence),
            _downloads(method, operations=both, divergence=divergence),
        )
    )


def _count(data: DatasetDict) -> dict[str, dict[str, list[float]]]:
    """Return subset → operation → its number in each pair."""
    counts = {}
    for name, subset in data.items():
        columns_of = splits.edit_columns(subset[:])
        counts[name] = {
            o: [v for value in columns_of[o] for v in _targets(value)] for o in _MEASURED
        }
    return counts


def _means(counts: Mapping[str, Mapping[str, Sequence[float]]]) -> Means:
    """Return subset → operation → mean over pairs."""
    return {
        name: {o: sum(values) / len(values) for o, values in subset.items()}
        for name, subset in counts.items()
    }


def _figures(
    counts: Mapping[str, Mapping[str, Sequence[float]]], means: Means
) -> dict[str, plots.Spec]:
    """Return shares of operations and distributions of change percentages, by subset."""
    shares = []
    for subset in means.values():
        total = sum(subset[o] for o in plots.OPERATIONS)
        shares.append({o: subset[o] / total for o in plots.OPERATIONS})
    changes = [np.array(subset[CHANGE]) for subset in counts.values()]
    return {
        "Shares of operations, by subset": plots.operations(shares, list(means)),
        "Change percentages, by subset": plots.distribution(plots.CHANGE, changes, list(means)),
    }


def _operations(means: Means, data: DatasetDict) -> list[dict[str, Any]]:
    """Return each subset's number of rows and mean operations."""
    return [
        {"subset": name, "rows": len(data[name]), **means[name]} for name in _sort_subsets(means)
    ]


def _operations_table(
    operations: Sequence[Mapping[str, Any]], beside: Sequence[Mapping[str, Any]] = ()
) -> str:
    """Return a table of some rows, with the decimals of all those it is compared with."""
    places = {
        o: tables.places((row[o] for row in beside or operations), EditOps.score_named(o))
        for o in _MEASURED
    }
    rows: list[list[views.Cell]] = [
        [
            (row["subset"], f"{row['rows']:,} row{'s' * (row['rows'] > 1)}"),
            *(tables.number(row[o], places[o]) for o in _MEASURED),
        ]
        for row in operations
    ]
    change = EditOps.score_named(CHANGE)
    heads: list[views.Cell] = [(change.title.lower(), views.scale(change))]
    heads += [plots.OPERATIONS[operation] for operation in COUNTED]
    return views.table(["subset", *heads], rows, stacked=True)


def _divergence(data: DatasetDict) -> list[dict[str, Any]]:
    """Return how far every two subsets differ."""
    if len(data) < 2:
        return []
    pairs = {
        frozenset((pair["first"], pair["second"])): pair
        for pair in splits.divergence(data)["pairs"]
    }
    return [
        {
            "first": first,
            "second": second,
            **{key: pairs[frozenset((first, second))][key] for key in _DIVERGENCE},
        }
        for first, second in itertools.combinations(_sort_subsets(data), 2)
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
            views.table(["subsets", "JS divergence, bits", "at random", "p"], rows, stacked=True),
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


def _archive(corpus: Corpus, files: Mapping[str, Sequence[int]]) -> bytes:
    """Return an archive of files with the lines of these rows, as they were read."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, rows in files.items():
            for i, ending in enumerate(corpus.endings):
                lines = "".join(f"{corpus.lines[row][i]}\n" for row in rows)
                archive.writestr(f"{name}{ending}", lines)
    return packed.getvalue()


def _spell(name: str) -> str:
    return name.replace("_", " ")


def _targets(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


@functools.cache
def _example_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder with the example corpus, which lasts as long as the process."""
    folder = tempfile.TemporaryDirectory(prefix="textsimp-")
    pairs = [
        json.dumps(
            {"source": row["source"], "target": row["references"][number]}, ensure_ascii=False
        )
        for number in range(3)
        for row in examples("sentences")
    ]
    cut = {"train": pairs[:96], "validation": pairs[96:120], "test": pairs[120:]}
    for name, lines in cut.items():
        text = "".join(f"{line}\n" for line in lines)
        Path(folder.name, f"{name}.jsonl").write_text(text, encoding="utf-8")
    return folder


def _example_files() -> list[str]:
    files = {path.stem: str(path) for path in Path(_example_folder().name).iterdir()}
    return [files[name] for name in _sort_subsets(files)]
