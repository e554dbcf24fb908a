"""``textsimp errors table`` and ``textsimp errors merge``."""

import json
from pathlib import Path

import pytest

from tests.extensions.people.cli.test_answers import fill
from tests.given import rows, write
from tests.project import EXAMPLES
from textsimp.extensions import people
from textsimp.extensions.people.judgements import error_tables
from textsimp.metrics.information_errors import CATEGORIES

LABELS = EXAMPLES / "labels.jsonl"


def test_it_prints_what_the_function_says(run):
    found = json.loads(run(f"errors table {LABELS} --resamples 20 --unit tokens --json").stdout)
    assert found["resamples"] == 20
    expected = error_tables.tabulate([LABELS], unit="tokens", resamples=20)
    for name, (_, numbers, _) in expected.items():
        assert found[name] == json.loads(json.dumps(numbers)), name


def test_a_table_has_a_row_per_system_and_category(run):
    text = run(f"errors table {LABELS} --resamples 2").stdout
    assert text.startswith("Labels in percent of the labelled, 95 % intervals\nsystem ")
    assert "\nsubstituter  substitution" in text
    assert "\nAgreement of annotators, all systems together\n" in text
    assert "\nEdit distance in characters per character of the source, without noise" in text


def test_latex_and_markdown_have_all_tables(run):
    latex = run(f"errors table {LABELS} --resamples 2 --latex").stdout
    assert latex.count(r"\toprule") == 4
    assert latex.count(r"{@{}llrrr@{}}") == 2  # systems and categories are names
    assert run(f"errors table {LABELS} --resamples 2 --markdown").stdout.count("\n| --- |") == 4


def test_files_without_texts_beside_files_with_texts_are_noted(run, tmp_path):
    labels = {"insertion": 0, "deletion": 1, "substitution": 0}
    texts = {"source": "It rained a lot.", "prediction": "It rained."}
    for name, row in (("a", labels | texts), ("b", labels)):
        write(tmp_path / f"{name}.jsonl", [row])
    one, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    result = run(f"errors table {one} {other} --json")
    found = json.loads(result.stdout)
    assert list(found["distribution"]) == ["a", "b"]
    assert found["agreement"] is None
    assert found["length_change"] is None
    assert result.stderr.splitlines() == [
        "no tables by level: 1 of 2 outputs have a source and a prediction, and all need them"
    ]
    assert run(f"errors table {one}").stderr == run(f"errors table {other}").stderr == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("nothing.jsonl", "nothing.jsonl: no such file"),
        (f"{LABELS} {LABELS}", "expected different files, got one twice"),
        (f"{LABELS} --confidence 95", "confidence: expected a number between 0 and 1"),
    ],
)
def test_bad_input_is_refused(arguments, message, fails):
    assert message in fails(f"errors table {arguments}")


@pytest.fixture
def answers(tmp_path, monkeypatch):
    """Two raters' files in ``answers/``; they differ about the deletions of rows 1 and 2."""
    monkeypatch.chdir(tmp_path)
    for name, deletions in (("Ann", (0, 1, 2, 2)), ("Bob", (0, 2, 1, 2))):
        rows = [
            {"rater": name, "item": i, "insertion": i % 2, "deletion": deletion, "substitution": 0}
            for i, deletion in enumerate(deletions)
        ]
        write(f"answers/{name}.jsonl", rows)
    return tmp_path


def test_files_are_merged_and_the_agreement_is_shown(answers, succeed):
    result = succeed("errors merge answers -o merged.jsonl")
    shown = [" ".join(line.split()) for line in result.output.splitlines()]
    assert shown[0] == "4 examples, Ann, Bob"
    assert shown[2] == "majority % alpha outputs"
    assert shown[3].startswith("insertion 100.0 1.000 [1.000, 1.000]")
    assert shown[4].startswith("deletion 50.0 0.")
    assert shown[5].startswith("substitution 100.0 – 4")
    assert shown[6].startswith("substitution: no alpha, all ratings are the same")
    assert shown[7:] == ["written: merged.jsonl"]
    assert [row["deletion"] for row in rows("merged.jsonl")] == [[0, 0], [1, 2], [2, 1], [2, 2]]
    assert [row["deletion_majority"] for row in rows("merged.jsonl")] == [0, None, None, 2]


def test_merge_table_and_ratings_print_one_interval_of_an_alpha(answers, succeed):
    for path in Path("answers").iterdir():  # so that systems have items in another order
        write(path, [{**row, "system": "ab"[row["item"] % 2]} for row in rows(path)])
    merged = succeed("errors merge answers -o merged.jsonl --resamples 50").stdout
    (line,) = [line for line in merged.splitlines() if line.startswith("deletion")]
    for files in ("answers", "merged.jsonl"):
        assert line in succeed(f"errors table {files} --resamples 50").stdout
    found = succeed("ratings answers --scheme information_errors --resamples 50 --json").stdout
    alpha = json.loads(found)["agreement"]["deletion"]["raters"]
    assert "{:.3f} [{:.3f}, {:.3f}]".format(alpha["alpha"], *alpha["interval"]) in line


def test_sheets_of_a_plan_are_merged(tmp_path, monkeypatch, succeed):
    pytest.importorskip("openpyxl")
    monkeypatch.chdir(tmp_path)
    plan = people.design(
        ["It rained a lot."], {"a": ["It rained."]}, "information_errors", names=["ann"]
    )
    write("plan.jsonl", plan.to_dicts())
    (sheet,) = people.export_sheets(plan).values()
    write("sheets/ann.xlsx", fill(sheet, {"1-1": dict.fromkeys(CATEGORIES, 1)}))
    succeed("errors merge sheets --plan plan.jsonl -o merged.jsonl")
    assert [(row["system"], row["deletion"]) for row in rows("merged.jsonl")] == [("a", [1])]
    assert "a       deletion" in succeed("errors table sheets --plan plan.jsonl").stdout


def test_bad_answers_are_refused_and_nothing_written(answers, fails):
    Path("empty").mkdir()
    unlabelled = {"rater": "Ann", "item": 1, **dict.fromkeys(CATEGORIES)}
    write("unlabelled.jsonl", [unlabelled])
    twice = "answers/Ann.jsonl answers/Ann.jsonl"
    for given, message in (
        ("none.jsonl", "none.jsonl: no such file"),
        ("empty", "empty: a folder without tables of answers"),
        ("unlabelled.jsonl", "expected answers with labels, got none"),
        (twice, "rater 'Ann' answers as in row 0 of answers/Ann.jsonl"),
    ):
        assert message in fails(f"errors merge {given} -o merged.jsonl")
    assert not Path("merged.jsonl").exists()
