"""The example that counts what changes in pairs of texts, and its regression on the counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.given import load_file
from tests.project import EXAMPLES
from textsimp.support.errors import InputError

pytest.importorskip("sklearn", reason="needs the extra models")
example = load_file(EXAMPLES / "error_features.py")

ROWS = [
    {"source": f"The cat {i} sat on the mat.", "prediction": text, "deletion": label}
    for i in range(20)
    for text, label in ((f"The cat {i} sat on a mat.", 0), (f"Cat {i} sat.", 1), ("Mat.", 2))
]


def features(source, prediction):
    return dict(zip(example.FEATURES, example.features([source], [prediction])[0], strict=True))


@given(st.lists(st.tuples(st.text(max_size=40), st.text(max_size=40)), min_size=1, max_size=5))
def test_features_are_finite_numbers_of_any_texts(pairs):
    found = example.features(*map(list, zip(*pairs, strict=True)))
    assert found.shape == (len(pairs), len(example.FEATURES))
    assert np.isfinite(found).all()


def test_new_and_lost_numbers_names_and_negations_are_counted():
    found = features("In 1,984 Ann never left Bonn.", "In 1985 Bob didn't leave bonn.")
    for kind in ("numbers", "names", "negations"):
        assert (found[f"new_{kind}"], found[f"lost_{kind}"]) == (1, 1)


def test_stretches_of_words_are_measured():
    found = features("a b c d e f", "a x y c z")
    assert (found["longest_new"], found["longest_lost"], found["lost_at_end"]) == (2, 3, 3)
    assert features("a b", "")["lost_at_end"] == 2


def test_deletions_that_show_are_predicted_better_than_by_the_majority():
    samples = example.cross_validate(example.read_outputs(ROWS, "deletion"))
    assert samples["features"].value()["f1"].tolist() == [1, 1, 1]
    assert samples["majority"].value()["f1"].tolist() == [0.5, 0, 0]
    table = example.tabulate(samples, resamples=20).to_markdown()
    assert "| features | 100.0 [100.0, 100.0] |" in table


def test_training_rows_share_no_source_with_what_is_predicted():
    outputs = example.read_outputs(ROWS, "deletion")
    shouted = [{**row, "source": row["source"].upper()} for row in ROWS[:30]]
    rest = example.read_outputs(shouted, "deletion").without(outputs.take(range(9)))
    assert [source for source, _ in rest.texts] == [row["source"] for row in shouted[9:]]


@given(st.lists(st.tuples(*[st.integers(0, 2)] * 2), min_size=3, max_size=30))
def test_f1_is_that_of_scikit_learn(pairs):
    from sklearn.metrics import f1_score

    true, predicted = np.array(pairs).T
    found = example.reduce_f1(np.bincount(true * 3 + predicted, minlength=9).astype(float))
    options = {"labels": [0, 1, 2], "average": None, "zero_division": 0}
    assert found["f1"] == pytest.approx(f1_score(true, predicted, **options), abs=1e-12)
    assert found["mean"] == pytest.approx(found["f1"][1:].mean())


def test_rows_without_a_majority_and_gibberish_are_left_out():
    labels = [[1, 1, 0], [0, 1], None, -1]
    changed = [{**row, "deletion": label} for row, label in zip(ROWS, labels, strict=False)]
    found = example.read_outputs([*changed, *ROWS[4:]], "deletion")
    assert found.labels[0] == 1
    assert len(found.labels) == len(ROWS) - 3


@pytest.mark.parametrize(
    ("rows", "place"),
    [
        ([{**row, "deletion": 1} for row in ROWS], "^deletion: "),
        ([{**row, "deletion": 3} for row in ROWS], "row 0 of deletion"),
        (ROWS[:12], "at least 5"),
    ],
)
def test_bad_rows_are_refused(rows, place):
    with pytest.raises(InputError, match=place):
        example.cross_validate(example.read_outputs(rows, "deletion"))


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 2)), min_size=30))
@pytest.mark.filterwarnings("ignore:The least populated class")
def test_no_source_is_in_two_parts(pairs):
    all_pairs = [*pairs, *((i, i % 2) for i in range(5))]
    rows = [{"source": f"s {i}", "prediction": "p", "deletion": label} for i, label in all_pairs]
    outputs = example.read_outputs(rows, "deletion")
    parts = example.folds(outputs)
    assert sorted(np.concatenate(parts).tolist()) == list(range(len(rows)))
    sources = [set(outputs.groups[part].tolist()) for part in parts]
    assert sum(map(len, sources)) == len(set.union(*sources))


def test_sources_that_differ_in_case_and_punctuation_are_the_same():
    keys = [*map(example.source_key, ["A cat.", "a cat .", "a cart", "…", "!"])]
    assert [keys.index(key) for key in keys] == [0, 0, 2, 3, 4]
    assert len({*map(example.source_key, ["A (1) [2]", "a -LRB- 1 -RRB- -lsb-2-rsb-"])}) == 1
