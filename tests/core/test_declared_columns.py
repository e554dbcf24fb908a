"""What a metric declares of its columns is what every door takes, checks and passes on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.toys import Marked, Parsed
from textsimp import InputError, compare, report, score
from textsimp.core import columns, examples
from textsimp.core.declarations import PREDICTIONS, Column
from textsimp.core.scores import rank
from textsimp.hub.module import Module
from textsimp.metrics import catalogue
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.sari import Sari
from textsimp.trainer import make_compute_metrics

TEXTS = ["One.", "Two.", "Three.", "Four."]
MARKS = [[1, 1, 0], [0], 1, None]
TREES = [[], [[], []], [[["a"]], {"b": 1}], "leaf"]


class MarkedModule(Module):
    """Examples: none."""

    metric_class = Marked

    def _info(self):
        return self.make_info()


class ParsedModule(Module):
    """Examples: none."""

    metric_class = Parsed

    def _info(self):
        return self.make_info()


def test_a_metric_is_given_the_columns_that_it_declares_by_name():
    found = Marked().score(predictions=TEXTS, mark=MARKS)
    assert found["labelled"] == 3
    assert found["marked"] == pytest.approx(2 / 3)
    weighted = Marked().score(predictions=TEXTS, mark=MARKS, weight=[2, 1, 1, 5])
    assert weighted["marked"] == pytest.approx(3 / 4)


@pytest.mark.parametrize(
    "marks",
    [
        MARKS,
        [[1, 1, 0], [0], [1], []],
        [["1", "1", "0"], ["0"], "1", ""],
        pd.Series([[1, 1, 0], [0], 1.0, math.nan], dtype=object),
        pd.Series([[1, 1, 0], [0, pd.NA], 1, pd.NA], dtype=object),
        np.array([[1, 1, 0], [0], np.int64(1), None], dtype=object),
        np.array([[1, 1, 0], [0], np.int64(1), np.float32("nan")], dtype=object),
    ],
    ids=["Python", "lists", "text", "pandas", "pandas' NA", "NumPy", "NumPy's NaN"],
)
def test_labels_may_be_written_in_many_ways(marks):
    (column,) = (column for column in Marked.columns if column.name == "mark")
    checked = examples.columns.check_column(column, marks)
    assert checked == [[1, 1, 0], [0], [1], []]
    assert {type(label) for row in checked for label in row} == {int}


given_labels = st.one_of(
    st.none(), st.sampled_from([0, 1, 1.0, 0.5, "0", "", math.nan, True, 2, np.int64(1)])
)


@given(rows=st.lists(st.one_of(given_labels, st.lists(given_labels, max_size=3)), min_size=1))
def test_labels_are_checked_alike_one_by_one_and_all_at_once(rows):
    def result(column):
        try:
            return examples.columns.labels(column, "mark", (0, 1))
        except InputError as error:
            return str(error).partition(": expected")[0]

    # NumPy's number beside them keeps them from being checked at once.
    alone = result([*rows, 1])
    assert alone == result([*rows, np.int64(1)])
    if isinstance(alone, list):
        assert {type(label) for row in alone for label in row} == {int}


def test_a_label_may_be_written_as_pandas_does_beside_gaps():
    found = columns.check_column(Marked.columns[2], ["1.0", "0.0", "", 1.0], "mark")
    assert found == [[1], [0], [], [1]]


@pytest.mark.parametrize("bad", [2, "x", True, np.True_, [1, 2], 0.5, {"a": 1}])
def test_another_label_is_refused_with_its_row(bad):
    with pytest.raises(InputError, match=r"^row 2 of mark .*: "):
        Marked().score(predictions=TEXTS, mark=[1, 0, bad, 1])


@pytest.mark.parametrize(
    "bad",
    [
        None,
        "many",
        math.nan,
        math.inf,
        True,
        np.True_,
        [1],
        pytest.param(10**400, id="huge"),
        -1e300,
        pd.NA,
    ],
)
def test_another_thing_than_a_number_is_refused_with_its_row(bad):
    with pytest.raises(InputError, match=r"^row 1 of weight "):
        Marked().score(predictions=TEXTS, mark=MARKS, weight=[1, bad, 1, 1])


@pytest.mark.parametrize("bad", [{1, 2}, object(), math.nan, b"x"])
def test_what_json_cannot_hold_is_refused_with_its_row(bad):
    with pytest.raises(InputError, match=r"^row 3 of trees .*: "):
        Parsed().score(predictions=TEXTS, trees=[*TREES[:3], bad])


def test_a_missing_column_is_refused_with_the_metric():
    with pytest.raises(InputError, match=r"^mark: marked needs this column, got none$"):
        Marked().score(predictions=TEXTS)


def test_a_column_of_another_metric_is_refused():
    with pytest.raises(InputError, match=r"^unknown column 'marks' .did you mean 'mark'"):
        Marked().score(predictions=TEXTS, marks=MARKS)
    with pytest.raises(InputError, match=r"^unknown column 'mark'"):
        Sari().score(sources=TEXTS, predictions=TEXTS, references=TEXTS, mark=MARKS)


def test_what_all_share_is_no_column_of_a_system():
    with pytest.raises(InputError, match=r"^unknown column 'sources': "):
        score({"a": {"predictions": TEXTS, "mark": MARKS, "sources": TEXTS}}, metrics=Marked())
    with pytest.raises(InputError, match=r"^unknown column 'mark'.*: "):
        examples.check([Marked()], {"a": TEXTS}, {"mark": MARKS})


def test_systems_have_columns_of_their_own():
    systems = {
        "a": {"predictions": TEXTS, "mark": MARKS},
        "b": {"predictions": TEXTS[::-1], "mark": [0, 0, 0, 1]},
    }
    results = score(systems, metrics=Marked())
    assert results["a"]["marked"]["marked"] == pytest.approx(2 / 3)
    assert results["b"]["marked"]["marked"] == 1 / 4
    compared = compare(systems, metric=Marked(), weight=[1, 1, 1, 1], baseline="a")["marked"]
    assert compared.differences["b"]["marked"].value == pytest.approx(1 / 4 - 2 / 3)


def test_a_column_that_one_system_lacks_is_refused_with_the_system():
    systems = {"a": {"predictions": TEXTS, "mark": MARKS}, "b": TEXTS}
    with pytest.raises(InputError, match=r"^mark of b: marked needs this column, got none$"):
        score(systems, metrics=Marked())


def test_metrics_share_one_check_and_read_their_own_columns():
    checked = examples.check(
        [Sari(), Bleu(), Marked()],
        {"a": {"predictions": TEXTS, "mark": MARKS}},
        {"sources": TEXTS, "references": TEXTS},
    )
    assert checked.references == [[text] for text in TEXTS]
    for metric in (Sari(), Bleu(), Marked()):
        assert metric.compute_statistics(checked)["a"].shape[0] == len(checked) == 4


def test_a_module_stores_and_scores_the_columns_of_its_metric(tmp_path):
    module = MarkedModule(cache_dir=str(tmp_path))
    assert list(module.features) == ["sources", "predictions", "mark", "weight"]
    expected = Marked().score(predictions=TEXTS, mark=MARKS).to_dict()
    assert module.compute(predictions=TEXTS, mark=MARKS) == expected
    for text, mark in zip(TEXTS, MARKS, strict=True):
        module.add(prediction=text, mark=mark)
    assert module.compute() == expected
    weighted = module.compute(predictions=TEXTS, mark=MARKS, weight=[2, 1, 1, 5])
    assert weighted is not None
    assert weighted["marked"] == 3 / 4


def test_metrics_that_read_different_columns_of_one_name_are_refused():
    @dataclass(frozen=True)
    class Other(Marked):
        name: ClassVar[str] = "other"
        columns: ClassVar = (PREDICTIONS, Column("mark", "labels", "1 to 3", labels=(1, 2, 3)))

    with pytest.raises(InputError, match=r"^mark: other and another metric read different columns"):
        score({"a": TEXTS}, metrics=[Marked(), Other()], mark=[1, 2, 3, 1])


def test_references_that_another_metric_reads_are_no_part_of_a_signature():
    systems = {"a": {"predictions": TEXTS, "mark": MARKS}}
    both = score(systems, metrics=[Sari(), Marked()], sources=TEXTS, references=TEXTS)["a"]
    assert both["marked"].signature == score(systems, metrics=Marked())["a"]["marked"].signature
    assert "|refs:1|" in both["sari"].signature


def test_what_is_structured_reaches_every_metric_as_json_has_it(tmp_path):
    trees = [((), ()), [((),)], {1: 2}, ()]
    scores = Parsed().score(predictions=TEXTS, trees=trees)
    assert scores["depth"] == pytest.approx((2 + 3 + 0 + 1) / 4)
    assert ParsedModule(cache_dir=str(tmp_path)).compute(predictions=TEXTS, trees=trees) == scores


@dataclass(frozen=True)
class Judged(Parsed):
    """Labels that are numbers but for one."""

    columns: ClassVar = (
        PREDICTIONS,
        Column("label", "labels", "judgements", own=True, labels=(0, 1, "gibberish")),
    )

    def statistics(self, prepared: None, predictions: list[str], label: Any) -> Any:  # type: ignore[override]
        return np.array([[sum(x for x in row if x != "gibberish"), len(row)] for row in label])


class JudgedModule(Module):
    """Examples: none."""

    metric_class = Judged

    def _info(self):
        return self.make_info()


def test_a_module_stores_labels_of_several_types(tmp_path):
    marks = [[0, 1, "gibberish"], None, 1, ["gibberish"]]
    scores = Judged().score(predictions=TEXTS, label=marks)
    assert scores["depth"] == pytest.approx(2 / 5)
    assert JudgedModule(cache_dir=str(tmp_path)).compute(predictions=TEXTS, label=marks) == scores


def test_a_module_says_which_columns_it_takes():
    text = MarkedModule().inputs_description
    assert "mark: list of marks of the annotators: 1 or 0" in text
    assert "weight: list of how much a source counts; optional" in text


def test_a_trainer_refuses_a_metric_that_reads_what_it_has_not(monkeypatch):
    monkeypatch.setitem(catalogue.METRICS, "marked", "tests.toys:Marked")
    with pytest.raises(InputError, match=r"^metrics: marked needs mark, which a Trainer doesn't"):
        make_compute_metrics(object(), "marked")


def test_a_report_refuses_a_metric_that_reads_what_it_has_not():
    with pytest.raises(InputError, match=r"^metrics: marked needs mark, which a report doesn't"):
        report.html({"a": TEXTS}, sources=TEXTS, references=TEXTS, metrics=Marked())


def test_the_lowest_is_the_first_where_lower_is_better():
    systems = {
        name: {"predictions": TEXTS, "mark": mark}
        for name, mark in {"bad": [1, 1, 1, 1], "good": [0, 0, 0, 0], "fair": [1, 0, 0, 0]}.items()
    }
    found = compare(systems, metric=Marked())["marked"]
    assert rank(found.systems) == ["good", "fair", "bad"]


def doubled(row, where):
    """A reader: of a name its length, twice in a list; what it returned it takes too."""
    if isinstance(row, list):
        return row
    if not isinstance(row, str):
        raise InputError(f"{where}: expected a name, got {row!r}")
    return [[]] * len(row)


@dataclass(frozen=True)
class Reading(Parsed):
    """Trees that are read from what a user names."""

    columns: ClassVar = (
        PREDICTIONS,
        Column("trees", "structured", "names", own=True, read=doubled),
    )


class ReadingModule(Module):
    """Examples: none."""

    metric_class = Reading

    def _info(self):
        return self.make_info()


def test_a_column_may_read_what_its_rows_name(tmp_path):
    trees = ["", Path("a"), [[]], "abc"]
    expected = Reading().score(predictions=TEXTS, trees=trees)
    assert expected["depth"] == (1 + 2 + 2 + 2) / 4
    module = ReadingModule(cache_dir=str(tmp_path))
    assert module.compute(predictions=TEXTS, trees=trees) == expected
    for prediction, tree in zip(TEXTS, trees, strict=True):
        module.add(prediction=prediction, trees=tree)
    assert module.compute() == expected
    with pytest.raises(InputError, match=r"^row 2 of trees \(counted from 0\): "):
        Reading().score(predictions=TEXTS, trees=["a", "b", 3, "c"])
    with pytest.raises(InputError, match=r"^row 0 of trees"):
        Reading().score(predictions=TEXTS, trees=[b"a", "b", "c", "d"])
    with pytest.raises(InputError, match=r"^trees:.*got str"):
        Reading().score(predictions=TEXTS, trees="abcd")
