"""Files of answers as tables: ours, and those of Potato, Label Studio, Thresh, spreadsheets.

A tool's file becomes a table with a row per answer, as `people.read` takes it.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import chain
from pathlib import Path
from typing import Any

from textsimp.core.columns import as_number, is_missing, is_sequence
from textsimp.corpora.tables import (
    DELIMITED,
    Table,
    is_table,
    json_list,
    of_objects,
    read_json,
    read_table,
)
from textsimp.extensions.people.judgements.answer_files import parse_answers
from textsimp.extensions.people.judgements.judgements import plain
from textsimp.extensions.people.judgements.studies import Plan, is_plan
from textsimp.extensions.people.judgements.tool_projects import NOT_XML, list_tasks
from textsimp.support.errors import InputError, listed, shown
from textsimp.support.names import same_name

Row = dict[str, Any]
Reader = Callable[[Sequence[Any]], Iterator[Row]]
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
NO_SYSTEMS = "no systems"
"""The code of the error of a spreadsheet without its plan."""
_IN_FOLDERS = ("user_state.json", "*/user_state.json", "*/annotated_instances.jsonl")  # of Potato
_VALUES = ("choices", "rating", "number")
"""The keys of Label Studio's answers."""
_GOOD = ("good", "good_deletion", "elaboration")
_BAD = (
    *("bad", "bad_deletion", "different", "repetition", "contradiction", "irrelevant"),
    *("factual_error", "facutal_error"),  # the second as in SALSA's files
)


def list_files(paths: Sequence[str | Path]) -> list[Path]:
    """Return files; a folder stands for those of Potato's raters in it, or for its tables.

    Hidden files there, those that Excel has open, and plans are no answers.
    """
    files: list[Path] = []
    for path in map(Path, paths):
        found = _list_folder(path) if path.is_dir() else [path]
        if not found:
            raise InputError(f"{path}: a folder without tables of answers")
        files += found
    return files


def _list_folder(folder: Path) -> list[Path]:
    of_potato = (sorted(folder.glob(pattern)) for pattern in _IN_FOLDERS)
    tables = filter(is_table, sorted(folder.glob("[!.~]*")))
    plain = (path for path in tables if path.suffix != ".jsonl" or not is_plan(path))
    return next(filter(None, of_potato), None) or [*plain]


def has_raters(path: str | Path) -> bool:
    """Whether a file, or the first one in a folder, has a row per answer."""
    first = _list_folder(Path(path))[:1] if Path(path).is_dir() else [Path(path)]
    opened = map(_open, filter(Path.is_file, first))
    return any(reader or "rater" in keys for keys, reader, _ in opened)


def read(path: str | Path, plan: Plan | None = None) -> tuple[Table, bool]:
    """Return the answers in a file, and whether another tool wrote it.

    The texts and systems of `export_project` and `export_sheets` come from the plan.
    """
    keys, reader, rows = _open(path)
    if reader is _read_sheet and plan is None and not keys & {"rater", "system"}:
        what = "a spreadsheet for a rater names no systems"
        raise InputError(f"{path}: {what}: pass its --plan", NO_SYSTEMS)
    if reader is None:
        if Path(path).suffix.lower() != ".jsonl":
            return read_table(path), False
        return of_objects(rows, str(path), "line", "jsonl"), False
    # Where answers don't say the rater, the name of a sheet does, or that of Potato's folder.
    name, folder = Path(path).name, Path(path).absolute().parent
    rater = _find_rater(path, plan) if reader is _read_sheet else folder.name
    try:
        answers = [{"rater": rater, **row} for row in reader([*rows])]
    except (LookupError, TypeError, AttributeError) as error:
        raise InputError(f"{name}: an answer has another form than others: {error!r}") from error
    return _make_table(name, answers, plan), reader is not _read_sheet


def _find_rater(path: str | Path, plan: Plan | None) -> str:
    """Return the rater as whom a sheet is named; a copy of a sheet is no rater of the plan."""
    name = Path(path).stem
    raters = {same_name(rater): rater for rater in (plan.raters if plan else [name])}
    if same_name(name) not in raters:
        raise InputError(f"{path}: expected a file named as a rater: {listed(raters.values())}")
    return raters[same_name(name)]


def _open(path: str | Path) -> tuple[Set[str], Reader | None, Iterator[Any]]:
    """Return the keys of a file's first row, the reader of its tool, if any, and its rows."""
    suffix = Path(path).suffix.lower()
    if suffix in (".xlsx", *DELIMITED):
        table = read_table(path)
        rows: Iterator[Any] = iter(table.rows(table.names))
    elif suffix == ".jsonl":
        rows = parse_answers(path)
    else:
        value = read_json(path)
        rows = iter(value if isinstance(value, list) else [value])
    first = next(rows, None)
    keys = first.keys() if isinstance(first, Mapping) else set()
    reader = next((read for needed, read in _READERS if keys >= needed), None)
    if suffix == ".xlsx":
        reader = _read_sheet if "task" in keys else None
    return keys, reader, chain([first] if first else [], rows)


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
            answer.pop("references", None)  # as one text
            task = tasks.get(str(answer["id"]), {})
            text, planned = (_as_in_excel(row.get("prediction")) for row in (answer, task))
            if not task or ("source" in answer and text != planned):
                output = f" with the output {shown(text)}" if task else ""
                raise InputError(f"{where}: the plan has no task {answer['id']!r}{output}")
            answer |= task
            for name in plan.scheme.criteria.keys() & answer.keys():
                step = str(answer[name]).partition(": ")[0]  # of a label, see `label_steps`
                if step in map(str, plan.scheme.criteria[name].steps):
                    answer[name] = step
    names = dict.fromkeys(name for answer in answers for name in answer if name != "id")
    if plan is None:
        names.pop("references", None)
        if not {"item", "source", "prediction"} & {*names}:
            raise InputError(f"{where} has no texts, only ids of tasks: pass the plan")
        for answer in answers:
            answer.setdefault("item", answer.get("source", answer.get("id")))
        names.setdefault("item")
    columns = {name: [answer.get(name) for answer in answers] for name in names}
    return Table(where, [*columns], columns.__getitem__)


def _as_in_excel(text: Any) -> str:
    return plain(NOT_XML.sub("", text or ""))


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
        about = {name: text for name, text in task["data"].items() if name in ("task", *ABOUT)}
        for answer in task["annotations"]:
            if answer.get("was_cancelled"):
                continue
            ratings = {result["from_name"]: result["value"] for result in answer["result"]}
            ratings = {name: value for name, value in ratings.items() if _list_values(value)}
            times = {name: answer.get(name) for name in ("lead_time", "updated_at")}
            row = {"id": task["id"], **about, "annotator": answer["completed_by"], **times}
            yield from _read_label_studio_min([{**row, **ratings}])


def _read_label_studio_min(rows: Sequence[Any]) -> Iterator[Row]:
    """Read JSON-MIN: a row per answer, the task's data and the answers side by side."""
    renamed = {"annotator": "rater", "lead_time": "seconds", "updated_at": "time"}
    for row in rows:
        if row.get("annotation_id", 0) in (None, ""):  # of a task without answers
            continue
        answer = {}
        for key, cell in row.items():
            name = renamed.get(key, key)
            if name in ABOUT:
                answer[name] = cell
            elif key not in ("task", "annotation_id", "created_at", "agreement"):
                answer[name] = _take_one(_list_values(cell), name, row["id"])
        if isinstance(answer["rater"], Mapping):
            answer["rater"] = answer["rater"].get("email", answer["rater"].get("id"))
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


_READERS: list[tuple[set[str], Reader]] = [
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
