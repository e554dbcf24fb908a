"""Datasets as columns."""

import pyarrow as pa
import pytest

from textsimp import InputError
from textsimp.corpora.datasets import load_dataset

ROWS = [{"source": "a, b", "references": ["x", "y"]}, {"source": 'c\n"d"', "references": ["z"]}]


def test_a_dataset_saved_to_disk_is_a_dataset(tmp_path):
    from datasets import Dataset, DatasetDict

    data = Dataset.from_list(ROWS)
    data.save_to_disk(tmp_path / "one")
    DatasetDict({"test": data}).save_to_disk(tmp_path / "two")
    for name in ("one", "two"):
        table = load_dataset(str(tmp_path / name))
        assert table.column("source") == [row["source"] for row in ROWS]
    # a Dataset has no splits, and neither has configurations
    for name, asked in (
        ("two", {"split": "train"}),
        ("one", {"split": "test"}),
        ("one", {"config": "a"}),
    ):
        with pytest.raises(InputError, match=name):
            load_dataset(str(tmp_path / name), **asked)


def test_a_dataset_that_is_no_utf8_is_told(tmp_path):
    from datasets import Dataset

    texts = pa.array([b"fine", b"caf\xe9"], pa.binary()).view(pa.string())
    Dataset(pa.table({"text": texts})).save_to_disk(tmp_path / "data")
    table = load_dataset(str(tmp_path / "data"))
    with pytest.raises(InputError, match=r"column 'text' of .*data: .*Invalid UTF8"):
        table.column("text")


def test_why_files_are_no_dataset_is_told(tmp_path):
    (tmp_path / "test.jsonl").write_text('{"source": "a"}\n', encoding="utf-8")
    (tmp_path / "test2.jsonl").write_text('{"other": 1}\n', encoding="utf-8")
    by_version = "Couldn't cast … because column names don't match|must have the same columns"
    with pytest.raises(InputError, match=by_version):
        load_dataset(str(tmp_path))


def test_a_folder_without_the_split_is_told_with_the_option(tmp_path):
    (tmp_path / "0.jsonl").write_text('{"source": "a"}\n', encoding="utf-8")
    (tmp_path / "README.md").write_text("Shards\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"Should be one of \['train'\]. Pass --split."):
        load_dataset(str(tmp_path))
