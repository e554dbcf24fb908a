"""``textsimp merge``, and what ``--save-statistics`` writes for it."""

import itertools
import json
from pathlib import Path

import pytest

from tests.given import lines, write

FILES = "-s source.txt -r references -p systems"
NAMES = ["source.txt", *(f"references/{i}.txt" for i in range(3))]
NAMES += [f"systems/{name}.txt" for name in ("splitter", "substituter")]


def cut(*cuts):
    """Pieces of the example corpus, in folders that are called by their first rows."""
    ends = [0, *cuts, 48]
    for start, end in itertools.pairwise(ends):
        for name in NAMES:
            write(f"{start}/{name}", lines(name)[start:end])
    return ends[:-1]


def of_piece(start, options=""):
    given = f"-s {start}/source.txt -r {start}/references -p {start}/systems"
    return f"score {given} {options} --save-statistics {start}.parquet --first-row {start}"


def without_provenance(result):
    return {**json.loads(result.stdout), "provenance": None}


def test_merged_pieces_print_what_one_run_prints(examples, run):
    options = "-m sari,bleu,edit_ops:tokenizer=13a --resamples 100"
    starts = cut(20, 30)
    for start in starts:
        assert run(of_piece(start, options)).exit_code == 0
    files = " ".join(f"{start}.parquet" for start in reversed(starts))
    for form in ("--json", "--csv", "--latex", ""):
        merged = run(f"merge {files} --resamples 100 --baseline splitter {form}")
        more = "--save-statistics whole.parquet --force"  # so without baselines
        expected = run(f"score {FILES} {options} --baseline splitter {form} {more}")
        assert merged.exit_code == expected.exit_code == 0, merged.output
        if form == "--json":
            assert without_provenance(merged) == without_provenance(expected)
        else:
            assert merged.output == expected.output.replace("written: whole.parquet\n", "")


def test_texts_complete_a_file_of_the_same_system(examples, run, as_json):
    for start in cut(20):
        run(of_piece(start))
    outputs = "".join(f" -p {name}=20/systems/{name}.txt" for name in ("splitter", "substituter"))
    (examples / "20/systems/splitter.txt").write_text("\n" * 28)
    given = f"-s 20/source.txt -r 20/references -p 0.parquet {outputs} --first-row 20"
    found = as_json(f"score {given}")
    assert found["examples"] == 48
    assert [*found["systems"]] == ["substituter", "splitter"]


def test_systems_and_metrics_may_be_scored_apart(examples, run, fails):
    for metric in ("sari", "bleu"):
        for system in ("splitter", "substituter"):
            assert not run(
                f"score -m {metric} -s source.txt -r references -p systems/{system}.txt "
                f"--save-statistics {metric}-{system}.parquet"
            ).exit_code
    merged = run("merge", *sorted(map(str, examples.glob("sari-*.parquet"))), "--json")
    whole = run(f"score {FILES} --json --save-statistics whole.parquet")
    assert without_provenance(merged) == without_provenance(whole)
    both = run("merge", *sorted(map(str, examples.glob("*-*.parquet")), reverse=True), "--json")
    assert [*json.loads(both.output)["signatures"]] == ["sari", "bleu"]
    (examples / "bleu-splitter.parquet").unlink()
    told = fails("merge", *sorted(map(str, examples.glob("*-*.parquet"))))
    assert "expected the same systems and rows of all metrics" in told


def test_rows_that_are_missing_are_told_and_in_json(examples, run):
    starts = cut(20, 30)
    for start in starts:
        run(of_piece(start))
    merged = run("merge 30.parquet 0.parquet --json")
    said = "no file has rows 20-29 (counted from 0)"
    assert f"Warning: {said}" in merged.stderr
    assert json.loads(merged.stdout)["warnings"] == [said]
    assert json.loads(merged.stdout)["examples"] == 38


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("merge", "expected files of statistics, got none"),
        ("merge nothing.parquet", "nothing.parquet: no such file"),
        ("merge source.txt", "source.txt: not a parquet file"),
        ("merge 0.parquet 0.parquet", "0.parquet: rows 0-47"),
        ("merge 0.parquet --baseline nobody", "--baseline: expected one of 'splitter', 'substitut"),
    ],
)
def test_what_cant_be_merged_is_told_in_a_line(arguments, said, examples, run, fails):
    cut()
    assert run(of_piece(0)).exit_code == 0
    assert said in fails(arguments)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--first-row -1", "--first-row: expected an integer from 0 to 1,000,000"),
        ("--first-row 99999999999999999999", "--first-row: expected an integer from 0 to 1,000,00"),
        ("-m fkgl_components:variant=textstat --first-row 9", "takes all texts for one"),
        ("--save-statistics s.txt", "--save-statistics: expected a file that ends with .parquet"),
        ("--per-example ./s.parquet", "--per-example: expected a file that ends with .tsv"),
    ],
)
def test_what_cant_be_saved_is_told_before_anything_is_read(options, said, examples, fails):
    more = "" if "--save" in options else "--save-statistics s.parquet"
    assert said in fails(f"score -s nothing.txt -r references -p systems {more} {options}")
    assert not (examples / "s.parquet").exists()


def test_scores_of_examples_and_statistics_are_written_both_or_neither(examples, run):
    both = "--save-statistics s.parquet --per-example each.tsv"
    assert run(f"score {FILES} {both} --first-row 7").exit_code == 0
    assert (examples / "each.tsv").read_text(encoding="utf-8").splitlines()[1].startswith("8\t")
    for first in ("s.parquet", "each.tsv"):
        for path in (examples / "s.parquet", examples / "each.tsv"):
            path.unlink(missing_ok=True)
        (examples / first).write_text("mine")
        assert run(f"score {FILES} {both}").exit_code == 2
        written = [name for name in ("s.parquet", "each.tsv") if (examples / name).exists()]
        assert written == [first]
        assert (examples / first).read_text() == "mine"


# Statistics in place of outputs


@pytest.fixture
def main(examples, run):
    """The statistics of a system, splitter, in main.parquet."""
    texts = "-s source.txt -r references -p systems/splitter.txt"
    command = f"score -m sari,bleu {texts} --save-statistics main.parquet"
    assert run(command).exit_code == 0


FAST = "--resamples 50 --json"


@pytest.mark.parametrize("order", ["main={} pr={}", "pr={} main={}"])
@pytest.mark.parametrize("text", [True, False])
def test_statistics_are_taken_where_outputs_are(order, text, main, run):
    outputs = {"main": "systems/splitter.txt", "pr": "systems/substituter.txt"}
    texts = "-s source.txt -r references"
    names = [part.partition("=")[0] for part in order.split()]
    expected = run(
        f"compare -m sari,bleu {texts} -p {order.format(*map(outputs.get, names))} {FAST}"
    )
    files = {"main": "main.parquet", "pr": "systems/substituter.txt"}
    if not text:
        run(f"score -m sari,bleu {texts} -p systems/substituter.txt --save-statistics pr.parquet")
        files, texts = {"main": "main.parquet", "pr": "pr.parquet"}, ""
    command = f"compare -m sari,bleu {texts} -p {order.format(*map(files.get, names))} {FAST}"
    found, whole = (json.loads(one.stdout) for one in (run(command), expected))
    for name in names:
        assert found["systems"][name] == whole["systems"][name]
    assert [name for name in found["systems"] if name in names] == names
    assert found["best"]["sari"] == whole["best"]["sari"]
    assert found["best"]["bleu"] == (whole["best"]["bleu"] if text else [*found["best"]["bleu"]])
    for system, tests in found["differences"].items():
        for metric, own in tests.items():
            assert own == whole["differences"][system][metric]


def test_a_copy_of_the_source_leads_by_no_metric_of_a_file(examples, run, as_json):
    texts = "-m bleu -s source.txt -r references -p systems -p copy=source.txt"
    assert not run(f"score {texts} --save-statistics all.parquet").exit_code
    found = as_json("merge all.parquet")
    assert found["best"] == {"bleu": []}
    assert found["verdict"][0].startswith("No system leads by BLEU: copy is highest with 62.9")


def test_merge_offers_no_baseline_that_needs_texts(run):
    help_text = run("merge --help").stdout
    assert "--baseline" in help_text
    assert "copy" not in help_text


def test_the_ending_of_a_file_of_statistics_may_be_in_capitals(main, run):
    Path("main.parquet").rename("MAIN.PARQUET")
    assert run("score -p MAIN.PARQUET").exit_code == 0


def test_the_first_file_is_the_baseline_of_a_gate(main, run):
    texts = "-s source.txt -r references"
    gate = "--fail-if worse --resamples 200"
    worse = run(f"compare {texts} -p main.parquet source.txt {gate}")
    assert worse.exit_code == 1
    assert worse.stderr.splitlines()[-1].startswith("source is worse than main: ")
    assert run(f"compare {texts} -p main.parquet systems/substituter.txt {gate}").exit_code == 0


def test_runs_stay_runs_in_a_file_of_statistics(examples, run, as_json):
    texts, runs = "-s source.txt -r references", "-p ours=systems"
    saved = run(f"score {texts} {runs} {FAST} --save-statistics ours.parquet")
    found = as_json(f"score -p ours.parquet {FAST}")
    assert found["systems"] == json.loads(saved.stdout)["systems"]
    assert len(found["systems"]["ours"]["sari"]["sari_runs"]) == 2
    beside = as_json(f"compare {texts} -p ours.parquet source.txt {FAST}")
    assert beside["systems"]["ours"] == found["systems"]["ours"]


def test_a_pattern_stands_for_the_statistics_of_pieces(examples, run, as_json):
    for start in cut(20):
        assert run(of_piece(start).replace("/systems", "/systems/splitter.txt")).exit_code == 0
    merged = as_json("merge", "*0.parquet", *FAST.split())
    assert merged["examples"] == 48
    named = as_json("score", "-p", "main=*0.parquet", *FAST.split())
    assert named["systems"]["main"] == merged["systems"]["splitter"]


def test_rows_that_are_there_twice_are_told_by_the_files_that_have_them(examples, run, fails):
    for start in cut(20, 30):
        assert run(of_piece(start)).exit_code == 0
    assert (
        run(
            of_piece(30).replace("30.parquet --first-row 30", "25.parquet --first-row 25")
        ).exit_code
        == 0
    )
    told = fails("merge 0.parquet 20.parquet 25.parquet")
    assert told.startswith("20.parquet, 25.parquet: rows 25-29 (counted from 0) of sari, splitter")


def test_a_name_is_of_a_file_with_one_system(examples, run, fails):
    run(f"score {FILES} {FAST} --save-statistics all.parquet")
    told = "all.parquet: expected one system to call 'ours', got 'splitter', 'substituter'"
    assert fails("score -p ours=all.parquet") == told


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("score -m f1_token -p main.parquet", "main.parquet: expected statistics of f1_token, got"),
        ("score -s source.txt -p main.parquet", "main.parquet has statistics and no texts: leave"),
        ("score -p main.parquet --id id", "has statistics and no texts: leave out --id"),
        ("score -p main.parquet --per-example x.tsv", "--per-example: main.parquet has statistics"),
        (
            "compare -p main.parquet source.txt --baseline main --baseline source --fail-if worse",
            "--fail-if: expected one --baseline, got 'main', 'source'",
        ),
        ("compare -p main.parquet", "compare needs at least two systems"),
        ("compare -p main.parquet main.parquet", "main.parquet: rows 0-47"),
        (
            "score -s systems/splitter.txt -r references -p main.parquet source.txt",
            "the texts: expected the same sources as in main.parquet",
        ),
    ],
)
def test_statistics_that_dont_fit_are_told(command, message, main, fails):
    assert message in fails(command)
