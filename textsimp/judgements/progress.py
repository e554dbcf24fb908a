"""Answers beside their plan: their systems, those that it doesn't have, and missing ones."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from textsimp.core.columns import as_number
from textsimp.corpora.tables import Table
from textsimp.judgements.judgements import Judgements
from textsimp.judgements.studies import Plan, Screen
from textsimp.support.errors import InputError, listed, shown


def complete(table: Table, plan: Plan) -> Table:
    """Return answers without systems with what their plan says, by rater and screen.

    Raters must not see systems, so files that they fill in don't have them.
    """
    if "system" in table.names or not {"rater", "screen"} <= {*table.names}:
        return table
    # Rater, screen and, if a screen has several, output → what is planned of an answer
    planned: dict[tuple[Any, ...], dict[str, Any]] = {}
    for screen in plan.screens:
        for row in screen.answers(plan.scheme):
            text = row["prediction"] if plan.scheme.size is None else ""
            planned[screen.rater, screen.screen, text] = row
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


def follow(found: Judgements, plan: Plan, places: Sequence[Any]) -> Judgements:
    """Return answers with the screens of each rater that are missing.

    Args:
        found: The answers, of which all must be planned.
        plan: The plan.
        places: Where each answer stands, for messages.
    """
    screens: dict[Any, Screen] = {}  # rater and subject of each planned answer → its screen
    for screen in plan.screens:
        for systems, texts in screen.outputs(plan.scheme):
            own = texts if "prediction" in found.frame else (None,) * len(texts)
            screens[screen.rater, screen.item, systems, own, screen.control] = screen
    raters = found.answers["rater"].tolist()
    sources = found.answers["source"].tolist() if "source" in found.frame else None
    missing: Any = np.isnan(found.frame["value"].to_numpy()[found.blocks]).any(axis=(1, 2))
    answered = set()
    for i, subject in enumerate(found.subjects()):
        key = (raters[i], *subject)
        if key not in screens:
            raise InputError(f"{places[i]}: {_explain(key, screens)}")
        if sources is not None and sources[i] != screens[key].source:
            raise InputError(
                f"{places[i]}: expected the source {screens[key].source!r} as in the plan, got "
                f"{sources[i]!r}"
            )
        if not missing[i]:
            answered.add(key)
    left: dict[str, list[int]] = {rater: [] for rater in plan.raters}
    for key, screen in screens.items():
        if key not in answered and screen.screen not in left[screen.rater]:
            left[screen.rater].append(screen.screen)
    return replace(found, missing={rater: own for rater, own in left.items() if own})


def _explain(key: tuple[Any, ...], screens: dict[Any, Screen]) -> str:
    """Return why an answer isn't planned."""
    rater, item, outputs, texts, control = key
    planned = [own[3] for own in screens if own[:3] == key[:3] and own[4] == control]
    if planned:
        expected, got = (", ".join(map(shown, one)) for one in (planned[0], texts))
        return f"expected the prediction {expected} as in the plan, got {got}"
    if rater not in {planned[0] for planned in screens}:
        return f"the plan has no rater {rater!r}"
    of = f" by {listed(sum(outputs, ()))}" if any(outputs) else ""
    kind = f" as control {control!r}" if control else ""
    return f"the plan doesn't show {rater!r} an output for item {item!r}{of}{kind}"
