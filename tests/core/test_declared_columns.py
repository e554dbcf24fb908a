"""What a metric declares of its columns is what every door takes, checks and passes on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest

from tests.toys import Marked, Parsed
from textsimp import InputError, compare, report, score
from textsimp.core import examples
from textsimp.core.declarations import PREDICTIONS, Column
from textsimp.hub.module import Module
from textsimp.metrics import catalogue
from textsimp.metrics.sari import Sari
from textsimp.trainer import make_compute_metrics

TEXTS = ["One.", "Two.", "Three.", "Four."]
MARKS = [[1, 1, 0], [0], 1, None]
TREES = [[], [[], []], [[["a"]], {"b": 1}], "leaf"]


def module_of(metric, folder):
    """An evaluate module of a metric."""

    class Of(Module):
        """Examples: none."""

        metric_class = metric

        def _info(self):
            return self.make_info()

    return Of(cache_dir=str(folder))


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
        [["1.0", 1.0, "0.0"], "0.0", "1.0", ""],
        pd.Series([[1, 1, 0], [0], 1.0, math.nan], dtype=object),
        pd.Series([[1, 1, 0], [0, pd.NA], 1, pd.NA], dtype=object),
        np.array([[1, 1, 0], [0], np.int64(1), None], dtype=object),
        np.array([[1, 1, 0], [0], np.int64(1), np.float32("nan")], dtype=object),
    ],
    ids=["Python", "lists", "text", "floats", "pandas", "pandas' NA", "NumPy", "NumPy's NaN"],
)
def test_labels_may_be_written_in_many_ways(marks):
    (column,) = (column for column in Marked.columns if column.name == "mark")
    checked = examples.columns.check_column(column, marks)
    assert checked == [[1, 1, 0], [0], [1], []]
    assert {type(label) for row in checked for label in row} == {int}


GOOD: dict[str, list[Any]] = {"mark": MARKS, "weight": [1, 1, 1, 1], "trees": TREES}
BAD = {
    "mark": [2, "x", True, np.True_, [1, 2], 0.5, {"a": 1}],
    "weight": [None, "many", math.nan, math.inf, True, np.True_, [1], 10**400, -1e300, pd.NA],
    "trees": [{1, 2}, object(), math.nan, b"x"],
}


@pytest.mark.parametrize(("name", "bad"), [(n, bad) for n in BAD for bad in BAD[n]], ids=type)
def test_what_a_column_may_not_hold_is_refused_with_its_row(name, bad):
    metric = Parsed() if name == "trees" else Marked()
    given = {**GOOD, name: [*GOOD[name][:3], bad]}
    own = {column.name: given[column.name] for column in metric.columns if column.name in given}
    with pytest.raises(InputError, match=rf"^row 3 of {name} "):
        metric.score(predictions=TEXTS, **own)


def test_missing_and_unknown_columns_are_named():
    texts = {"sources": TEXTS, "predictions": TEXTS}
    for score_them, name in (
        (lambda: Marked().score(predictions=TEXTS), "^mark: "),
        (lambda: Marked().score(predictions=TEXTS, marks=MARKS), "'marks'"),
        (lambda: Sari().score(**texts, references=TEXTS, mark=MARKS), "'mark'"),
        (lambda: score({"a": {**texts, "mark": MARKS}}, metrics=Marked()), "'sources'"),
        (lambda: examples.check([Marked()], {"a": TEXTS}, {"mark": MARKS}), "'mark'"),
    ):
        with pytest.raises(InputError, match=name):
            score_them()


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
    with pytest.raises(InputError, match=r"^mark of b: "):
        score(systems, metrics=Marked())


def test_a_module_stores_and_scores_the_columns_of_its_metric(tmp_path):
    module = module_of(Marked, tmp_path)
    assert list(module.features) == ["sources", "predictions", "mark", "weight"]
    expected = Marked().score(predictions=TEXTS, mark=MARKS).to_dict()
    assert module.compute(predictions=TEXTS, mark=MARKS) == expected
    for text, mark in zip(TEXTS, MARKS, strict=True):
        module.add(prediction=text, mark=mark)
    assert module.compute() == expected
    assert module.compute(predictions=TEXTS, mark=MARKS, weight=[2, 1, 1, 5])["marked"] == 3 / 4
    text = module.inputs_description
    assert "mark: list of marks of the annotators: 1 or 0" in text
    assert "weight: list of how much a source counts; optional" in text


def test_metrics_that_read_different_columns_of_one_name_are_refused():
    @dataclass(frozen=True)
    class Other(Marked):
        name: ClassVar[str] = "other"
        columns: ClassVar = (PREDICTIONS, Column("mark", "labels", "1 to 3", labels=(1, 2, 3)))

    with pytest.raises(InputError):
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
    assert module_of(Parsed, tmp_path).compute(predictions=TEXTS, trees=trees) == scores


@dataclass(frozen=True)
class Judged(Parsed):
    """Labels that are numbers but for one."""

    columns: ClassVar = (
        PREDICTIONS,
        Column("label", "labels", "judgements", own=True, labels=(0, 1, "gibberish")),
    )

    def statistics(self, prepared: None, predictions: list[str], label: Any) -> Any:  # type: ignore[override]
        return np.array([[sum(x for x in row if x != "gibberish"), len(row)] for row in label])


def test_a_module_stores_labels_of_several_types(tmp_path):
    marks = [[0, 1, "gibberish"], None, 1, ["gibberish"]]
    scores = Judged().score(predictions=TEXTS, label=marks)
    assert scores["depth"] == pytest.approx(2 / 5)
    assert module_of(Judged, tmp_path).compute(predictions=TEXTS, label=marks) == scores


def test_a_trainer_and_a_report_refuse_a_metric_that_reads_what_they_have_not(monkeypatch):
    monkeypatch.setitem(catalogue.METRICS, "marked", "tests.toys:Marked")
    with pytest.raises(InputError, match=r"^metrics: marked needs mark"):
        make_compute_metrics(object(), "marked")
    with pytest.raises(InputError):
        report.html({"a": TEXTS}, sources=TEXTS, references=TEXTS, metrics=Marked())


def doubled(row):
    """A reader: of a name its length, twice in a list; what it returned it takes too."""
    if isinstance(row, list):
        return row
    if not isinstance(row, str):
        raise InputError(f"expected a name, got {row!r}")
    return [[]] * len(row)


@dataclass(frozen=True)
class Reading(Parsed):
    """Trees that are read from what a user names."""

    columns: ClassVar = (
        PREDICTIONS,
        Column("trees", "structured", "names", own=True, read=doubled),
    )


def test_a_column_may_read_what_its_rows_name(tmp_path):
    trees = ["", "a", [[]], "abc"]
    expected = Reading().score(predictions=TEXTS, trees=trees)
    assert expected["depth"] == (1 + 2 + 2 + 2) / 4
    module = module_of(Reading, tmp_path)
    assert module.compute(predictions=TEXTS, trees=trees) == expected
    for prediction, tree in zip(TEXTS, trees, strict=True):
        module.add(prediction=prediction, trees=tree)
    assert module.compute() == expected
    for wrong in (["a", "b", 3, "c"], "abcd"):
        with pytest.raises(InputError):
            Reading().score(predictions=TEXTS, trees=wrong)
