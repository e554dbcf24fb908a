from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from tests.splits.corpus import corpus
from textsimp.splits import annotate_edits, plot_change_percentage, plot_operations

pytest.importorskip("matplotlib")


def test_change_percentage_shows_the_share_of_pairs_per_bin() -> None:
    data = corpus()
    (axes,) = plot_change_percentage(data).axes
    percentages = annotate_edits(data)["train"]["change_percentage"][:]
    expected = np.histogram(percentages, np.linspace(0, 100, 11))[0] / 60 * 100
    train = axes.containers[2]
    assert [bar.get_height() for bar in train] == pytest.approx(expected.tolist())
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "test (10 pairs)",
        "validation (20 pairs)",
        "train (60 pairs)",
    ]


def test_operations_shows_the_mean_per_pair() -> None:
    data = corpus()
    (axes,) = plot_operations(data).axes
    annotated = annotate_edits(data)["test"]
    expected = [np.mean(annotated[name][:]) for name in ("insert", "delete", "replace", "keep")]
    assert [bar.get_height() for bar in axes.containers[0]] == pytest.approx(expected)


def test_optional_parts_are_imported_when_used() -> None:
    code = (
        "import sys, textsimp.splits\n"
        "heavy = {'datasets', 'evaluate', 'pandas', 'scipy', 'matplotlib', 'pyarrow'}\n"
        "assert not heavy & set(sys.modules)\n"
        "from tests.splits.corpus import corpus\n"
        "textsimp.splits.plot_operations(corpus())\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
