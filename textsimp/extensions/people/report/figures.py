"""Figures of people's ratings: metrics against them, and how well metrics agree with them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.core.examples import Examples
from textsimp.corpora.tables import read_table
from textsimp.extensions.people.judgements import coefficients
from textsimp.extensions.people.judgements.correlation_results import Agreement
from textsimp.extensions.people.report.ratings import PREFIX
from textsimp.report import charts
from textsimp.report.chart_rows import BASELINES, Row, measure_systems, score_rows
from textsimp.report.charts import Axis, Chart
from textsimp.report.figures import join_axes
from textsimp.report.measurements import check_rated
from textsimp.support.errors import InputError, check_choice
from textsimp.support.parsing import parse_json

_KEYS = frozenset({"coefficient", "value", "low", "high"})


def people(
    systems: Any, *, metrics: Any, width: str, ratings: Any = None, **arguments: Any
) -> Chart:
    """Draw scores of systems against people's mean ratings, a panel per score and criterion.

    Each row has Pearson's and Spearman's correlation of the systems in its panel. They leave out
    systems whose outputs are the sources or empty, or mostly among the references.
    """
    if not hasattr(ratings, "for_report"):
        raise InputError("ratings: expected what people.read returned; in shells --ratings FILE")
    measured = measure_systems(systems, metrics or "sari", **arguments | {"baselines": False})
    if measured.texts is None:
        raise InputError("systems: expected texts for the kind 'people'")
    check_rated(measured.texts)
    outputs = {name: measured.texts.predictions(name) for name in measured.texts.systems}
    measured = replace(measured, kinds={**measured.kinds, **_find_writers(measured.texts)})
    names = {name: name for name in outputs}
    reported = ratings.for_report(measured.sources(), outputs, names, **measured.sampling)
    rows, panels, scores = list[Row](), {}, score_rows(measured)
    for key in reported.metrics:
        compared, criterion = reported.compare(key, {}), key.removeprefix(PREFIX)
        rated = []
        for name, own in compared.systems.items():
            low, high = own.main.interval
            value = own.main.value
            rated.append(measured.row(name, metric=key, value=value, low=low, high=high))
        title = compared.main.title + charts.ARROWS[compared.main.better]
        for metric, axis in measured.axes().items():
            both = join_axes([*scores, *rated], [metric, key])
            panel = f"{metric}, {criterion}"
            rows += [{"panel": panel, **row, **_correlate(both)} for row in both]
            panels[panel] = axis, Axis(title, compared.main.most == 1)
    return charts.scatter(rows, panels, {"column": 1, "page": 2}[width])


def _find_writers(texts: Examples) -> dict[str, str]:
    """Return name → kind of systems that may have written references, as ``meta`` finds them."""
    writers = {}
    for name in texts.systems if texts.references else ():
        pairs = [*zip(texts.predictions(name), texts.references or (), strict=True)]
        if 2 * sum(output in references for output, references in pairs) > len(pairs):
            writers[name] = "references"
    return writers


def _correlate(rows: Sequence[Row]) -> dict[str, float]:
    """Return Pearson's r and Spearman's ρ of systems; none of fewer than three."""
    own = [row for row in rows if row["kind"] == "system"]
    if len(own) < 3:
        return {}
    x, y = (np.array([row[side] for row in own]) for side in "xy")
    ones = np.ones((1, len(own)))
    r, rho = coefficients.pearson(x, y, ones), coefficients.spearman(x, y, ones)
    return {"pearson": r.item(), "spearman": rho.item()}


def trust(
    systems: Any,
    *,
    metrics: Any = None,
    width: str,
    level: str = "outputs",
    coefficient: str = "pearson",
    **arguments: Any,
) -> Chart:
    """Draw how well metrics agree with people, a panel per test set.

    Scores called ``copy`` or ``empty`` stand apart, as baselines.

    Args:
        systems: Set → an `Agreement` or its records, or a .csv or .json file of ``textsimp meta``.
            Records with ``set`` may be of several sets.
        metrics: Those to draw, as they are called there; by default all.
        width: ``"column"`` or ``"page"``.
        level: One of ``outputs``, ``within_items``, ``within_systems`` and ``systems``.
        coefficient: Such as ``pearson``.
        **arguments: Others of `textsimp.figure`, which has no use for them.
    """
    rows = []
    for name, results in (systems if isinstance(systems, Mapping) else {"": systems}).items():
        for record in _records(results):
            ends = {key: _number(record[key]) for key in ("value", "low", "high")}
            wanted = record.get("level", level) == level and record["coefficient"] == coefficient
            if wanted and None not in ends.values():
                label = str(record.get("metric", record.get("score")))
                kind = "baseline" if label.lower() in BASELINES else "system"
                row = {"metric": record.get("set", name), "label": label, "kind": kind}
                rows.append(row | ends)
    if not rows:
        raise InputError(f"expected {coefficient} of {level} with intervals, got none")
    labels = [*dict.fromkeys(row["label"] for row in rows)]
    for metric in metrics or ():
        check_choice("metrics", metric, labels)
    shown = sorted(metrics or labels, key=lambda label: label.lower() in BASELINES)
    rows = [row for row in rows if row["label"] in shown]
    title = {"pearson": "r", "spearman": "ρ", "kendall": "τ"}.get(coefficient, coefficient)
    axes = {row["metric"]: Axis(", ".join(filter(None, [title, row["metric"]]))) for row in rows}
    return charts.forest(rows, axes, shown, {"column": 1, "page": 3}[width], r=True)


def _records(results: Any) -> list[dict[str, Any]]:
    """Return the records of an agreement, or those in a file of ``textsimp meta``."""
    if isinstance(results, Agreement):
        return results.records()
    if not isinstance(results, (str, Path)):
        return _check("systems", [*results])
    if Path(results).suffix != ".json":
        table = read_table(results)
        return _check(str(results), table.rows(table.names))
    read = parse_json(Path(results).read_bytes())
    _check(str(results), [read], frozenset({"metrics", "system_score"}))
    return [
        {"metric": metric, "level": level, "coefficient": name, "value": of["value"]}
        | dict(zip(("low", "high"), of["interval"] or (None, None), strict=True))
        for metric, levels in read["metrics"].items()
        for level, estimates in levels.items()
        for name, of in estimates.items()
    ]


def _check(name: str, records: list[Any], keys: frozenset[str] = _KEYS) -> list[dict[str, Any]]:
    """Check that records are those of ``textsimp meta``, by their keys."""
    for record in records:
        lacking = keys.difference(record if isinstance(record, Mapping) else ())
        if lacking:
            raise InputError(
                f"{name}: expected what textsimp meta prints by --csv or --json, got a record "
                f"without {', '.join(sorted(lacking))}"
            )
    return records


def _number(value: Any) -> float | None:
    """Return a number of a record; None if there is none."""
    return None if value in (None, "") else float(value)
