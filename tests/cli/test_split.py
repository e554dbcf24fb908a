"""``textsimp split``: files in, files of the same format out."""

import csv
import json
import re
import shutil
from pathlib import Path

import datasets
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, Value, concatenate_datasets

from tests import given
from tests.commands import own_keys
from textsimp import splits
from textsimp.corpora import tables

SIZES = {"train": 30, "validation": 8, "test": 10}
FORMATS = ("jsonl", "json", "csv", "tsv", "parquet", "text", "dataset")
WRITTEN = {"dataset": "parquet", "xlsx": "csv"}
OUTPUTS = {
    "jsonl": "train.jsonl validation.jsonl test.jsonl",
    "json": "train.json validation.json test.json",
    "csv": "train.csv validation.csv test.csv",
    "tsv": "train.tsv validation.tsv test.tsv",
    "dataset": "saved",
    "parquet": "train.parquet validation.parquet test.parquet",
    "text": "train.en,train.si validation.en,validation.si test.en,test.si",
}


@pytest.fixture(scope="session")
def _corpus_folder(tmp_path_factory):
    """The example corpus as subsets, in files of every format."""
    folder = tmp_path_factory.mktemp("corpus")
    texts = zip(given.lines("source.txt"), given.lines("references/2.txt"), strict=True)
    rows = [
        {"id": i, "source": s, "target": t, "more": {"é": [i / 3]}}
        for i, (s, t) in enumerate(texts)
    ]
    subsets = {}
    start = 0
    for name, size in SIZES.items():
        part = rows[start : start + size]
        start += size
        subsets[name] = Dataset.from_list(part)
        lines = [json.dumps(row, ensure_ascii=row["id"] % 2 == 0) for row in part]
        given.write(folder / f"{name}.jsonl", lines)
        given.write(folder / f"{name}.parquet", part)
        (folder / f"{name}.json").write_text(json.dumps(part, indent=1), encoding="utf-8")
        columns = {column: [row[column] for row in part] for column in ("id", "source", "target")}
        for suffix in ("csv", "tsv"):
            given.write(folder / f"{name}.{suffix}", columns)
        for side, ending in (("source", "en"), ("target", "si")):
            text = "\n".join(row[side] for row in part)
            (folder / f"{name}.{ending}").write_text(text, encoding="utf-8")
    DatasetDict(subsets).save_to_disk(folder / "saved")
    return folder


@pytest.fixture
def corpus(_corpus_folder, tmp_path, monkeypatch):
    """The example corpus as subsets, in files of every format in the current directory."""
    shutil.copytree(_corpus_folder, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return datasets.load_from_disk(_corpus_folder / "saved")


def written(folder, format, name):
    """The pairs of a subset."""
    if format == "text":
        sides = [Path(folder, f"{name}.{side}").read_text("utf-8") for side in ("en", "si")]
        return list(zip(*(text.splitlines() for text in sides), strict=True))
    return [(row["source"], row["target"]) for row in records(folder, format, name)]


def records(folder, format, name):
    """The rows of a subset, as objects."""
    format = WRITTEN.get(format, format)
    path = Path(folder, f"{name}.{format}")
    if format == "jsonl":
        return given.rows(path)
    if format == "json":
        return json.loads(path.read_text("utf-8"))
    if format == "parquet":
        return pq.read_table(path).to_pylist()
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="," if format == "csv" else "\t"))


def read_table(path):
    """The rows of a table, as dicts."""
    table = tables.read_table(path)
    columns = zip(*map(table.column, table.names), strict=True)
    return [dict(zip(table.names, row, strict=True)) for row in columns]


def write_excel(path, rows):
    book = pytest.importorskip("openpyxl").Workbook()
    for row in [[*rows[0]], *(row.values() for row in rows)]:
        book.active.append([*row])
    for row in book.active.iter_rows():
        for cell in row:
            cell.data_type = "s"
    book.save(path)


def pairs(dataset):
    return list(zip(dataset["source"], dataset["target"], strict=True))


# What is computed is what textsimp.splits computes


@pytest.mark.parametrize("format", FORMATS)
def test_random_splits_are_those_of_the_library(format, corpus, succeed):
    succeed(f"split random {OUTPUTS[format]} -o new --seed 3 --variant paper")
    expected = splits.random_split(corpus, 3, variant="paper")
    for name in SIZES:
        assert written("new", format, name) == pairs(expected[name])


@pytest.mark.parametrize("format", ["csv", "text", "dataset"])
def test_what_is_kept_and_removed_is_that_of_the_library(format, corpus, succeed):
    command = f"split poor-alignments {OUTPUTS[format]} --fraction 0.2 --mode merged --seed 1"
    succeed(f"{command} -o new")
    expected = splits.drop_poor_alignments(corpus, 0.2, mode="merged", seed=1)
    for name in SIZES:
        assert written("new", format, name) == pairs(expected.kept[name])
    listed = "jsonl" if format == "text" else format
    assert written("new", listed, "removed") == pairs(expected.removed)
    first = records("new", listed, "removed")[0]
    for column in ("removed_from", "removed_row", "change_percentage"):
        value = expected.removed[0][column]
        assert type(value)(first[column]) == value  # in CSV all is text


@pytest.mark.parametrize("format", ["csv", "text", "dataset"])
def test_balanced_splits_are_those_of_the_library(format, corpus, succeed):
    result = succeed(f"split balanced {OUTPUTS[format]} --iterations 50 -o new --json")
    expected = splits.balanced_split(corpus, iterations=50)
    for name in SIZES:
        assert written("new", format, name) == pairs(expected[name])
    report = json.loads(result.stdout)["subsets"]
    counted = expected.map(splits.edit_columns, batched=True)
    for name, subset in report.items():
        assert subset["rows"] == SIZES[name]
        for operation, mean in subset["after"].items():
            assert mean == pytest.approx(sum(counted[name][operation]) / SIZES[name])


@pytest.mark.parametrize("format", ["csv", "text", "dataset"])
def test_divergences_are_those_of_the_library(format, corpus, tmp_path, succeed):
    before = sorted(tmp_path.rglob("*"))
    result = succeed(f"split divergence {OUTPUTS[format]} --permutations 50 --json")
    found = own_keys(result)
    assert {of["shared"] for of in found.pop("shared_sources").values()} == {0}
    assert found == splits.divergence(corpus, permutations=50)
    table = succeed(f"split divergence {OUTPUTS[format]} --variant paper").stdout
    assert "test – train" in table
    assert sorted(tmp_path.rglob("*")) == before


def test_columns_are_chosen_by_name(corpus, as_json, succeed):
    arguments = f"{OUTPUTS['jsonl']} -S target -T source -o"
    succeed(f"split poor-alignments --fraction 0.1 --by id {arguments} by")
    assert [row[0] for row in written("by", "jsonl", "test")] == corpus["test"]["source"][:9]
    removed = json.loads(Path("by/removed.jsonl").read_text("utf-8").splitlines()[-1])
    assert list(removed) == [*corpus["test"].column_names, "removed_from", "removed_row"]
    command = f"split poor-alignments --fraction 0.1 {arguments} by --force --json"
    report = as_json(f"{command} --by id")
    assert (report["ranked_by"], report["least_removed"]) == ("id", removed["id"])
    assert as_json(command)["ranked_by"] == "change_percentage"
    succeed(f"split balanced --columns id --iterations 50 {arguments} balanced")
    result = succeed(f"split divergence --column id {OUTPUTS['jsonl']} --json")
    assert json.loads(result.stdout)["column"] == "id"


def test_python_does_the_same_as_the_command(corpus, run):
    files = OUTPUTS["jsonl"].split()
    for name, options in (
        ("balanced", {"iterations": 50}),
        ("poor_alignments", {"fraction": 0.1, "overwrite": True}),
    ):
        made = splits.split_files(name, files, "new", seed=2, **options)
        arguments = f"{name.replace('_', '-')} {OUTPUTS['jsonl']} -o new --seed 2 --force --json"
        values = [f"--{key} {value}" for key, value in options.items() if key != "overwrite"]
        assert own_keys(run(f"split {arguments} {' '.join(values)}")) == made
    made = splits.split_files("random", files[:1], "cut", sizes=[0.8, None])
    assert {name: part["rows"] for name, part in made["subsets"].items()} == {
        "train": 24,
        "test": 6,
    }
    found = splits.divergence_of_files(files, "id", permutations=9)
    command = f"split divergence --column id --permutations 9 {OUTPUTS['jsonl']} --json"
    assert own_keys(run(command)) == found


@pytest.mark.parametrize("together", [[], ["--together", "article"]])
def test_a_corpus_is_cut_into_balanced_subsets_by_one_command(together, corpus, succeed):
    rows = [{**row, "article": row["id"] // 3} for row in corpus["train"].remove_columns("more")]
    given.write("corpus.csv", rows)
    command = "split balanced corpus.csv --sizes 80,10,10 --iterations 300 -o new"
    result = succeed(command, *together, "--json")
    expected = splits.balanced_split(
        Dataset.from_list(rows),
        sizes=[0.8, 0.1, 0.1],
        iterations=300,
        together="article" if together else None,
    )
    for name, subset in expected.items():
        assert written("new", "csv", name) == pairs(subset)
    report = json.loads(result.stdout)
    means = [subset["before"] for subset in report["subsets"].values()]
    assert means[0] == means[1] == means[2]  # those of the whole corpus
    assert {pair["before"] for pair in report["divergences"]} == {None}


def test_balanced_splits_tell_what_is_balanced_and_the_divergence_before_and_after(
    corpus, as_json, succeed
):
    command = f"split balanced {OUTPUTS['jsonl']} --iterations 300 -o new"
    found = as_json(f"{command}")["divergences"]
    balanced = {pair["column"]: pair["balanced"] for pair in found}
    assert balanced == {
        **dict.fromkeys(("insert", "delete", "replace"), True),
        **dict.fromkeys(("keep", "change_percentage"), False),
    }
    before = corpus.map(splits.edit_columns, batched=True)
    after = splits.balanced_split(corpus, iterations=300).map(splits.edit_columns, batched=True)
    for column in balanced:
        for stage, data in (("before", before), ("after", after)):
            expected = [
                pair["js_divergence_bits"] for pair in splits.divergence(data, column)["pairs"]
            ]
            assert [p[stage] for p in found if p["column"] == column] == pytest.approx(expected)
    printed = succeed(f"{command} --force").stdout
    largest = max(pair["before"] for pair in found if pair["column"] == "keep")
    assert re.search(rf"^keep +no +{largest:.4f} ", printed, re.MULTILINE)
    columns = as_json(f"{command} --columns id --force")
    assert {pair["column"] for pair in columns["divergences"]} == {"id"}


def test_tables_say_what_became_of_each_subset(corpus, succeed):
    command = f"split poor-alignments {OUTPUTS['jsonl']} --fraction 0.1 -o new"
    lines = succeed(command).stdout.splitlines()
    assert lines[1].split() == ["subset", "rows", "removed", "kept"]
    assert lines[2].split() == ["train", "30", "3", "27"]
    assert re.fullmatch(
        r"Removed from change percentage \d+\.\d up; worst first in new/removed.jsonl", lines[-1]
    )
    lines = succeed(f"split balanced {OUTPUTS['jsonl']} --columns id -o even").stdout
    assert re.search(r"^train +30 +14\.500 → \d\d\.\d{3}$", lines, re.MULTILINE)
    assert "written: even/train.jsonl\n" in lines


def test_tables_have_every_form(corpus, succeed):
    command = f"split balanced {OUTPUTS['jsonl']} --columns id --force -o even"
    done = succeed(f"{command} --csv")
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert [row["table"] for row in rows[:3]] == ["Subsets"] * 3
    assert [row["rows"] for row in rows[:3]] == ["30", "8", "10"]
    assert rows[3]["column"] == "id"
    assert "written: even/train.jsonl\n" in done.stderr
    assert succeed(f"{command} --markdown").stdout.count("| --- |") == 2
    latex = succeed(f"split divergence {OUTPUTS['jsonl']} --latex").stdout
    assert "change percentage" in latex
    assert "test – validation &" in latex


# Rows come out as they went in


@pytest.mark.parametrize("format", ["jsonl", "json"])
def test_rows_come_out_whole(format, corpus, succeed):
    files = [f"{name}.{format}" for name in SIZES]
    succeed("split random -o new", *files)
    before, after = (
        sorted((row for file in files for row in read_table(f"{f}/{file}")), key=str)
        for f in (".", "new")
    )
    assert after == before


def test_keys_that_some_objects_lack_and_lone_surrogates_come_out(corpus, succeed):
    rows = [{"source": "a"}, {"source": "b", "more": "\ud800"}, {"source": "c"}]
    given.write("all.jsonl", rows)
    succeed("split random -d all.jsonl --sizes 1,2 -o new")
    found = [row for name in ("train", "test") for row in records("new", "jsonl", name)]
    assert sorted(found, key=str) == sorted(rows, key=str)


@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet", "xlsx"])
def test_a_subset_may_be_several_files(format, corpus, succeed):
    if format == "xlsx":
        for name in SIZES:
            write_excel(f"{name}.xlsx", corpus[name].select_columns(["source", "target"]).to_list())
    several = f"all=train.{format},validation.{format}"
    succeed(f"split random {several} test.{format} --seed 3 -o new")
    merged = {"all": concatenate_datasets([corpus["train"], corpus["validation"]])}
    expected = splits.random_split({**merged, "test": corpus["test"]}, 3)
    for name in ("all", "test"):
        assert written("new", format, name) == pairs(expected[name])
    succeed(f"split random all=*a*i*.{format} test.{format} --seed 3 -o new2")
    assert written("new2", format, "all") == written("new", format, "all")


def test_parquet_and_datasets_keep_their_features(corpus, succeed):
    features = Features({"label": ClassLabel(names=["a", "b"]), "n": Value("int8")})
    data = Dataset.from_dict({"label": [0, 1, 1], "n": [1, 2, 3]}, features=features)
    for name in ("train", "test"):
        data.to_parquet(f"{name}.parquet")
    data.save_to_disk("one")
    data.select([2, 0]).flatten_indices().with_format("numpy").save_to_disk("two")
    for subsets in ("train.parquet test.parquet", "train=one test=two"):
        succeed(f"split random {subsets} -o new --force")
        assert Dataset(pq.read_table("new/train.parquet")).features == features
    both = [n for name in ("train", "test") for n in pq.read_table(f"new/{name}.parquet")["n"]]
    assert sorted(n.as_py() for n in both) == [1, 1, 2, 3, 3]


def test_cells_of_csv_stay_as_they_are(corpus, succeed):
    rows = [["a", "b"], ["a,b", "'=1"], ["a\nb", 'c "d"'], ["", "\r"], ["é", "ü"]]
    for name, part in (("train", rows[:3]), ("test", rows[3:])):
        given.write(f"{name}.csv", [{"source": s, "target": t} for s, t in part])
    succeed("split random train.csv test.csv -o new")
    found = [list(row.values()) for n in ("train", "test") for row in records("new", "csv", n)]
    assert sorted(found) == sorted(rows)
    assert Path("new/train.csv").read_text().startswith("source,target\n")


def test_text_files_keep_their_endings_if_all_have_the_same(corpus, succeed):
    for name in ("a.txt", "b.txt", "t.x.src", "t.x.dst"):
        given.write(name, ["a"])
    for subsets, endings in (
        ("train=t.x.src,t.x.dst test=t.x.src,t.x.dst", ("src", "dst")),
        ("train=a.txt,b.txt test=t.x.src,t.x.dst", ("source.txt", "target.txt")),
        ("train=a.txt,b.txt test=a.txt,b.txt", ("source.txt", "target.txt")),
    ):
        result = succeed(f"split random {subsets} -o new --force --json")
        files = json.loads(result.stdout)["subsets"]["train"]["files"]
        assert files == [str(Path(f"new/train.{ending}")) for ending in endings]


def test_a_dataset_is_given_by_its_folder_or_by_d(corpus, fails, tmp_path, monkeypatch, succeed):
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")
    for name in SIZES:
        given.write(f"files/{name}.jsonl", Path(f"{name}.jsonl").read_bytes())
    expected = splits.random_split(corpus, 3)
    for number, arguments in enumerate(("saved", "-d saved", "files", "-d files")):
        succeed(f"split random {arguments} --seed 3 -o new{number}")
        for name in SIZES:
            assert written(f"new{number}", "dataset", name) == pairs(expected[name])
    message = fails("split random new=saved -o other")
    assert message == "new=saved: leave out the name, it has train, validation, test"
    message = fails("split divergence -d files --config x")
    assert message.startswith("dataset files: BuilderConfig 'x' not found")


def test_targets_may_be_lists(corpus, succeed):
    for name in SIZES:
        nested = corpus[name].map(lambda row: {"target": [row["target"], row["source"]]})
        given.write(f"{name}.jsonl", nested.to_list())
    for command in ("balanced --iterations 9 -o b", "poor-alignments --fraction 0.1 -o p"):
        succeed(f"split {command} {OUTPUTS['jsonl']}")


def test_subsets_are_named_by_hand_or_by_their_file(corpus, as_json):
    Path("all train.jsonl").write_bytes(Path("train.jsonl").read_bytes())
    Path("a,b.jsonl").write_bytes(Path("test.jsonl").read_bytes())
    report = as_json("split random -o new", "train=all train.jsonl", "test=a,b.jsonl")
    assert [*report["subsets"]] == ["train", "test"]
    Path("train-00000-of-00001.parquet").write_bytes(Path("train.parquet").read_bytes())
    report = as_json("split random -o hub train-00000-of-00001.parquet test.parquet")
    assert [*report["subsets"]] == ["train", "test"]


def test_a_subset_may_come_from_standard_input(corpus, succeed):
    data = Path("train.jsonl").read_text("utf-8")
    succeed("split random train=- test.jsonl -o new", input=data)
    assert len(written("new", "jsonl", "train")) == 30
    succeed("split random -d - --sizes 20,rest -o cut", input=data)
    assert len(written("cut", "jsonl", "test")) == 10


# Rows in memory


@pytest.mark.usefixtures("corpus")
@pytest.mark.parametrize("ending", ["", "\n", "\r\n"])
def test_lines_of_text_are_those_between_line_feeds(ending, succeed):
    lines = ["a\u2028b", "", "c\rd", "é"]
    data = (ending or "\n").join(lines) + ending
    Path("train.en").write_bytes(data.encode())
    Path("train.si").write_bytes(b"\xef\xbb\xbf" + data.encode())
    succeed("split random -d train.en,train.si --sizes 1,3 -o new")
    for side in ("en", "si"):
        text = "".join(Path(f"new/{n}.{side}").read_bytes().decode() for n in ("train", "test"))
        assert sorted(text.removesuffix("\n").split("\n")) == sorted(lines)


@pytest.mark.usefixtures("corpus")
@pytest.mark.parametrize(("cell", "kind"), [("5", "edges"), ("five", "categories"), ("", None)])
def test_cells_of_csv_are_numbers_if_all_of_them_are(cell, kind, fails, as_json):
    for name in ("train", "test"):
        Path(f"{name}.csv").write_text(f"id,n\n1,1\n1,2\n1,3\n1,4.5\n1,{cell}\n")
    command = "split divergence --column n train.csv test.csv"
    if kind is None:
        assert "row 4 of column 'n' of " in fails(command)
    else:
        found = as_json(f"{command}")
        assert kind in found
        assert sum(found["counts"]["test"]) == 5


@pytest.mark.usefixtures("corpus")
def test_cells_of_csv_are_lists_if_all_of_them_are(succeed):
    def changes(*cells):
        given.write("train.csv", [{"source": "a b c d", "target": cell} for cell in cells])
        succeed("split poor-alignments train.csv --fraction 0.99 -o new --force")
        removed = records("new", "csv", "removed") + records("new", "csv", "train")
        assert len(removed) == len(cells)
        return [float(row["change_percentage"]) for row in removed[:-1]]

    lists = ['["a b c d"]', '["a b c d", "x y z w"]', '["a b c d"]', '["a b c x"]']
    assert changes(*lists) == [50, 25, 0]
    assert changes(*lists[:3], *["a b c x"] * 4) == [75, 50, 50, 25, 25, 25]


# Other sizes


@pytest.mark.parametrize("format", FORMATS)
def test_one_file_is_cut_at_the_sizes_given(format, corpus, as_json):
    file = OUTPUTS[format].split()[0]
    data = concatenate_datasets([*corpus.values()]) if format == "dataset" else corpus["train"]
    command = f"split random -d {file} --sizes 0.6,0.3,0.1 --seed 4 -o cut --json"
    report = as_json(command)["subsets"]
    assert list(report) == ["train", "validation", "test"]
    expected = splits.random_split(
        corpus if format == "dataset" else data, 4, sizes=[0.6, 0.3, 0.1]
    )
    for name, subset in expected.items():
        assert report[name]["rows"] == len(subset)
        found = written("cut", format, name)
        assert len(found) == len(subset)
        if format != "dataset":  # which is merged in another order
            assert found == pairs(subset)
    merged = sorted(pair for name in report for pair in written("cut", format, name))
    assert merged == sorted(pairs(data))


def test_csv_is_written_with_the_delimiter_and_columns_of_the_first_subset(corpus, succeed):
    rows = [f"a long sentence {i};short {i}" for i in range(20)]
    Path("a.csv").write_text("\n".join(["source;target", *rows]))
    succeed("split poor-alignments --fraction 0.2 a.csv -o new")
    kept, removed = (
        Path("new", f"{name}.csv").read_text().splitlines() for name in ("a", "removed")
    )
    assert kept[0] == "source;target"
    assert removed[0].startswith("source;target;")
    assert {*kept[1:]} | {line.rsplit(";", 3)[0] for line in removed[1:]} == {*rows}
    Path("b.csv").write_text("target,source\na,b\n")
    succeed("split random a.csv b.csv -o more")
    lines = [line for n in "ab" for line in Path(f"more/{n}.csv").read_text().splitlines()]
    assert sorted({*lines}) == sorted(["source;target", *rows, "b;a"])


def test_sizes_have_names_and_one_may_be_the_rest(corpus, as_json):
    command = "split random train.jsonl test.jsonl --sizes learn=rest,dev=3,test=7 -o cut --json"
    report = as_json(command)["subsets"]
    sizes = {name: subset["rows"] for name, subset in report.items()}
    assert sizes == {"learn": 30, "dev": 3, "test": 7}
    assert {path.stem for path in Path("cut").iterdir()} == {*sizes}


# Bad input: one sentence, exit code 2, nothing written


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("random train.jsonl gone.jsonl -o new", "gone.jsonl: no such file"),
        ("random train.jsonl bad.jsonl -o new", "bad.jsonl, line 2: expected a JSON object"),
        ("random train.jsonl test.parquet -o new", "expected one format: train.jsonl is jsonl"),
        ("random train.en test.en -o new", "train.en: expected files that end with .jsonl,"),
        ("random train.en,test.si test.en,test.si -o new", "train.en has 30 lines, but test.si"),
        ("random a.jsonl b=a.jsonl a=bad.csv -o new", "two subsets are called 'a': name them"),
        ("random train.jsonl -o new", "expected two or more subsets, or sizes such as 0.9,0.05"),
        ("balanced train.jsonl -o new", "expected two or more subsets, or sizes such as 0.9,0.05"),
        ("random a/b=train.jsonl test.jsonl -o new", "a/b=train.jsonl: expected a name for the"),
        ("random train.jsonl test.jsonl -o new --seed -1", "seed: expected an integer from 0"),
        ("balanced train.jsonl test.jsonl -T simple -o new", "train.jsonl has no column 'simple'"),
        ("balanced train.jsonl other.jsonl -o new", "other.jsonl, line 2 has no 'target'"),
        ("balanced train.jsonl null.jsonl -o new", "row 1 of column 'target' of null.jsonl"),
        ("poor-alignments train.jsonl --fraction 2 -o new", "fraction: expected a number between"),
        ("poor-alignments --fraction 0.1 removed=train.jsonl -o new", "'removed' is the name of"),
        ("poor-alignments train.jsonl --by more --fraction 0.1 -o new", "row 0 of column 'more'"),
        ("poor-alignments train.csv --by target --fraction 0.1 -o new", "row 0 of column 'target'"),
        (
            "random latin.en,train.si test.en,test.si -o new",
            "latin.en, line 2: expected UTF-8, got",
        ),
        ("divergence train.jsonl mixed.jsonl --column id", "column 'id' of mixed.jsonl: expected"),
        ("balanced train.jsonl test.jsonl -S x -o new", "train.jsonl has no column 'x'; its"),
        ("random -o new", "expected subsets, or one file or dataset after -d"),
        ("random saved --config x -o new", "--config is of a dataset: give -d DATASET"),
        ("random -d train.jsonl --config x -o new", "train.jsonl is a file: --config is of a data"),
        ("random -d train.jsonl --sizes 0.9,x -o new", "sizes: expected shares or numbers of r"),
        ("random -d train.jsonl --sizes 1_0,rest -o new", "sizes: expected shares or numbers of"),
        ("random -d train.jsonl --sizes 0.9,a=0.1 -o new", "sizes: expected a name for each"),
        ("random -d train.jsonl --sizes a=0.9,a=0.1 -o new", "sizes: expected different names"),
        ("random -d train.jsonl --sizes 0.9,0.2 -o new", "sizes: they sum to 1.1, expected 1"),
        ("random -d train.jsonl --sizes .5,.5 --together x -o new", "train.jsonl has no column"),
        ("random train.csv bad.csv -o new", "column 'id' is text in train.csv and missing"),
        ("balanced a.jsonl lists.jsonl -o new", "column 'target' is string in 'a' and list<item:"),
        ("random empty.json test.json -o new", "empty.json: expected a JSON array of at least one"),
        ("random twice.parquet test.parquet -o new", "twice.parquet: a column name stands twice"),
        ("random latin.parquet test.parquet -o new", "column 'target' of latin.parquet: "),
        ("random latin test=one -o new", "column 'target' of latin: "),
        ("random narrow.parquet test.parquet -o new", "column 'id' is missing in narrow.parquet"),
    ],
)
def test_bad_input_writes_nothing(arguments, message, corpus, tmp_path, fails):
    row = '{"source": "a", "target": "b", "id": 1}'
    Path("bad.jsonl").write_text(f"{row}\n[]\n")
    Path("a.jsonl").write_text(row)
    Path("lists.jsonl").write_text(row.replace('"b"', '["b"]'))
    Path("latin.en").write_bytes(b"a\n\xe4\n")
    Path("bad.csv").write_text("a\n1\n")
    Path("other.jsonl").write_text(f'{row}\n{{"source": "a"}}\n')
    Path("null.jsonl").write_text(f'{row}\n{{"source": "a", "target": null}}\n')
    Path("mixed.jsonl").write_text(f'{row}\n{{"id": "x"}}\n')
    pq.write_table(pa.table({"source": ["a"], "target": ["b"]}), "narrow.parquet")
    Path("empty.json").write_text("[]")
    twice = pa.table([["a"], ["b"], ["c"]], names=["source", "target", "source"])
    pq.write_table(twice, "twice.parquet")
    latin = pa.array([b"a", b"\xe4"], pa.binary()).view(pa.string())
    pq.write_table(pa.table({"source": ["a", "b"], "target": latin}), "latin.parquet")
    Dataset(pa.table({"source": ["a", "b"], "target": latin})).save_to_disk("latin")
    before = sorted(tmp_path.rglob("*"))
    error = fails(f"split {arguments}")
    assert error.startswith(message)
    assert error.endswith("choose with -S") == ("-S x" in arguments)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_of_text_files_has_to_be_given_in_pairs(tmp_path, monkeypatch, succeed, fails):
    monkeypatch.chdir(tmp_path)
    for name in ("a.source.txt", "a.target.txt"):
        Path(name).write_text("A.\nB.\nC.\nD.\n")
    succeed("split random a.source.txt,a.target.txt --sizes 0.5,0.5 -o cut")
    advice = ": give text files as NAME=SOURCE,TARGET, or choose with -S"
    assert fails("split divergence cut").endswith(advice)


def test_an_existing_output_is_overwritten_only_if_reported_to(corpus, fails, succeed):
    command = f"split random {OUTPUTS['jsonl']} -o new"
    Path("new").mkdir()
    Path("new/test.jsonl").write_text("mine")
    message = fails(command)
    assert message == f"{Path('new/test.jsonl')} is there already: --force overwrites it"
    assert [path.read_text() for path in Path("new").iterdir()] == ["mine"]
    succeed(f"{command} --force")
    assert len(list(Path("new").iterdir())) == 3


def test_whatever_folders_are_called_what_is_reported_is_lines(corpus, succeed):
    result = succeed(f"split random {OUTPUTS['jsonl']} -o", "a\n\x1b[31mb")
    assert "written: a\\n\\x1b[31mb/train.jsonl\n" in result.stdout


def test_inputs_may_be_overwritten_in_place(corpus, succeed):
    succeed(f"split random {OUTPUTS['parquet']} -o . --force")
    expected = splits.random_split(corpus)
    assert written(".", "parquet", "train") == pairs(expected["train"])


# Sources that stand in several subsets


@pytest.fixture
def leaking(tmp_path, monkeypatch):
    """Two files of pairs; "b", three times in all, stands in both, and "a" twice in one."""
    monkeypatch.chdir(tmp_path)
    subsets = {"train": "aabbcdefgh", "test": "bijk"}
    for name, sources in subsets.items():
        rows = [{"source": s, "target": f"{s} x{i}", "n": i} for i, s in enumerate(sources)]
        given.write(f"{name}.jsonl", rows)
    return "train.jsonl test.jsonl"


LEAK = (
    "In another subset, too: 1 of 8 sources of train (2 rows); 1 of 4 sources of test (1 rows). "
    "`split random` and `balanced` keep equal ones together: --together source"
)


def test_divergence_tells_the_sources_that_subsets_share(leaking, as_json, succeed):
    assert LEAK in succeed(f"split divergence {leaking}").stdout.splitlines()
    found = as_json(f"split divergence {leaking} --column n")
    assert found["shared_sources"] == {
        "train": {"sources": 8, "shared": 1, "rows": 2},
        "test": {"sources": 4, "shared": 1, "rows": 1},
    }


@pytest.mark.parametrize(
    "command", ["random", "balanced --iterations 300", "poor-alignments --fraction 0.1"]
)
def test_every_split_tells_the_sources_that_its_subsets_share(command, leaking, as_json, succeed):
    printed = succeed(f"split {command} {leaking} -o new").stdout
    rows = {n: [row["source"] for row in records("new", "jsonl", n)] for n in ("train", "test")}
    both = {*rows["train"]} & {*rows["test"]}
    parts = [
        f"{len(both)} of {len({*own})} sources of {name} ({sum(s in both for s in own)} rows)"
        for name, own in rows.items()
    ]
    expected = "; ".join(parts) if both else "none"
    (line,) = [line for line in printed.splitlines() if "In another subset" in line]
    assert line.startswith(f"In another subset, too: {expected}")
    more = f"split {command} {leaking} -o new --force --json"
    shared = as_json(more)["shared_sources"]
    assert {of["shared"] for of in shared.values()} == {len(both)}


@pytest.mark.parametrize("command", ["random", "balanced --iterations 300"])
def test_equal_sources_stay_together_if_asked(command, leaking, succeed):
    for seed in range(2):
        options = f"--together source --seed {seed} -o new --force"
        printed = succeed(f"split {command} {leaking} {options}").stdout
        assert "In another subset, too: none\n" in printed
        assert len(records("new", "jsonl", "test")) == 4


def test_a_corpus_without_the_column_of_sources_is_split(leaking, succeed):
    printed = succeed(f"split random {leaking} -S original -o new").stdout
    assert "Shared sources: unknown without a column 'original': give -S COLUMN\n" in printed
