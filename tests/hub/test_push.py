"""Uploading to the Hub: everything is checked before anything is uploaded."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from huggingface_hub.utils import filter_repo_objects

import textsimp
from textsimp import InputError, hub
from textsimp.cli import main
from textsimp.hub import push as push_module
from textsimp.hub.push import TAG, check, files_of, push, read_card, space_folders


class FakeApi:
    """Notes what a ``huggingface_hub.HfApi`` would be asked to do."""

    def __init__(self, fails_at: str = "") -> None:
        self.calls: list[tuple[str, str, dict[str, Any]]] = []
        self.fails_at = fails_at

    def whoami(self) -> dict[str, Any]:
        return {"name": "ada", "orgs": [{"name": "textsimp"}]}

    def create_repo(self, repo_id: str, **options: Any) -> None:
        if repo_id == self.fails_at:
            raise RuntimeError("403 Forbidden\nand more")
        self.calls.append(("create_repo", repo_id, options))

    def upload_folder(self, *, repo_id: str, **options: Any) -> None:
        self.calls.append(("upload_folder", repo_id, options))

    def create_tag(self, repo_id: str, **options: Any) -> None:
        self.calls.append(("create_tag", repo_id, options))


@pytest.fixture(autouse=True)
def _released(monkeypatch: pytest.MonkeyPatch) -> None:
    """PyPI has this version."""
    monkeypatch.setattr(push_module.wheels, "published", lambda: True)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A good Space, the only one there is."""
    space = tmp_path / "compare"
    space.mkdir()
    for file in hub.shipped("spaces", "_spaces").joinpath("compare").iterdir():
        if file.is_file():
            (space / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr(push_module, "space_folders", lambda: [space])
    return space


def change(folder: Path, old: str, new: str) -> None:
    card = folder / "README.md"
    text = card.read_text(encoding="utf-8")
    assert re.search(old, text)
    card.write_text(re.sub(old, new, text, count=1), encoding="utf-8")


@pytest.mark.parametrize("space", space_folders(), ids=lambda folder: folder.name)
def test_every_module_and_page_can_be_a_space(space: Path) -> None:
    assert check(space) == []


def test_spaces_are_all_modules_and_pages() -> None:
    names = [space.name for space in space_folders()]
    assert names == [*hub.names(), "annotate", "compare", "splits"]


def test_each_is_made_uploaded_and_tagged() -> None:
    api = FakeApi()
    names = push("textsimp", api=api, say=lambda _: None)
    assert names == [f"textsimp/{space.name}" for space in space_folders()]
    assert [(what, name) for what, name, _ in api.calls] == [
        (what, name) for name in names for what in ("create_repo", "upload_folder", "create_tag")
    ]
    assert all(options["repo_type"] == "space" for _, _, options in api.calls)
    assert api.calls[0][2] == {"repo_type": "space", "space_sdk": "gradio", "exist_ok": True}
    assert api.calls[1][2]["folder_path"] == space_folders()[0]


def test_the_tag_names_this_version_in_a_form_that_evaluate_never_asks_for() -> None:
    api = FakeApi()
    push("textsimp", api=api, say=lambda _: None)
    tags = {options["tag"] for what, _, options in api.calls if what == "create_tag"}
    assert tags == {TAG} == {f"textsimp-v{textsimp.__version__}"}
    assert not re.match(r"v?\d", TAG)


def test_nothing_is_uploaded_but_what_a_space_needs(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").touch()
    for name in ("secrets.json", "sub/.env", "sub/app.py", "__pycache__/app.cpython-311.pyc"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).touch()
    (folder / "link.py").symlink_to(secret / "key")
    (folder / "linked").symlink_to(secret)
    for dry_run in (True, False):
        said: list[str] = []
        api = FakeApi()
        push("ada", dry_run=dry_run, api=api, say=said.append)
        assert "(README.md, app.py, requirements.txt)" in said[0]
        assert said[1] == ("  left out: link.py, linked, secrets.json, sub/.env, sub/app.py")
    (options,) = (options for what, _, options in api.calls if what == "upload_folder")
    # What huggingface_hub itself makes of the folder and the list.
    paths = [path.relative_to(folder).as_posix() for path in folder.glob("**/*") if path.is_file()]
    assert "sub/.env" in paths
    uploaded = filter_repo_objects(paths, allow_patterns=options["allow_patterns"])
    assert sorted(uploaded) == ["README.md", "app.py", "requirements.txt"]


def test_a_module_is_uploaded_with_its_script() -> None:
    assert files_of(hub.path("sari")) == ["README.md", "app.py", "requirements.txt", "sari.py"]


def test_a_symlink_in_place_of_a_file_stops_everything(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "app.py"
    (folder / "app.py").rename(elsewhere)
    (folder / "app.py").symlink_to(elsewhere)
    api = FakeApi()
    with pytest.raises(InputError, match=r"app\.py is a symlink: expected the file itself"):
        push("ada", api=api)
    assert api.calls == []


def test_a_dry_run_uploads_nothing_and_says_what_it_would() -> None:
    api = FakeApi()
    said: list[str] = []
    names = push("anyone", dry_run=True, api=api, say=said.append)
    assert api.calls == []
    assert len(said) == len(names)
    assert said[0].startswith(f"would upload https://huggingface.co/spaces/{names[0]} (README.md")
    assert said[0].endswith(TAG)


@pytest.mark.parametrize("dry_run", [None, 0, "yes"])
def test_only_false_uploads(dry_run: Any) -> None:
    api = FakeApi()
    with pytest.raises(InputError, match=r"dry_run: expected True or False, got"):
        push("ada", dry_run=dry_run, api=api)
    assert not api.calls


def test_the_namespace_must_be_the_users() -> None:
    api = FakeApi()
    with pytest.raises(InputError, match="expected one of ada, textsimp, got 'someone-else'"):
        push("someone-else", api=api)
    assert api.calls == []


@pytest.mark.parametrize("namespace", ["", "a/b", "../x", "a b", "-a"])
def test_a_namespace_is_a_name(namespace: str) -> None:
    with pytest.raises(InputError, match="namespace: expected a user or organisation"):
        push(namespace, dry_run=True)


def test_without_login_nothing_is_uploaded() -> None:
    class LoggedOut(FakeApi):
        def whoami(self) -> dict[str, Any]:
            raise OSError("Token is required")

    api = LoggedOut()
    with pytest.raises(InputError, match=r"log in with `hf auth login` first: Token is required"):
        push("ada", api=api)
    assert api.calls == []


def test_a_failed_upload_says_what_was_done_before() -> None:
    second = f"ada/{space_folders()[1].name}"
    first = f"ada/{space_folders()[0].name}"
    message = rf"{second}: 403 Forbidden \(uploaded before: {first}\)"
    with pytest.raises(InputError, match=message):
        push("ada", api=FakeApi(fails_at=second), say=lambda _: None)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("---\n", "", "expected front matter between two lines of ---"),
        ("title:", "title: [", "bad YAML"),
        ("title: .*", "titel: x", "title: expected a text, got None"),
        ("sdk: gradio", "sdk: streamlit", "sdk: expected gradio, got 'streamlit'"),
        ("sdk_version: .*", "sdk_version: 6", "sdk_version: expected a version such as 6.31.0"),
        ('python_version: "3.11"', "python_version: 3.10", "quoted, got 3.1"),
        ("app_file: app.py", "app_file: main.py", "app_file: expected app.py, got 'main.py'"),
        ("colorTo: .*", "colorTo: mauve", "colorTo: expected one of red, yellow"),
        ("emoji: .*", "emoji: no", "emoji: expected an emoji, got False"),
        ("tags:\n", "labels:\n", "tags: expected a list of texts, got None"),
    ],
)
def test_bad_front_matter_stops_everything(folder: Path, old: str, new: str, message: str) -> None:
    change(folder, old, new)
    api = FakeApi()
    with pytest.raises(InputError, match=r"(?s)nothing was uploaded: .*" + re.escape(message)):
        push("ada", api=api)
    assert api.calls == []


def test_all_problems_are_told_at_once(folder: Path) -> None:
    change(folder, "sdk: gradio", "sdk: docker")
    (folder / "app.py").unlink()
    (folder / "requirements.txt").write_text("textsimp==0.0.1\n")
    sdk, app, requirements = check(folder)
    assert "sdk: expected gradio" in sdk
    assert app.endswith("app.py: no such file")
    assert f"expected textsimp=={textsimp.__version__}, got ['textsimp==0.0.1']" in requirements


def test_a_module_is_tagged_as_a_metric(tmp_path: Path) -> None:
    module = tmp_path / "sari"
    module.mkdir()
    for file in hub.path("sari").glob("*.*"):
        (module / file.name).write_bytes(file.read_bytes())
    change(module, "  - metric\n", "")
    assert [problem.partition(": ")[2] for problem in check(module)] == [
        "tags: expected 'metric' among them"
    ]


def test_a_card_is_front_matter_and_text() -> None:
    front, text = read_card(hub.path("sari"))
    assert front["title"] == "SARI"
    assert text.startswith("# Metric card for SARI")


def test_the_command_prints_what_it_would_do() -> None:
    result = CliRunner().invoke(main, ["push", "ada", "--dry-run"])
    assert result.exit_code == 0
    assert "would upload https://huggingface.co/spaces/ada/sari" in result.output


def test_the_command_tells_of_files_in_lines_whatever_they_are_called(folder: Path) -> None:
    (folder / "a\n\x1b[31m").touch()
    output = CliRunner().invoke(main, ["push", "ada", "--dry-run"]).output
    assert output.endswith("\n  left out: a\\n\\x1b[31m\n")
