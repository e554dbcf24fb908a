"""What is counted in pairs of texts, and the regression on it: the baseline of classifiers."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textsimp import errors
from textsimp.errors import baselines
from textsimp.errors.labels import folds, group, read_rows
from textsimp.support.errors import InputError

Rows = list[dict[str, Any]]


@pytest.fixture
def rows() -> Rows:
    """Deletions that show in the number of words."""
    return [
        {"source": f"The cat {i} sat on the mat.", "prediction": text, "deletion": label}
        for i in range(20)
        for text, label in ((f"The cat {i} sat on a mat.", 0), (f"Cat {i} sat.", 1), ("Mat.", 2))
    ]


def features(source: str, prediction: str) -> dict[str, float]:
    return dict(zip(errors.FEATURES, errors.features([source], [prediction])[0], strict=True))


# Features ----------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.text(max_size=40), st.text(max_size=40)), min_size=1, max_size=5))
def test_features_are_finite_numbers_of_any_texts(pairs: list[tuple[str, str]]) -> None:
    found = errors.features(*map(list, zip(*pairs, strict=True)))
    assert found.shape == (len(pairs), len(errors.FEATURES))
    assert np.isfinite(found).all()


def test_new_and_lost_numbers_names_and_negations_are_counted() -> None:
    found = features("In 1,984 Ann never left Bonn.", "In 1985 Bob didn't leave bonn.")
    assert (found["new_numbers"], found["lost_numbers"]) == (1, 1)
    assert (found["new_names"], found["lost_names"]) == (1, 1)
    assert (found["new_negations"], found["lost_negations"]) == (1, 1)


def test_stretches_of_words_are_measured() -> None:
    found = features("a b c d e f", "a x y c z")
    assert (found["longest_new"], found["longest_lost"], found["lost_at_end"]) == (2, 3, 3)
    assert features("a b", "")["lost_at_end"] == 2


def test_columns_are_checked() -> None:
    with pytest.raises(InputError, match="same number of rows in every column: sources has 1"):
        errors.features(["a"], ["a", "b"])
    with pytest.raises(InputError, match="row 1 of predictions"):
        errors.features(["a", "b"], ["a", None])


# Regression --------------------------------------------------------------------------------------


def test_deletions_that_show_are_found(rows: Rows) -> None:
    report = errors.cross_validate(rows, "deletion", resamples=50)
    assert report.predictors["features"].f1 == [1, 1, 1]
    assert report.predictors["majority"].f1 == [0.5, 0, 0]
    assert report.differences["majority"].value == 1
    assert report.beats_baselines


def test_others_to_train_on_share_no_source_with_what_is_predicted(
    rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    real = baselines.fit_regression

    def regression(found: Any, labels: Any) -> Any:
        seen.append(len(labels))
        return real(found, labels)

    monkeypatch.setattr(baselines, "fit_regression", regression)
    shouted = [{**row, "source": row["source"].upper()} for row in rows]
    report = errors.cross_validate(rows, "deletion", training=shouted[:30], resamples=9)
    assert sum(seen) == 5 * 30 - 30  # each of them is left out once
    assert report.outputs == len(rows)


# The report --------------------------------------------------------------------------------------


def test_a_report_is_a_table_and_plain_data(rows: Rows) -> None:
    report = errors.cross_validate(rows, "deletion", resamples=50)
    assert "| features | 100.0 [100.0, 100.0] |" in report.to_markdown()
    assert "60 outputs of 20 sources (20 of 0, 20 of 1, 20 of 2)" in report.to_latex()
    matrix = report.predictors["features"]
    assert matrix.confusion == [[20, 0, 0], [0, 20, 0], [0, 0, 20]]
    assert report.to_dict()["predictors"]["features"]["f1"] == [1, 1, 1]


def test_a_report_may_have_no_intervals(rows: Rows) -> None:
    report = errors.cross_validate(rows, "deletion", confidence=None)
    assert report.predictors["features"].f1_intervals is None
    assert report.differences == {}
    assert not report.beats_baselines


@given(st.lists(st.tuples(*[st.integers(0, 2)] * 2), min_size=3, max_size=30))
def test_f1_is_that_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="needs the extra models")
    from textsimp.errors.assessment import f1

    true, guessed = np.array(pairs).T
    found = f1(np.bincount(true * 3 + guessed, minlength=9).astype(float))
    options: dict[str, Any] = {"labels": [0, 1, 2], "average": None, "zero_division": 0}
    assert found["f1"] == pytest.approx(metrics.f1_score(true, guessed, **options), abs=1e-12)
    assert found["mean_f1"] == pytest.approx(found["f1"][1:].mean())


# Rows --------------------------------------------------------------------------------------------


def test_the_majority_counts_and_rows_without_one_are_left_out(rows: Rows) -> None:
    rows[0]["deletion"] = [1, 1, 0]
    rows[1]["deletion"] = [0, 1]
    rows[2]["deletion"] = None
    rows[3]["deletion"] = -1
    found = read_rows(rows, "deletion")
    assert found.labels[0] == 1
    assert len(found) == len(rows) - 3
    assert found.notes == [
        "left out: 2 of 60 rows without a label on which most annotators agree",
        "left out: 1 of 60 rows with gibberish",
    ]


def test_rows_may_be_columns_a_dataset_or_a_frame(rows: Rows) -> None:
    import pandas as pd
    from datasets import Dataset

    expected = read_rows(rows, "deletion")
    frame = pd.DataFrame(rows)
    for table in (Dataset.from_list(rows), frame, frame.to_dict("list"), iter(rows), tuple(rows)):
        found = read_rows(table, "deletion")
        assert found.labels.tolist() == expected.labels.tolist()
        assert found.predictions == expected.predictions


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: "text", "rows: expected a list of dicts or a table, got str 'text'"),
        (lambda rows: [*rows, 3], "rows: expected a list of dicts or a table, got list"),
        (lambda rows: [*rows, {"source": "a"}], "row 60 of prediction .*: expected a string"),
        (lambda rows: {"source": ["a"]}, "rows: expected a column 'prediction', got source"),
        (
            lambda rows: {"source": ["a"], "prediction": ["a"], "deletion": [0, 1]},
            "same number of rows in every column",
        ),
        (lambda rows: [{**row, "deletion": 3} for row in rows], "row 0 of deletion .* got int 3"),
        (lambda rows: [{**row, "deletion": None} for row in rows], "but none of 60 has one"),
        (lambda rows: [{**row, "deletion": 1} for row in rows], "but all 60 have 1"),
        (lambda rows: rows[:12], "at least 5 different ones"),
    ],
)
def test_bad_rows_are_refused(change: Any, message: str, rows: Rows) -> None:
    with pytest.raises(InputError, match=message):
        errors.cross_validate(change(rows), "deletion")


def test_bad_options_are_refused(rows: Rows) -> None:
    bad: list[tuple[dict[str, Any], str]] = [
        ({"category": "deletions"}, r"category: .* \(did you mean 'deletion'\?\)"),
        ({"seed": -1}, "seed"),
    ]
    for options, message in bad:
        with pytest.raises(InputError, match=message):
            errors.cross_validate(rows, **{"category": "deletion", **options})


# Splits ------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 2)), min_size=30), st.integers(0, 9))
def test_no_source_is_in_two_parts(pairs: list[tuple[int, int]], seed: int) -> None:
    pytest.importorskip("sklearn", reason="needs the extra models")
    rows = [
        {"source": f"s {i}", "prediction": "p", "deletion": label}
        for i, label in [*pairs, *((i, i % 2) for i in range(5))]
    ]
    given = read_rows(rows, "deletion")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parts = folds(given, seed)
    assert sorted(np.concatenate(parts).tolist()) == list(range(len(rows)))
    sources = [{*given.groups[part].tolist()} for part in parts]
    assert sum(map(len, sources)) == len(set.union(*sources))


def test_sources_that_differ_in_case_and_punctuation_are_the_same() -> None:
    assert group(["A cat.", "a cat .", "A CAT", "a cart", "…", "!"]).tolist() == [0, 0, 0, 1, 2, 3]
    assert group(["A (1) [2]", "a -LRB- 1 -RRB- -lsb-2-rsb-", "a lrb 1 2"]).tolist() == [0, 0, 1]
