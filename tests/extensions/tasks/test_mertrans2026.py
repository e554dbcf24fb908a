"""MER-TRANS 2026: rows, columns and what is wrong with them."""

import pytest

from tests.given import write
from textsimp import Bleu, InputError, Sari
from textsimp.extensions import tasks

ORIGINALS = ["The feline reclined on it.", "It rained a lot.", "They sat."]
SIMPLE = ["The cat lay on it.", "It rained.", "They sat."]


@pytest.fixture
def gold(tmp_path):
    ids = {"document_id": ["a", "a", "b"], "original_sentence_id": ["0", "1", "0"]}
    texts = {"original_text": ORIGINALS, "simplified_text": SIMPLE}
    return write(tmp_path / "gold.csv", {**ids, **texts})


def test_numbers_are_those_of_the_metrics(gold, tmp_path):
    outputs = ["The cat reclined.", "It rained a lot.", "They sat down."]
    run = write(tmp_path / "run.txt", outputs)
    result = tasks.score("mertrans2026", gold=gold, predictions=run)
    bleu = Bleu.preset("sacrebleu", tokenizer="intl")
    sari = Sari.preset(tokenizer="intl")
    columns = {"predictions": outputs, "references": SIMPLE}
    assert result["sari"] == sari.score(sources=ORIGINALS, **columns)["sari"]
    assert result["bleu_gold"] == bleu.score(**columns)["bleu"]
    assert result["bleu_orig"] == bleu.score(predictions=outputs, references=ORIGINALS)["bleu"]
    assert [*result] == ["bleu_orig", "bleu_gold", "sari", "bert", "exact"]


@pytest.mark.parametrize("sentence", ["original_sentence_id", "sentence_id"])
def test_rows_are_joined_by_document_and_sentence(gold, tmp_path, sentence):
    ids = {"document_id": ["b", "a", "a"], sentence: ["0", "1", "0"]}
    outputs = ["They rested.", "It rained.", "The cat lay."]
    other = write(tmp_path / "other.csv", {**ids, "prediction": outputs})
    ordered = write(tmp_path / "ordered.txt", outputs[::-1])
    by_id = tasks.score("mertrans2026", gold=gold, predictions=other)
    assert by_id == tasks.score("mertrans2026", gold=gold, predictions=ordered)


def test_missing_extra_and_repeated_rows_are_counted(gold, tmp_path):
    ids = {"document_id": ["a", "a", "A", "c"], "original_sentence_id": ["0", "0", "1", "0"]}
    run = write(tmp_path / "run.csv", {**ids, "prediction": ["x", SIMPLE[0], "y", "z"]})
    coverage = tasks.score("mertrans2026", gold=gold, predictions=run).coverage
    assert (coverage.gold, coverage.scored) == (3, 1)
    assert (coverage.missing, coverage.extra, coverage.repeated) == ([2, 3], [3, 4], [2])
    (near,) = coverage.remarks.values()
    assert near == [3]


IDS = {"document_id": ["z"], "original_sentence_id": ["0"], "prediction": ["x"]}


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("run.txt", ["one", "two"], r"run\.txt has 2"),  # a row for each of gold, or ids
        ("run.csv", IDS, r"run\.csv"),  # of another gold
        *(
            ("run.csv", {name: [*"baa"], "prediction": SIMPLE}, rf"run\.csv: .*{name}")
            for name in ("document_id", "sentence_id", "original_sentence_id")  # half an id
        ),
    ],
)
def test_a_run_that_cannot_be_joined_is_an_error(gold, tmp_path, name, content, place):
    run = write(tmp_path / name, content)
    with pytest.raises(InputError, match=place):
        tasks.score("mertrans2026", gold=gold, predictions=run)


def test_runs_in_the_order_of_gold_may_repeat_its_ids(tmp_path):
    ids = {"document_id": ["a", "a", "a"], "original_sentence_id": ["0", "0", "0"]}
    texts = {"original_text": ORIGINALS, "simplified_text": SIMPLE}
    gold = write(tmp_path / "gold.csv", {**ids, **texts})
    result = tasks.score(
        "mertrans2026", gold=gold, predictions=gold, prediction_column="original_text"
    )
    assert result.coverage.scored == 3
    assert result["bleu_orig"] == pytest.approx(100)


def test_runs_with_and_without_ids_are_paired(gold, tmp_path):
    ids = {"document_id": ["b", "a"], "original_sentence_id": ["0", "1"]}
    partial = write(tmp_path / "partial.csv", {**ids, "prediction": ["x", "y"]})
    whole = write(tmp_path / "whole.txt", SIMPLE)
    results = tasks.compare("mertrans2026", gold=gold, predictions=[whole, partial])
    assert results.differences["partial"]["sari"].value < 0
    assert results.runs["partial"].instances == [1, 2]


def test_an_id_that_gold_repeats_is_an_error(tmp_path):
    ids = {"document_id": ["a", "b", "a"], "original_sentence_id": ["0", "0", "0"]}
    texts = {"original_text": ORIGINALS, "simplified_text": SIMPLE}
    gold = write(tmp_path / "gold.csv", {**ids, **texts})
    own = {name: column[:2] for name, column in ids.items()}
    run = write(tmp_path / "run.csv", {**own, "prediction": SIMPLE[:2]})
    with pytest.raises(InputError):
        tasks.score("mertrans2026", gold=gold, predictions=run)
