"""Shared tasks of the field: the organisers' numbers of a run.

- `score`: the official numbers of one run, `Result`;
- `compare`: several runs in one table, with intervals and tests, `Results`;
- `TASKS`: the names of all tasks; `find`: a `Task` by its name, with its formats and paper.

A task is a module with a `Task`. Its function ``measure(gold, predictions, **options)`` reads two
files and returns a `Run`:

- Rows are joined by their ids, by one function for all tasks, or by their order. Where an id
  is repeated, the last row counts, unless the official script counts each.
- Rows that the run lacks aren't scored, unless the official script counts them as 0. `Coverage`
  names them, and those that are extra or repeated.
- Texts and labels are compared as in the official script. ``Coverage.remarks`` names rows that
  differ only in case, spaces or Unicode form.
- Official numbers are rounded or cut as there, and exact ones are floats. A number that can't be
  computed here is None, and ``Run.missing`` has the reason.
- ``Run.sample`` has a row for each instance. Intervals and tests are made from it.
"""

from __future__ import annotations

from textsimp.corpora.row_ids import Coverage
from textsimp.tasks.catalogue import TASKS, compare, find, score
from textsimp.tasks.results import Result, Results
from textsimp.tasks.task import Run, Task

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
