"""docs/trust.md is what its script measures."""

import pytest

from tests.given import load_tool

from .conftest import SHARED


@pytest.mark.slow
def test_the_page_is_what_is_measured(monkeypatch, capsys):
    for library, extra in (
        *(("pyphen", "languages"), ("wordfreq", "languages")),
        *(("cefrpy", "languages"), ("scipy", "meta")),
    ):
        pytest.importorskip(library, reason=f"needs the extra {extra}")
    trust = load_tool(monkeypatch, "trust")
    assert trust.main(["--data", str(SHARED / "data"), "--check"]) == 0, capsys.readouterr().out
