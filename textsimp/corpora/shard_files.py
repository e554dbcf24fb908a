"""The files that a name of shards stands for: a pattern, a folder of tables, or a URL."""

from __future__ import annotations

import glob
import os
import re
from pathlib import Path

from textsimp.corpora.datasets import is_saved
from textsimp.corpora.logs import find_logs
from textsimp.corpora.tables import DELIMITED, FILES, JSONL, PARQUET
from textsimp.corpora.text_files import is_url, natural_key, text_name
from textsimp.support.errors import InputError

__all__ = ["is_sharded", "shards"]

ENDINGS = (*PARQUET, *JSONL, *DELIMITED)
_IS_SPLIT = re.compile(  # by which `datasets` knows the splits of a folder
    r"(^|[^a-z])(train|training|validation|valid|val|dev|test|testing|eval|evaluation)([^a-z]|$)"
)


def is_sharded(data: str | Path, config: str | None = None, split: str | None = None) -> bool:
    """Return whether a name stands for shards: a pattern, a URL, or a folder of tables alone.

    Folders of which ``datasets`` knows the splits, such as ``test.parquet``, are datasets, and so
    is what has a configuration or split.
    """
    name = str(data)
    if config or split or find_logs(name):
        return False
    if is_url(name) or is_pattern(name):
        return True
    if not os.path.isdir(name) or is_saved(name):
        return False
    names = [path.name.lower() for path in Path(name).iterdir() if path.name[0] not in "._"]
    tables = all(name.endswith(ENDINGS) for name in names)
    return bool(names) and tables and not any(map(_IS_SPLIT.search, names))


def is_pattern(data: str | Path) -> bool:
    """Return whether a name is a pattern, such as ``out.*``, and not that of a file."""
    name = str(data)
    return glob.has_magic(name) and not os.path.exists(name)


def shards(data: str | Path) -> list[str]:
    """Return the files of a pattern or folder, or a file alone, in the order of their numbers.

    Patterns and folders may be URLs that ``fsspec`` opens, such as ``s3://bucket/shards/*.parquet``
    or ``hf://datasets/name``. In patterns ``**`` stands for any folders. Files that begin with a
    dot or an underscore are left out.
    """
    name = str(data)
    if is_url(name):
        paths = _remote(name)
    elif os.path.isdir(name):
        paths = [str(path) for path in Path(name).iterdir() if path.is_file()]
    else:
        found = [name] if os.path.exists(name) else glob.glob(name, recursive=True)
        paths = [path for path in dict.fromkeys(found) if path == name or os.path.isfile(path)]
    kept = [path for path in paths if path == name or os.path.basename(path)[0] not in "._"]
    if not kept:
        raise InputError(f"{name}: no file has such a name")
    endings = {Path(path).suffix.lower() for path in kept}
    if len(endings) > 1 and endings & {*FILES}:  # such as a text file beside its pieces
        raise InputError(
            f"{name}: expected shards of one kind, got {', '.join(sorted(endings))}; name those "
            "meant, as in 'shards/*.parquet'"
        )
    return sorted(kept, key=natural_key)


def only_file(data: str | Path) -> str:
    """Return the file of a name for shards if it is one alone, which can be read whole."""
    files = shards(data)
    if len(files) > 1:
        raise InputError(
            f"{data} is {len(files):,} files, and all texts are needed at once: put their rows "
            "into one file"
        )
    return files[0]


def _remote(url: str) -> list[str]:
    """Return the files of a URL: a file, a folder or a pattern."""
    try:
        import fsspec  # type: ignore[import-untyped, unused-ignore]

        system, path = fsspec.url_to_fs(url)
        if not glob.has_magic(path) and system.isdir(path):
            path = f"{path.rstrip('/')}/*"
        found = system.glob(path, detail=True)
        files = [name for name, about in found.items() if about["type"] != "directory"]
        return [system.unstrip_protocol(name) for name in files]
    except Exception as error:  # of any kind: a missing library, the network, permissions
        raise InputError(f"{url} can't be read: {error}") from None


def default_name(data: str) -> str:
    """Return the name of a system in shards: that of their folder; or of a file alone.

    >>> default_name("ours/x*"), default_name("out.*"), default_name("out.txt")
    ('ours', 'out', 'out')
    """
    if not is_pattern(data) and not os.path.isdir(data):
        return text_name(data)
    beginning = re.split(r"[*?[]", Path(data).name)[0]
    if is_pattern(data) and beginning.endswith("."):  # as in 'ours.txt.*'
        return text_name(beginning.rstrip("."))
    folder = Path(data).parent if glob.has_magic(data) else Path(data)
    while glob.has_magic(folder.name):
        folder = folder.parent
    return folder.name or text_name(beginning) or "predictions"
