"""tools/push.py checks all Spaces before it uploads the first."""

import os
import re
import runpy
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

import textsimp
from tests.project import PROJECT
from textsimp import InputError, hub

SCRIPT = PROJECT / "tools" / "push.py"
TOOL = SimpleNamespace(**runpy.run_path(str(SCRIPT)))
NAMES = [folder.name for folder in hub.space_folders()]
WHOLE = os.environ.get("TEXTSIMP_PROPERTIES") == "many"


class FakeApi:
    """Keep what a ``huggingface_hub.HfApi`` would be asked to do."""

    endpoint = "https://hub.example"

    def __init__(self):
        self.calls = []
        self.uploads = {}
        self.tags = set()

    def whoami(self):
        return {"name": "ada", "orgs": [{"name": "textsimp"}]}

    def create_repo(self, repo_id, **options):
        assert options == {"repo_type": "space", "space_sdk": "gradio", "exist_ok": True}
        self.calls.append(("create_repo", repo_id))

    def upload_folder(self, *, repo_id, folder_path, **options):
        assert options["delete_patterns"] == ["*.whl"]
        self.calls.append(("upload_folder", repo_id))
        self.uploads[repo_id] = {path.name: path.read_bytes() for path in folder_path.iterdir()}

    def create_tag(self, repo_id, tag, **options):
        self.calls.append(("create_tag", repo_id))
        self.tags.add(tag)


@pytest.fixture
def module(tmp_path):
    """A copy of a module's folder."""
    return Path(shutil.copytree(hub.path("sari"), tmp_path / "sari"))


def change(folder, old, new):
    card = folder / "README.md"
    text = card.read_text(encoding="utf-8")
    assert re.search(old, text)
    card.write_text(re.sub(old, new, text, count=1), encoding="utf-8")


@pytest.mark.parametrize("folder", hub.space_folders(), ids=NAMES)
def test_every_module_and_page_can_be_a_space(folder):
    assert TOOL.check(folder) == []


def test_each_is_made_uploaded_and_tagged():
    api = FakeApi()
    names = TOOL.push("textsimp", from_pypi=True, api=api)
    assert names == [f"textsimp/{name}" for name in [*hub.names(), "compare", "rate", "splits"]]
    steps = ("create_repo", "upload_folder", "create_tag")
    assert api.calls == [(step, name) for name in names for step in steps]
    files = {"README.md", "app.py", "requirements.txt"}
    assert api.uploads["textsimp/sari"].keys() == files | {"sari.py"}
    assert api.uploads["textsimp/compare"].keys() == files
    assert api.tags == {f"textsimp-v{textsimp.__version__}"}  # no form that evaluate asks for


@pytest.mark.slow
def test_a_space_brings_a_wheel_that_works(tmp_path):
    if shutil.which("git") is None or not (PROJECT / ".git").exists():
        pytest.skip("needs a clone")
    api = FakeApi()
    TOOL.push("ada", api=api)
    space = api.uploads["ada/sari"]
    assert f" @ {api.endpoint}/spaces/ada/sari/resolve/main/{TOOL.WHEEL}#sha256=" in (
        space["requirements.txt"].decode()
    )
    wheel = tmp_path / TOOL.WHEEL
    wheel.write_bytes(space[TOOL.WHEEL])
    names = {path.relative_to(PROJECT).as_posix() for path in (PROJECT / "textsimp").rglob("*.py")}
    for name in hub.names():
        modules_files = (f"{name}.py", "README.md", "app.py", "requirements.txt")
        names |= {f"textsimp/_modules/{name}/{file}" for file in modules_files}
    assert names <= {*zipfile.ZipFile(wheel).namelist()}
    target = tmp_path / "installed"  # as pip does without dependencies
    zipfile.ZipFile(wheel).extractall(target)
    code = """
import textsimp
score = textsimp.load("sari").compute(sources=["It"], predictions=["It"], references=["It"])
print(textsimp.__file__, score["signature"])
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=target, check=True, capture_output=True, text=True
    )
    assert done.stdout.startswith(str(target))
    assert " sari|variant:easse|" in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(not WHOLE, reason="three minutes: in `make test-all`")
def test_a_dry_run_writes_installs_starts_and_asks(capsys):
    assert TOOL.push("ada", only="f1_token", dry_run=True) == ["ada/f1_token"]
    printed = capsys.readouterr()
    assert "on PyPI before you upload" in printed.err
    assert "would upload ada/f1_token (README.md, app.py, f1_token.py, requirements" in printed.out
    assert re.search(r"textsimp\[demo\] adds \d+ MB", printed.out)
    assert ": f1_token 74.77, f1_token|variant:bags|" in printed.out
    card = (TOOL.RENDERED / "f1_token" / "README.md").read_text(encoding="utf-8")
    assert "pip install 'textsimp @ https://huggingface.co/spaces/ada/f1_token/resolve" in card


@pytest.mark.slow
@pytest.mark.parametrize("folder", [hub.path("lexical_substitution"), hub.space_folders()[-1]])
def test_a_page_starts_and_answers(folder):
    pytest.importorskip("gradio", reason="needs the extra demo")
    with TOOL.started(folder, sys.executable) as page:
        answer = TOOL.ask(page, folder)
    expected = "/score of 4 examples: " if folder.name in hub.names() else "endpoints /split"
    assert answer.startswith(expected)


def test_a_page_that_cannot_start_is_an_error(module):
    (module / "app.py").write_text("import absent_package")
    with (
        pytest.raises(InputError, match=r"app\.py ended with 1"),
        TOOL.started(module, sys.executable),
    ):
        pass


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("pip install .  # in a clone of textsimp", "pip install 'textsimp==1'"),
        ("pip install '.[languages]'  # in a clone", "pip install 'textsimp[languages]==1'"),
        ('evaluate.load("<namespace>/sari")', 'evaluate.load("ada/sari")'),
        (
            "see `docs/trust.md`",
            "see [docs/trust.md](https://code.example/blob/main/docs/trust.md)",
        ),
    ],
)
def test_a_card_says_how_its_readers_get_it(text, filled, monkeypatch):
    monkeypatch.setattr("textsimp.support.addresses.CODE", "https://code.example")
    assert TOOL.fill(text, "ada/sari", "==1") == filled


def test_a_name_that_the_hub_refuses_or_textsimp_lacks_is_an_error():
    for namespace, only in (("a--b", None), ("ada", "sarri")):
        with pytest.raises(InputError):
            TOOL.push(namespace, only=only, dry_run=True)


@pytest.mark.parametrize(("namespace", "error"), [("someone-else", None), ("ada", OSError)])
def test_nothing_is_uploaded_for_others_and_without_login(namespace, error):
    api = FakeApi()
    if error:
        api.whoami = Mock(side_effect=error("Token is required"))
    with pytest.raises(InputError):
        TOOL.push(namespace, api=api)
    assert api.calls == []


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("---\n", "", "front matter"),
        ("title:", "title: [", "bad YAML"),
        ("title: .*", "titel: x", "title: "),
        ("sdk_version: .*", "sdk_version: 6", "sdk_version: "),
        ('python_version: "3.11"', "python_version: 3.10", "python_version: "),
        ("colorTo: .*", "colorTo: mauve", "colorTo: "),
        ("emoji: .*", "emoji: no", "emoji: "),
        ("  - metric\n", "", "tags: "),
    ],
)
def test_bad_front_matter_stops_everything(module, old, new, place, monkeypatch):
    change(module, old, new)
    monkeypatch.setattr(hub, "space_folders", lambda: [module])
    api = FakeApi()
    with pytest.raises(InputError, match=place):
        TOOL.push("ada", api=api)
    assert api.calls == []


def test_files_that_are_missing_linked_or_of_another_version_are_named(module):
    (module / "requirements.txt").write_text("textsimp==0.0.1\n")
    (problem,) = TOOL.check(module)
    assert f"expected textsimp=={textsimp.__version__}, got ['textsimp==0.0.1']" in problem
    (module / "requirements.txt").unlink()
    (module / "app.py").rename(module / "elsewhere.py")
    (module / "app.py").symlink_to(module / "elsewhere.py")
    first, second = TOOL.check(module)
    assert first.endswith("app.py: expected a file")
    assert second.endswith("requirements.txt: expected a file")
