"""Gold and systems joined by ids, in Python."""

import re

import pytest

import textsimp
from textsimp import InputError

SOURCES = ["The feline reclined.", "It rained a lot.", "They sat down there."]
REFERENCES = ["The cat lay.", "It rained.", "They sat."]
OUTPUTS = ["The cat reclined.", "It rained.", "They sat there."]
GOLD = {"sources": SOURCES, "references": REFERENCES, "ids": ["1", "2", "3"]}
FAST = {"confidence": None}


def sari(outputs, sources=SOURCES, references=REFERENCES):
    return textsimp.Sari().score(predictions=outputs, sources=sources, references=references)[
        "sari"
    ]


def joined(ids, outputs, **options):
    systems = {"ours": {"ids": ids, "predictions": outputs}, "theirs": OUTPUTS}
    return textsimp.score(systems, **GOLD, **FAST, **options)


def test_a_reordered_system_scores_as_the_ordered_one():
    results = joined([3, 1, 2], [OUTPUTS[2], OUTPUTS[0], OUTPUTS[1]])
    assert results["ours"]["sari"]["sari"] == results["theirs"]["sari"]["sari"] == sari(OUTPUTS)


@pytest.mark.parametrize("use", [textsimp.compare, textsimp.report.html])
def test_comparisons_and_reports_are_those_of_the_ordered_system(use):
    ours = {"ids": ["3", "2", "1"], "predictions": SOURCES[::-1]}
    options = {"metric": "sari", "resamples": 20}
    found = use({"ours": ours, "theirs": OUTPUTS}, **GOLD, **options)
    texts = {"sources": SOURCES, "references": REFERENCES}
    assert found == use({"ours": SOURCES, "theirs": OUTPUTS}, **texts, **options)


def test_missing_rows_are_an_error_or_empty_or_left_out_of_all_systems():
    ids, outputs = [3, 1], [OUTPUTS[2], OUTPUTS[0]]
    with pytest.raises(InputError, match=r"^ours: gold without a prediction \(row 2\); .*'skip'"):
        joined(ids, outputs)
    with pytest.warns(UserWarning, match=r"ours: gold without a prediction \(row 2\)"):
        empty = joined(ids, outputs, missing="empty")
    assert empty["ours"]["sari"]["sari"] == sari([OUTPUTS[0], "", OUTPUTS[2]])
    with pytest.warns(UserWarning, match="without a prediction"):
        skipped = joined(ids, outputs, missing="skip")
    expected = sari(OUTPUTS[::2], SOURCES[::2], REFERENCES[::2])
    assert [one["sari"]["sari"] for one in skipped.values()] == [expected] * 2


def test_the_last_of_repeated_rows_counts_and_extra_ones_do_not():
    with pytest.warns(UserWarning, match=r"lacks \(row 5\); instance .* earlier row \(row 4\)"):
        results = joined([1, 2, 3, 1, 9], ["x", *OUTPUTS[1:], OUTPUTS[0], "y"])
    assert results["ours"]["sari"]["sari"] == sari(OUTPUTS)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ids": ["1", "1", "3"]}, "ids: expected each id once, got 1 in rows 1 and 2"),
        ({"ids": ["1", None, "3"]}, "row 1 of ids (counted from 0): expected a text or whole num"),
        ({"ids": ["a", "b", "c"]}, "ours: no row has an id of ids"),
        ({"ids": ["1", "2"]}, "expected the same number of rows in every column: ids has 2, sou"),
        ({"missing": "drop"}, "missing: expected one of 'error', 'empty', 'skip', got 'drop'"),
        ({"ids": None, "missing": "skip"}, "missing: expected ids, by which systems are joined"),
    ],
)
def test_what_is_wrong_with_ids_is_told(change, message):
    systems = {"ours": {"ids": ["3", "2", "1"], "predictions": OUTPUTS}}
    with pytest.raises(InputError, match="^" + re.escape(message)):
        textsimp.score(systems, **{**GOLD, **change}, **FAST)


def test_only_predictions_may_be_missing_and_empty():
    systems = {"ours": {"ids": [1], "predictions": ["a"], "comet": [0.5]}}
    options = {"metric": textsimp.ColumnMeans(names="comet"), "ids": [1, 2], "missing": "empty"}
    with pytest.raises(InputError, match=r"^comet of ours: expected a row for each id"):
        textsimp.score(systems, **options, **FAST)
