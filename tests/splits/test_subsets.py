from __future__ import annotations

import pytest
from datasets import Dataset, DatasetDict

from textsimp.splits.subsets import check_subsets, in_merge_order


@pytest.mark.parametrize("validation", ["validation", "valid", "val", "dev"])
def test_subsets_merge_as_test_validation_others_train(validation: str) -> None:
    names = ["train", "extra", validation, "another", "test"]
    assert in_merge_order(dict.fromkeys(names)) == ["test", validation, "extra", "another", "train"]


def test_checked_subsets_come_in_the_order_of_merging() -> None:
    one = Dataset.from_dict({"text": ["a"]})
    data = DatasetDict({"train": one, "extra": one, "dev": one, "test": one})
    assert list(check_subsets(data)) == ["test", "dev", "extra", "train"]
