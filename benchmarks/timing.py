"""What all benchmarks share: CPU time, memory, and rows of one form."""

from __future__ import annotations

import gc
import math
import re
import time
from collections.abc import Callable, Iterable, Sequence
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
        goal: The ratio that it should have at most.
        goal_memory: The MB that it should have at most.
    """

    what: str
    data: str
    seconds: float
    peer: Row | None = None
    memory: float | None = None
    extrapolated: bool = False
    goal: float | None = None
    goal_memory: float | None = None

    def cells(self) -> tuple[str, ...]:
        goals = [f"{self.goal:g} ×"] if self.goal else []
        if self.goal_memory:
            goals.append(f"{self.goal_memory:g} MB")
        return (
            f"{self.what} (goal {', '.join(goals)})" if goals else self.what,
            self.data,
            number(self.seconds) + " \\*" * self.extrapolated,
            number(self.seconds / self.peer.seconds) + " ×" if self.peer else "",
            self.peer.what if self.peer else "",
            "" if self.memory is None else f"{self.memory:,.0f}",
        )


def missed(cells: Sequence[str]) -> bool:
    """Whether a row of the table is above its goal.

    >>> missed(("`compute` (goal 0.12 ×)", "", "0.1", "0.13 ×", "`corpus_bleu`", ""))
    True
    >>> missed(("`check` (goal 20 ×, 300 MB)", "", "9", "20 ×", "`corpus_bleu`", "299"))
    False
    """
    goals = re.search(r"\(goal (?:([\d.]+) ×)?(?:, )?(?:([\d.]+) MB)?\)$", cells[0])
    if goals is None:
        return False
    values = [cell.removesuffix(" ×").replace(",", "") for cell in (cells[3], cells[5])]
    pairs = zip(values, goals.groups(), strict=True)
    return any(goal and float(value) > float(goal) for value, goal in pairs)


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


def peak() -> float:
    """The most memory of this process, MB. On Linux; ``ru_maxrss`` counts the parent's too."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024 / 1e6
