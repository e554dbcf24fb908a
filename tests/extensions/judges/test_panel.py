"""Panels: each question is answered once, whatever fails; nothing is lost, nothing asked again."""

import contextlib
import html
import json
import re
import threading
import time
import warnings
from collections import Counter
from urllib.parse import quote

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.extensions.judges.conftest import design
from tests.extensions.judges.loopback import (
    FAULTS,
    by_length,
    completion,
    schema_of,
    serve,
    versions_in,
)
from tests.given import write
from textsimp.extensions import judges
from textsimp.extensions.judges import servers
from textsimp.extensions.people import Plan
from textsimp.support.errors import InputError

SHORT = 0.5  # seconds; a slow server takes longer
LATER = FAULTS[: FAULTS.index("not JSON")]
INVALID = FAULTS[len(LATER) : FAULTS.index("other model")]


@pytest.fixture
def file(tmp_path):
    return tmp_path / "a.jsonl"


@pytest.fixture
def ask(server, file):
    """Judge without warnings of what is missing."""

    def ask(plan=None, address=None, **options):
        options = {"models": ["m"], "timeout": 30, **options}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            url = address or server.address
            return judges.judge(plan or design(), base_url=url, file=file, **options)

    return ask


@pytest.fixture
def fails(ask):
    """Judge where nothing can be asked; return the message."""

    def fails(**options):
        with pytest.raises(InputError) as error:
            ask(**options)
        return str(error.value)

    return fails


def rows_of(file):
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def questions_in(rows):
    return Counter((row["rater"], row["item"], *row["system"]) for row in rows)


EIGHT = {("m", str(item), system): 1 for item in range(1, 5) for system in ("long", "short")}


def test_each_output_is_rated_once_by_each_model(ask):
    found = ask(models=["m", "n"])
    assert len(found) == 16
    assert set(found.raters) == {"m", "n"}
    assert sorted(found.values("fluency").tolist()) == [1.0] * 8 + [4.0] * 8


def test_requests_say_how_to_answer(server, ask):
    ask(temperature=0.5, seed=3)
    body = server.requests[0]
    fluency = schema_of(body)["properties"]["fluency"]
    assert fluency == {"type": "integer", "enum": [1, 2, 3, 4, 5]}
    assert (body["model"], body["temperature"], body["seed"]) == ("m", 0.5, 3)


def test_answers_say_how_they_were_asked(server, ask, file):
    server.faults = ["other model"]
    found = ask(concurrency=1)
    first, second, *_ = (row["judge"] for row in rows_of(file))
    assert first == {**second, "reported": "another"}
    told = {"model": "m", "reported": "m", "fingerprint": "fp_1", "temperature": 0.0}
    told |= {"seed": 0, "sample": 1, "tries": 1, "tokens": 100}
    assert told.items() <= second.items()
    prompt = file.with_name(f"a.prompt-{second['prompt']}.txt").read_text(encoding="utf-8")
    assert "$texts" in prompt
    assert sum("reported:another" in how for how in found.answers["how"]) == 1


def test_what_has_an_answer_is_not_asked_again(server, ask):
    ask()
    ask()
    assert len(server.requests) == 8
    ask(models=["m", "n"])
    assert len(server.requests) == 16


@pytest.mark.parametrize("options", [{"seed": 1}, {"temperature": 1.0}, {"answer_tokens": 9}])
def test_answers_to_another_way_of_asking_are_not_mixed(ask, fails, options):
    ask()
    assert "a.jsonl, line 1: " in fails(**options)


def test_people_may_answer_in_the_same_file(ask, file):
    plan = design()
    screen = plan.screens[0]
    rating = {"fluency": 1, "meaning": 1, "simplicity": 1, "simpler": 0}
    rows = screen.answers(plan.scheme, rating, seconds=3, time="2026-01-01")
    write(file, rows[:1])
    assert set(ask(plan).raters) == {"rater 1", "m"}


@pytest.mark.parametrize("fault", LATER)
def test_a_request_that_fails_is_sent_again(server, ask, fault):
    server.faults = [fault]
    found = ask(timeout=SHORT if fault == "slow" else 30)
    assert len(found) == 8
    assert len(server.requests) == 9 or (fault == "slow" and len(server.requests) > 9)
    assert not any(found.answers["invalid"])


@pytest.mark.parametrize("fault", INVALID)
def test_an_invalid_answer_is_asked_again_once(server, ask, file, fault):
    server.faults = [fault]
    found = ask(concurrency=1)
    assert len(server.requests) == 9
    assert not any(found.answers["invalid"])
    assert rows_of(file)[0]["judge"]["tries"] == 2
    again = server.requests[1]["messages"][0]["content"]
    assert re.search(r"The last reply was not valid: .+\.\Z", again)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("refusal", "refused: I can't help with that."),
        ("wrong schema", "the answer: expected an object with fluency, meaning, simplicity"),
        ("too long", "cut off, as it is too long"),
    ],
)
def test_an_answer_that_stays_invalid_is_kept_as_such(server, ask, file, fault, reason):
    server.faults = [fault] * 2
    found = ask(concurrency=1)
    ask()
    assert len(server.requests) == 9
    row = rows_of(file)[0]
    assert row["invalid"].startswith(reason)
    assert row["fluency"] is None
    assert row["judge"]["reply"] is not None
    assert sum(map(bool, found.answers["invalid"])) == 1


def test_a_refused_request_is_an_invalid_answer(server, ask):
    server.faults = ["", "400"]
    *valid, refused = sorted(ask(concurrency=1).answers["invalid"])
    assert refused.startswith("HTTP 400: ")
    assert not any(valid)


def test_a_server_that_comes_to_refuse_all_leaves_no_invalid_answers(server, fails, file):
    server.faults = ["", "", *["400"] * 99]
    fails(concurrency=1)
    assert [row["invalid"] for row in rows_of(file)] == ["", ""]


@pytest.mark.parametrize(
    ("status", "requests"),
    [("401", 1), ("402", 1), ("403", 1), ("404", 1), ("400", 3), ("500", 18)],
)
def test_a_server_that_always_fails_ends_the_run(server, fails, file, status, requests):
    server.faults = [status] * 99
    fails(concurrency=1)
    assert len(server.requests) == requests
    assert not file.exists()


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_ends_the_run_and_is_no_answer(server, ask, fails, file, status):
    ask(max_requests=1)
    elsewhere = {"Location": "https://elsewhere.example/v1/chat/completions"}
    server.reply = lambda body: (status, {}, elsewhere)
    fails()
    assert [row["invalid"] for row in rows_of(file)] == [""]


def test_half_a_character_in_a_reply_is_kept_escaped(server, ask, file):
    half = "\ud83d"
    reply = completion(f"Fine {half}", model=f"m{half}", fingerprint=half)
    server.reply = lambda body: (200, reply, {})
    ask()
    assert len(server.requests) == 16
    judge = rows_of(file)[0]["judge"]
    told = [judge[name] for name in ("reply", "reported", "fingerprint")]
    assert told == [r"Fine \ud83d", r"m\ud83d", r"\ud83d"]


@pytest.mark.parametrize("name", ["response_format", "temperature", "seed"])
def test_what_a_server_does_not_take_is_left_out(server, ask, file, name):
    server.refuses, server.answer = [name], lambda body: {"level": "B1"}
    ask(design("level"), concurrency=1)
    assert [name in body for body in server.requests] == [True] + [False] * 8
    assert {tuple(row["judge"]["left_out"]) for row in rows_of(file)} == {(name,)}


def test_a_newer_name_of_a_limit_is_taken(server, ask):
    server.refuses = ["max_tokens"]
    ask(concurrency=1)
    assert server.requests[-1]["max_completion_tokens"] == 1024


def test_the_budget_of_requests_is_kept(server, ask, file):
    server.faults = ["500", "cut"]
    with pytest.warns(UserWarning, match="5 questions "):
        judges.judge(design(), models="m", base_url=server.address, file=file, max_requests=5)
    assert len(server.requests) == 5
    ask()
    assert len(server.requests) == 10
    assert questions_in(rows_of(file)) == EIGHT


def test_the_budget_of_tokens_is_kept(server, ask):
    ask(concurrency=1, max_tokens=2000)
    assert 0 < 100 * len(server.requests) < 2000
    assert len(server.requests) < 8


@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.parametrize("status", [200, 500])
def test_tokens_of_replies_that_are_no_answers_count(server, ask, concurrency, status):
    overloaded = {"error": "overloaded", "usage": {"total_tokens": 5000}}
    server.reply = lambda body: (status, overloaded, {})
    with contextlib.suppress(InputError):  # no answer at all
        ask(concurrency=concurrency, max_tokens=12_000)
    assert len(server.requests) == 2


@pytest.mark.parametrize("tokens", [-(10**9), None, "7", True])
def test_a_number_of_tokens_that_makes_no_sense_is_replaced_by_the_estimate(server, ask, tokens):
    server.reply = lambda body: (200, completion("?", tokens=tokens), {})
    ask(max_tokens=4 * 1700)  # the estimates are 1,611 and 1,617
    assert len(server.requests) == 4


def test_a_reply_that_does_not_come_in_time_counts_as_estimated(server, ask):
    server.faults = ["drip"] * 9
    with contextlib.suppress(InputError):  # no answer at all
        ask(timeout=0.1, max_tokens=2 * 1700)
    assert len(server.requests) == 2


@pytest.mark.parametrize("fault", ["drip", "slow body"])
def test_a_reply_has_a_deadline_as_a_whole(server, fault, monkeypatch):
    """A byte each 0.1 s: no pause is as long as the time that is given."""
    monkeypatch.setattr(servers, "TRIES", 1)
    server.faults = [fault]
    asked = servers.Server(server.address, 0.4, servers.Budget(), threading.Event())
    begun = time.monotonic()
    with pytest.raises(servers.NoAnswer, match="timed out"):
        asked.ask({"model": "m"}, 0)
    assert time.monotonic() - begun < 1.2  # the whole would take 2 s


def test_a_server_that_is_not_there_takes_no_tokens(fails):
    with serve(by_length) as gone:
        pass
    fails(address=gone.address, max_tokens=1700)


def test_a_request_under_way_counts_as_the_largest_so_far(server, ask):
    server.reply = lambda body: (200, completion(json.dumps(by_length(body)), tokens=5000), {})
    ask(concurrency=8, max_tokens=17_000)
    assert len(server.requests) == 3


def test_two_processes_do_not_ask_the_same(server, fails, file):
    with FileLock(file.with_name(".a.jsonl.judge.lock")):
        fails()
    assert server.requests == []


runs = st.lists(
    st.tuples(
        st.lists(st.sampled_from(("", *FAULTS)), max_size=6),
        st.one_of(st.none(), st.integers(1, 8)),  # requests, after which the run ends
        st.integers(0, 200),  # bytes of a row that a killed process left
    ),
    max_size=3,
)


@given(runs)
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_each_question_is_answered_once_through_faults_and_kills(server, ask, file, history):
    file.unlink(missing_ok=True)
    for faults, limit, torn in [*history, ([], None, 0)]:
        server.faults = faults
        with contextlib.suppress(InputError):  # no answer at all, or the server stays away
            ask(max_requests=limit, timeout=SHORT if "slow" in faults else 30)
        if file.exists():
            row = file.read_bytes().splitlines(keepends=True)[-1]
            with open(file, "ab") as end:
                end.write(row[: min(torn, len(row) - 2)])
    ask()
    assert questions_in(rows_of(file)) == EIGHT


# Keys ------------------------------------------------------------------------------------------


def test_the_key_is_sent_and_written_nowhere(server, ask, tmp_path, monkeypatch):
    monkeypatch.setenv(servers.KEY, "secret-key")
    ask()
    assert set(server.keys) == {"Bearer secret-key"}
    for path in tmp_path.iterdir():
        assert b"secret-key" not in path.read_bytes()


SECRET = "sk-proj-Aa0_secret-key"


@pytest.mark.parametrize("place", ["text", "model", "fingerprint", "refusal"])
def test_a_key_in_a_reply_is_not_written(server, ask, file, monkeypatch, place):
    monkeypatch.setenv(servers.KEY, SECRET)
    told = {"text": "no JSON", place: f"Your key is {SECRET}."}
    server.reply = lambda body: (200, completion(**told), {})
    ask(max_requests=2, concurrency=1)
    text = file.read_text(encoding="utf-8")
    assert "Your key is " in text
    assert SECRET not in text


@pytest.mark.parametrize("status", [400, 401, 500, 200, 302])
def test_a_key_in_an_error_or_redirect_is_not_shown(server, fails, monkeypatch, status):
    monkeypatch.setenv(servers.KEY, SECRET)
    told = f"Your key is {SECRET}."
    server.reply = lambda body: (status, told.encode(), {"Location": told} if status == 302 else {})
    message = fails(concurrency=1)
    assert "Your key is " in message
    assert SECRET not in message


def written_as(key):
    """A key as replies and logs quote it."""
    encoded = json.dumps(key)[1:-1]
    return {
        "as it is": key,
        "JSON": encoded,
        "JSON in JSON": json.dumps(encoded)[1:-1],
        "PHP's JSON": encoded.replace("/", "\\/"),
        "escapes": "".join(f"\\u{ord(character):04X}" for character in key),
        "a URL": quote(key),
        "a whole URL": quote(key, safe=""),
        "HTML": html.escape(key),
        "its beginning": f"{key[:8]}***",
        "most of it": f"{key[:20]}…",
    }


ODD = 'sk-"a/b\\c&d+e%f=0123456789'


@pytest.mark.parametrize("form", written_as(ODD))
def test_a_key_is_hidden_however_it_is_written(form, server, fails, monkeypatch):
    monkeypatch.setenv(servers.KEY, ODD)
    quoted = written_as(ODD)[form]
    server.reply = lambda body: (500, f"before {quoted} after".encode(), {"Retry-After": "0"})
    told = fails(concurrency=1)
    assert re.search(r"before …\S* after", told)
    assert not any(part in told for part in ("sk-", "0123", "u0073", "a/b"))


def test_a_short_key_does_not_spoil_answers(server, ask, monkeypatch):
    monkeypatch.setenv(servers.KEY, "e")  # of a server that asks for none
    found = ask()
    assert len(server.requests) == 8
    assert not any(found.answers["invalid"])


def test_without_a_key_none_is_sent(server, ask, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_of_the_hub")
    ask()
    assert set(server.keys) == {None}


@pytest.mark.parametrize(
    "address", ["localhost:8000", "ftp://localhost", "http://", "http://me:secret@localhost/v1"]
)
def test_an_address_is_checked(fails, address):
    message = fails(address=address)
    assert message.startswith("base_url: ")
    assert "secret" not in message


# Questions -------------------------------------------------------------------------------------


def test_a_plan_for_people_is_asked_once(ask):
    people = design(per_output=1)
    assert len(ask(Plan(people.scheme, people.screens * 2))) == 8


@pytest.mark.parametrize(("scheme", "rows"), [("pairwise", 4), ("rank_and_rate", 8)])
def test_several_outputs_are_shown_in_both_orders(server, ask, scheme, rows):
    found = ask(design(scheme))
    shown = Counter(tuple(versions_in(body)) for body in server.requests)
    assert len(shown) == 8
    assert {outputs[::-1] for outputs in shown} == set(shown)
    assert Counter(found.answers["control"]) == {"": rows, "reversed": rows}


def test_samples_are_repeated_items_with_other_seeds(server, ask):
    found = ask(samples=3, seed=5)
    assert Counter(body["seed"] for body in server.requests) == {5: 8, 6: 8, 7: 8}
    assert Counter(found.answers["control"]) == {"": 8, "repeat": 16}


def test_more_samples_are_added_to_a_file(server, ask):
    ask()
    ask(samples=2)
    assert len(server.requests) == 16


def test_models_have_different_names(fails):
    fails(models=["m", "m"])
