"""The page of a shared task, on screens and in print."""

import pytest

from tests.browser.conftest import emulated, page_width, visit
from tests.project import EXAMPLES
from textsimp.extensions import tasks


@pytest.fixture(scope="module")
def leaderboard(tmp_path_factory):
    own = EXAMPLES / "tasks" / "own"
    runs = {f"a_team_with_a_long_name_{x}": own / f"runs/team_{x}.csv" for x in "abc"}
    path = tmp_path_factory.mktemp("task") / "leaderboard.html"
    results = tasks.compare(own / "task.yaml", predictions=runs, resamples=20)
    path.write_text(results.to_page(), "utf-8")
    return path.as_uri()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_nothing_and_the_page_fits(browser, leaderboard, violations, width, scheme):
    visit(browser, leaderboard, "", width, scheme)
    assert violations(browser) == []
    assert page_width(browser) <= width


def test_nothing_is_cut_in_print(browser, leaderboard):
    visit(browser, leaderboard, "", 700)
    with emulated(browser, "print"):
        assert page_width(browser) <= 700
