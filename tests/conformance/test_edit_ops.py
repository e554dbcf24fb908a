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


@pytest.mark.parametrize(
    ("key", "name", "options"),
    [
        ("java_pct", "change_percentage", {}),
        ("java_ops", "operations", {}),
        ("java_ops_simplify", "operations", {"moves": "paper"}),
        ("java_simplify", "operations", {"moves": "paper"}),
        ("java_I", "insert", {}),
        ("java_R", "replace", {}),
        ("min_I", "insert", {"variant": "shortest"}),
    ],
)
def test_pairs_equal_the_authors(goldens, key, name, options):
    rows = [row for row in goldens("edit_pairs") + goldens("edit_edge") if key in row]
    expected = [row[key] for row in rows]
    scores = score(rows, **options)
    found = scores[f"{name}_per_example"]
    assert found == (pytest.approx(expected, abs=1e-9) if key == "java_pct" else expected)
    if "moves" in options:
        assert scores["move_per_example"] == [codes.count("5") for codes in expected]


def test_tied_paths_are_the_authors(goldens):
    """Where the path isn't unique, and others choose another."""
    edges = {(row["src"], row["dst"]): row for row in goldens("edit_edge")}

    def changes(source, target):
        scores = score([{"src": source, "dst": target}])
        return [scores[name] for name in OPERATIONS]

    row = edges["a a b c", "b c b"]
    assert sum(changes("a a b c", "b c b")[:3]) == row["E"]
    assert changes("c b a a", "b c b")[0] == row["reversed_java_I"]
    row, pair = edges["a b a", "b c a b"], ("a b a", "b c a b")
    assert sum(changes(*pair)[:3]) == row["E"]
    assert sum(changes(*pair)) == row["java_path_len"]
    assert sum(changes(*pair[::-1])) == row["swapped_java_path_len"]


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
    rows = [{"src": s, "dst": t} for s, t in zip(sources, targets, strict=True)]
    lines = "\n".join(score(rows)["operations_per_example"])
    assert hashlib.sha256(lines.encode()).hexdigest() == expected["sha256_ops_lines"]
