"""Answers beside their plan: their systems, those that it doesn't have, and missing ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from textsimp.core.columns import as_number
from textsimp.corpora.tables import Table
from textsimp.judgements.judgements import Ratings
from textsimp.judgements.studies import Plan, Screen
from textsimp.support.errors import InputError, listed, shown


def complete(table: Table, plan: Plan) -> Table:
    """Return answers without systems with what their plan says, by rater and screen.

    Raters must not see systems, so files that they fill in don't have them.
    """
    if "system" in table.names or not {"rater", "screen"} <= {*table.names}:
        return table
    planned = _list_answers(plan)
    raters, screens = [str(rater) for rater in table.column("rater")], table.column("screen")
    texts = table.column("prediction") if plan.scheme.size is None else [""] * len(raters)
    rows = []
    for i, key in enumerate(zip(raters, map(as_number, screens), texts, strict=True)):
        if key not in planned:
            raise InputError(
                f"row {i} of {table.where} (counted from 0): the plan has no screen {screens[i]} "
                f"of rater {raters[i]!r}" + (f" with the prediction {texts[i]!r}" * bool(texts[i]))
            )
        rows.append(planned[key])
    added = {name: [row[name] for row in rows] for name in rows[0] if name not in table.names}

    def read(name: str) -> list[Any]:
        return added[name] if name in added else table.read(name)

    return replace(table, names=[*table.names, *added], read=read)


def _list_answers(plan: Plan) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return rater, screen and, if a screen has several, output → what is planned of an answer."""
    answers = {}
    for screen in plan.screens:
        for row in screen.answers(plan.scheme):
            text = row["prediction"] if plan.scheme.size is None else ""
            answers[screen.rater, screen.screen, text] = row
    return answers


def follow(ratings: Ratings, plan: Plan, places: Sequence[Any]) -> Ratings:
    """Return answers with the screens of each rater that are missing.

    Args:
        ratings: The answers, of which all must be planned.
        plan: The plan.
        places: Where each answer stands, for messages.
    """
    screens = _list_screens(plan, with_texts="prediction" in ratings.texts)
    sources = ratings.texts.get("source")
    complete: Any = ~np.isnan(np.column_stack([*ratings.values.values()])).any(axis=1)
    answered = set()
    for row, subject in enumerate(ratings.subjects()):
        key = (ratings.raters[row], *subject)
        if key not in screens:
            raise InputError(f"{places[row]}: {_explain(key, screens)}")
        if sources is not None and sources[row] != screens[key].source:
            raise InputError(
                f"{places[row]}: expected the source {screens[key].source!r} as in the plan, got "
                f"{sources[row]!r}"
            )
        if complete[row]:
            answered.add(key)
    missing: dict[str, list[int]] = {rater: [] for rater in plan.raters}
    for key, screen in screens.items():
        if key not in answered and screen.screen not in missing[screen.rater]:
            missing[screen.rater].append(screen.screen)
    return replace(ratings, missing={rater: own for rater, own in missing.items() if own})


def _list_screens(plan: Plan, with_texts: bool) -> dict[Any, Screen]:
    """Return rater and subject of each planned answer → its screen."""
    screens = {}
    for screen in plan.screens:
        for outputs, text in screen.outputs(plan.scheme):
            own = text if with_texts else None
            screens[screen.rater, screen.item, outputs, screen.control, own] = screen
    return screens


def _explain(key: tuple[Any, ...], screens: dict[Any, Screen]) -> str:
    """Return why an answer isn't planned."""
    *beginning, text = key
    texts = [planned[-1] for planned in screens if list(planned[:-1]) == beginning]
    if texts:
        return f"expected the prediction {shown(texts[0])} as in the plan, got {shown(text)}"
    rater, item, outputs, control = beginning
    if rater not in {planned[0] for planned in screens}:
        return f"the plan has no rater {rater!r}"
    of = f" by {listed(sum(outputs, ()))}" if any(outputs) else ""
    kind = f" as control {control!r}" if control else ""
    return f"the plan doesn't show {rater!r} an output for item {item!r}{of}{kind}"
