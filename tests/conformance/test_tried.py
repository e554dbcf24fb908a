"""What docs/documents.md and docs/splitting.md say was tried is what their scripts measure."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from .conftest import SHARED

PROJECT = Path(__file__).parents[2]
SLOW = {"validated", "sentences"}  # the script's own --check compares these too


def test_the_page_of_documents_is_what_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    pytest.importorskip("scipy", reason="needs the extra meta")
    monkeypatch.syspath_prepend(PROJECT / "tools")
    for name in ("figures", "trust_claims", "trust", "aligned"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    aligned = importlib.import_module("aligned")
    names = sorted({*aligned.TABLES} - SLOW)
    arguments = ["--data", str(SHARED / "data"), "--check", *names]
    assert aligned.main(arguments) == 0, capsys.readouterr().out


def test_the_page_of_splitting_is_what_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    pytest.importorskip("scipy", reason="needs the extra meta")
    monkeypatch.syspath_prepend(PROJECT / "tools")
    for name in ("figures", "trust_claims", "trust", "splitting"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    splitting = importlib.import_module("splitting")
    arguments = ["--data", str(SHARED / "data"), "--check"]
    assert splitting.main(arguments) == 0, capsys.readouterr().out
