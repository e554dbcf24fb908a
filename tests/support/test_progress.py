"""Progress on a terminal."""

import io
import sys
import time

import pytest

from textsimp.support.progress import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(stream, seconds, monkeypatch):
    """What a bar writes after so many seconds of work."""
    monkeypatch.setattr(sys, "stderr", stream)
    with progress(total=10, unit=" rows", mininterval=0) as bar:
        bar.start_t = time.time() - seconds
        bar.update(5)
        return stream.getvalue()


def test_a_terminal_shows_what_is_done_and_the_time_that_is_left(monkeypatch):
    printed = shown(Terminal(), 4, monkeypatch)
    assert "5/10" in printed
    assert "<00:0" in printed


@pytest.mark.parametrize(("stream", "seconds"), [(Terminal(), 0.1), (io.StringIO(), 4)])
def test_what_is_done_in_a_second_and_what_is_no_terminal_shows_nothing(
    stream, seconds, monkeypatch
):
    assert shown(stream, seconds, monkeypatch) == ""
