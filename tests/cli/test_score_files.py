"""``--per-example FILE``: texts and scores of every example."""

import csv
import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.given import columns, systems, write
from textsimp import Bleu, score
from textsimp.cli import score_files
from textsimp.core.declarations import Score
from textsimp.core.examples import Examples

FILES = "-s source.txt -r references"
FAST = "--resamples 20"
ODD = ["a\tb", "line\nbreak", "car\rriage", '"quoted"', "", " ", "日本 é", "a,b;c", "[1]"]
ODD += ["=1+1", "'=1+1", "+a", "-5", "@b", "\tc", "\rd", "'tis", "''-"]  # as formulas look


def read(path):
    """The rows of a file, scores as numbers and references as lists."""
    text = Path(path).read_bytes().decode()
    if path.endswith(".jsonl"):
        return [json.loads(line) for line in text.split("\n")[:-1]]
    delimiter = "\t" if path.endswith(".tsv") else ","
    found = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    texts = ("system", "source", "prediction")
    return [
        {name: cell if name in texts else json.loads(cell) for name, cell in row.items()}
        for row in found
    ]


@pytest.mark.parametrize("ending", ["tsv", "csv", "jsonl"])
def test_a_file_has_a_row_per_system_and_example(ending, examples, run, succeed):
    result = succeed(f"score -m sari,bleu {FILES} -p systems {FAST} --per-example out.{ending}")
    assert f"\nwritten: out.{ending}\n" in result.stdout
    found = read(f"out.{ending}")
    names = ["row", "system", "source", "references", "prediction"]
    scores = ["sari", "add", "keep", "delete", "bleu", "precisions"]
    assert list(found[0]) == [*names, *scores, "brevity_penalty", "length_ratio"]
    assert [(row["row"], row["system"]) for row in found] == [
        (i, system) for system in ("splitter", "substituter") for i in range(1, 49)
    ]
    given, outputs = columns(), systems()
    expected = score(outputs, **given, metrics="sari,bleu", per_example=True, confidence=None)
    for system in ("splitter", "substituter"):
        of_system = [row for row in found if row["system"] == system]
        for metric, name in (("sari", "sari"), ("sari", "add"), ("bleu", "precisions")):
            scored = expected[system][metric][f"{name}_per_example"]
            assert [row[name] for row in of_system] == scored
        assert [row["prediction"] for row in of_system] == outputs[system]
        assert [row["source"] for row in of_system] == given["sources"]
        assert {len(row["references"]) for row in of_system} == {3}


@pytest.mark.parametrize("ending", ["tsv", "csv", "jsonl"])
def test_odd_texts_come_back_and_can_be_scored_again(ending, examples, run, succeed):
    given = [
        {"source": text, "prediction": text[::-1], "references": [text.strip() or "y", text + "x"]}
        for text in ODD
    ]
    write("odd.jsonl", given)
    result = succeed(f"score -d odd.jsonl -P odd=prediction {FAST} --per-example out.{ending}")
    formula = read(f"out.{ending}")[ODD.index("=1+1")]["source"]
    assert formula == ("=1+1" if ending == "jsonl" else "'=1+1")  # or a spreadsheet computed it
    again = run(f"score -d out.{ending} -P odd=prediction {FAST} --per-example again.jsonl")
    assert again.stdout.splitlines()[2:4] == result.stdout.splitlines()[2:4]
    assert [{name: row[name] for name in given[0]} for row in read("again.jsonl")] == given


def test_details_and_scores_of_source_and_references_are_there(examples, run):
    command = f"score -m edit_ops,fkgl_components {FILES} -p systems/splitter.txt {FAST}"
    assert run(f"{command} --per-example out.jsonl").exit_code == 0
    row, *_ = read("out.jsonl")
    assert row["operations"]
    assert len(row["reference_operations"]) == 3
    assert {"fkgl", "source_fkgl", "reference_fkgl", "reference_insert"} <= set(row)


def test_a_score_called_like_a_column_has_its_metrics_name_in_front():
    class Odd(Bleu):
        name = "odd"
        scores = (Score("system", "BLEU", "", better="higher"),)

        def reduce_examples(self, statistics):
            return {"system": statistics[:, -1]}

    examples = Examples({"references": [["c"]]}, {"ours": {"predictions": ["b"]}})
    found = SimpleNamespace(metric=Odd(), systems=Odd().compute_statistics(examples))
    (record,) = score_files.records({"odd": found}, examples, "ours")
    assert record["system"] == "ours"
    assert record["odd.system"] == found.systems["ours"][0, -1]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("out.txt", "--per-example: expected a file that ends with .tsv, .csv, .jsonl, got out"),
        ("systems", "--per-example: expected a file that ends with"),
        ("source.txt/x.tsv", "source.txt/x.tsv can't be written: Not a directory"),
    ],
)
def test_a_file_that_cannot_be_written_is_told_first(name, message, examples, fails):
    assert fails(f"score {FILES} -p nowhere.txt --per-example {name}").startswith(message)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_labels_are_read_again_beside_the_scores_of_each_label(ending, run, succeed, tmp_path):
    """``insertion`` is the column, not ``insertion_1``, the share of that label."""
    row = {"source": "s", "prediction": "p", "insertion": [0, 1, 1], "deletion": 2}
    rows = [row | {"substitution": label} for label in (0, -1, None)]
    data, written = write(tmp_path / "given" / "data.jsonl", rows), tmp_path / f"data.{ending}"
    first = run("score -m information_errors --json -d", str(data), "--per-example", str(written))
    again = succeed("score -m information_errors --json -d", str(written))
    read, scored = json.loads(again.stdout), json.loads(first.stdout)
    assert read | {"provenance": None} == scored | {"provenance": None}  # of other files
