"""Tables of people's public ratings, as plain loops compute them."""

import pytest

from tests.project import SHARED
from textsimp.extensions import people

REPORTED = SHARED / "data" / "reported"


@pytest.mark.parametrize(
    ("plan", "files", "expected"),
    [
        *(
            ("05/plan_l.jsonl", [f"05/{name}"], {"splitter": [3.5, 3.5, 7 / 3, -2 / 3]})
            for name in ("result.json", "result_min.json")
        ),
        *(
            (
                "06/plan_p.jsonl",
                files,
                {"splitter": [3, 3, 3.5, 0.5], "substituter": [2.5, 2.5, 3, 0]},
            )
            for files in (
                ["06/annotations.jsonl"],
                ["06/anna_user_state.json", "06/ben_changed_user_state.json"],
            )
        ),
    ],
)
def test_reported_exports_of_tools_have_the_means_of_their_projects(plan, files, expected):
    found = people.read([REPORTED / name for name in files], plan=REPORTED / plan)
    systems = people.analyse(found, resamples=10).systems
    for system, means in expected.items():
        assert [one.value for one in systems[system].values()] == pytest.approx(means)


@pytest.mark.parametrize("name", ["10_rater_spaces.csv", "10_system_spaces.csv"])
def test_reported_names_with_spaces_are_of_three_raters_and_two_systems(name):
    found = people.read(REPORTED / name, criteria=["fluency"])
    assert len(found.raters) == 3
    assert {*found.frame["system"]} == {("sysA",), ("sysB",)}
