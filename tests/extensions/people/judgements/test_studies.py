"""Designs of studies: balance, nothing seen twice, controls; answers beside their plan."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extensions.people.judgements.conftest import answers_to
from tests.given import write
from textsimp import InputError
from textsimp.extensions.people import analyse, design, read, read_plan
from textsimp.extensions.people.judgements.schemes import NAMES, Scheme


def corpus(sources=30, systems=2):
    """Sources, and outputs that are all different."""
    return {
        "sources": [f"Source {i}." for i in range(sources)],
        "systems": {f"s{k}": [f"{i} of {k}." for i in range(sources)] for k in range(systems)},
        "references": [[f"Reference {i}.", f"Another {i}."] for i in range(sources)],
    }


STUDIES = st.fixed_dictionaries(
    {
        "systems": st.integers(4, 6),
        "scheme": st.sampled_from(NAMES),
        "raters": st.integers(1, 6),
        "controls": st.booleans(),
        "seed": st.integers(0, 9),
        "each": st.integers(1, 3),
        "limit": st.none() | st.integers(40, 90),
    }
)


def plan_of(study):
    each = min(study["each"], study["raters"])
    options = {name: study[name] for name in ("scheme", "raters", "controls", "seed")}
    return design(
        **corpus(36, study["systems"]), **options, per_output=each, per_rater=study["limit"]
    )


@given(STUDIES)
def test_every_output_or_comparison_is_rated_by_as_many_different_raters(study):
    raters = {}
    for screen in plan_of(study).screens:
        if not screen.control:
            raters.setdefault((screen.item, frozenset(screen.predictions)), []).append(screen.rater)
    each = min(study["each"], study["raters"])
    assert {(len(names), len({*names})) for names in raters.values()} == {(each, each)}


@given(STUDIES)
def test_a_rater_sees_no_output_twice_but_repeated_ones_and_no_more_than_their_number(study):
    plan = plan_of(study)
    for screens in by_rater(plan).values():
        keys = [(screen.item, frozenset(screen.predictions)) for screen in screens]
        again = [screen.control == "repeat" for screen in screens]
        for repeated in (True, False):
            own = [key for key, is_again in zip(keys, again, strict=True) if is_again == repeated]
            assert len(own) == len({*own})
        places = [(screen.item, screen.predictions, screen.control) for screen in screens]
        for place, (item, texts, control) in enumerate(places):
            if control == "repeat":
                first = places.index((item, texts, ""))
                assert first < min(place, len(screens) / 2)
        size = sum(1 if plan.scheme.compares else len(one.predictions) for one in screens)
        assert study["limit"] is None or size <= study["limit"]


@given(STUDIES)
def test_controls_are_a_tenth_and_one_of_each_kind_at_least(study):
    plan = plan_of(study)
    single = plan.scheme.grouping == "output"
    kinds = ("source", "other", "repeat") if single else ("repeat",)
    for screens in by_rater(plan).values():
        found = Counter(screen.control for screen in screens if screen.control)
        if not study["controls"]:
            assert not found
            continue
        assert set(found) == set(kinds)
        assert max(found.values()) - min(found.values()) <= 1
        assert found.total() == max(len(kinds), round((len(screens) - found.total()) / 9))


@given(STUDIES)
def test_systems_are_balanced_over_raters(study):
    plan = plan_of({**study, "scheme": "likert"})
    counts = Counter(
        (screen.rater, screen.systems[0][0]) for screen in plan.screens if not screen.control
    )
    sizes = [
        counts[rater, system]
        for rater in plan.raters
        for system in corpus(1, study["systems"])["systems"]
    ]
    assert max(sizes) - min(sizes) <= study["each"]


@given(STUDIES)
def test_systems_are_compared_as_often(study):
    plan = plan_of({**study, "scheme": "pairwise"})
    counts = Counter(
        system for screen in plan.screens if not screen.control for (system,) in screen.systems
    )
    assert max(counts.values()) - min(counts.values()) <= study["each"]


@given(STUDIES)
def test_a_place_on_the_screen_says_nothing_about_the_system(study):
    plan = plan_of({**study, "scheme": "rank_and_rate", "each": 3})
    screens = [screen for screen in plan.screens if not screen.control]
    first = Counter(screen.systems[0] for screen in screens)
    if len(screens) >= 60:
        assert max(first.values()) < 0.5 * len(screens)


@pytest.mark.parametrize("scheme", ["likert", "rank_and_rate"])
def test_one_system_may_have_as_many_raters_as_outputs(scheme):
    plan = design(**corpus(60, systems=1), scheme=scheme, raters=60, per_output=1)
    assert [len(screens) for screens in by_rater(plan).values()] == [1] * 60


def test_the_same_seed_gives_the_same_plan():
    plans = [design(**corpus(), seed=seed).to_dicts() for seed in (1, 1, 2)]
    assert plans[0] == plans[1]
    assert plans[0] != plans[2]


def test_equal_outputs_are_shown_once_and_count_for_all():
    texts = corpus()
    texts["systems"]["copy"] = texts["systems"]["s0"]
    plan = design(**texts, raters=2, per_output=1)
    assert plan.ratings == 60
    assert {screen.systems[0] for screen in plan.screens} == {("s0", "copy"), ("s1",)}


def by_rater(plan):
    screens = {}
    for screen in plan.screens:
        screens.setdefault(screen.rater, []).append(screen)
    for own in screens.values():
        assert [screen.screen for screen in own] == list(range(1, len(own) + 1))
    return screens


@pytest.mark.parametrize("name", NAMES)
def test_a_plan_is_read_as_it_was_written_and_its_answers_are_analysed(name, written):
    plan = design(**corpus(12, 4), scheme=name, controls=True)
    path = written(plan.to_dicts(), "plan.jsonl")
    assert read_plan(path) == plan
    answers = read(written(answers_to(plan)), plan=path)
    assert answers.missing == {}
    found = analyse(answers, resamples=20)
    assert set(found.systems) == {"s0", "s1", "s2", "s3"}
    assert found.counts["ratings"] == plan.ratings
    repeated = [one.repeated.outputs for one in found.agreement.values()]
    assert min(repeated) > 0


def test_a_plan_of_a_users_scheme_needs_its_file(written, tmp_path):
    own = write(tmp_path / "own.json", {**Scheme.load("level").to_dict(), "name": "own"})
    plan = design(**corpus(), scheme=own)
    path = written(plan.to_dicts())
    assert read_plan(path, own) == plan
    with pytest.raises(InputError):
        read_plan(path)


@pytest.mark.parametrize(
    ("change", "column"),
    [
        ({"hash": "0"}, "'hash'"),
        ({"version": 2}, "'version'"),
        ({"prediction": []}, ""),
        ({"item": 1}, "item: "),
        ({"control": "x"}, "control: "),
        ({"system": "s0"}, ""),
    ],
)
def test_an_edited_plan_is_refused_with_file_and_row(change, column, written):
    rows = design(**corpus()).to_dicts()
    rows[9].update(change)
    with pytest.raises(InputError, match=f"row 9 of .*{column}"):
        read_plan(written(rows))


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"scheme": "pairwise", "systems": {"a": ["A."] * 30}}, "^pairwise .* systems"),
        (
            {"scheme": "pairwise", "systems": dict.fromkeys("ab", ["A."] * 30)},
            "^pairwise .* source",
        ),
        ({"per_output": 4}, "^per_output: "),
        ({"raters": 0}, "^raters: "),
        ({"per_rater": 1}, "per_rater"),
        ({"raters": 61, "per_output": 1}, "^raters: "),
        ({"names": ["anna", "anna"]}, "^names: "),
        ({"references": [["a"]]}, "references"),
        ({"controls": 1}, "^controls: "),
        (  # no text that the rater doesn't see anyway
            {"sources": ["A."], "systems": {"copy": ["A."]}, "references": None, "controls": True},
            "^controls: ",
        ),
        ({"leave_out": range(1000)}, "^leave_out: "),
    ],
)
def test_impossible_designs_are_refused_by_the_name_of_the_argument(options, place):
    with pytest.raises(InputError, match=place):
        design(**{**corpus(), **options})


def test_items_and_outputs_limit_what_is_rated_and_not_the_controls():
    few = design(**corpus(), items=4, controls=True)
    assert len({one.item for one in few.screens if not one.control}) == 4
    assert few.ratings == design(**corpus(), items=4).ratings
    assert any(screen.control for screen in few.screens)
    some = design(**corpus(), outputs=9)
    shown = {(one.item, text) for one in some.screens for text in one.predictions}
    assert 9 - 2 < len(shown) <= 9


def test_sources_left_out_are_seen_by_nobody_and_others_keep_their_numbers():
    seen = {one.item for one in design(**corpus(), leave_out={1, 3}, controls=True).screens}
    assert not seen & {"1", "3"}
    assert "2" in seen


# Answers beside their plan: those that it doesn't plan are refused, missing ones are named


def test_screens_without_a_whole_answer_are_missing(written):
    plan = design(**corpus(24, 4), scheme="likert", per_output=1, controls=True)
    rows = [row for row in answers_to(plan) if row["rater"] != "rater 3"]
    rows[1]["fluency"] = None
    del rows[4]
    ratings = read(written(rows), plan=plan)
    assert {name: own[:3] for name, own in ratings.missing.items()} == {
        "rater 1": [2, 5],
        "rater 3": [1, 2, 3],
    }
    lines = [note for note in analyse(ratings, resamples=20).notes if "screens" in note]
    assert lines[0] == "rater 1 has no whole answer to 2 screens: 2, 5"
    assert lines[1].endswith(" screens: 1, 2, 3, …")


def test_answers_from_a_spreadsheet_need_no_texts(written):
    plan = design(**corpus(12, 4), scheme="pairwise")
    names = ["rater", "item", "system", "control", *plan.scheme.criteria]
    rows = [{name: row[name] for name in names} for row in answers_to(plan)]
    cells = [row | {"system": json.dumps(row["system"])} for row in rows]
    assert read(written(cells, "answers.csv"), plan=plan).missing == {}


@pytest.mark.parametrize(
    "change",
    [
        *({"rater": "Bob"}, {"item": "99"}, {"system": ["new"]}, {"hash": "0"}),
        *({"prediction": "Other."}, {"source": "Other."}, Scheme.load("likert").stamp),
    ],
)
def test_answers_that_are_not_planned_are_refused_with_file_and_row(change, written):
    plan = design(**corpus(12, 4), scheme="level", controls=True)
    rows = answers_to(plan)
    assert not rows[3]["control"]
    for row in rows:
        del row["time"]
    rows[3].update(change)
    with pytest.raises(InputError, match=r"row 3 of .*answers\.jsonl"):
        read(written(rows), plan=plan)
