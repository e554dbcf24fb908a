"""CLEF SimpleText: the columns of the official tables, and what their source rows show."""

import json

import pytest

from textsimp.extensions import tasks

COUNTS = {"task", "table", "run"}


@pytest.fixture
def files(corpus, tmp_path):
    """ASSET in the format of 2025: the texts of 2025 aren't public with their references."""
    sources, references = corpus("asset_test")
    rows = [
        {"pair_id": f"p{i}", "complex": source, "simple_auto": own[0]}
        for i, (source, own) in enumerate(zip(sources, references, strict=True))
    ]
    gold, copy = tmp_path / "gold.json", tmp_path / "copy.json"
    gold.write_text(json.dumps(rows))
    copy.write_text(json.dumps([{**row, "prediction": row["complex"]} for row in rows]))
    return {"gold": gold, "predictions": copy}


@pytest.mark.parametrize("year", [2024, 2025])
def test_columns_are_those_of_the_official_tables(year, goldens, files):
    rows = goldens("tasks/simpletext_official_tables")
    tables = [row for row in rows if row["task"] == f"simpletext{year}"]
    assert tables
    result = tasks.score("simpletext", **files, year=year)
    for row in tables:
        assert [name for name in row if name not in COUNTS] == [*result][:-1]


def test_sources_look_as_officially(goldens, files):
    tables = goldens("tasks/simpletext_official_tables")
    sources = [row for row in tables if row["run"] == "Source"]
    result = tasks.score("simpletext", **files)
    fixed = [name for name in result if name.split()[0] in _FIXED]
    assert len(fixed) == 6
    for row in sources:
        assert {name: result[name] for name in fixed} == {name: row[name] for name in fixed}


_FIXED = ("Compression", "Sentence", "Levenshtein", "Exact", "Additions", "Deletions")
