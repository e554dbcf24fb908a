"""Substitutes of complex words in the files of TSAR-2022 and MLSP-2024, scored as there."""

import functools
import io
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from textsimp.core.metric import Floats
from textsimp.core.sample import Sample
from textsimp.corpora.row_ids import cover, fold
from textsimp.corpora.text_files import decode, read_bytes, shown
from textsimp.extensions.tasks.task import Run
from textsimp.metrics.lexical_substitution import TITLES, Gold, LexicalSubstitution, key_of
from textsimp.support.errors import InputError

FILES = "TSV without a header: sentence, complex word, substitutes"

_JOINT = "__"  # between sentence and target in the official scripts' keys


class _Line(NamedTuple):
    """A line of a file: an instance and its substitutes."""

    key: str
    target: str
    items: list[str]


def measure(
    gold: str,
    predictions: str,
    metric: LexicalSubstitution,
    printed: Sequence[str],
    *,
    decimals: int = 4,
    strip_keys: bool = False,
) -> Run:
    """Score a run as the official script does; intervals and tests are of all instances of gold.

    ``printed`` are the names of the official table. With ``strip_keys`` sentences and targets match
    without double quotes, and without spaces around.
    """
    gold_lines = _read(gold, strip_keys)
    lines = _read(predictions, strip_keys)
    if not lines:
        raise InputError(f"{shown(predictions)} is empty: expected an instance per line")
    instances = {line.key: line for line in gold_lines}  # of repeated instances the last counts
    run = {line.key: line for line in lines}
    prepared = _prepare(metric, instances)
    for i, line in enumerate(lines, 1):
        if problem := _problem(line, prepared, gold):
            raise InputError(f"{shown(predictions)}, line {i}: {problem}")
    rows = metric.statistics(
        [prepared[key]._replace(target=line.target) for key, line in run.items()],
        [line.items for line in run.values()],
    )
    # Official sums are those of floats in the order of the run: the last bit decides what is cut.
    means = np.add.accumulate(rows)[-1, :-1] / len(rows)
    exact = {"ACC@1": float(means[0])} | dict(zip(TITLES, means.tolist(), strict=True))
    items = [run[key].items if key in run else [] for key in instances]  # missing ones are 0
    every = metric.statistics([*prepared.values()], items)
    return Run(
        # Cut after four decimals, in floating point: 0.57 becomes 0.5699.
        official={name: math.floor(exact[name] * 1e4) / 1e4 for name in (*printed, *exact)},
        exact=exact,
        coverage=cover(
            [line.key for line in gold_lines], [line.key for line in lines], scored=len(run)
        ),
        instances=[*instances],
        sample=Sample(every, functools.partial(_reduce, metric)),
        decimals=dict.fromkeys(exact, decimals),
        printed=printed,
    )


def read_text(path: str) -> list[str]:
    """Read lines as Python's `open` does: a byte order mark stays, and CR ends a line, too."""
    return [*io.StringIO(decode(read_bytes(path), path), newline=None)]


def _read(path: str, strip_keys: bool) -> list[_Line]:
    lines = []
    for i, line in enumerate(read_text(path), 1):
        cells = line.strip().split("\t")
        if len(cells) < 2:
            got = "an empty line" if not line.strip() else "one cell"
            raise InputError(
                f"{shown(path)}, line {i}: expected a sentence, a complex word and its "
                f"substitutes, with tabs between, got {got}"
            )
        key = cells[:2]
        if strip_keys:
            key = [cell.replace('"', "").strip() for cell in key]
        lines.append(_Line(_JOINT.join(key), cells[1], [cell.strip() for cell in cells[2:]]))
    return lines


def _prepare(metric: LexicalSubstitution, lines: Mapping[str, _Line]) -> dict[str, Gold]:
    targets = [line.target for line in lines.values()]
    sets = metric.prepare(None, targets, [line.items for line in lines.values()])
    return dict(zip(lines, sets, strict=True))


def _problem(line: _Line, gold: Mapping[str, Gold], path: str) -> str:
    """Return why the official script fails on a line of a run, or ""."""
    where = shown(path)
    if line.key not in gold:
        alike = any(fold(key) == fold(line.key) for key in gold)
        but = ", but for case, spaces, quotation marks, byte order mark or Unicode form"
        return f"{where} lacks this sentence with the target {line.target!r}{but if alike else ''}"
    if len(line.key.split(_JOINT)) > 2:
        return f"expected no {_JOINT!r} in sentence and target: the official script fails on it"
    if not gold[line.key].substitutes and {*line.items} - {line.target}:
        return (
            f"{where} has no substitute of {line.target!r}: the official script fails where a run "
            "has some"
        )
    return ""


def _reduce(metric: LexicalSubstitution, totals: Floats) -> dict[str, Floats]:
    scores = metric.reduce(totals)
    numbers = {title: scores[key_of(title)] for title in TITLES}
    return {"ACC@1": numbers[TITLES[0]]} | numbers
