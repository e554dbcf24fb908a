"""The options that say where the texts are, and what else a metric reads."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest

from tests.commands import of_data
from tests.given import lines, users_systems, write
from tests.given import rows as rows_of
from tests.toys import Marked, Parsed
from textsimp.metrics import catalogue

FAST = "--resamples 20"


@pytest.fixture
def toys(tmp_path, monkeypatch):
    """Two metrics that read more than texts; the rows of out.jsonl in the current directory."""
    places = {"marked": "tests.toys:Marked", "parsed": "tests.toys:Parsed"}
    monkeypatch.setattr(catalogue, "WITHOUT_MODULE", catalogue.WITHOUT_MODULE | places)
    monkeypatch.chdir(tmp_path)
    rows = [
        {"prediction": "One.", "mark": [1, 1, 0], "tree": [[]], "weight": 2},
        {"prediction": "Two.", "mark": [0], "tree": [["a"]], "weight": 1},
        {"prediction": "Three.", "mark": [], "tree": [], "weight": 5},
    ]
    write("out.jsonl", rows)
    return rows


def scores(result):
    assert result.exit_code == 0, result.output
    return users_systems(result.stdout)


def test_labels_numbers_and_structures_reach_the_metric(toys, run):
    found = scores(run(f"score -m marked,parsed -d out.jsonl -c trees=tree {FAST} --json"))
    texts = [row["prediction"] for row in toys]
    marks, weights = [row["mark"] for row in toys], [row["weight"] for row in toys]
    marked = Marked().score(predictions=texts, mark=marks, weight=weights)
    parsed = Parsed().score(predictions=texts, trees=[row["tree"] for row in toys])
    assert found["out"]["marked"]["marked"] == marked["marked"] == pytest.approx(2 / 3)
    assert found["out"]["parsed"]["depth"] == parsed["depth"]


def test_each_system_has_a_table_of_its_own(toys, run, fails):
    ours = {"prediction": ["One.", "Two.", "Three."], "mark 1": [1, 1, ""], "mark 2": [1, 0, ""]}
    write("ours.csv", ours)
    found = scores(run(f"score -m marked -p out.jsonl -p ours=ours.csv {FAST} --json"))
    assert [found[name]["marked"]["labelled"] for name in ("out", "ours")] == [2, 2]
    message = fails("score -m marked -d out.jsonl -P prediction -P again=prediction")
    assert message == (
        "out.jsonl has 2 systems, but mark is of one: give each system a table of its own, as in "
        "-p NAME=FILE"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("-m parsed -d out.jsonl", "out.jsonl has no column 'trees' (did you mean 'tree'?); its"),
        ("-m parsed -d out.jsonl", "choose with -c trees=COLUMN"),
        ("-m parsed -p out.jsonl -c trees", "-c: expected NAME=COLUMN, got 'trees'"),
        ("-m parsed -p out.jsonl -c tree=tree", "unknown column 'tree' (did you mean 'trees'?)"),
        ("-m parsed -p out.jsonl -c predictions=x", "-c predictions: give --prediction-column"),
        ("-m parsed -p out.txt -c trees=tree", "--column needs a table: give -d DATA"),
        ("-m parsed -p out.txt", "out.txt: expected a table, with a column 'trees' beside"),
        ("-m marked -d out.jsonl -c mark=tree", "row 0 of column 'tree' of out.jsonl (counted f"),
    ],
)
def test_what_is_wrong_with_a_column_is_told(arguments, message, toys, fails):
    write("out.txt", ["One.", "Two.", "Three."])
    assert message in fails(f"score {arguments}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("-s source.txt -p systems -r examples.jsonl", "; tables are given by -d"),
        ("-d source.txt -p systems", " after -d; text files are given by -s, -p and -r"),
        ("-t . -p a.txt -p b/a.txt", "two systems are called 'a': name them, as in -p NAME=FILE"),
        ("-t . -d examples.jsonl -P splitter --split x", "is a file: --config and --split are of"),
        ("-t . -d - -P splitter --split x", "standard input is a file: --config and --split are"),
        ("-d examples.jsonl -p a.jsonl -P a -P b", "expected one for all runs, got 'a', 'b'"),
        ("-d examples.jsonl -p a.jsonl -P b=x", "-column: run: expected one of 'a', got 'b'"),
        ("-t . -p a.jsonl -P a --id id", "by which rows are joined; give gold by -d TABLE"),
        ("-d examples.jsonl -P splitter --missing skip", "missing: expected tables with ids; give"),
    ],
)
def test_messages_end_with_what_to_do(arguments, message, examples, fails):
    for name in ("a.txt", "b/a.txt"):
        write(name, lines("source.txt"))
    write("a.jsonl", [{"id": 1, "a": "x"}])
    assert message in fails(f"score {arguments}")


@pytest.mark.parametrize("command", ["power", "rate design -o out"])
@pytest.mark.parametrize("files", ["-p a=systems", "-p a=source.txt -p a=examples.jsonl"])
def test_commands_that_take_no_runs_say_which_do(command, files, examples, fails):
    message = fails(f"{command} -s source.txt -r references {files}")
    assert message.startswith("a has several files, as its runs, which only score, compare, ")
    assert message.endswith("Give each file a name of its own")


# Files as they lie


def asset():
    """The example corpus under the names that ASSET's authors gave; returns the references."""
    write("asset/asset.test.orig", lines("source.txt"))
    references = [f"asset/asset.test.simp.{i}" for i in range(3)]
    for i, reference in enumerate(references):
        write(reference, lines(f"references/{i}.txt"))
    return references


@pytest.mark.parametrize(
    "references",
    [
        "-r asset/asset.test.simp.0 asset/asset.test.simp.1 asset/asset.test.simp.2",
        "--references asset/asset.test.simp.0 asset/asset.test.simp.1 -r asset/asset.test.simp.2",
        "-r asset/asset.test.simp.*",
        "-r asset/asset.test.simp.[0-9]",
        "-r asset/asset.test.simp.0,asset/asset.test.simp.1,asset/asset.test.simp.2",
        "-r asset/asset.test.simp.0,asset/asset.test.simp.[12]",
        "-rasset/asset.test.simp.0 asset/asset.test.simp.1 asset/asset.test.simp.2",
        "-r references",
    ],
)
def test_references_are_given_as_people_type_them(references, examples, expected, run):
    asset()
    result = run(f"score -s asset/asset.test.orig {references} -p systems {FAST} --json")
    assert of_data(result) == expected
    taken = ", ".join(f"asset/asset.test.simp.{i}" for i in range(3))
    if references == "-r asset/asset.test.simp.*":
        assert result.stderr == f"{references[3:]}: {taken}\n"


def test_several_predictions_follow_one_option(examples, expected, run):
    files = "systems/splitter.txt systems/substituter.txt"
    for given in (f"-p {files}", "-p systems/*.txt", f"-p {files.replace(' ', ',')}"):
        assert of_data(run(f"score -t . {given} {FAST} --json")) == expected
    found = scores(run(f"score -t . -p x={files.split()[0]} y=source.txt -m sari bleu --json"))
    assert [[*found[name]] for name in ("x", "y")] == [["sari", "bleu"]] * 2


def test_a_score_may_follow_several_references(examples, run):
    references = " ".join(asset())
    result = run(f"explain -m f1_token -p source.txt -s source.txt -r {references} 41.48")
    assert "configurations tried" in result.stdout, result.output


@pytest.mark.parametrize(
    ("references", "message"),
    [
        ("asset/*.ref", "asset/*.ref: no file has such a name"),
        ("other", "other: expected .txt files, or files with one other ending, got a.low, b.up;"),
        ("asset/asset.test.simp.0,asset/x", "asset/x: no such file"),
    ],
)
def test_files_that_are_not_there_are_told(references, message, examples, fails):
    asset()
    for name in ("a.low", "b.up"):
        write(f"other/{name}", "")
    assert message in fails(f"score -s source.txt -p systems -r {references}")


# Tables as they are


def test_long_tables_are_as_good_as_text_files(examples, expected, run):
    systems = ("splitter", "substituter")
    corpus = rows_of("examples.jsonl")
    rows = [{**row, "prediction": row[name], "system": name} for row in corpus for name in systems]
    columns = ("source", "references", "prediction", "system")
    write("long.tsv", [{name: row[name] for name in columns} for row in rows])
    for given in ("-d long.tsv", "-t . -p long.tsv"):
        result = run(f"score {given} {FAST} --json")
        assert of_data(result) == expected
        told = "long.tsv: the column 'system' has 2 systems, aligned by source: "
        assert told + ", ".join(systems) in result.stderr
    assert [*scores(run(f"score -d long.tsv --system-column= {FAST} --json"))] == ["long"]


@pytest.mark.parametrize("option", ["-r", "-p", "--save-statistics"])
def test_an_empty_argument_is_refused(option, examples, fails):
    command = f"score -s source.txt -r references -p systems {option}"
    assert fails(command, "").startswith(f"{option}: expected a ")


# Rows with ids


@pytest.fixture
def identified(examples):
    """gold.jsonl with ids, and runs of both systems in other orders; returns its rows."""
    rows = rows_of("examples.jsonl")
    shared = ("source", "references")
    write("gold.jsonl", [{"id": i} | {k: r[k] for k in shared} for i, r in enumerate(rows)])
    for name in ("splitter", "substituter"):
        run = [{"id": i, "prediction": row[name]} for i, row in enumerate(rows)]
        write(f"runs/{name}.jsonl", run[::-1])
    return rows


JOINED = "rows are joined by the column 'id' of all files; --id '' takes rows in their order\n"


def test_a_folder_of_reordered_tables_scores_as_the_ordered_texts(identified, expected, run):
    result = run(f"score -d gold.jsonl -p runs {FAST} --json")
    assert (of_data(result), result.stderr) == (expected, JOINED)
    named = run(f"score -d gold.jsonl -p runs --id id {FAST} --json")
    assert (of_data(named), named.stderr) == (expected, "")


@pytest.mark.parametrize("command", ["check", "report -o -", "explain 41.48 -m sari"])
def test_every_command_joins_rows_by_ids(command, identified, succeed):
    assert JOINED in succeed(f"{command} -d gold.jsonl -p runs/substituter.jsonl").stderr


@pytest.fixture
def with_sources(identified):
    """Write a run without ids from rows of sources and outputs."""

    def command(rows):
        write("run.jsonl", [{"source": source, "prediction": "One."} for source in rows])
        return f"score -d gold.jsonl -p run.jsonl {FAST} --no-check"

    return command


def test_sources_beside_outputs_in_another_order_are_refused(identified, with_sources, fails):
    sources = [row["source"] for row in identified]
    error = fails(with_sources([sources[1], sources[0], *sources[2:]]))
    assert "run.jsonl: the source in row 0 (counted from 0) stands elsewhere in" in error
    assert "a column 'id' in all tables" in error


def test_other_sources_beside_outputs_are_noted(identified, with_sources, succeed):
    sources = [row["source"] for row in identified]
    result = succeed(with_sources([*sources[:-1], "Another one."]))
    assert "run.jsonl: 1 of 48 sources are others than in" in result.stderr
    assert "row 47 (counted from 0)" in result.stderr


def test_case_and_spaces_of_sources_beside_outputs_do_not_matter(identified, with_sources, succeed):
    sources = [row["source"].upper().replace(" ", "  ") for row in identified]
    assert "sources are others" not in succeed(with_sources(sources)).stderr


def test_without_ids_rows_are_in_their_order(identified, run):
    result = run(f"score -d gold.jsonl -p runs --id= {FAST} --json")
    assert "2 errors in the texts (misplaced)" in result.stderr


def test_missing_extra_and_repeated_ids_are_told_with_their_rows(identified, run, fails):
    own = rows_of("runs/splitter.jsonl")
    write("short.jsonl", [{"id": "x", "prediction": ""}, *own[1:], own[-1]])
    command = f"score -m simplification_stats -d gold.jsonl -p short.jsonl --id id {FAST} --json"
    told = (
        "short: gold without a prediction (row 48); instance that gold lacks (row 1); instance "
        "that has an earlier row (row 49); rows count from 1"
    )
    assert fails(command) == (
        f"{told}; expected a row for '47' of gold.jsonl; --missing empty and --missing skip go on "
        "without"
    )
    for missing, examples in {"empty": 48, "skip": 47}.items():
        result = run(f"{command} --missing {missing}")
        assert json.loads(result.stdout)["examples"] == examples
        assert told in result.stderr


@pytest.mark.parametrize("bad", [{"id": None, "prediction": ""}, {"prediction": ""}])
@pytest.mark.parametrize("row", [0, 7])
def test_a_row_without_an_id_is_an_error(bad, row, identified, fails):
    own = rows_of("runs/splitter.jsonl")
    write("runs/splitter.jsonl", [*own[:row], bad, *own[row + 1 :]])
    error = fails(f"score -d gold.jsonl -p runs {FAST}")
    assert f"{row + 1} " in error
    assert error.endswith("; --id '' takes rows in their order")


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_whole_float_ids_are_those_of_columns_with_gaps(kind, identified, run):
    """pandas has 25.0 for 25 where an id was missing in between."""
    frame = pd.DataFrame(rows_of("runs/splitter.jsonl")).astype({"id": float})
    {"parquet": frame.to_parquet, "csv": frame.to_csv}[kind](f"floats.{kind}")
    files = ("runs/splitter.jsonl", f"floats.{kind}")
    first, second = (run(f"score -b -d gold.jsonl -p {file}").stdout for file in files)
    assert first == second


def test_a_column_id_of_other_values_is_noted(identified, run):
    path = Path("runs/splitter.jsonl")
    path.write_text(re.sub(r'"id": (\d+)', r'"id": \1.5', path.read_text()))
    told = "splitter.jsonl: the column 'id' has no texts or whole numbers, so it isn't ids\n"
    assert told in run(f"score -d gold.jsonl -p runs {FAST}").stderr


def test_a_long_table_is_joined_by_ids_that_are_named(identified, expected, run):
    first, second = (
        [row | {"system": name} for row in rows_of(f"runs/{name}.jsonl")]
        for name in ("splitter", "substituter")
    )
    write("long.jsonl", [*first[::-1], *second])
    result = run(f"score -d gold.jsonl -p long.jsonl --id id {FAST} --json")
    assert of_data(result) == expected
    assert "2 systems, joined by ids: splitter, substituter" in result.stderr


def test_a_run_may_name_its_own_column(identified, expected, run):
    path = Path("runs/splitter.jsonl")
    path.write_text(path.read_text().replace('"prediction"', '"output"'))
    result = run(f"score -d gold.jsonl -p runs -P splitter=output {FAST} --json")
    assert of_data(result) == expected
