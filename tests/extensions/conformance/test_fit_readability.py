"""The weights of the readability level are those that its script fits."""

import pytest

from tests.given import load_tool
from tests.project import SHARED


@pytest.mark.slow
def test_weights_and_their_agreement_are_what_the_script_fits(monkeypatch, capsys):
    for library in ("pyphen", "wordfreq"):
        pytest.importorskip(library, reason="needs the extra languages")
    fit = load_tool(monkeypatch, "fit_readability")
    assert fit.main(["--data", str(SHARED / "data"), "--check"]) == 0, capsys.readouterr().out
