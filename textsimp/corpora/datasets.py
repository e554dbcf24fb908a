"""Datasets as columns: from the Hugging Face Hub, from its cache, or from folders."""

import functools
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from textsimp.corpora.tables import Table, check_utf8
from textsimp.support.errors import InputError
from textsimp.support.progress import note


def load_dataset(
    name: str, config: str | None = None, split: str | None = None, *, cached_first: bool = False
) -> Table:
    """Load a split, by default test, of a dataset on the Hub or in a folder; a saved Dataset whole.

    With ``cached_first``, the Hub isn't asked for a newer version than that of the cache.
    """
    wanted = split or "test"
    if is_saved_whole(name) and split is not None:
        raise InputError(f"{name} is a saved Dataset, which has no splits: leave out the split")
    where = f"{name}, split {wanted}"
    if not _is_saved(name):
        return _table(_load(name, config, wanted, cached_first), where)
    loaded = _load_saved(name, config)
    if not isinstance(loaded, dict):
        return _table(loaded, name)
    if wanted not in loaded:
        raise InputError(
            f"dataset {name}: no split {wanted!r}, only {', '.join(map(repr, loaded))}"
        )
    return _table(loaded[wanted], where)


def load_splits(name: str, config: str | None = None) -> Any:
    """Load all splits of a dataset: a ``DatasetDict``, or a ``Dataset`` that was saved alone."""
    return _load_saved(name, config) if _is_saved(name) else _load(name, config, None, False)


def is_saved_whole(folder: str | Path) -> bool:
    """Return whether ``Dataset.save_to_disk`` wrote a folder, rather than ``DatasetDict``'s."""
    return (Path(folder) / "state.json").is_file()


def _is_saved(name: str) -> bool:
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
        reason = str(error).strip().split("\n")[0] or type(error).__name__
        raise InputError(f"dataset {name}: {reason}") from error


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
