import copy
import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.strategies import times
from textsimp.text import ngrams
from textsimp.text.tokenizers import Tokens

# Token ids; few, so that n-grams repeat. Predictions also have some that were never seen.
KNOWN = 5
known_texts = st.lists(st.integers(0, KNOWN - 1), max_size=9)
new_texts = st.lists(st.integers(0, KNOWN + 2), max_size=9)


@st.composite
def an_example(draw):
    """A source, its references, and a prediction."""
    source = draw(known_texts)
    references = draw(st.lists(st.one_of(known_texts, st.just(source)), max_size=4))
    prediction = draw(st.one_of(new_texts, st.just(source), st.sampled_from([*references, []])))
    return source, references, prediction


examples = st.lists(an_example(), max_size=5)


def as_tokens(texts):
    ids = np.array(list(itertools.chain.from_iterable(texts)), np.int64)
    return Tokens(ids, np.cumsum([0, *map(len, texts)]))


def prepared(block, base=KNOWN):
    owners = np.array([i for i, (_, refs, _) in enumerate(block) for _ in refs], np.int64)
    sources = as_tokens([source for source, _, _ in block])
    references = as_tokens([text for _, references, _ in block for text in references])
    return ngrams.prepare(sources, references, owners, base)


def counter(text, order):
    return Counter(tuple(text[i : i + order]) for i in range(len(text) - order + 1))


def assert_counts_are_literal(tables, block):
    predictions = as_tokens([prediction for _, _, prediction in block])
    assert_literal([*ngrams.count(tables, predictions)], block)


def assert_literal(counts, block):
    assert len(counts) == ngrams.ORDERS
    for order, grams in enumerate(counts, 1):
        for i, (source, references, prediction) in enumerate(block):
            s, c = counter(source, order), counter(prediction, order)
            r = sum((counter(reference, order) for reference in references), Counter())
            mine = grams.ngrams.example == i
            rows = np.stack(
                [grams.ngrams.s[mine], grams.c[mine], grams.ngrams.r[mine]], axis=1
            ).tolist()
            assert sorted(rows) == sorted([s[g], c[g], r[g]] for g in s)
            assert grams.total(grams.c)[i] == sum(c[g] for g in s)
            assert grams.total(grams.c > 0)[i] == len(c.keys() & s.keys())
            assert grams.correct[i] == len((c.keys() & r.keys()) - s.keys())
            assert grams.novel[i] == len(c.keys() - s.keys() - r.keys())
            assert grams.ngrams.reference_only[i] == len(r.keys() - s.keys())
        assert len(grams.novel) == len(grams.ngrams.reference_only) == len(block)


@times(10)
@given(block=examples)
@example(block=[])
@example(block=[([], [], [])])
@example(block=[([], [[]], [7, 7]), ([0], [[]], [])])
@example(block=[([], [[]], [1]), ([], [[]], [0])])  # numbers of neither pair may meet
@example(block=[([0] * 9, [[0] * 5, [0] * 4], [0] * 7), ([0, 1] * 4, [[1, 0] * 4], [1] * 9)])
def test_counts_equal_counters(block):
    assert_counts_are_literal(prepared(block)[0], block)


@times(5)
@given(block=examples)
def test_references_alone_are_counted_as_examples_of_their_own(block):
    sources, references, predictions = zip(*block, strict=True) if block else ((), (), ())
    sizes = np.array([*map(len, references)], np.int64)
    columns = as_tokens(sources), as_tokens([*itertools.chain(*references)])
    blocks = ngrams.prepare_blocks(*columns, sizes, KNOWN, alone=True)
    texts = ngrams.PreparedTexts(None, sizes, sizes, sizes, blocks)
    for _, counts, _ in texts.count(as_tokens(predictions), alone=True):
        assert_literal(counts, [(s, [r], p) for s, rows, p in block for r in rows])
    for _, counts, _ in texts.count(as_tokens(predictions)):
        assert_literal(counts, block)


@given(block=examples, others=st.lists(new_texts, min_size=5, max_size=5))
def test_tables_serve_any_number_of_predictions(block, others):
    tables, _ = prepared(block)
    before = copy.deepcopy(tables)
    changed = [(s, r, other) for (s, r, _), other in zip(block, others, strict=False)]
    assert_counts_are_literal(tables, changed)
    assert_counts_are_literal(tables, block)
    for table, untouched in zip(tables, before, strict=True):
        assert table.keys.tolist() == untouched.keys.tolist()
        assert table.s.tolist() == untouched.s.tolist()
        assert table.r.tolist() == untouched.r.tolist()


@pytest.mark.parametrize("base", [KNOWN + 10, 2**40, 2**60], ids=["small", "large", "huge"])
@given(block=examples)
def test_counts_do_not_depend_on_the_size_of_the_vocabulary(base, block):
    """With huge numbers, those of a pair and of a position don't fit one integer."""
    assert_counts_are_literal(prepared(block, base)[0], block)


@given(st.lists(st.integers(0, 6).map(lambda i: (i + 1) * 2**i), max_size=30), st.integers(0, 54))
@example([256, 0], 54)  # the least that doesn't fit one integer with its position
def test_ranking_is_stable_whatever_the_size_of_the_keys(keys, shift):
    array = np.array(keys, np.int64) << shift
    distinct, starts, group, index = ngrams._rank(array, np.ones(len(array), np.bool_))
    assert index.tolist() == sorted(range(len(keys)), key=lambda i: (keys[i], i))
    assert distinct.tolist() == sorted({*array.tolist()})
    assert distinct[group].tolist() == array[index].tolist()
    assert group[starts].tolist() == [*range(len(distinct))]
