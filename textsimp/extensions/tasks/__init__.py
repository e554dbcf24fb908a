"""Shared tasks of the field: the organisers' numbers of a run.

- In: the name of a task of `TASKS` or a YAML file, and the files of gold and runs.
- Out: `score` returns the official numbers of one run, a `Result`; `compare` several runs in one
  table, with intervals and tests, `Results`.
- Read ``task.py`` first: a `Task` and the `Run` that its function returns, with the rules on rows.
  `find` returns a `Task` by its name.
"""

from functools import partial
from typing import TYPE_CHECKING

from textsimp.support.imports import lazy_name

if TYPE_CHECKING:
    from textsimp.extensions.tasks.api import *
else:
    __getattr__ = partial(lazy_name, __name__)
