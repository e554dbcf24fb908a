"""``textsimp figure``."""

import csv
import json
import statistics
from itertools import chain

import pytest

from tests.given import columns, systems
from textsimp import SimplificationStats, score

pytest.importorskip("altair")
TEXTS = "-s source.txt -p systems -r references --resamples 50"


@pytest.mark.parametrize(
    "kind", ["scores -m sari,bleu", "two -m sari -m bleu", "operations", "lengths", "distributions"]
)
def test_a_figure_and_its_numbers_are_written(examples, succeed, fails, kind):
    result = succeed(f"figure {kind} {TEXTS} --width page -o figure.svg")
    assert result.output == "written: figure.svg\nwritten: figure.csv\n"
    with open(examples / "figure.csv", encoding="utf-8", newline="") as file:
        assert {row["system"] for row in csv.DictReader(file)} >= {"splitter", "substituter"}
    assert 'width="453.30pt"' in (examples / "figure.svg").read_text(encoding="utf-8")
    assert "--force overwrites it" in fails(f"figure {kind} {TEXTS} -o figure.svg")


def test_kinds_of_extensions(examples, succeed):
    ratings = "--ratings ratings.jsonl --rating rating"
    succeed(f"figure people {TEXTS} {ratings} -o people.svg")
    table = succeed("meta -d ratings.jsonl -m sari,bleu --resamples 50 --csv").stdout
    (examples / "set.csv").write_text(table, encoding="utf-8")
    succeed("figure trust ours=set.csv -o trust.svg")
    assert {path.name for path in examples.iterdir()} >= {"people.csv", "trust.csv", "trust.svg"}


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (f"figure two {TEXTS} -o two.pdf", "metrics: expected two for the kind 'two', got 1"),
        (f"figure scores {TEXTS} -o scores.doc", "expected a name that ends in .pdf"),
        (
            "figure lengths -p systems -m fkgl_components -o a.svg",
            "sources: expected the original texts, got none",
        ),
    ],
)
def test_what_is_wrong(examples, fails, command, said):
    assert said in fails(command)


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["system"] == "ours"]


def test_a_system_of_runs_is_drawn_by_its_mean(seeds, succeed):
    succeed(f"figure scores {TEXTS} -p ours=runs -o figure.svg")
    (row,) = rows_of("figure.csv")
    given = {"ours": seeds, **systems()}
    mean = score(given, **columns(), resamples=50)["ours"]["sari"].main
    assert [float(row[key]) for key in ("value", "low", "high")] == [mean.value, *mean.interval]


def test_distributions_of_runs_are_of_all_outputs(seeds, succeed):
    succeed(f"figure distributions {TEXTS} -p ours=runs -m simplification_stats.words -o all.svg")
    metric, sources = SimplificationStats(), columns()["sources"]
    each = [metric.score(sources=sources, predictions=run, per_example=True) for run in seeds]
    median = statistics.median(chain(*(scores["words_per_example"] for scores in each)))
    assert {float(row["median"]) for row in rows_of("all.csv")} == {median}


def test_a_column_of_a_table_is_drawn(examples, succeed):
    rows = [{"prediction": text, "q": i} for i, text in enumerate(systems()["splitter"])]
    (examples / "ours.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    succeed("figure scores -s source.txt -p ours.jsonl -m column:q --resamples 10 -o q.svg")
    assert [float(row["value"]) for row in rows_of("q.csv")] == [23.5]
