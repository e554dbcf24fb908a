"""``textsimp split``: files in, files of the same format out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, Value

from textsimp import splits

SIZES = {"train": 30, "validation": 8, "test": 10}
FORMATS = ("jsonl", "parquet", "text")
OUTPUTS = {
    "jsonl": "train.jsonl validation.jsonl test.jsonl",
    "parquet": "train.parquet validation.parquet test.parquet",
    "text": "train.en,train.si validation.en,validation.si test.en,test.si",
}


@pytest.fixture
def corpus(examples: Path) -> DatasetDict:
    """The example corpus as subsets, in files of every format in the current directory."""
    source = (examples / "source.txt").read_text("utf-8").splitlines()
    target = (examples / "references" / "2.txt").read_text("utf-8").splitlines()
    rows = [
        {"id": i, "source": s, "target": t, "more": {"é": [i / 3]}}
        for i, (s, t) in enumerate(zip(source, target, strict=True))
    ]
    subsets = {}
    start = 0
    for name, size in SIZES.items():
        part = rows[start : start + size]
        start += size
        subsets[name] = Dataset.from_list(part)
        lines = [json.dumps(row, ensure_ascii=row["id"] % 2 == 0) for row in part]
        Path(f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        pq.write_table(pa.Table.from_pylist(part), f"{name}.parquet")
        for side, ending in (("source", "en"), ("target", "si")):
            Path(f"{name}.{ending}").write_text("\n".join(r[side] for r in part), encoding="utf-8")
    return DatasetDict(subsets)


def written(folder: str, format: str, name: str) -> list[tuple[str, str]]:
    """The pairs of a subset."""
    if format == "text":
        sides = [Path(folder, f"{name}.{side}").read_text("utf-8") for side in ("en", "si")]
        return list(zip(*(text.splitlines() for text in sides), strict=True))
    if format == "jsonl":
        text = Path(folder, f"{name}.jsonl").read_text("utf-8")
        rows = [json.loads(line) for line in text.splitlines()]
    else:
        rows = pq.read_table(Path(folder, f"{name}.parquet")).to_pylist()
    return [(row["source"], row["target"]) for row in rows]


def pairs(dataset: Dataset) -> list[tuple[str, str]]:
    return list(zip(dataset["source"], dataset["target"], strict=True))


def succeed(result: Any) -> Any:
    assert result.exit_code == 0, result.output
    return result


# What is computed is what textsimp.splits computes


@pytest.mark.parametrize("format", FORMATS)
def test_random_splits_are_those_of_the_library(format: str, corpus: DatasetDict, run: Any) -> None:
    succeed(run(f"split random {OUTPUTS[format]} -o new --seed 3 --generator python"))
    expected = splits.random_split(corpus, 3, generator="python")
    for name in SIZES:
        assert written("new", format, name) == pairs(expected[name])


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_kept_and_removed_is_that_of_the_library(
    format: str, corpus: DatasetDict, run: Any
) -> None:
    command = f"split poor-alignments {OUTPUTS[format]} --fraction 0.2 --mode merged --seed 1"
    succeed(run(f"{command} -o new"))
    expected = splits.drop_poor_alignments(corpus, 0.2, mode="merged", seed=1)
    for name in SIZES:
        assert written("new", format, name) == pairs(expected.kept[name])
    listed = "parquet" if format == "parquet" else "jsonl"
    assert written("new", listed, "removed") == pairs(expected.removed)
    if listed == "jsonl":
        first = json.loads(Path("new/removed.jsonl").read_text("utf-8").split("\n")[0])
    else:
        first = pq.read_table("new/removed.parquet").to_pylist()[0]
    for column in ("removed_from", "removed_row", "badness"):
        assert first[column] == expected.removed[0][column]


@pytest.mark.parametrize("format", FORMATS)
def test_balanced_splits_are_those_of_the_library(
    format: str, corpus: DatasetDict, run: Any
) -> None:
    result = succeed(run(f"split balanced {OUTPUTS[format]} --iterations 500 -o new --json"))
    expected = splits.balanced_split(corpus, iterations=500)
    for name in SIZES:
        assert written("new", format, name) == pairs(expected[name])
    report = json.loads(result.stdout)["subsets"]
    counted = splits.annotate_edits(expected)
    for name, subset in report.items():
        assert subset["rows"] == SIZES[name]
        for operation, mean in subset["after"].items():
            assert mean == pytest.approx(sum(counted[name][operation]) / SIZES[name])


@pytest.mark.parametrize("format", FORMATS)
def test_divergences_are_those_of_the_library(
    format: str, corpus: DatasetDict, run: Any, examples: Path
) -> None:
    before = sorted(examples.rglob("*"))
    result = succeed(run(f"split divergence {OUTPUTS[format]} --permutations 50 --json"))
    assert json.loads(result.stdout) == splits.divergence(corpus, permutations=50)
    table = succeed(run(f"split divergence {OUTPUTS[format]} --recipe paper")).stdout
    assert "test – train" in table
    assert sorted(examples.rglob("*")) == before


def test_columns_are_chosen_by_name(corpus: DatasetDict, run: Any) -> None:
    arguments = f"{OUTPUTS['jsonl']} -S target -T source -o"
    succeed(run(f"split poor-alignments --fraction 0.1 --by id {arguments} by"))
    assert [row[0] for row in written("by", "jsonl", "test")] == corpus["test"]["source"][:9]
    succeed(run(f"split balanced --balance id --iterations 50 {arguments} balanced"))
    result = succeed(run(f"split divergence --column id {OUTPUTS['jsonl']} --json"))
    assert json.loads(result.stdout)["column"] == "id"


def test_repeated_pairs_are_removed_and_listed_on_request(corpus: DatasetDict, run: Any) -> None:
    Path("again.jsonl").write_bytes(Path("test.jsonl").read_bytes())
    command = "split poor-alignments test.jsonl again.jsonl --fraction 0.1 --duplicates drop"
    result = succeed(run(f"{command} -o new --json"))
    report = json.loads(result.stdout)
    assert sum(subset["duplicates"] for subset in report["subsets"].values()) == 10
    assert written("new", "jsonl", "duplicates") == pairs(corpus["test"])
    assert report["duplicates"] == [str(Path("new/duplicates.jsonl"))]


# Rows come out as they went in


def test_lines_of_json_stay_as_they_are(corpus: DatasetDict, run: Any) -> None:
    succeed(run(f"split random {OUTPUTS['jsonl']} -o new"))
    before, after = (
        sorted(line for n in SIZES for line in Path(f, f"{n}.jsonl").read_bytes().splitlines())
        for f in (".", "new")
    )
    assert after == before


def test_parquet_keeps_its_columns_and_features(corpus: DatasetDict, run: Any) -> None:
    features = Features({"label": ClassLabel(names=["a", "b"]), "n": Value("int8")})
    for name in ("train", "test"):
        data = Dataset.from_dict({"label": [0, 1, 1], "n": [1, 2, 3]}, features=features)
        data.to_parquet(f"{name}.parquet")
    succeed(run("split random train.parquet test.parquet -o new"))
    assert Dataset(pq.read_table("new/train.parquet")).features == features
    result = succeed(run("split divergence --column label train.parquet test.parquet --json"))
    assert json.loads(result.stdout)["categories"] == ["a", "b"]


def test_targets_may_be_lists(corpus: DatasetDict, run: Any) -> None:
    for name in SIZES:
        nested = corpus[name].map(lambda row: {"target": [row["target"], row["source"]]})
        rows = [json.dumps(row) for row in nested]
        Path(f"{name}.jsonl").write_text("\n".join(rows))
    for command in ("balanced --iterations 9 -o b", "poor-alignments --fraction 0.1 -o p"):
        succeed(run(f"split {command} {OUTPUTS['jsonl']}"))


def test_subsets_are_named_by_hand_or_by_their_file(corpus: DatasetDict, run: Any) -> None:
    Path("all train.jsonl").write_bytes(Path("train.jsonl").read_bytes())
    Path("a,b.jsonl").write_bytes(Path("test.jsonl").read_bytes())
    result = run("split random -o new --json", "train=all train.jsonl", "test=a,b.jsonl")
    assert list(json.loads(succeed(result).stdout)["subsets"]) == ["train", "test"]
    Path("train-00000-of-00001.parquet").write_bytes(Path("train.parquet").read_bytes())
    result = run("split random -o hub train-00000-of-00001.parquet test.parquet --json")
    assert list(json.loads(succeed(result).stdout)["subsets"]) == ["train", "test"]


def test_a_subset_may_come_from_standard_input(corpus: DatasetDict, run: Any) -> None:
    data = Path("train.jsonl").read_text("utf-8")
    succeed(run("split random train=- test.jsonl -o new", input=data))
    assert len(written("new", "jsonl", "train")) == 30


# Bad input: one sentence, exit code 2, nothing written


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("random train.jsonl gone.jsonl -o new", "gone.jsonl: no such file"),
        ("random train.jsonl bad.jsonl -o new", "bad.jsonl, line 2: expected a JSON object"),
        ("random train.jsonl test.parquet -o new", "expected one format: train.jsonl is jsonl"),
        (
            "random train.en test.en -o new",
            "train.en: expected one file that ends with .jsonl,",
        ),
        ("random train.en,test.si test.en,test.si -o new", "train.en has 30 lines, but test.si"),
        ("random a.jsonl b=a.jsonl a=bad.csv -o new", "two subsets are called 'a': name them"),
        ("random train.jsonl -o new", "expected a DatasetDict of at least 2 subsets"),
        ("random a/b=train.jsonl test.jsonl -o new", "a/b=train.jsonl: expected a name for the"),
        ("random train.jsonl test.jsonl -o new --seed -1", "seed: expected an integer from 0"),
        ("random train.jsonl other.jsonl -o train.jsonl", "train.jsonl"),
        ("balanced train.jsonl test.jsonl -T simple -o new", "train.jsonl has no column 'simple'"),
        ("balanced train.jsonl other.jsonl -o new", "other.jsonl, line 2 has no 'target'"),
        ("balanced train.jsonl null.jsonl -o new", "row 1 of column 'target' of null.jsonl"),
        ("poor-alignments train.jsonl --fraction 2 -o new", "fraction: expected a number above 0"),
        ("poor-alignments --fraction 0.1 removed=train.jsonl -o new", "'removed' is written too"),
        ("poor-alignments train.jsonl --by more --fraction 0.1 -o new", "column 'more'"),
        ("divergence train.jsonl mixed.jsonl --column id", "column 'id' of mixed.jsonl: expected"),
        ("random narrow.parquet test.parquet -o new", "column 'id' is missing in narrow.parquet"),
    ],
)
def test_bad_input_writes_nothing(
    arguments: str, message: str, corpus: DatasetDict, examples: Path, fails: Any
) -> None:
    row = '{"source": "a", "target": "b", "id": 1}'
    Path("bad.jsonl").write_text(f"{row}\n[]\n")
    Path("a.jsonl").write_text(row)
    Path("bad.csv").write_text("a\n1\n")
    Path("other.jsonl").write_text(f'{row}\n{{"source": "a"}}\n')
    Path("null.jsonl").write_text(f'{row}\n{{"source": "a", "target": null}}\n')
    Path("mixed.jsonl").write_text(f'{row}\n{{"id": "x"}}\n')
    pq.write_table(pa.table({"source": ["a"], "target": ["b"]}), "narrow.parquet")
    before = sorted(examples.rglob("*"))
    assert fails(f"split {arguments}").startswith(message)
    assert sorted(examples.rglob("*")) == before


def test_an_existing_output_is_overwritten_only_if_told_to(
    corpus: DatasetDict, run: Any, fails: Any
) -> None:
    command = f"split random {OUTPUTS['jsonl']} -o new"
    Path("new").mkdir()
    Path("new/test.jsonl").write_text("mine")
    message = fails(command)
    assert message == f"{Path('new/test.jsonl')} is there already: --force overwrites it"
    assert [path.read_text() for path in Path("new").iterdir()] == ["mine"]
    succeed(run(f"{command} --force"))
    assert len(list(Path("new").iterdir())) == 3


def test_inputs_may_be_overwritten_in_place(corpus: DatasetDict, run: Any) -> None:
    succeed(run(f"split random {OUTPUTS['parquet']} -o . --force"))
    expected = splits.random_split(corpus)
    assert written(".", "parquet", "train") == pairs(expected["train"])
