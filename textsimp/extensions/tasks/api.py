"""Public names of `textsimp.extensions.tasks`."""

from textsimp.corpora.row_ids import Coverage
from textsimp.extensions.tasks.catalogue import TASKS, compare, find, score
from textsimp.extensions.tasks.results import Result, Results
from textsimp.extensions.tasks.task import Run, Task

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
