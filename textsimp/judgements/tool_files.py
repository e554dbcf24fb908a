"""Answers in the files of other annotation tools: Potato, Label Studio, Thresh, spreadsheets.

A file becomes a table with a row per answer, as `textsimp.judgements.read` takes it.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from textsimp.core.columns import as_number, is_sequence
from textsimp.corpora.files import raw_lines
from textsimp.corpora.tables import Table, parse_lines, read_json, read_table
from textsimp.judgements.studies import Plan
from textsimp.judgements.tool_projects import list_tasks
from textsimp.support.errors import InputError, listed

Row = dict[str, Any]
ABOUT = ("rater", "id", "item", "system", "source", "prediction", "control", "seconds", "time")
"""The columns of answers beside the criteria."""
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
    if suffix == ".xlsx":
        table = read_table(path)
        if "task" not in table.names:
            return None
        names = ["id" if column == "task" else column for column in table.names]
        cells = zip(*map(table.column, table.names), strict=True)
        rater = {"rater": Path(path).stem}
        return _make_table(
            name, [rater | dict(zip(names, row, strict=True)) for row in cells], plan
        )
    if suffix == ".jsonl":
        found: Iterator[Any] = parse_lines(path, raw_lines(path))
    else:
        _, value = read_json(path)
        found = iter(value if isinstance(value, list) else [value])
    first = next(found, None)
    keys = first.keys() if isinstance(first, Mapping) else set()
    reader = next((read for needed, read in _READERS if keys >= needed), None)
    if reader is None:
        return None
    try:
        answers = [dict(row) for row in reader([first, *found], Path(path).absolute().parent.name)]
    except (LookupError, TypeError, AttributeError) as error:
        raise InputError(f"{name}: an answer has another form than others: {error!r}") from error
    return _make_table(name, answers, plan)


def list_criteria(tables: Sequence[Table]) -> list[str]:
    """Return the columns of numbers that tables of answers have beside the known ones."""
    found: dict[str, bool] = {}
    for table in tables:
        for name in (name for name in table.names if name not in ABOUT):
            numeric = all(isinstance(cell, (int, float, type(None))) for cell in table.column(name))
            found[name] = found.get(name, True) and numeric
    return [name for name, numeric in found.items() if numeric]


def _make_table(where: str, answers: Sequence[Row], plan: Plan | None) -> Table:
    if not answers:
        raise InputError(f"{where}: expected answers, got none")
    if plan is not None and "id" in answers[0]:
        tasks = list_tasks(plan)
        for answer in answers:
            if str(answer["id"]) not in tasks:
                raise InputError(f"{where}: the plan has no task {answer['id']!r}")
            answer |= tasks[str(answer["id"])]
    names = dict.fromkeys(name for answer in answers for name in answer if name != "id")
    if plan is None:
        if not {"item", "source", "prediction"} & {*names}:
            raise InputError(f"{where} has no texts, only ids of tasks: pass the plan")
        for answer in answers:
            answer.setdefault("item", answer.get("source", answer.get("id")))
        names.setdefault("item")
    columns = {name: [answer.get(name) for answer in answers] for name in names}
    return Table(where, [*columns], columns.__getitem__)


def _read_potato_state(rows: Sequence[Any], folder: str) -> Iterator[Row]:
    """Read ``user_state.json``: {user_id, instance_id_to_label_to_value: {id: labels}}."""
    for state in rows:
        for task, labels in state["instance_id_to_label_to_value"].items():
            if is_sequence(labels):  # [[{"schema": criterion, "name": label}, value], …]
                schemas: dict[str, dict[str, Any]] = {}
                for label, value in labels:
                    schemas.setdefault(label["schema"], {})[label["name"]] = value
                labels = schemas
            yield {"rater": state["user_id"], "id": task, **_read_potato_labels(labels, task)}


def _read_potato_instances(rows: Sequence[Any], folder: str) -> Iterator[Row]:
    """Read ``annotated_instances.jsonl``, which stands in a folder with the rater's name."""
    for row in rows:
        ratings = _read_potato_labels(row["label_annotations"], row["id"])
        text = row.get("displayed_text")
        yield {"rater": row.get("user", folder), "id": row["id"], "prediction": text, **ratings}


def _read_potato_annotations(rows: Sequence[Any], folder: str) -> Iterator[Row]:
    """Read ``annotations.jsonl``: {id, annotator, annotations: {criterion: label}}."""
    for row in rows:
        about = {"rater": row["annotator"], "id": row["id"]}
        about |= {"time": row["timestamp"]} if "timestamp" in row else {}
        yield {**about, **_read_potato_labels(row["annotations"], row["id"])}


def _read_label_studio(rows: Sequence[Any], folder: str) -> Iterator[Row]:
    """Read JSON: [{id, data, annotations: [{completed_by, result: [{from_name, value}]}]}]."""
    for task in rows:
        for answer in task["annotations"]:
            if answer.get("was_cancelled"):
                continue
            rater = answer["completed_by"]
            rater = rater.get("email", rater.get("id")) if isinstance(rater, Mapping) else rater
            ratings = {
                one["from_name"]: _take_one(one["value"][kind], one["from_name"], task["id"])
                for one in answer["result"]
                for kind in ("choices", "rating", "number")
                if kind in one["value"]
            }
            yield {
                "id": task["data"].get("task", task["id"]),
                **{name: text for name, text in task["data"].items() if name in ABOUT},
                "rater": rater,
                "time": answer.get("updated_at"),
                "seconds": answer.get("lead_time"),
                **ratings,
            }


def _read_label_studio_min(rows: Sequence[Any], folder: str) -> Iterator[Row]:
    """Read JSON-MIN: a row per answer, the task's data and the answers side by side."""
    renamed = {"annotator": "rater", "lead_time": "seconds", "updated_at": "time", "task": "id"}
    for row in rows:
        answer = {}
        for key, cell in row.items():
            name = renamed.get(key, key)
            if name in ABOUT:
                answer[name] = cell
            elif key not in ("annotation_id", "created_at"):
                given = cell["choices"] if isinstance(cell, Mapping) else cell
                answer[name] = _take_one(given, name, row["id"])
        yield answer


def _read_thresh(rows: Sequence[Any], folder: str) -> Iterator[Row]:
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
            label if value in (True, "true", label) else value
            for label, value in values.get("labels", values).items()
            if value not in (False, "false", None, "")
        ]
        ratings[name] = _take_one(chosen, name, task)
    return ratings


def _take_one(answers: Any, name: str, task: Any) -> Any:
    """Return the only answer, as a number if it looks like one; None for none."""
    answers = answers if is_sequence(answers) else [answers]
    if len(answers) > 1:
        raise InputError(f"task {task}: expected one answer to {name}, got {listed(answers)}")
    answer = answers[0] if answers else None
    number = as_number(answer)
    return answer if math.isnan(number) else number


_READERS: list[tuple[set[str], Callable[[Sequence[Any], str], Iterator[Row]]]] = [
    ({"user_id", "instance_id_to_label_to_value"}, _read_potato_state),
    ({"id", "label_annotations"}, _read_potato_instances),
    ({"id", "annotations", "annotator"}, _read_potato_annotations),
    ({"id", "data", "annotations"}, _read_label_studio),
    ({"id", "annotator", "annotation_id"}, _read_label_studio_min),
    ({"source", "target", "edits"}, _read_thresh),
]
