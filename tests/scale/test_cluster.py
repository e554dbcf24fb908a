"""Processes of this machine: they die, are replaced, and end when they are needed no more."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import textsimp
from textsimp import scale
from textsimp.core import statistics
from textsimp.core.examples import Examples
from textsimp.scale import scoring
from textsimp.support.errors import InputError

pytest.importorskip("distributed")

TEXTS = [f"a b{i} c" for i in range(12)]
EXAMPLES = Examples(
    {"sources": TEXTS, "references": [[text] for text in TEXTS]},
    {"ours": {"predictions": [text[2:] for text in TEXTS]}},
)


@pytest.mark.slow
def test_a_worker_that_is_killed_is_replaced_and_nothing_counts_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def split(text: str) -> list[str]:
        if "b7" in text and not (tmp_path / "killed").exists():
            (tmp_path / "killed").write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return text.split()

    monkeypatch.setattr(scoring, "_ROWS", 2)
    monkeypatch.setattr("textsimp.scale.cluster._SECONDS", 2)
    metrics = {"sari": textsimp.Sari(tokenizer=split), "bleu": textsimp.Bleu()}
    with scale.connect("2") as client:
        address = client.scheduler.address
        for protocol in ("tls", "tcp"):  # without this run's key
            with pytest.raises(InputError, match="no scheduler answers"):  # noqa: SIM117
                with scale.connect(address.replace("tls", protocol)):
                    pass
        found = scale.measure(metrics, EXAMPLES, client=client)
        killed = int((tmp_path / "killed").read_text())
        workers = client.run(os.getpid)
        assert killed not in (os.getpid(), *workers.values())
        client.run_on_scheduler(_forgive_nothing)
        with pytest.raises(InputError, match="workers died again and again"):
            scale.measure({"sari": textsimp.Sari(tokenizer=_die)}, EXAMPLES, client=client)
    expected = statistics.measure(metrics, EXAMPLES)
    for name, one in expected.items():
        assert found[name].facts == one.facts
        assert found[name].numbers.tolist() == [*range(12)]
        np.testing.assert_array_equal(found[name].systems["ours"], one.systems["ours"])
    for pid in workers.values():
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def _forgive_nothing(dask_scheduler: Any) -> None:
    dask_scheduler.allowed_failures = 0


def _die(text: str) -> list[str]:
    os.kill(os.getpid(), signal.SIGKILL)
    return []


def test_an_address_where_no_scheduler_is_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textsimp.scale.cluster._SECONDS", 0.2)
    for address in ("tcp://127.0.0.1:9", "nowhere://x"):
        with pytest.raises(InputError, match=f"no scheduler answers at '{address}'"):  # noqa: SIM117
            with scale.connect(address):
                pass
