"""Upload every module and page to the Hugging Face Hub, each as a Space of its own."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from textsimp import hub
from textsimp.hub import wheels
from textsimp.support.errors import InputError
from textsimp.support.version import __version__

# evaluate looks for the tag of its own version, such as v0.4.6, before it takes the newest upload:
# a tag of that form would hold users at one upload for ever.
TAG = f"textsimp-v{__version__}"

_UPLOADED = ("README.md", "app.py", "requirements.txt")  # and a module's script: nothing else
_COLOURS = ("red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray")
_FRONT_MATTER = re.compile(r"---\n(.*?)\n---\n", re.DOTALL)
_EXPECTED: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "title": ("a text", lambda v: isinstance(v, str) and v),
    "description": ("a text", lambda v: isinstance(v, str) and v),
    "emoji": ("an emoji", lambda v: isinstance(v, str) and v and not v.isascii()),
    "colorFrom": (f"one of {', '.join(_COLOURS)}", _COLOURS.__contains__),
    "colorTo": (f"one of {', '.join(_COLOURS)}", _COLOURS.__contains__),
    "sdk": ("gradio", lambda v: v == "gradio"),
    "sdk_version": ("a version such as 6.31.0", lambda v: re.fullmatch(r"\d+\.\d+\.\d+", str(v))),
    "python_version": ('a version such as "3.11", quoted', lambda v: isinstance(v, str)),
    "app_file": ("app.py", lambda v: v == "app.py"),
    "license": ("apache-2.0", lambda v: v == "apache-2.0"),
    "tags": ("a list of texts", lambda v: isinstance(v, list) and all(type(t) is str for t in v)),
}


def push(
    namespace: str,
    *,
    wheel: bool | str | Path | None = None,
    dry_run: bool = False,
    api: Any = None,
    say: Callable[[str], object] = print,
) -> list[str]:
    """Upload every module and page, and tag the uploads with the version.

    All of them are checked before the first is uploaded. Only what a Space needs is uploaded: its
    script, README.md, app.py and requirements.txt. Spaces that aren't there are made; in those that
    are, files of the same names are replaced. A tag that is there stays where it is.

    Args:
        namespace: A user or organisation of the Hub.
        wheel: Whether each Space brings the wheel of this version, and requires it, instead of
            the version on PyPI; a wheel's path for that one. Unless given: if it isn't on PyPI.
            Without a path it is built, which needs a clone.
        dry_run: Check everything and say what would be done, without login; but PyPI is asked.
        api: A ``huggingface_hub.HfApi``, unless that of the user who is logged in.
        say: Takes a line for each upload.

    Returns:
        The names of the Spaces, such as ``"textsimp/sari"``.

    Raises:
        InputError: A folder that can't be a Space, a namespace that isn't the user's, a bad option,
            no wheel, PyPI that doesn't answer (outside a dry run), or an upload that failed; the
            message says what was done before.
    """
    hub.check_namespace(namespace)
    if not isinstance(dry_run, bool):  # what is falsy by mistake must not upload
        raise InputError(f"dry_run: expected True or False, got {dry_run!r}")
    folders = {f"{namespace}/{folder.name}": folder for folder in space_folders()}
    problems = [problem for folder in folders.values() for problem in check(folder)]
    if problems:
        raise InputError(f"nothing was uploaded: {'; '.join(problems)}")
    if not (wheel is None or isinstance(wheel, bool | str | Path)):
        raise InputError(f"wheel: expected True, False or a path, got {wheel!r}")
    if wheel is None:
        wheel = wheels.asked(dry_run, say)
    if wheel is True:
        wheels.check_source()
    given = wheels.checked(wheel) if not isinstance(wheel, bool) else None
    if not dry_run:
        from huggingface_hub import HfApi

        api = api or HfApi()
        _check_login(api, namespace)
    done: list[str] = []
    with tempfile.TemporaryDirectory(prefix="textsimp-") as scratch:
        if wheel is True and not dry_run:
            say(f"building {wheels.NAME}")
            given = wheels.build(Path(scratch), {of.name: files_of(of) for of in folders.values()})
        brought = [given.name if given else wheels.NAME] if wheel else []
        for name, folder in folders.items():
            if not dry_run:
                try:
                    _upload(api, name, folder, given)
                except Exception as error:  # of any kind: network, permission, the Hub's checks
                    reason = str(error).strip().split("\n")[0] or type(error).__name__
                    before = ", ".join(done) or "nothing"
                    raise InputError(f"{name}: {reason} (uploaded before: {before})") from error
            done.append(name)
            verb = "would upload" if dry_run else "uploaded"
            files = ", ".join([*files_of(folder), *brought])
            say(f"{verb} https://huggingface.co/spaces/{name} ({files}), tag {TAG}")
            left_out = _others(folder)
            if left_out:
                say(f"  left out: {', '.join(left_out)}")
    return done


def space_folders() -> list[Path]:
    """The folders of all modules and pages."""
    pages = hub.shipped("spaces", "_spaces").glob("*/app.py")
    return [*map(hub.path, hub.names()), *sorted(page.parent for page in pages)]


def files_of(folder: Path) -> list[str]:
    """What a Space needs, and all that is uploaded: names of files in its folder."""
    script = [f"{folder.name}.py"] if folder.name in hub.names() else []
    return sorted([*_UPLOADED, *script])


def check(folder: Path) -> list[str]:
    """What keeps a folder from being a Space that works, a sentence each."""
    links = [folder / name for name in files_of(folder) if (folder / name).is_symlink()]
    if links:
        return [f"{link} is a symlink: expected the file itself" for link in links]
    try:
        front, _ = read_card(folder)
    except InputError as error:
        return [str(error)]
    card = folder / "README.md"
    problems = [
        f"{card}: {key}: expected {expected}, got {front.get(key)!r}"
        for key, (expected, holds) in _EXPECTED.items()
        if not holds(front.get(key))
    ]
    tags = front.get("tags")
    if folder.name in hub.names() and isinstance(tags, list):
        missing = [tag for tag in ("evaluate", "metric") if tag not in tags]
        problems += [f"{card}: tags: expected {tag!r} among them" for tag in missing]
    for name in files_of(folder):
        if not (folder / name).is_file():
            problems.append(f"{folder / name}: no such file")
    requirements = folder / "requirements.txt"
    lines = requirements.read_text(encoding="utf-8").split() if requirements.is_file() else []
    if requirements.is_file() and not any(wheels.PINNED.fullmatch(line) for line in lines):
        problems.append(f"{requirements}: expected textsimp=={__version__}, got {lines}")
    return problems


def read_card(folder: Path) -> tuple[dict[str, Any], str]:
    """A Space's front matter and the text below it.

    Raises:
        InputError: Its README.md is missing or doesn't begin with front matter.
    """
    import yaml  # type: ignore[import-untyped, unused-ignore]

    card = folder / "README.md"
    text = card.read_text(encoding="utf-8") if card.is_file() else ""
    found = _FRONT_MATTER.match(text)
    try:
        front = yaml.safe_load(found[1]) if found else None
    except yaml.YAMLError as error:
        raise InputError(f"{card}: bad YAML: {' '.join(str(error).split())}") from None
    if not found or not isinstance(front, dict):
        raise InputError(f"{card}: expected front matter between two lines of ---")
    return front, text[found.end() :].strip()


def _others(folder: Path) -> list[str]:
    """What else lies in a folder; of folders that symlinks point to, only the symlinks.

    What Python puts there when the package is installed is passed over.
    """
    found = []
    for root, folders, files in os.walk(folder):
        if Path(root).name == "__pycache__":
            continue
        links = [name for name in folders if Path(root, name).is_symlink()]
        found += [Path(root, name).relative_to(folder).as_posix() for name in (*links, *files)]
    return sorted({*found} - {*files_of(folder)})


def _check_login(api: Any, namespace: str) -> None:
    try:
        user = api.whoami()
    except Exception as error:  # of any kind: network, no login, an old one
        reason = str(error).strip().split("\n")[0] or type(error).__name__
        raise InputError(f"log in with `hf auth login` first: {reason}") from error
    names = [user["name"], *(organisation["name"] for organisation in user.get("orgs", ()))]
    if namespace not in names:
        raise InputError(f"namespace: expected one of {', '.join(names)}, got {namespace!r}")


def _upload(api: Any, name: str, folder: Path, wheel: Path | None) -> None:
    api.create_repo(name, repo_type="space", space_sdk="gradio", exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="textsimp-") as scratch:
        if wheel:
            folder = wheels.staged(Path(scratch), folder, files_of(folder), wheel, name, api)
        api.upload_folder(
            repo_id=name,
            repo_type="space",
            folder_path=folder,
            commit_message=f"textsimp {__version__}",
            allow_patterns=[*files_of(folder), *([wheel.name] if wheel else [])],
            delete_patterns=["*.whl"],  # those of other versions
        )
    api.create_tag(name, repo_type="space", tag=TAG, exist_ok=True)
