"""Levels are what classifiers say, counted as defined; the classifiers are made up."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extensions.literal import level as literal
from tests.extensions.models.networks.fake import Fake, models
from textsimp import InputError
from textsimp.extensions.models.level import CEFR, Level

NAMES = ["A2", "B1", "C1", "C2"]
TEXTS = ["a", "b", "c", "d", "e", ""]
COMPARED = ["at_or_under", "accuracy", "adjacent_accuracy", "weighted_f1", "rmse", "with_target"]

logits = st.lists(st.sampled_from([-2.0, 0.0, 0.5, 3.0]), min_size=4, max_size=4)
classifiers = st.fixed_dictionaries(dict.fromkeys(TEXTS, logits))
texts = st.sampled_from(TEXTS)


def sure(labels=CEFR):
    """It says of the text "A1" that it is A1, and so on."""
    said = {name: [9.0 * (label == name) for label in labels] for name in labels}
    return Fake([*labels], said)


def cefr(**given):
    with models(cefr=sure()):
        return Level(model="cefr").score(**given)


# The definition -----------------------------------------------------------------------------------


@given(
    said=st.lists(classifiers, min_size=1, max_size=3),
    orders=st.lists(st.permutations(range(4)), min_size=3, max_size=3),
    rows=st.lists(
        st.tuples(
            texts, texts, st.lists(texts, min_size=1, max_size=3), st.sampled_from([*NAMES, None])
        ),
        min_size=1,
        max_size=6,
    ),
)
def test_scores_equal_the_literal_definition(said, orders, rows):
    of_models = [
        {text: {NAMES[i]: given[i] for i in order} for text, given in of_texts.items()}
        for of_texts, order in zip(said, orders, strict=False)
    ]
    fakes = {
        f"m{i}": Fake([*of_texts["a"]], {text: [*of.values()] for text, of in of_texts.items()})
        for i, of_texts in enumerate(of_models)
    }
    predictions, sources, references, targets = map(list, zip(*rows, strict=True))

    def found(text: str) -> str:
        # Of equally probable levels of one classifier the lowest counts.
        ordered = [{name: of_texts[text][name] for name in NAMES} for of_texts in of_models]
        return literal.level(ordered)[0]

    expected = {}
    levels = {
        "": [[found(text)] for text in predictions],
        "source_": [[found(text)] for text in sources],
        "reference_": [[found(text) for text in row] for row in references],
    }
    for side, of_side in levels.items():
        described = literal.describe(CEFR, of_side)
        expected |= {side + name: value for name, value in described.items()}
    given_targets = targets if any(targets) else None
    if given_targets:
        expected |= literal.compared(CEFR, [row[0] for row in levels[""]], targets)
    with models(**fakes):
        metric = Level(model=",".join(fakes))
        scores = metric.score(
            sources=sources, predictions=predictions, references=references, targets=given_targets
        )
    assert {*scores} == {*expected, "signature"}
    for name, value in expected.items():
        assert scores[name] == pytest.approx(value, abs=1e-9), name


def test_scores_of_examples_are_those_of_a_corpus_of_one():
    predictions, targets = ["A1", "C2"], ["B1", None]
    found = cefr(predictions=predictions, targets=targets, per_example=True)
    assert found["shares_per_example"] == [[1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]]
    assert found["mean_level_per_example"] == [1, 6]
    assert found["rmse_per_example"] == [2, 0]
    assert found["with_target_per_example"] == [1, 0]  # so that the 0 before is no hit


def test_resamples_without_a_target_do_not_count():
    found = cefr(predictions=["A1", "B1", "B1"], targets=["A1", None, None], confidence=0.9)
    assert found["accuracy_interval"] == [1, 1]
    assert found["rmse_interval"] == [0, 0]


# Levels and models ------------------------------------------------------------------------------


def test_models_in_other_orders_and_cases_and_of_some_levels_go_together():
    one = Fake(["A1", "B1", "A2"], {"x": [0.0, 1.0, 0.0]})
    other = Fake(["b1", " a2 "], {"x": [0.0, 5.0]})
    with models(one=one, other=other):
        scores = Level(model="one,other").score(predictions=["x"])
    assert scores["shares"] == [0, 1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"model": "cefr,grades"}, "model: .* grades has '5', '6'"),
        ({"model": "number"}, "model: .* number has 'LABEL_0'"),
        ({"model": "cefr,,cefr"}, "model: "),
        ({"model": "cefr,"}, "model: "),
        ({"model": "cefr,cefr", "revision": "v1"}, "revision: "),
    ],
)
def test_models_that_do_not_go_together_are_refused(options, named):
    fakes = {"cefr": sure(), "grades": Fake(["5", "6"], {}), "number": Fake(["LABEL_0"], {})}
    with models(**fakes), pytest.raises(InputError, match=f"^{named}"):
        Level(**options)


# Targets ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["b1", " B1 ", np.str_("B1"), ["B1"]])
def test_targets_may_be_written_otherwise(target):
    assert cefr(predictions=["B1"], targets=[target])["accuracy"] == 1


@pytest.mark.parametrize(
    ("targets", "place"),
    [
        (["A1", "D1"], "row 1 of targets"),
        ([1, 2], "row 0 of targets"),
        ([["A1", "A2"], "A1"], "row 0 of targets"),
        ([None, None], "targets: "),
        ([1.5, "A1"], "row 0 of targets"),
        ("A1", "targets: "),
        (["A1"], "expected the same number of rows"),
    ],
)
def test_targets_that_are_no_levels_are_refused_before_a_text_is_read(targets, place):
    fake = sure()
    with models(cefr=fake), pytest.raises(InputError, match=f"^{place}"):
        Level(model="cefr").score(predictions=["A1", "A2"], targets=targets)
    assert not fake.asked


def test_without_targets_nothing_is_said_of_them():
    scores = cefr(sources=["C1"], predictions=["A1"], references=[["A2", "B1"]])
    assert not {*scores} & {*COMPARED}
    assert scores["source_mean_level"] == 5
    assert scores["reference_shares"] == [0, 0.5, 0.5, 0, 0, 0]
    assert [name for name in scores if name.startswith("source_")] == [
        f"source_{name}"
        for name in ("mean_level", "shares", *(f"level_{name.lower()}" for name in CEFR))
    ]
