"""Resampling the agreement of metrics with people, beside a loop over SciPy.

    OMP_NUM_THREADS=1 python benchmarks/meta.py [--items 100] [--systems 24] [--metrics 7]

The peer takes each resample's copies of the outputs and calls SciPy's ``pearsonr``, ``spearmanr``
and ``kendalltau`` on them: three of the four coefficients of one of the four levels. It is timed on
a few of the same resamples, which must agree. Scores and ratings are drawn with a seed, ratings as
means of five raters. Medians of runs that take turns.
"""

from __future__ import annotations

import argparse
import tracemalloc
from collections.abc import Callable, Iterator

import numpy as np
from scipy import stats
from timing import Row, medians, show

from textsimp import meta
from textsimp.meta import resampling

RUNS, RESAMPLES, OF_PEER = 3, 1000, 10


def study(items: int, systems: int, metrics: int) -> dict[str, object]:
    """Ratings, and scores that agree with them more or less."""
    rng = np.random.default_rng(0)
    n = items * systems
    true = np.repeat(rng.normal(size=items), systems) + np.tile(rng.normal(size=systems), items)
    ratings = np.round(true[:, None] + rng.normal(size=(n, 5)), 1)
    noise = rng.normal(size=(metrics, n)) * np.arange(1, metrics + 1)[:, None]
    return {
        "scores": {f"metric {i}": row.tolist() for i, row in enumerate(np.round(true + noise, 4))},
        "ratings": ratings.tolist(),
        "items": np.repeat(np.arange(items), systems).tolist(),
        "systems": np.tile(np.arange(systems), items).tolist(),
    }


def one_by_one(judged: resampling.Judged, over: resampling.Over) -> dict[str, np.ndarray]:
    """Coefficients over all outputs of the first resamples, (metrics, OF_PEER) each."""
    ((of_items, of_systems),) = resampling.draw(judged, over, OF_PEER, 0)
    found: dict[str, list[list[float]]] = {"pearson": [], "spearman": [], "kendall": []}
    weights = of_items[:, judged.items] * of_systems[:, judged.systems]
    drawn = [np.repeat(np.arange(len(w)), w.astype(int)) for w in weights]
    of = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
    for name, f in of.items():
        found[name] = [[f(x[d], judged.ratings[d])[0] for d in drawn] for x in judged.scores]
    return {name: np.array(values) for name, values in found.items()}


def traced(task: Callable[[], object]) -> float:
    """The most memory that Python's objects and arrays take, MB."""
    tracemalloc.start()
    task()
    most = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return most


def rows(items: int, systems: int, metrics: int) -> Iterator[Row]:
    columns = study(items, systems, metrics)
    judged = meta.correlate(**columns, confidence=None).judged  # type: ignore[arg-type]
    size = f"{items * systems:,} outputs, {metrics} metrics"
    for over in ("items", "systems", "both"):
        few = resampling.bootstrap(judged, over, OF_PEER, 0, resampling.calibrate(judged))
        for name, expected in one_by_one(judged, over).items():
            assert np.allclose(few["outputs"][name], expected, atol=1e-9), name

        def run(over: resampling.Over = over) -> object:
            return meta.correlate(**columns, over=over, resamples=RESAMPLES)  # type: ignore[arg-type]

        def loop(over: resampling.Over = over) -> object:
            return one_by_one(judged, over)

        took = medians({"loop": loop, "correlate": run}, RUNS)
        memory = traced(run) if over == "both" else None
        data = f"{size}, {RESAMPLES:,} × {over}"
        of_all = took["loop"] * RESAMPLES / OF_PEER
        peer = Row("SciPy, 3 coefficients at 1 level", data, of_all, extrapolated=True)
        yield peer
        yield Row("`correlate`, 4 at 4", data, took["correlate"], peer, memory)
    test = medians({"": lambda: resampling.permute(judged, 0, 1, RESAMPLES, 0)}, RUNS)
    yield Row("permutation test of two metrics", f"{size}, {RESAMPLES:,} ×", test[""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--items", type=int, default=100)
    parser.add_argument("--systems", type=int, default=24)
    parser.add_argument("--metrics", type=int, default=7)
    show(rows(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
