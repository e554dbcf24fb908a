"""Shared tasks of the field: the organisers' numbers of a run.

- `score`: the official numbers of one run, `Result`;
- `compare`: several runs in one table, with intervals and tests, `Results`;
- `TASKS`: the names of all tasks; `find`: a `Task` by its name, with its formats and paper.
"""

from __future__ import annotations

from textsimp.tasks.catalogue import TASKS, compare, find, score
from textsimp.tasks.results import Result, Results
from textsimp.tasks.task import Coverage, Run, Task

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
