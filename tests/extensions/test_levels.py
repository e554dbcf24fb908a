"""Levels and coverages of docs/tests.md are low and high enough, and those of its studies."""

import numpy as np
import pytest

from tests.given import load_tool

TRIES = 40

with pytest.MonkeyPatch.context() as patch:
    TOOL = load_tool(patch, "levels")
    PAGE = TOOL.pages.read("levels")
ROWS = {name: TOOL.read_rows(name) for name in ("tests", "intervals")}


def shares(name):
    """The first share of each row of a table on the page."""
    lines = PAGE[name].splitlines()[2:]
    cells = [line.split("|")[1 + len(ROWS[name][0].cells)] for line in lines]
    return [float(cell.partition(" ± ")[0]) for cell in cells]


def test_tests_rarely_err_and_intervals_cover():
    assert max(shares("tests")) <= 0.07
    assert min(shares("intervals")) >= 0.91


@pytest.mark.slow
@pytest.mark.parametrize(
    ("row", "shown"),
    [pair for name, rows in ROWS.items() for pair in zip(rows, shares(name), strict=True)],
    ids=lambda value: " ".join(value.cells) if hasattr(value, "cells") else "",
)
def test_shares_are_those_of_the_first_studies(row, shown):
    found = np.mean(TOOL.simulate(TRIES, row.study))
    error = (max(shown * (1 - shown), 0.02) / TRIES) ** 0.5
    assert found == pytest.approx(shown, abs=4 * error)
