"""Spreadsheets for raters: written from a plan, filled in, and read again."""

from collections import defaultdict
from pathlib import Path

import pytest

from tests.extensions.people.cli.test_answers import fill as filled
from tests.given import write
from textsimp import InputError
from textsimp.corpora.tables import SHEET
from textsimp.extensions import people
from textsimp.extensions.people.judgements.tool_projects import INSTRUCTIONS, number_answers

openpyxl = pytest.importorskip("openpyxl")

SOURCES = [f"=Source {i}, which is long." for i in range(6)]
SYSTEMS = {name: [f"Output {i} {name}." for i in range(6)] for name in "ab"}


@pytest.fixture
def plan():
    return people.design(SOURCES, SYSTEMS, "likert", names=["anna", "ben"], controls=True)


@pytest.fixture
def sheets(plan, tmp_path):
    for name, book in people.export_sheets(plan).items():
        (tmp_path / name).write_bytes(book)
    return sorted(tmp_path.glob("*.xlsx"))


def fill(path: Path, **ratings):
    path.write_bytes(filled(path.read_bytes(), defaultdict(lambda: ratings)))


def test_each_rater_gets_texts_and_choices_and_no_systems(plan, sheets):
    assert [path.stem for path in sheets] == ["anna", "ben"]
    for path in sheets:
        book = openpyxl.load_workbook(path)
        assert plan.scheme.instructions in {
            cell.value for (cell,) in book[INSTRUCTIONS].iter_rows()
        }
        head, *rows = book[SHEET].iter_rows(values_only=True)
        assert head == ("task", "source", "prediction", *plan.scheme.criteria)
        assert len(rows) == sum(screen.rater == path.stem for screen in plan.screens)
        assert {row[1] for row in rows} <= {*SOURCES}  # as texts, not as formulas
        lists = book[SHEET].data_validations.dataValidation
        assert len(lists) == len(plan.scheme.criteria)


def test_empty_rows_of_a_sheet_are_no_answers(plan, sheets, tmp_path):
    fill(sheets[0], fluency=5, meaning=4, simplicity=3, simpler=-1)
    page = [{**row, **dict.fromkeys(plan.scheme.criteria, 1)} for row in _rows(plan, "ben")]
    served = write(tmp_path / "ben.jsonl", page)
    read = people.read([*sheets, served], plan=plan)  # Ben's sheet is empty
    planned = {name: len(_rows(plan, name)) for name in ("anna", "ben")}
    assert read.answers["rater"].value_counts().to_dict() == planned
    assert not read.missing


def test_screens_without_an_answer_in_a_sheet_are_named(plan, sheets):
    fill(sheets[0], fluency=5, meaning=4, simplicity=3, simpler=-1)
    screens = [screen.screen for screen in plan.screens if screen.rater == "ben"]
    assert people.read(sheets, plan=plan).missing == {"ben": screens}


def _rows(plan, rater):
    return [row for _, name, row in number_answers(plan) if name == rater]


def test_control_characters_are_left_out_with_a_note(sheets, tmp_path, capsys):
    assert capsys.readouterr().err == ""  # of sheets without any
    sources = ["A\x0b long\x00 one.", "A\ttab,\na line."]
    odd = people.design(sources, {"a": ["B.\x1b\ufffe", "C."]}, names=["anna", "ben"])
    book = people.export_sheets(odd)["anna.xlsx"]
    told = "2 texts have control characters, which Excel can't hold: they are left out\n"
    assert capsys.readouterr().err == told
    path = tmp_path / "anna.xlsx"
    path.write_bytes(book)
    opened = openpyxl.load_workbook(path)
    texts = {row[1:3] for row in opened[SHEET].iter_rows(values_only=True)}
    assert {("A long one.", "B."), ("A\ttab,\na line.", "C.")} < texts


def test_a_cell_that_is_no_choice_is_named(plan, sheets):
    fill(sheets[0], fluency=6, meaning=4, simplicity=3, simpler=1)
    with pytest.raises(InputError, match=r"fluency.*anna\.xlsx"):
        people.read(sheets[:1], plan=plan)


def test_a_copy_of_a_sheet_is_no_further_rater(plan, sheets):
    copy = sheets[0].rename(sheets[0].with_name("anna - copy.xlsx"))
    with pytest.raises(InputError, match=r"copy\.xlsx: expected a file named as a rater: 'anna', "):
        people.read(copy, plan=plan)
