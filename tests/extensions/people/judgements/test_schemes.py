"""Schemes: those of the package, and users' own files with their one-line errors."""

import json
import re

import pytest
import yaml

from tests.project import PROJECT
from textsimp import InputError
from textsimp.extensions.people import Scheme
from textsimp.extensions.people.judgements.schemes import NAMES

OWN = {
    "name": "adequacy",
    "version": 2,
    "criteria": {"adequate": {"question": "Is it?", "steps": {1: "No.", 2: "In part.", 3: "Yes."}}},
}


@pytest.mark.parametrize("name", NAMES)
def test_a_scheme_of_the_package_has_its_name_and_survives_json(name):
    scheme = Scheme.load(name)
    assert scheme.name == name
    again = Scheme.from_dict(json.loads(json.dumps(scheme.to_dict())))
    assert (again, again.hash) == (scheme, scheme.hash)


@pytest.mark.parametrize("name", NAMES)
def test_every_step_of_a_scheme_of_the_package_is_worded(name):
    scheme = Scheme.load(name)
    for criterion in scheme.criteria.values():
        assert criterion.question
        assert scheme.compares == (not criterion.steps)
        assert all(wording.endswith(".") for wording in criterion.steps.values())


def test_no_change_is_in_the_middle_of_the_relative_scale():
    assert [*Scheme.load("likert").criteria["simpler"].steps] == [-2, -1, 0, 1, 2]


@pytest.mark.parametrize("ending", [".yaml", ".json"])
def test_a_file_is_a_scheme(ending, tmp_path):
    path = tmp_path / f"own{ending}"
    path.write_text(yaml.safe_dump(OWN) if ending == ".yaml" else json.dumps(OWN))
    scheme = Scheme.load(path)
    assert scheme == Scheme.from_dict(OWN)
    assert (scheme.criteria["adequate"].level, scheme.grouping) == ("ordinal", "output")


def test_the_scheme_in_the_docs_is_one():
    page = PROJECT.joinpath("docs/extensions/ratings.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```yaml\n(name: .*?)```", page, re.DOTALL)
    assert Scheme.from_dict(yaml.safe_load(text)).name == "adequacy"


@pytest.mark.parametrize(
    "change",
    [
        {"version": 3},
        {"seconds": 10},
        {"practice": [{"source": "A.", "prediction": "B.", "ratings": {"adequate": 1}}]},
        {"criteria": {"adequate": {**OWN["criteria"]["adequate"], "question": "Is it so?"}}},
    ],
)
def test_the_hash_changes_with_every_field(change):
    assert Scheme.from_dict({**OWN, **change}).hash != Scheme.from_dict(OWN).hash


def test_steps_that_are_texts_count_from_0():
    assert Scheme.load("level").criteria["level"].codes["B1"] == 2


def practised(**fields):
    """The scheme with an item of practice of which these fields are changed."""
    item = {"source": "A feline.", "prediction": "A cat.", "ratings": {"adequate": 3}}
    return {**OWN, "practice": [{**item, **fields}]}


def test_practice_is_graded_by_the_known_ratings():
    scheme = Scheme.from_dict(practised(ratings={"adequate": [2, 3]}))
    (item,) = scheme.practice
    for rating, right in ((1, False), (2, True), (3, True), (None, False)):
        assert scheme.grade(item, {"adequate": rating}) == [{"adequate": right}]


def test_practice_of_several_outputs_has_ratings_of_each():
    fields = practised(prediction=["A cat.", "A dog."], ratings=[{"adequate": 3}, {"adequate": 1}])
    scheme = Scheme.from_dict({**fields, "grouping": "source"})
    found = scheme.grade(scheme.practice[0], [{"adequate": 3}, {"adequate": 2}])
    assert found == [{"adequate": True}, {"adequate": False}]


def test_practice_of_comparisons_has_the_choice():
    fields = practised(prediction=["It ran.", "It fled."], ratings={"best": "A"})
    criteria = {"best": {"question": "Which is best?"}}
    scheme = Scheme.from_dict({**fields, "grouping": "pair", "criteria": criteria})
    for answer, expected in (("A", True), ("equal", False)):
        assert scheme.grade(scheme.practice[0], {"best": answer}) == [{"best": expected}]


@pytest.mark.parametrize(("aside", "code"), [("none", -1), (-1, 3)])
def test_an_aside_is_a_step_below_or_above_the_scale(aside, code):
    scale = {0: "No.", 1: "A bit.", 2: "Yes."}
    steps = {**scale, aside: "Gibberish."} if code > 0 else {aside: "Gibberish.", **scale}
    criterion = Scheme.from_dict(one(steps=steps, aside=aside)).criteria["adequate"]
    assert criterion.codes == {0: 0, 1: 1, 2: 2, aside: code}


def one(**fields):
    """The scheme with these fields of its criterion changed."""
    return {**OWN, "criteria": {"adequate": {**OWN["criteria"]["adequate"], **fields}}}


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ([], ""),
        ({**OWN, "criterion": 1}, "field: .*'criterion'"),
        ({"name": "x", "version": 1}, ".*'criteria'"),
        ({**OWN, "version": 0}, "version: "),
        ({**OWN, "name": "a b"}, "name: "),
        ({**OWN, "grouping": "three"}, "grouping: "),
        ({**OWN, "shows": ["source"]}, "shows: "),
        ({**OWN, "shows": ["prediction", "system"]}, "shows: "),
        ({**OWN, "criteria": {}}, "criteria: "),
        ({**OWN, "criteria": {"time": {}}}, "criteria: .*'time'"),
        ({**OWN, "grouping": "pair"}, "adequate: "),
        (one(question=" "), "adequate: question: "),
        (one(level="ratio"), "adequate: level: "),
        (one(steps={1: "No."}), "adequate: steps: "),
        (one(steps={2: "a", 1: "b"}), "adequate: steps: "),
        (one(steps={1: "a", "b": "b"}), "adequate: steps: "),
        (one(steps={1: "a", 2: None}), "adequate: step 2: "),
        (one(steps={"a": "a", "b": "b"}, slider=True), "adequate: slider: "),
        (one(controls={"repeat": [1, 2]}), "adequate: controls: "),
        (one(controls={"source": [1, 9]}), "adequate: controls: source: "),
        (one(controls={"source": [2, 1]}), "adequate: controls: source: "),
        (one(better="yes"), "adequate: better: "),
        (one(aside=2), "adequate: aside: "),
        (practised(prediction=["a", "b"]), "practice 0: prediction: "),
        (practised(ratings={}), "practice 0: ratings: "),
        (practised(ratings={"x": 1}), "practice 0: ratings: .*'x'"),
        (practised(ratings={"adequate": 4}), "practice 0: ratings: adequate: "),
        ({**OWN, "qualified": 0.5}, "qualified: "),
    ],
)
def test_a_wrong_field_of_a_scheme_is_named(fields, place):
    with pytest.raises(InputError, match=f"^scheme: {place}"):
        Scheme.from_dict(fields)


def test_an_unknown_name_is_refused():
    with pytest.raises(InputError):
        Scheme.load("likerd")


@pytest.mark.parametrize(
    ("text", "line"), [("name: own\nversion: 1\nname: other\n", 3), ("name: [\n", 2)]
)
def test_bad_yaml_is_an_error_with_its_line(tmp_path, text, line):
    path = tmp_path / "own.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=rf"own\.yaml: .*line {line}"):
        Scheme.load(path)


def test_steps_are_the_numbers_and_texts_that_people_read(tmp_path):
    """PyYAML by itself has steps 8 and 90, and True for yes."""
    path = tmp_path / "own.yaml"
    steps = "    steps:\n      001: yes\n      010: 1:30\n"
    path.write_text(f"name: own\nversion: 1\ncriteria:\n  a:\n    question: How far?\n{steps}")
    assert Scheme.load(path).criteria["a"].steps == {1: "yes", 10: "1:30"}
