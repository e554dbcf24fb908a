"""How far a study is: how much each rater of its plan has answered, and since when."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any

from textsimp.core.tables import Grid
from textsimp.extensions.people.judgements.judgements import Judgements
from textsimp.extensions.people.judgements.studies import Plan


def add_progress(raters: Grid, plan: Plan, answers: Judgements | None) -> Grid:
    """Return the table of raters with what each has answered of a plan, controls included.

    Args:
        raters: The table "Raters" of `Analysis.tables`, in which some may be missing.
        plan: The study.
        answers: What raters answered; None for nothing.
    """
    planned = Counter[str]()
    for screen in plan.screens:
        planned[screen.rater] += len(screen.outputs(plan.scheme))
    answered, times = _count(answers) if answers else ({}, {})
    measured = {row[0]: row[1:] for row in raters.rows}
    rows = []
    for name in {**planned, **answered}:
        progress = f"{answered.get(name, 0):,}"
        if name in planned:  # another tool has its own raters
            progress += f" of {planned[name]:,}"
        own = sorted(time for time in times.get(name, []) if time and time.year > 1)
        ends = [f"{time.astimezone(timezone.utc):%Y-%m-%d %H:%M}" for time in own[:1] + own[-1:]]
        unknown = ["–"] * len(raters.header[1:])
        rows.append([name, progress, *(ends or ["–", "–"]), *measured.get(name, unknown)])
    header = ["", "answered", "first (UTC)", "last (UTC)", *raters.header[1:]]
    return replace(raters, header=header, rows=rows)


def _count(answers: Judgements) -> tuple[Mapping[str, int], Mapping[str, list[datetime]]]:
    """Return rater → the number of answers with all ratings, and when answers were given."""
    frame = answers.frame.assign(whole=answers.frame["value"].notna())
    whole: Any = frame.groupby(["answer", "rater"], sort=False)["whole"].all()
    times = answers.answers.groupby("rater")["time"].agg(list)
    return whole.groupby("rater", sort=False).sum().to_dict(), times.to_dict()
