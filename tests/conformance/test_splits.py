"""Random splits and removal of poor alignments, as Vásquez-Rodríguez et al. 2021 make them."""

import hashlib

import numpy as np
import pytest
from datasets import Dataset, DatasetDict

from textsimp.splits import drop_poor_alignments, random_split


def sha256_of_ids(ids):
    return hashlib.sha256(np.array(ids, "<i4").tobytes()).hexdigest()


def test_five_random_splits(goldens):
    sizes = {"train": 88837, "validation": 205, "test": 100}
    starts = {"test": 0, "validation": 100, "train": 305}
    numbered = DatasetDict()
    for name, size in sizes.items():
        numbered[name] = Dataset.from_dict({"id": range(starts[name], starts[name] + size)})
    rows = [row for row in goldens("splits") if row["kind"] == "random_split"]
    assert len(rows) == 5
    for golden in rows:
        split = random_split(numbered, golden["seed"], variant="paper")
        ids = {name: subset["id"][:] for name, subset in split.items()}
        assert ids["test"][:10] == golden["test_first10"]
        assert ids["validation"][:10] == golden["dev_first10"]
        assert ids["train"][:5] == golden["train_first5"]
        everything = ids["test"] + ids["validation"] + ids["train"]
        assert sha256_of_ids(everything) == golden["sha256_all"]


def test_poor_alignments_removed_from_each_subset(goldens, wikismall):
    rows = [row for row in goldens("splits") if row["kind"] == "poor_alignment_distinct"]
    assert len(rows) == 10
    for golden in rows:
        name = {"test": "test", "valid": "validation"}[golden["input"].rsplit(".", 1)[-1]]
        found = drop_poor_alignments(wikismall[name], 1 - golden["sample"], variant="paper")
        removed = sorted(found.removed["removed_row"])
        assert removed == golden["removed_ids_sorted"]
        assert len(removed) == golden["n_removed"]
        assert found.removed["change_percentage"][-1] == pytest.approx(golden["cut"], abs=1e-9)


def test_poor_alignments_removed_from_merged_subsets(goldens, wikismall):
    rows = [row for row in goldens("splits") if row["kind"] == "poor_alignment_merged"]
    assert len(rows) == 5
    for golden in rows:
        kept = drop_poor_alignments(
            wikismall, 1 - golden["sample"], mode="merged", variant="paper", seed=324
        ).kept
        test, dev = kept["test"]["id"][:], kept["validation"]["id"][:]
        assert [[0, len(test)], [len(test), len(test) + len(dev)]] == golden["slices"]
        assert test[: len(golden["test_ids"])] == golden["test_ids"]
        assert dev[: len(golden["dev_ids"])] == golden["dev_ids"]
        assert sha256_of_ids(test + dev) == golden["sha256"]
