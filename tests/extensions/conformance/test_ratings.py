"""Tables of people's public ratings, as plain loops compute them."""

import json

import pytest

from tests.extensions.literal import human
from tests.extensions.people.judgements.krippendorff import literal_alpha
from tests.project import SHARED
from textsimp.core.significance import holm
from textsimp.extensions import people

SETS = {
    "wikida": ["fluency", "meaning", "simplicity"],
    "simpeval_2022": ["overall"],
    "simpda_2022": ["meaning", "fluency", "simplicity"],
    "questeval": ["simplicity", "meaning", "fluency"],
    "wu_asset": ["simplicity", "meaning", "fluency"],
}


def rows_of(name, criterion):
    """Ratings as they lie in the file."""
    rows = []
    with open(SHARED / "data" / "ratings" / f"{name}.jsonl", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            own = row[criterion] if isinstance(row[criterion], list) else [row[criterion]]
            raters = row.get("raters", [str(i + 1) for i in range(len(own))])
            rows += [
                (rater, row["item"], row["system"], row["prediction"], rating)
                for rater, rating in zip(raters, own, strict=False)
                if rating is not None
            ]
    return rows


@pytest.mark.parametrize("name", SETS)
def test_tables_are_those_of_loops(name):
    file = SHARED / "data" / "ratings" / f"{name}.jsonl"
    found = people.analyse(people.read(file, criteria=SETS[name]), resamples=500)
    for criterion in SETS[name]:
        rows = rows_of(name, criterion)
        _check_means(found, criterion, rows)
        _check_agreement(found, criterion, rows)


def _check_means(found, measure, rows):
    means = human.system_means(rows)
    assert {s: own[measure].value for s, own in found.systems.items()} == pytest.approx(means)
    items = {s: {item for _, item, system, *_ in rows if system == s} for s in means}
    tested = {pair: tests[measure] for pair, tests in found.differences.items() if measure in tests}
    for (first, second), test in tested.items():
        common = items[first] & items[second]
        own = human.system_means([row for row in rows if row[1] in common])
        assert test.value == pytest.approx(own[first] - own[second], abs=1e-12)
    p_values = [test.permutation_p for test in tested.values() if test.permutation_p is not None]
    adjusted = [test.permutation_p_holm for test in tested.values() if test.permutation_p_holm]
    assert adjusted == pytest.approx(holm(p_values))


def _check_agreement(found, criterion, rows):
    units = {}
    for _, item, system, text, rating in rows:
        units.setdefault((item, system, text), []).append(rating)
    agreement = found.agreement[criterion]
    alpha = literal_alpha(list(units.values()), "interval")
    if all(len(unit) < 2 for unit in units.values()):
        assert agreement.raters.alpha is None
    else:
        assert agreement.raters.alpha == pytest.approx(alpha, abs=1e-9)
    own = human.correlations(rows)
    expected = sum(own.values()) / len(own) if own else None
    assert agreement.correlation == (None if expected is None else pytest.approx(expected))


@pytest.mark.slow
def test_tests_and_intervals_are_those_of_loops():
    file = SHARED / "data" / "ratings" / "simpda_2022.jsonl"
    found = people.analyse(people.read(file, criteria=["simplicity"]), resamples=2000)
    rows = rows_of("simpda_2022", "simplicity")
    for pair in [("GPT-3-few-shot", "Muss"), ("GPT-3-few-shot", "Human 1 Writing")]:
        p = found.differences[pair]["simplicity"].permutation_p
        assert p == pytest.approx(human.permutation_p(rows, *pair, tries=2000), abs=0.02)
    # Random numbers differ, so that a bound moves by about 0.02.
    low, high = human.interval(rows, "Muss", tries=2000)
    assert found.systems["Muss"]["simplicity"].interval == pytest.approx([low, high], abs=0.06)


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
