"""Classifiers that need no model, saved and loaded; and what is told before a model is asked for.

Those of transformers are in ``tests/errors/torch``.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from textsimp import InformationErrors, errors
from textsimp.errors import Stage
from textsimp.support.errors import InputError

Rows = list[dict[str, Any]]


@pytest.fixture
def rows() -> Rows:
    return [
        {"source": f"The cat {i} sat on the mat.", "prediction": text, "deletion": label}
        for i in range(10)
        for text, label in ((f"The cat {i} sat on a mat.", 0), (f"Cat {i} sat.", 1), ("Mat.", 2))
    ]


@pytest.fixture
def trained(rows: Rows, tmp_path: Path) -> Path:
    pytest.importorskip("sklearn", reason="needs the extra models")
    errors.train(rows, "deletion", tmp_path / "mine", resamples=9)
    return tmp_path / "mine"


def test_a_classifier_is_saved_and_loaded(rows: Rows, trained: Path) -> None:
    loaded = errors.classifier(trained)
    assert (loaded.name, loaded.category, loaded.labels) == ("mine", "deletion", [0, 1, 2])
    found = loaded.predict(["Dogs 1 ran to the park."] * 2, ["Dogs 1 ran to a park.", "Park."])
    assert found == [0, 2]
    assert {*map(type, found)} == {int}


def test_loading_and_predicting_needs_no_extra(trained: Path) -> None:
    code = """
import sys
sys.modules.update(dict.fromkeys(("sklearn", "transformers")))
from textsimp import errors
print(errors.classifier(sys.argv[1]).predict(["A b c d."], ["B."]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code, trained], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[0] in (0, 1, 2)


def test_its_report_is_by_cross_validation(rows: Rows, tmp_path: Path) -> None:
    report = errors.train(rows, "deletion", tmp_path / "m", seed=3, resamples=9)
    crossed = errors.cross_validate(rows, "deletion", seed=3, resamples=9)
    assert report.to_dict() == crossed.to_dict()
    assert json.loads((tmp_path / "m" / "report.json").read_text("utf-8")) == report.to_dict()


def test_the_revision_of_a_folder_is_that_of_what_predicts(
    rows: Rows, trained: Path, tmp_path: Path
) -> None:
    first = errors.classifier(trained)
    shutil.copytree(trained, tmp_path / "copy")
    (tmp_path / "copy" / "README.md").write_text("another card")
    (tmp_path / "copy" / "report.json").write_text("{}")
    assert errors.classifier(tmp_path / "copy").revision == first.revision
    errors.train(rows[3:], "deletion", tmp_path / "other", resamples=9)
    assert errors.classifier(tmp_path / "other").revision != first.revision
    assert first.tag == f"deletion=mine@{first.revision[:12]}"


def test_a_revision_may_be_asked_for(trained: Path) -> None:
    found = errors.classifier(trained).revision
    assert errors.classifier(trained, revision=found[:12]).revision == found
    with pytest.raises(InputError, match=f"revision: expected {found[:12]} of .*, got 'v2'"):
        errors.classifier(trained, revision="v2")


def test_labels_of_several_categories_are_columns_of_the_metric(
    rows: Rows, trained: Path, tmp_path: Path
) -> None:
    more = [{**row, "insertion": row["deletion"] // 2} for row in rows]
    errors.train(more, "insertion", tmp_path / "odd name|:é", resamples=9)
    both = [errors.classifier(trained), errors.classifier(tmp_path / "odd name|:é")]
    sources, predictions = ["A b c d."], ["B."]
    found = errors.predict(both, sources, predictions)
    assert found.columns == {
        one.category: one.predict(sources, predictions) for one in reversed(both)
    }
    assert found.by == f"classifier:{both[1].tag},{both[0].tag}"
    assert "insertion=odd-name--é@" in found.by
    scores = InformationErrors(labels=found.by).score(**found.columns, substitution=[0])
    assert f"|labels:{found.by}|" in scores.signature
    with pytest.raises(InputError, match="one for each category, got deletion, deletion"):
        errors.predict([both[0]] * 2, sources, predictions)
    with pytest.raises(InputError, match="one for each category, got none"):
        errors.predict([], sources, predictions)
    for bad in (str(trained), [str(trained)], both[0]):
        with pytest.raises(InputError, match="classifiers: expected a list of what"):
            errors.predict(bad, sources, predictions)


def test_columns_to_predict_are_checked(trained: Path) -> None:
    loaded = errors.classifier(trained)
    with pytest.raises(InputError, match="predictions has 2"):
        loaded.predict(["a"], ["a", "b"])
    with pytest.raises(InputError, match="sources: expected at least one row"):
        loaded.predict([], [])
    with pytest.raises(InputError, match="batch_size"):
        loaded.predict(["a"], ["b"], batch_size=0)


def test_an_output_that_is_there_is_refused(rows: Rows, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "file").write_text("kept")
    for name in ("here", "file"):
        with pytest.raises(InputError, match=f"{name} is there already: expected a new folder"):
            errors.train(rows, "deletion", tmp_path / name)
    assert (tmp_path / "file").read_text() == "kept"


def test_a_place_that_cannot_be_written_is_told(rows: Rows, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="can't be written"):
        errors.train(rows, "deletion", tmp_path / "file" / "m")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"synthetic": []}, "model: synthetic rows, stages and a revision are for a transformer"),
        ({"stages": {}}, "model: synthetic rows, stages and a revision are for a transformer"),
        ({"model": "x", "stages": {"reel": Stage(1, 1.0)}}, r"stages: .*did you mean 'real'"),
        ({"model": "x", "stages": {"real": None}}, "stages: expected a Stage for 'real', got None"),
        ({"model": None}, "model: expected a path or name, got None"),
        ({"model": "x", "stages": [1]}, r"stages: expected name → Stage, got \[1\]"),
        ({"seed": 2**32}, "seed: expected an integer below"),
        ({"seed": "x"}, "seed: expected an integer"),
    ],
)
def test_bad_options_are_told(
    options: dict[str, Any], message: str, rows: Rows, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message):
        errors.train(rows, "deletion", tmp_path / "m", **options)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "numbers", [(0, 1e-4), (1, 0), (1, float("nan")), (1, 1e-4, 0), (1, 1e-4, 1, 0), (True, 1e-4)]
)
def test_a_stage_has_sensible_numbers(numbers: tuple[Any, ...]) -> None:
    with pytest.raises(InputError, match="expected"):
        Stage(*numbers)


def test_the_stages_are_those_of_the_paper() -> None:
    assert {
        name: (stage.epochs, stage.batch_size, stage.learning_rate, stage.evaluate_every)
        for name, stage in errors.STAGES.items()
    } == {"synthetic": (10, 64, 1e-4, 100), "real": (50, 64, 1e-4, 10), "all": (1, 64, 3e-5, None)}


# What is no classifier, and the Hub --------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"category": "deletions"}'])
def test_a_folder_that_holds_no_classifier_is_told(text: str, tmp_path: Path) -> None:
    (tmp_path / "features.json").write_text(text)
    with pytest.raises(InputError, match="expected a classifier that textsimp"):
        errors.classifier(tmp_path)


def test_features_of_another_version_are_told(trained: Path) -> None:
    path = trained / "features.json"
    saved = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**saved, "features": ["length"]}))
    with pytest.raises(InputError, match="features: expected those of this version"):
        errors.classifier(trained)


@pytest.mark.parametrize(
    "changes", [{"weights": [[1.0]]}, {"mean": None}, {"labels": ["a", "b"]}, {"more": 1}]
)
def test_a_classifier_that_was_tampered_with_is_told(trained: Path, changes: Any) -> None:
    path = trained / "features.json"
    saved = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**saved, **changes}))
    with pytest.raises(InputError, match=f"path_or_hub_id: {trained.name} can't be loaded: "):
        errors.classifier(trained)


@pytest.mark.parametrize("name", ["./nowhere", "/no/such/folder", "a/b/c", "../x"])
def test_a_folder_that_is_not_there_is_not_looked_for_on_the_hub(name: str) -> None:
    with pytest.raises(InputError, match="expected a folder or a name on the Hub"):
        errors.classifier(name)


@pytest.mark.parametrize("name", [None, "", 3])
def test_what_is_no_name_is_told(name: Any, rows: Rows) -> None:
    with pytest.raises(InputError, match="path_or_hub_id: expected a path or name"):
        errors.classifier(name)
    with pytest.raises(InputError, match="output: expected a path or name"):
        errors.train(rows, "deletion", name)


OFFLINE = """
import sys
from textsimp import errors
from textsimp.core.columns import InputError
try:
    found = errors.classifier(sys.argv[1])
    print(found.name, found.revision, found.predict(["A b c d."], ["A b c d."]))
except InputError as error:
    print(error)
"""


def offline(name: str, cache: Path) -> str:
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HUB_CACHE": str(cache)}
    command = [sys.executable, "-c", OFFLINE, name]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, cwd=cache
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_was_fetched_from_the_hub_is_loaded_offline(trained: Path, tmp_path: Path) -> None:
    commit = "0123456789abcdef0123456789abcdef01234567"
    kept = tmp_path / "cache" / "models--me--mine"
    shutil.copytree(trained, kept / "snapshots" / commit)
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text(commit)
    assert offline("me/mine", tmp_path / "cache").startswith(f"me/mine {commit} [")


def test_what_was_not_fetched_is_one_clear_error_offline(tmp_path: Path) -> None:
    said = offline("me/other", tmp_path)
    assert said.startswith("path_or_hub_id: 'me/other' is no folder, and can't be had from the Hub")
    assert said.count("\n") == 1
