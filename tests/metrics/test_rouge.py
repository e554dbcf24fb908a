"""ROUGE is that of rouge_score, by numbers that it printed; more are in `conformance`."""

import random
import tracemalloc

import pytest

from textsimp import Rouge
from textsimp.metrics.rouge import f1_scores


@pytest.mark.parametrize(
    ("variant", "expected"),  # printed by rouge_score 0.1.2
    [
        ("stemmed", [63.6364, 30.0, 27.2727, 63.6364]),
        ("evaluate", [54.5455, 20.0, 27.2727, 54.5455]),
    ],
)
def test_each_score_takes_its_best_reference(variant, expected):
    scores = Rouge.preset(variant).score(
        predictions=["It slept on a mat.\nThe cats sat, and the cats sat."],
        references=[["The old cat sat on a mat.\nIt was sleeping.", "Dogs sat."]],
    )
    names = ("rouge1", "rouge2", "rougeL", "rougeLsum")
    assert [scores[name] for name in names] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("blank", [" ", "\r", "\x0b", "\x85", "\u2028"])
def test_evaluate_takes_sentences_of_a_line_as_one(blank):
    """rouge_score splits at line feeds alone, so that its Lsum of a line is its L."""
    scores = Rouge("evaluate").score(
        predictions=[f"It slept on a mat.{blank}The cats sat, and the cats sat."],
        references=[[f"The old cat sat on a mat.{blank}It was sleeping."]],
    )
    assert scores["rougeLsum"] == scores["rougeL"] == pytest.approx(27.2727, abs=1e-4)


def test_stemmed_finds_the_sentences_of_a_line():
    line, lines = (f"The cats sat.{blank}It rained." for blank in " \n")
    scores = [
        Rouge().score(predictions=[t], references=["It rained. Cats sat."]) for t in (line, lines)
    ]
    assert scores[0] == scores[1]
    assert scores[0]["rougeLsum"] > scores[0]["rougeL"]


@pytest.mark.parametrize("lines", [1, 2, 50])
def test_long_texts_take_little_memory(lines):
    rng = random.Random(0)
    text, other = (
        "\n".join(" ".join(rng.choices("abcdefgh", k=2000 // lines)) for _ in range(lines))
        for _ in range(2)
    )
    tracemalloc.start()
    f1_scores(text, other, str.splitlines)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000  # a table of all pairs of words takes 32 million bytes


def test_progress_is_shown_within_a_corpus():
    texts = ["The old cat sat on the mat."] * 3_000
    finished = []
    rouge = Rouge()
    rouge.compute_statistics(rouge.check(predictions=texts, references=texts), finished.append)
    assert len(finished) > 1
    assert sum(finished) == len(texts)
