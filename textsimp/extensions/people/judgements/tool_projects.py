"""Projects and spreadsheets in which raters answer what a plan asks: Potato, Label Studio, Excel.

Raters must not see systems, so these stay in the plan. `list_tasks` gives each task of a project an
id, by which `people.read` finds its systems again.
"""

import html
import json
import re
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from typing import Any, Literal, get_args
from xml.etree import ElementTree

import yaml  # type: ignore[import-untyped]

from textsimp.core import tables
from textsimp.corpora.tables import SHEET
from textsimp.extensions.people.judgements.schemes import Criterion, Scheme
from textsimp.extensions.people.judgements.studies import Plan
from textsimp.support.errors import InputError, check_choice
from textsimp.support.progress import note

Tool = Literal["potato", "label_studio"]
_TITLES = {"source": "Original", "references": "References", "prediction": "Simpler version"}
INSTRUCTIONS = "instructions"
"""The name of the first sheet."""
NOT_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that XML, and so Excel, can't hold."""
_WIDTHS = {"task": 8, **dict.fromkeys(_TITLES, 60)}


def number_answers(plan: Plan) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the id, the rater and the texts of each output that a rater is to rate.

    The id is the number of the source, and of the output in the random order of the plan.
    """
    if plan.scheme.compares:
        raise InputError(
            f"{plan.scheme.name} compares outputs: sheets and other tools have one output a "
            "task; use `textsimp rate serve`"
        )
    ids: dict[tuple[Any, ...], str] = {}
    outputs: Counter[str] = Counter()
    for screen in plan.screens:
        for row in screen.answers(plan.scheme):
            key = (screen.item, screen.control, row["prediction"], *row["system"])
            if key not in ids:
                outputs[screen.item] += 1
                ids[key] = f"{screen.item}-{outputs[screen.item]}"
            yield ids[key], screen.rater, row


def list_tasks(plan: Plan) -> dict[str, dict[str, Any]]:
    """Return id → item, texts, control and systems of each output to rate, once."""
    names = ("item", "source", "references", "prediction", "control", "system")
    return {
        task: {name: row[name] for name in names if name in row}
        for task, _, row in number_answers(plan)
    }


def _list_texts(plan: Plan, row: dict[str, Any]) -> dict[str, str]:
    """Return what a rater reads of an output: name → text, references in lines of their own."""
    texts = {**row, "references": "\n".join(row.get("references", ()))}
    return {name: texts[name] for name in _TITLES if name in plan.scheme.shows}


def _note_unmarked(plan: Plan) -> None:
    if "changes" in plan.scheme.shows:
        note(f"{plan.scheme.name}: changes are marked by `textsimp rate serve`, not elsewhere")


def label_steps(criterion: Criterion) -> dict[Any, str]:
    """Return step → what raters read in other tools: the step, and what it means."""
    steps = criterion.steps.items()
    return {step: f"{step}: {meaning}" if meaning else str(step) for step, meaning in steps}


def export_project(plan: Plan, tool: Tool) -> dict[str, str]:
    """Return the files of a project: name → text.

    The tool decides which rater gets which task. Its exports are read by
    `people.read` with the plan.

    Args:
        plan: A plan whose scheme rates outputs one by one.
        tool: ``"potato"``: ``config.yaml`` and ``tasks.jsonl``; or ``"label_studio"``:
            ``config.xml``, the labelling interface, and ``tasks.json``.

    Example:
        >>> from textsimp.extensions import people
        >>> plan = people.design(["A long text."], {"a": ["A text."]}, raters=1)
        >>> files = people.export_project(plan, "label_studio")
        >>> print(files["tasks.json"])
        [{"data": {"task": "1-1", "source": "A long text.", "prediction": "A text."}}]
    """
    check_choice("tool", tool, get_args(Tool))
    shown = {task: _list_texts(plan, row) for task, _, row in number_answers(plan)}
    _note_unmarked(plan)
    if tool == "potato":
        texts = []
        for key, task in shown.items():
            parts = [f"<b>{_TITLES[name]}</b>\n{html.escape(task[name])}" for name in task]
            texts.append({"id": key, "text": "<hr>".join(parts).replace("\n", "<br>")})
        return {"config.yaml": _configure_potato(plan), "tasks.jsonl": tables.json_lines(texts)}
    data = [{"data": {"task": key, **task}} for key, task in shown.items()]
    return {
        "config.xml": _configure_label_studio(plan.scheme),
        "tasks.json": json.dumps(data, ensure_ascii=False),
    }


def _ask(criterion: Criterion) -> str:
    """Return the question; a slider, which has no labels, with what its steps mean."""
    labels = label_steps(criterion).values() if criterion.slider else ()
    return " ".join([criterion.question, *labels])


def _configure_potato(plan: Plan) -> str:
    questions = []
    for name, criterion in plan.scheme.criteria.items():
        question = {"annotation_type": "radio", "name": name, "description": _ask(criterion)}
        if criterion.slider:
            low, *_, high = criterion.steps
            scale = {"min_value": low, "max_value": high, "starting_value": low}
            questions.append({**question, "annotation_type": "slider", **scale})
        else:
            # Without humanize_labels: False, Potato shows -2 as 2.
            labels = [*label_steps(criterion).values()]
            questions.append({**question, "labels": labels, "humanize_labels": False})
    config = {
        "annotation_task_name": plan.scheme.name,
        "annotation_instructions": plan.scheme.instructions,
        "task_dir": ".",
        "output_annotation_dir": "annotation_output",
        "output_annotation_format": "jsonl",
        "data_files": ["tasks.jsonl"],
        "item_properties": {"id_key": "id", "text_key": "text"},
        "user_config": {"allow_all_users": True, "users": []},
        "annotation_schemes": questions,
    }
    return str(yaml.safe_dump(config, allow_unicode=True, sort_keys=False))


def _configure_label_studio(scheme: Scheme) -> str:
    view = ElementTree.Element("View")
    ElementTree.SubElement(view, "Header", value=scheme.instructions)
    for name in (name for name in _TITLES if name in scheme.shows):
        ElementTree.SubElement(view, "Header", value=_TITLES[name])
        ElementTree.SubElement(view, "Text", name=name, value=f"${name}")
    for name, criterion in scheme.criteria.items():
        ElementTree.SubElement(view, "Header", value=_ask(criterion))
        question = {"name": name, "toName": "prediction", "required": "true"}
        if criterion.slider:
            low, *_, high = map(str, criterion.steps)
            ElementTree.SubElement(view, "Number", question, min=low, max=high, slider="true")
            continue
        choices = ElementTree.SubElement(view, "Choices", question, choice="single-radio")
        for step, label in label_steps(criterion).items():
            ElementTree.SubElement(choices, "Choice", value=label, alias=str(step))
    ElementTree.indent(view)
    return ElementTree.tostring(view, encoding="unicode")


def export_sheets(plan: Plan) -> dict[str, bytes]:
    """Return an Excel file for each rater: name of the file → its bytes.

    The first sheet has the instructions and questions, the second a row for each output to rate,
    with a list of choices in each cell of a criterion. Systems stay in the plan, with which
    `people.read` reads the files. A rater's name is the name of the file. Control
    characters are left out of texts, with a note.

    Args:
        plan: A plan whose scheme rates outputs one by one.
    """
    rows: dict[str, list[dict[str, Any]]] = {}
    for task, rater, answer in number_answers(plan):
        rows.setdefault(rater, []).append({"task": task, **_list_texts(plan, answer)})
    _note_unmarked(plan)
    cells = (text for rater_rows in rows.values() for row in rater_rows for text in row.values())
    if cut := len({text for text in cells if NOT_XML.search(text)}):
        note(f"{cut:,} texts have control characters, which Excel can't hold: they are left out")
    return {f"{rater}.xlsx": _write_book(plan, rater_rows) for rater, rater_rows in rows.items()}


def _write_book(plan: Plan, rows: list[dict[str, Any]]) -> bytes:
    try:
        from openpyxl import Workbook  # type: ignore[import-untyped, unused-ignore]
        from openpyxl.styles import Alignment, Font  # type: ignore[import-untyped, unused-ignore]
        from openpyxl.worksheet.datavalidation import (  # type: ignore[import-untyped, unused-ignore]
            DataValidation,
        )
    except ImportError:
        raise InputError("Excel files need openpyxl: pip install openpyxl") from None
    book = Workbook()
    about = book.active
    about.title = INSTRUCTIONS
    about.column_dimensions["A"].width = 100
    about.append([plan.scheme.instructions])
    sheet = book.create_sheet(SHEET)
    choices = book.create_sheet("choices")
    choices.sheet_state = "hidden"
    sheet.append([*rows[0], *plan.scheme.criteria])
    sheet.freeze_panes = "A2"
    for i, texts in enumerate(rows, 2):
        for column, text in enumerate(texts.values(), 1):
            cell = sheet.cell(i, column)
            cell.value = NOT_XML.sub("", text)
            cell.data_type = "s"  # a text that begins with = is no formula
    for column, (name, criterion) in enumerate(plan.scheme.criteria.items(), 1 + len(rows[0])):
        about.append([f"{name}: {criterion.question}"])
        about.append(["\n".join(label_steps(criterion).values())])
        letter, steps = sheet.cell(1, column).column_letter, [*criterion.steps]
        if criterion.slider:
            ends = {"formula1": str(steps[0]), "formula2": str(steps[-1])}
            rule = DataValidation(type="whole", operator="between", **ends)
        else:
            for row, step in enumerate(steps, 1):
                choices.cell(row, column).value = step
            cells = f"choices!${letter}$1:${letter}${len(steps)}"
            rule = DataValidation(type="list", formula1=cells)
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
