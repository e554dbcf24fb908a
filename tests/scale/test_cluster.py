"""Processes of this machine: they die, are interrupted, and end when they are needed no more."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import textsimp
from textsimp import scale
from textsimp.core import statistics
from textsimp.core.examples import Examples
from textsimp.scale import scoring
from textsimp.scale.cluster import connected
from textsimp.support.errors import InputError

pytest.importorskip("distributed")

TEXTS = [f"a b{i} c" for i in range(12)]
EXAMPLES = Examples(
    {"sources": TEXTS, "references": [[text] for text in TEXTS]},
    {"ours": {"predictions": [text[2:] for text in TEXTS]}},
)


def running(pid: int) -> bool:
    """Whether there is such a process, which isn't only waiting to be asked how it ended."""
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def wait_until(so: Callable[[], Any], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not so():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_worker_that_is_killed_is_replaced_and_nothing_counts_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def split(text: str) -> list[str]:
        if "b7" in text and not (tmp_path / "killed").exists():
            (tmp_path / "killed").write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return text.split()

    monkeypatch.setattr(scoring, "_ROWS", 2)
    metrics = {"sari": textsimp.Sari(tokenizer=split), "bleu": textsimp.Bleu()}
    with connected(2) as client:
        found = scale.gather(metrics, EXAMPLES, client=client)
        assert int((tmp_path / "killed").read_text()) != os.getpid()
        client.wait_for_workers(2, timeout=60)
    expected = statistics.gather(metrics, EXAMPLES)
    for name, one in expected.items():
        assert found[name].facts == one.facts
        of_system = found[name].systems["ours"]
        assert of_system.ranges.tolist() == [[0, 12]]
        np.testing.assert_array_equal(of_system.rows, one.systems["ours"].rows)


def test_workers_that_die_again_and_again_are_told(tmp_path: Path) -> None:
    def split(text: str) -> list[str]:
        os.kill(os.getpid(), signal.SIGKILL)
        return []

    metrics = {"sari": textsimp.Sari(tokenizer=split)}
    with connected(1) as client:
        client.run_on_scheduler(_forgive_nothing)
        with pytest.raises(InputError, match="workers died again and again"):
            scale.gather(metrics, EXAMPLES, client=client)


def _forgive_nothing(dask_scheduler: Any) -> None:
    dask_scheduler.allowed_failures = 0


def test_an_address_where_no_scheduler_is_ends_in_one_line() -> None:
    """A client that was begun would wait, and say so, when it is collected."""
    code = """
import sys
from textsimp.scale.cluster import connected

try:
    with connected(sys.argv[1]):
        pass
except ValueError as error:
    print(error)
"""
    for address in ("nowhere://host:1", "tcp://"):
        command = [sys.executable, "-c", code, address]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert f"no scheduler answers at {address!r}: " in ended.stdout
        assert ended.stderr == ""


SCRIPT = """
import os, sys, textsimp
from pathlib import Path

pid, slowly = Path(sys.argv[1]), len(sys.argv) > 2

def split(text):
    pid.write_text(str(os.getpid()))
    while slowly:
        pass
    return text.split()

texts = ["a b", "c d"]
examples = textsimp.Examples(
    {"sources": texts, "references": [[t] for t in texts]}, {"ours": {"predictions": texts}}
)
found = textsimp.scale.gather({"sari": textsimp.Sari(tokenizer=split)}, examples, client=1)
print(f"{found['sari'].score().predictions['sari'].value:.2f}")
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / "script.py").write_text(SCRIPT)
    return tmp_path / "script.py"


@pytest.mark.skipif(not Path("/proc").exists(), reason="needs /proc")
def test_a_script_needs_no_guard_and_prints_nothing_else(script: Path) -> None:
    pid = script.parent / "pid"
    ended = subprocess.run(
        [sys.executable, script, pid], capture_output=True, text=True, cwd=script.parent
    )
    assert (ended.stdout, ended.stderr) == ("16.67\n", "")
    assert not running(int(pid.read_text()))


@pytest.mark.skipif(not Path("/proc").exists(), reason="needs /proc")
def test_no_process_outlives_an_interrupted_script(script: Path) -> None:
    pid = script.parent / "pid"
    with subprocess.Popen(
        [sys.executable, script, pid, "slowly"], stderr=subprocess.PIPE, text=True
    ) as started:
        wait_until(lambda: started.poll() is not None or (pid.exists() and pid.read_text()))
        started.send_signal(signal.SIGINT)
        _, said = started.communicate(timeout=60)
    assert started.returncode == -signal.SIGINT
    assert said.splitlines()[-1] == "KeyboardInterrupt"
    wait_until(lambda: not running(int(pid.read_text())))


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
def test_that_all_workers_are_gone_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textsimp.scale.cluster._WITHOUT_WORKERS", 0.5)
    here = os.getpgrp()

    def deadly(text: str) -> list[str]:
        if os.getpgrp() != here:
            os.killpg(os.getpgrp(), signal.SIGKILL)
        return text.split()

    with pytest.raises(InputError, match="no worker for"):
        scale.gather({"sari": textsimp.Sari(tokenizer=deadly)}, EXAMPLES, client=1)
