"""A metric's page: what its tables and panels say, what can be saved, and what is out of date."""

import csv
import io
import itertools
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from tests.demo.pages import files, page, plain
from textsimp.core.declarations import Score
from textsimp.core.examples import UNNAMED_SYSTEM, Examples
from textsimp.demo import text_inputs, views
from textsimp.demo.limits import Limits
from textsimp.demo.metric_page import _corpus, _score, _typed, _yardstick, show
from textsimp.metrics import catalogue
from textsimp.metrics.edit_ops import EditOps
from textsimp.metrics.sari import Sari
from textsimp.text.alignment import OPERATIONS

pytest.importorskip("gradio", reason="gradio is not installed")

FORMULA = "=HYPERLINK(1)"


def results(metric, **given):
    """What the page shows of scores and of examples, and what was scored."""
    options = given.pop("options", {})
    data = metric().check(**given)
    scores = _score(metric, data, Limits(), options)
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


# What edit_ops counts

TEXTS = st.one_of(
    st.lists(st.sampled_from(["a", "b", "A", "c", "", "<", "ab\n"]), max_size=7).map(" ".join),
    strategies.texts,
)


@given(
    st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4),
    st.sampled_from(["paper", "shortest"]),
    st.sampled_from([None, "paper", "one_to_one"]),
    st.sampled_from(["none", "13a"]),
)
def test_the_numbers_of_the_table_are_those_counted_in_the_panel(pairs, path, moves, tokenizer):
    options = {"path": path, "moves": moves, "tokenizer": tokenizer, "confidence": None}
    sources, predictions = (list(side) for side in zip(*pairs, strict=True))
    shown, found = results(EditOps, sources=sources, predictions=predictions, options=options)
    counted = dict.fromkeys(OPERATIONS, 0)
    for panel in re.findall(r"</small>\n(.*?)</p></div>", shown, re.DOTALL):
        counted["insert"] += len(re.findall(r"<ins(?! class=\"r\")", panel))
        counted["delete"] += len(re.findall(r"<del(?! class=\"r\")", panel))
        counted["replace"] += len(re.findall(r"<ins class=\"r\"", panel))
        numbers = itertools.chain(*map(str.split, re.findall("<sup>(.*?)</sup>", panel)))
        counted["move"] += len({*numbers})
        counted["keep"] += len(re.sub(r"<(ins|del).*?</\1>", "", panel).split())
    assert counted == {name: found[name] for name in OPERATIONS}
    rows = table(shown)
    assert [rows[name] for name in OPERATIONS] == [[str(counted[name])] for name in OPERATIONS]


def test_marks_of_edit_ops_are_of_the_words_that_it_compares():
    given = {"sources": ["The cat sat, briefly."], "predictions": ["the Cat sat."]}
    shown, _ = results(EditOps, **given)
    assert 'the cat <del><s>sat,</s></del> <del class="r"><s>briefly.</s></del>' in shown
    assert "0 inserted, 1 deleted, 1 replaced, 2 kept, 0 moved" in plain(shown)
    assert plain(shown).count("Each mark is one operation on one word") == 1
    tokenised, _ = results(EditOps, **given, options={"tokenizer": "13a"})
    assert "<del><s>,</s></del> <del><s>briefly</s></del> ." in tokenised


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
        options={"confidence": 0.9, "resamples": 10},
    )
    low, high = found["sari_interval"]
    cells = f"{found['sari']:.2f} <small>[{low:.2f}, {high:.2f}]</small>"
    assert f"sari <small>0–100, higher is better</small></th><td>{cells}</td>" in shown


def test_counts_have_no_decimals_beside_means_that_have():
    shown, _ = results(
        EditOps,
        sources=["a b c d"],
        predictions=["a b"],
        references=[["a b", "a b c d", "a"]],
        options={"confidence": None},
    )
    rows = table(shown)
    assert rows["insert"] == ["0", "0"]
    assert rows["delete"] == ["2", "1.67"]
    assert rows["keep"] == ["2", "2.33"]


# Files


def test_a_result_is_saved_whole_and_its_scores_as_tables():
    shown, found = results(
        EditOps, sources=["a b c", "d"], predictions=["a c", "d"], references=[["a"], ["d", "e"]]
    )
    saved = files(shown)
    assert [*saved] == ["edit_ops.json", "edit_ops-scores.csv", "edit_ops-examples.csv"]
    assert json.loads(saved["edit_ops.json"]) == found
    scores = [*csv.DictReader(io.StringIO(saved["edit_ops-scores.csv"]))]
    assert scores[0]["score"] == "change_percentage"
    assert float(scores[0]["value"]) == found["change_percentage"]
    rows = [*csv.DictReader(io.StringIO(saved["edit_ops-examples.csv"]))]
    assert [row["example"] for row in rows] == ["1", "2"]
    assert [float(row["change_percentage"]) for row in rows] == pytest.approx([100 / 3, 0])
    assert [row["operations"] for row in rows] == ["3-", ""]


def test_json_has_null_for_what_it_lacks_and_csv_no_formulas():
    (text,) = files(views.json_link("x", {"a": [float("nan"), 1]})).values()
    assert json.loads(text) == {"a": [None, 1]}
    (text,) = files(views.csv_link("x", [{FORMULA: FORMULA, "n": -1.5}])).values()
    assert text == f'"\'{FORMULA}","n"\n"\'{FORMULA}",-1.5\n'
    assert views.csv_link("x", []) == ""


# Out of date


def test_changes_are_seen_without_the_server_and_of_everything_that_is_asked_with():
    called = [f for f in page("sari").fns.values() if f.targets and f.js]
    of = {kind: [f for f in called if f.targets[0][1] == kind] for kind in ("click", "change")}
    watched = {change.targets[0][0] for change in of["change"]}
    computing = [click for click in of["click"] if click.fn]
    assert len(computing) == 2
    for click in computing:
        answer, *inputs = (component._id for component in click.inputs)
        assert [answer] == [component._id for component in click.outputs]
        assert {*inputs} <= watched
        assert str(inputs) in click.js
    tabs = [f for f in called if f.targets[0][1] == "select"]
    assert len(tabs) == 2
    assert all(f.fn is None for f in (*of["change"], *tabs))


# What the page says of its example

NUMBER = r"(-?[\d,.]*\d)"
SAID = {  # what is said of unchanged sources and a reference → whether it is so
    rf"A good score here is near {NUMBER}, which a .*; unchanged sources get {NUMBER}\.": (
        lambda reference, source: reference > source
    ),
    rf"Unchanged sources get {NUMBER}, not less than {NUMBER}, which a .*": (
        lambda source, reference: source >= reference
    ),
    rf"For comparison: unchanged sources get {NUMBER}\.": lambda source: True,
}


@pytest.mark.parametrize("name", catalogue.names())
def test_the_sentence_above_the_examples_of_a_page_is_true_of_them(name):
    metric = catalogue.metric_class(name)
    rows = _corpus(metric)[:4]
    for chosen in [*([row] for row in rows), rows]:  # each example of the page, and all of them
        cells = [[_typed(row, column) for column in metric.columns] for row in chosen]
        parts = [text_inputs.read_typed(metric, *row) for row in cells]
        shared = {
            column: [row for part in parts for row in part.shared[column]]
            for column in parts[0].shared
        }
        own = {
            column: [row for part in parts for row in part.systems[UNNAMED_SYSTEM][column]]
            for column in parts[0].systems[UNNAMED_SYSTEM]
        }
        data = Examples(shared, {UNNAMED_SYSTEM: own})
        sentence = _yardstick(_score(metric, data, Limits(), {}), data)
        if not sentence:
            continue
        ((numbers, true),) = [
            (found.groups(), claim)
            for pattern, claim in SAID.items()
            if (found := re.fullmatch(pattern, sentence))
        ]
        values = [float(number.replace(",", "")) for number in numbers]
        assert true(*values), sentence
        copied = metric.preset().score(**shared | {"predictions": shared["sources"]})
        assert pytest.approx(copied[metric.scores[0].key], abs=0.005) in values
