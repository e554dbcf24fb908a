"""Words are aligned as people would, with what an aligner may look at."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textsimp import InputError, name_function
from textsimp.text.word_alignment import get_word_aligner

PAIRS = Path(__file__).parent / "word_pairs.txt"


def align(source, target, **options):
    return next(get_word_aligner(**options).align([source.split()], [target.split()]))


def words(source, target, **options):
    """The words that are aligned, but not in the same form."""
    found = [(source.split()[i], target.split()[j]) for i, j in align(source, target, **options)]
    return [f"{a}={b}" for a, b in found if a != b]


@pytest.mark.parametrize(
    ("source", "target", "options", "expected"),
    [
        ("the cat saw the cat", "the cat saw the cat", {}, [(i, i) for i in range(5)]),
        # The longest run of the same words comes first: "the cat" stands twice in the target.
        ("the cat sat down", "the cat and the cat sat down", {}, [(0, 3), (1, 4), (2, 5), (3, 6)]),
        # Runs may cross.
        ("in may he left", "he left in may", {}, [(0, 2), (1, 3), (2, 0), (3, 1)]),
        # A function word is aligned only beside or between aligned words.
        ("the dog ran", "ran , said the cats", {}, [(2, 0)]),
        ("the dog ran", "then the dog slept", {"gap": 0}, [(0, 1), (1, 2)]),
        # A word that stands twice is aligned where its neighbours are alike.
        ("a red car hit a blue car", "the blue car was hit", {"gap": 0}, [(3, 4), (5, 1), (6, 2)]),
        # Case doesn't count, and punctuation has the same mark for a partner or none.
        ("Then He left", "then he LEFT", {}, [(0, 0), (1, 1), (2, 2)]),
        ("yes , sir", "yes ; sir", {}, [(0, 0), (2, 2)]),
    ],
)
def test_the_same_words_are_aligned_in_runs(source, target, options, expected):
    assert align(source, target, **options) == expected


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("the participation was low", "few would participate"),
        ("what was taken", "they never take"),
        ("two men waited", "one man"),
    ],
)
def test_words_of_the_same_stem_are_aligned_wherever_they_stand(source, target):
    assert len(words(source, target, gap=0)) == 1


def last_letter(words):
    return [word[-1] for word in words]


@pytest.mark.parametrize(
    ("source", "target", "options", "expected"),
    [
        ("they purchased a car", "they bought a car", {}, ["purchased=bought"]),
        ("they purchased a car", "they bought a car", {"gap": 0}, []),
        # The part of speech decides; where it is unknown, the order; a user's function may tell it.
        ("she swiftly purchased it", "she bought it quickly", {}, ["purchased=bought"]),
        ("she swiftly purchased it", "she bought it", {}, ["purchased=bought"]),
        ("she swiftly purchased it", "she bought it", {"parts": "none"}, ["swiftly=bought"]),
        (
            *("they quickly purchased cars", "they sold cars", {"parts": last_letter}),
            ["purchased=sold"],
        ),
        # A gap that is too long is left open.
        ("a big red house burnt", "a large crimson home burnt", {"gap": 2}, []),
    ],
)
def test_words_between_aligned_neighbours_are_aligned(source, target, options, expected):
    assert words(source, target, **options) == expected


def test_a_gap_of_as_many_words_as_are_allowed_is_filled():
    assert len(words("a big red house burnt", "a large crimson home burnt", gap=3)) == 3


def test_word_pairs_that_were_aligned_by_hand():
    """Most pairs of different words are found, and few others; so do all the same words."""
    text = "\n".join(line for line in PAIRS.read_text("utf-8").split("\n") if line[:1] != "#")
    blocks = [block.splitlines() for block in text.strip().split("\n\n")]
    for parts, (precision, recall) in {"textblob": (0.88, 0.8), "none": (0.82, 0.8)}.items():
        right = made = wanted = 0
        for source, target, *by_hand in blocks:
            hand = {pair for line in by_hand if line[:4] != "not:" for pair in line.split()}
            ours = {*words(source, target, parts=parts)}
            right, made, wanted = right + len(ours & hand), made + len(ours), wanted + len(hand)
        assert right / made >= precision
        assert right / wanted >= recall
    assert len(blocks) == 30


# Words that are the same, of one stem, of closed classes, marks, numbers and other scripts.
FORMS = "the The a of , . ? 1 cat cats run ran runs Straße İ 猫 naïve a\u0301"
TOKENS = st.lists(st.sampled_from(FORMS.split()), max_size=9)


@given(source=TOKENS, target=TOKENS, gap=st.integers(0, 9))
def test_each_word_has_at_most_one_partner(source, target, gap):
    pairs = next(get_word_aligner(gap=gap).align([source], [target]))
    assert pairs == sorted(pairs)
    for side, text in ((0, source), (1, target)):
        places = [pair[side] for pair in pairs]
        assert len({*places}) == len(places)
        assert all(0 <= place < len(text) for place in places)


@given(source=TOKENS, target=TOKENS)
def test_without_gaps_only_the_same_words_and_stems_are_aligned(source, target):
    stems = {"cats": "cat", "ran": "run", "runs": "run"}
    for i, j in next(get_word_aligner(gap=0).align([source], [target])):
        a, b = source[i].lower(), target[j].lower()
        assert stems.get(a, a) == stems.get(b, b)


def test_a_word_that_fills_both_texts_takes_neither_memory_nor_minutes():
    found = next(get_word_aligner().align([["cat"] * 20_000], [["dog", *["cat"] * 20_000]]))
    assert len(found) == 20_000


def test_a_function_aligns_as_it_likes():
    def backwards(source, target):
        return ((i, np.int64(len(target) - 1 - i)) for i in reversed(range(len(source))))

    aligner = get_word_aligner(backwards)
    assert aligner.name == "custom-backwards"
    assert [*aligner.align([["a", "b"], []], [["c", "d"], ["e"]])] == [[(0, 1), (1, 0)], []]


@pytest.mark.parametrize("found", [[(0, 5)], [(-1, 0)], [(0,)], [("0", 0)], None, 7, ["ab"]])
def test_a_function_that_returns_no_pairs_of_indices_is_refused(found):
    wrong = name_function(lambda source, target: found, "wrong")
    with pytest.raises(InputError):
        align("a b", "a b", aligner=wrong)
