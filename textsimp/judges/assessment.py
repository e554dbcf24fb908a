"""How far to believe judges: invalid answers, agreement, and biases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from textsimp.core import tables
from textsimp.core.metric import Floats
from textsimp.core.tables import Grid, Tabular
from textsimp.judgements import Ratings
from textsimp.judgements.judgements import ALL
from textsimp.judgements.means import on_scale
from textsimp.judgements.raters import agree
from textsimp.judgements.reading import join
from textsimp.judgements.strengths import list_preferences
from textsimp.support.errors import InputError

PEOPLE = "people"
_SAMPLING = {"confidence": None, "resamples": 1, "seed": 0}
_TITLES = {
    "answers": "answers",
    "invalid": "invalid",
    "mean": "mean",
    "judges": "r judges",
    "people": "r people",
    "alpha": "alpha people",
    "repeated": "alpha repeated",
    "changed": "order changes",
    "length": "length",
    "influence": "influence",
}


@dataclass(frozen=True, eq=False, repr=False)
class Assessment(Tabular):
    """How far to believe judges.

    Attributes:
        judges: A row per criterion and judge; if there are people, one for them, too. Its keys:

            - ``answers``: outputs rated, or compared, without controls;
            - ``invalid``: answers that aren't valid, controls included;
            - ``mean``: the mean rating;
            - ``judges``, ``people``: mean Pearson's r with another judge, with a person;
            - ``alpha``: Krippendorff's alpha of people and the judge together; in the row of
              people, of people alone;
            - ``repeated``: alpha of the judge with itself, on repeated questions;
            - ``changed``: the share of answers that change if outputs are shown in the reversed
              order: which one is preferred, or which of two is rated higher;
            - ``length``: Pearson's r of ratings with the number of characters; of comparisons, the
              share of preferences that are for the longer output;
            - ``influence``: by how much the panel's mean of a system changes most with this judge,
              and ``system``, which one that is.
        systems: A row per criterion and system: ``mean`` and ``median`` of the judges, and the
            mean of ``people``, averaged over outputs. No rows for comparisons.
        alphas: Criterion → alpha among judges.
        signature: What was asked, and how.
    """

    judges: list[dict[str, Any]]
    systems: list[dict[str, Any]]
    alphas: dict[str, float | None]
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return dict(vars(self))

    def records(self) -> list[dict[str, Any]]:
        """Return a row per criterion and judge, for CSV."""
        return self.judges

    def grid(self) -> Grid:
        """Return a row per criterion and judge; without columns that are empty."""
        grid = _tabulate_rows(self.judges, "judge", _TITLES)
        for cells, row in zip(grid.rows, self.judges, strict=True):
            if row["system"]:
                cells[-1] = f"{_cell(row['influence'], sign=True)} {row['system']}"
        known = {name: alpha for name, alpha in self.alphas.items() if alpha is not None}
        if known:
            alphas = ", ".join(f"{name} {_cell(alpha)}" for name, alpha in known.items())
            grid.notes.append(f"alpha among judges: {alphas}")
        grid.notes.append(self.signature)
        return grid

    def tables(self) -> dict[str, Grid]:
        """Return title → table."""
        titles = {"mean": "mean of judges", "median": "median of judges", "people": "people"}
        systems = _tabulate_rows(self.systems, "system", titles)
        return {**({"Systems": systems} if self.systems else {}), "Judges": self.grid()}


def _tabulate_rows(rows: Sequence[dict[str, Any]], name: str, titles: Mapping[str, str]) -> Grid:
    """Return a table of rows, without columns that are empty."""
    keys = [key for key in titles if any(row[key] is not None for row in rows)]
    cells = [[row["criterion"], row[name], *(_cell(row[key]) for key in keys)] for row in rows]
    return Grid(["", "", *(titles[key] for key in keys)], cells, named=2)


def assess(ratings: Ratings, people: Ratings | None = None) -> Assessment:
    """Measure how far judges agree, with each other and with people, and how they are biased.

    Args:
        ratings: What `textsimp.judgements.read` returns for the answers of judges; people may have
            answered in the same files.
        people: Ratings of other files by the same scheme. Their outputs are found by source and
            text, whatever they are called there; outputs that judges didn't see are left out.
    """
    if people is not None:
        ratings = join([ratings, _match(people, ratings)])
    judges = sorted(
        {rater for rater, how in zip(ratings.raters, ratings.asked, strict=True) if how}
    )
    if not judges:
        raise InputError("expected ratings of judges, got people's only")
    persons = sorted(set(ratings.raters) - set(judges))
    rows, systems, alphas = [], [], {}
    for name in ratings.criteria:
        alphas[name], _ = _agree(ratings, name, judges)
        outputs = {} if ratings.compares else _tabulate(ratings, name, [*judges, *persons])
        for judge in [*judges, *([PEOPLE] if persons else [])]:
            row = {"criterion": name, "judge": judge, "influence": None, "system": ""}
            row |= _describe(ratings, name, judge, judges, persons)
            if outputs and judge in judges[: len(judges) * (len(judges) > 1)]:
                row |= _find_influence(outputs, judges.index(judge), len(judges))
            rows.append(row)
        for system, table in outputs.items():
            own, others = table[:, : len(judges)], table[:, len(judges) :]
            mean, median = _mean(_reduce(own)), _mean(_reduce(own, np.nanmedian))
            values = {"mean": mean, "median": median, "people": _mean(_reduce(others))}
            systems.append({"criterion": name, "system": system, **values})
    how = sorted(set(ratings.asked) - {""})
    signature = "|".join(filter(None, ["judges", ratings.scheme, *how]))
    return Assessment(rows, systems, alphas, signature)


def _match(people: Ratings, judges: Ratings) -> Ratings:
    """Return people's ratings of outputs that judges saw, with the judges' items and systems."""
    for ratings in (people, judges):
        if not {"source", "prediction"} <= set(ratings.texts):
            raise InputError("expected source and prediction in the ratings of people and judges")
    known = {text: name for row in range(len(judges)) for text, name in _name_texts(judges, row)}
    rows, items, outputs = [], [], []
    for row, control in enumerate(people.controls):
        names = [known.get(text) for text, _ in _name_texts(people, row)]
        found = [name for name in names if name is not None]
        if not control and len(found) == len(names):
            rows.append(row)
            items.append(found[0][0])
            outputs.append(tuple(systems for _, systems in found))
    if not rows:
        raise InputError("people rated none of the outputs that judges saw")
    return replace(people.take(rows), items=items, outputs=outputs)


def _name_texts(ratings: Ratings, row: int) -> list[tuple[Any, Any]]:
    """Return ((source, output), (item, systems)) of each output in a row."""
    source, texts = ratings.find_by(row)
    pairs = zip(texts, ratings.outputs[row], strict=True)
    return [((source, text), (ratings.items[row], systems)) for text, systems in pairs]


def _describe(
    ratings: Ratings, name: str, judge: str, judges: Sequence[str], people: Sequence[str]
) -> dict[str, Any]:
    raters = people if judge == PEOPLE else [judge]
    own = ratings.take(i for i, rater in enumerate(ratings.raters) if rater in raters)
    valid = own.take(i for i, why in enumerate(own.invalid) if not why and not own.controls[i])
    alpha, with_people = _agree(ratings, name, [*raters, *people])
    return {
        "answers": len(valid),
        "invalid": sum(map(bool, own.invalid)),
        "mean": None if ratings.compares else _mean(on_scale(valid, name)),
        "judges": _agree(ratings, name, [*raters, *judges])[1].get(judge),
        "people": with_people.get(judge, _mean(np.array([*with_people.values()]))),
        "alpha": alpha if people else None,
        "repeated": agree(own, name, _SAMPLING)[0].repeated.alpha,
        "changed": _share_changed(own, name),
        "length": _measure_length_bias(valid, name) if len(valid) else None,
    }


def _agree(
    ratings: Ratings, name: str, raters: Sequence[str]
) -> tuple[float | None, dict[str, float]]:
    """Return the alpha of some raters, and each one's mean correlation with the others."""
    own = ratings.take(i for i, rater in enumerate(ratings.raters) if rater in raters)
    agreement, correlations = agree(own, name, _SAMPLING)
    return agreement.raters.alpha, correlations


def _tabulate(ratings: Ratings, name: str, raters: Sequence[str]) -> dict[str, Floats]:
    """Return system → (outputs, raters) ratings on a criterion, NaN for none."""
    scaled = {criterion: on_scale(ratings, criterion) for criterion in ratings.criteria}
    columns = replace(ratings, values=scaled).by_output()
    matrix = np.array(columns[name], np.float64)
    places = list(dict.fromkeys(ratings.raters))
    matrix = matrix[:, [places.index(rater) for rater in raters]]
    systems = np.array(columns.get("system", [ALL] * len(matrix)))
    return {system: matrix[systems == system] for system in sorted(set(systems.tolist()))}


def _find_influence(outputs: Mapping[str, Floats], judge: int, judges: int) -> dict[str, Any]:
    """Return by how much a judge changes the panel's mean of a system most, and of which."""
    others = [i for i in range(judges) if i != judge]
    changes: dict[str, float] = {}
    for system, table in outputs.items():
        mean, without = _mean(_reduce(table[:, :judges])), _mean(_reduce(table[:, others]))
        if mean is not None and without is not None:
            changes[system] = mean - without
    most = max(changes, key=lambda system: abs(changes[system]), default="")
    return {"influence": changes.get(most), "system": most}


def _reduce(matrix: Floats, how: Any = np.nanmean) -> Floats:
    """Return the mean or median of each row that has a number."""
    rows = matrix[(~np.isnan(matrix)).any(axis=1)]
    return np.array(how(rows, axis=1)) if len(rows) else np.zeros(0)


def _mean(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _share_changed(ratings: Ratings, name: str) -> float | None:
    """Return the share of answers that change in the reversed order; None if it wasn't asked."""
    orders: dict[Any, dict[str, dict[Any, Any]]] = {}  # question → order → outputs → answer
    for i, (item, outputs, control, _) in enumerate(ratings.subjects()):
        value = ratings.values[name][i]
        if control in ("", "reversed") and not np.isnan(value).any():
            answers = orders.setdefault((ratings.raters[i], item), {"": {}, "reversed": {}})
            if ratings.compares:
                choice = [outputs[int(k)] for k in value] if value[0] >= 0 else []
                answers[control][frozenset(outputs)] = choice
            else:
                answers[control][outputs] = value
    changed = []
    for plain, other in (question.values() for question in orders.values()):
        both = [outputs for outputs in plain if outputs in other]
        if ratings.compares:
            changed += [plain[outputs] != other[outputs] for outputs in both]
        else:
            changed += [
                np.sign(plain[a] - plain[b]) != np.sign(other[a] - other[b])
                for a, b in combinations(both, 2)
            ]
    return float(np.mean(changed)) if changed else None


def _measure_length_bias(ratings: Ratings, name: str) -> float | None:
    texts = ratings.texts.get("prediction")
    if not texts:
        return None
    if ratings.compares:
        preferences = (part.tolist() for part in list_preferences(ratings, name))
        gaps = [
            len(texts[row][win]) - len(texts[row][loss])
            for row, win, loss, weight in zip(*preferences, strict=True)
            if weight == 1  # no tie
        ]
        longer = [gap > 0 for gap in gaps if gap]
        return float(np.mean(longer)) if longer else None
    values = on_scale(ratings, name)
    known = ~np.isnan(values)
    values = values[known]
    lengths = np.array([len(text) for text in texts], float)[known]
    if len(values) < 3 or not np.ptp(values) or not np.ptp(lengths):
        return None
    return float(np.corrcoef(lengths, values)[0, 1])


def _cell(value: float | None, sign: bool = False) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else tables.number(value, 2, sign)
