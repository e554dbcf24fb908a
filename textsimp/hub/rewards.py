"""Scores as rewards, for ``GRPOTrainer``, ``RLOOTrainer`` and others of TRL that call a function.

The score of a single output is a weak signal (``docs/trust.md``), and a policy exploits a score's
weaknesses. Read ``docs/tools.md`` first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from textsimp.core import columns
from textsimp.core.declarations import PREDICTIONS, Column, Score
from textsimp.core.examples import UNNAMED_SYSTEM, Examples, warn
from textsimp.core.metric import Floats, Metric
from textsimp.metrics import catalogue, notation
from textsimp.support.errors import InputError, listed, nearest, shown, take_either


@take_either("metric", "metrics")
def make_reward(
    metric: str | Metric = "sari",
    *,
    sources: str | None = None,
    references: str | None = None,
    **options: Any,
) -> Reward:
    """Make a reward function for ``reward_funcs`` of TRL's ``GRPOTrainer`` or ``RLOOTrainer``.

    ``docs/tools.md`` has a snippet to copy and lists the pitfalls.

    Args:
        metric: A name such as ``"sari"``, also with options and a score as in ``"sari(xu).add"``;
            or a metric such as ``Sari("xu")``.
        sources: The dataset's column of original texts. The default is ``source`` or ``sources``.
        references: The dataset's column of references: a text or a list of texts per row. The
            default is ``references`` or ``reference``. Other columns have the metric's own names.
        **options: ``variant`` and other options of a metric that is given by its name.

    Returns:
        A function of ``prompts``, ``completions`` and the dataset's columns, as TRL calls it.
        Prompts and completions are texts or lists of messages; the assistant's last one counts.
        It returns a float per completion: the output's score divided by the score's largest value
        (SARI 38.2 is 0.382), or the score itself if it has none, as TER; negative if lower is
        better. It returns None if the row lacks a column that the metric reads, or if the metric
        has no number for it. No completion is an error. Threads may share the function, and it can
        be pickled. For a weighted sum give TRL several functions, and its ``reward_weights``.

    Example:
        >>> from textsimp.trainer import make_reward
        >>> reward = make_reward("sari")
        >>> reward(
        ...     prompts=["Simplify: About 95 species are currently accepted."] * 2,
        ...     completions=["About 95 species are now accepted.", "Species!"],
        ...     source=["About 95 species are currently accepted."] * 2,
        ...     references=[["About 95 species are now known."], None],
        ... )
        [0.7471861471861473, None]
    """
    names = {"sources": sources, "references": references}
    for name, value in names.items():
        if value is not None and not isinstance(value, str):
            raise InputError(f"{name}: expected a string, got {value!r}")
    choices = catalogue.read([metric], "metric")
    if len(choices) != 1:
        raise InputError(f"metric: expected one metric, got {metric!r}")
    if options:
        catalogue.add_options(choices, options, "metric")
    chosen = choices[0].make()
    names_of_columns = {name: value for name, value in names.items() if value is not None}
    return Reward(chosen, _reward_score(chosen, choices[0].score), names_of_columns)


class Reward:
    """The function that `make_reward` returns.

    Attributes:
        __name__: The name in TRL's logs, such as ``sari``. It may be set.
        signatures: Metric → signature of its scores, without the number of references.
    """

    def __init__(self, metric: Metric, score: Score, names: Mapping[str, str]) -> None:
        self._metric, self._score, self._names = metric, score, names
        name = str(metric)
        main = score is metric.scores[0]
        self.__name__ = name if main else notation.score_label(name, score.key)
        self.signatures = {name: metric.signature()}

    def __call__(self, prompts: Any, completions: Any, **dataset: Any) -> list[float | None]:
        """Return the rewards of completions; TRL passes the dataset's columns and more."""
        rows = _sequence(completions, "completions")
        values = self._scores([_text(row, i).strip() for i, row in enumerate(rows)], dataset)
        sign = -1 if self._score.better == "lower" else 1
        rewards = (sign * values / (self._score.most or 1)).tolist()
        return [None if math.isnan(reward) else reward for reward in rewards]

    def _scores(self, texts: list[str], dataset: Mapping[str, Any]) -> Floats:
        """Return the score of each text, (n,); NaN if it has none."""
        metric, key = self._metric, self._score.key
        shared = {column: self._find(column, dataset) for column in metric.columns}
        named = {column: name for column, name in shared.items() if name}
        rows = {column: _read(column, name, dataset, len(texts)) for column, name in named.items()}
        if key not in metric.score_names([column.name for column in rows]):
            others = (c for c in metric.columns if c not in rows and c.name != PREDICTIONS.name)
            missing = [column.usual_names[0] for column in others]
            raise InputError(
                f"score: {key} of {metric.name} needs one more column, of {listed(missing)}, but "
                f"the dataset has {_list_columns(dataset)}"
            )
        cells = rows.values()
        complete = [i for i in range(len(texts)) if all(own[i] is not None for own in cells)]
        values = np.full(len(texts), np.nan)
        if not complete:
            return values
        checked = {
            column.name: columns.check_column(
                column, [own[i] for i in complete], f"{named[column]} (where given)"
            )
            for column, own in rows.items()
        }
        outputs = {PREDICTIONS.name: [texts[i] for i in complete]}
        examples = Examples(checked, {UNNAMED_SYSTEM: outputs})
        warn([metric], examples)
        statistics = metric.compute_statistics(examples)[UNNAMED_SYSTEM]
        values[complete] = metric.reduce_examples(statistics)[key]
        return values

    def _find(self, column: Column, dataset: Mapping[str, Any]) -> str:
        """Return the dataset's name of a column; "" of the outputs' own, and if it lacks one."""
        if column.own:
            return ""
        chosen = self._names.get(column.name)
        names = column.usual_names if chosen is None else (chosen,)
        name = next((name for name in names if name in dataset), "")
        if not name and (chosen is not None or column.required):
            message = f"{names[0]}: {self._metric.name} needs this column, but the dataset has "
            message += _list_columns(dataset)
            if column.name in ("sources", "references"):
                message += f"; {column.name}=… of make_reward names another"
            raise InputError(message)
        return name


def _read(column: Column, name: str, dataset: Mapping[str, Any], completions: int) -> list[Any]:
    """Return the rows of a column, without missing values; None if nothing is left of one."""
    rows = columns.plain_list(_sequence(dataset[name], name))
    if len(rows) != completions:
        raise InputError(
            f"{name}: expected a row for each of {completions} completions, got {len(rows)}"
        )
    return [_drop_missing(row, column) for row in rows]


def _reward_score(metric: Metric, score: str) -> Score:
    """Return the metric's score that is the reward."""
    for column in metric.columns:
        if column.own and column.required and column.name != PREDICTIONS.name:
            raise InputError(
                f"metric: {metric.name} needs {column.name} of each output, which a policy "
                "doesn't write"
            )
    scores = metric.output_scores([column.name for column in metric.columns])
    better = [key for key in scores if metric.find_score(key).better]
    wanted = score or metric.scores[0].key
    if wanted in better:
        return metric.find_score(wanted)
    if wanted in scores:
        problem = f"{wanted} of {metric.name} has no direction: neither more nor less is better"
    else:
        problem = f"unknown score {wanted!r} of {metric.name}{nearest(wanted, better)}"
    raise InputError(
        f"score: {problem}; expected {f'one of {listed(better)}' if better else 'another metric'}"
    )


def _text(completion: Any, i: int) -> str:
    """Return a completion's text: of a list of messages the assistant's last one, or ""."""
    if isinstance(completion, str):
        return completion
    where = f"row {i} of completions (counted from 0)"
    is_chat = columns.is_sequence(completion)
    if not is_chat or not all(isinstance(message, Mapping) for message in completion):
        raise InputError(f"{where}: expected a text or a list of messages, got {shown(completion)}")
    answers = [message for message in completion if message.get("role", "assistant") == "assistant"]
    content = answers[-1].get("content") if answers else None
    if not isinstance(content, (str, type(None))):
        raise InputError(f"{where}: expected a text as content, got {shown(content)}")
    return content or ""


def _drop_missing(row: Any, column: Column) -> Any:
    """Return a row without missing values, or None if nothing is left."""

    def is_missing(value: Any) -> bool:
        return not isinstance(value, str) and columns.is_missing(value)  # an empty text is a text

    if column.kind in ("texts", "labels") and columns.is_sequence(row):
        return [value for value in row if not is_missing(value)] or None
    return None if is_missing(row) else row


def _sequence(value: Any, name: str) -> Any:
    if not columns.is_sequence(value):
        raise InputError(f"{name}: expected a list, got {shown(value)}")
    return value


def _list_columns(dataset: Mapping[str, Any]) -> str:
    """List the dataset's columns among TRL's arguments."""
    names = [n for n, v in dataset.items() if columns.is_sequence(v) and n != "completion_ids"]
    return listed(["prompt", *names])
