"""Python, the command line and the report have the same numbers of one comparison."""

import json
import warnings
from itertools import cycle, islice

import numpy as np
import pytest
from click.testing import CliRunner

import textsimp
from tests.given import lines
from textsimp import Bleu, ColumnMeans, Sari
from textsimp.cli import main
from textsimp.core import draws, tables
from textsimp.metrics.readability import Readability
from textsimp.metrics.split_f1 import SplitF1
from textsimp.report import measurements

SAMPLING = {"confidence": 0.95, "resamples": 200, "seed": 0}
KINDS = {  # counts, means, means over some examples, scores of a column
    "bleu": Bleu(),
    "sari": Sari(),
    "split_f1": SplitF1(),
    "readability": Readability(),
    "column:errors:variant=lower": ColumnMeans("lower", names="errors"),
}


def read_corpus(n):
    """The example corpus, repeated to n examples: shared columns, and outputs of two systems."""

    def read(name):
        return [*islice(cycle(lines(name)), n)]

    references = zip(*(read(f"references/{i}.txt") for i in range(3)), strict=True)
    sources = [f"{text} {i}" for i, text in enumerate(read("source.txt"))]  # each one once
    shared = {"sources": sources}
    shared["references"] = [list(row) for row in references]
    return shared, {name: read(f"systems/{name}.txt") for name in ("splitter", "substituter")}


@pytest.mark.parametrize(
    ("kind", "n", "most"), [("sari", 5, 1000), *((kind, 90, 50) for kind in KINDS)]
)
def test_all_doors_have_the_same_numbers(kind, n, most, tmp_path, monkeypatch):
    monkeypatch.setattr(draws, "MANY", most)
    metric, (shared, outputs) = KINDS[kind], read_corpus(n)
    rng = np.random.default_rng(0)
    systems = {
        name: {"predictions": own, "errors": (rng.integers(0, 9, n) / 2).tolist()}
        for name, own in outputs.items()
    }
    given = {
        system: {c.name: own[c.name] for c in metric.columns if c.own}
        for system, own in systems.items()
    }
    read = {c.name: shared[c.name] for c in metric.columns if c.name in shared}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of few examples
        (expected,) = textsimp.compare(given, **read, metric=metric, **SAMPLING).values()

    names = {"predictions", *(column.name for column in metric.columns)}
    all_ = {s: {c: rows for c, rows in own.items() if c in names} for s, own in systems.items()}
    texts, _ = measurements.check(all_, *shared.values(), [metric])
    found = measurements.measure(texts, {kind: metric}, SAMPLING)
    reported = found.comparisons.get(kind)
    if reported is not None:
        assert {name: reported.systems[name] for name in given} == expected.systems
        assert {n: reported.differences[n] for n in expected.differences} == expected.differences
        assert [reported.best, reported.baseline] == [expected.best, expected.baseline]
    assert (reported is None) == (not expected.main.better)

    rows = [
        {
            "source": shared["sources"][i],
            "references": shared["references"][i],
            "system": name,
            "prediction": own["predictions"][i],
            "errors": own["errors"][i],
        }
        for name, own in systems.items()
        for i in range(n)
    ]
    path = tmp_path / "table.jsonl"
    path.write_text(tables.json_lines(rows), encoding="utf-8")
    arguments = ["compare", "-d", str(path), "-m", kind, "--resamples", "200", "--json"]
    done = CliRunner().invoke(main, [*arguments, "--no-check"])
    assert done.exit_code == 0, done.output
    printed = json.loads(done.stdout[done.stdout.index("{") :])  # older click has warnings before
    name, plain = kind.partition(":")[0], json.loads(json.dumps(expected))
    for system, own in plain["systems"].items():
        del own["signature"]
        assert printed["systems"][system][name] == own
    for system, own in plain["differences"].items():
        assert printed["differences"][system][name] == own
    assert printed["best"][name] == plain["best"]
    assert printed["baseline_by_metric"][name] == plain["baseline"]
