"""Numbers that papers printed: which formula gives each, and what the same output has today.

``published.csv`` has them, a `Row` each, and docs/published.md shows them and says what the columns
are. ``formulas.csv`` has what formulas of SARI are called, and what they compare with.
``field.csv`` has scores of published outputs, and ``test_sets.csv`` digests of their test sets.
"""

import csv
import functools
import hashlib
import re
from collections.abc import Mapping, Sequence
from importlib import resources

from textsimp.core.declarations import Score
from textsimp.core.scores import Value
from textsimp.scoring.printed_scores import parse_score, ratios

Row = dict[str, str]  # numbers, too, as they are written in the file


@functools.cache
def table(name: str) -> list[Row]:
    """Read a file of this folder."""
    text = resources.files("textsimp.scoring").joinpath(f"{name}.csv").read_text("utf-8")
    return [*csv.DictReader(text.splitlines())]


def family(row: Row) -> Row:
    """Return the row of ``formulas.csv`` for a row's formula, whatever the case; or none."""
    base = row["formula"].partition(":lowercase=")[0]
    return next((one for one in table("formulas") if one["formula"] == base), {})


def describe(row: Row) -> str:
    """Return what a printed number is, in a sentence without its end."""
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

    It may have fewer or more decimals, rounded or cut, and may be a share.

    >>> print(describe(look_up("27.37")[0]))  # doctest: +ELLIPSIS
    27.37 is the SARI of Dress on Newsela in Zhang & Lapata 2017, by STAR (sari:variant=star); ...
    """
    readings = [
        (number, max(half, 0.0005), decimals)  # values are known to three decimals
        for number, half, decimals in parse_score(score, Score("", "", ""))
    ]
    found = []
    for row in table("published"):
        values = [row["printed"], *([] if row["equal"] == "no" else [row["value"]])]
        ratio = min(min(ratios(float(value), readings)) for value in values)
        if ratio <= 1 and (not metrics or row["formula"].split(":")[0] in metrics):
            found.append((ratio, row))
    return [row for _, row in sorted(found, key=lambda pair: pair[0])]


# The field beside systems of one's own ------------------------------------------------------------


def digests(sources: Sequence[str], references: Sequence[Sequence[str]]) -> tuple[str, str]:
    """Return what identifies texts, in any order of references; and sources in any version."""
    rows = [[source, *sorted(row)] for source, row in zip(sources, references, strict=True)]
    exact = [" ".join(text.split()) for row in rows for text in row]
    plain = [re.sub(r"-[lr]rb-|[\W_]", "", source.lower()) for source in sources]
    one, other = (hashlib.sha256("\n".join(texts).encode()).hexdigest() for texts in (exact, plain))
    return one[:16], other[:16]


def bare(signature: str) -> str:
    """Return a signature without the versions of this package and sacrebleu."""
    return re.sub(r"\|(v|version):[^|]*", "", signature)


def find_field(
    sources: Sequence[str] | None,
    references: Sequence[Sequence[str]] | None,
    signatures: Mapping[str, str],
    confidence: float = 0.95,
) -> tuple[dict[str, dict[str, Value]], str]:
    """Return system → metric → published score by these signatures, and a line on them."""
    own, plain = digests(sources or [], references or [[]] * len(sources or []))
    sets = {row["test_set"]: (row["digest"], row["sources"]) for row in table("test_sets")}
    name = next((name for name, (digest, _) in sets.items() if digest == own), "")
    if not name:
        of = [name for name, (_, sources) in sets.items() if sources == plain]
        other = "another version of" if of else "other texts than"
        these = f"{other} {'; '.join(of or sets)}, as it is known here"
        differ = ", and their SARI differs by up to 1" * bool(of)
        return {}, f"No published scores: sources and references are {these}{differ}"
    metrics = {bare(signature): metric for metric, signature in signatures.items()}
    first = next(iter(signatures), "")  # by which systems are ranked
    found: dict[str, dict[str, Value]] = {}
    for row in (row for row in table("field") if row["test_set"] == name):
        if row["signature"] in metrics:
            known = row["low"] and confidence == 0.95
            bounds = [float(row["low"]), float(row["high"])] if known else None
            scores = found.setdefault(f"{row['system']} ({row['paper']})", {})
            scores[metrics[row["signature"]]] = Value(float(row["value"]), bounds)
    ranked = {system: scores for system, scores in found.items() if first in scores}
    if not ranked:
        return {}, f"No published scores on {name} by {signatures.get(first, 'a score that ranks')}"
    found = dict(sorted(ranked.items(), key=lambda pair: -pair[1][first].value))
    return found, (
        f"{len(found)} published systems on {name}, by the same signatures; they have no p-values "
        "without their outputs, which textsimp hub outputs lists"
    )
