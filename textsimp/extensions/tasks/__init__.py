"""Shared tasks of the field: the organisers' numbers of a run.

- In: the name of a task of `TASKS` or a YAML file, and the files of gold and runs.
- Out: `score` returns the official numbers of one run, a `Result`; `compare` several runs in one
  table, with intervals and tests, `Results`.
- Read ``task.py`` first: a `Task` and the `Run` that its function returns, with the rules on rows.
  `find` returns a `Task` by its name.
"""

from typing import TYPE_CHECKING

from textsimp.support.lazy import lazy_names

__all__ = [
    "TASKS",
    "Coverage",
    "Result",
    "Results",
    "Run",
    "Task",
    "compare",
    "find",
    "score",
]

if TYPE_CHECKING:
    from textsimp.corpora.row_ids import Coverage
    from textsimp.extensions.tasks.catalogue import TASKS, compare, find, score
    from textsimp.extensions.tasks.results import Result, Results
    from textsimp.extensions.tasks.task import Run, Task
else:
    __getattr__ = lazy_names(
        __name__,
        {
            "textsimp.corpora.row_ids": ("Coverage",),
            ".catalogue": ("TASKS", "compare", "find", "score"),
            ".results": ("Result", "Results"),
            ".task": ("Run", "Task"),
        },
    )
