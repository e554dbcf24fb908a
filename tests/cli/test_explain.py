"""``textsimp explain``."""

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.commands import make_runner
from tests.given import users_systems
from tests.project import EXAMPLES
from textsimp.cli import main
from textsimp.scoring import published

FILES = "-s source.txt -r references -p systems/substituter.txt"


@pytest.fixture(scope="module")
def matches():
    """What ``--json`` has of 41.5, which several configurations of SARI give."""
    files = [str(EXAMPLES / name) for name in ("source.txt", "systems/substituter.txt")]
    arguments = ["-s", files[0], "-p", files[1], "-r", str(EXAMPLES / "references")]
    done = make_runner().invoke(main, ["explain", "41.5", "-m", "sari", *arguments, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)["matches"]


def test_scores_are_found_with_the_signature_and_command_of_the_first(examples, run):
    printed = run(f"explain 41.5 -m sari {FILES}").stdout
    assert printed.startswith("score   off by  metric\n41.484  -0.016  sari\n")
    assert len(re.findall(r"^41\.\d+  [+-]", printed, re.MULTILINE)) == 4
    assert "41.557  +0.057  sari(xu, tokenizer=moses), reference 3 only (cut, not" in printed
    assert "configurations tried give 41.5; likeliest first.\n" in printed
    assert "\nThe same score: sari(huggingface, level=corpus, delete=f1)\n" in printed
    assert "sari|variant:easse|tok:13a|case:lc|refs:3" in printed
    assert re.findall(r"^textsimp score .*", printed, re.MULTILINE) == [
        "textsimp score -m sari -s source.txt -p systems/substituter.txt -r references"
    ]
    assert printed.count("sari|variant") == 1


def test_every_command_computes_its_score(matches, run):
    assert any(not match["reference"] for match in matches)
    for match in [match for match in matches if not match["reference"]][:4]:
        start, *arguments = shlex.split(match["command"])
        assert start == "textsimp"
        done = run("", *arguments, "--json", "--resamples", "2")
        (system,) = users_systems(done.stdout).values()
        assert system["sari"]["sari"] == pytest.approx(match["value"], abs=1e-9)


def test_a_single_reference_is_told_beside_the_command(matches):
    alone = [match for match in matches if match["reference"]]
    assert alone
    for match in alone:
        assert match["command"].endswith(f"  # with reference {match['reference']} only")


def test_where_nothing_matches_the_exit_code_is_1_and_the_nearest_are_shown(examples, run):
    result = run(f"explain 19.6321 -m bleu {FILES}")
    assert result.exit_code == 1
    assert result.stdout.startswith("None of 120 configurations tried gives 19.6321. ")
    assert re.findall(r"^\S+ +([+-]0\.\d+) ", result.stdout, re.MULTILINE)


def test_easses_lexical_complexity_score_is_named(examples, run):
    pytest.importorskip("wordfreq", reason="needs the extra languages")
    result = run(f"explain 8.31 -m simplification_stats.lexical_complexity {FILES}")
    assert "No configuration gives EASSE's lexical complexity score" in " ".join(
        result.stdout.split()
    )
    assert "EASSE" not in run(f"explain 8.31 -m simplification_stats {FILES}").stdout


def test_what_does_not_match_has_no_command(examples, run, as_json):
    assert "textsimp score" not in run(f"explain 19.6321 -m bleu {FILES}").stdout
    nearest = as_json(f"explain 19.6321 -m bleu {FILES}")["nearest"]
    assert nearest
    assert not any("command" in one for one in nearest)


@pytest.mark.parametrize(
    "files", ["ours=systems", "ours=systems/splitter.txt ours=systems/substituter.txt"]
)
def test_the_mean_of_runs_is_found(files, examples, run):
    texts = "-s source.txt -r references"
    given = f"-p {files}"
    mean = run(f"score -b {texts} {given}").stdout.strip()
    result = run(f"explain -m sari {texts} {given} {mean}")
    assert re.search(r"^37\.92\d+ +\S+ +sari$", result.stdout, re.MULTILINE)
    (command,) = re.findall(r"^textsimp (score .*)", result.stdout, re.MULTILINE)
    assert run(f"{command} -b").stdout.strip() == mean


def test_a_run_alone_is_told_beside_the_command(examples, run):
    matches = json.loads(
        run("explain 34.364 -m sari -s source.txt -r references -p ours=systems --json").stdout
    )["matches"]
    assert matches[0]["run"] == 1
    assert matches[0]["command"].endswith("  # with run 1 only")


def test_the_command_of_a_run_has_its_file_alone(examples, run):
    files = "-p ours=systems/substituter.txt -p ours=systems/splitter.txt"
    result = run(f"explain 34.364 -m sari -s source.txt -r references {files} --json")
    first = json.loads(result.stdout)["matches"][0]
    assert first["run"] == 2
    assert first["command"].endswith("-p ours=systems/splitter.txt -r references")


# With texts, what is known of the number


def test_a_published_number_is_named_above_the_search(examples, run, as_json):
    result = run(f"explain 27.37 -m sari {FILES}")
    first, second, blank, third = result.stdout.splitlines()[:4]
    assert first.startswith("27.37 is the SARI of Dress on Newsela in Zhang & Lapata 2017, by STAR")
    assert second.startswith("It is not comparable with EASSE's SARI")
    assert (blank, third[:8]) == ("", "None of ")
    assert result.exit_code == 1
    found = as_json(f"explain 27.37 -m sari {FILES}")
    assert [row["system"] for row in found["published"]] == ["Dress"]
    assert "Newsela" not in run(f"explain 27.37 -m sari.keep {FILES}").stdout


def test_a_match_by_another_formula_than_the_published_one_is_doubted(examples, run, monkeypatch):
    row = published.look_up("27.37")[0] | {"printed": "41.48", "value": "41.48"}
    doubt = "The published number above was computed differently"
    for formula, doubted in (("sari:variant=star", True), ("sari", False)):
        rows = [row | {"formula": formula}]
        monkeypatch.setattr(published, "look_up", lambda *arguments, rows=rows: rows)
        assert (doubt in run(f"explain 41.48 -m sari {FILES}").stdout) == doubted


def test_scores_a_point_away_are_not_shown(examples, run):
    result = run(f"explain 99.99 -m bleu {FILES}")
    assert result.exit_code == 1
    assert result.stdout.startswith("None of 120 configurations tried comes within one point of ")
    assert "off by" not in result.stdout


def test_the_command_says_how_the_texts_are_prepared(run, tmp_path, as_json):
    texts = {"source": "The -lrb- small -rrb- cat sat down .", "reference": "A -lrb- cat -rrb- sat"}
    outputs = {"words": "A -lrb- small -rrb- cat sat .", "brackets": "A ( small ) cat sat ."}
    files = {name: tmp_path / f"{name}.txt" for name in texts | outputs}
    for name, text in (texts | outputs).items():
        files[name].write_text(f"{text}\n", "utf-8")
    given = f"-s {files['source']} -r {files['reference']} -p"
    options = "-O variant=xu --json --resamples 2"
    report = as_json(f"score {given} {files['words']} {options}")
    value = report["systems"]["words"]["sari"]["sari"]
    result = run(f"explain {value:.6f} -m sari {given} {files['brackets']}")
    assert "sari(xu), texts with ( as -lrb-\n" in result.stdout
    assert "reference.txt  # with texts with ( as -lrb-\n" in result.stdout


@pytest.mark.parametrize("printed", [["--", "-1.84"], ["\N{MINUS SIGN}1.84"]])
def test_a_negative_score_is_no_option_and_fkgl_is_found_when_named(printed, run, tmp_path):
    Path(tmp_path, "short.txt").write_text("The cat sat on it.\n", "utf-8")
    result = run("explain -m fkgl_components -p", str(tmp_path / "short.txt"), *printed)
    assert result.exit_code == 0, result.output
    assert f"configurations tried give {printed[-1]}; likeliest first." in result.output
    assert "  fkgl_components\n" in result.output


def test_bad_input_is_a_sentence(examples, fails):
    for arguments, message in (
        (f"explain forty {FILES}", "score: expected a number as it was printed, such as 40.13; "),
        (
            "explain 40 -s source.txt -r references -p systems",
            "explain takes one system, got splitter, substituter; its runs have one name: -p NAME=",
        ),
        ("explain 40 -p systems/splitter.txt", "references: "),
        ("explain 40 -s source.txt", "explain needs predictions: give -p FILE"),
        ("explain 40 -m sari.keep", "explain needs predictions: give -p FILE"),
        ("explain 40 -m sarri", "unknown metric 'sarri' (did you mean 'sari'?)"),
        (f"explain 40 -m sarri {FILES}", "unknown metric 'sarri' (did you mean 'sari'?)"),
        (f"explain 40 -m sari.kept {FILES}", "metrics: sari has no score 'kept'"),
        ("explain 40 -m sari -p systems/splitter.txt -r references", "sari needs sources: give -s"),
        ("explain 40 -s source.txt -r references -p none.txt", "none.txt"),
    ):
        assert fails(arguments).startswith(message)


# Without texts


def test_further_published_numbers_are_listed_below(run):
    first, remark, *others = run("explain 26.05").stdout.splitlines()
    assert first.startswith("26.05 is the SARI of Normal Wikipedia on TurkCorpus, legacy in Xu ")
    assert remark.startswith("It is not comparable with SARI of a corpus")
    assert [line[:36] for line in others] == ["26.05 is the SARI of SBMT-BLEU on Tu"]


def test_an_unknown_number_needs_the_texts(run):
    result = run("explain 99.99")
    assert result.exit_code == 1
    assert "none of the" in result.stdout
    assert "With the texts (-s, -p and -r) explain finds" in result.stdout.replace("\n", " ")


def test_published_numbers_of_a_metric_are_printed_as_json(run, as_json):
    found = as_json("explain 23.21 -m bleu")
    assert [row["system"] for row in found["published"]] == ["Dress"]
    assert run("explain 23.21 -m sari --json").exit_code == 1


def test_a_folder_of_test_sets_alone_is_no_text(run, monkeypatch):
    monkeypatch.setenv("TEXTSIMP_DATA_DIR", "corpora")
    assert run("explain 27.37").exit_code == 0
