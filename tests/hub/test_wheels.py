"""Spaces where this version isn't on PyPI: they bring its wheel and require it."""

from __future__ import annotations

import importlib.util
import io
import json
import re
import shutil
import subprocess
import sys
import urllib.error
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from huggingface_hub.utils import filter_repo_objects

from tests.hub.test_push import FakeApi
from textsimp import InputError
from textsimp.cli import main
from textsimp.hub import wheels
from textsimp.hub.push import push, space_folders
from textsimp.hub.wheels import NAME
from textsimp.support.version import __version__

pytest.importorskip("pip", reason="needs pip")


class FakeHub(FakeApi):
    """Keeps what is uploaded under the paths of the Hub's addresses."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.endpoint = folder.as_uri()

    def upload_folder(self, *, repo_id: str, **options: Any) -> None:
        super().upload_folder(repo_id=repo_id, **options)
        space = self.folder / "spaces" / repo_id / "resolve" / "main"
        space.mkdir(parents=True)
        source = Path(options["folder_path"])
        names = [path.name for path in source.iterdir() if path.is_file()]
        for name in filter_repo_objects(names, allow_patterns=options["allow_patterns"]):
            shutil.copy(source / name, space)

    def space(self, name: str) -> Path:
        return self.folder / "spaces" / name / "resolve" / "main"


def pypi(monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    """Have PyPI answer: a version, a status, or an error."""

    def urlopen(address: str, timeout: float) -> Any:
        assert address == f"https://pypi.org/pypi/textsimp/{__version__}/json"
        if isinstance(answer, int):
            raise urllib.error.HTTPError(address, answer, "no", None, None)  # type: ignore[arg-type]
        if isinstance(answer, Exception):
            raise answer
        return io.BytesIO(answer)

    monkeypatch.setattr(wheels.urllib.request, "urlopen", urlopen)


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    path = tmp_path / NAME
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("textsimp/__init__.py", "")
    return path


def pushed(**options: Any) -> list[str]:
    said: list[str] = []
    push("ada", say=said.append, **options)
    return said


def test_a_space_installs_the_wheel_that_it_brings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if importlib.util.find_spec("setuptools") is None:
        pytest.skip("needs setuptools")
    monkeypatch.setenv("PIP_NO_BUILD_ISOLATION", "0")  # what builds it is here, and not fetched
    monkeypatch.setattr(wheels, "_SOURCE", cloned(tmp_path / "clone"))
    pypi(monkeypatch, 404)
    hub = FakeHub(tmp_path / "hub")
    said = pushed(api=hub)
    assert said[:2] == [
        f"textsimp {__version__} is not on PyPI: each Space brings its wheel",
        f"building {NAME}",
    ]
    name = "ada/sari"
    assert NAME in said[-1]
    with zipfile.ZipFile(hub.space(name) / NAME) as archive:
        assert not [file for file in archive.namelist() if "secret" in file]
        assert {"textsimp/_modules/__init__.py", "textsimp/demo/page.py"} <= {*archive.namelist()}

    requirements = hub.space(name) / "requirements.txt"
    assert re.match(r"textsimp\[demo\] @ file:/", requirements.read_text())
    target = tmp_path / "installed"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*command, "--target", target, "-r", requirements], check=True)
    code = "import textsimp.hub as h; print(h.__file__, h.names())"
    shown = subprocess.run(
        [sys.executable, "-c", code],
        cwd=target,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert shown.startswith(str(target))
    assert "'sari'" in shown


def cloned(folder: Path) -> Path:
    """A copy of the project, in which things lie about."""
    project = Path(wheels.__file__).parents[2]
    names = ("setup.cfg", "pyproject.toml", "README.md", "LICENSE")
    folders = ("textsimp", "examples", "metrics", "spaces")
    for name in folders:
        shutil.copytree(project / name, folder / name)
    for name in names:
        shutil.copy(project / name, folder)
    (folder / "metrics" / "mine").mkdir()
    for place in ("metrics/mine", "metrics/sari"):
        (folder / place / "secret.txt").touch()
    (folder / "build" / "lib" / "textsimp").mkdir(parents=True)
    (folder / "build" / "lib" / "textsimp" / "secret.py").touch()
    return folder


def test_a_version_on_pypi_is_taken_from_there(monkeypatch: pytest.MonkeyPatch) -> None:
    pypi(monkeypatch, json.dumps({"info": {"version": __version__}}).encode())
    api = FakeApi()
    assert not [line for line in pushed(api=api) if ".whl" in line]
    assert api.calls[1][2]["folder_path"] == space_folders()[0]
    assert not [line for line in pushed(dry_run=True) if ".whl" in line]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (urllib.error.URLError("Name or service not known"), "Name or service not known"),
        (TimeoutError("timed out"), "timed out"),
        (503, "no"),
        (b"<html>", "it says what is no JSON of a release"),
    ],
    ids=["offline", "slow", "status", "portal"],
)
def test_without_an_answer_of_pypi_one_says_which(
    answer: Any, reason: str, monkeypatch: pytest.MonkeyPatch, wheel: Path
) -> None:
    pypi(monkeypatch, answer)
    api = FakeApi()
    question = f"can't ask PyPI whether it has textsimp {__version__} ({reason}): "
    with pytest.raises(InputError, match=re.escape(f"{question}say --wheel or --no-wheel")):
        pushed(api=api)
    assert api.calls == []
    first, second, *_ = pushed(dry_run=True)
    assert first == f"{question}as if it hadn't"
    assert f", {NAME})" in second
    assert ".whl" not in pushed(dry_run=True, wheel=False)[0]
    assert NAME in pushed(dry_run=True, wheel=wheel)[0]


def test_an_installed_package_needs_a_wheel_that_was_built_before(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wheel: Path
) -> None:
    monkeypatch.setattr(wheels, "_SOURCE", tmp_path / "site-packages")
    api = FakeHub(tmp_path / "hub")
    for dry_run in (True, False):
        with pytest.raises(InputError, match=r"run textsimp push of a clone .*--wheel-file PATH"):
            pushed(api=api, wheel=True, dry_run=dry_run)
    assert api.calls == []
    pushed(api=api, wheel=str(wheel))
    required = {
        (api.space(f"ada/{space.name}") / "requirements.txt").read_text().split("#sha256=")[0]
        for space in space_folders()
    }
    assert f"textsimp[demo] @ {api.endpoint}/spaces/ada/annotate/resolve/main/{NAME}" in required
    assert len(required) == len(space_folders())
    assert all(options["delete_patterns"] == ["*.whl"] for w, _, options in api.calls if "up" in w)


def test_another_file_is_no_wheel(tmp_path: Path) -> None:
    other = tmp_path / "textsimp-0.0.1-py3-none-any.whl"
    broken = tmp_path / NAME
    broken.write_bytes(b"PK")
    for path, message in (
        (other, f"expected {NAME}, the wheel of this version"),
        (broken, "expected a wheel, got File is not a zip file"),
        (5, "wheel: expected True, False or a path, got 5"),
    ):
        with pytest.raises(InputError, match=re.escape(message)):
            pushed(wheel=path, dry_run=True)
    with zipfile.ZipFile(broken, "w"):
        pass
    with pytest.raises(InputError, match=r"it has no textsimp/__init__\.py"):
        pushed(wheel=broken, dry_run=True)


def test_the_command_takes_a_wheel_or_none(wheel: Path) -> None:
    def run(*arguments: str) -> Any:
        return CliRunner().invoke(main, ["push", "ada", "--dry-run", *arguments])

    assert f", {NAME}), tag" in run("--wheel-file", str(wheel)).output
    assert ".whl" not in run("--no-wheel").output
    both = run("--no-wheel", "--wheel-file", str(wheel))
    assert both.exit_code == 2
    assert "--wheel-file: expected none beside --no-wheel" in both.output
