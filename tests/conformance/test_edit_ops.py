"""Edit operations as the operations paper's own code prints them."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein

from textsimp.text.alignment import (
    merge_moves,
    operation_counts,
    operation_string,
    operations,
    words,
)


def align(pairs, moves=None):
    """Per pair: counts (insert, delete, replace, keep, move) and operation string."""
    sources, targets = ([words(text) for text in column] for column in zip(*pairs, strict=True))
    strings = [
        operation_string(merge_moves(found, source, target, moves) if moves else found)
        for source, target, found in zip(
            sources, targets, operations(sources, targets), strict=True
        )
    ]
    return operation_counts(sources, targets, moves=moves), strings


def percentages(counts):
    changed = counts[:, :3].sum(axis=1)
    return changed / (changed + counts[:, 3]) * 100


@pytest.fixture(scope="module")
def printed(goldens):
    """Pairs and edge cases with an operation string."""
    rows = goldens("edit_pairs") + goldens("edit_edge")
    return [row for row in rows if "java_ops" in row]


def test_operations_and_percentages(printed):
    counts, strings = align([(row["src"], row["dst"]) for row in printed])
    assert strings == [row["java_ops"] for row in printed]
    expected = {k: row["java_pct"] for k, row in enumerate(printed) if "java_pct" in row}
    assert percentages(counts)[list(expected)] == pytest.approx(list(expected.values()), abs=1e-9)


def test_operations_with_moves(printed):
    known = [row for row in printed if {"java_ops_simplify", "java_simplify"} & row.keys()]
    counts, strings = align([(row["src"], row["dst"]) for row in known], moves="paper")
    expected = [row.get("java_ops_simplify", row.get("java_simplify")) for row in known]
    assert strings == expected
    assert counts[:, 4].tolist() == [codes.count("5") for codes in expected]


def test_counts(goldens):
    rows = goldens("edit_pairs")
    counts, _ = align([(row["src"], row["dst"]) for row in rows])
    assert counts[:, :4].tolist() == [[row[key] for key in "IDRK"] for row in rows]


def test_insertions_of_the_shortest_path(goldens):
    rows = [row for row in goldens("edit_pairs") + goldens("edit_edge") if "min_I" in row]
    sources, targets = ([words(row[key]) for row in rows] for key in ("src", "dst"))
    counts = operation_counts(sources, targets, path="shortest")
    assert counts[:, 0].tolist() == [row["min_I"] for row in rows]


def test_tied_paths(goldens):
    """Where the path is not unique, and others choose another."""
    edges = {(row["src"], row["dst"]): row for row in goldens("edit_edge")}
    row = edges["a b", "b a"]
    counts, _ = align([("a b", "b a")])
    assert counts[0].tolist() == [row["java_I"], 0, row["java_R"], 0, 0]
    assert percentages(counts)[0] == row["java_pct"]
    assert len(Levenshtein.editops(words("a b"), words("b a"))) == 2

    row = edges["a a b c", "b c b"]
    counts, _ = align([("a a b c", "b c b"), ("c b a a", "b c b")])
    assert counts[0, :3].sum() == row["E"]
    assert counts[:, 0].tolist() == [row["java_I"], row["reversed_java_I"]]

    row = edges["a b a", "b c a b"]
    counts, _ = align([("a b a", "b c a b"), ("b c a b", "a b a")])
    assert counts[0, :3].sum() == row["E"]
    lengths = counts[:, :4].sum(axis=1).tolist()
    assert lengths == [row["java_path_len"], row["swapped_java_path_len"]]


@pytest.mark.parametrize(
    ("key", "name"), [("wikismall.ori.test", "test"), ("wikismall.ori.valid", "validation")]
)
def test_files(goldens, lines, key, name):
    (expected,) = (row for row in goldens("edit_files") if row["key"] == key)
    sources, targets = (lines(f"wikismall/{name}.{side}.txt") for side in ("source", "reference"))
    pairs = list(zip(sources, targets, strict=True))
    counts, strings = align(pairs)
    found = percentages(counts)

    assert len(pairs) == expected["n"]
    assert counts[:, :3].sum(axis=0).tolist() == [expected[f"sum_{letter}"] for letter in "IDR"]
    assert found.mean() == pytest.approx(expected["mean_pct"], abs=1e-9)
    assert np.count_nonzero(found == 0) == expected["n_pct0"]
    assert np.count_nonzero(found == 100) == expected["n_pct100"]
    # To the last bit: float64, little endian; and the strings, one a line.
    assert hashlib.sha256(found.astype("<f8").tobytes()).hexdigest() == expected["sha256_pct_f8"]
    joined = "\n".join(strings).encode()
    assert hashlib.sha256(joined).hexdigest() == expected["sha256_ops_lines"]

    counts, _ = align(pairs, moves="paper")
    assert counts[:, 4].sum() == expected["n_move_paper"]
