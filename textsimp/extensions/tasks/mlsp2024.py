"""MLSP-2024: lexical simplification and complexity in ten languages (Shardlow et al. 2024)."""

import csv
import math
import warnings
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from textsimp.core.metric import Floats, divide
from textsimp.core.sample import Sample
from textsimp.corpora.row_ids import cover
from textsimp.corpora.text_files import shown
from textsimp.extensions.tasks import substitutes
from textsimp.extensions.tasks.task import Run, Task
from textsimp.metrics.lexical_substitution import LexicalSubstitution
from textsimp.support.errors import InputError
from textsimp.support.parsing import parse_number

_TABLE = (
    *("ACC@1@Top1", "ACC@2@Top1", "ACC@3@Top1", "Potential@1", "Potential@3", "Potential@5"),
    *("Potential@10", "MAP@3", "MAP@5", "MAP@10"),
)
Language = Literal["ca", "en", "fil", "fr", "de", "it", "ja", "pt", "si", "es"]
_DROPPED = ("fr_150", "fr_513", "pt_600", "pt_579")  # from both files
_LEAST_SPREAD = 1e-12  # squared; of less there is no correlation


class _Value(NamedTuple):
    """A row of a file of complexity."""

    id: str
    number: float
    line: int


def measure(
    gold: str,
    predictions: str,
    *,
    track: Literal["ls", "lcp"] = "ls",
    prefix: Language | None = None,
) -> Run:
    """Score a run of a track.

    Args:
        gold: The file of gold.
        predictions: The file of the run.
        track: Lexical simplification, or complexity prediction.
        prefix: Of lcp: the language, as ids begin. Default: all rows.
    """
    if track == "lcp":
        return measure_complexity(gold, predictions, prefix)
    if prefix is not None:
        raise InputError(f"prefix: expected none for track='ls', got {prefix!r}")
    metric = LexicalSubstitution.preset("mlsp2024")
    return substitutes.measure(gold, predictions, metric, _TABLE, decimals=6, strip_keys=True)


def measure_complexity(gold: str, predictions: str, prefix: str | None) -> Run:
    """Score a run of lexical complexity prediction: rows are joined by id."""
    gold_rows, rows = _read(gold, prefix), _read(predictions, prefix)
    truths = {row.id: row for row in gold_rows}  # of a repeated id the last counts
    guesses = {row.id: row for row in rows}
    for key, row in truths.items():
        if key not in guesses:
            message = f"{shown(predictions)}: no row has the id {key!r}, as {shown(gold)} has"
            raise InputError(f"{message}, line {row.line}")
        for path, value in ((gold, row), (predictions, guesses[key])):
            if not math.isfinite(value.number):
                message = f"{shown(path)}, line {value.line}: expected a finite number, got"
                raise InputError(f"{message} {value.number}")
    if len(truths) < 2:
        raise InputError(f"{shown(gold)}: expected at least two instances, got {len(truths)}")
    expected = np.array([row.number for row in truths.values()])
    predicted = np.array([guesses[key].number for key in truths])
    exact = score_numbers(expected, predicted)
    sample = Sample(_statistics(expected, predicted), _reduce)
    coverage = cover(
        [row.id for row in gold_rows],
        [row.id for row in rows],
        scored=len(truths),
        lines=([row.line for row in gold_rows], [row.line for row in rows]),
    )
    return Run.of_sample([*exact], sample, coverage, [*truths], counts=exact, decimals=6)


def _read(path: str, prefix: str | None) -> list[_Value]:
    """Read ids and numbers of tab-separated CSV: the first and fifth column, or of two both."""
    reader = csv.reader(substitutes.read_text(path), delimiter="\t")
    rows: list[_Value] = []
    line = 1
    try:
        for cells in reader:
            number = _number(cells, f"{shown(path)}, line {line}")
            if cells[0] not in _DROPPED and cells[0].startswith(prefix or ""):
                rows.append(_Value(cells[0], number, line))
            line = reader.line_num + 1  # a quotation mark may join lines
    except csv.Error as error:  # such as a field that is too long, after a quotation mark
        raise InputError(f"{shown(path)}, line {line}: bad CSV: {error}") from None
    return rows


def _number(cells: Sequence[str], where: str) -> float:
    if len(cells) < 5 and len(cells) != 2:
        raise InputError(
            f"{where}: expected id, language, sentence, word and a number, with tabs between, "
            f"got {len(cells)} cells"
        )
    cell = cells[4] if len(cells) > 2 else cells[1]
    try:
        return parse_number(cell)
    except ValueError:
        raise InputError(f"{where}: expected a number, got {cell!r}") from None


def score_numbers(expected: Floats, predicted: Floats) -> dict[str, float]:
    """Return the official numbers. The last bit of correlations differs between processors."""
    from scipy import stats

    errors = expected - predicted
    spread = np.square(expected - expected.mean()).sum()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", stats.ConstantInputWarning)
        numbers = {
            "pearson": stats.pearsonr(expected, predicted)[0],
            "spearman": stats.spearmanr(expected, predicted)[0],
            "mae": np.abs(errors).mean(),
            "mse": np.square(errors).mean(),
            "r2": 1 - np.square(errors).sum() / spread,
        }
    return {name: float(number) for name, number in numbers.items()}


def _statistics(expected: Floats, predicted: Floats) -> Floats:
    """(n, 8) what sums for `_reduce` are made of, centred so that little is cancelled."""
    x, y, errors = expected - expected.mean(), predicted - predicted.mean(), expected - predicted
    return np.stack([np.ones_like(x), x, y, x * x, y * y, x * y, np.abs(errors), errors**2], 1)


def _reduce(totals: Floats) -> dict[str, Floats]:
    """Numbers of resamples: (..., 8) → (...). Spearman's ranks have no sums."""
    n, x, y, xx, yy, xy, absolute, squared = np.moveaxis(totals, -1, 0)
    n = np.maximum(n, 1)
    spread, other = xx - x * x / n, yy - y * y / n
    both = np.where((spread > _LEAST_SPREAD) & (other > _LEAST_SPREAD), spread * other, 0)
    return {
        "pearson": np.clip(divide(xy - x * y / n, np.sqrt(both), math.nan), -1, 1),
        "mae": absolute / n,
        "mse": squared / n,
        "r2": 1 - divide(squared, np.where(spread > _LEAST_SPREAD, spread, 0), math.nan),
    }


TASK = Task(
    name="mlsp2024",
    years=(2024,),
    title="MLSP-2024",
    url="https://aclanthology.org/2024.bea-1.51",
    scores="ls, ranked substitutes of complex words: ACC@K@Top1, Potential@K, MAP@K; or lcp, the "
    "complexity of words: Pearson, Spearman, MAE, MSE, R²",
    gold=f"{substitutes.FILES}, one per annotator; of lcp id, language, sentence, word, complexity",
    predictions=f"{substitutes.FILES}, the best first; of lcp as gold, or id and complexity",
    measure=measure,
    endings=(".tsv", ".txt"),
)
