"""docs/trust.md is what its script measures."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from .conftest import SHARED

PROJECT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_page_is_what_is_measured(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    for library, extra in (
        *(("pyphen", "languages"), ("wordfreq", "languages"), ("scipy", "meta")),
        *(("cefrpy", "languages"), ("PIL", "test")),
    ):
        pytest.importorskip(library, reason=f"needs the extra {extra}")
    monkeypatch.syspath_prepend(PROJECT / "tools")
    for name in ("figures", "trust_claims", "trust"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    trust = importlib.import_module("trust")
    assert trust.main(["--data", str(SHARED / "data"), "--check"]) == 0, capsys.readouterr().out
