"""One function prints tables in every form."""

import csv
import io
import json

from textsimp.cli.printing import print_result, print_tables
from textsimp.core.tables import Cell, Grid

SCORES = Grid(["system", "SARI"], [["ours", Cell.of(41.234, [40, 42], 2)], ["theirs", "–"]], ["s"])
COUNTS = Grid(["system", "lost"], [["ours", Cell.of(3, None, 0)]])


def test_csv_has_numbers_in_full_and_intervals_in_columns_of_their_own(capsys):
    print_result("csv", SCORES)
    first, second = csv.DictReader(io.StringIO(capsys.readouterr().out))
    expected = {"system": "ours", "SARI": "41.234", "SARI low": "40", "SARI high": "42"}
    assert first == expected
    assert second == {"system": "theirs", "SARI": "–", "SARI low": "", "SARI high": ""}


def test_json_of_several_tables_has_their_rows_and_notes_by_title(capsys):
    print_tables("json", {"Scores": SCORES, "Losses": COUNTS})
    found = json.loads(capsys.readouterr().out)
    assert found["Losses"] == {"rows": [{"system": "ours", "lost": 3}], "notes": []}
    assert found["Scores"]["notes"] == ["s"]


def test_csv_of_several_tables_is_one_table_with_all_columns(capsys):
    print_tables("csv", {"Scores": SCORES, "Losses": COUNTS})
    rows = [*csv.DictReader(io.StringIO(capsys.readouterr().out))]
    assert [row["table"] for row in rows] == ["Scores", "Scores", "Losses"]
    assert (rows[2]["SARI"], rows[2]["lost"], rows[0]["lost"]) == ("", "3", "")


def test_text_markdown_and_latex_have_the_titles_of_tables(capsys):
    titles = {"text": "Losses\n", "markdown": "Losses:\n\n|", "latex": "\\begin{table}"}
    for form, title in titles.items():
        print_tables(form, {"Scores": SCORES, "Losses": COUNTS})
        assert f"\n\n{title}" in (shown := capsys.readouterr().out)
        assert "Losses" in shown
