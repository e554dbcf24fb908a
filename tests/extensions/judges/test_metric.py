"""Judges as metrics: what is asked, once; what is made of answers and their probabilities."""

import json
import math
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import textsimp
from tests.extensions.judges.conftest import SOURCES, SYSTEMS, design
from tests.extensions.judges.loopback import (
    by_length,
    completion,
    likes,
    schema_of,
    serve,
    versions_in,
)
from tests.extensions.literal import judge as literal
from tests.given import rows, write
from tests.test_threads import at_once
from textsimp import InputError, Judge
from textsimp.extensions import judges
from textsimp.extensions.judges import prompts
from textsimp.extensions.judges.metric import weigh
from textsimp.extensions.people import Scheme
from textsimp.testing import check_metric

LIKERT = Scheme.load("likert")
FOUR = {"sources": SOURCES, "predictions": SYSTEMS["short"]}
LONG = {"sources": SOURCES, "predictions": SYSTEMS["long"]}


def tokens_of(text, likeliest):
    """The tokens of a text, of which each digit has the likeliest of its place beside it."""
    tokens = []
    for token in re.findall(r"[0-9]|[^0-9]+", text):
        others = likeliest if token.isdigit() else [(token, 0.0)]
        top = [{"token": other, "logprob": logprob} for other, logprob in others]
        tokens.append({"token": token, "logprob": top[0]["logprob"], "top_logprobs": top})
    return tokens


def probable(*likeliest):
    """What a server replies that returns log probabilities."""

    def reply(body):
        text = json.dumps(likes(schema_of(body)))
        tokens = {"content": tokens_of(text, likeliest)}
        return 200, completion(text, logprobs=tokens), {}

    return reply


@pytest.fixture
def make(server, tmp_path):
    """Make a judge with a file of answers."""

    def make(**options):
        file = str(tmp_path / "a.jsonl")
        return Judge(**{"model": "m", "answers": file, "base_url": server.address, **options})

    return make


def seen(server):
    """How often each output was asked about."""
    return Counter(text for body in server.requests for text in versions_in(body))


# Numbers -----------------------------------------------------------------------------------------


def test_an_example_has_its_rating_by_each_criterion(make):
    found = make().score(**FOUR, per_example=True)
    assert found["simplicity_per_example"] == [4.0] * 4
    assert [*found.predictions] == ["simplicity", "fluency", "meaning", "simpler"]
    assert next(iter(make(criterion="meaning").score(**FOUR).predictions)) == "meaning"


def test_ratings_are_weighted_by_their_probabilities(server, make):
    server.reply = probable(("4", math.log(0.5)), ("5", math.log(0.25)), ("2", math.log(0.05)))
    metric = make()
    found = metric.score(**FOUR)
    assert found["simplicity"] == pytest.approx((2 + 1.25 + 0.1) / 0.8, abs=1e-12)
    assert found["simpler"] == 1  # of -2 to 2 a token may be the sign alone
    assert "|weighted:yes|" in metric.signature()
    assert server.requests[0]["top_logprobs"] == 20


FORMS = ["4", " 4", "4 ", '": 4', "4,", "4}\n", "-4", "40", "x4"]
TOKENS = st.sampled_from([form.replace("4", digit) for form in FORMS for digit in "0123456789"])


@given(st.dictionaries(TOKENS, st.floats(-30, 0), max_size=20), st.integers(1, 5))
def test_a_weighted_rating_is_that_of_the_paper(likeliest, rating):
    likeliest = {str(rating): -1.0, **likeliest}
    ratings = dict.fromkeys(LIKERT.criteria, rating)
    tokens = tokens_of(json.dumps(ratings), [*likeliest.items()])
    found = prompts.read_probabilities(LIKERT, ratings, tokens)
    scale = prompts.digits(LIKERT)["meaning"]
    expected = literal.weighted_rating(range(1, 6), [*likeliest.items()])
    assert weigh(found["meaning"], scale) == pytest.approx(expected, abs=1e-12)
    assert [*found] == ["fluency", "meaning", "simplicity"]


@pytest.mark.parametrize("tokens", [None, [], ["a"], [{"token": '"fluency": 4'}], "4"])
def test_replies_without_whole_probabilities_have_none(tokens):
    ratings = dict.fromkeys(LIKERT.criteria, 4)
    assert prompts.read_probabilities(LIKERT, ratings, tokens) is None


def test_without_probabilities_an_output_has_the_mean_of_its_samples(tmp_path):
    def answer(body):
        return likes(schema_of(body), body["seed"] / 5)

    with serve(answer) as server:
        metric = Judge(model="m", samples=3, base_url=server.address)
        assert metric.score(**FOUR)["fluency"] == 2
        assert len(server.requests) == 12
    assert "|samples:3|weighted:no|" in metric.signature()


@pytest.mark.parametrize("likeliest", [[("2", 0.0)], []])
def test_ratings_aside_of_the_scale_do_not_count(server, make, likeliest):
    def reply(body):
        aside = "1." in versions_in(body)[0]
        text = json.dumps(dict.fromkeys(scheme.criteria, -1 if aside else 2))
        tokens = {"content": tokens_of(text, likeliest)} if likeliest else None
        return 200, completion(text, logprobs=tokens), {}

    server.reply, scheme = reply, Scheme.load("information_errors")
    metric = make(scheme=scheme.name)
    found = metric.score(**FOUR, per_example=True)
    assert found["insertion"] == 2
    assert math.isnan(found["insertion_per_example"][0])
    assert f"|weighted:{'yes' if likeliest else 'no'}|" in metric.signature()


def test_schemes_may_show_references(server, tmp_path):
    fields = {**LIKERT.to_dict(), "name": "mine", "shows": ["source", "prediction", "references"]}
    scheme = write(tmp_path / "mine.json", fields)
    metric = Judge(model="m", scheme=str(scheme), base_url=server.address)
    metric.score(**FOUR, references=[["Met early."]] * 4)
    metric.score(**FOUR, references=[["Met late."]] * 4)
    assert seen(server) == dict.fromkeys(SYSTEMS["short"], 2)


@pytest.mark.slow
def test_it_is_a_metric_by_all_rules(make):
    check_metric(make())


# Asking once -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", [True, False])
def test_a_second_run_asks_nothing(server, make, kept):
    first = make(**({} if kept else {"answers": None})).score(**FOUR)
    again = make(**({"base_url": ""} if kept else {"answers": None})).score(**FOUR)
    assert again.to_dict() == first.to_dict()
    assert len(server.requests) == 4


def test_equal_outputs_are_asked_about_once(server, make):
    systems = {"a": SYSTEMS["short"] * 2, "b": SYSTEMS["short"] * 2}
    textsimp.compare(systems, metric=make(), sources=SOURCES * 2, baseline="a", resamples=20)
    assert max(seen(server).values()) == 1
    assert {(*row["system"],) for row in rows(make().answers)} >= {("a", "b")}


def test_threads_ask_once(server, make):
    metric = make()
    found = at_once(lambda _: metric.score(**FOUR)["meaning"])
    assert {*found} == {4.0}
    assert seen(server) == dict.fromkeys(SYSTEMS["short"], 1)


def test_answers_to_the_command_are_taken(server, make):
    metric = make()
    judges.judge(design(), models="m", base_url=server.address, file=metric.answers)
    server.requests.clear()
    assert metric.score(**FOUR)["simplicity"] == 4
    make(samples=2).score(**FOUR)
    assert seen(server) == dict.fromkeys(SYSTEMS["short"], 1)


def test_a_half_written_answer_is_asked_for_again(server, make):
    metric = make()
    metric.score(**FOUR)
    file = Path(metric.answers)
    file.write_bytes(file.read_bytes()[:-50])
    make().score(**FOUR)
    assert len(server.requests) == 5
    assert len(rows(file)) == 4


# Signatures and errors ---------------------------------------------------------------------------


def test_the_signature_names_model_scheme_prompt_and_samples(make):
    metric = make(model="gpt-4.1", samples=2)
    metric.score(**FOUR)
    signature = metric.signature()
    prompt = prompts.Prompt.load().hash
    assert signature.startswith(
        f"judge|variant:ratings|model:gpt-4.1|scheme:likert@{LIKERT.hash}|samples:2|weighted:no|"
        f"prompt:{prompt}|v:"
    )
    assert str(textsimp.metric(signature)) == "judge(gpt-4.1, samples=2, weighted=False)"


def test_colons_and_dots_stay_in_options():
    text = "judge:qwen3:8b:base_url=http://localhost:8000/v1:answers=a.b.jsonl:samples=2"
    metric = textsimp.metric(text)
    assert (metric.model, metric.base_url) == ("qwen3:8b", "http://localhost:8000/v1")
    assert (metric.answers, metric.samples) == ("a.b.jsonl", 2)
    assert textsimp.metric(str(metric)) == metric


def test_a_server_that_forbids_log_probabilities_is_asked_without(server, make):
    def reply(body):
        if "logprobs" in body:
            return 403, {"error": "You are not allowed to request logprobs from this model."}, {}
        return 200, completion(json.dumps(by_length(body))), {}

    server.reply = reply
    assert make(concurrency=1).score(**FOUR)["meaning"] == 4
    assert ["top_logprobs" in body for body in server.requests] == [True] + [False] * 4
    with pytest.raises(InputError, match=r"^judge: 4 of 4 answers of m have no log probabilities"):
        make(weighted=True).score(**FOUR)


def test_answers_without_probabilities_are_not_mixed_with_others(server, make):
    server.reply = probable(("4", -0.1))
    metric = make()
    metric.score(**FOUR)
    server.reply = None
    with pytest.raises(InputError, match="log probabilities: give weighted=False"):
        metric.score(**LONG)


def test_invalid_answers_are_counted_and_left_out(server, make):
    server.faults = ["not JSON", "not JSON"]
    with pytest.warns(UserWarning, match="1 of 4 answers of m aren't valid, .* JSON alone"):
        found = make(concurrency=1).score(**FOUR, per_example=True)
    assert found["meaning"] == 4
    assert Counter(map(math.isnan, found["meaning_per_example"])) == {False: 3, True: 1}


@pytest.mark.filterwarnings("ignore:.*answers of m aren't valid")
def test_a_system_without_a_valid_answer_is_an_error(server, make):
    server.faults = ["refusal"] * 8
    with pytest.raises(InputError, match=r"^predictions: expected a valid answer of m, got none"):
        make().score(**FOUR)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"base_url": ""}, "^base_url: expected the address of a server, as 4 questions have no"),
        ({"base_url": "http://127.0.0.1:9/v1"}, "got no answer: Cannot connect to host 127"),
        ({"model": ""}, "^model: judge expects a model's name"),
        ({"scheme": "pairwise"}, "^scheme: expected one of single outputs"),
        ({"criterion": "grammar"}, "^criterion: .*simplicity"),
        ({"scheme": "level", "weighted": True}, "^weighted: expected ratings that are digits"),
        ({"prompt": "none.txt"}, "none.txt"),
        ({"temperature": 1.0}, r"a\.jsonl, line 1: .* with temperature 1.0.*another file"),
    ],
)
def test_what_is_missing_is_named(make, options, message):
    make().score(**FOUR)
    with pytest.raises(InputError, match=message):
        make(**options).score(**LONG)


def test_a_key_that_is_refused_is_named(server, make):
    server.faults = ["401"] * 4
    with pytest.raises(InputError, match="HTTP 401: the key in TEXTSIMP_JUDGE_KEY isn't taken"):
        make().score(**FOUR)
