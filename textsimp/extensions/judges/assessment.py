"""How far to believe judges: invalid answers, agreement, and biases."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from textsimp.core.metric import Floats
from textsimp.core.tables import Cell, Grid, Tabular
from textsimp.extensions.people import Judgements
from textsimp.extensions.people.judgements.judgements import index_outputs, join
from textsimp.extensions.people.judgements.raters import agree
from textsimp.extensions.people.judgements.strengths import list_preferences
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
              share of preferences that are for the longer output.
        alphas: Criterion → alpha among judges.
        signature: What was asked, and how.
    """

    judges: list[dict[str, Any]]
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
        keys = [key for key in _TITLES if any(row[key] is not None for row in self.judges)]
        cells = [
            [row["criterion"], row["judge"], *(Cell.of(row[key], None, 2) for key in keys)]
            for row in self.judges
        ]
        alphas = [
            f"{name} {Cell.of(alpha, None, 2)}"
            for name, alpha in self.alphas.items()
            if alpha is not None
        ]
        notes = [f"alpha among judges: {', '.join(alphas)}"] if alphas else []
        header = ["", "", *(_TITLES[key] for key in keys)]
        return Grid(header, cells, [*notes, self.signature], named=2)


def assess(ratings: Judgements, people: Judgements | None = None) -> Assessment:
    """Measure how far judges agree, with each other and with people, and how they are biased.

    Args:
        ratings: What `people.read` returns for the answers of judges; people may have
            answered in the same files.
        people: Ratings of other files by the same scheme. Their outputs are found by source and
            text, whatever they are called there; outputs that judges didn't see are left out.
    """
    if people is not None:
        ratings = join([ratings, _match(people, ratings)])
    judges = sorted({*ratings.frame["rater"][ratings.frame["how"] != ""]})
    if not judges:
        raise InputError("expected ratings of judges, got people's only")
    persons = sorted({*ratings.raters} - {*judges})
    rows, alphas = [], {}
    for name in ratings.criteria:
        alphas[name], _ = _agree(ratings, name, judges)
        for judge in [*judges, *([PEOPLE] if persons else [])]:
            row = {"criterion": name, "judge": judge}
            rows.append(row | _describe(ratings, name, judge, judges, persons))
    how = sorted({*ratings.frame["how"]} - {""})
    signature = "|".join(filter(None, ["judges", ratings.scheme, *how]))
    return Assessment(rows, alphas, signature)


def _match(people: Judgements, judges: Judgements) -> Judgements:
    """Return people's ratings of outputs that judges saw, with the judges' items and systems."""
    judges.check_texts()
    texts = judges.frame.drop_duplicates("output")[["item", "source", "prediction", "system"]]
    matches = people.find(index_outputs(texts.itertuples(index=False)))
    uncontrolled = (people.answers["control"] == "").tolist()
    rows = [i for i, match in enumerate(matches) if match is not None and uncontrolled[i]]
    if not rows:
        raise InputError("people rated none of the outputs that judges saw")
    items, outputs = zip(*(matches[i] or () for i in rows), strict=True)
    return people.take(rows).assign(items, outputs)


def _by(ratings: Judgements, raters: Sequence[str]) -> Judgements:
    """Return the answers of some raters."""
    return ratings.take(ratings.answers["rater"].isin(raters).to_numpy())


def _describe(
    ratings: Judgements, name: str, judge: str, judges: Sequence[str], people: Sequence[str]
) -> dict[str, Any]:
    raters = people if judge == PEOPLE else [judge]
    answers = _by(ratings, raters)
    valid = answers.rated
    alpha, with_people = _agree(ratings, name, [*raters, *people])
    return {
        "answers": len(valid),
        "invalid": int((answers.answers["invalid"] != "").sum()),
        "mean": None if ratings.compares or not len(valid) else _mean(valid.means(name)),
        "judges": _agree(ratings, name, [*raters, *judges])[1].get(judge),
        "people": with_people.get(judge, _mean(np.array([*with_people.values()]))),
        "alpha": alpha if people else None,
        "repeated": agree(answers, name, _SAMPLING)[0].repeated.alpha,
        "changed": _share_changed(answers, name),
        "length": _measure_length_bias(valid, name) if len(valid) else None,
    }


def _agree(
    ratings: Judgements, name: str, raters: Sequence[str]
) -> tuple[float | None, dict[str, float]]:
    """Return the alpha of some raters, and each one's mean correlation with the others."""
    agreement, correlations = agree(_by(ratings, raters), name, _SAMPLING)
    return agreement.raters.alpha, correlations


def _mean(values: Floats) -> float | None:
    present = values[~np.isnan(values)]
    return float(present.mean()) if len(present) else None


def _share_changed(ratings: Judgements, name: str) -> float | None:
    """Return the share of answers that change in the reversed order; None if it wasn't asked."""
    frame = ratings.frame[ratings.frame["criterion"] == name]
    kinds = frame["control"].isin(["", "reversed"]) & frame["value"].notna()
    orders: dict[Any, dict[str, dict[Any, float]]] = {}  # question → order → output → value
    columns = frame[kinds][["rater", "item", "system", "control", "answer", "value"]]
    subjects = ratings.subjects()
    for rater, item, systems, control, answer, value in columns.itertuples(index=False):
        question = (rater, item, frozenset(subjects[answer].systems) if ratings.compares else "")
        order = orders.setdefault(question, {"": {}, "reversed": {}})
        order[control][systems] = value
    changed: list[bool] = []
    for first, other in (order.values() for order in orders.values()):
        both = [systems for systems in first if systems in other]
        pairs = [*combinations(both, 2)]
        differ = [np.sign(first[a] - first[b]) != np.sign(other[a] - other[b]) for a, b in pairs]
        if not ratings.compares:
            changed += differ
        elif pairs:
            changed.append(any(differ))
    return float(np.mean(changed)) if changed else None


def _measure_length_bias(ratings: Judgements, name: str) -> float | None:
    if "prediction" not in ratings.frame:
        return None
    lengths = ratings.frame["prediction"].str.len().to_numpy(float)
    if ratings.compares:
        winners, losers, weights = list_preferences(ratings, name)
        gaps = (lengths[winners] - lengths[losers])[weights == 1]  # no tie
        longer = gaps[gaps != 0] > 0
        return float(longer.mean()) if len(longer) else None
    values = ratings.on_scale(name)
    rated = ~np.isnan(values)
    values, lengths = values[rated], lengths[rated]
    if len(values) < 3 or not np.ptp(values) or not np.ptp(lengths):
        return None
    return float(np.corrcoef(lengths, values)[0, 1])
