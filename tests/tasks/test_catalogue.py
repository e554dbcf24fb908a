"""The tasks by name, and runs by their files."""

import pytest

from textsimp import InputError, tasks
from textsimp.corpora.row_ids import cover
from textsimp.tasks.catalogue import name_runs


@pytest.mark.parametrize("name", tasks.TASKS)
def test_a_task_says_what_users_need(name):
    task = tasks.find(name)
    assert task.name == name
    assert all([task.scores, task.gold, task.predictions])
    assert task.url.startswith("https://")
    assert [*task.years] == sorted(task.years)


def test_an_unknown_task_is_an_error_that_lists_all():
    with pytest.raises(InputError, match=r"task: .*did you mean"):
        tasks.find("mertrans")


def test_an_unknown_option_is_an_error():
    with pytest.raises(InputError, match=r"'prediction_colum'.*did you mean 'prediction_column'"):
        tasks.score("mertrans2026", gold="g", predictions="p", prediction_colum="x")


def test_runs_of_equal_names_are_called_after_their_folders():
    assert [*name_runs(["a/run.txt", "b/other.txt"])] == ["run", "other"]
    assert [*name_runs(["a/run.txt", "b/run.txt"])] == ["a/run", "b/run"]
    with pytest.raises(InputError, match="twice"):
        name_runs(["a/run.txt", "a/run.txt"])


def test_keys_that_only_look_alike_are_remarked():
    coverage = cover(["Ça va", "b"], ["c\u0327a va", "c", "b"], scored=1)
    assert coverage.extra == [1, 2]
    assert [*coverage.remarks.values()] == [[1]]
