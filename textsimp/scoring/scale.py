"""Scoring with many processes or machines, which Dask runs (extra ``scale``).

Scores are those of one process, to the last bit. `measure` takes a ``distributed.Client``, or uses
the current one; `textsimp.score` and `textsimp.compare` take what it returns in place of systems.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import pickle
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from textsimp.core import statistics
from textsimp.core.examples import Examples
from textsimp.core.metric import Metric, Progress
from textsimp.core.statistics import Statistics
from textsimp.support.errors import InputError
from textsimp.support.extras import require
from textsimp.support.version import __version__

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["connect", "measure"]

_ROWS = 10_000  # of examples that are sent to a worker
_SECONDS = 10  # in which a scheduler at an address has to answer
# Dask's setting of malloc returns freed arrays to the system: scoring takes 1.4 times as long.
_SETTINGS = {
    "distributed.comm.timeouts.connect": "60s",  # on a busy machine
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 2**28,
    "distributed.admin.large-graph-warning-threshold": "1GiB",
}


def check_workers(workers: str, argument: str) -> None:
    """Check what `connect` takes, before files are read."""
    require("distributed", extra="scale")
    number = workers.isdecimal() and int(workers) > 0
    if not number and "://" not in workers:
        raise InputError(
            f"{argument}: expected a number of processes, or a scheduler's address such as "
            f"tcp://host:8786, got {workers!r}"
        )


@contextlib.contextmanager
def connect(workers: str) -> Iterator[Client]:
    """Connect to a scheduler's address, or to processes started here, which are encrypted."""
    distributed = require("distributed", extra="scale")
    with contextlib.ExitStack() as stack:
        stack.enter_context(require("dask", extra="scale").config.set(_SETTINGS))
        cluster: Any = workers
        seconds = _SECONDS
        if workers.isdecimal():
            seconds = 60
            cluster = distributed.LocalCluster(
                n_workers=int(workers),
                threads_per_worker=1,
                security=True,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
            stack.enter_context(cluster)
        try:
            client = distributed.Client(cluster, timeout=seconds, set_as_default=False)
        except Exception as error:  # of TLS, the network or an unknown protocol
            raise InputError(f"no scheduler answers at {workers!r}: {error}") from error
        yield stack.enter_context(client)


def measure(
    metrics: Mapping[str, Metric],
    examples: Examples,
    first: int = 0,
    progress: Progress | None = None,
    *,
    client: Client | None = None,
) -> dict[str, Statistics]:
    """Compute what `textsimp.core.statistics.measure` does; workers get the examples in pieces."""
    job = _pack(metrics)
    client = client or require("distributed", extra="scale").Client.current()
    size = _ROWS if all(metric.independent_rows for metric in metrics.values()) else len(examples)
    slices = examples.slices(size)
    futures = [client.submit(_measure_examples, job, part, pure=False) for part in slices]
    parts = []
    try:
        for future in futures:
            parts.append(future.result())
            if progress is not None:
                progress(len(metrics) * len(next(iter(parts[-1].values()))))
    except require("distributed", extra="scale").KilledWorker as error:
        raise InputError(
            "workers died again and again of the same part, perhaps for want of memory: take "
            "fewer processes"
        ) from error
    whole = {
        name: {system: np.concatenate([part[name, system] for part in parts]) for system in systems}
        for name, systems in dict.fromkeys(metrics, examples.systems).items()
    }
    return statistics.from_rows(metrics, whole, examples, first)


def _pack(metrics: Mapping[str, Metric]) -> bytes:
    """Serialise metrics for workers, with their functions as far as these can be sent."""
    dumps = require("distributed.protocol.pickle", extra="scale").dumps
    try:
        packed: bytes = dumps((__version__, dict(metrics)))
    except Exception as error:  # whatever a user's object raises
        raise InputError(f"{', '.join(metrics)}: can't be sent to workers: {error}") from error
    return packed


@functools.lru_cache(4)
def _unpack(job: bytes) -> dict[str, Metric]:
    """The same metrics for all tasks, so that what they remember serves all of them."""
    version, metrics = pickle.loads(job)
    if version != __version__:
        raise InputError(f"a worker has textsimp {__version__}: expected {version}, as it is here")
    return dict(metrics)


def _measure_examples(job: bytes, examples: Examples) -> dict[tuple[str, str], Any]:
    """On a worker: the rows of statistics of each metric and system."""
    return {
        (name, system): rows
        for name, metric in _unpack(job).items()
        for system, rows in metric.compute_statistics(examples).items()
    }
