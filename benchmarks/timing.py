"""What all benchmarks share: CPU time, memory, and rows of one form."""

from __future__ import annotations

import gc
import math
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

HEADER = ("", "data", "CPU s", "ratio", "to", "MB")
RULE = ("---", "---", "---:", "---:", "---", "---:")
WIDTHS = (48, 44, 8, 8, 32, 5)


@dataclass(frozen=True)
class Row:
    """A row of the table.

    Attributes:
        what: What ran.
        data: What it ran on.
        seconds: CPU time.
        peer: The row whose time is 1, from the same run.
        memory: MB at most, beyond Python, libraries and texts.
        extrapolated: Whether only a part was timed; ``seconds`` are of all.
    """

    what: str
    data: str
    seconds: float
    peer: Row | None = None
    memory: float | None = None
    extrapolated: bool = False

    def cells(self) -> tuple[str, ...]:
        return (
            self.what,
            self.data,
            number(self.seconds) + " \\*" * self.extrapolated,
            number(self.seconds / self.peer.seconds) + " ×" if self.peer else "",
            self.peer.what if self.peer else "",
            "" if self.memory is None else f"{self.memory:,.0f}",
        )


def show(rows: Iterable[Row]) -> None:
    """Print rows as they come. ``table.py`` reads what is printed."""
    print(line(HEADER), line(RULE), sep="\n")
    for row in rows:
        print(line(row.cells()), flush=True)


def line(cells: Iterable[str]) -> str:
    """A line of a table that Markdown understands, and that is in columns in a terminal."""
    padded = (f"{cell:{width}}" for cell, width in zip(cells, WIDTHS, strict=True))
    return f"| {' | '.join(padded)} |"


def number(value: float) -> str:
    """Two significant digits, and all before the point.

    >>> [number(value) for value in (0, 0.00304, 0.1, 9.96, 27.8, 1234.5)]
    ['0', '0.0030', '0.10', '10', '28', '1,234']
    """
    rounded = float(f"{value:.1e}")
    decimals = max(0, 1 - math.floor(math.log10(rounded))) if rounded else 0
    return f"{value:,.{decimals}f}"


def cpu(task: Callable[[], object]) -> float:
    """Seconds of CPU."""
    gc.collect()  # what the task before left behind is not charged to this one
    start = time.process_time()
    task()
    return time.process_time() - start


def medians(contestants: dict[str, Callable[[], object]], runs: int) -> dict[str, float]:
    """Seconds of CPU per contestant, medians of runs that take turns."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(runs):
        for name, run in contestants.items():
            seconds[name].append(cpu(run))
    return {name: statistics.median(taken) for name, taken in seconds.items()}


def compared(seconds: dict[str, float], data: str) -> Iterator[Row]:
    """Rows of contestants, of which the first is the peer of the others."""
    peer = None
    for name, took in seconds.items():
        row = Row(name, data, took, peer)
        yield row
        peer = peer or row


def peak() -> float:
    """The most memory of this process, MB. On Linux; ``ru_maxrss`` counts the parent's too."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024 / 1e6
