"""Which operations turn a text into another, and how many."""

import random
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests import strategies
from tests.literal import edits
from textsimp.text import alignment
from textsimp.text.alignment import (
    DELETE,
    INSERT_AFTER,
    INSERT_BEFORE,
    KEEP,
    MOVE,
    REPLACE,
    encode_words,
    merge_moves,
    operation_counts,
    operations,
)

# Few distinct tokens, so that they repeat and that paths tie.
texts = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=9)
moved = strategies.moved(st.sampled_from([*"abcdefgh", ""]))
corpora = st.lists(st.one_of(st.tuples(texts, texts), moved), min_size=1, max_size=20)
paths = st.sampled_from(["paper", "shortest"])


def words(text):
    return text.strip().lower().split(" ")


def one(source, target, path="paper"):
    return operation_counts([words(source)], [words(target)], path)[0, :4].tolist()


def string(source, target):
    (path,) = operations([words(source)], [words(target)])
    return "".join(f"{code}-" for code, _, _ in path if code != KEEP)


def tally(found):
    codes = [code for code, _, _ in found]
    inserted = codes.count(INSERT_BEFORE) + codes.count(INSERT_AFTER)
    return [inserted, codes.count(DELETE), codes.count(REPLACE), codes.count(KEEP)]


def literal_operations(source, target):
    """The paper's path, with the codes of the operations."""
    codes = {"keep": KEEP, "replace": REPLACE, "delete": DELETE}
    found = []
    for name, i, j in edits.published_path(source, target):
        leading = all(code == INSERT_BEFORE for code, _, _ in found)
        insert = INSERT_BEFORE if leading else INSERT_AFTER
        found.append((codes.get(name, insert), i, j))
    return found


def literal_shortest(source, target):
    """(distance, fewest insertions) over all paths of minimal distance."""
    row = [(j, j) for j in range(len(target) + 1)]
    for i, token in enumerate(source, 1):
        above, row = row, [(i, 0)]
        for j, other in enumerate(target, 1):
            (diagonal, a), (up, b), (left, c) = above[j - 1], above[j], row[j - 1]
            row.append(min((diagonal + (token != other), a), (up + 1, b), (left + 1, c + 1)))
    return row[-1]


def literal_paper_moves(found, source, target):
    """Each operation looks for its first counterpart, matched or not, and makes it disappear."""
    opposite = {DELETE: INSERT_AFTER, INSERT_AFTER: DELETE}
    tokens = [source[i] if i is not None else target[j] for _, i, j in found]
    gone = set()
    merged = []
    for at, (code, i, j) in enumerate(found):
        if at not in gone:
            counterparts = (
                k
                for k, other in enumerate(found)
                if other[0] == opposite.get(code) and tokens[k] == tokens[at]
            )
            counterpart = next(counterparts, None)
            if counterpart is None:
                merged.append((code, i, j))
            elif code == DELETE:
                merged.append((MOVE, i, found[counterpart][2]))
            else:
                merged.append((MOVE, found[counterpart][1], j))
            gone |= {counterpart} - {None}
    return merged


def literal_moves_one_to_one(found, source, target):
    """The k-th deletion of a token and its k-th insertion are one move, where the first stands."""
    times = Counter()
    places = {}
    merged = [*found]
    gone = set()
    for at, (code, i, j) in enumerate(found):
        if code in (DELETE, INSERT_BEFORE, INSERT_AFTER):
            token = source[i] if code == DELETE else target[j]
            times[code == DELETE, token] += 1
            first = places.setdefault((token, times[code == DELETE, token]), at)
            if first != at:
                _, other_i, other_j = found[first]
                merged[first] = (MOVE, i, other_j) if code == DELETE else (MOVE, other_i, j)
                gone.add(at)
    return [operation for at, operation in enumerate(merged) if at not in gone]


class TestCounts:
    @given(corpora)
    @example([([], []), ([], ["a"]), (["a"], []), ([""], ["a", "b"]), (["a", "b"], ["b", "a"])])
    def test_are_those_of_the_literal_path_of_the_paper(self, pairs):
        found = operation_counts(*zip(*pairs, strict=True))[:, :4].tolist()
        assert found == [tally(literal_operations(*pair)) for pair in pairs]

    @given(corpora)
    def test_of_the_shortest_path_are_those_of_a_literal_search(self, pairs):
        counts = operation_counts(*zip(*pairs, strict=True), path="shortest")
        found = [(sum(row[:3]), row[0]) for row in counts.tolist()]
        assert found == [literal_shortest(*pair) for pair in pairs]

    @pytest.mark.parametrize("length", [62, 63, 64, 65, 127, 128, 129])
    @pytest.mark.parametrize("path", ["paper", "shortest"])
    def test_hold_for_texts_of_any_length(self, length, path):
        rng = random.Random(length)
        source = rng.choices("abcdef", k=length)
        others = [rng.choices("abcdef", k=length + k) for k in (-1, 0, 1)] + [[], ["a"]]
        inserted, deleted, replaced, _, _ = operation_counts([source] * 5, others, path).T
        for k, other in enumerate(others):
            expected = literal_shortest(source, other)
            if path == "paper":
                counts = tally(literal_operations(source, other))
                expected = sum(counts[:3]), counts[0]
            assert (inserted[k] + deleted[k] + replaced[k], inserted[k]) == expected

    @pytest.mark.parametrize("length", [63, 64, 16_383])
    def test_reach_their_largest_without_overflow(self, length):
        distinct, other = list(range(length)), ["x"]
        counts = operation_counts([distinct, other, distinct[-2:], []], [other] + 3 * [distinct])
        assert counts[:, :4].tolist() == [
            [0, length - 1, 1, 0],
            [length - 1, 0, 1, 0],
            [length - 2, 0, 0, 2],
            [length, 0, 0, 0],
        ]

    def test_tell_apart_more_tokens_than_16_bits_can(self):
        sources = [list(range(start, start + 32)) for start in range(0, 65_536, 32)]
        targets = [[] for _ in sources]
        # Numbered by first appearance, these tokens are 65,536 apart.
        sources.append(list(range(32)))
        targets.append(list(range(65_536, 65_568)))
        assert operation_counts(sources, targets)[-1].tolist() == [0, 0, 32, 0, 0]

    @pytest.mark.parametrize("path", ["paper", "shortest"])
    def test_of_a_pair_do_not_depend_on_its_neighbours(self, monkeypatch, path):
        rng = random.Random(0)
        sources = [rng.choices("abcd", k=rng.randrange(12)) for _ in range(300)]
        targets = [rng.choices("abcd", k=rng.randrange(12)) for _ in range(300)]
        together = operation_counts(sources, targets, path, "one_to_one")
        spelled = list(operations(sources, targets, path))
        for name, value in [("_BLOCK", 100), ("_BATCH", 30), ("_CELLS", 500)]:
            monkeypatch.setattr(alignment, name, value)
            assert (operation_counts(sources, targets, path, "one_to_one") == together).all()
            assert list(operations(sources, targets, path)) == spelled


class TestOperations:
    @given(corpora)
    def test_are_the_literal_path_of_the_paper(self, pairs):
        found = list(operations(*zip(*pairs, strict=True)))
        assert found == [literal_operations(*pair) for pair in pairs]

    @given(texts, texts, paths)
    def test_turn_the_source_into_the_target(self, source, target, path):
        found = next(operations([source], [target], path))
        assert [i for _, i, _ in found if i is not None] == list(range(len(source)))
        assert [j for _, _, j in found if j is not None] == list(range(len(target)))
        for code, i, j in found:
            assert (i is None) == (code in (INSERT_BEFORE, INSERT_AFTER))
            assert (j is None) == (code == DELETE)
            if code in (KEEP, REPLACE):
                assert (source[i] == target[j]) == (code == KEEP)


class TestOperationString:
    def test_leaves_out_what_is_kept(self):
        assert string("the x y z", "x y z the") == "3-2-"
        assert string("a b", "a b") == ""

    def test_tells_leading_insertions_from_others(self):
        assert string("b", "a b c") == "1-2-"


@pytest.mark.parametrize(
    ("moves", "literal"), [("one_to_one", literal_moves_one_to_one), ("paper", literal_paper_moves)]
)
@given(pair=moved, path=paths)
@example(pair=(words("t x y z w"), words("x y z w t t")), path="paper")  # one with two insertions
@example(pair=(words("t t x y z w"), words("x y z w t")), path="paper")  # two with one insertion
@example(pair=(words("x y z w t"), words("t x y z w")), path="paper")  # a leading insertion
@example(pair=(words("x a b a"), words("y a b")), path="paper")  # no move
def test_moves_are_those_of_a_literal_search(moves, literal, pair, path):
    found = next(operations(*[[text] for text in pair], path))
    merged = merge_moves(found, *pair, moves)
    assert merged == literal(found, *pair)
    counted = operation_counts(*[[text] for text in pair], path, moves)[0, 4]
    assert counted == sum(code == MOVE for code, _, _ in merged)


@given(st.lists(st.text(st.sampled_from(" aAbBİßΣσ\x1c\n\t\u3000é\0"), max_size=12), max_size=12))
def test_words_of_texts_stand_between_single_spaces(texts):
    encoded, _ = encode_words(texts, texts)
    numbers = {}
    expected = [[numbers.setdefault(word, len(numbers)) for word in words(t)] for t in texts]
    of_ids = {}
    assert [[of_ids.setdefault(i, len(of_ids)) for i in row] for row in encoded.lists()] == expected
