"""Edit operations as the operations paper's own code prints them."""

import hashlib

import numpy as np
import pytest

from textsimp.metrics.edit_ops import EditOps

OPERATIONS = ("insert", "delete", "replace", "keep")


def score(rows, variant="paper", **options):
    return EditOps.preset(variant, **options).score(
        sources=[row["src"] for row in rows],
        predictions=[row["dst"] for row in rows],
        per_example=True,
    )


def test_percentages_equal_the_authors(goldens):
    rows = [row for row in goldens("edit_pairs") + goldens("edit_edge") if "java_pct" in row]
    expected = [row["java_pct"] for row in rows]
    scores = score(rows)
    assert scores["change_percentage_per_example"] == pytest.approx(expected, abs=1e-9)
    assert scores["change_percentage"] == pytest.approx(np.mean(expected), abs=1e-9)


def test_operations_equal_the_authors(goldens):
    rows = [row for row in goldens("edit_pairs") + goldens("edit_edge") if "java_ops" in row]
    assert score(rows)["operations_per_example"] == [row["java_ops"] for row in rows]


def test_published_moves_equal_the_authors(goldens):
    for name, key in (("edit_pairs", "java_ops_simplify"), ("edit_edge", "java_simplify")):
        rows = [row for row in goldens(name) if key in row]
        scores = score(rows, moves="paper")
        assert scores["operations_per_example"] == [row[key] for row in rows]
        assert scores["move_per_example"] == [row[key].count("5") for row in rows]


def test_the_shortest_path_has_the_fewest_insertions(goldens):
    rows = [row for row in goldens("edit_pairs") + goldens("edit_edge") if "min_I" in row]
    assert score(rows, "shortest")["insert_per_example"] == [row["min_I"] for row in rows]


def test_tied_paths_are_the_authors(goldens):
    """Where the path isn't unique, and others choose another."""
    edges = {(row["src"], row["dst"]): row for row in goldens("edit_edge")}

    def changes(source, target):
        scores = score([{"src": source, "dst": target}])
        return [scores[name] for name in OPERATIONS]

    row = edges["a b", "b a"]
    assert changes("a b", "b a") == [row["java_I"], 0, row["java_R"], 0]
    row = edges["a a b c", "b c b"]
    assert sum(changes("a a b c", "b c b")[:3]) == row["E"]
    inserted = [changes(source, "b c b")[0] for source in ("a a b c", "c b a a")]
    assert inserted == [row["java_I"], row["reversed_java_I"]]
    row = edges["a b a", "b c a b"]
    assert sum(changes("a b a", "b c a b")[:3]) == row["E"]
    lengths = [sum(changes("a b a", "b c a b")), sum(changes("b c a b", "a b a"))]
    assert lengths == [row["java_path_len"], row["swapped_java_path_len"]]


@pytest.mark.parametrize(
    ("key", "name"), [("wikismall.ori.test", "test"), ("wikismall.ori.valid", "validation")]
)
def test_files_equal_the_authors(goldens, lines, key, name):
    (expected,) = (row for row in goldens("edit_files") if row["key"] == key)
    sources, targets = (lines(f"wikismall/{name}.{side}.txt") for side in ("source", "reference"))
    scores = EditOps.preset(moves="paper").score(
        sources=sources, predictions=targets, references=targets, per_example=True
    )
    for side in ("", "reference_"):
        for operation, letter in zip(OPERATIONS[:3], "IDR", strict=True):
            assert scores[side + operation] == expected[f"sum_{letter}"]
        assert scores[f"{side}move"] == expected["n_move_paper"]
        assert scores[f"{side}change_percentage"] == pytest.approx(expected["mean_pct"], abs=1e-9)
        percentages = np.array(scores[f"{side}change_percentage_per_example"], "<f8")
        # To the last bit.
        assert hashlib.sha256(percentages.tobytes()).hexdigest() == expected["sha256_pct_f8"]
        assert np.count_nonzero(percentages == 0) == expected["n_pct0"]
        assert np.count_nonzero(percentages == 100) == expected["n_pct100"]
    strings = EditOps.preset().score(sources=sources, predictions=targets, per_example=True)[
        "operations_per_example"
    ]
    assert hashlib.sha256("\n".join(strings).encode()).hexdigest() == expected["sha256_ops_lines"]
