"""``textsimp task``: official tables, what they hide, and files that can't be scored."""

import json

import pytest

from tests.commands import make_runner
from tests.project import EXAMPLES
from textsimp.cli import main
from textsimp.extensions import tasks

FOLDER = EXAMPLES / "tasks" / "mertrans2026"
GOLD, OURS, COPY = FOLDER / "gold.csv", FOLDER / "runs" / "ours.csv", FOLDER / "runs" / "copy.csv"


def run(*arguments):
    return make_runner().invoke(main, ["task", *map(str, arguments)])


def printed(*arguments):
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_list_says_what_each_task_needs():
    text = printed()
    lines = text.splitlines()[1 : 1 + len(tasks.TASKS)]
    assert [line.split(" ")[0] for line in lines] == [*tasks.TASKS]
    listed = json.loads(printed("--json"))["rows"]
    assert [one["name"] for one in listed] == [*tasks.TASKS]
    assert {"years", "scores", "gold", "predictions", "needs", "url"} < {*listed[0]}


@pytest.mark.parametrize("name", tasks.TASKS)
def test_help_shows_the_files_and_options_of_a_task(name):
    text = printed(name, "--help")
    declared = tasks.find(name)
    assert declared.url in text
    assert "--gold" in text
    for name in declared.options:
        assert f"--{name.replace('_', '-')}" in text


def test_json_has_official_names_as_keys_and_full_floats_under_exact():
    found = json.loads(printed("mertrans2026", "--gold", GOLD, "--predictions", OURS, "--json"))
    expected = tasks.score("mertrans2026", gold=GOLD, predictions=OURS)
    assert {name: found[name] for name in expected} == expected
    assert found["coverage"]["missing"] == [10]
    assert "model" in found["missing"]["bert"]
    low, high = found["intervals"]["sari"]
    assert low < found["sari"] < high


def test_json_of_several_runs_has_them_by_name_with_their_differences():
    files = ("--gold", GOLD, "--predictions", OURS, f"copied={COPY}")
    found = json.loads(printed("mertrans2026", *files, "--json"))
    assert [*found["runs"]] == ["ours", "copied"]
    test = found["differences"]["copied"]["sari"]
    assert test["difference"] < 0
    assert 0 < test["permutation_p"] <= 1


def test_a_folder_stands_for_its_files():
    text = printed("mertrans2026", "--gold", GOLD, "--predictions", FOLDER / "runs")
    assert [line.split()[0] for line in text.splitlines()[2:4]] == ["copy", "ours"]


def test_tables_print_in_markdown():
    text = printed("mertrans2026", "--gold", GOLD, "--predictions", OURS, "--markdown")
    assert "|  | bleu_orig | bleu_gold | sari | bert |" in text


def test_options_are_those_that_the_task_declares():
    files = ("--gold", GOLD, "--predictions", GOLD)
    text = printed("mertrans2026", *files, "--prediction-column", "original_text")
    assert "100.000000000000" in text
    result = run("simpletext", *files, "--year", "1999")
    assert result.exit_code == 2
    assert "2024" in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mertrans2027"], "got 'mertrans2027' (did you mean 'mertrans2026'?)"),
        (["mertrans2026", "--gold", GOLD], "Missing option '--predictions'"),
        (["mertrans2026", "--gold", "no.csv", "--predictions", OURS], "no.csv: no such file"),
        (["mertrans2026", "--gold", GOLD, "--predictions", OURS, OURS], "one of them twice"),
        (["mertrans2026", "--gold", GOLD, "--predictions", f"a={OURS}", f"a={COPY}"], "called 'a'"),
        (
            ["mertrans2026", "--gold", GOLD, "--predictions", f"copy={OURS}", COPY],
            "called 'copy': name them",
        ),
    ],
)
def test_what_is_wrong_is_one_line(arguments, message):
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_an_empty_folder_is_an_error(tmp_path):
    result = run("mertrans2026", "--gold", GOLD, "--predictions", tmp_path)
    assert result.exit_code == 2
    assert "a folder without" in result.output


OWN = EXAMPLES / "tasks" / "own"


def test_a_task_of_ones_own_is_scored_ranked_and_written_as_a_page(tmp_path):
    page = tmp_path / "leaderboard.html"
    text = printed(OWN / "task.yaml", "--predictions", OWN / "runs", "--page", page)
    assert [line.split()[:3] for line in text.splitlines()[2:5]] == [
        ["team_a", "1", "1–2"],
        ["team_c", "2", "1–2"],
        ["team_b", "3", "3"],
    ]
    assert "<h1>Plain English 2027</h1>" in page.read_text("utf-8")
    printed(OWN / "task.yaml", "--predictions", OWN / "runs", "--page", page)  # replaces its own
    page.write_text("<h1>Plain English 2027</h1>", "utf-8")
    again = run(OWN / "task.yaml", "--predictions", OWN / "runs", "--page", page)
    assert again.exit_code == 2
    assert "--force" in again.output


def test_a_run_may_name_its_own_column(tmp_path):
    path = tmp_path / "other.csv"
    path.write_text((OWN / "runs" / "team_a.csv").read_text("utf-8").replace("output", "text", 1))
    runs = ["--predictions", OWN / "runs", path, "-P", "other=text"]
    found = json.loads(printed(OWN / "task.yaml", *runs, "--json"))
    assert found["runs"]["other"] == found["runs"]["team_a"]
    assert [row["rank"] for row in found["ranking"]] == [1, 1, 3, 4, None, None]
