"""What `make_reward` promises to users of TRL, called as its trainers call it."""

import math
import pickle
import re
import textwrap

import pandas as pd
import pytest

from tests.given import given_to
from tests.project import PROJECT
from tests.trainer.completions import COLUMNS, COMPLETIONS, PROMPTS, called
from textsimp import Bleu, Sari
from textsimp.core.examples import ScriptWarning
from textsimp.metrics.catalogue import metric_class, names
from textsimp.support.errors import InputError
from textsimp.trainer import make_reward

OTHERS = ("information_errors", "lexical_substitution")  # which don't score texts
RANKING = [name for name in names() if metric_class(name)().ranks() and name not in OTHERS]


TEXTS = {
    "sources": COLUMNS["source"],
    "predictions": COMPLETIONS,
    "references": COLUMNS["references"],
}


def passages_for(name):
    """The column of passages, if a metric reads it."""
    columns = given_to(metric_class(name), TEXTS)
    return {column: rows for column, rows in columns.items() if column == "passages"}


def alone(metric, score, **columns):
    """The score of each completion in a corpus of its own."""
    rows = range(len(columns["predictions"]))
    return [
        metric.score(**{name: [column[i]] for name, column in columns.items()})[score] for i in rows
    ]


# What it returns ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [n for n in RANKING if metric_class(n).scores[0].most])
def test_a_reward_is_the_score_of_one_output_between_0_and_1(name):
    metric = metric_class(name)
    columns = given_to(metric, TEXTS)
    expected = alone(metric(), metric.scores[0].key, **columns)
    rewards = called(make_reward(name), **passages_for(name))
    assert all(type(reward) is float for reward in rewards)
    assert rewards == pytest.approx([score / 100 for score in expected], abs=1e-12)
    assert min(rewards) >= 0
    assert 0 < max(rewards) <= 1


def test_options_and_another_score_of_the_metric():
    expected = alone(Sari("xu"), "keep", **TEXTS)
    expected = [score / 100 for score in expected]
    assert called(make_reward("sari.keep", variant="xu")) == pytest.approx(expected)
    assert called(make_reward("sari(xu).keep")) == pytest.approx(expected)


def test_it_has_a_name_for_logs_and_a_signature():
    for name in ("sari", "sari(xu)", "sari.add", "sari(xu).add"):
        assert make_reward(name).__name__ == name
    reward = make_reward(variant="xu")
    assert (reward.__name__, reward.signatures) == (
        "sari(xu)",
        {"sari(xu)": Sari("xu").signature()},
    )


# What can't be scored ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "missing"),
    [("source", None), *(("references", x) for x in (None, math.nan, pd.NA, [], [None]))],
)
def test_rows_without_a_text_have_no_reward(column, missing):
    rows = [*COLUMNS[column]]
    rows[2] = rows[3] = missing
    before = called(make_reward())
    assert called(make_reward(), **{column: rows}) == [*before[:2], None, None, *before[4:]]


def test_a_batch_of_another_task_has_no_rewards():
    assert called(make_reward(), references=[None] * 8) == [None] * 8


def test_references_may_be_padded():
    padded = [[*row, None] for row in COLUMNS["references"]]
    assert called(make_reward(), references=padded) == called(make_reward())


# Whatever a policy writes ------------------------------------------------------------------------


def test_a_score_without_a_largest_value_is_not_divided():
    columns = {"predictions": COMPLETIONS, "references": COLUMNS["references"]}
    expected = alone(metric_class("ter")(), "ter", **columns)
    assert called(make_reward("ter")) == pytest.approx([-score for score in expected])


@pytest.mark.parametrize("name", RANKING)
@pytest.mark.parametrize(
    "text", ["", " \n", "['a', 'b']", "\x00\ufffd", "! " * 500, "a" * 5000, "猫"]
)
def test_no_completion_stops_training(name, text):
    found = called(make_reward(name), completions=[text] * 8, **passages_for(name))
    assert all(reward is None or math.isfinite(reward) for reward in found)


def test_a_batch_in_another_script_is_reported():
    with pytest.warns(ScriptWarning, match="Han"):
        called(make_reward(), completions=["我们在这里见面，喝一杯茶。" * 3] * 8)


# Chat --------------------------------------------------------------------------------------------


def chat(text):
    return [{"role": "assistant", "content": text}]


@pytest.mark.parametrize(
    "messages",
    [
        lambda text: chat(text),
        lambda text: [{"content": text}],
        lambda text: [*chat("Let me see."), {"role": "tool", "content": "x"}, *chat(text)],
        lambda text: [*chat(text), {"role": "tool", "content": "x"}],
    ],
)
def test_of_messages_the_last_by_the_assistant_counts(messages):
    completions = [messages(text) for text in COMPLETIONS]
    assert called(make_reward(), completions=completions) == called(make_reward())


@pytest.mark.parametrize("silent", [chat(None), chat(""), [], [{"role": "tool"}]])
def test_a_policy_that_says_nothing_said_an_empty_text(silent):
    assert called(make_reward(), completions=[silent] * 8) == called(
        make_reward(), completions=[""] * 8
    )


# Columns and prompts -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "source", "references"),
    [({"sources": "long", "references": "short"}, "long", "short"), ({}, "sources", "reference")],
)
def test_columns_may_have_other_names(names, source, references):
    given = {source: COLUMNS["source"], references: COLUMNS["references"]}
    assert make_reward(**names)(PROMPTS, COMPLETIONS, **given) == called(make_reward())


def test_other_columns_of_a_metric_have_their_own_names():
    assert max(called(make_reward("samsa"), **passages_for("samsa"))) > 0


# What is wrong -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"metric": "sary"}, "'sary'"),
        ({"metric": "sari, bleu"}, "^metric: "),
        ({"metric": None}, "^metric: "),
        ({"variant": "xy"}, "^variant: "),
        ({"tokeniser": "zh"}, "'tokeniser' of sari"),
        ({"metric": Sari(), "variant": "xu"}, "^metric: "),
        ({"metric": "fkgl_components"}, "^score: fkgl of fkgl_components"),
        ({"metric": "sari.precision"}, "precision.*keep"),
        ({"metric": "information_errors"}, "^metric: .*insertion"),
        ({"metric": "lexical_substitution"}, "^metric: .*substitutes"),
        ({"sources": ["a text"]}, "^sources: "),
        ({"references": 3}, "^references: "),
    ],
)
def test_mistakes_are_reported_when_it_is_made(given, place):
    with pytest.raises(InputError, match=place):
        make_reward(**given)


@pytest.mark.parametrize(
    ("made", "given", "place"),
    [
        ({"sources": "complex"}, {}, "^complex: .*sources=… of make_reward"),
        ({"references": "simple"}, {}, "^simple: .*references=… of make_reward"),
        ({"metric": "samsa"}, {}, "^passage: "),
        ({}, {"source": COLUMNS["source"][:7]}, "^source: .* 7$"),
        ({}, {"source": "a text"}, "^source: "),
        ({}, {"source": [1] * 8}, "^row 0 of source "),
        ({}, {"references": [["a", 1]] * 8}, "row 0 of references "),
        ({}, {"completions": "a text"}, "^completions: "),
        ({}, {"completions": [chat(3)] * 8}, "^row 0 of completions "),
    ],
)
def test_mistakes_in_the_data_are_reported(made, given, place):
    with pytest.raises(InputError, match=place):
        called(make_reward(**made), **given)


# Processes -------------------------------------------------------------------------------------


def test_a_process_gets_a_copy():
    reward = make_reward(Sari("xu"))
    copy = pickle.loads(pickle.dumps(reward))
    assert copy.__name__ == reward.__name__
    assert called(copy) == called(reward)


# What docs/tools.md shows ------------------------------------------------------------------------

PAGE = (PROJECT / "docs" / "tools.md").read_text(encoding="utf-8")
REWARDS = PAGE.partition("## Scores as rewards")[2].partition("\n## ")[0]
BLOCKS = [
    textwrap.dedent(block)
    for block in re.findall(r"^ *```py\n(.*?)^ *```$", REWARDS, re.M | re.S)[1:]
]


def test_the_ways_to_make_one():
    (ways,) = (block for block in BLOCKS if block.startswith("make_reward"))
    made = [line for line in ways.splitlines() if "BertScore" not in line]  # needs a model
    assert len(made) == ways.count("\n") - 1
    for line in made:
        assert callable(eval(line, {"make_reward": make_reward, "Sari": Sari, "Bleu": Bleu}))


def test_functions_to_copy():
    names = {"reward": make_reward()}
    for block in BLOCKS:
        if block.startswith("def "):
            exec(block, names)
    sources = ["a" * 10] * 3
    short = names["not_too_short"](completions=["", "a" * 4, "a" * 8], source=sources)
    assert short == pytest.approx([-0.6, -0.2, 0])
    thoughts = [chat(f"<think>\nHm.\n</think>\n\n{text}") for text in COMPLETIONS]
    assert called(names["answer"], completions=thoughts) == called(make_reward())
