"""Logs of language models as tables: lm-eval, inspect-ai, chats, OpenAI's batch files.

    >>> row = {"messages": [
    ...     {"role": "user", "content": "It rained heavily."},
    ...     {"role": "assistant", "content": "It rained a lot."}]}
    >>> table = log_table("chats.jsonl", CHAT, [(1, row)], "line", "ours")
    >>> table.column("source"), table.column("prediction"), table.system
    (['It rained heavily.'], ['It rained a lot.'], 'ours')

A log has the columns id, source, references and prediction, from the first field of its `Form` that
it has. All fields are columns, too, under their paths as jq writes them: .doc.level, .target.
"""

from __future__ import annotations

import ast
import glob
import importlib.util
import os
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.corpora.tables import Table, read_json, read_table
from textsimp.corpora.text_files import LOG, STDIN, natural_key, raw_lines
from textsimp.support.errors import InputError, listed, shown
from textsimp.support.parsing import parse_json
from textsimp.support.progress import note

__all__ = ["find_logs", "read_log_or_table"]

Row = dict[str, Any]
Numbered = list[tuple[int, Row]]
"""Rows with the number that messages call them by."""


@dataclass(frozen=True)
class Form:
    """What writes logs, and the fields that columns are read from, the likeliest first."""

    name: str
    marks: frozenset[str]  # the keys of a row that tell it from other tables
    fields: Mapping[str, Sequence[str]]
    unordered: bool = False  # whether rows are in any order, so that ids must join them


_SOURCES = ("source", "original", "complex", "normal", "input", "text", "sentence")
_REFERENCES = ("references", "reference", "simplifications", "simplified", "simple")

LM_EVAL = Form(
    "an lm-eval log",
    frozenset({"doc_id", "doc", "resps"}),
    {
        "id": [".doc_id"],
        "source": [f".doc.{name}" for name in _SOURCES],
        "references": [*(f".doc.{name}" for name in _REFERENCES), ".target"],
        "prediction": [".filtered_resps", ".resps"],
    },
)
INSPECT = Form(
    "an inspect-ai log",
    frozenset({"id", "epoch", "input", "output"}),
    {
        "id": [".id"],
        "source": [".metadata.source", ".input"],
        "references": [".metadata.references", ".target"],
        "prediction": [".output.completion"],
    },
)
BATCH = Form(
    "OpenAI's batch output",
    frozenset({"custom_id", "response"}),
    {
        "id": [".custom_id"],
        "system": [".response.body.model"],
        "prediction": [".response.body.choices.0.message.content", ".response.body.output"],
    },
    unordered=True,
)
CHAT = Form(
    "chats",
    frozenset({"messages"}),
    {
        "id": [".id"],
        "system": [".model"],
        "source": [".source", ".messages"],
        "references": [".references", ".reference"],
        "prediction": [".messages"],
    },
)
FORMS = (LM_EVAL, INSPECT, BATCH, CHAT)

_REASONS = ("finish_reason", "stop_reason")
_ENDS = (  # fields that say why an output ended
    *(f".{name}" for name in _REASONS),
    ".response.body.choices.0.finish_reason",
    ".response.body.incomplete_details.reason",
    ".output.choices.0.stop_reason",
)
_CUT = ("length", "max_tokens", "max_output_tokens", "model_length")

_LOG_NAME = re.compile(  # as lm-eval and inspect-ai name their files
    r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl"
    r"|\d{4}-\d\d-\d\dT[-+\d]+_(?P<name>.+)_\w+\.(eval|json)"
)


def find_logs(data: str | Path) -> list[str]:
    """Return the logs in a folder and its folders, or those of a pattern, of one task.

    Other files and folders have none: logs are known by the names that programs give them.
    """
    if os.path.isdir(data):
        paths = [str(path) for path in Path(data).rglob("*")]
    elif not os.path.exists(data) and glob.has_magic(str(data)):
        paths = glob.glob(str(data), recursive=True)
    else:
        return []
    tasks: dict[str, list[str]] = {}
    for path in sorted(paths, key=natural_key):
        match = _LOG_NAME.fullmatch(os.path.basename(path))
        if match:
            tasks.setdefault(match["task"] or match["name"], []).append(path)
    if len(tasks) > 1:
        raise InputError(
            f"{data} has logs of several tasks, {listed(tasks)}: name those of one by a pattern, "
            f"as in '{data if os.path.isdir(data) else 'FOLDER'}/**/*_{next(iter(tasks))}_*'"
        )
    return next(iter(tasks.values()), [])


def read_log_or_table(path: str | Path) -> Table:
    """Read a table, or a log as a table with the columns id, source, references, prediction."""
    if Path(path).suffix.lower() == LOG:
        return _read_inspect(path, _load_eval(path))
    if Path(path).suffix.lower() == ".json" and next(raw_lines(path)).lstrip().startswith("{"):
        value = read_json(path)
        if isinstance(value, dict) and {"eval", "samples"} <= {*value}:
            return _read_inspect(path, value)
    table = read_table(path)
    form = _form_of(table) if table.unit else None  # objects of JSON
    if form is None and not (table.unit and {*_REASONS} & {*table.names}):
        return table
    columns = {name: table.sparse(name) or [] for name in table.every}
    values = zip(*columns.values(), strict=True)
    rows = [(i, dict(zip(columns, row, strict=True))) for i, row in enumerate(values, 1)]
    if form is None:
        _note_cut(table.where, table.unit, rows)
        return table
    if form is LM_EVAL:
        rows = _one_filter(table.where, rows)
    elif form is BATCH:
        rows = _answered(table.where, rows)
    system = _lm_eval_model(path) if form is LM_EVAL else _only_model(form, rows)
    name = "predictions" if str(path) == STDIN else Path(path).stem
    return log_table(table.where, form, rows, table.unit, system or name)


def _form_of(table: Table) -> Form | None:
    """Return the form of a log, or None of a table that has predictions, or no log's keys."""
    names = {*table.names}
    form = next((form for form in FORMS if form.marks <= names), None)
    if names & {"prediction", "predictions"}:
        return None
    return None if form is CHAT and not _is_chat(table.column("messages")[0]) else form


def log_table(where: str, form: Form, rows: Numbered, unit: str, system: str) -> Table:
    """Return the rows of a log as a table, and say what its columns are."""
    first = rows[0][1]
    fields: dict[str, str] = {}
    for column, paths in form.fields.items():
        path = next((path for path in paths if _value(first, path) is not None), None)
        if path:
            fields[column] = path

    def read(name: str) -> list[Any]:
        path = fields.get(name)
        if path is None:
            in_row = _value if name.startswith(".") else dict.get
            return [_parse_list(in_row(row, name)) for _, row in rows]
        return [
            _cell(name, _value(row, path), f"{where}, {unit} {number}: {path}")
            for number, row in rows
        ]

    parts = ", ".join(f"{column} = {path}" for column, path in fields.items())
    note(f"{where}: read as {form.name}, system {system}: {parts}")
    _note_cut(where, unit, rows)
    own = [name for name in first if form is CHAT or name.startswith("epoch ")]
    names = [*dict.fromkeys([*fields, *own, *_paths(first)])]
    return Table(where, names, read, system=system, unordered=form.unordered)


# Fields -------------------------------------------------------------------------------------------


def _value(value: Any, path: str) -> Any:
    """Return the field at a path such as ``.choices.0.text``, None without it."""
    for key in path.split(".")[1:]:
        if isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            value = value.get(key) if isinstance(value, dict) else None
    return value


def _paths(value: Row, prefix: str = ".") -> Iterator[str]:
    for key, field in value.items():
        if isinstance(field, dict):
            yield from _paths(field, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}"


def _cell(column: str, value: Any, where: str) -> Any:
    """Return a field as the cell of a column."""
    if column == "references":
        return _parse_list(value)
    if column == "id":
        return value
    if column == "system":
        return "" if value is None else str(value)
    text = _last_text(value, "user" if column == "source" else "assistant")
    if text is None:
        raise InputError(f"{where}: expected a text or messages, got {shown(value)}")
    return text


def _parse_list(value: Any) -> Any:
    """Return a list that lm-eval wrote as the text of a Python list; another value as it is."""
    if isinstance(value, str) and value.startswith(("['", '["')):
        try:
            return ast.literal_eval(value)
        except (ValueError, SyntaxError):
            return value
    return value


def _is_chat(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(x, dict) and "role" in x for x in value)


def _last_text(value: Any, role: str) -> str | None:
    """Return a text, the only one of a list, or the last one of a role in messages."""
    if _is_chat(value):
        messages = value[-1:] if role == "assistant" else value  # not an example in the prompt
        contents = [
            x.get("content") for x in messages if isinstance(x, dict) and x.get("role") == role
        ]
        return _last_text(contents[-1], role) if contents else None
    if isinstance(value, list) and value and all(isinstance(x, dict) for x in value):
        texts = [x.get("text") for x in value]  # parts of a message, of which images have no text
        return "".join(text for text in texts if isinstance(text, str)) or None
    if isinstance(value, list) and len(value) == 1:  # of lm-eval
        return _last_text(value[0], role)
    return value if isinstance(value, str) else None


# Of each program ----------------------------------------------------------------------------------


def _note_cut(where: str, unit: str, rows: Numbered) -> None:
    """Tell how many outputs were cut at the limit of tokens, if rows say so."""
    cut = [number for number, row in rows if any(_value(row, path) in _CUT for path in _ENDS)]
    if cut:
        note(
            f"{where}: {len(cut):,} of {len(rows):,} outputs were cut at the limit of tokens, the "
            f"first in {unit} {cut[0]}"
        )


def _one_filter(where: str, rows: Numbered) -> Numbered:
    """Return the rows of lm-eval's first filter: a sample has a row for each."""
    filters = [*dict.fromkeys(str(row.get("filter")) for _, row in rows)]
    if len(filters) > 1:
        note(f"{where}: outputs of the filter {filters[0]!r}, the first of {listed(filters)}")
    return [(number, row) for number, row in rows if str(row.get("filter")) == filters[0]]


def _lm_eval_model(path: str | Path) -> str:
    """Return the model that the results beside the samples name, or their folder."""
    match = _LOG_NAME.fullmatch(Path(path).name)
    if not match:
        return ""
    results = Path(path).with_name(f"results_{match['date']}.json")
    about = read_json(results) if results.is_file() else None
    name = about.get("model_name") if isinstance(about, dict) else None
    return str(name or Path(path).resolve().parent.name.replace("__", "/"))


def _answered(where: str, rows: Numbered) -> Numbered:
    """Return the rows of requests that succeeded, and say which failed."""
    failed = {
        number: str(row["custom_id"])
        for number, row in rows
        if row.get("error") or _value(row, ".response.status_code") not in (None, 200)
    }
    if len(failed) == len(rows):
        raise InputError(f"{where}: expected outputs, but all {len(rows):,} requests failed")
    if failed:
        first = next(iter(failed.values()))
        note(f"{where}: {len(failed):,} of {len(rows):,} requests failed, the first {first!r}")
    return [(number, row) for number, row in rows if number not in failed]


def _only_model(form: Form, rows: Numbered) -> str:
    """Return the model of all rows, "" if there are several, which the column system names."""
    (path,) = form.fields["system"]
    models = {_cell("system", _value(row, path), path) for _, row in rows}
    return str(models.pop()) if len(models) == 1 else ""


def _load_eval(path: str | Path) -> Row:
    """Read ``.eval`` by inspect-ai where that is installed, else from the JSON inside."""
    try:
        if importlib.util.find_spec("inspect_ai"):
            log = importlib.import_module("inspect_ai.log").read_eval_log(str(path))
            return dict(log.model_dump(mode="json"))
        parts = dict(_members(path))
        samples = [part for name, part in parts.items() if name.startswith("samples/")]
        return {**parts["header.json"], "samples": samples}
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (zipfile.BadZipFile, KeyError, OSError, ValueError) as error:
        raise InputError(f"{path}: expected an inspect-ai log that ended: {error}") from None


def _members(path: str | Path) -> Iterator[tuple[str, Any]]:
    """Yield the header and samples of ``.eval``, a ZIP file that may be compressed by zstd."""
    import pyarrow as pa

    with zipfile.ZipFile(path) as file, open(path, "rb") as raw:
        for info in file.infolist():
            if not info.filename.startswith("samples/") and info.filename != "header.json":
                continue
            if info.compress_type != 93:  # zstd, which zipfile has from Python 3.14
                text = file.read(info)
            else:
                raw.seek(info.header_offset + 26)
                lengths = [int.from_bytes(raw.read(2), "little") for _ in range(2)]
                raw.seek(sum(lengths), os.SEEK_CUR)  # the name and an extra field
                buffer = pa.BufferReader(raw.read(info.compress_size))
                text = pa.input_stream(buffer, compression="zstd").read()
            part = parse_json(text.decode())
            if info.filename != "header.json":
                part = {
                    key: part.get(key) for key in (*INSPECT.marks, "target", "metadata", "error")
                }
            yield info.filename, part


def _read_inspect(path: str | Path, log: Row) -> Table:
    """Return the first epoch of a log as a table; other epochs are columns, as ``epoch 2``."""
    where, samples = str(path), log["samples"]
    if not isinstance(samples, list) or not samples:
        raise InputError(f"{where}: expected samples, got none; its status is {log.get('status')}")
    by_epoch: dict[str, dict[str, dict[str, Any]]] = {}
    for i, sample in enumerate(samples, 1):
        if not isinstance(sample, dict) or not INSPECT.marks <= {*sample}:
            fields = listed(sorted(INSPECT.marks))
            raise InputError(
                f"{where}, sample {i}: expected the fields {fields}, got {shown(sample)}"
            )
        error = _value(sample, ".error.message")
        known = by_epoch.setdefault(str(sample["epoch"]), {})
        if str(sample["id"]) in known:
            raise InputError(f"{where}, sample {i}: an earlier one has its id {sample['id']!r}")
        if error:
            raise InputError(
                f"{where}, sample {i} ({sample['id']!r}) has no output, since it failed: {error}; "
                "`inspect eval-retry` runs it again"
            )
        known[str(sample["id"])] = {**sample}
    first, *others = [by_epoch[epoch] for epoch in sorted(by_epoch, key=natural_key)]
    ids = _value(log, ".eval.dataset.sample_ids") or []
    order = [*map(str, ids), *sorted(first, key=natural_key)]
    rows = [first[name] for name in dict.fromkeys(order) if name in first]
    for number, epoch in enumerate(others, 2):
        for row in rows:
            row[f"epoch {number}"] = _value(epoch.get(str(row["id"])), ".output.completion")
    if log.get("status") not in ("success", None):
        note(f"{where}: its status is {log['status']}; it has {len(rows):,} samples")
    if others:
        note(f"{where}: outputs of epoch 1 of {len(by_epoch)}; -P 'epoch 2' has the next ones")
    model = str(_value(log, ".eval.model") or Path(path).stem)
    return log_table(where, INSPECT, [*enumerate(rows, 1)], "sample", model)
