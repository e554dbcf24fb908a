"""TSAR-2022 and MLSP-2024: the organisers' numbers, bit for bit."""

import csv
import math

import pytest

from tests.project import SHARED
from textsimp import InputError
from textsimp.extensions import tasks

DATA = SHARED / "data" / "tasks"
FOLDERS = {"tsar2022": DATA / "tsar2022", "mlsp2024_trial": DATA / "mlsp2024"}
NAMES = ("tsar2022", "tsar2022_edge", "mlsp2024_edge", "mlsp2024_trial")
LCP = ("mlsp2024_lcp", "mlsp2024_lcp_edge")


@pytest.mark.parametrize("name", [*NAMES, *LCP])
def test_numbers_are_the_official_ones(goldens, name):
    folder = FOLDERS.get(name, DATA)
    for row in goldens(f"tasks/{name}"):
        files = {part: folder / row[part] for part in ("gold", "predictions")}
        options = {"track": "lcp", "prefix": row.get("prefix")} if name in LCP else {}
        if not all(file.is_file() for file in files.values()):
            continue
        if "error" in row:
            with pytest.raises(InputError, match=r"\.tsv") as raised:
                tasks.score(row["task"], **files, **options)
            assert "\n" not in str(raised.value)
            continue
        result = tasks.score(row["task"], **files, **options)
        printed = row.get("official", row.get("printed_in_official_notebook", {}))
        assert {number: result[number] for number in printed} == printed
        if name in LCP:
            check_complexity(result["exact"], row["exact"])
        else:
            assert result["exact"] == row["exact"]
            assert result.coverage.scored == row["n"]


def check_complexity(found, expected):
    """Compare all bits, but for the last of correlations, which differs between processors."""
    for name, value in expected.items():
        if value == "nan":
            assert math.isnan(found[name])
        elif name in ("pearson", "spearman"):
            assert found[name] == pytest.approx(value, abs=1e-15)
        else:
            assert found[name] == value


def test_the_extended_table_is_that_of_the_organisers(goldens):
    table = FOLDERS["tsar2022"] / "TSAR2022_test_results_extended_en.csv"
    if not table.is_file():
        pytest.skip("needs the official table")
    with table.open(encoding="utf-8", newline="") as file:
        official = {(row["Team"], row["Run"]): row for row in csv.DictReader(file)}
    compared = 0
    for row in goldens("tasks/tsar2022"):
        printed = official.get((row["team"], row["run"]))
        if row["lang"] == "en" and printed and row.get("reproduces_official"):
            files = {p: FOLDERS["tsar2022"] / row[p] for p in ("gold", "predictions")}
            result = tasks.score("tsar2022", **files)
            numbers = {name: float(printed[name]) for name in result["exact"]}
            assert {name: result[name] for name in numbers} == numbers
            compared += 1
    assert compared
