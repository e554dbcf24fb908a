"""How far word transformations are from what EASSE's paper prints."""

import pytest

from tests.given import load_tool
from tests.project import SHARED
from textsimp.metrics.word_transformations import WordTransformations

SYSTEM = "Dress-Ls"  # of the systems in Table 3 the one whose outputs are at hand
NEAR = {"delete": 1, "move": 0.5, "replace": 1, "copy": 0.5}  # points


@pytest.fixture(scope="module")
def figures():
    with pytest.MonkeyPatch.context() as patch:
        yield load_tool(patch, "figures")


def test_easse2019_is_near_what_its_table_3_prints(figures):
    """The alignment isn't EASSE's, which took a parser and a table of paraphrases."""
    turk = figures.Data(SHARED / "data").test_set("turkcorpus_test_legacy")
    found = turk.score(WordTransformations(variant="easse2019"), SYSTEM)
    for (label, points), printed in zip(NEAR.items(), figures.PRINTED, strict=True):
        assert found[label] == pytest.approx(printed, abs=points), label
