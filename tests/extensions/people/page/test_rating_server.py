"""What the page on which people rate asks its server for: messages and replies."""

import csv
import functools
import io
import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from tests.given import write
from textsimp import InputError
from textsimp.extensions import people
from textsimp.extensions.people import Scheme
from textsimp.extensions.people.judgements import schemes
from textsimp.extensions.people.judgements.studies import check_name
from textsimp.extensions.people.page import build_rate
from textsimp.extensions.people.page import rating_server as module
from textsimp.support.names import same_name

HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(2)> ${alert(3)} {{7*7}}"
SYSTEMS = ("zeus", "hera", "ares", "kronos")
SCHEMES = [*schemes.NAMES]
CRITERION = {"question": "Is it good?", "steps": {1: "No.", 2: "Yes."}, "controls": {"source": 1}}
OWN = {"name": "own", "version": 1, "criteria": {"good": CRITERION}}
ANN = {"name": "rater 1"}
FIRST = {**ANN, "part": "study", "row": 0}
TOKEN = "of one visitor alone"
RatingServer = functools.partial(module.RatingServer, by_name=True)


def planned(scheme="likert", n=6, **options):
    sources = [f"The feline sat {i}." for i in range(n)]
    outputs = {name: [f"The cat sat {i} {k}. {HOSTILE}" for i in range(n)]
               for k, name in enumerate(SYSTEMS)}  # fmt: skip
    options = {"raters": 2, "controls": True, "references": [["A cat."]] * n, **options}
    return people.design(sources, outputs, scheme, **options)


def rating(server, screen, step=0):
    """A rating of each output by each criterion, in the page's form."""
    scheme = server.plan.scheme
    rated = {
        name: (["A", "B", "equal"] if scheme.compares else list(one.steps))[step]
        for name, one in scheme.criteria.items()
    }
    return [rated] * (1 if scheme.compares else len(screen["outputs"]))


def answer(server, row, step=0, **who):
    asked = {**ANN, "part": "study", **who, "row": row}
    screen = server.screen(asked)
    more = {"ratings": rating(server, screen, step), "comment": "Hm.", "seconds": 7.25}
    return server.answer({**more, **asked, "seen": screen["seen"]})


def begin(server, name="rater 1"):
    """Practise, if the scheme has practice, and begin the study."""
    who = {"name": name, "part": "practice", "comment": "", "seconds": 1}
    for row, item in enumerate(server.plan.scheme.practice):
        right = [
            {
                key: expected[0] if isinstance(expected, list) else expected
                for key, expected in own.items()
            }
            for own in item.ratings
        ]
        seen = server.screen({**who, "row": row})["seen"]
        server.answer({**who, "seen": seen, "ratings": right})
    return server.start({"name": name, "skip": True})


@pytest.fixture
def server(tmp_path):
    return RatingServer(planned(), tmp_path)


def own_scheme(**fields):
    return Scheme.from_dict({**OWN, **fields})


# Every scheme


@pytest.mark.parametrize("name", SCHEMES)
def test_all_answers_are_read_and_kept_in_the_order_of_the_plan(name, tmp_path):
    plan = planned(name)
    server = RatingServer(plan, tmp_path)
    for rater in plan.raters:
        found = begin(server, rater)
        assert found["n"] == sum(screen.rater == rater for screen in plan.screens)
        for row in range(found["n"]):
            assert answer(server, row, name=rater) == {"kept": True}
    files = sorted(tmp_path.glob("*.jsonl"))
    assert [file.name for file in files] == ["rater 1.jsonl", "rater 2.jsonl"]
    rated = people.read(files, plan=plan)
    assert rated.missing == {}
    assert {*rated.frame["seconds"]} == {7.2}
    assert people.analyse(rated, resamples=10).counts["raters"] == 2


@pytest.mark.parametrize("name", SCHEMES)
def test_nothing_tells_systems_and_controls(name, tmp_path):
    plan = planned(name)
    server = RatingServer(plan, tmp_path)
    sent = [begin(server)]
    for row in range(sent[0]["n"]):
        sent += [server.screen({**ANN, "part": "study", "row": row}), answer(server, row)]
    sent += [server.start(ANN), server.download(ANN), server.download({**ANN, "csv": True})]
    text = json.dumps(sent)
    kept = Path(tmp_path, "rater 1.jsonl").read_text()
    for secret in (*SYSTEMS, "control", '"repeat"', '"reference"', '"other"'):
        assert secret not in text
    assert all(system in kept for system in SYSTEMS)
    assert '"control": "repeat"' in kept


@pytest.mark.parametrize("name", SCHEMES)
def test_only_what_the_scheme_shows_is_sent_and_as_text(name, tmp_path):
    plan = planned(name, controls=False)
    server = RatingServer(plan, tmp_path)
    found = server.screen(FIRST)
    assert ("source" in found) == ("source" in plan.scheme.shows)
    assert "references" not in found
    assert len(found["outputs"]) == len(plan.screens[0].predictions)
    for text in found["outputs"]:
        assert "&lt;" in text
        assert not {"<script", "<img"} & set(text.split())
    marked = "<ins" in "".join(found["outputs"])
    assert marked == ("changes" in plan.scheme.shows)


def test_references_are_shown_if_the_scheme_says_so(tmp_path):
    scheme = own_scheme(shows=["prediction", "references"])
    server = RatingServer(planned(scheme), tmp_path)
    found = server.screen(FIRST)
    assert found["references"] == ["A cat."]
    assert "source" not in found


# What is kept


def test_who_goes_on_finds_their_answers(server, tmp_path):
    answer(server, 2, 1)
    part = {"ratings": [{"fluency": 3, "meaning": None}], "comment": "", "seconds": 2}
    server.answer({**FIRST, **part, "seen": server.screen(FIRST)["seen"]})
    found = RatingServer(server.plan, tmp_path).start({"name": " RATER  1"})
    full = {"fluency": 2, "meaning": 2, "simplicity": 2, "simpler": -1}
    assert found["given"]["2"] == {"ratings": [full], "comment": "Hm.", "seconds": 7.2}
    assert found["given"]["0"]["ratings"] == [
        {"fluency": 3, "meaning": None, "simplicity": None, "simpler": None}
    ]
    assert found["last"] == 0
    json.dumps(found)  # as Gradio sends it


def test_answers_do_not_vanish_while_the_owner_looks(server):
    for row in range(4):
        answer(server, row)
    look = threading.Thread(target=lambda: [server.results() for _ in range(20)])
    look.start()
    found = set()
    while look.is_alive():
        found.add((len(server.start(ANN)["given"]), server.screen(FIRST)["given"] is None))
    assert found == {(4, False)}


def test_the_last_answer_counts_and_earlier_ones_stay_in_the_file(server, tmp_path):
    for step in (0, 1, 2):
        answer(server, 3, step)
    assert server.start(ANN)["given"]["3"]["ratings"][0]["fluency"] == 3
    assert server.screen({**FIRST, "row": 3})["given"]["ratings"][0]["fluency"] == 3
    rows = [*map(json.loads, Path(tmp_path, "rater 1.jsonl").read_text().splitlines())]
    assert [row["fluency"] for row in rows] == [1, 2, 3]


def test_the_answer_with_the_latest_time_counts_as_in_ratings(server, tmp_path):
    for step in (2, 0):
        answer(server, 3, step)
    path = tmp_path / "rater 1.jsonl"
    first, last = map(json.loads, path.read_text().splitlines())
    write(path, [{**first, "time": "2100-01-01T00:00:00+00:00"}, last])
    assert server.start(ANN)["given"]["3"]["ratings"][0]["fluency"] == 3
    assert people.read(path).values("fluency").tolist() == [3]


def test_what_a_page_brings_back_tells_nothing_of_systems_and_controls(tmp_path):
    """Who guesses them finds the same digits for each guess."""
    plan, found = planned(), []
    kinds = {"source": "other", "reference": "source", "other": "reference"}
    guess = tuple(
        replace(
            one,
            systems=tuple((f"guess {i}",) * bool(own) for i, own in enumerate(one.systems)),
            control=kinds.get(one.control, one.control),
        )
        for one in plan.screens
    )
    for name, one in {"a": plan, "b": replace(plan, screens=guess)}.items():
        server = RatingServer(one, tmp_path / name)
        rows = range(server.start(ANN)["n"])
        found.append([server.screen({**ANN, "part": "study", "row": i})["seen"] for i in rows])
    assert found[0] == found[1]
    assert len(set(found[0])) == len(found[0])


@pytest.mark.parametrize("name", ["likert", "rank_and_rate", "pairwise"])
def test_the_download_has_the_last_answers(name, tmp_path):
    server = RatingServer(planned(name), tmp_path)
    for step in (0, 2):
        answer(server, 1, step)
    found = server.download(ANN)
    assert (found["file"], found["kind"]) == ("rater 1.jsonl", "application/jsonl")
    saved = [json.loads(line) for line in found["text"].splitlines()]
    kept = (tmp_path / "rater 1.jsonl").read_text("utf-8").splitlines()[-len(saved) :]
    for row, line in zip(saved, kept, strict=True):
        assert row.items() <= json.loads(line).items()


def test_the_download_for_a_spreadsheet_has_no_formulas(tmp_path):
    plan = planned()
    screens = tuple(replace(one, source="=1+1") for one in plan.screens)
    server = RatingServer(replace(plan, screens=screens), tmp_path)
    assert server.download({**ANN, "csv": True})["text"] == ""
    answer(server, 0)
    found = server.download({**ANN, "csv": True})
    assert found["file"] == "rater 1.csv"
    (row,) = csv.DictReader(io.StringIO(found["text"]))
    assert (row["source"], row["fluency"]) == ("'=1+1", "1")


# A plan that was changed


def test_answers_are_of_their_screens_when_the_plan_has_another_order(server, tmp_path):
    seen = server.screen(FIRST)["seen"]
    answer(server, 1, 1)
    plan = server.plan
    turned = RatingServer(replace(plan, screens=plan.screens[::-1]), tmp_path)
    n = turned.start(ANN)["n"]
    assert list(turned.start(ANN)["given"]) == [str(n - 2)]
    part = {"ratings": [{"fluency": 1}], "comment": "", "seconds": 1, "seen": seen}
    assert turned.answer({**FIRST, **part}) == {"kept": True}  # of a page that is still open
    assert turned.start(ANN)["given"][str(n - 1)]["ratings"][0]["fluency"] == 1


def test_an_answer_to_a_screen_that_is_gone_isnt_kept(server, tmp_path):
    seen = server.screen(FIRST)["seen"]
    answer(server, 0)
    before = Path(tmp_path, "rater 1.jsonl").read_bytes()
    screens = tuple(one for one in server.plan.screens if one.screen > 1)
    shorter = RatingServer(replace(server.plan, screens=screens), tmp_path)
    part = {"ratings": [{}], "comment": "", "seconds": 1, "seen": seen}
    assert shorter.answer({**FIRST, **part}) == {"kept": False}
    assert shorter.start(ANN)["given"] == {}
    assert Path(tmp_path, "rater 1.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [{"version": 2}, {"rater": "Bob"}, {"fluency": 7}, {"scheme": None}, {"seconds": -5}],
)
def test_a_file_that_doesnt_fit_is_one_error_and_stays(change, server, tmp_path):
    answer(server, 0)
    path = tmp_path / "rater 1.jsonl"
    write(path, [{**json.loads(path.read_text()), **change}])
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"rater 1\.jsonl, line 1: "):
        RatingServer(server.plan, tmp_path)
    assert path.read_bytes() == before


def test_a_rater_who_sees_the_same_twice_is_refused(tmp_path):
    plan = planned()
    again = replace(plan.screens[0], screen=99)
    with pytest.raises(InputError, match="screen 99 of rater 'rater 1'"):
        RatingServer(replace(plan, screens=(*plan.screens, again)), tmp_path)


# Messages that make no sense


@pytest.mark.parametrize(
    ("method", "change", "place"),
    [
        ("start", {"name": "Bob"}, "name"),
        ("start", {"name": "../x"}, "name"),
        ("start", {"name": None}, "name"),
        ("screen", {"row": 99}, "row"),
        ("screen", {"row": "0"}, "row"),
        ("screen", {"part": "x"}, "part"),
        ("answer", {"ratings": []}, "ratings"),
        ("answer", {"ratings": [{"other": 1}]}, "ratings"),
        ("answer", {"ratings": {"fluency": 1}}, "ratings"),
        ("answer", {"ratings": [{"fluency": 6}]}, "fluency"),
        ("answer", {"ratings": [{"fluency": True}]}, "fluency"),
        ("answer", {"ratings": [{"fluency": [1]}]}, "fluency"),
        ("answer", {"seconds": -1}, "seconds"),
        ("answer", {"seconds": "x"}, "seconds"),
        ("answer", {"seconds": 10**400}, "seconds"),
        ("answer", {"seconds": -(10**400)}, "seconds"),
        ("answer", {"comment": 5}, "comment"),
        ("answer", {"comment": "x" * 2001}, "comment"),
    ],
)
def test_messages_that_make_no_sense_are_refused_and_nothing_is_kept(
    method, change, place, server, tmp_path
):
    asked = FIRST | {
        "ratings": [{}],
        "comment": "",
        "seconds": 1,
        "seen": server.screen(FIRST)["seen"],
    }
    with pytest.raises(InputError, match=f"^{place}"):
        getattr(server, method)({**asked, **change})
    assert list(tmp_path.iterdir()) == []


@settings(max_examples=30)
@given(st.text(max_size=70))
def test_a_name_is_the_name_of_a_file_in_the_folder(name):
    try:
        path = Path("/answers") / f"{same_name(check_name(name))}.jsonl"
    except InputError:
        event("no name")
    else:
        event("a name")
        assert path.parent == Path("/answers")
        assert len(path.name.encode()) < 255
        assert "\0" not in path.name
        assert not path.name.startswith(".")


def test_names_differ_in_more_than_case(tmp_path):
    first, *others = planned(raters=1).screens
    plan = planned(raters=1)
    screens = (replace(first, rater="Jörg"), *(replace(one, rater="JÖRG") for one in others))
    with pytest.raises(InputError):
        RatingServer(replace(plan, screens=screens), tmp_path)


def test_a_comment_that_isnt_unicode_is_kept_as_far_as_it_is(server):
    answer(server, 0, comment="a\ud800b")
    assert server.start(ANN)["given"]["0"]["comment"] == "a?b"


# Practice

PRACTICE = [
    {"source": "A.", "prediction": "B.", "ratings": {"good": 1}, "why": "Because."},
    {"source": "C.", "prediction": "D.", "ratings": {"good": [1, 2]}},
]


@pytest.fixture
def practising(tmp_path):
    return RatingServer(planned(own_scheme(practice=PRACTICE, qualified=0.75)), tmp_path)


def test_practice_comes_first_and_says_what_is_right(practising):
    assert practising.start(ANN)["part"] == "practice"
    found = answer(practising, 0, 1, part="practice")
    assert found["feedback"] == {
        "right": [{"good": False}],
        "expected": [{"good": 1}],
        "why": "Because.",
    }
    answer(practising, 1, 1, part="practice")
    assert practising.start(ANN)["result"] == {"right": 1, "of": 2, "asked": 0.75}


@pytest.mark.parametrize(("qualified", "asked"), [(None, 0.5), (0, 0), (1, 1)])
def test_half_of_practice_is_asked_unless_the_scheme_has_a_share(qualified, asked, tmp_path):
    scheme = own_scheme(practice=PRACTICE, qualified=qualified)
    server = RatingServer(planned(scheme), tmp_path)
    assert server.start(ANN)["result"] == {"right": 0, "of": 2, "asked": asked}


def test_who_practises_again_begins_anew_and_first_answers_are_kept(practising, tmp_path):
    for row, step in ((0, 1), (1, 1)):
        found = practising.start({**ANN, "again": True})  # nothing is begun anew in the middle
        assert len(found["given"]) == row
        answer(practising, row, step, part="practice")
    again = practising.start({**ANN, "again": True})
    assert (again["part"], again["given"], again["feedback"]) == ("practice", {}, {})
    assert answer(practising, 0, 0, part="practice")["feedback"]["right"] == [{"good": True}]
    folder = tmp_path / "practice"
    kept = [folder / "1" / "rater 1.jsonl", folder / "rater 1.jsonl"]
    assert [path.read_text().count('"good"') for path in kept] == [2, 1]


def test_the_first_answer_counts_in_practice(practising):
    answer(practising, 0, 1, part="practice")
    assert answer(practising, 0, 0, part="practice")["feedback"]["right"] == [{"good": False}]


def test_the_page_doesnt_know_what_is_right_before_it_has_answered(practising):
    sent = [practising.start(ANN), practising.screen({**ANN, "part": "practice", "row": 0})]
    assert "Because." not in json.dumps(sent)
    assert sent[0]["feedback"] == {}
    assert "practice" not in sent[0]["scheme"]
    assert "controls" not in json.dumps(sent)


def test_practice_is_kept_apart(practising, tmp_path):
    answer(practising, 0, part="practice")
    assert practising.download(ANN)["text"] == ""
    assert [path.name for path in tmp_path.glob("*.jsonl")] == []
    assert (tmp_path / "practice" / "rater 1.jsonl").exists()


@pytest.mark.parametrize("steps", [[], [0], [1, 1]])  # of which the first is wrong
def test_the_study_does_not_begin_before_enough_of_practice_is_right(steps, practising):
    for row, step in enumerate(steps):
        answer(practising, row, step, part="practice")
    with pytest.raises(InputError, match=r"^practice: expected 75% of 2 ratings right, got "):
        practising.start({**ANN, "skip": True})
    assert practising.start(ANN)["part"] == "practice"


def test_who_has_begun_doesnt_practise_again(practising):
    for row in range(2):
        answer(practising, row, 0, part="practice")
    assert practising.start(ANN)["part"] == "practice"
    assert practising.start({**ANN, "skip": True})["part"] == "study"
    answer(practising, 0)
    assert practising.start(ANN)["part"] == "study"


# Tokens


@pytest.fixture
def linked(tmp_path):
    """A server whose raters open their links."""
    return module.RatingServer(planned().with_tokens(), tmp_path)


def test_a_token_is_a_rater_whatever_the_name_says(linked, tmp_path):
    token = linked.plan.tokens["rater 2"]
    assert linked.start({"token": token})["name"] == "rater 2"
    assert answer(linked, 0, token=token) == {"kept": True}  # with the name of rater 1
    assert [path.name for path in tmp_path.glob("*.jsonl")] == ["rater 2.jsonl"]
    assert linked.download({"name": "rater 1", "token": token})["file"] == "rater 2.jsonl"


@pytest.mark.parametrize("method", ["start", "screen", "answer", "download"])
@pytest.mark.parametrize("token", [None, "", "rater 1", "x" * 22, ["x"], "\ud800"])
def test_without_a_token_nobody_learns_names_or_gives_answers(method, token, linked, tmp_path):
    with pytest.raises(InputError) as told:
        getattr(linked, method)({**FIRST, "token": token, "seconds": 1})
    assert str(told.value) == "this link is nobody's: open the one that you were given"
    assert list(tmp_path.iterdir()) == []


def test_tokens_are_long_differ_and_are_new_each_time():
    plan = planned(raters=4)
    first, second = plan.with_tokens().tokens, plan.with_tokens().tokens
    assert [*first] == plan.raters
    assert len({*first.values(), *second.values()}) == 8
    assert min(map(len, first.values())) >= 22  # 128 bits


def test_a_plan_s_file_has_its_tokens_and_answers_have_none(tmp_path):
    plan = planned().with_tokens()
    assert people.read_plan(write(tmp_path / "plan.jsonl", plan.to_dicts())) == plan
    server = module.RatingServer(plan, tmp_path / "answers")
    answer(server, 0, token=plan.tokens["rater 1"])
    assert "token" not in (tmp_path / "answers" / "rater 1.jsonl").read_text()


OF_RATER_1 = r"row [01] of column 'token' of .*'rater 1', of 16 ch"


@pytest.mark.parametrize(
    ("tokens", "told"),
    [
        *(([token], OF_RATER_1) for token in ("short", 7, None)),
        (["a" * 16, "b" * 16], OF_RATER_1),
        (["of all raters, alas"], "another one for each rater"),
    ],
)
def test_a_plan_has_one_long_token_for_each_rater(tokens, told, tmp_path):
    rows = planned().to_dicts()
    rows = [{**row, "token": tokens[i % len(tokens)]} for i, row in enumerate(rows)]
    with pytest.raises(InputError, match=told):
        people.read_plan(write(tmp_path / "plan.jsonl", rows))


def test_a_plan_without_tokens_is_served_by_name_only(tmp_path):
    with pytest.raises(InputError, match="with_tokens"):
        module.RatingServer(planned(), tmp_path)


@pytest.mark.parametrize("by_name", [False, True])
def test_a_page_names_raters_only_where_they_choose_their_name(by_name, tmp_path):
    pytest.importorskip("gradio", reason="gradio is not installed")
    from textsimp.extensions.people.page.rating_page import render_page

    plan = planned(names=["Zarathustra"]).with_tokens()
    page = render_page(module.RatingServer(plan, tmp_path, by_name=by_name))
    assert ("Zarathustra" in page) == by_name
    assert plan.tokens["Zarathustra"] not in page


# Without a folder


def test_without_a_folder_anybody_rates_what_the_first_rater_would(monkeypatch):
    monkeypatch.setattr(module, "_MAX_NAMES", 2)
    server = RatingServer(planned(raters=1), None)
    for name in ("Ann", "Bob", "Ann"):
        assert answer(server, 0, name=name, token=TOKEN) == {"kept": True}
    assert server.start({"name": "Ann", "token": TOKEN})["given"].keys() == {"0"}
    assert server.start({"name": " ANN", "token": TOKEN})["given"].keys() == {"0"}
    assert server.start({"name": "Cem", "token": TOKEN})["given"] == {}
    with pytest.raises(InputError, match="at most 2 raters"):
        answer(server, 0, name="Cem", token=TOKEN)


def test_a_visitor_of_the_same_name_is_another_one():
    server = RatingServer(planned(raters=1), None)
    answer(server, 0, name="Ann", token=TOKEN)
    other = {"name": "Ann", "token": "of another visitor"}
    assert server.start(other)["given"] == {}
    assert server.screen({**FIRST, **other})["given"] is None
    assert server.download(other)["text"] == ""


@pytest.mark.parametrize(
    "arguments", [{"plan": planned()}, {"answers": "folder"}], ids=["no folder", "no plan"]
)
def test_a_page_that_could_not_keep_answers_is_refused(arguments):
    pytest.importorskip("gradio", reason="gradio is not installed")
    with pytest.raises(InputError):
        build_rate(**arguments)
