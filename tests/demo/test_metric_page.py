"""A metric's page: what its tables say, and what can be saved."""

import base64
import json
import re

import pytest

from tests.demo.pages import files, plain
from textsimp.core.declarations import Score
from textsimp.demo import views
from textsimp.demo.metric_page import _score, show
from textsimp.metrics import catalogue
from textsimp.metrics.edit_ops import EditOps
from textsimp.metrics.sari import Sari

pytest.importorskip("gradio", reason="gradio is not installed")

FORMULA = "=HYPERLINK(1)"


def results(metric, **given):
    """What the page shows of scores and of examples, and what was scored."""
    data = metric().check(**given)
    scores = _score(metric, data, {})
    return show(scores, data), scores.to_dict()


def table(shown):
    """The numbers of each row of the table of scores."""
    rows = re.findall(r'<tr[^>]*><th scope="row"[^>]*>(.*?)</th>(.*?)</tr>', shown)
    return {
        plain(re.sub("<small>.*", "", head)).replace(" ", ""): [
            re.sub(" *<.*", "", cell) for cell in re.findall("<td[^>]*>(.*?)</td>", cells)
        ]
        for head, cells in rows
    }


# Tables


@pytest.mark.parametrize(
    ("score", "scale"),
    [
        (Sari().find_score("sari"), "0–100, higher is better"),
        (EditOps().find_score("change_percentage"), "0–100"),
        (EditOps().find_score("insert"), "words"),
        (catalogue.metric_class("information_errors").scores[0], "0–1, lower is better"),
        (catalogue.metric_class("readability")().find_score("lix"), "from 0"),
        (catalogue.metric_class("fkgl_components")().find_score("fkgl"), ""),
        (Score("x", "X", "", least=-100, most=None), "from −100"),
    ],
)
def test_a_scores_range_and_direction_are_those_it_declares(score, scale):
    assert views.scale(score) == scale


def test_the_range_stands_below_the_name_and_the_interval_below_the_value():
    shown, found = results(
        Sari,
        sources=["A feline sat.", "It rained."],
        predictions=["A cat sat.", "It rained."],
        references=["A cat sat.", "Rain fell."],
    )
    low, high = found["sari_interval"]
    cell = f"{found['sari']:.2f} [{low:.2f}, {high:.2f}]"
    assert f"SARI 0–100, higher is better {cell}" in plain(shown)


# Files


def test_a_result_is_saved_whole():
    shown, found = results(EditOps, sources=["a b c", "d"], predictions=["a c", "d"])
    saved = files(shown)
    assert [*saved] == ["edit_ops.json"]
    assert json.loads(saved["edit_ops.json"]) == found


def content(file):
    return base64.b64decode(file["data"]).decode()


def test_json_has_null_for_what_it_lacks_and_csv_no_formulas():
    saved = views.json_file("x", {"a": [float("nan"), 1]}, "Save")
    assert json.loads(content(saved)) == {"a": [None, 1]}
    saved = views.csv_file("x", [{FORMULA: FORMULA, "n": -1.5}], "Save")
    assert content(saved) == f'"\'{FORMULA}","n"\n"\'{FORMULA}",-1.5\n'
