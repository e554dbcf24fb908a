"""Changes that make texts no simpler (Tanprasert & Kauchak 2021)."""

from __future__ import annotations

from typing import Any

import pytest
from datasets import Dataset
from hypothesis import given
from hypothesis import strategies as st

from textsimp import InputError
from textsimp.audits import modifications as change
from textsimp.audits.modifications import MODIFICATIONS, Modification

LINE = "aa bbb c dddd ee ffff"  # n = 6 tokens; the first of the longest is dddd

lines = st.lists(st.sampled_from(["a", "bb", "ccc", ".", "the"]), max_size=6).map(" ".join)
seeds = st.integers(0, 2**32)
every_modification = pytest.mark.parametrize(
    "modification", MODIFICATIONS.values(), ids=MODIFICATIONS
)


def outcomes(modification: Modification, line: str) -> set[str]:
    """All that a modification can make of a line."""
    return {modification([line], seed=seed)[0] for seed in range(200)}


def test_random_period_inserts_one_before_tokens_1_to_n_minus_2() -> None:
    assert outcomes(change.random_period, LINE) == {
        "aa . bbb c dddd ee ffff",
        "aa bbb . c dddd ee ffff",
        "aa bbb c . dddd ee ffff",
        "aa bbb c dddd . ee ffff",
    }


def test_random_the_inserts_one_before_tokens_1_to_n_minus_1() -> None:
    assert outcomes(change.random_the, "a b c d") == {
        "a the b c d",
        "a b the c d",
        "a b c the d",
    }


def test_replace_longest_replaces_the_first_token_of_maximum_length() -> None:
    assert outcomes(change.replace_longest, LINE) == {"aa bbb c the ee ffff"}


def test_replace_rand_period_replaces_one_of_tokens_1_to_n_minus_1() -> None:
    assert outcomes(change.replace_rand_period, "a b c d") == {
        "a . c d",
        "a b . d",
        "a b c .",
    }


def test_replace_rand_the_replaces_one_of_tokens_1_to_n_minus_2() -> None:
    assert outcomes(change.replace_rand_the, "a b c d") == {"a the c d", "a b the d"}


def test_the_combination_inserts_a_period_before_tokens_1_to_n_minus_1() -> None:
    assert outcomes(change.random_period_replace_longest, "a bb c") == {
        "a . the c",
        "a the . c",
    }


def test_all_positions_are_equally_likely() -> None:
    changed = change.random_period([LINE] * 8000, seed=1)
    for outcome in set(changed):
        assert changed.count(outcome) == pytest.approx(2000, abs=200)


@pytest.mark.parametrize(
    ("name", "n"),
    [
        ("random-period", 2),
        ("random-the", 1),
        ("replace-longest", 0),
        ("replace-rand-period", 1),
        ("replace-rand-the", 2),
        ("random-period+replace-longest", 1),
    ],
)
def test_a_line_that_is_too_short_stays_as_it_is(name: str, n: int) -> None:
    line = "  ".join("x" * n)
    assert MODIFICATIONS[name]([line]) == [line]
    longer = " ".join("x" * (n + 1))
    assert MODIFICATIONS[name]([longer]) != [longer]


@every_modification
@given(st.lists(lines, min_size=1, max_size=12), seeds)
def test_lines_of_a_smaller_share_are_among_those_of_a_larger(
    modification: Modification, texts: list[str], seed: int
) -> None:
    everything = modification(texts, seed=seed)
    before: set[int] = set()
    for tenths in range(11):
        changed = modification(texts, tenths / 10, seed)
        differing = {i for i, line in enumerate(changed) if line != texts[i]}
        assert before <= differing
        assert len(differing) <= round(tenths / 10 * len(texts))
        assert all(changed[i] == everything[i] for i in differing)
        before = differing
    assert changed == everything


@every_modification
def test_the_seed_decides(modification: Modification) -> None:
    texts = [f"{i} aa bbb cc dddd ee" for i in range(50)]
    assert modification(texts, 0.5, 3) == modification(texts, 0.5, 3)
    assert modification(texts, 0.5, 3) != modification(texts, 0.5, 4)


def test_all_lines_are_changed_with_seed_0_by_default() -> None:
    texts = [f"{i} aa bbb cc dddd ee" for i in range(50)]
    expected = change.random_the(texts, share=1, seed=0)
    assert change.random_the(texts) == expected
    batch = change.random_the.for_map(50)({"predictions": texts}, list(range(50)))
    assert batch == {"predictions": expected}


@every_modification
@pytest.mark.parametrize("batch_size", [1, 3, 100])
def test_a_map_over_a_dataset_changes_what_a_call_does(
    modification: Modification, batch_size: int
) -> None:
    texts = [f"{i} aa bbb cc dddd ee" for i in range(10)]
    dataset = Dataset.from_dict({"id": list(range(10)), "text": texts})
    batched = modification.for_map(10, "text", share=0.4, seed=5)
    mapped = dataset.map(batched, batched=True, with_indices=True, batch_size=batch_size)
    assert mapped["text"][:] == modification(texts, 0.4, 5)
    assert mapped["id"][:] == dataset["id"][:]


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), "half", True, None])
def test_a_share_that_is_none_is_told(share: Any) -> None:
    with pytest.raises(InputError, match="share: expected a number from 0 to 1, got"):
        change.random_the(["a b"], share)
    with pytest.raises(InputError, match="share: expected a number from 0 to 1, got"):
        change.random_the.for_map(1, share=share)


def test_bad_columns_seeds_and_numbers_of_rows_are_told() -> None:
    with pytest.raises(InputError, match=r"row 1 of texts .*: expected a string, got None"):
        change.random_the(["a b", None])
    with pytest.raises(InputError, match="seed: expected an integer of at least 0, got -1"):
        change.random_the(["a b"], seed=-1)
    for rows in (0, 2.5, True):
        with pytest.raises(InputError, match=f"rows: expected an integer .*, got {rows}"):
            change.random_the.for_map(rows)  # type: ignore[arg-type]
    batched = change.random_the.for_map(1, "text")
    with pytest.raises(InputError, match="rows: expected the dataset's number of rows, got 1"):
        batched({"text": ["a b", "c d"]}, [0, 1])
