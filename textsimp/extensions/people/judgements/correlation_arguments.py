"""Arguments of `people.judgements`, checked: tables, columns of names and scores, metrics."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from textsimp.core import columns, examples
from textsimp.core.cells import quantity
from textsimp.core.declarations import REFERENCES, SOURCES, Column
from textsimp.core.examples import UNNAMED_SYSTEM, Examples
from textsimp.core.metric import COLUMNS, Floats, Metric
from textsimp.extensions.people.judgements.judgements import Judgements
from textsimp.metrics import catalogue
from textsimp.support.errors import InputError, check_choice, listed
from textsimp.support.names import trim

References = Literal["without_output", "as_given"]
Chosen = Mapping[str, tuple[Metric, str]]  # label → a metric, and which of its scores


def read_scores(values: Any) -> dict[str, Any]:
    """Return name → checked scores (n,); those of a list are called ``scores``."""
    named = read_table(values) if _is_table(values) else {"scores": values}
    if not named:
        raise InputError("scores: expected a list of numbers or a mapping to these, got none")
    named = {str(name): np.array(columns.numbers(rows, name)) for name, rows in named.items()}
    columns.check_lengths(**named)
    return named


def read_ids(column: Any, name: str) -> list[Any]:
    """Check a column of names or numbers of items or systems."""
    rows = columns.plain_rows(column, name, "a list with a name or number per row")
    for i, row in enumerate(rows):
        legal = isinstance(row, (str, int, float, np.number)) and not isinstance(row, bool)
        if not legal or columns.is_missing(row) or not trim(row):
            raise columns.bad_row(i, name, "a name or number", row)
    return [trim(row) if isinstance(row, str) else row for row in rows]


def read_table(rows: Any) -> dict[str, Any]:
    """Return name → column, of judgements, a mapping to columns, a table, or a list of dicts."""
    if isinstance(rows, Judgements):
        return dict(rows.by_output())
    if isinstance(rows, Mapping):
        return dict(rows)
    if _is_table(rows):
        return {name: rows[name] for name in getattr(rows, "column_names", None) or rows.columns}
    plain = columns.plain_rows(rows, "rows", "a list of dicts, a table, or columns by name")
    for i, row in enumerate(plain):
        if not isinstance(row, Mapping):
            raise columns.bad_row(i, "rows", "a dict", row)
        if {*row} != {*plain[0]}:
            expected = f"expected the columns of row 0, {listed(plain[0])}, got {listed(row)}"
            raise InputError(f"row {i} of rows (counted from 0): {expected}")
    return {name: [row[name] for row in plain] for name in plain[0]}


def _is_table(value: Any) -> bool:
    """Whether columns have names: a mapping, or a table of datasets, Arrow or pandas."""
    return isinstance(value, Mapping) or hasattr(value, "column_names") or hasattr(value, "columns")


def find_column(table: Mapping[str, Any], name: Any, argument: str) -> Any:
    """Return a column of a table."""
    check_choice(argument, name, list(table))
    return table[name]


def find_ids(table: Mapping[str, Any], name: str | None, argument: str) -> list[Any] | None:
    """Return a checked column of ids by its name, or the one called like the argument, if any."""
    if name is None and argument not in table:
        return None
    name = argument if name is None else name
    return read_ids(find_column(table, name, argument), name)


def find_scores(table: Mapping[str, Any], names: Sequence[str]) -> dict[str, Floats]:
    """Return checked columns of scores by their names."""
    chosen = {name: find_column(table, name, "score_columns") for name in names}
    return {name: np.array(columns.numbers(column, name)) for name, column in chosen.items()}


def find_sources(table: Mapping[str, Any]) -> list[str] | None:
    """Return the checked column of sources, if there is one."""
    name = _find_name(SOURCES, table)
    return None if name is None else columns.texts(table[name], name)


def _find_name(column: Column, table: Mapping[str, Any]) -> str | None:
    """Return the name by which a table has a column."""
    return next((name for name in column.usual_names if name in table), None)


def read_metrics(metrics: Any, argument: str = "metrics") -> dict[str, tuple[Metric, str]]:
    """Return label → a metric, and the name of one of its scores, "" for the main one.

    A label has no options that signatures leave out, unless two metrics would have the same.
    """
    if isinstance(metrics, Mapping):
        pairs = {str(n): m if isinstance(m, tuple) else (m, "") for n, m in metrics.items()}
        if pairs and all(isinstance(metric, Metric) for metric, *_ in pairs.values()):
            return pairs
    choices = catalogue.read(metrics, argument)
    labels = [_shorten(choice) for choice in choices]
    chosen: dict[str, tuple[Metric, str]] = {}
    for choice, short in zip(choices, labels, strict=True):
        label = short if labels.count(short) == 1 else choice.label()
        if label in chosen:
            raise InputError(f"{argument}: expected different metrics, got {label} twice")
        chosen[label] = choice.make(), choice.score
    if not chosen:
        raise InputError(f"{argument}: expected one of {', '.join(catalogue.names())}, got none")
    return chosen


def _shorten(choice: Any) -> str:
    """Return the notation without what signatures leave out, such as the address of a server."""
    metric = choice.make()
    left_out = {option.name for option in metric.declared_options() if not option.tag}
    options = {name: x for name, x in metric.given_options().items() if name not in left_out}
    label: str = replace(choice, options=options, defaults={}, metric=None).label()
    return label


def find_baseline(baseline: Any, names: Sequence[str], chosen: Chosen) -> Any:
    """Return the name of the baseline, which may be written in another way."""
    if isinstance(baseline, str) and baseline not in names:
        choices = catalogue.read(baseline, "baseline")
        wanted = [(choice.make(), choice.score) for choice in choices]
        labels = [label for label, metric in chosen.items() if [metric] == wanted]
        baseline = labels[0] if labels else choices[0].label()
    if baseline is not None:
        check_choice("baseline", baseline, list(names))
    return baseline


def read_examples(
    chosen: Chosen, table: Mapping[str, Any], outputs: Mapping[str, str] | None = None
) -> tuple[Examples, dict[str, tuple[Metric, str]]]:
    """Return the texts that metrics read, and the metrics with the names of their scores.

    A row without references has the empty one. ``outputs``: system → its column.
    """
    metrics = [metric for metric, _ in chosen.values()]
    shared: dict[str, Any] = {}
    system_columns: dict[str, Any] = {}
    for column in examples.columns_of(metrics).values():
        name = _find_name(column, table)
        if name is not None:
            (system_columns if column.own else shared)[column.name] = table[name]
    if REFERENCES.name in shared:
        shared[REFERENCES.name] = _fill_references(shared[REFERENCES.name])
    systems: dict[str, Any] = {UNNAMED_SYSTEM: system_columns}
    if outputs is not None:
        systems = {system: find_column(table, name, system) for system, name in outputs.items()}
    named = {}
    for label, (metric, key) in chosen.items():
        keys = metric.output_scores([column for column in COLUMNS if column in shared])
        if key:
            check_choice(f"score of {metric}", key, keys)
        named[label] = metric, key or keys[0]
    return examples.check(metrics, systems, shared), named


def _fill_references(column: Any) -> list[list[Any]]:
    rows = columns.plain_rows(column, "references", "a list with a list of strings per row")
    lists = [columns.plain_list(row) if columns.is_sequence(row) else [row] for row in rows]
    return [[""] if all(map(columns.is_missing, row)) else row for row in lists]


def drop_outputs(
    examples: Examples,
    rows: Sequence[int],
    systems: Sequence[Any] | None,
    how: References,
    what: str,
) -> tuple[Examples, Sequence[int], list[str]]:
    """Leave out references that equal the output, then rows without any; return notes on them."""
    if examples.references is None:
        return examples, rows, []
    outputs = zip(*(examples.predictions(system) for system in examples.systems), strict=True)
    pairs = [*zip(outputs, examples.references, strict=True)]
    missing = {i for i, (_, row) in enumerate(pairs) if not any(row)}
    others = [[text for text in row if text not in shown] for shown, row in pairs]
    fewer = [len(rest) < len(row) for rest, (_, row) in zip(others, pairs, strict=True)]
    equal = [i for i, is_fewer in enumerate(fewer) if is_fewer and i not in missing]
    verb = "kept" if how == "as_given" else "left out"
    note = f"{quantity(len(equal), what)} equal to a reference, which was {verb}"
    notes = [note] if equal else []
    counts = Counter(systems or ())
    for system, n in Counter(systems[i] for i in equal if systems).items():
        if 2 * n > counts[system]:
            part = f"{n:,} of {counts[system]:,} outputs of {system}"
            notes.append(f"{part} are among the references: it may be who wrote them")
    notes += note_left_out(len(missing), what, "a reference")
    kept = [i for i in rows if i not in missing]
    if how == "without_output":
        alone = [i for i in kept if not others[i]]
        notes += note_left_out(len(alone), what, "another reference")
        kept = [i for i in kept if others[i]]
        examples = Examples({**examples.shared, REFERENCES.name: others}, examples.systems)
    if not kept:
        raise InputError("references: expected one that isn't the output, got none in any row")
    return examples, kept, notes


def sign(chosen: Chosen, examples: Examples) -> dict[str, str]:
    """Return the signature of each metric."""
    return {name: metric.signature(examples.references) for name, (metric, _) in chosen.items()}


def note_left_out(n: int, what: str, lack: str) -> list[str]:
    """Return a note on rows that were left out, if there are any."""
    return [f"left out: {quantity(n, what)} without {lack}"] if n else []
