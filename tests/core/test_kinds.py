"""Arguments of the wrong kind: every public function says so by an `InputError` of one line."""

import contextlib
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import textsimp
from tests.strategies import times
from textsimp import InputError, hub
from textsimp.metrics.sari import Sari

SOURCES = ["A feline sat on it.", "It rained a lot.", "He left.", "She is here now."]
TARGETS = ["A cat sat.", "It rained.", "He left.", "She is here."]
REFERENCES = [list(row) for row in zip(TARGETS, SOURCES, strict=True)]
COLUMNS = {"sources": SOURCES, "references": REFERENCES}
SYSTEMS = {"copy": SOURCES, "ours": TARGETS}
SAMPLING = {"confidence": 0.9, "resamples": 2, "seed": 0}


# Every function with arguments that it takes; one of them at a time is replaced.
FUNCTIONS = {
    "compare": (
        textsimp.compare,
        {**COLUMNS, **SAMPLING, "systems": SYSTEMS, "metric": "sari", "baseline": "ours"}
        | {"per_example": True, "variant": "xu"},
    ),
    "compare by several metrics": (
        textsimp.compare,
        {**COLUMNS, "systems": SYSTEMS, "metric": "sari(weight=8), bleu"},
    ),
    "score": (
        Sari.preset().score,
        {**COLUMNS, **SAMPLING, "predictions": TARGETS, "per_example": True},
    ),
    "load": (textsimp.load, {"name": "sari", "weight": 8}),
    "path": (hub.path, {"name": "sari"}),
}

texts = st.one_of(st.text(max_size=3), st.sampled_from(["sari", "a\nb", "\x1b[31m", "\ud800"]))
numbers = st.integers(-2, 3) | st.floats() | st.complex_numbers()
plain = st.one_of(st.none(), st.booleans(), numbers, texts, st.binary(max_size=2))
values = st.one_of(
    st.recursive(
        plain,
        lambda inner: st.one_of(
            st.lists(inner, max_size=2),
            st.tuples(inner),
            st.dictionaries(texts, inner, max_size=2),
            st.dictionaries(st.integers(0, 1), inner, max_size=1),
        ),
        max_leaves=4,
    ),
    st.frozensets(texts, max_size=2),
    st.builds(object),
    st.builds(lambda rows: (row for row in rows), st.lists(texts, max_size=2)),
    st.builds(np.array, st.lists(st.floats(), max_size=3)),
    st.sampled_from([np.array(3), np.float64(0.5), Path("a")]),
)


def message_of(name, /, **replaced):
    """The message of the `InputError` that a function ends with, or nothing."""
    function, arguments = FUNCTIONS[name]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            function(**{**arguments, **replaced})
    except InputError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", FUNCTIONS)
@times(3)
@given(data=st.data())
def test_arguments_of_any_kind_are_taken_or_refused(name, data):
    argument = data.draw(st.sampled_from(list(FUNCTIONS[name][1])))
    assert message_of(name, **{argument: data.draw(values)}).isprintable()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_arguments_that_are_replaced_were_right(name):
    assert message_of(name) == ""


def test_a_message_is_one_line_whatever_it_quotes():
    error = InputError("no such file: a\nb\x1b[2J\u2028\ud800 ü")
    assert str(error) == r"no such file: a\nb\x1b[2J\u2028\ud800 ü"
    assert str(InputError(str(error))) == str(error)
