"""The official rows of MER-TRANS 2026 that can be had: outputs that are the originals."""

from tests.project import SHARED
from textsimp.extensions import tasks


def test_the_copy_of_the_originals_has_its_official_row(goldens):
    rows = [row for row in goldens("tasks/mertrans2026") if "gold" in row]
    for row in rows:
        gold = SHARED / "data" / "tasks" / row["gold"]
        column = row["predictions"].removeprefix("column ")
        if not gold.is_file():
            continue
        result = tasks.score("mertrans2026", gold=gold, predictions=gold, prediction_column=column)
        assert result.coverage.scored == row["rows"]
        for name in ("bleu_orig", "bleu_gold", "sari"):
            assert abs(result["exact"][name] - row["official"][name]) < 1e-12
        assert result["bert"] is None
        assert "model" in result.missing["bert"]
    assert rows
