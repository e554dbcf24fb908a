"""Sources and references stay prepared between evaluations, and scores are those of their texts."""

import copy
import pickle
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import textsimp
from tests.test_threads import at_once
from tests.toys import Long
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
from textsimp.hub.prepared_corpora import PreparedCorpora
from textsimp.metrics.sari import Sari

SOURCES_OF = ["The feline reclined on the mat.", "It rained, and we left.", "A b c d e f."]
OUTPUTS = ["The cat lay on the mat.", "It rained. We left.", "A b c."]
OTHERS = ["The feline sat.", "It rained, and we left.", "A b."]
ROWS = [["The cat lay on a mat."], ["It rained. We left.", "We left."], ["A b."]]


@dataclass(frozen=True)
class Counted(Long):
    """A metric that notes what it prepares."""

    columns: ClassVar = (SOURCES, PREDICTIONS, REFERENCES)
    bytes_remembered: ClassVar[int] = 400
    prepared: ClassVar[list] = []

    def prepare(self, sources, references):
        self.prepared.append(sources)
        return sources

    def numbers(self, prepared, predictions):
        if "fail" in predictions:
            raise KeyError
        return np.array([len(text) for text in predictions], np.float64)


@pytest.fixture
def prepared():
    Counted.prepared.clear()
    return Counted.prepared


def measure(corpora, metric, sources=SOURCES_OF, predictions=OUTPUTS, references=ROWS):
    columns = {"sources": sources, "predictions": predictions, "references": references}
    corpora.measure(metric, metric.check(**columns))


@pytest.fixture
def corpora():
    return PreparedCorpora()


def test_the_same_texts_are_prepared_once_with_the_same_options(prepared, corpora):
    for predictions in (OUTPUTS, OTHERS, OUTPUTS):
        texts = [str(text) for text in SOURCES_OF], predictions, copy.deepcopy(ROWS)
        measure(corpora, Counted(), *texts)
    assert len(prepared) == 1
    measure(corpora, Counted(most=2))
    assert len(prepared) == 2


def test_the_last_two_corpora_are_kept(prepared, corpora):
    for i in (0, 1, 0, 1):
        measure(corpora, Counted(), SOURCES_OF[i:], OUTPUTS[i:], ROWS[i:])
    assert len(prepared) == 2
    measure(corpora, Counted(), SOURCES_OF[2:], OUTPUTS[2:], ROWS[2:])
    measure(corpora, Counted())
    assert len(prepared) == 4


@pytest.mark.parametrize("repeats", [2, 9])  # two corpora are too much together; one alone
def test_large_corpora_are_not_kept(prepared, corpora, repeats):
    for text in "xyxy":
        measure(corpora, Counted(), [text * 30] * repeats, ["a"] * repeats, ["b" * 60] * repeats)
    assert len(prepared) == 4


def test_what_predictions_add_is_bounded(prepared, corpora):
    for i in range(9):
        measure(corpora, Counted(), ["a"], [f"{i}" * 150], ["b"])
    assert len(prepared) == 3  # the third prediction is too much


def test_nothing_is_kept_after_an_error(prepared, corpora):
    measure(corpora, Counted())
    with pytest.raises(KeyError):
        measure(corpora, Counted(), SOURCES_OF, ["fail"] * 3)
    measure(corpora, Counted())
    assert len(prepared) == 2


@pytest.mark.parametrize("make_copy", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_are_empty(prepared, corpora, make_copy):
    measure(corpora, Counted())
    measure(make_copy(corpora), Counted())
    assert len(prepared) == 2


CHANGES = {  # in place
    "another reference": lambda columns: columns["references"][0].append("So it did."),
    "another source": lambda columns: columns["sources"].__setitem__(1, "It snowed."),
    "a moved reference": lambda c: c["references"][0].append(c["references"][1].pop()),
    "turned": lambda columns: [rows.reverse() for rows in columns.values()],
    "shorter": lambda columns: [rows.pop() for rows in columns.values()],
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("name", ["sari", "edit_ops", "fkgl_components"])
def test_a_module_scores_the_texts_that_it_gets(name, change):
    module = textsimp.load(name, per_example=True)
    columns = {"sources": SOURCES_OF, "predictions": OUTPUTS, "references": ROWS}
    columns = copy.deepcopy(columns)
    for _ in range(2):
        before = module.compute(**columns)
    change(columns)
    expected = textsimp.metric(name).score(**columns, per_example=True)
    assert module.compute(**columns) == expected != before


def test_threads_share_a_module():
    module = textsimp.load("sari")
    outputs = [OUTPUTS, OTHERS, SOURCES_OF, ["", *OUTPUTS[1:]]] * 2

    def scores(score, i):
        columns = {"sources": SOURCES_OF, "predictions": outputs[i]}
        return [score(**columns, references=rows) for rows in (ROWS, ROWS, ROWS[::-1], ROWS)]

    expected = [scores(Sari().score, i) for i in range(len(outputs))]
    assert at_once(lambda i: scores(module.compute, i)) == expected
