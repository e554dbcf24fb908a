from functools import partial

import numpy as np
import pytest
from datasets import Dataset, DatasetDict, IterableDatasetDict
from hypothesis import given
from hypothesis import strategies as st

from tests.splits.corpus import corpus
from textsimp import InputError
from textsimp.corpora.datasets import as_table
from textsimp.splits import balanced_split, divergence, drop_poor_alignments, random_split
from textsimp.splits.subsets import check_subsets, equal_in, in_merge_order

few = st.sampled_from(["", "a", "b", "a b", "é", "'", "', '"])


@pytest.mark.parametrize("validation", ["validation", "valid", "val", "dev"])
def test_subsets_merge_as_test_validation_others_train(validation):
    names = ["train", "extra", validation, "another", "test"]
    assert [*in_merge_order(dict.fromkeys(names))] == [
        "test",
        validation,
        "extra",
        "another",
        "train",
    ]


def grouped(values):
    """Rows that are equal, by comparing all with all."""
    return [[i for i, other in enumerate(values) if other == value] for value in values]


@pytest.mark.parametrize(
    "values", [few, st.lists(few, max_size=3), st.integers(0, 3), st.lists(st.booleans())]
)
@given(st.data())
def test_equal_rows_of_all_subsets_are_one_group(values, data):
    parts = data.draw(st.lists(st.lists(values, min_size=1, max_size=9), min_size=1, max_size=3))
    whole = Dataset.from_dict({"x": [row for part in parts for row in part]})
    ends = np.cumsum([0, *map(len, parts)]).tolist()
    subsets = {str(i): whole.select(range(*ends[i : i + 2])) for i in range(len(parts))}
    groups = equal_in(check_subsets(subsets, at_least=1), "x").tolist()
    assert grouped(groups) == grouped(whole["x"][:])
    assert set(groups) == set(range(len(set(groups))))


@given(st.lists(st.integers(0, 9), min_size=1))
def test_numbers_are_those_that_datasets_gathers(rows):
    data = Dataset.from_dict({"x": range(10, 20)}).select(range(10)).select(rows)
    assert as_table(data)["x"].to_pylist() == data["x"][:]


FUNCTIONS = [
    random_split,
    partial(balanced_split, iterations=999),
    partial(drop_poor_alignments, fraction=0.1),
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_arrow_tables_are_split_as_datasets_are(function):
    data = corpus()
    tables = {name: part.data.table for name, part in data.items()}
    made, expected = function(tables), function(data)
    found = getattr(made, "kept", made)
    for name, part in getattr(expected, "kept", expected).items():
        assert found[name].to_pydict() == part.to_dict()
    if hasattr(made, "removed"):
        assert made.removed.to_pydict() == expected.removed.to_dict()


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"test": lambda data: data.select([])}, "^subset 'test'"),
        ({"test": lambda data: data.to_iterable_dataset()}, "^subset 'test': "),
        ({"test": lambda data: [1]}, "^subset 'test': "),
        (
            {"test": lambda data: data.rename_column("id", "number")},
            "^column '(id|number)' is .* in 'test'",
        ),
    ],
)
def test_subsets_that_cannot_be_merged_are_refused(function, changes, place):
    data = corpus(4, 3, 2)
    changed = {name: changes.get(name, lambda same: same)(part) for name, part in data.items()}
    with pytest.raises(InputError, match=place):
        function(changed)


@pytest.mark.parametrize("function", [*FUNCTIONS, partial(random_split, sizes=[9, 1]), divergence])
def test_streams_are_refused_with_what_works_on_them(function):
    data = corpus(4, 3, 2)
    streams = IterableDatasetDict({name: data[name].to_iterable_dataset() for name in data})
    for given_data in (streams, dict(streams), streams["train"]):
        with pytest.raises(InputError, match=r"stream.*streaming=False.*batched=True.*filter\("):
            function(given_data)


@pytest.mark.parametrize("function", [random_split, balanced_split, divergence])
def test_one_subset_is_too_few(function):
    with pytest.raises(InputError):
        function(DatasetDict({"train": corpus()["train"]}))


@pytest.mark.parametrize(
    ("function", "options"),
    [
        (random_split, {"together": "score"}),
        (balanced_split, {"columns": ["score"]}),
        (balanced_split, {"source": "score"}),
        (drop_poor_alignments, {"fraction": 0.1, "by": "score"}),
        (drop_poor_alignments, {"fraction": 0.1, "target": "score"}),
        (divergence, {"column": "score"}),
    ],
)
def test_missing_columns_are_named(function, options):
    with pytest.raises(InputError, match="column 'score'"):
        function(corpus(), **options)
