"""Scores as rewards, for ``GRPOTrainer``, ``RLOOTrainer`` and others of TRL that call a function.

The score of a single output says little (``docs/trust.md``), and a policy finds what pays: read
``docs/rewards.md`` first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from textsimp.core import columns
from textsimp.core.declarations import PREDICTIONS, SOURCES, Column, Score
from textsimp.core.examples import ONE, Examples, warn
from textsimp.core.metric import Floats, Metric
from textsimp.metrics import catalogue
from textsimp.support.errors import InputError, listed, nearest, shown

_HERE = "{source}"
_NAMED = ("sources", "references")  # what users say the names of

Weights = str | Metric | Mapping[Any, float]
"""What is rewarded: see `make_reward`."""


def make_reward(
    metric: Weights = "sari",
    *,
    sources: str | None = None,
    references: str | None = None,
    template: str | None = None,
    score: str | None = None,
    **options: Any,
) -> Reward:
    """Make a reward function for TRL: for ``reward_funcs`` of a ``GRPOTrainer`` or ``RLOOTrainer``.

    ``docs/rewards.md`` has a snippet to copy, and what to watch for.

    Args:
        metric: A name; a metric with its options, such as ``Sari("xu")``; or name or metric →
            weight, such as ``{"sari": 0.7, "bleu": 0.3}``, for a weighted sum.
        sources: The column of the dataset with the original texts. Unless it is given that is
            ``source`` or ``sources``.
        references: That of the references, a text or a list of texts in each row; else
            ``references`` or ``reference``. What else a metric reads has the metric's own names.
        template: For datasets without sources: what every prompt, or the last message of a user in
            it, looks like, with ``{source}`` where the source stands, such as
            ``"Simplify: {source}"``.
        score: Which of the metric's scores, if not its main one: ``"add"`` of SARI.
        **options: ``variant`` and other options, for all metrics that are given by their names.

    Returns:
        A function of ``prompts``, ``completions`` and the dataset's columns, as TRL calls it.
        Prompts and completions are texts, or lists of messages, whose last by the assistant counts.
        It returns a float for every completion: the score of this one output, divided by its
        largest value where it has one (SARI 38.2 is 0.382), negative where lower is better; for
        several metrics the sum of these times their weights. None stands where the row lacks a
        source, references or what else the metric reads, or where the metric has no number for it.
        Nothing that a completion says is an error. Threads may share it, and it can be pickled.

    Raises:
        InputError: Unknown metric, option or score; a score that only describes; a metric that
            reads more of an output than its text; no such weight or template. The function raises
            it for a column that is missing or wrong, and for a prompt that isn't like the template.

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
    if not isinstance(metric, (str, Metric, Mapping)) or not metric:
        raise InputError(
            "metric: expected a name, a metric, or these with their weights as in "
            f"{{'sari': 0.7, 'bleu': 0.3}}, got {metric!r}"
        )
    weights = metric if isinstance(metric, Mapping) else {metric: 1}
    for key, weight in weights.items():
        if not _is_weight(weight):
            raise InputError(
                f"metric: expected a weight other than 0 for {key!r}, got {weight!r}; a metric "
                "with options and weight is written as {Sari('xu'): 0.7}"
            )
    names = {"sources": sources, "references": references}
    for name, given in {**names, "template": template, "score": score}.items():
        if given is not None and not isinstance(given, str):
            raise InputError(f"{name}: expected a string, got {given!r}")
    if template is not None and template.count(_HERE) != 1:
        raise InputError(f"template: expected a text with {_HERE} in it once, got {template!r}")
    if template is not None and sources is not None:
        raise InputError(f"sources: expected none beside a template, got {sources!r}")
    chosen = catalogue.configured([*weights], "metric", options)
    if score is not None and len(chosen) > 1:
        raise InputError(f"score: expected none for several metrics, got {score!r}")
    parts = [
        _Part(one, _rewarded(one, score), float(weight))
        for one, weight in zip(chosen.values(), weights.values(), strict=True)
    ]
    reward = Reward(parts, {k: v for k, v in names.items() if v is not None}, template)
    reward.signatures = {name: one.signature() for name, one in chosen.items()}
    return reward


@dataclass(frozen=True)
class _Part:
    """A term of the sum."""

    metric: Metric
    score: Score
    weight: float

    @property
    def name(self) -> str:
        """Such as ``sari``, ``sari_xu`` and ``sari_xu_add``."""
        words = [self.metric.name]
        if self.metric.variant != next(iter(self.metric.presets)):
            words.append(self.metric.variant)
        if self.score is not self.metric.scores[0]:
            words.append(self.score.key)
        return "_".join(words)


class Reward:
    """What `make_reward` returns.

    Attributes:
        __name__: What TRL calls it in its logs, such as ``sari``; it may be set.
        signatures: Metric → signature of its scores, without the number of references.
    """

    def __init__(self, parts: list[_Part], names: Mapping[str, str], template: str | None) -> None:
        self._parts, self._names, self._template = parts, names, template
        self.__name__ = "+".join(part.name for part in parts)
        self.signatures: dict[str, str] = {}

    def __call__(self, prompts: Any, completions: Any, **given: Any) -> list[float | None]:
        """Rewards of completions.

        Args:
            prompts: One per completion.
            completions: Texts, or lists of messages.
            **given: The columns of the dataset, a row per completion, and what else TRL hands over.

        Raises:
            InputError: See `make_reward`.
        """
        texts = [text.strip() for text in _texts(completions, "completions", "assistant")]
        total = np.zeros(len(texts))
        for part in self._parts:
            values = self._scores(part, prompts, texts, given)
            if len(self._parts) > 1 and "log_metric" in given and not np.isnan(values).all():
                given["log_metric"](part.name, float(np.nanmean(values)))
            sign = -1 if part.score.better == "lower" else 1
            total += part.weight * sign * values / (part.score.most or 1)
        return [None if math.isnan(value) else value for value in total.tolist()]

    def _scores(
        self, part: _Part, prompts: Any, texts: list[str], given: Mapping[str, Any]
    ) -> Floats:
        """(n,) a score of each text; NaN where there is none."""
        metric, key = part.metric, part.score.key
        found: dict[str, tuple[Column, str, list[Any]]] = {}
        for column in metric.columns:
            if not column.own and (called := self._called(column, metric, given)):
                rows = self._rows(column, called, prompts, given)
                if len(rows) != len(texts):
                    raise InputError(
                        f"{called}: expected a row for each of {len(texts)} completions, "
                        f"got {len(rows)}"
                    )
                found[column.name] = column, called, rows
        if key not in metric.reported([*found]):
            lacking = [column.usual[0] for column in metric.columns if column.name not in found]
            lacking.remove(PREDICTIONS.usual[0])
            raise InputError(
                f"score: {key} of {metric.name} needs one more column, of {listed(lacking)}, but "
                f"the dataset has {_listed(given)}"
            )
        scored = [
            i
            for i, text in enumerate(texts)
            if _is_unicode(text) and all(rows[i] is not None for *_, rows in found.values())
        ]
        values = np.full(len(texts), np.nan)
        if scored:
            shared = {
                name: columns.checked(column, [rows[i] for i in scored], f"{called} (where given)")
                for name, (column, called, rows) in found.items()
            }
            examples = Examples(shared, {ONE: {PREDICTIONS.name: [texts[i] for i in scored]}})
            warn([metric], examples)
            statistics = metric.statistics_of(examples)[ONE]
            values[scored] = metric.reduce_examples(statistics)[key]
        return values

    def _called(self, column: Column, metric: Metric, given: Mapping[str, Any]) -> str:
        """What the dataset calls a column; nothing if it has none and needs none."""
        if column.name == SOURCES.name and self._template is not None:
            return "prompts"
        own = self._names.get(column.name)
        names = column.usual if own is None else (own,)
        called = next((name for name in names if name in given), "")
        if not called and (own is not None or column.required):
            told = f"{names[0]}: {metric.name} needs this column, but the dataset has "
            told += _listed(given)
            if column.name in _NAMED:
                told += f"; {column.name}=… of make_reward names another"
            if column.name == SOURCES.name:
                told += ", and template=… says where it stands in prompts"
            raise InputError(told)
        return called

    def _rows(
        self, column: Column, called: str, prompts: Any, given: Mapping[str, Any]
    ) -> list[Any]:
        """The rows of a column, None where they are missing."""
        if called == "prompts" and self._template is not None:
            before, after = self._template.split(_HERE)
            return [
                _within(text, before, after, f"row {i} of prompts (counted from 0)")
                for i, text in enumerate(_texts(prompts, "prompts", "user"))
            ]
        rows = columns.plain_list(_sequence(given[called], called))
        return [_present(row, column) for row in rows]


def _rewarded(metric: Metric, score: str | None) -> Score:
    """The score of a metric that is rewarded."""
    for column in metric.columns:
        if column.own and column.required and column.name != PREDICTIONS.name:
            raise InputError(
                f"metric: {metric.name} needs {column.name} of each output, which a policy "
                "doesn't write"
            )
    reported = metric.reported([column.name for column in metric.columns])
    scores = {one.key: one for one in metric.scores if one.key in reported and not one.many}
    better = [key for key, one in scores.items() if one.better]
    wanted = metric.scores[0].key if score is None else score
    if wanted in better:
        return scores[wanted]
    if wanted in scores:
        told = f"{wanted} of {metric.name} describes a text: neither more nor less of it is better"
    else:
        told = f"unknown score {wanted!r} of {metric.name}{nearest(wanted, better)}"
    raise InputError(
        f"score: {told}; expected {f'one of {listed(better)}' if better else 'another metric'}"
    )


def _is_weight(weight: Any) -> bool:
    return isinstance(weight, Real) and math.isfinite(columns.as_number(weight)) and weight != 0


def _texts(given: Any, name: str, role: str) -> list[str]:
    """Texts, or what was said last in that role in lists of messages."""
    return [
        row if isinstance(row, str) else _said(row, role, f"row {i} of {name} (counted from 0)")
        for i, row in enumerate(_sequence(given, name))
    ]


def _said(messages: Any, role: str, where: str) -> str:
    """What the last message of a role says; nothing if a model made no such message."""
    chat = columns.is_sequence(messages) and all(isinstance(one, Mapping) for one in messages)
    said = [one.get("content") for one in messages if one.get("role", role) == role] if chat else []
    if not chat or (not said and role == "user"):
        raise InputError(
            f"{where}: expected a text or a list of messages by the {role} and others, "
            f"got {shown(messages)}"
        )
    content: Any = said[-1] if said else None
    if columns.is_sequence(content):  # in parts, some of which may be images
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
    else:
        parts = [content]
    for part in parts:
        if not isinstance(part, (str, type(None))):
            raise InputError(f"{where}: expected a text as content of a message, got {shown(part)}")
    return "".join(filter(None, parts))


def _within(text: str, before: str, after: str, where: str) -> str:
    """What stands in a text between two others."""
    if not (
        text.startswith(before) and text.endswith(after) and len(text) >= len(before) + len(after)
    ):
        raise InputError(
            f"{where}: expected a text like the template {before + _HERE + after!r}, "
            f"got {shown(text)}"
        )
    return text[len(before) : len(text) - len(after)].strip()


def _present(row: Any, column: Column) -> Any:
    """A row of a column, None where it is missing; of several texts or labels those that aren't."""
    if column.kind in ("texts", "labels") and columns.is_sequence(row):
        return [one for one in row if not _is_missing(one)] or None
    return None if _is_missing(row) else row


def _is_missing(value: Any) -> bool:
    return not isinstance(value, str) and columns.is_missing(value)  # an empty text is a text


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _sequence(given: Any, name: str) -> Any:
    if not columns.is_sequence(given):
        raise InputError(f"{name}: expected a list, got {shown(given)}")
    return given


def _listed(given: Mapping[str, Any]) -> str:
    """The columns of the dataset among what TRL hands over."""
    names = [n for n, v in given.items() if columns.is_sequence(v) and n != "completion_ids"]
    return listed(["prompt", *names])
