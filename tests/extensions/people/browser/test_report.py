"""The report's section on people in a browser."""

import pytest

from tests.browser.access import (
    check_focus,
    check_scrolling_by_keyboard,
    check_targets,
    check_widths,
    unfold,
)
from tests.browser.conftest import find, visit


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_nothing(browser, rated, violations, width, scheme):
    assert violations(unfold(browser, rated, width, scheme)) == []


@pytest.mark.parametrize(
    "check", [check_focus, check_scrolling_by_keyboard, check_targets, check_widths]
)
def test_everybody_can_use_it(check, browser, rated):
    check(browser, rated)


def test_single_ratings_stand_behind_their_mean(browser, rated):
    visit(browser, rated, "#?open=1&system=splitter")
    of_first = find(browser, "article [data-system='splitter'] .measures")[0].text
    assert "fluency (raters) 2.0 (3, 1)" in of_first
    assert "simplicity (raters) 55.0 (100, 10)" in of_first


def test_the_metric_stands_beside_what_people_say_of_each_system(browser, rated):
    visit(browser, rated)
    for i, criterion in enumerate(("fluency", "simplicity")):
        marks = find(browser, f"#plot-people-pair-{i} g[role]")
        assert len(marks) == 8
        lines = marks[0].get_attribute("aria-label").splitlines()
        assert [line.partition(":")[0] for line in lines[1:]] == [
            *("SARI (easse)", "95 % interval", f"{criterion} (raters)", "95 % interval")
        ]
