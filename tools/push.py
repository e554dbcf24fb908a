"""Upload every module and page to the Hugging Face Hub, each as a Space of its own.

    hf auth login
    python tools/push.py NAMESPACE --dry-run --only sari
    python tools/push.py NAMESPACE --dry-run
    python tools/push.py NAMESPACE

All Spaces are checked before the first is uploaded. A Space gets its README.md, app.py,
requirements.txt and script, and nothing else that lies in its folder. Files of the same names are
replaced. Each upload gets a tag with the version. A tag that exists stays where it is.

Each Space brings the wheel of this clone, which its requirements name with its checksum. With
``--from-pypi`` it installs the version that is on PyPI. In its card ``pip install .`` becomes what
installs textsimp for the reader, and ``<namespace>`` becomes NAMESPACE.

``--dry-run`` does everything but the upload. It writes each Space to ``build/spaces``, installs the
requirements in an empty environment, starts the page, and asks it for a score.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import click

from textsimp import hub
from textsimp.metrics.catalogue import metric_class
from textsimp.support import addresses
from textsimp.support.errors import InputError, check_choice
from textsimp.support.version import __version__

PROJECT = Path(__file__).parents[1]
# evaluate looks for the tag of its own version, such as v0.4.6, before it takes the newest upload.
# A tag of that form would hold users at one upload for ever.
TAG = f"textsimp-v{__version__}"
WHEEL = f"textsimp-{__version__}-py3-none-any.whl"
PINNED = re.compile(rf"textsimp(\[[\w,]+\])?=={re.escape(__version__)}")
INSTALL = re.compile(r"pip install '?\.(\[[\w,]+\])?'?(  +#.*)?$", re.MULTILINE)  # in a card
FILE = re.compile(r"`((?:docs|tools|tests|benchmarks|examples)/[\w./-]+)`")  # a Space lacks these
RENDERED = PROJECT / "build" / "spaces"
LARGEST = 600  # MB beside Gradio; the extra demo adds 481, wordfreq 70
RESERVE = (
    "Reserve the name textsimp on PyPI before you upload: evaluate tells users who lack it to run "
    "`pip install textsimp`."
)
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


def fill(card: str, name: str, place: str) -> str:
    """Fill in how readers of a Space get textsimp, the namespace, and links to files."""
    namespace, _, _ = name.partition("/")
    card = INSTALL.sub(lambda match: f"pip install 'textsimp{match[1] or ''}{place}'", card)
    card = card.replace("<namespace>", namespace)
    if not addresses.CODE:
        return card
    return FILE.sub(lambda match: f"[{match[1]}]({addresses.page(match[1])})", card)


def address(endpoint: str, name: str) -> str:
    """Return where a Space's wheel is."""
    return f" @ {endpoint}/spaces/{name}/resolve/main/{WHEEL}"


def build_wheel(scratch: Path, namespace: str, endpoint: str) -> Path:
    """Build the wheel from a copy of the files that git tracks, as they are now.

    The pages show its cards, which are filled in for the Space of each.
    """
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    source = scratch / "source"
    for file in filter(None, listing.stdout.split("\0")):
        if (PROJECT / file).is_file():
            copy = source / file
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT / file, copy)
    for card in source.glob("metrics/*/README.md"):
        name = f"{namespace}/{card.parent.name}"
        text = fill(card.read_text(encoding="utf-8"), name, address(endpoint, name))
        card.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    subprocess.run([*command, "--wheel-dir", scratch, source], check=True)
    return scratch / WHEEL


def render(name: str, folder: Path, copy: Path, wheel: Path | None, endpoint: str) -> Path:
    """Write what a Space gets into the folder ``copy``."""
    copy.mkdir(parents=True)
    for file in space_files(folder):
        shutil.copy(folder / file, copy)
    place = address(endpoint, name) if wheel else f"=={__version__}"
    card = (folder / "README.md").read_text(encoding="utf-8")
    (copy / "README.md").write_text(fill(card, name, place), encoding="utf-8")
    if wheel:
        shutil.copy(wheel, copy)
        # The Hub installs the requirements before it has the Space's other files, so the wheel is
        # named by its address. The checksum makes pip replace a wheel of the same version.
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        requirements = (folder / "requirements.txt").read_text(encoding="utf-8")
        requirements = PINNED.sub(rf"textsimp\1{place}#sha256={digest}", requirements)
        (copy / "requirements.txt").write_text(requirements, encoding="utf-8")
    return copy


def upload(api: Any, name: str, copy: Path) -> None:
    """Upload what was rendered for a Space, and tag it."""
    api.create_repo(name, repo_type="space", space_sdk="gradio", exist_ok=True)
    api.upload_folder(
        repo_id=name,
        repo_type="space",
        folder_path=copy,
        commit_message=f"textsimp {__version__}",
        delete_patterns=["*.whl"],  # those of other versions
    )
    api.create_tag(name, repo_type="space", tag=TAG, exist_ok=True)


def install(copy: Path, home: Path) -> Path:
    """Install a Space's requirements beside Gradio, as the Hub does; return the Python."""
    text = (copy / "requirements.txt").read_text(encoding="utf-8")
    local = re.sub(rf"@ \S+/{re.escape(WHEEL)}\S*", f"@ {(copy / WHEEL).as_uri()}", text)
    venv.create(home, with_pip=True)
    file, python = home / "requirements.txt", home / "bin" / "python"
    file.write_text(local, encoding="utf-8")
    sizes = []
    for what in ([f"gradio=={hub.read_card(copy)[0]['sdk_version']}"], ["-r", file]):
        subprocess.run([python, "-m", "pip", "install", "--quiet", *what], check=True)
        sizes.append(sum(f.stat().st_size for f in home.rglob("*") if f.is_file()) / 1e6)
    needs = ", ".join(line.partition(" @ ")[0] for line in text.splitlines())
    added = sizes[1] - sizes[0]
    print(f"  an empty environment with Gradio has {sizes[0]:.0f} MB; {needs} adds {added:.0f} MB")
    if added > LARGEST:
        raise InputError(f"{copy}: requirements: expected at most {LARGEST} MB")
    return python


@contextlib.contextmanager
def started(copy: Path, python: Path) -> Iterator[str]:
    """Start a Space's page; yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    page = f"http://127.0.0.1:{port}/"
    # As on the Hub: no clone on the path.
    settings = {"GRADIO_SERVER_PORT": str(port), "GRADIO_ANALYTICS_ENABLED": "False"}
    settings |= {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    process = subprocess.Popen(
        [python, "-I", "app.py"], cwd=copy, env=settings, stdout=subprocess.DEVNULL
    )
    try:
        for _ in range(240):
            with contextlib.suppress(OSError), urlopen(page):
                break
            if process.poll() is not None:
                break
            time.sleep(0.5)
        else:
            raise InputError(f"{copy}: expected a page within two minutes")
        if process.poll() is not None:
            raise InputError(f"{copy}: app.py ended with {process.returncode}")
        yield page
    finally:
        process.terminate()
        process.wait()


def ask(page: str, folder: Path) -> str:
    """Ask the page of a metric for one score; return a line on the answer."""
    from gradio_client import Client

    from textsimp.demo.metric_page import example_rows

    client = Client(page, verbose=False)
    if folder.name not in hub.names():
        api = client.view_api(print_info=False, return_format="dict")
        return f"endpoints {', '.join(api['named_endpoints'])}"
    metric = metric_class(folder.name)
    rows = example_rows(metric)
    columns = {
        column.name: [row[name] for row in rows]
        for column in metric.columns
        for name in column.usual_names
        if name in rows[0]
    }
    result = client.predict(**columns, api_name="/score")
    main = metric.scores[0].key
    return f"/score of {len(rows)} examples: {main} {result[main]:.2f}, {result['signature']}"


def rehearse(copies: dict[str, Path], folders: dict[str, Path], scratch: Path) -> None:
    """Install, start and ask each Space as the Hub would."""
    pythons: dict[str, Path] = {}
    for name, copy in copies.items():
        files = ", ".join(sorted(file.name for file in copy.iterdir()))
        print(f"would upload {name} ({files}), tag {TAG}")
        # Spaces that need the same share an environment.
        needs = (folders[name] / "requirements.txt").read_text(encoding="utf-8")
        if needs not in pythons:
            pythons[needs] = install(copy, scratch / f"environment-{len(pythons)}")
        with started(copy, pythons[needs]) as page:
            print(f"  {ask(page, folders[name])}", flush=True)


def space_names(namespace: str, only: str | None) -> dict[str, Path]:
    """Return name on the Hub → folder, of all Spaces or one."""
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils import validate_repo_id

    folders = {folder.name: folder for folder in hub.space_folders()}
    if only is not None:
        check_choice("--only", only, [*folders])
        folders = {only: folders[only]}
    names = {f"{namespace}/{name}": folder for name, folder in folders.items()}
    for name in names:
        try:
            validate_repo_id(name)
        except HFValidationError as error:
            raise InputError(f"namespace: {error}") from None
    return names


def check_login(api: Any, namespace: str) -> None:
    """Check that the user may upload to a namespace."""
    try:
        user = api.whoami()
    except Exception as error:  # of any kind: network, no login, an old one
        raise InputError(f"log in with `hf auth login` first: {error}") from error
    names = [user["name"], *(organisation["name"] for organisation in user.get("orgs", ()))]
    if namespace not in names:
        raise InputError(f"namespace: expected one of {', '.join(names)}, got {namespace!r}")


def push(
    namespace: str,
    *,
    only: str | None = None,
    dry_run: bool = False,
    from_pypi: bool = False,
    api: Any = None,
) -> list[str]:
    """Check and upload all Spaces, or one; return their names."""
    folders = space_names(namespace, only)
    problems = [problem for folder in folders.values() for problem in check(folder)]
    if problems:
        raise InputError(f"nothing was uploaded: {'; '.join(problems)}")
    if api is None:
        from huggingface_hub import HfApi

        api = HfApi()
    if not dry_run:
        check_login(api, namespace)
    if not from_pypi:
        print(f"Warning: {RESERVE}", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="textsimp-") as folder:
        scratch = Path(folder)
        wheel = None if from_pypi else build_wheel(scratch, namespace, api.endpoint)
        target = RENDERED if dry_run else scratch / "spaces"
        shutil.rmtree(target, ignore_errors=True)
        copies = {
            name: render(name, space, target / space.name, wheel, api.endpoint)
            for name, space in folders.items()
        }
        if dry_run:
            rehearse(copies, folders, scratch)
        else:
            for name, copy in copies.items():
                upload(api, name, copy)
                print(f"uploaded https://huggingface.co/spaces/{name}, tag {TAG}")
    return list(folders)


@click.command(help=__doc__.replace("\n    ", "\n\n\b\n    ", 1))
@click.argument("namespace")
@click.option("--only", metavar="NAME", help="Only this metric or page.")
@click.option("--dry-run", is_flag=True, help="Do everything but the upload.")
@click.option("--from-pypi", is_flag=True, help="Install textsimp from PyPI in the Spaces.")
def main(namespace: str, only: str | None, dry_run: bool, from_pypi: bool) -> None:
    """Run the command."""
    try:
        push(namespace, only=only, dry_run=dry_run, from_pypi=from_pypi)
    except InputError as error:
        raise click.ClickException(str(error)) from None


if __name__ == "__main__":
    main()
