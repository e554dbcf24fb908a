"""A cluster to compute on, and results in the order of what they are of."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import logging
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeVar

from textsimp.support.errors import InputError
from textsimp.support.extras import require

if TYPE_CHECKING:
    from distributed import Client

Item = TypeVar("Item")

_ANSWERING = 10  # seconds that a scheduler has for it
_WITHOUT_WORKERS = 60  # seconds: those that died are replaced within a few
# Dask has workers give freed arrays back to the system, which makes scoring take 1.4 times as long.
_ENVIRONMENT = {"MALLOC_TRIM_THRESHOLD_": 2**28, "MALLOC_MMAP_THRESHOLD_": 2**25}


@contextlib.contextmanager
def connected(client: Client | str | int | None) -> Iterator[Client]:
    """A client of a cluster, which is closed afterwards if it was made here.

    Args:
        client: A client, a scheduler's address, or how many processes to start; None for the
            current client, or else a process per core.

    Raises:
        InputError: Neither of these, or no scheduler answers.
        ImportError: Dask isn't installed.
    """
    distributed = require("distributed", extra="scale")
    whole = isinstance(client, int) and not isinstance(client, bool)
    if client is not None and not isinstance(client, (str, distributed.Client)) and not whole:
        raise InputError(
            "client: expected a distributed.Client, a scheduler's address or a number of "
            f"processes, got {client!r}"
        )
    if isinstance(client, int) and client < 1:
        raise InputError(f"client: expected at least one process, got {client}")
    if client is None:
        with contextlib.suppress(ValueError):  # there is none
            client = distributed.Client.current()
    if isinstance(client, distributed.Client):
        yield client
    elif isinstance(client, str):
        _check_answers(client)
        with distributed.Client(client, timeout=_ANSWERING, set_as_default=False) as made:
            yield made
    else:
        cores: int = require("dask.system", extra="scale").CPU_COUNT
        with _local(client or cores) as made:
            yield made


def _check_answers(address: str) -> None:
    """Check that there is a scheduler: a client that finds none may be noisy when it ends.

    Raises:
        InputError: There isn't.
    """
    import distributed
    from distributed.comm import connect

    async def connected() -> None:
        secured = distributed.Security().get_connection_args("client")
        comm = await connect(address, _ANSWERING, **secured)
        comm.abort()

    try:
        with ThreadPoolExecutor(1) as thread:  # this one may have an event loop
            thread.submit(asyncio.run, connected()).result()
    except Exception as error:  # anything, where something else answers, such as a dashboard
        raise InputError(f"no scheduler answers at {address!r}: {error}") from error


@contextlib.contextmanager
def _local(processes: int) -> Iterator[Client]:
    """A cluster of processes with a thread each, on this machine.

    They are started as a command, not by `multiprocessing`, which would run the user's script
    again in each of them.
    """
    import distributed

    quiet = logging.CRITICAL
    with (
        tempfile.TemporaryDirectory(
            prefix="textsimp-workers-", ignore_cleanup_errors=True
        ) as folder,
        distributed.LocalCluster(
            n_workers=0, host="127.0.0.1", dashboard_address="127.0.0.1:0", silence_logs=quiet
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        command = [sys.executable, "-m", "distributed.cli.dask_worker", cluster.scheduler_address]
        options = {"nworkers": processes, "nthreads": 1, "local-directory": folder}
        for name, value in {**options, "death-timeout": 60}.items():
            command += [f"--{name}", str(value)]
        workers = subprocess.Popen(
            [*command, "--no-dashboard"],
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for this process, which then ends them
            env={
                **os.environ,
                "DASK_LOGGING__DISTRIBUTED": "critical",
                "DASK_DISTRIBUTED__NANNY__PRE_SPAWN_ENVIRON": str(_ENVIRONMENT),
                "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path),
            },
        )
        try:
            _await(client, workers)
            yield client
        finally:
            _end(workers)


def _await(client: Client, workers: subprocess.Popen[bytes]) -> None:
    """Wait for the first worker."""
    import distributed

    while workers.poll() is None:
        with contextlib.suppress(distributed.TimeoutError):
            client.wait_for_workers(1, timeout=1)
            return
    raise RuntimeError(f"the workers' process ended with exit code {workers.returncode}")


def _end(workers: subprocess.Popen[bytes]) -> None:
    """End the workers at once: what they still do is of no use, and their folder goes, too."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(workers.pid, signal.SIGKILL)
    else:
        workers.kill()
    workers.wait()


def in_order(client: Client, tasks: Iterable[tuple[Item, Any]]) -> Iterator[tuple[Item, Any]]:
    """Results of tasks that are submitted a few ahead: a thing and a future each → thing, result.

    Raises:
        InputError: Workers died of a task again and again.
    """
    import distributed

    waiting: collections.deque[tuple[Item, Any]] = collections.deque()
    left = iter(tasks)
    interrupted = threading.Event()
    try:
        with _told_of_interrupts(interrupted):
            while True:
                ahead = 2 + 2 * sum(client.nthreads().values())
                for task in left:
                    waiting.append(task)
                    if len(waiting) >= ahead:
                        break
                if not waiting:
                    return
                item, future = waiting[0]
                result = _result(client, future, interrupted)
                waiting.popleft()
                yield item, result
                del item, future, result
    except distributed.KilledWorker as error:
        raise InputError(
            "workers died again and again of the same part, perhaps for want of memory: take "
            "fewer processes, or smaller partitions"
        ) from error
    finally:
        if waiting:
            client.cancel([future for _, future in waiting])


def _result(client: Client, future: Any, interrupted: threading.Event) -> Any:
    """What a task returned.

    Raises:
        InputError: There was no worker for a minute.
    """
    import distributed

    seen = time.monotonic()
    while True:
        if interrupted.is_set():
            raise KeyboardInterrupt
        try:
            return future.result(timeout=1)
        except distributed.TimeoutError:
            if future.done():
                raise  # the task's own
        if client.nthreads():
            seen = time.monotonic()
        elif time.monotonic() - seen > _WITHOUT_WORKERS:
            raise InputError(f"no worker for {_WITHOUT_WORKERS} seconds: start some, or again")


@contextlib.contextmanager
def _told_of_interrupts(interrupted: threading.Event) -> Iterator[None]:
    """Also set the event on Ctrl-C, which Python forgets if it comes while a finalizer runs."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return

    def tell(number: int, frame: FrameType | None) -> None:
        interrupted.set()
        before(number, frame)

    signal.signal(signal.SIGINT, tell)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def computed(client: Client, tasks: Sequence[Any]) -> Iterator[Any]:
    """Results of delayed functions in order.

    All are submitted at once: what several are made of is computed once.

    Raises:
        InputError: See `in_order`.
    """
    waiting = collections.deque(client.compute(list(tasks)))
    try:
        futures = ((None, waiting.popleft()) for _ in range(len(waiting)))
        for _, found in in_order(client, futures):
            yield found
    finally:
        if waiting:
            client.cancel([*waiting])
