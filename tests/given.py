"""What metrics are given in tests."""

import csv
import importlib
import importlib.util
import json
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tests.project import EXAMPLES, PROJECT
from textsimp.core.metric import COLUMNS, extra_required_columns
from textsimp.metrics import catalogue


def lines(name):
    """The lines of a text file of the example corpus, or of a whole path."""
    return (EXAMPLES / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


def columns(folder=""):
    """The sources and references of the example corpus, or of that in a folder of it."""
    files = map(lines, sorted((EXAMPLES / folder).glob("references/*.txt")))
    references = [list(row) for row in zip(*files, strict=True)]
    return {"sources": lines(Path(folder, "source.txt")), "references": references}


def systems():
    """The outputs of both systems of the example corpus."""
    return {name: lines(f"systems/{name}.txt") for name in ("splitter", "substituter")}


def rows(path):
    """The rows of a file of JSON lines."""
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


TABLES = (".csv", ".tsv", ".parquet")


def write(path, content):
    """Write text, bytes, lines, rows of JSON lines, a JSON value, or columns or rows of a table."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix in TABLES and isinstance(content, dict):
        values = zip(*content.values(), strict=True)
        content = [dict(zip(content, row, strict=True)) for row in values]
    if path.suffix in TABLES and isinstance(content, list) and isinstance(content[0], dict):
        return write_table(path, content)
    if path.suffix == ".json" and not isinstance(content, bytes):
        content = json.dumps(content)
    elif not isinstance(content, (str, bytes)):
        lines = [line if isinstance(line, str) else json.dumps(line) for line in content]
        content = "".join(f"{line}\n" for line in lines)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def write_table(path, rows):
    """Write rows as Parquet, CSV or TSV, in which lists and objects are JSON."""
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
        return path
    cells = [
        {k: json.dumps(v) if isinstance(v, (list, dict)) else v for k, v in row.items()}
        for row in rows
    ]
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, cells[0], delimiter="," if path.suffix == ".csv" else "\t")
        table.writeheader()
        table.writerows(cells)
    return path


def load_file(path):
    """A file of code that is in no package, as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load_tool(patch, name):
    """A script of tools/, and those that it imports, loaded anew."""
    patch.syspath_prepend(PROJECT / "tools")
    for script in (PROJECT / "tools").glob("*.py"):
        patch.delitem(sys.modules, script.stem, raising=False)
    return importlib.import_module(name)


def users_systems(printed):
    """The systems in what ``score --json`` prints, without the baselines beside them."""
    report = json.loads(printed)
    return {s: of for s, of in report["systems"].items() if s not in report["baselines"]}


def given_to(metric, texts):
    """The columns that a metric reads: given texts; labels, scenes and words made from them."""
    sizes = list(map(len, texts["predictions"]))
    found = {column.name: texts[column.name] for column in metric.columns if column.name in texts}
    for place, column in enumerate(metric.columns):
        if column.name not in COLUMNS:
            if column.name == "passages":
                found[column.name] = [*map(one_scene, texts.get("sources", texts["predictions"]))]
                continue
            if column.kind in ("text", "texts"):
                shared = texts.get("sources", texts["predictions"])
                words = [text.split() for text in (texts["predictions"] if column.own else shared)]
                one = [" ".join(row[place : place + 1]) for row in words]
                found[column.name] = one if column.kind == "text" else words
                continue
            assert column.kind == "labels", f"tests have no rows of {column.kind} to give"
            of = column.labels
            found[column.name] = [[of[(n + place) % len(of)]] * (n % 3 + 1) for n in sizes]
    return found


def one_scene(text):
    """A text as one scene, whose first word is the relation and whose last a participant."""
    words = text.split()
    scene = {
        "words": [*range(len(words))],
        "relations": [[[0]]],
        "participants": [[[len(words) - 1]]],
    }
    return {"words": words, "scenes": [scene] if words else []}


def with_all_scores(metric, variant):
    """A variant with the scores that are left out unless an option asks for them."""
    more = [
        name
        for name, about in metric.option_lines().items()
        if about.startswith("also `") and metric.accepts(name, True, {"variant": variant})
    ]
    return metric(variant, **dict.fromkeys(more, True))


def names_of_text_metrics():
    """The names of metrics that need sources, predictions and references at most."""
    names = catalogue.names()
    return [name for name in names if not extra_required_columns(catalogue.metric_class(name))]


def variants():
    """Pairs of a metric's class and a name of its variants, of all metrics that are installed."""
    classes = map(catalogue.metric_class, catalogue.names())
    return [(metric, variant) for metric in classes for variant in metric.presets]
