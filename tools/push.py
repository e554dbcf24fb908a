"""Upload every module and page to the Hugging Face Hub, each as a Space of its own.

    hf auth login
    python tools/push.py NAMESPACE --dry-run
    python tools/push.py NAMESPACE

All Spaces are checked before the first is uploaded. A Space gets its README.md, app.py,
requirements.txt and script, and nothing else that lies in its folder. Files of the same names are
replaced. Each upload gets a tag with the version. A tag that exists stays where it is.

Each Space brings the wheel of this clone, which its requirements name with its checksum. With
``--from-pypi`` it installs the version that is on PyPI.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from textsimp import hub
from textsimp.support.errors import InputError
from textsimp.support.version import __version__

PROJECT = Path(__file__).parents[1]
# evaluate looks for the tag of its own version, such as v0.4.6, before it takes the newest upload.
# A tag of that form would hold users at one upload for ever.
TAG = f"textsimp-v{__version__}"
WHEEL = f"textsimp-{__version__}-py3-none-any.whl"
PINNED = re.compile(rf"textsimp(\[[\w,]+\])?=={re.escape(__version__)}")
FILES = ("README.md", "app.py", "requirements.txt")  # of a module also its script
COLOURS = ("red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray")
FRONT_MATTER: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "title": ("a text", lambda v: isinstance(v, str) and v),
    "description": ("a text", lambda v: isinstance(v, str) and v),
    "emoji": ("an emoji", lambda v: isinstance(v, str) and v and not v.isascii()),
    "colorFrom": (f"one of {', '.join(COLOURS)}", COLOURS.__contains__),
    "colorTo": (f"one of {', '.join(COLOURS)}", COLOURS.__contains__),
    "sdk": ("gradio", lambda v: v == "gradio"),
    "sdk_version": ("a version such as 6.31.0", lambda v: re.fullmatch(r"\d+\.\d+\.\d+", str(v))),
    "python_version": ('a version such as "3.11", quoted', lambda v: isinstance(v, str)),
    "app_file": ("app.py", lambda v: v == "app.py"),
    "license": ("apache-2.0", lambda v: v == "apache-2.0"),
    "tags": ("a list of texts", lambda v: isinstance(v, list) and all(type(t) is str for t in v)),
}


def space_files(folder: Path) -> list[str]:
    """The names of the files that a Space needs."""
    return sorted([*FILES, *([f"{folder.name}.py"] if folder.name in hub.names() else [])])


def check(folder: Path) -> list[str]:
    """What keeps a folder from being a Space that works, a sentence each."""
    problems = [
        f"{folder / name}: expected a file"
        for name in space_files(folder)
        if not (folder / name).is_file() or (folder / name).is_symlink()
    ]
    if problems:
        return problems
    card, requirements = folder / "README.md", folder / "requirements.txt"
    try:
        front, _ = hub.read_card(folder)
    except InputError as error:
        return [str(error)]
    problems = [
        f"{card}: {key}: expected {expected}, got {front.get(key)!r}"
        for key, (expected, holds) in FRONT_MATTER.items()
        if not holds(front.get(key))
    ]
    for tag in ("evaluate", "metric"):
        if folder.name in hub.names() and tag not in (front.get("tags") or ()):
            problems.append(f"{card}: tags: expected {tag!r} among them")
    lines = requirements.read_text(encoding="utf-8").split()
    if not any(PINNED.fullmatch(line) for line in lines):
        problems.append(f"{requirements}: expected textsimp=={__version__}, got {lines}")
    return problems


def build_wheel(scratch: Path) -> Path:
    """Build the wheel from a copy of the files that git tracks, as they are now."""
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listing.stdout.split("\0")):
        if (PROJECT / name).is_file():
            copy = scratch / "source" / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT / name, copy)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    subprocess.run([*command, "--wheel-dir", scratch, scratch / "source"], check=True)
    return scratch / WHEEL


def upload(api: Any, name: str, folder: Path, wheel: Path | None) -> None:
    """Upload one Space, and tag it."""
    api.create_repo(name, repo_type="space", space_sdk="gradio", exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="textsimp-") as scratch:
        copy = Path(scratch, folder.name)
        copy.mkdir()
        for file in space_files(folder):
            shutil.copy(folder / file, copy)
        if wheel:
            shutil.copy(wheel, copy)
            # The Hub installs the requirements before it has the Space's other files, so the wheel
            # is named by its address. The checksum makes pip replace a wheel of the same version.
            digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
            address = f"{api.endpoint}/spaces/{name}/resolve/main/{WHEEL}#sha256={digest}"
            requirements = copy / "requirements.txt"
            text = requirements.read_text(encoding="utf-8")
            requirements.write_text(PINNED.sub(rf"textsimp\1 @ {address}", text), encoding="utf-8")
        api.upload_folder(
            repo_id=name,
            repo_type="space",
            folder_path=copy,
            commit_message=f"textsimp {__version__}",
            delete_patterns=["*.whl"],  # those of other versions
        )
    api.create_tag(name, repo_type="space", tag=TAG, exist_ok=True)


def push(
    namespace: str, *, dry_run: bool = False, from_pypi: bool = False, api: Any = None
) -> list[str]:
    """Check and upload all Spaces; return their names."""
    folders = {f"{namespace}/{folder.name}": folder for folder in hub.space_folders()}
    problems = [problem for folder in folders.values() for problem in check(folder)]
    if problems:
        raise InputError(f"nothing was uploaded: {'; '.join(problems)}")
    if dry_run:
        for name, folder in folders.items():
            print(f"would upload {name} ({', '.join(space_files(folder))}), tag {TAG}")
        return list(folders)
    if api is None:
        from huggingface_hub import HfApi

        api = HfApi()
    try:
        user = api.whoami()
    except Exception as error:  # of any kind: network, no login, an old one
        raise InputError(f"log in with `hf auth login` first: {error}") from error
    names = [user["name"], *(organisation["name"] for organisation in user.get("orgs", ()))]
    if namespace not in names:
        raise InputError(f"namespace: expected one of {', '.join(names)}, got {namespace!r}")
    with tempfile.TemporaryDirectory(prefix="textsimp-") as scratch:
        wheel = None if from_pypi else build_wheel(Path(scratch))
        for name, folder in folders.items():
            upload(api, name, folder, wheel)
            print(f"uploaded https://huggingface.co/spaces/{name}, tag {TAG}")
    return list(folders)


@click.command(help=__doc__.replace("\n    ", "\n\n\b\n    ", 1))
@click.argument("namespace")
@click.option("--dry-run", is_flag=True, help="Check everything, and upload nothing.")
@click.option("--from-pypi", is_flag=True, help="Install textsimp from PyPI in the Spaces.")
def main(namespace: str, dry_run: bool, from_pypi: bool) -> None:
    """Run the command."""
    try:
        push(namespace, dry_run=dry_run, from_pypi=from_pypi)
    except InputError as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
