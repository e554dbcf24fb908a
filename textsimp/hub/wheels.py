"""The wheel of this version, which Spaces bring along where it isn't on PyPI."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from textsimp.support.errors import InputError
from textsimp.support.version import __version__

NAME = f"textsimp-{__version__}-py3-none-any.whl"
PINNED = re.compile(rf"textsimp(\[[\w,]+\])?=={re.escape(__version__)}")
"""A line of a Space's requirements that pins this version, with its extras."""

_PYPI = f"https://pypi.org/pypi/textsimp/{__version__}/json"
_SECONDS = 20  # to wait for PyPI
_SOURCE = Path(__file__).parents[2]  # of a clone
_BUILT_OF = ("setup.cfg", "pyproject.toml", "README.md", "LICENSE")
_BUILT_OF_FOLDERS = ("textsimp", "examples", "metrics", "spaces")


def asked(dry_run: bool, say: Callable[[str], object]) -> bool:
    """Whether Spaces need a wheel, as PyPI has it, which is said.

    Raises:
        InputError: PyPI doesn't answer; in a dry run a wheel is taken to be needed then.
    """
    try:
        there = published()
    except OSError as error:
        reason = str(getattr(error, "reason", error)) or type(error).__name__
        if not dry_run:
            raise InputError(
                f"can't ask PyPI whether it has textsimp {__version__} ({reason}): say --wheel or "
                "--no-wheel"
            ) from None
        say(f"can't ask PyPI whether it has textsimp {__version__} ({reason}): as if it hadn't")
        return True
    if not there:
        say(f"textsimp {__version__} is not on PyPI: each Space brings its wheel")
    return not there


def published() -> bool:
    """Whether PyPI has this version.

    Raises:
        OSError: It can't be asked.
    """
    try:
        with urllib.request.urlopen(_PYPI, timeout=_SECONDS) as reply:
            return bool(json.load(reply)["info"]["version"] == __version__)
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return False
        raise
    except (ValueError, KeyError, TypeError):
        raise OSError("it says what is no JSON of a release") from None


def check_source() -> None:
    """Check that a wheel can be built.

    Raises:
        InputError: The package is installed without what it is built of; the message says what to
            do.
    """
    if not all((_SOURCE / name).exists() for name in (*_BUILT_OF, *_BUILT_OF_FOLDERS)):
        raise InputError(
            "textsimp is installed without its source: run textsimp push of a clone (pip install "
            "-e .), or give the wheel that you installed: --wheel-file PATH"
        )


def checked(path: str | Path) -> Path:
    """A wheel that was given.

    Raises:
        InputError: It isn't the wheel of this version.
    """
    path = Path(path)
    if not re.fullmatch(rf"textsimp-{re.escape(__version__)}-[\w.]+-none-any\.whl", path.name):
        raise InputError(f"{path}: expected {NAME}, the wheel of this version")
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (OSError, zipfile.BadZipFile) as error:
        raise InputError(f"{path}: expected a wheel, got {error}") from None
    if "textsimp/__init__.py" not in names:
        raise InputError(
            f"{path}: expected a wheel of textsimp, and it has no textsimp/__init__.py"
        )
    return path


def build(scratch: Path, spaces: Mapping[str, Collection[str]]) -> Path:
    """Build the wheel, of a copy: of a clone only what belongs to it, and no older build's rest.

    Args:
        scratch: A folder for it.
        spaces: The names of all Spaces, and the files that belong to them.

    Raises:
        InputError: It failed; the message has what was said last.
    """
    check_source()
    copy = scratch / "source"

    roots = [_SOURCE / "metrics", _SOURCE / "spaces"]

    def left_out(folder: str, names: list[str]) -> Collection[str]:
        place = Path(folder)
        if place.parent in roots:
            return {*names} - {*spaces[place.name]}
        others = {name for name in names if (place / name).is_dir()} - spaces.keys()
        return others if place in roots else {"__pycache__"}

    for name in _BUILT_OF_FOLDERS:
        shutil.copytree(_SOURCE / name, copy / name, ignore=left_out)
    for name in _BUILT_OF:
        shutil.copy(_SOURCE / name, copy)
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", str(scratch)]
    done = subprocess.run([*command, str(copy)], capture_output=True, text=True, check=False)
    if done.returncode or not (scratch / NAME).is_file():
        said = (done.stderr or done.stdout).strip().split("\n")[-1]
        raise InputError(f"pip can't build {NAME} ({said}): give one: --wheel-file PATH")
    return checked(scratch / NAME)


def staged(
    scratch: Path, folder: Path, files: Collection[str], wheel: Path, name: str, api: Any
) -> Path:
    """A copy of a Space's folder with the wheel, which its requirements name.

    By its address: the Hub has nothing but the requirements when it installs them. The checksum
    has it install another wheel of the same version, too.
    """
    copy = scratch / folder.name
    copy.mkdir()
    for file in files:
        shutil.copy(folder / file, copy)
    shutil.copy(wheel, copy)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    address = f"{api.endpoint}/spaces/{name}/resolve/main/{wheel.name}#sha256={digest}"
    lines = (folder / "requirements.txt").read_text(encoding="utf-8").splitlines()
    required = [PINNED.sub(rf"textsimp\1 @ {address}", line) for line in lines]
    (copy / "requirements.txt").write_text("\n".join([*required, ""]), encoding="utf-8")
    return copy
