import numpy as np
import pyarrow as pa
import pytest
from datasets import ClassLabel, Dataset, DatasetDict
from hypothesis import given
from hypothesis import strategies as st

from tests.splits.corpus import corpus
from textsimp import InputError
from textsimp.corpora.datasets import as_table
from textsimp.splits import drop_poor_alignments, edit_columns

# a target per change percentage
SOURCE = "a b c d"
TARGETS = {0: "a b c d", 25: "a b c x", 50: "a b x y", 75: "a x y z", 100: "w x y z"}


def of_change(*percentages):
    return Dataset.from_dict(
        {
            "id": list(range(len(percentages))),
            "source": [SOURCE] * len(percentages),
            "target": [TARGETS[value] for value in percentages],
        }
    )


def test_what_was_removed_comes_worst_first_with_its_place():
    data = DatasetDict({"train": of_change(75, 0, 50, 100), "test": of_change(0, 75)})
    found = drop_poor_alignments(data, 0.5)
    assert isinstance(found.kept, DatasetDict)
    assert list(found.kept) == ["train", "test"]
    assert found.removed["removed_from"][:] == ["train", "test", "train"]
    assert found.removed["removed_row"][:] == [3, 1, 0]
    assert found.removed["change_percentage"][:] == [100.0, 75.0, 75.0]
    assert found.removed["target"][0] == TARGETS[100]


def test_of_equally_bad_rows_the_first_go():
    data = of_change(0, 75, 75, 75, 100, 0)
    assert drop_poor_alignments(data, 1 / 3).kept["id"][:] == [0, 2, 3, 5]


def test_a_dataset_goes_by_its_split_or_by_all():
    data = of_change(0, 100)
    assert drop_poor_alignments(data, 0.5).removed["removed_from"][:] == ["all"]
    train = Dataset.from_dict(data.to_dict(), split="train")
    assert drop_poor_alignments(train, 0.5).removed["removed_from"][:] == ["train"]


@pytest.mark.parametrize(
    ("n", "fraction", "variant", "removed"),
    [(10, 0.25, "exact", 2), (10, 0.25, "paper", 3), (100, 0.1, "exact", 10)],
)
def test_counts_of_merged_subsets_are_exact_or_as_published(n, fraction, variant, removed):
    data = DatasetDict({"train": of_change(*[50] * (n - 4)), "test": of_change(*[50] * 4)})
    found = drop_poor_alignments(data, fraction, mode="merged", variant=variant)
    assert len(found.removed) == removed


@given(st.integers(1, 300), st.integers(1, 99))
def test_exact_counts_are_rounded_down(n, percent):
    rows = {"all": pa.table({"score": [50] * n})}
    for fraction in (percent / 100, 1 - (100 - percent) / 100):
        found = drop_poor_alignments(rows, fraction, by="score")
        assert len(found.removed) == n * percent // 100


@pytest.mark.parametrize(("fraction", "share"), [(0.1, 0.9), (0.3, 0.7), (0.9, 0.1)])
def test_merged_subsets_are_recut_as_published(fraction, share):
    """Counts in floating point, the rows that stay shuffled best first, ties last."""
    scores = [*np.random.default_rng(0).integers(0, 9, 40).tolist()]
    data = DatasetDict(
        {
            "train": Dataset.from_dict({"id": [*range(10, 40)], "score": scores[10:]}),
            "test": Dataset.from_dict({"id": [*range(10)], "score": scores[:10]}),
        }
    )
    worst_first = sorted(range(40), key=lambda i: (-scores[i], -i))
    best_first = worst_first[40 - int(40 * share) :][::-1]
    np.random.RandomState(5).shuffle(best_first)
    found = drop_poor_alignments(
        data, fraction, mode="merged", variant="paper", by="score", seed=5
    ).kept
    assert found["test"]["id"][:] == best_first[: int(10 * share)]
    assert found["train"]["id"][:] == best_first[int(10 * share) :]


def test_merged_subsets_are_recut_by_a_permutation_of_the_seed():
    data = DatasetDict({"train": of_change(100, 0, 25), "test": of_change(50, 75)})
    found = drop_poor_alignments(data, 0.2, mode="merged", seed=3).kept
    stay = ["test 1", "test 0", "train 2", "train 1"]  # worst first
    expected = np.random.default_rng(3).permutation(stay).tolist()
    percentages = {"test 1": 75, "test 0": 50, "train 2": 25, "train 1": 0}
    targets = [TARGETS[percentages[row]] for row in expected]
    assert found["test"]["target"][:] + found["train"]["target"][:] == targets


@given(
    fraction=st.floats(0.01, 0.99),
    mode=st.sampled_from(["distinct", "merged"]),
    variant=st.sampled_from(["exact", "paper"]),
)
def test_every_row_is_kept_or_removed(fraction, mode, variant):
    data = {name: as_table(part) for name, part in corpus(12, 5, 3).items()}
    found = drop_poor_alignments(data, fraction, mode=mode, variant=variant)
    parts = [*found.kept.values(), found.removed]
    assert sorted(i for part in parts for i in part["id"].to_pylist()) == [*range(20)]
    worst_first = found.removed["change_percentage"].to_pylist()
    assert worst_first == sorted(worst_first, reverse=True)


def test_a_row_of_several_targets_is_as_bad_as_they_are_on_average():
    rows = [[TARGETS[100], TARGETS[0], TARGETS[0]], [TARGETS[50]]]
    data = Dataset.from_dict({"source": [SOURCE] * 2, "target": rows})
    found = drop_poor_alignments(data, 0.5)
    assert found.removed["change_percentage"][:] == [50.0]
    assert found.removed["target"][:] == [[TARGETS[50]]]


def test_rows_can_be_ranked_by_any_column():
    data = corpus().map(edit_columns, batched=True)
    by_column = drop_poor_alignments(data, 0.2, by="change_percentage")
    assert by_column.removed["id"][:] == drop_poor_alignments(corpus(), 0.2).removed["id"][:]
    plain = Dataset.from_dict({"score": [3, 1, 2]})
    found = drop_poor_alignments(plain, 0.34, by="score")
    assert found.kept["score"][:] == [1, 2]
    assert found.removed[:] == {"score": [3], "removed_from": ["all"], "removed_row": [0]}


def test_removed_rows_keep_the_types_of_all_columns():
    data = corpus().cast_column("id", ClassLabel(names=[str(i) for i in range(90)]))
    removed = drop_poor_alignments(data, 0.1).removed
    for name, feature in data["train"].features.items():
        assert removed.features[name] == feature
    nothing = drop_poor_alignments(data["test"], 0.01).removed
    assert len(nothing) == 0
    assert nothing.features == removed.features


@pytest.mark.parametrize(
    ("options", "place"),
    [
        *(
            ({"fraction": value}, "^fraction: ")
            for value in (0, 1, -0.1, 20, float("nan"), "0.1", True, None)
        ),
        ({"mode": "other"}, "^mode: "),
        ({"variant": "other"}, "^variant: "),
        ({"by": "source"}, "row 0 of column 'source' of subset 'test'"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(options, place):
    with pytest.raises(InputError, match=place):
        drop_poor_alignments(corpus(4, 3, 2), **{"fraction": 0.1, **options})


@pytest.mark.parametrize("column", ["removed_from", "removed_row", "change_percentage"])
def test_removed_rows_need_their_columns_free(column):
    with pytest.raises(InputError):
        drop_poor_alignments(corpus()["test"].rename_column("id", column), 0.1)
