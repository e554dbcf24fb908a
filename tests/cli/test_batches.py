"""``score``, ``compare`` and ``check`` of shards, which are read and measured in batches."""

import json
from pathlib import Path

import pytest

from tests import given
from tests.given import rows
from tests.project import EXAMPLES
from textsimp.cli import check_report
from textsimp.core import draws
from textsimp.corpora import shards
from textsimp.scoring import soundness

OURS = "-P splitter -P substituter"
FAST = "--resamples 50"


ROWS = rows(EXAMPLES / "examples.jsonl")


def write(folder, rows):
    """Write rows as shards of 20 in a folder, and as FOLDER.jsonl."""
    for start in range(0, len(rows), 20):
        given.write(f"{folder}/{start}.jsonl", rows[start : start + 20])
    given.write(f"{folder}.jsonl", rows)


@pytest.fixture(autouse=True)
def batches(examples, monkeypatch):
    """The example corpus as three shards, read by seven rows and summed in blocks from 20 rows."""
    monkeypatch.setattr(draws, "MANY", 20)
    monkeypatch.setattr(shards, "BATCH", 7)
    write("shards", ROWS)


def plain(result):
    """What JSON has beside files and packages."""
    return {**json.loads(result.stdout), "provenance": None}


@pytest.mark.parametrize(
    "command",
    [
        f"score {OURS} -m sari,bleu,edit_ops --all -d",
        f"score {OURS} --baseline copy --baseline splitter -d",
        f"score {OURS} -b -d",
        f"compare {OURS} --markdown -d",
        f"score {OURS} --csv -d",
        "score -P splitter -d",
    ],
)
def test_shards_have_the_output_of_one_file(command, succeed):
    in_batches = succeed(f"{command} shards {FAST}")
    assert in_batches.output == succeed(f"{command} examples.jsonl {FAST}").output


def test_shards_may_be_a_pattern(succeed):
    folder, pattern = (succeed(f"score -P splitter -d {d}") for d in ("shards", "shards/*.jsonl"))
    assert pattern.output == folder.output


def test_json_of_shards_has_the_numbers_of_one_file_and_no_digests_of_texts(succeed):
    in_batches = succeed(f"score {OURS} {FAST} -d shards --json")
    assert plain(in_batches) == plain(succeed(f"score {OURS} {FAST} -d examples.jsonl --json"))
    assert json.loads(in_batches.stdout)["provenance"]["data"] == []


def test_a_copy_of_all_sources_stands_in_for_the_baseline(succeed):
    write("copies", [row | {"copied": row["source"]} for row in ROWS])
    command = f"score {FAST} -P copied -P splitter -d"
    assert succeed(f"{command} copies").output == succeed(f"{command} copies.jsonl").output


def test_a_shard_may_lack_all_numbers_and_the_corpus_may_not(succeed, fails):
    rated = [{"comet": None if i < 20 else i / 7, "ours": "A."} for i in range(40)]
    write("rated", rated)
    command = f"score {FAST} -m column:comet -P ours -d"
    scores = succeed(f"{command} rated").output
    assert scores == succeed(f"{command} rated.jsonl").output
    succeed(f"{command} rated/0.jsonl --save-statistics 0.parquet")
    succeed(f"{command} rated/20.jsonl --save-statistics 20.parquet --first-row 20")
    assert succeed(f"merge {FAST} 0.parquet 20.parquet").output == scores
    write("unrated", rated[:20])
    for without in (f"{command} unrated", f"{command} unrated.jsonl", "merge 0.parquet"):
        assert "comet of ours: expected a number, got none in any row" in fails(without)


def test_a_name_that_texts_and_statistics_share_is_told(succeed, fails, monkeypatch):
    monkeypatch.setattr(draws, "MANY", 100)  # so that batches aren't summed
    succeed(f"score {FAST} -P splitter -d shards --save-statistics splitter.parquet")
    told = fails("compare -P splitter -p splitter.parquet -d shards")
    assert told.startswith("splitter.parquet, the texts: rows 0-")
    assert told.endswith("or give each system a name of its own (-p NAME=FILE)")


def test_a_copy_of_some_batches_is_no_copy(succeed):
    half = [row | {"half": row["source" if i < 20 else "splitter"]} for i, row in enumerate(ROWS)]
    write("halves", half)
    command = f"score {FAST} -P half -P splitter --json -d"
    in_batches = plain(succeed(f"{command} halves"))
    assert in_batches["baselines"] == ["source unchanged", "source truncated"]
    assert in_batches == plain(succeed(f"{command} halves.jsonl"))


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_scores_of_examples_are_written_in_the_order_of_one_file(ending, succeed):
    for data, name in {"shards": "a", "examples.jsonl": "b"}.items():
        succeed(f"score -m sari,bleu {OURS} {FAST} -d {data} --per-example {name}.{ending}")
    assert Path(f"a.{ending}").read_bytes() == Path(f"b.{ending}").read_bytes()


@pytest.mark.parametrize("many", [20, 1000])
def test_saved_statistics_of_shards_are_merged_with_others(many, monkeypatch, succeed):
    monkeypatch.setattr(draws, "MANY", many)
    succeed(f"score -P splitter {FAST} -d shards --save-statistics ours.parquet")
    succeed(f"score -P substituter {FAST} -d examples.jsonl --save-statistics theirs.parquet")
    merged = succeed(f"merge ours.parquet theirs.parquet {FAST} --json")
    more = "--save-statistics both.parquet"  # so without baselines
    assert plain(merged) == plain(succeed(f"score {OURS} {FAST} -d examples.jsonl --json {more}"))
    compared = succeed(f"score -p theirs.parquet -d shards -P splitter {FAST} --json")
    assert plain(compared)["systems"].keys() == {"splitter", "theirs"}


def test_systems_may_be_text_files_beside_shards(succeed):
    systems = "-p a=systems/splitter.txt -p a=systems/substituter.txt -p b=systems/splitter.txt"
    command = f"score {FAST} --no-check --json {systems} -d"
    assert plain(succeed(f"{command} shards")) == plain(succeed(f"{command} examples.jsonl"))


@pytest.fixture
def split():
    """Text files of the example corpus, each also cut by another number of lines."""
    columns = {name: [row[name] for row in ROWS] for name in ("source", "splitter")}
    columns |= {f"r{i}": [row["references"][i] for row in ROWS] for i in range(2)}
    for size, (name, lines) in enumerate(columns.items(), 9):
        given.write(f"{name}.txt", lines)
        for start in range(0, len(lines), size):
            given.write(f"{name}.a{start // size}", lines[start : start + size])


@pytest.mark.parametrize(
    "command", [f"score {FAST}", f"compare {FAST} -p other=systems/substituter.txt", "check"]
)
def test_text_files_may_be_cut(command, split, run):
    files = "-s source{0} -r r0{0} -r r1{0} -p splitter{0} --json"
    in_pieces, whole = (run(f"{command} {files.format(end)}") for end in (".a*", ".txt"))
    assert "source.a*: 6 files, source.a0 to source.a5\n" in in_pieces.stderr
    assert plain(in_pieces) | {"ranking": None} == plain(whole) | {"ranking": None}


def test_cut_files_may_be_runs_of_a_system(split, succeed):
    command = f"score {FAST} --no-check --json -r r0.txt -p a=splitter.txt -p a="
    in_batches = succeed(f"{command}splitter.a* -s source.a*")
    assert plain(in_batches) == plain(succeed(f"{command}splitter.txt -s source.txt"))


def test_other_commands_take_a_pattern_of_one_file(split, succeed, fails):
    told = fails("report -s source.a* -r r0.txt -p splitter.txt")
    assert told.startswith("source.a* is 6 files, and all texts are needed at once")
    assert succeed("power -s source.t* -r r?.txt -p splitter.txt").output


def test_the_first_and_last_rows_are_checked(monkeypatch, succeed):
    monkeypatch.setattr(soundness, "ENDS", 15)
    write("late", [row | {"splitter": ""} if i > 40 else row for i, row in enumerate(ROWS)])
    in_batches = succeed(f"score {OURS} {FAST} -d late/*.jsonl")
    whole = succeed(f"score {OURS} {FAST} -d late.jsonl")
    assert in_batches.stdout == whole.stdout
    warning = in_batches.stderr
    assert "1 problem in the first and last 15 examples (empty): textsimp check" in warning
    assert "-d 'late/*.jsonl'" in warning
    assert not succeed(f"score {OURS} {FAST} -d late --no-check").stderr


def test_what_needs_all_texts_says_so(fails):
    advice = "needs all texts at once, and the shards shards are read in batches: put their rows"
    for options in ("--per-example --json", "--published", "-m fkgl_components:paper"):
        assert advice in fails(f"score -d shards {OURS} {options}")
    for command in ("report", "power", "explain 40.1", "check --fix a.txt"):
        told = fails(f"{command} -d shards -P splitter")
        assert told.startswith("shards is 3 files, and all texts are needed at once: put their")


@pytest.mark.parametrize("option", ["--id id", "--missing skip", "--system-column x", "-t t"])
def test_shards_are_not_joined(option, fails):
    told = fails(f"score -d shards -P splitter {option}")
    assert "shards (shards) are read in the order of their rows, and not joined" in told


def test_columns_are_named_as_in_one_file(fails):
    told = fails("score -d shards -P nothing")
    assert told.startswith("shards/0.jsonl has no column 'nothing'; its columns are 'source'")


def test_errors_of_metrics_name_the_row_in_the_corpus(fails):
    passage = {"words": ["It", "rained"], "scenes": []}
    row = {"source": "It rained.", "ours": "Rain.", "passage": passage}
    write("parsed", [*[row] * 30, {**row, "source": "It snowed."}])
    told = fails("score -d parsed -P ours -m samsa")
    assert told.startswith("row 30 of passages (counted from 0): expected a parse of its source")


# Checks ------------------------------------------------------------------------------------------


@pytest.fixture
def faulty(monkeypatch):
    """Shards whose first and last output is empty, checked in blocks of 30."""
    monkeypatch.setattr(check_report, "BLOCK", 30)
    ours = ["", *(row["splitter"] for row in ROWS[1:-1]), ""]
    write("faulty", [r | {"ours": own} for r, own in zip(ROWS, ours, strict=True)])


def test_check_looks_at_blocks_of_rows(faulty, run):
    result = run("check -d faulty -P ours")
    assert result.exit_code == 1
    first, second, *_, last = result.stdout.splitlines()
    assert first == "problem: in examples 1–30, ours: 1 output is empty (example 1)"
    assert second == "problem: in examples 31–48, ours: 1 output is empty (example 48)"
    assert last == (
        "2 problems in 48 examples, in blocks of 30: rows that moved further are not seen"
    )


def test_check_lists_the_first_findings_of_blocks(faulty, monkeypatch, run):
    monkeypatch.setattr(check_report, "_MAX_LISTED", 1)
    assert run("check -d faulty -P ours").stdout.count("problem:") == 1
    assert run("check -d faulty -P ours").stdout.endswith("; --each lists all\n")
    assert run("check -d faulty -P ours --each").stdout.count("problem:") == 2


def test_check_lists_errors_of_later_blocks_before_notes_of_the_first(monkeypatch, run, as_json):
    monkeypatch.setattr(check_report, "BLOCK", 24)
    monkeypatch.setattr(check_report, "_MAX_LISTED", 1)
    leaked = [r | {"ours": r["references"][0]} for r in ROWS[24:]]
    write("leaked", [*(r | {"ours": r["source"]} for r in ROWS[:24]), *leaked])
    (first, _) = run("check -d leaked -P ours").stdout.splitlines()
    assert first.startswith("error: in examples 25–48, ours equals")
    found = as_json("check -d leaked -P ours")["findings"]
    assert [f["gravity"] for f in found] == sorted(f["gravity"] for f in found)


def test_check_says_once_what_all_blocks_have(monkeypatch, run):
    monkeypatch.setattr(check_report, "BLOCK", 16)
    write("twice", [r | {"a": r["splitter"], "b": r["splitter"]} for r in ROWS])
    printed = run("check -d twice -P a -P b").stdout
    assert printed.count("problem: a and b have the same outputs\n") == 1


def test_check_of_blocks_as_json_and_csv(faulty, run, as_json):
    found = as_json("check -d faulty -P ours")
    assert found["problems"] == 2
    assert [finding["examples"] for finding in found["findings"]] == [[1], [48]]
    assert [finding["rows"] for finding in found["findings"]] == [{"ours": [1]}, {"ours": [48]}]
    assert run("check -d faulty -P ours --csv").stdout.count("empty") == 4
    assert run("check -d shards -P splitter --csv").stdout.startswith('"gravity","kind"')
