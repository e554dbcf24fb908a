"""The models of tasks are asked through the metrics; what they say is made up."""

from tests.extensions.models.networks import fake
from textsimp import InputError
from textsimp.extensions.tasks import models


def test_levels_are_those_of_the_surest_classifier():
    said = {"one": {"a": [0.0, 9.0], "b": [0.0, 1.0]}, "two": {"a": [1.0, 0.0], "b": [9.0, 0.0]}}
    with fake.models(**{name: fake.Fake(["A1", "A2"], own) for name, own in said.items()}):
        targets = ["A1", "A1"]
        found = models.compare_levels(["one", "two"], {"x": "accuracy"}, ["a", "b"], targets)
    assert found.value()["x"] == 0.5


def test_meaningbert_reads_the_other_text_first_and_is_divided_by_100():
    name = models.MODELS["meaningbert"]
    asked = fake.Fake(["LABEL_0"], {("source", "output"): [82.5], ("other", "out"): [104.0]})
    with fake.models(**{name: asked}):
        found = models.compare("meaningbert", ["output", "out"], ["source", "other"])
    assert found == [0.825, 1.04]  # not clipped


def test_advice_names_the_commands_that_fetch_models():
    advice = models.advise(ImportError("pip install 'textsimp[models]'"), ["a/b", "c/d"])
    assert advice == (
        "pip install 'textsimp[models]'; then textsimp hub models --fetch a/b; "
        "textsimp hub models --fetch c/d"
    )
    error = InputError("fetch it with: textsimp hub models --fetch a/b")
    assert models.advise(error, ["a/b"]) == str(error)
    assert models.advise(error, ["a/b", "c/d"]) == f"{error}; likewise c/d"
