"""Datasets, from the Hugging Face Hub, its cache or folders, and their columns, checked."""

import functools
import logging
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from textsimp.core.columns import references, texts
from textsimp.corpora.tables import Table, check_utf8
from textsimp.support.errors import InputError, NoColumn
from textsimp.support.progress import note


def load_dataset(
    name: str, config: str | None = None, split: str | None = None, *, cached_first: bool = False
) -> Table:
    """Load a split of a dataset on the Hub or in a folder, by default test; or a saved ``Dataset``.

    With ``cached_first``, a version in the cache is used without asking the Hub for a newer one.
    """
    wanted = split or "test"
    if is_saved_whole(name) and split is not None:
        raise InputError(f"{name} is a saved Dataset, which has no splits: leave out the split")
    where = f"{name}, split {wanted}"
    if not is_saved(name):
        return _table(_load(name, config, wanted, cached_first), where)
    loaded = _load_saved(name, config)
    if not isinstance(loaded, dict):
        return _table(loaded, name)
    if wanted not in loaded:
        there = ", ".join(map(repr, loaded))
        raise InputError(f"dataset {name}: no split {wanted!r}, only {there}. Pass --split.")
    return _table(loaded[wanted], where)


def load_splits(name: str, config: str | None = None) -> Any:
    """Load all splits of a dataset: a ``DatasetDict``, or a ``Dataset`` that was saved alone."""
    return _load_saved(name, config) if is_saved(name) else _load(name, config, None, False)


def is_saved_whole(folder: str | Path) -> bool:
    """Return whether ``Dataset.save_to_disk`` wrote a folder, rather than ``DatasetDict``'s."""
    return (Path(folder) / "state.json").is_file()


def is_saved(name: str) -> bool:
    return is_saved_whole(name) or (Path(name) / "dataset_dict.json").is_file()


def _load_saved(name: str, config: str | None) -> Any:
    import datasets

    if config is not None:
        raise InputError(f"{name} is a saved dataset, which has no configurations: leave it out")
    quiet_datasets()
    return _checked(name, lambda: datasets.load_from_disk(name))


def _load(name: str, config: str | None, split: str | None, cached_first: bool) -> Any:
    import datasets

    load = functools.partial(datasets.load_dataset, name, config, split=split)
    quiet_datasets()
    if cached_first and not Path(name).is_dir():
        loaded = _offline(load)
        if loaded is not None:
            return loaded
        note(f"Loading {name} from the Hugging Face Hub …")
    return _checked(name, load)


def _checked(name: str, load: Callable[[], Any]) -> Any:
    try:
        return load()
    except Exception as error:  # of any kind: network, files, names, formats
        cause = error.__cause__ if type(error).__name__ == "DatasetGenerationError" else None
        text = str(cause or error).removeprefix("An error occurred while generating the dataset")
        lines = text.strip().split("\n")
        reason = f"{lines[0]} … {lines[-1]}" if cause and len(lines) > 1 else lines[0]
        advice = " Pass --split." if reason.startswith("Unknown split") else ""
        raise InputError(f"dataset {name}: {reason or type(error).__name__}{advice}") from error


def _table(dataset: Any, where: str) -> Table:
    def read(name: str) -> list[Any]:
        column = dataset.select_columns([name]).with_format("arrow")[:]
        check_utf8(column, where)
        return list(column[name].to_pylist())

    return Table(where, list(dataset.column_names), read)


def quiet_datasets() -> None:
    """Let ``datasets`` log errors only, and show progress on a terminal only."""
    import datasets

    for logger in ("datasets", "huggingface_hub"):
        logging.getLogger(logger).setLevel(logging.ERROR)
    if not sys.stderr.isatty():
        datasets.disable_progress_bars()


def _offline(load: Callable[[], Any]) -> Any:
    """Load from the cache, or return None."""
    from datasets import config

    before = config.HF_HUB_OFFLINE
    config.HF_HUB_OFFLINE = True
    try:
        return load()
    except Exception:  # of any kind: not in the cache
        return None
    finally:
        config.HF_HUB_OFFLINE = before


# Columns ------------------------------------------------------------------------------------------


def is_a(data: Any, *kinds: str) -> bool:
    """Return whether data is an Arrow ``Table``, or ``Dataset``.

    Importing `datasets` takes a second. Without it nothing is a dataset.
    """
    modules = [sys.modules.get("pyarrow" if kind == "Table" else "datasets") for kind in kinds]
    types = [getattr(module, kind) for module, kind in zip(modules, kinds, strict=True) if module]
    return isinstance(data, tuple(types))


def refuse_stream(data: Any, where: str = "") -> None:
    """Refuse a dataset that is read once, row by row, and say what works with it."""
    if is_a(data, "IterableDataset", "IterableDatasetDict"):
        raise InputError(
            f"{where}expected a Dataset or DatasetDict, got {type(data).__name__}, a stream: load "
            "it with streaming=False; or drop pairs by stream.map(edit_columns, batched=True), "
            "then filter(lambda row: row['change_percentage'] < 60)"
        )


def as_table(data: Any) -> Any:
    """Return a ``Dataset`` as an Arrow table with its features; a table as it is."""
    if is_a(data, "Table"):
        return data
    return data.with_format("arrow")[:].cast(data.features.arrow_schema)


def check_types(types: Mapping[str, Mapping[str, Any]]) -> None:
    """Check that tables have the same columns: name of a table → column → type."""
    (first, expected), *others = types.items()
    for name, types_there in others:
        for column in {**expected, **types_there}:
            if expected.get(column) != types_there.get(column):
                raise InputError(
                    f"column {column!r} is {expected.get(column, 'missing')} in {first} and "
                    f"{types_there.get(column, 'missing')} in {name}: expected the same columns"
                )


def check_column(table: Any, column: str, where: str) -> None:
    if not isinstance(column, str) or column not in table.column_names:
        raise NoColumn(where, column, table.column_names)


def check_texts(table: Any, column: str, where: str, *, lists: bool = False) -> None:
    """Check a column of texts, or with ``lists`` also of lists."""
    import pyarrow as pa
    import pyarrow.compute as pc

    check_column(table, column, where)
    kind = table.schema.field(column).type
    inner = getattr(kind, "value_type", None) if lists else None
    if not any(pa.types.is_string(t) or pa.types.is_large_string(t) for t in (kind, inner) if t):
        expected = "strings or lists of strings" if lists else "strings"
        raise InputError(f"column {column!r} of {where}: expected {expected}, got {kind}")
    check = references if inner is not None else texts
    if inner is None and not table[column].null_count:
        may_be_lists = pc.match_substring_regex(table[column], r"^[\s\p{Z}]*[\[(]")
        if not pc.any(may_be_lists).as_py():
            return
    check(table[column].to_pylist(), f"column {column!r} of {where}")
