"""CPU time of several contestants in one run."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def medians(contestants: dict[str, Callable[[], object]], runs: int) -> dict[str, float]:
    """Seconds of CPU per contestant, medians of runs that take turns."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(runs):
        for name, run in contestants.items():
            start = time.process_time()
            run()
            seconds[name].append(time.process_time() - start)
    return {name: statistics.median(taken) for name, taken in seconds.items()}
