"""TSAR-2022: how files are read, what counts, and what the official numbers hide."""

import math
import tempfile
from pathlib import Path
from statistics import mean

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tests.given import write
from tests.literal import lexical_substitution as literal
from textsimp import InputError
from textsimp.cli import main
from textsimp.extensions import tasks

GOLD = [
    "They erected a hut .\terected\tbuilt\tbuilt\tmade",
    "He seldom sang .\tseldom\trarely\trarely\tnot often",
    "It fluctuates .\tfluctuates\tchanges\tvaries",
]


def scored(folder, gold, run):
    files = {"gold": write(folder / "gold.tsv", gold), "predictions": write(folder / "run", run)}
    return tasks.score("tsar2022", **files)


def line(i, *substitutes):
    """A line of a run for an instance of `GOLD`."""
    return "\t".join([*GOLD[i].split("\t")[:2], *substitutes])


OFFICIAL = {
    "potential_{}": "Potential@{}",
    "acc_{}_top1": "ACC@{}@Top1",
    "map_{}": "MAP@{}",
    "precision_{}": "Precision@{}",
    "recall_{}": "Recall@{}",
}
words = st.sampled_from(["a", "b", "c", "d e", "A", *"fghijklmn"])
rows = st.tuples(words, st.lists(words, min_size=1, max_size=9), st.lists(words, max_size=15))


@given(instances=st.lists(rows, min_size=1, max_size=9), k=st.integers(1, 10))
def test_numbers_are_means_of_the_definition_and_cut_off(instances, k):
    instances = [row for row in instances if {*row[1]} > {row[0]} or row[0] not in row[1]]
    if not instances:
        return
    gold = ["\t".join([f"S {i}", row[0], *row[1]]) for i, row in enumerate(instances)]
    run = ["\t".join([f"S {i}", row[0], *row[2]]) for i, row in enumerate(instances)]
    with tempfile.TemporaryDirectory() as folder:
        result = scored(Path(folder), gold[::-1], run)
    expected = [literal.lexical_substitution(*row, k, "tsar2022") for row in instances]
    for key, name in OFFICIAL.items():
        exact = result["exact"][name.format(k)]
        assert exact == pytest.approx(float(mean(row[key.format(k)] for row in expected)))
        assert result[name.format(k)] == math.floor(exact * 10**4) / 10**4


def test_the_table_has_the_official_columns_and_json_all_k(tmp_path):
    result = scored(tmp_path, GOLD, [line(0, "built")])
    assert result.grid().header == [
        *("", "ACC@1", "ACC@1@Top1", "ACC@2@Top1", "ACC@3@Top1", "MAP@3", "MAP@5", "MAP@10"),
        *("Potential@3", "Potential@5", "Potential@10"),
    ]
    assert len(result["exact"]) == 51
    assert [*result][-1] == "exact"


def test_instances_that_a_run_lacks_raise_official_numbers_only(tmp_path):
    gold = write(tmp_path / "gold.tsv", GOLD)
    run = write(tmp_path / "run.tsv", [line(0, "built"), line(1, "rarely")])
    results = tasks.compare("tsar2022", gold=gold, predictions=[run])
    assert results.results[0]["ACC@1"] == 1
    assert results.estimates["run"]["ACC@1"] == pytest.approx(2 / 3)
    low, high = results.intervals["run"]["ACC@1"]
    assert low < 2 / 3 < high
    assert results.results[0].coverage.missing == [3]


def test_runs_are_compared_on_all_instances_of_gold(tmp_path):
    gold = write(tmp_path / "gold.tsv", GOLD)
    whole = write(tmp_path / "whole.tsv", [line(i, "built", "rarely", "varies") for i in range(3)])
    part = write(tmp_path / "part.tsv", [line(0, "built")])
    results = tasks.compare("tsar2022", gold=gold, predictions=[whole, part])
    assert results.differences["part"]["Potential@3"].value == pytest.approx(-2 / 3)


def test_what_hides_in_several_runs_is_told_once(tmp_path):
    gold = write(tmp_path / "gold.tsv", GOLD)
    a, b = (write(tmp_path / f"{name}.tsv", [line(0, "built"), line(1, "x")]) for name in "ab")
    rows = tasks.compare("tsar2022", gold=gold, predictions=[a, b]).tables()["Rows"]
    assert [*rows.notes] == ["a, b: gold without a prediction (row 3)", "rows count from 1"]


def test_rows_are_never_taken_for_their_number(tmp_path):
    gold = write(tmp_path / "gold.tsv", [f"S {i}\tw\tx" for i in range(60)])
    run = write(tmp_path / "run.tsv", ["S 0\tw\tx"])
    other = write(tmp_path / "other.tsv", [f"S {i}\tw\tx" for i in range(0, 60, 2)])
    notes = tasks.compare("tsar2022", gold=gold, predictions=[run, other]).tables()["Rows"].notes
    assert notes[0] == "run: gold without a prediction (59 rows: 2-60)"
    assert notes[1].startswith("other: gold without a prediction (30 rows: 2, 4, 6, ")
    assert notes[1].endswith(", 38, 40, …)")


@pytest.mark.parametrize(
    ("run", "name", "expected"),
    [
        ([line(0, "erected", "made", "made", "built")], "ACC@2@Top1", 1),  # dropped before the cut
        ([line(0, " built ", "\u3000made\xa0", "", "")], "Precision@10", 1),
        ([line(0, "", "built")], "ACC@1", 0),  # an inner empty cell is a substitute
        ([line(0, "x"), line(0, "built")], "ACC@1", 1),  # the last of repeated lines counts
        ("\r\n".join([line(0, "built"), line(1, "rarely")]), "ACC@1", 1),
        ([line(0, "built\u2028made")], "ACC@1", 0),  # which ends no line
        ([line(0)], "Potential@10", 0),
    ],
)
def test_what_counts(tmp_path, run, name, expected):
    assert scored(tmp_path, GOLD, run)[name] == expected


def test_rows_of_gold_that_do_not_count_are_listed(tmp_path):
    coverage = scored(tmp_path, ["S\tw\tx", "S\tw\ty"], ["S\tw\ty"]).coverage
    assert coverage.remarks == {"gold whose instance has a later row": [1]}


@pytest.mark.parametrize(
    ("gold", "run", "place"),
    [
        (GOLD, [GOLD[0], ""], "run, line 2: "),
        (GOLD, ["They erected a hut ."], "run, line 1: "),
        (["", GOLD[0]], [GOLD[0]], r"gold\.tsv, line 1: "),
        (GOLD, [line(0), "S\tw\tx"], "run, line 2: .*'w'$"),
        (GOLD, f"\ufeff{line(0)}", "run, line 1: .*byte order mark"),
        (["a__b\tw\tx"], ["a__b\tw"], "run, line 1: .*'__'"),
        (["S\tw\tw"], ["S\tw\tx"], "run, line 1: .*'w'"),
        (GOLD, "", "run is empty"),
        (GOLD, b"a\tb\n\xff\tb\n", "run, line 2: "),
    ],
)
def test_where_the_official_script_fails_a_line_says_why(tmp_path, gold, run, place):
    with pytest.raises(InputError, match=place):
        scored(tmp_path, gold, run)


def test_the_command_prints_cut_off_numbers(tmp_path):
    gold = write(tmp_path / "gold.tsv", GOLD)
    run = write(tmp_path / "run.tsv", [line(0, "built"), line(1, "rarely"), line(2, "x")])
    command = ["task", "tsar2022", "--gold", str(gold), "--predictions", str(run)]
    shown = CliRunner().invoke(main, command).stdout
    _, _, numbers, *_ = shown.splitlines()
    assert numbers.split()[:3] == ["run", "0.6666", "0.6666"]
    assert "0.6667 [" in shown
