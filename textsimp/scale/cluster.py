"""Clusters of the command line, and the results of tasks in order."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from textsimp.support.errors import InputError
from textsimp.support.extras import require

if TYPE_CHECKING:
    from distributed import Client

_SECONDS = 10  # in which a scheduler at an address has to answer
# Dask's setting of malloc returns freed arrays to the system: scoring takes 1.4 times as long.
_SETTINGS = {
    "distributed.comm.timeouts.connect": "60s",  # on a busy machine
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 2**28,
    "distributed.admin.large-graph-warning-threshold": "1GiB",
}


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


def iterate_results(futures: Sequence[Any]) -> Iterator[Any]:
    """Yield the results of tasks in order."""
    try:
        for future in futures:
            yield future.result()
    except require("distributed", extra="scale").KilledWorker as error:
        raise InputError(
            "workers died again and again of the same part, perhaps for want of memory: take "
            "fewer processes, or smaller partitions"
        ) from error
