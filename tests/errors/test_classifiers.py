"""Classifiers that need no model, and what is refused before a model is loaded.

Those of transformers are in ``tests/errors/torch``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from textsimp import InformationErrors, errors
from textsimp.errors import Classifier
from textsimp.support.errors import InputError

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def rows() -> Rows:
    return [
        {"source": f"The cat {i} sat on the mat.", "prediction": text, "deletion": label}
        for i in range(10)
        for text, label in ((f"The cat {i} sat on a mat.", 0), (f"Cat {i} sat.", 1), ("Mat.", 2))
    ]


@pytest.fixture(scope="module")
def fitted(rows: Rows) -> Classifier:
    pytest.importorskip("sklearn", reason="needs the extra models")
    return errors.fit(rows, "deletion")


def test_a_fitted_classifier_predicts_labels(rows: Rows, fitted: Classifier) -> None:
    assert (fitted.name, fitted.category, fitted.labels) == ("regression", "deletion", [0, 1, 2])
    found = fitted.predict(["Dogs 1 ran to the park."] * 2, ["Dogs 1 ran to a park.", "Park."])
    assert found == [0, 2]
    assert {*map(type, found)} == {int}


def test_the_revision_is_that_of_what_predicts(rows: Rows, fitted: Classifier) -> None:
    assert errors.fit(rows, "deletion").revision == fitted.revision
    assert errors.fit(rows[3:], "deletion").revision != fitted.revision
    assert fitted.tag == f"deletion=regression@{fitted.revision[:12]}"


def test_labels_of_several_categories_are_columns_of_the_metric(
    rows: Rows, fitted: Classifier
) -> None:
    more = [{**row, "insertion": row["deletion"] // 2} for row in rows]
    insertions = errors.fit(more, "insertion")
    odd = Classifier("odd name|:é", "0" * 64, "insertion", insertions.labels, insertions._guess)
    sources, predictions = ["A b c d."], ["B."]
    found = errors.predict([fitted, odd], sources, predictions)
    assert found.columns == {
        one.category: one.predict(sources, predictions) for one in (odd, fitted)
    }
    assert found.by == f"classifier:insertion=odd-name--é@000000000000,{fitted.tag}"
    scores = InformationErrors(labels=found.by).score(**found.columns, substitution=[0])
    assert f"|labels:{found.by}|" in scores.signature


@pytest.mark.parametrize("classifiers", ["x", ["x"]])
def test_what_is_no_classifier_is_refused(classifiers: Any, rows: Rows) -> None:
    for call in (
        lambda: errors.predict(classifiers, ["a"], ["b"]),
        lambda: errors.evaluate(classifiers, rows),
    ):
        with pytest.raises(InputError, match="classifiers: expected what"):
            call()


def test_one_classifier_for_each_category_is_asked_for(fitted: Classifier) -> None:
    for classifiers, got in (([fitted] * 2, "deletion, deletion"), ([], "none")):
        with pytest.raises(InputError, match=f"one for each category, got {got}"):
            errors.predict(classifiers, ["a"], ["b"])


def test_columns_to_predict_are_checked(fitted: Classifier) -> None:
    with pytest.raises(InputError, match="predictions has 2"):
        fitted.predict(["a"], ["a", "b"])
    with pytest.raises(InputError, match="batch_size: expected an integer of at least 1, got 0"):
        fitted.predict(["a"], ["b"], batch_size=0)


# Evaluation --------------------------------------------------------------------------------------


def test_a_report_sets_a_classifier_beside_the_baselines(rows: Rows) -> None:
    pytest.importorskip("sklearn", reason="needs the extra models")
    training, test = rows[:18], rows[18:]
    wrong = Classifier("always 1", "0" * 64, "deletion", [1], lambda old, new, _: [1] * len(old))
    report = errors.evaluate(wrong, test, training=training, resamples=20)
    assert list(report.predictors) == ["always 1", "features", "majority"]
    assert report.predictors["always 1"].f1 == [0, 0.5, 0]
    assert report.predictors["features"].f1 == [1, 1, 1]
    assert not report.beats_baselines
    assert (report.outputs, report.sources) == (12, 4)
    assert list(errors.evaluate(wrong, test, resamples=20).predictors) == ["always 1"]


def test_baselines_are_fitted_on_outputs_of_other_sources(rows: Rows, fitted: Classifier) -> None:
    shouted = [{**row, "source": row["source"].upper()} for row in rows]
    report = errors.evaluate(fitted, rows[:9], training=shouted, resamples=9)
    assert "baselines fitted on 21 outputs of other sources" in report.notes
    with pytest.raises(InputError, match="different labels"):
        errors.evaluate(fitted, rows, training=shouted, resamples=9)


# What is no classifier, and the Hub --------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"information_errors": "deletions"}', '{"model_type": "bert"}']
)
def test_a_folder_that_holds_no_classifier_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(text)
    with pytest.raises(InputError, match="expected a classifier of information errors"):
        errors.classifier(tmp_path)


@pytest.mark.parametrize("name", ["./nowhere", "a/b/c"])
def test_a_folder_that_is_not_there_is_not_looked_for_on_the_hub(name: str) -> None:
    with pytest.raises(InputError, match="expected a folder or a name on the Hub"):
        errors.classifier(name)


@pytest.mark.parametrize("name", [None, ""])
def test_what_is_no_name_is_refused(name: Any) -> None:
    with pytest.raises(InputError, match="path_or_hub_id: expected a path or name"):
        errors.classifier(name)


def test_a_revision_of_a_folder_is_checked(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"information_errors": "deletion"}))
    with pytest.raises(InputError, match=r"revision: expected \w{12} of .*, got 'v2'"):
        errors.classifier(tmp_path, revision="v2")
