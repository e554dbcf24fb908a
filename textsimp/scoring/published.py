"""Numbers that papers printed: which formula gives each, and what the same output has today.

``published.csv`` has them, a `Row` each, and docs/published.md shows them and says what the columns
are. ``formulas.csv`` has what formulas of SARI are called, and what they compare with.
``field.csv`` has scores of published outputs, and ``test_sets.csv`` digests of their test sets.
"""

import csv
import functools
import hashlib
import math
import re
import warnings
from collections.abc import Collection, Mapping, Sequence
from importlib import resources
from typing import Any

from textsimp.core.declarations import Score
from textsimp.core.examples import Examples
from textsimp.core.scores import Scores, Value
from textsimp.metrics import catalogue
from textsimp.support.errors import InputError
from textsimp.support.parsing import MINUS

Row = dict[str, str]  # numbers, too, as they are written in the file

Field = Mapping[str, Mapping[str, Value]]
"""Published system → metric → score."""

EQUAL = 1e-9  # the difference up to which scores are equal
PLACES = 2  # decimals of the scores that are shown of published outputs
NEIGHBOURS = 5  # published systems on either side of a system that are shown
FEW = 3  # published systems that are named as one's own; of more, the number

_PRINTED = re.compile(r"[+-]?(\d+\.?(\d*)|\.(\d+))", re.ASCII)


def parse_score(score: Any, declared: Score) -> list[tuple[float, float, int]]:
    """Read a printed score: list (number, half a unit of its last digit, decimals).

    >>> parse_score("40.1", Score("", "", ""))
    [(40.1, 0.05, 1)]
    """
    number = isinstance(score, (int, float)) and not isinstance(score, bool)
    text = str(score).strip() if number or isinstance(score, str) else ""
    text = text.replace(MINUS, "-")
    digits = _PRINTED.fullmatch(text)
    if digits is None or not math.isfinite(float(text)):
        raise InputError(
            f"score: expected a number as it was printed, such as 40.13; got {score!r}"
        )
    value, decimals = float(text), len(digits[2] or digits[3] or "")
    readings = [(value, decimals)]
    if declared.most == 100 and 0 <= value <= 1 and decimals:  # a share of it
        readings.append((100 * value, decimals - 2))
    if declared.most == 1 and value > 1:  # percent of it
        readings.append((value / 100, decimals + 2))
    return [
        (number, max(0.5 * 10.0**-decimals, EQUAL), max(decimals, 0))
        for number, decimals in readings
    ]


def ratios(value: float, readings: Sequence[tuple[float, float, int]]) -> list[float]:
    """Return the differences from readings of a printed score, in rounding units.

    It is 1 for a score that was cut instead of rounded.
    """
    differences = []
    for number, half, _ in readings:
        ratio = max(abs(value - number) - EQUAL, 0) / half
        cut = abs(value) >= abs(number) and abs(value - number) + EQUAL < 2 * half
        differences.append(min(ratio, 1) if cut else ratio)
    return differences


@functools.cache
def table(name: str) -> list[Row]:
    """Read a file of this folder."""
    text = resources.files("textsimp.scoring").joinpath(f"{name}.csv").read_text("utf-8")
    return [*csv.DictReader(text.splitlines())]


def family(row: Row) -> Row:
    """Return the row of ``formulas.csv`` for a row's formula, whatever the case; or none."""
    base = row.get("formula", "").partition(":lowercase=")[0]
    return next((formula for formula in table("formulas") if formula["formula"] == base), {})


def read_formula(row: Row) -> str:
    """Return the metric that gives a row's number, in its notation; or "" if it is no metric."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of versions
        try:
            return str(catalogue.metric(row.get("signature") or row["formula"]))
        except InputError:
            return ""


def describe(row: Row) -> str:
    """Return what a number is, in a sentence without its end."""
    if "signature" in row:
        what = "{value} is what {system} ({paper}) has on {test_set} by {signature}"
        return what.format(**row)
    how = row["formula"] + (f" after {row['prepared']}" if row["prepared"] else "")
    how = f"{family(row)['name']} ({how})" if family(row) else how
    by = {"no": f"not reproduced: the nearest is {row['value']}, by ", "yes": "by "}
    how = f"{by.get(row['equal'], 'cut instead of rounded, by ')}{how}"
    usual = row["formula"] in ("sari", "bleu")
    today = "" if usual else f"by today's default it is {row['default']}"
    what = "{printed} is the {metric} of {system} on {test_set} in {paper}".format(**row)
    return "; ".join(filter(None, [f"{what}, {how}", today, row["note"]]))


def look_up(score: str | float, metrics: Sequence[str] = ()) -> list[Row]:
    """Return the rows, of some metrics or all, that print a number, the exact ones first.

    It may have fewer or more decimals, rounded or cut, and may be a share. Those of published
    outputs, as ``--published`` shows them, come last.

    >>> print(describe(look_up("27.37")[0]))  # doctest: +ELLIPSIS
    27.37 is the SARI of Dress on Newsela in Zhang & Lapata 2017, by STAR (sari:variant=star); ...
    """
    readings = [
        (number, max(half, 0.0005), decimals)  # the file has three decimals
        for number, half, decimals in parse_score(score, Score("", "", ""))
    ]
    matches = []
    for row in table("published"):
        values = [row["printed"], *([] if row["equal"] == "no" else [row["value"]])]
        ratio = min(min(ratios(float(value), readings)) for value in values)
        if ratio <= 1 and (not metrics or row["formula"].split(":")[0] in metrics):
            matches.append((ratio, row))
    printed = [row for _, row in sorted(matches, key=lambda pair: pair[0])]
    systems = {(row["system"], row["test_set"]) for row in printed}
    precise = [reading for reading in readings if reading[2] >= PLACES]
    field = [
        row
        for row in (table("field") if precise else ())
        if min(ratios(round(float(row["value"]), PLACES), precise)) <= 1
        and (not metrics or row["signature"].split("|")[0] in metrics)
        and (row["system"], row["test_set"]) not in systems
    ]
    return printed + field


# Published systems beside others ------------------------------------------------------------------


def digest(sources: Sequence[str], references: Sequence[Sequence[str]]) -> str:
    """Return what identifies texts, in any order of references."""
    rows = [[source, *sorted(row)] for source, row in zip(sources, references, strict=True)]
    texts = [" ".join(text.split()) for row in rows for text in row]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def bare(signature: str) -> str:
    """Return a signature without the versions of this package and sacrebleu."""
    return re.sub(r"\|(v|version):[^|]*", "", signature)


def find_field(
    examples: Examples | None,
    scores: Mapping[str, Mapping[str, Scores]],
    own: Collection[str],
    confidence: float = 0.95,
) -> tuple[dict[str, dict[str, Value]], str]:
    """Return system → metric → published score by the signatures of scores, and a line on them.

    ``scores`` are metric → system → its scores, ``own`` the user's systems. A published system with
    all scores of one of them is left out, as the same.
    """
    shared = {} if examples is None else examples.shared
    sources = shared.get("sources") or []
    texts = digest(sources, shared.get("references") or [[]] * len(sources))
    sets = {row["digest"]: row["test_set"] for row in table("test_sets")}
    if texts not in sets:
        names = "; ".join(sets.values())
        return {}, (
            f"No published scores: sources and references aren't those of {names}, or are another "
            "version of them"
        )
    name = sets[texts]
    signatures = {metric: next(iter(of.values())).signature for metric, of in scores.items()}
    metrics = {bare(signature): metric for metric, signature in signatures.items()}
    first = next(iter(signatures), "")  # by which systems are ranked
    field: dict[str, dict[str, Value]] = {}
    alike: dict[str, set[str]] = {}  # published system → the user's systems with its scores
    for row in table("field"):
        metric = metrics.get(row["signature"])
        if row["test_set"] == name and metric is not None:
            system, bounds = f"{row['system']} ({row['paper']})", None
            if row["low"] and confidence == 0.95:
                bounds = [float(row["low"]), float(row["high"])]
            field.setdefault(system, {})[metric] = Value(float(row["value"]), bounds)
            of = scores[metric]
            same = {n for n in own if _is_equal(of[n].main.value, row["value"])}
            alike[system] = alike.get(system, same) & same
    ranked = {n: values for n, values in field.items() if first in values and not alike[n]}
    if not ranked:
        return {}, f"No published scores on {name} by {signatures.get(first, 'a score that ranks')}"
    remark = (
        f"{len(ranked)} published systems on {name}, by the same signatures; they have no p-values "
        "without their outputs, which textsimp hub outputs lists"
    )
    copies = [f"{n} is {', '.join(sorted(alike[n]))}" for n in alike if alike[n]]
    if copies:
        more = len(copies) - FEW
        rest = [f"and {more} more that are yours"] if more > 1 else copies[FEW:]
        remark += f". Left out: {'; '.join([*copies[:FEW], *rest])}"
    return dict(sorted(ranked.items(), key=lambda pair: -pair[1][first].value)), remark


def _is_equal(score: float, published: str) -> bool:
    """Whether a score is that of published outputs; two decimals may be equal by chance."""
    decimals = len(published.partition(".")[2])
    return decimals > 2 and abs(score - float(published)) < 10**-decimals


def neighbours(
    ranking: Sequence[str], own: Collection[str], published: Collection[str]
) -> list[str]:
    """Keep only those published systems of a ranking that are the nearest to one's ``own``."""
    field = [name for name in ranking if name in published]
    near: set[str] = set()
    for name in own:
        above = sum(other in published for other in ranking[: ranking.index(name)])
        near |= {*field[max(0, above - NEIGHBOURS) : above + NEIGHBOURS]}
    return [name for name in ranking if name not in published or name in near]
