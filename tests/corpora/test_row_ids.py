"""Gold and systems joined by ids, in Python."""

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
    with pytest.raises(InputError):
        joined(ids, outputs)
    expected = {
        "empty": sari([OUTPUTS[0], "", OUTPUTS[2]]),
        "skip": sari(OUTPUTS[::2], SOURCES[::2], REFERENCES[::2]),
    }
    for missing, score in expected.items():
        with pytest.warns(UserWarning, match=r"ours: .*row 2"):
            found = joined(ids, outputs, missing=missing)
        assert found["ours"]["sari"]["sari"] == score


def test_the_last_of_repeated_rows_counts_and_extra_ones_do_not():
    with pytest.warns(UserWarning, match=r"ours: .*row 5.*row 4"):
        results = joined([1, 2, 3, 1, 9], ["x", *OUTPUTS[1:], OUTPUTS[0], "y"])
    assert results["ours"]["sari"]["sari"] == sari(OUTPUTS)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"ids": ["1", "1", "3"]}, "ids: .* 1 in rows 1 and 2"),
        ({"ids": ["1", None, "3"]}, "row 1 of ids "),
        ({"ids": [1.0, 1.5, 3.0]}, "row 1 of ids .* float 1.5"),
        ({"ids": ["0", "1", "2"]}, r"ours: .*\(row 1\)"),
        ({"ids": ["a", "b", "c"]}, "ours: "),
        ({"ids": ["1", "2"]}, ": ids has 2, sources has 3"),
        ({"missing": "drop"}, "missing: "),
        ({"ids": None, "missing": "skip"}, "missing: "),
        # only predictions may be missing, and empty
        ({"metric": "column(comet)", "ids": ["0", "1", "2"], "missing": "empty"}, "comet of ours"),
    ],
)
def test_what_is_wrong_with_ids_is_told(change, place):
    systems = {"ours": {"ids": ["3", "2", "1"], "predictions": OUTPUTS, "comet": [0.5, 1, 2]}}
    with pytest.raises(InputError, match=place):
        textsimp.score(systems, **{**GOLD, **change}, **FAST)
