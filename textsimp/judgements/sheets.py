"""Spreadsheets in which raters fill in what a plan asks: an Excel file for each rater."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from textsimp.judgements.studies import Plan
from textsimp.judgements.tool_projects import number_answers
from textsimp.support.errors import InputError

RATINGS, INSTRUCTIONS = "ratings", "instructions"
"""The names of the two sheets."""
_TEXTS = ("source", "prediction")
_WIDTHS = {"task": 8, "source": 60, "prediction": 60}


def export_sheets(plan: Plan) -> dict[str, bytes]:
    """Return an Excel file for each rater: name of the file → its bytes.

    The first sheet has the instructions and questions, the second a row for each output to rate,
    with a list of choices in each cell of a criterion. Systems stay in the plan, with which
    `textsimp.judgements.read` reads the files. A rater's name is the name of the file.

    Args:
        plan: A plan whose scheme rates outputs one by one.
    """
    rows: dict[str, list[dict[str, Any]]] = {}
    for task, rater, answer in number_answers(plan):
        shown = {name: answer[name] for name in _TEXTS if name in plan.scheme.shows}
        rows.setdefault(rater, []).append({"task": task, **shown})
    return {f"{rater}.xlsx": _write_book(plan, own) for rater, own in rows.items()}


def _write_book(plan: Plan, rows: list[dict[str, Any]]) -> bytes:
    openpyxl = _import_openpyxl()
    from openpyxl.styles import Alignment, Font  # type: ignore[import-untyped, unused-ignore]
    from openpyxl.worksheet.datavalidation import (  # type: ignore[import-untyped, unused-ignore]
        DataValidation,
    )

    book = openpyxl.Workbook()
    about = book.active
    about.title = INSTRUCTIONS
    about.column_dimensions["A"].width = 100
    about.append([plan.scheme.instructions])
    sheet = book.create_sheet(RATINGS)
    choices = book.create_sheet("choices")
    choices.sheet_state = "hidden"
    sheet.append([*rows[0], *plan.scheme.criteria])
    sheet.freeze_panes = "A2"
    for i, texts in enumerate(rows, 2):
        for column, text in enumerate(texts.values(), 1):
            cell = sheet.cell(i, column)
            cell.value, cell.data_type = text, "s"  # a text that begins with = is no formula
    for column, name in enumerate(plan.scheme.criteria, 1 + len(rows[0])):
        criterion = plan.scheme.criteria[name]
        meanings = [f"{step}: {meaning}" for step, meaning in criterion.steps.items() if meaning]
        about.append([f"{name}: {criterion.question}"])
        about.append(["\n".join(meanings)])
        letter = sheet.cell(1, column).column_letter
        steps = [*criterion.steps]
        if criterion.slider:
            bounds = {"formula1": str(steps[0]), "formula2": str(steps[-1])}
            rule = DataValidation("whole", operator="between", **bounds)
        else:
            for row, step in enumerate(steps, 1):
                choices.cell(row, column).value = step
            rule = DataValidation("list", formula1=f"choices!${letter}$1:${letter}${len(steps)}")
        rule.add(f"{letter}2:{letter}{1 + len(rows)}")
        sheet.add_data_validation(rule)
    for page in (about, sheet):
        for cell in (cell for row in page.iter_rows() for cell in row):
            cell.alignment = Alignment(wrap_text=True, vertical="top")
    for cell in sheet[1]:
        cell.font = Font(bold=True)
        sheet.column_dimensions[cell.column_letter].width = _WIDTHS.get(cell.value, 14)
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def read_sheet(path: str | Path) -> Iterator[dict[str, Any]] | None:
    """Read the answers of a rater's file; None for other Excel files."""
    openpyxl = _import_openpyxl()
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: expected an Excel file: {error}") from error
    if RATINGS not in book.sheetnames:
        return None
    head, *rows = book[RATINGS].iter_rows(values_only=True)
    if "task" not in head:
        return None
    rater = Path(path).stem
    answers = [dict(zip(head, row, strict=True)) for row in rows if any(row)]
    return ({"rater": rater, "id": answer.pop("task"), **answer} for answer in answers)


def _import_openpyxl() -> Any:
    try:
        import openpyxl  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        raise InputError("Excel files need openpyxl: pip install openpyxl") from None
    return openpyxl
