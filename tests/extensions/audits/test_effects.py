"""The result of both audits as data, tables and a figure."""

import json
from functools import partial

import numpy as np
import pytest

from textsimp import InputError, Readability
from textsimp.extensions.audits import audit_errors, audit_gaming
from textsimp.extensions.audits.effects import check_names, check_shares

METRICS = ["sari", "bleu", "fkgl_components"]


@pytest.fixture(scope="module", params=["gaming", "errors"])
def audit(request, corpus):
    function = audit_gaming if request.param == "gaming" else audit_errors
    options = {"repeats": 5} if request.param == "gaming" else {"resamples": 20}
    return partial(function, METRICS, **corpus, shares=[0.3, 1.0], **options)


@pytest.fixture(scope="module")
def result(audit):
    return audit(seed=3)


def test_the_seed_decides(audit, result):
    assert audit(seed=3).to_dict() == result.to_dict()
    assert audit(seed=4).to_dict() != result.to_dict()


def test_the_result_is_plain_data(result):
    plain = result.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["kind"] == result.kind
    assert (plain["outputs"], plain["shares"]) == (48, [0.3, 1.0])
    assert plain["repeats" if result.kind == "gaming" else "resamples"] in (5, 20)
    assert plain["signatures"]["bleu"].startswith("bleu|variant:easse|")


def test_the_frame_has_a_row_per_score_change_and_share(result):
    frame = result.to_pandas()
    assert len(frame) == len(result.effects) * len(result.shares)
    assert list(frame.columns[-6:]) == [
        *("outputs", "before", "share", "difference", "low", "high")
    ]
    assert frame["difference"][1] == result.effects[0].differences[1]


def test_the_table_has_a_row_per_change(result):
    changes = len(result.of("sari"))
    table = result.to_markdown()
    assert table.startswith(
        "| change | outputs | SARI (easse) | BLEU (easse) | FKGL (textsimp's count) |"
    )
    assert table.count("\n| ") == 1 + changes
    assert "bleu|variant:easse" in table


def test_curves_have_a_table_per_main_score_and_its_verdict(result):
    grids = result.curves()
    assert [grid.header[0] for grid in grids] == [
        "SARI (easse)",
        "BLEU (easse)",
        "FKGL (textsimp's count)",
    ]
    assert grids[0].header[1:] == ["outputs", "before", "30%", "100%"]
    assert [grid.notes for grid in grids] == [[verdict] for verdict in result.verdicts().values()]
    assert str(result).splitlines() == list(result.verdicts().values())


def test_all_formulas_of_readability_are_main_scores(corpus):
    found = audit_gaming(["readability", "bleu"], **corpus, shares=[1.0], repeats=2)
    formulas = list(Readability().formulas())
    names = ["readability", *(f"readability.{key}" for key in formulas[1:]), "bleu"]
    assert list(found.verdicts()) == names
    assert found.verdicts()["readability.smog"].startswith("On these texts SMOG ")
    assert len(found.curves()) == len(names) == 8


@pytest.mark.parametrize(
    ("shares", "expected"),
    [([0.5, 1], [0.5, 1.0]), (np.array([0.5]), [0.5]), ((np.float32(0.25),), [0.25])],
)
def test_shares_are_plain_numbers(shares, expected):
    checked = check_shares(shares)
    assert checked == expected
    assert {*map(type, checked)} == {float}


@pytest.mark.parametrize("shares", [[], [0.5, 0.2], [0.0, 0.2], [10, 20], 0.5, ["1"]])
def test_bad_shares_are_refused(shares):
    with pytest.raises(InputError):
        check_shares(shares)


def test_names_are_returned_once_and_none_is_all():
    assert check_names("errors", ["b", "a", "b"], ["a", "b"]) == ["b", "a"]
    assert check_names("errors", None, ["a", "b"]) == ["a", "b"]
