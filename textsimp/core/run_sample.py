"""Several runs of a system: their names, their sample, and their scores."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from textsimp.core import draws, significance
from textsimp.core.block_sums import Blocks
from textsimp.core.declarations import Score
from textsimp.core.draws import Floats
from textsimp.core.intervals import percentiles, widen
from textsimp.core.sample import Numbers, Sample
from textsimp.core.scores import Value

if TYPE_CHECKING:
    from textsimp.core.metric import Metric


@dataclass(frozen=True, eq=False)
class RunSample(Sample):
    """Several runs of one system; its numbers are means of theirs.

    A row has the statistics of each run beside each other, then a 1 for each run, whose sums are
    the runs' weights. Intervals draw examples, and weights of each system's runs apart. The
    permutation test swaps examples with their means over runs, so it is about these runs.
    """

    runs: Sequence[Sample] = ()

    @classmethod
    def of(cls, runs: Sequence[Sample]) -> RunSample:
        """Join the samples of runs, which have the same examples and reduction."""
        reduce, many = runs[0].reduce, len(runs)

        def mean(totals: Floats) -> Numbers:
            weights = totals[..., -many:] / totals[..., -many:].sum(axis=-1, keepdims=True)
            numbers: dict[str, Floats] = {}
            for i, part in enumerate(np.split(totals[..., :-many], many, axis=-1)):
                for name, values in reduce(part).items():
                    weight = weights[..., i]
                    weight = weight[..., None] if values.ndim > weight.ndim else weight
                    numbers[name] = numbers.get(name, 0.0) + weight * values
            return numbers

        blocks = runs[0].blocks
        ones = np.ones(len(runs[0].rows)) if blocks is None else blocks.counts
        rows = np.hstack([*(run.rows for run in runs), np.tile(ones[:, None], many)])
        return cls(rows, mean, runs=runs, blocks=blocks)

    @property
    def paired(self) -> Sample:
        """The sample of statistics that are means over runs, example by example."""
        rows, blocks = np.stack([run.rows for run in self.runs]), self.blocks
        if blocks is not None and not self.has_gaps:  # these sums are alike, whatever rows are of
            rows, sizes = np.stack([run.drawn[0] for run in self.runs]), self.runs[0].drawn[1]
            blocks = Blocks(np.arange(rows.shape[1]), np.asarray(sizes), blocks.extent)
        present = (~np.isnan(rows)).sum(axis=0)
        with np.errstate(invalid="ignore"):
            means = np.nansum(rows, axis=0) / present
        return Sample(means, self.runs[0].reduce, blocks=blocks)

    def interval(self, *, confidence: float, resamples: int, seed: int) -> dict[str, Any]:
        """Return name → percentile interval, wider the fewer runs there are."""
        drawn = self.resample(resamples=resamples, seed=seed)
        ends = {}
        for name, value in self.value().items():
            wider = widen(drawn[name], value, [self.of_runs(name)], confidence)
            ends[name] = percentiles(wider, confidence, self.size)
        return ends

    def of_runs(self, name: str) -> tuple[Floats, int]:
        """Return the variance of a number's mean over runs, and its degrees of freedom."""
        values, degrees = [run.value()[name] for run in self.runs], len(self.runs) - 1
        return np.var(values, axis=0, ddof=1) / len(values), degrees

    def keep(self, both: NDArray[np.bool_]) -> RunSample:
        """Return the sample without the statistics of units, (units, k), that aren't in both."""
        return RunSample.of([run.keep(both) for run in self.runs])

    def present(self) -> NDArray[np.bool_]:
        """Return (units, k): which statistics any run has."""
        present: NDArray[np.bool_] = np.any([run.present() for run in self.runs], axis=0)
        return present

    def weigh(self, totals: Floats, resamples: int, seed: int) -> None:
        """Draw the weights of runs into (resamples, k) totals."""
        stream = zlib.crc32(self.sums.tobytes())
        totals[:, -len(self.runs) :] *= draws.draw_runs(len(self.runs), resamples, seed, stream)


def add_runs(
    metric: Metric, means: Mapping[str, Value], sample: RunSample, confidence: float | None
) -> dict[str, Value]:
    """Add the scores of runs to means over them; with confidence intervals hold their spread."""
    numbers = [run.value() for run in sample.runs]
    values = {}
    for name, mean in means.items():
        runs = [metric.fill(own[name]).tolist() for own in numbers]
        values[name] = replace(mean, runs=runs)
        if confidence is not None and mean.interval is not None:
            spread = significance.spread(runs, confidence)
            interval = _hold(mean.interval, mean.value, spread, metric.find_score(name))
            values[name] = replace(mean, runs=runs, spread=spread, interval=interval)
    return values


def _hold(interval: list[Any], value: Any, spread: Any, score: Score) -> list[Any]:
    """Return an interval of examples and runs, no narrower than that of runs alone.

    It has only numbers that the score can be.
    """
    if isinstance(value, list):
        return [_hold(*one, score) for one in zip(interval, value, spread, strict=True)]
    low, high = min(interval[0], value - spread), max(interval[1], value + spread)
    if score.least is not None:
        low = max(low, score.least)
    if score.most is not None:
        high = min(high, score.most)
    return [low, high]


def run_names(name: str, number: int) -> list[str]:
    """Return the names of the runs of a system.

    >>> run_names("ours", 2)
    ['ours (run 1)', 'ours (run 2)']
    """
    return [f"{name} (run {i})" for i in range(1, number + 1)]


def rename_runs(
    groups: Mapping[str, Sequence[str]],
    runs: Mapping[str, Sequence[str]],
    names: Mapping[str, str],
) -> tuple[dict[str, str], dict[str, Sequence[str]]]:
    """Return the new name of each run, and ``runs``, for new names of systems.

    >>> several = {"ours": ["ours (run 1)", "ours (run 2)"]}
    >>> rename_runs(several, several, {"ours": "A"})[0]
    {'ours (run 1)': 'A (run 1)', 'ours (run 2)': 'A (run 2)'}
    """
    renamed: dict[str, Sequence[str]] = {}
    new: dict[str, str] = {}
    for name, own in groups.items():
        target = names.get(name, name)
        if name in runs:
            renamed[target] = run_names(target, len(own))
        new |= zip(own, renamed.get(target, [target]), strict=True)
    return new, renamed
