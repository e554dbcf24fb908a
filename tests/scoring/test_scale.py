"""Processes of this machine: they die, are replaced, and end when they are needed no more."""

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import textsimp
from textsimp import scale
from textsimp.core import statistics
from textsimp.core.examples import Examples
from textsimp.support.errors import InputError

pytest.importorskip("distributed")

TEXTS = [f"a b{i} c" for i in range(12)]
EXAMPLES = Examples(
    {"sources": TEXTS, "references": [[text] for text in TEXTS]},
    {"ours": {"predictions": [text[2:] for text in TEXTS]}},
)


METRICS = {"sari": textsimp.Sari(), "edit_ops": textsimp.EditOps()}
words = st.lists(st.sampled_from(["a", "b", "cat", "dog", "ẞ", ""]), max_size=4).map(" ".join)


@given(st.lists(st.tuples(words, words, words), min_size=1), st.integers(1, 4), st.integers(0, 3))
def test_statistics_of_many_pieces_are_those_of_the_whole(threads, rows, size, first):
    sources, outputs, references = map(list, zip(*rows, strict=True))
    systems = {"ours": {"predictions": outputs}, "copy": {"predictions": sources}}
    examples = Examples({"sources": sources, "references": [[r] for r in references]}, systems)
    done = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scale, "_ROWS", size)
        found = scale.measure(METRICS, examples, first, done.append, client=threads)
    expected = statistics.measure(METRICS, examples, first)
    assert sum(done) == len(METRICS) * len(rows)
    for name, one in expected.items():
        assert found[name].facts == one.facts
        np.testing.assert_array_equal(found[name].numbers, one.numbers)
        for system, own in one.systems.items():
            np.testing.assert_array_equal(found[name].systems[system], own)


@pytest.mark.slow
def test_a_worker_that_is_killed_is_replaced_and_nothing_counts_twice(tmp_path, monkeypatch):
    def split(text):
        if "b7" in text and not (tmp_path / "killed").exists():
            (tmp_path / "killed").write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return text.split()

    monkeypatch.setattr(scale, "_ROWS", 2)
    monkeypatch.setattr("textsimp.scoring.scale._SECONDS", 2)
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


def _forgive_nothing(dask_scheduler):
    dask_scheduler.allowed_failures = 0


def _die(text):
    os.kill(os.getpid(), signal.SIGKILL)
    return []


def test_an_address_where_no_scheduler_is_is_refused(monkeypatch):
    monkeypatch.setattr("textsimp.scoring.scale._SECONDS", 0.2)
    for address in ("tcp://127.0.0.1:9", "nowhere://x"):
        with pytest.raises(InputError, match=f"no scheduler answers at '{address}'"):  # noqa: SIM117
            with scale.connect(address):
                pass


def test_a_function_that_cannot_be_sent_is_refused(threads):
    lock = threading.Lock()

    def split(text):
        with lock:
            return text.split()

    metrics = {"sari": textsimp.Sari(tokenizer=split)}
    with pytest.raises(InputError, match="sari: can't be sent to workers: cannot pickle"):
        scale.measure(metrics, EXAMPLES, client=threads)


def test_workers_of_another_version_are_refused(threads, monkeypatch):
    job = scale._pack(METRICS)
    monkeypatch.setattr(scale, "__version__", "0.0.1")
    scale._unpack.cache_clear()
    with pytest.raises(InputError, match=r"a worker has textsimp 0.0.1: expected"):
        scale._unpack(job)


def test_dask_is_imported_when_it_is_asked_for():
    code = """
import sys, textsimp, textsimp.scoring.scale, textsimp.cli
assert not {"dask", "distributed"} & {*sys.modules}
sys.modules["distributed"] = None
next(iter(textsimp.scale.connect("2").gen))
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'textsimp[scale]'" in ended.stderr.splitlines()[-1]
