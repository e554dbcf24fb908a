"""Answers in the files of other annotation tools: Potato, Label Studio, Thresh, spreadsheets.

A file becomes a table with a row per answer, as `people.read` takes it.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from textsimp.core.columns import as_number, is_missing, is_sequence
from textsimp.corpora.tables import DELIMITED, Table, json_list, parse_lines, read_json, read_table
from textsimp.corpora.text_files import raw_lines
from textsimp.extensions.people.judgements.studies import Plan
from textsimp.extensions.people.judgements.tool_projects import list_tasks
from textsimp.support.errors import InputError, listed

Row = dict[str, Any]
ABOUT = ("rater", "id", "item", "system", "source", "prediction", "control", "seconds", "time")
"""The columns of answers beside the criteria."""
_POTATO_NAMES = {
    **dict.fromkeys(("user_id", "user", "annotator"), "rater"),
    **dict.fromkeys(("label_annotations", "annotations"), "labels"),
    "instance_id": "id",
    "displayed_text": "prediction",
    "timestamp": "time",
}
"""Keys of Potato, which differ in its versions → ours."""
_VALUES = ("choices", "rating", "number")
"""The keys of Label Studio's answers."""
_GOOD = ("good", "good_deletion", "elaboration")
_BAD = (
    *("bad", "bad_deletion", "different", "repetition", "contradiction", "irrelevant"),
    *("factual_error", "facutal_error"),  # the second as in SALSA's files
)


def read(path: str | Path, plan: Plan | None = None) -> Table | None:
    """Return the answers in a tool's file; None for other files.

    The texts and systems of `export_project` and `export_sheets` come from the plan.
    """
    name, suffix = Path(path).name, Path(path).suffix.lower()
    if suffix in (".xlsx", *DELIMITED):
        table = read_table(path)
        rows: Iterator[Any] = iter(table.rows(table.names))
    elif suffix == ".jsonl":
        rows = parse_lines(path, raw_lines(path))
    else:
        _, value = read_json(path)
        rows = iter(value if isinstance(value, list) else [value])
    first = next(rows, None)
    keys = first.keys() if isinstance(first, Mapping) else set()
    reader = next((read for needed, read in _READERS if keys >= needed), None)
    if suffix == ".xlsx":
        reader = _read_sheet if "task" in keys else None
    if reader is None:
        return None
    # Where answers don't say the rater, the name of a sheet does, or that of Potato's folder.
    rater = Path(path).stem if suffix == ".xlsx" else Path(path).absolute().parent.name
    try:
        answers = [{"rater": rater, **row} for row in reader([first, *rows])]
    except (LookupError, TypeError, AttributeError) as error:
        raise InputError(f"{name}: an answer has another form than others: {error!r}") from error
    return _make_table(name, answers, plan)


def list_criteria(tables: Sequence[Table]) -> list[str]:
    """Return the columns of numbers that tables of answers have beside the known ones."""
    columns: dict[str, list[Any]] = {}
    for table in tables:
        for name in (name for name in table.names if name not in ABOUT):
            columns.setdefault(name, []).extend(table.column(name))
    numeric = {int, float, type(None)}
    return [name for name, cells in columns.items() if {*map(type, cells)} <= numeric]


def _make_table(where: str, answers: Sequence[Row], plan: Plan | None) -> Table:
    if not answers:
        raise InputError(f"{where}: expected answers, got none")
    if plan is not None and "id" in answers[0]:
        tasks = list_tasks(plan)
        for answer in answers:
            if str(answer["id"]) not in tasks:
                raise InputError(f"{where}: the plan has no task {answer['id']!r}")
            answer |= tasks[str(answer["id"])]
            for name in plan.scheme.criteria.keys() & answer.keys():
                step = str(answer[name]).partition(": ")[0]  # of a label, see `label_steps`
                if step in map(str, plan.scheme.criteria[name].steps):
                    answer[name] = step
    hidden = ("id", "references")  # the latter as one text
    names = dict.fromkeys(name for answer in answers for name in answer if name not in hidden)
    if plan is None:
        if not {"item", "source", "prediction"} & {*names}:
            raise InputError(f"{where} has no texts, only ids of tasks: pass the plan")
        for answer in answers:
            answer.setdefault("item", answer.get("source", answer.get("id")))
        names.setdefault("item")
    columns = {name: [answer.get(name) for answer in answers] for name in names}
    return Table(where, [*columns], columns.__getitem__)


def _read_sheet(rows: Sequence[Any]) -> Iterator[Row]:
    """Read a spreadsheet of `export_sheets`."""
    for row in rows:
        yield {"id": row.pop("task"), **row}


def _read_potato_state(rows: Sequence[Any]) -> Iterator[Row]:
    """Read ``user_state.json``: {user_id, instance_id_to_label_to_value: {id: labels}}."""
    for state in rows:
        behaviour = state.get("instance_id_to_behavioral_data") or {}
        for task, labels in state["instance_id_to_label_to_value"].items():
            if is_sequence(labels):  # [[{"schema": criterion, "name": label}, value], …]
                schemas: dict[str, Row] = {}
                for label, value in labels:
                    schemas.setdefault(label["schema"], {})[label["name"]] = value
                changes = (behaviour.get(task) or {}).get("annotation_changes") or ()
                labels = _keep_last(schemas, changes)
            yield {"rater": state["user_id"], "id": task, **_read_potato_labels(labels, task)}


def _keep_last(schemas: dict[str, Row], changes: Sequence[Mapping[str, Any]]) -> dict[str, Row]:
    """Return the last label of each criterion, as old versions keep all that were chosen.

    Args:
        schemas: Criterion → label → value.
        changes: [{timestamp, schema_name, label_name, action}].
    """
    kept = dict(schemas)
    for change in sorted(changes, key=lambda change: change["timestamp"]):
        name, label = change["schema_name"], change["label_name"]
        if change["action"] in ("select", "update") and label in schemas.get(name, ()):
            kept[name] = {label: schemas[name][label]}
    return kept


def _read_potato_annotations(rows: Sequence[Any]) -> Iterator[Row]:
    """Read JSONL: {instance_id, user_id, labels: {criterion: label}}."""
    for row in rows:
        about, rest = _split_potato(row)
        yield {**about, **_read_potato_labels(rest["labels"], about["id"])}


def _read_potato_columns(rows: Sequence[Any]) -> Iterator[Row]:
    """Read CSV and TSV: instance_id, user_id, and a column for each label: criterion.label."""
    for row in rows:
        about, rest = _split_potato(row)
        final: Row = {}
        labels: dict[str, Row] = {}
        for column, cell in rest.items():
            name, dot, label = column.replace(":::", ".", 1).partition(".")
            if not dot and cell:  # the last of several labels
                final[name] = {cell: cell}
            elif cell and not label.startswith("_"):
                labels.setdefault(name, {})[label] = cell
        yield {**about, **_read_potato_labels({**labels, **final}, about["id"])}


def _split_potato(row: Mapping[str, Any]) -> tuple[Row, Row]:
    """Return the columns of an answer that are about it, and those with labels."""
    rest = {_POTATO_NAMES.get(key, key): cell for key, cell in row.items()}
    return {name: rest.pop(name) for name in ABOUT if name in rest}, rest


def _read_label_studio(rows: Sequence[Any]) -> Iterator[Row]:
    """Read JSON: [{id, data, annotations: [{completed_by, result: [{from_name, value}]}]}]."""
    for task in rows:
        for answer in task["annotations"]:
            if answer.get("was_cancelled"):
                continue
            rater = answer["completed_by"]
            rater = rater.get("email", rater.get("id")) if isinstance(rater, Mapping) else rater
            ratings = {}
            for result in answer["result"]:
                name, values = result["from_name"], _list_values(result["value"])
                if values:
                    ratings[name] = _take_one(values, name, task["id"])
            yield {
                "id": task["data"].get("task", task["id"]),
                **{name: text for name, text in task["data"].items() if name in ABOUT},
                "rater": rater,
                "time": answer.get("updated_at"),
                "seconds": answer.get("lead_time"),
                **ratings,
            }


def _read_label_studio_min(rows: Sequence[Any]) -> Iterator[Row]:
    """Read JSON-MIN: a row per answer, the task's data and the answers side by side."""
    renamed = {"annotator": "rater", "lead_time": "seconds", "updated_at": "time"}
    for row in rows:
        if row["annotation_id"] in (None, ""):  # of a task without answers
            continue
        answer = {}
        for key, cell in row.items():
            name = renamed.get(key, key)
            if name in ABOUT:
                answer[name] = cell
            elif key not in ("task", "annotation_id", "created_at", "agreement"):
                answer[name] = _take_one(_list_values(cell), name, row["id"])
        answer["id"] = row.get("task", row["id"])
        yield answer


def _list_values(cell: Any) -> list[Any]:
    """Return the answers in a value such as {"rating": 4}, or in a list of values."""
    if isinstance(cell, Mapping):
        return [value for kind in _VALUES if kind in cell for value in _list_values(cell[kind])]
    cells = cell if is_sequence(cell) else json_list(cell)
    return [cell] if cells is None else [value for part in cells for value in _list_values(part)]


def _read_thresh(rows: Sequence[Any]) -> Iterator[Row]:
    """Read edits: how many of each category an output has, how many of them good and bad."""
    categories = sorted({edit["category"] for row in rows for edit in row.get("edits") or ()})
    for row in rows:
        about = {**row, **row.get("metadata", {})}
        counts = dict.fromkeys(
            (f"{name}{of}" for name in categories for of in ("", "_good", "_bad")), 0
        )
        for edit in row.get("edits") or ():
            verdicts = {*_list_answers(edit.get("annotation"))}
            counts[edit["category"]] += 1
            counts[f"{edit['category']}_good"] += not verdicts.isdisjoint(_GOOD)
            counts[f"{edit['category']}_bad"] += not verdicts.isdisjoint(_BAD)
        yield {
            "rater": about.get("annotator", "1"),
            "system": about.get("system"),
            "source": row["source"],
            "prediction": row["target"].replace(" || ", " "),  # marks of sentences
            **counts,
        }


def _list_answers(annotation: Any) -> Iterator[Any]:
    """Return all answers in a tree of questions: {question: {"val": answer, answer: {…}}}."""
    for name, branch in annotation.items() if isinstance(annotation, Mapping) else ():
        if name == "val":
            yield branch
        yield from _list_answers(branch)


def _read_potato_labels(labels: Mapping[str, Any], task: Any) -> Row:
    """Return criterion → rating, of {criterion: {label: whether it is chosen, or a number}}."""
    ratings = {}
    for name, values in labels.items():
        if not isinstance(values, Mapping):
            ratings[name] = _take_one([values], name, task)
            continue
        chosen = [
            label if value == label or str(value).lower() == "true" else value
            for label, value in values.get("labels", values).items()
            if not is_missing(value) and str(value).lower() != "false"
        ]
        advice = ": the raters' user_state.json may say which is the last"
        ratings[name] = _take_one(chosen, name, task, advice)
    return ratings


def _take_one(answers: Sequence[Any], name: str, task: Any, advice: str = "") -> Any:
    """Return the only answer, as a number if it looks like one; None for none."""
    if len(answers) > 1:
        raise InputError(
            f"task {task}: expected one answer to {name}, got {listed(answers)}{advice}"
        )
    answer = answers[0] if answers else None
    number = as_number(answer)
    return answer if math.isnan(number) else number


_READERS: list[tuple[set[str], Callable[[Sequence[Any]], Iterator[Row]]]] = [
    ({"user_id", "instance_id_to_label_to_value"}, _read_potato_state),
    ({"label_annotations"}, _read_potato_annotations),
    ({"instance_id", "user_id", "labels"}, _read_potato_annotations),
    ({"id", "annotations", "annotator"}, _read_potato_annotations),
    ({"instance_id", "user_id"}, _read_potato_columns),
    ({"instance_id", "user"}, _read_potato_columns),
    ({"id", "data", "annotations"}, _read_label_studio),
    ({"id", "annotator", "annotation_id"}, _read_label_studio_min),
    ({"source", "target", "edits"}, _read_thresh),
]
