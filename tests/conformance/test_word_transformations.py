"""How far word transformations are from what EASSE's paper prints."""

import pytest

from textsimp.metrics.word_transformations import WordTransformations

SYSTEM = "Dress-Ls"  # of the systems in Table 3 the one whose outputs are at hand
PRINTED = {"delete": 40.31, "move": 1.43, "replace": 12.62, "copy": 86.76}
NEAR = {"delete": 1, "move": 0.5, "replace": 1, "copy": 0.5}  # points


def test_easse2019_is_near_what_its_table_3_prints(columns):
    """The alignment isn't EASSE's, which took a parser and a table of paraphrases."""
    found = WordTransformations(variant="easse2019").score(
        **columns("turkcorpus_test_legacy", SYSTEM)
    )
    for label, points in NEAR.items():
        assert found[label] == pytest.approx(PRINTED[label], abs=points), label
