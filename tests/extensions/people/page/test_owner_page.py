"""The page of whoever runs a study: who may open it, and what it says at every stage."""

import re
from html import unescape
from pathlib import Path

import pytest

from tests.extensions.people.page.test_rating_server import SCHEMES, answer, begin, planned
from tests.given import lines, systems, write
from textsimp.extensions import people
from textsimp.extensions.people.page.rating_server import RatingServer

starlette = pytest.importorskip("starlette.applications", reason="gradio is not installed")

TOKEN = "known to the owner alone"


@pytest.fixture
def opened(tmp_path):
    """``opened(plan)`` → its server, and what asks for the owner's page."""
    from starlette.testclient import TestClient

    from textsimp.extensions.people.page.owner_page import owner_route

    def open_page(plan):
        server = RatingServer(plan, tmp_path, by_name=not plan.tokens)
        client = TestClient(starlette.Starlette(routes=[owner_route(server, TOKEN)]))
        return server, lambda **query: client.get("/owner", params={"token": TOKEN, **query})

    return open_page


def cells(page):
    """The cells of each row of the tables."""
    assert page.status_code == 200
    rows = re.findall("<tr>(.*?)</tr>", page.text)
    found = [re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]
    return {row[0]: [unescape(re.sub("<[^>]+>", "", cell)) for cell in row[1:]] for row in found}


def test_without_the_owner_s_token_nobody_learns_anything(opened):
    plan = planned().with_tokens()
    _, get = opened(plan)
    for token in ("", "x", TOKEN[:-1], TOKEN + "x", "\x00é", *plan.tokens.values()):
        for query in ({}, {"save": ""}):
            page = get(token=token, **query)
            assert page.status_code == 403
            assert "rater" not in page.text.replace("textsimp rate serve", "")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_it_grows_with_every_answer_of_every_scheme(scheme, opened):
    server, get = opened(planned(scheme))
    assert "Nobody has answered yet." in get().text
    screens = sum(one.rater == "rater 1" for one in server.plan.screens)
    for row in range(screens):
        answer(server, row)
        if row in (0, 1, screens - 1):
            done, of = cells(get())["rater 1"][0].split(" of ")
            assert int(done) * screens == int(of) * (row + 1)
    assert cells(get())["rater 2"] == [f"0 of {of}", *["–"] * 7]
    assert "No alpha: " in get().text
    answer(server, 0, name="rater 2")
    assert cells(get())["rater 2"][0] != f"0 of {of}"


def test_it_says_when_answers_were_given_and_who_looks_careless(opened, tmp_path):
    plan = planned(n=24)
    rows, same = [], {"fluency": 3, "meaning": 3, "simplicity": 3, "simpler": 1}
    for i, screen in enumerate(one for one in plan.screens if one.rater == "rater 2"):
        rows += screen.answers(plan.scheme, same)
        rows[-1] |= {"time": f"2026-05-{i % 9 + 1:02}T10:{i % 60:02}:00+02:00"}
    write(tmp_path / "rater 2.jsonl", rows)
    _, get = opened(plan)
    page = get()
    assert cells(page)["rater 2"][1:3] == ["2026-05-01 08:00", "2026-05-09 08:53"]
    assert re.search(r"rater 2 looks careless: passed 0 of \d controls\.", page.text)
    assert re.search(r"rater 2 gave the same answer (\d+) times of \1\.", page.text)
    assert "rater 1 looks" not in page.text


def test_the_page_says_what_ratings_does_and_the_file_is_read_by_meta_and_report(
    opened, examples, succeed
):
    server, get = opened(people.design(lines("source.txt"), systems(), items=12))
    for rater in server.plan.raters:
        for row in range(begin(server, rater)["n"]):
            answer(server, row, row % 3, name=rater)
    saved = get(save="")
    assert saved.headers["content-disposition"] == 'attachment; filename="answers.jsonl"'
    Path("answers.jsonl").write_text(saved.text, "utf-8")
    write("plan.jsonl", server.plan.to_dicts())
    printed = succeed("ratings plan.jsonl answers.jsonl").stdout.splitlines()
    lines_of = [re.split("  +", line) for line in printed]
    assert all([name, *row] in lines_of for name, row in cells(get()).items())
    assert not any(system in get().text for system in systems())
    succeed("meta -d answers.jsonl --rating meaning -m readability --resamples 20")
    succeed("report -s source.txt -r references -p systems --ratings answers.jsonl -o people.html")


def test_a_file_of_answers_that_was_edited_is_named(opened, tmp_path):
    _, get = opened(planned())
    write(tmp_path / "rater 1.jsonl", ["not an answer"])
    page = get()
    assert page.status_code == 500
    assert "rater 1.jsonl, line 1: expected an answer" in page.text
