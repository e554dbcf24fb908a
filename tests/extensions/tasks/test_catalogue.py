"""The tasks by name, and runs by their files."""

import pytest

from textsimp import InputError
from textsimp.corpora.row_ids import cover
from textsimp.extensions import tasks
from textsimp.extensions.tasks.catalogue import name_runs


@pytest.mark.parametrize("name", tasks.TASKS)
def test_a_task_says_what_users_need(name):
    task = tasks.find(name)
    assert task.name == name
    assert all([task.scores, task.gold, task.predictions])
    assert task.url.startswith("https://")
    assert [*task.years] == sorted(task.years)


@pytest.mark.parametrize(
    ("name", "option", "nearest"),
    [
        ("mertrans", "prediction_column", "'mertrans2026'"),
        ("mertrans2026", "prediction_colum", "'prediction_column'"),
    ],
)
def test_an_unknown_task_and_an_unknown_option_are_errors(name, option, nearest):
    with pytest.raises(InputError, match=nearest):
        tasks.score(name, gold="g", predictions="p", **{option: "x"})


def test_runs_of_equal_names_are_called_after_their_folders():
    assert [*name_runs(["a/run.txt", "b/other.txt"])] == ["run", "other"]
    assert [*name_runs(["a/run.txt", "b/run.txt"])] == ["a/run", "b/run"]
    with pytest.raises(InputError):
        name_runs(["a/run.txt", "a/run.txt"])


def test_keys_that_only_look_alike_are_remarked():
    coverage = cover(["Ça va", "b"], ["c\u0327a va", "c", "b"], scored=1)
    assert coverage.extra == [1, 2]
    assert [*coverage.remarks.values()] == [[1]]
