"""Information errors on the published annotations, as their paper prints them."""

import pytest

from textsimp import InformationErrors

NAMES = {"0": "0", "1": "1", "2": "2", "-1": "gibberish"}


def test_every_kind_of_line_is_compared(goldens):
    kinds = {line["kind"] for line in goldens("information_errors")}
    compared = {"distribution", "length_change", "edit_distance", "spearman"}
    assert kinds == compared | {"krippendorff_toy"}  # in tests/extensions


def test_tables_4_and_6_to_the_printed_digit(of_kind, annotated):
    lines = of_kind("distribution")
    assert len(lines) == 18
    for line in lines:
        category = line["category"].lower()
        found = InformationErrors().score(**annotated[line["model"]].labels)
        assert found[f"{category}_labelled"] == line["n"]
        percent = [found[f"{category}_{name}"] for name in NAMES.values()]
        counts = [value * line["n"] / 100 for value in percent]
        assert counts == pytest.approx([line["counts"][label] for label in NAMES], abs=1e-9)
        assert [round(value, 1) for value in percent] == line["printed"]
