"""Writing: whole files, whole sets, whatever happens meanwhile."""

from __future__ import annotations

import errno
import multiprocessing
import os
import socket
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from textsimp import InputError
from textsimp.support.files import check_new, write_files, write_folder

from ..kills import FINISHED, RAISED, interrupted, killed

NAMES = ("train.jsonl", "validation.jsonl", "test.jsonl")
STEPS = 45  # more than a set of three takes


def contents(text: str) -> Callable[[BinaryIO], object]:
    return lambda file: file.write(text.encode())


def write_set(folder: Path, version: str, *, overwrite: bool = True) -> None:
    write_files({folder / name: contents(version) for name in NAMES}, overwrite=overwrite)


def read_set(folder: Path) -> dict[str, str]:
    """Whatever lies in the folder, but what isn't finished."""
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


def whole(version: str) -> dict[str, str]:
    return dict.fromkeys(NAMES, version)


def test_contents_may_be_given_instead_of_what_writes_them(tmp_path: Path) -> None:
    write_files({tmp_path / "a": "é".encode(), tmp_path / "b": lambda file: file.write(b"b")})
    assert [(tmp_path / name).read_text("utf-8") for name in "ab"] == ["é", "b"]


def test_files_are_written_with_their_folders(tmp_path: Path) -> None:
    paths = [tmp_path / "new" / name for name in ("a", "b")]
    write_files({path: contents("x") for path in paths})
    assert [path.read_bytes() for path in paths] == [b"x", b"x"]
    assert len(list((tmp_path / "new").iterdir())) == 2


def test_a_set_may_lie_in_several_folders(tmp_path: Path) -> None:
    paths = [tmp_path / "a" / "x", tmp_path / "b" / "x"]
    for text in ("1", "2"):
        write_files({path: contents(text) for path in paths}, overwrite=True)
        assert [path.read_text() for path in paths] == [text, text]


def test_a_file_that_is_there_already_is_overwritten_only_if_told_to(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old")
    files = {path: contents("x") for path in (new, old)}
    with pytest.raises(InputError, match="old is there already: overwrite=True overwrites it"):
        write_files(files)
    assert old.read_text() == "old"
    assert not new.exists()
    write_files(files, overwrite=True)
    assert old.read_text() == "x"


def test_when_one_file_fails_none_appears(tmp_path: Path) -> None:
    def fail(file: Any) -> None:
        file.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    files = {tmp_path / "a": contents("x"), tmp_path / "b": fail}
    with pytest.raises(InputError, match="b can't be written: No space left on device"):
        write_files(files)
    assert list(tmp_path.iterdir()) == []


def test_two_names_of_one_file_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(InputError, match=r"a and .*b are the same file"):
        write_files({tmp_path / name: contents("x") for name in "ab"})
    assert not (tmp_path / "a").exists()


# What isn't a regular file


def test_devices_are_written_to(tmp_path: Path) -> None:
    before = os.stat(os.devnull)
    write_files({Path(os.devnull): contents("x"), tmp_path / "a": contents("x")}, overwrite=True)
    write_files({Path(os.devnull): contents("x")})  # nothing is lost, so nobody need be asked
    after = os.stat(os.devnull)
    assert (after.st_mode, after.st_rdev, after.st_ino) == (
        before.st_mode,
        before.st_rdev,
        before.st_ino,
    )
    assert (tmp_path / "a").read_text() == "x"


def test_a_fifo_is_written_to(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()))
    reader.start()
    write_files({fifo: contents("x")}, overwrite=True)
    reader.join()
    assert read == [b"x"]
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_a_full_device_is_told_before_any_file_is_replaced(tmp_path: Path) -> None:
    old = tmp_path / "a"
    old.write_text("old")
    files = {old: contents("x"), Path("/dev/full"): contents("x")}
    with pytest.raises(InputError, match="/dev/full can't be written: No space left on device"):
        write_files(files, overwrite=True)
    assert read_set(tmp_path) == {"a": "old"}


def test_standard_output_keeps_what_was_written_to_it(tmp_path: Path) -> None:
    program = """if True:
        from pathlib import Path
        from textsimp.support.files import write_files

        print("before", flush=True)
        write_files({Path("/dev/stdout"): lambda file: file.write(b"x\\n")})
        print("after")
        """
    out = tmp_path / "out"
    with open(out, "wb") as file:
        subprocess.run([sys.executable, "-c", program], stdout=file, check=True)
    assert out.read_text() == "before\nx\nafter\n"


def test_a_socket_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))
        with pytest.raises(InputError, match="s is a block device or socket"):
            write_files({path: contents("x")}, overwrite=True)
    assert stat.S_ISSOCK(path.stat().st_mode)


@pytest.mark.parametrize("there", [True, False])
def test_a_symlink_stays_and_what_it_points_to_is_written(tmp_path: Path, there: bool) -> None:
    target, link = tmp_path / "far" / "target", tmp_path / "link"
    target.parent.mkdir()
    link.symlink_to("far/target")
    if there:
        target.write_text("old")
        with pytest.raises(InputError, match="link is there already"):
            write_files({link: contents("x")})
    write_files({link: contents("x")}, overwrite=there)
    assert link.is_symlink()
    assert target.read_text() == "x"
    assert list(target.parent.iterdir()) == [target]


def test_a_symlink_to_itself_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(InputError, match="loop can't be written: Too many levels"):
        write_files({tmp_path / "loop": contents("x")}, overwrite=True)


# Names, modes, owners


@pytest.mark.parametrize("name", ["x" * 250, "x" * 255, "ä" * 127])
def test_names_as_long_as_the_system_takes(tmp_path: Path, name: str) -> None:
    for text in ("1", "2"):
        write_files(
            {tmp_path / name: contents(text), tmp_path / "other": contents(text)}, overwrite=True
        )
        assert (tmp_path / name).read_text() == text


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("x" * 256, "File name too long"),
        ("file/below", "Not a directory"),
        ("nul\0", "null"),
        (".", "is a folder"),
    ],
)
def test_what_can_never_be_written_is_known_before(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=reason):
        check_new([tmp_path / name], overwrite=True)


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
def test_new_files_have_the_usual_mode(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        write_set(tmp_path, "x")
    finally:
        os.umask(before)
    for name in NAMES:
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o666 & ~umask


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o444])
def test_what_is_replaced_leaves_its_mode(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a"
    path.touch()
    path.chmod(mode)
    write_files({path: contents("x")}, overwrite=True)
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert path.read_text() == "x"


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives files away")
def test_what_is_replaced_leaves_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.touch()
    os.chown(path, 65534, 65533)
    write_files({path: contents("x")}, overwrite=True)
    assert (path.stat().st_uid, path.stat().st_gid) == (65534, 65533)


def test_a_folder_without_permission_is_known_before() -> None:
    def check() -> None:
        if os.getuid() == 0:
            os.setuid(65534)
        with pytest.raises(InputError, match=r"no permission to write to .*shut"):
            check_new([shut / "new" / "a"], overwrite=False)

    with tempfile.TemporaryDirectory() as folder:  # pytest's own are closed to others than root
        os.chmod(folder, 0o755)
        shut = Path(folder) / "shut"
        shut.mkdir(mode=0o555)
        assert killed(Path(folder), STEPS, check) == FINISHED


# Errors, Ctrl-C and kills at every step


def test_contents_are_on_the_disk_before_they_get_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[tuple[str, str]] = []

    def noted(name: str, call: Callable[..., object], what: Callable[..., Path]) -> None:
        def note(*arguments: Any) -> object:
            steps.append((name, what(*arguments).name))
            return call(*arguments)

        monkeypatch.setattr(os, name, note)

    def opened(handle: int) -> Path:
        return Path(os.readlink(f"/proc/self/fd/{handle}"))

    noted("fsync", os.fsync, opened)
    noted("replace", os.replace, lambda _, new: Path(new))
    write_files({tmp_path / "a": contents("x")})
    assert steps == [
        ("fsync", "a"),
        ("fsync", tmp_path.name),
        ("replace", "a"),
        ("fsync", tmp_path.name),
    ]


@pytest.mark.parametrize("before", [None, "old"])
def test_killed_at_any_step_a_set_is_never_a_mixture(tmp_path: Path, before: str | None) -> None:
    seen = set()
    for step in range(STEPS):
        folder = tmp_path / str(step)
        folder.mkdir()
        if before is not None:
            write_set(folder, before)
        end = killed(folder, step, lambda folder=folder: write_set(folder, "new"))
        found = read_set(folder)
        assert len(set(found.values())) <= 1, (step, found)
        seen.add((end, *sorted(set(found.values())), len(found)))
        write_set(folder, "newer")
        assert read_set(folder) == whole("newer")
        assert len(list(folder.iterdir())) == len(NAMES)  # nothing else is left
    assert (FINISHED, "new", 3) in seen
    assert {(-9, "new", 1), (-9, "new", 2)} <= seen  # there are kills between the renames
    if before is not None:
        assert {(-9, "old", 1), (-9, "old", 2), (-9, "old", 3)} <= seen


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(errno.EIO, "Input/output error")])
def test_an_error_or_ctrl_c_at_any_step_leaves_the_old_set(
    tmp_path: Path, error: BaseException
) -> None:
    seen = set()
    for step in range(STEPS):
        folder = tmp_path / str(step)
        folder.mkdir()
        write_set(folder, "old")
        end = interrupted(folder, step, lambda folder=folder: write_set(folder, "new"), error)
        found = read_set(folder)
        assert found in (whole("old"), whole("new")), (step, found)
        seen.add((end, found[NAMES[0]]))
    assert {(RAISED, "old"), (FINISHED, "new")} <= seen


def fill(folder: Path) -> None:
    (folder / "a").write_text("new")
    (folder / "inner").mkdir()
    (folder / "inner" / "b").write_text("new")


def test_killed_at_any_step_a_folder_is_whole_or_not_there(tmp_path: Path) -> None:
    seen = set()
    for step in range(STEPS):
        folder = tmp_path / str(step) / "folder"
        end = killed(tmp_path / str(step), step, lambda folder=folder: write_folder(folder, fill))
        there = sorted(path.name for path in folder.rglob("*"))
        assert there in ([], ["a", "b", "inner"])
        seen.add((end, len(there)))
        if not there:
            write_folder(folder, fill)
        assert len(list(folder.parent.iterdir())) <= 2  # what the dead left is removed by the next
    assert {(-9, 0), (-9, 3), (FINISHED, 3)} <= seen


def test_a_folder_that_fails_does_not_appear(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        fill(folder)
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(InputError, match="folder can't be written: No space left on device"):
        write_folder(tmp_path / "folder", fail)
    assert not list(tmp_path.iterdir())


def test_a_folder_replaces_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("empty", "link"):
        with pytest.raises(InputError, match=f"{name} is there already: expected a new folder"):
            write_folder(tmp_path / name, fill)


def test_one_file_is_replaced_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_files({path: contents("old")})
    for step in range(STEPS):
        killed(tmp_path, step, lambda: write_files({path: contents("new")}, overwrite=True))
        assert path.read_text() in ("old", "new")


def test_processes_that_write_the_same_set_wait_for_each_other(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    for _ in range(5):
        start = context.Barrier(4)

        def run(version: int, start: Any = start) -> None:
            start.wait()
            for _ in range(5):
                write_set(tmp_path, str(version) * 1000)

        processes = [context.Process(target=run, args=(version,)) for version in range(4)]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        assert [process.exitcode for process in processes] == [0] * 4
        found = read_set(tmp_path)
        assert found == whole(found[NAMES[0]])
        assert len(list(tmp_path.iterdir())) == len(NAMES)


def test_sets_that_share_folders_never_wait_for_each_other_forever(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    start = context.Barrier(2)

    def run(inner: str, outer: str) -> None:
        start.wait()
        for _ in range(50):
            files = (tmp_path / "b" / inner, tmp_path / outer)
            write_files(dict.fromkeys(files, contents("x")), overwrite=True)

    processes = [context.Process(target=run, args=names) for names in (("c", "x"), ("d", "a"))]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    ended = [process.exitcode for process in processes]
    for process in processes:
        process.kill()
    assert ended == [0, 0]


def test_of_processes_that_write_at_once_without_force_one_wins(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    start = context.Barrier(4)

    def run(version: int) -> None:
        start.wait()
        write_set(tmp_path / "new", str(version), overwrite=False)

    processes = [context.Process(target=run, args=(version,)) for version in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert sorted(bool(process.exitcode) for process in processes) == [False, True, True, True]
    winner = next(i for i, process in enumerate(processes) if process.exitcode == 0)
    assert read_set(tmp_path / "new") == whole(str(winner))


class Writing(RuleBasedStateMachine):
    """Any sequence of writing, being killed, failing, and writing again."""

    def __init__(self) -> None:
        super().__init__()
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name) / "set"
        self.versions = 0

    def teardown(self) -> None:
        self.temporary.cleanup()

    def found(self) -> dict[str, str]:
        return read_set(self.folder) if self.folder.is_dir() else {}

    def next_version(self) -> str:
        self.versions += 1
        return str(self.versions)

    @rule(force=st.booleans())
    def write(self, force: bool) -> None:
        before, version = self.found(), self.next_version()
        if before and not force:
            with pytest.raises(InputError, match="there already"):
                write_set(self.folder, version, overwrite=False)
            assert self.found() == before
            return
        write_set(self.folder, version, overwrite=force)
        assert self.found() == whole(version)
        assert len(list(self.folder.iterdir())) == len(NAMES)

    @rule(step=st.integers(0, STEPS), force=st.booleans())
    def write_and_be_killed(self, step: int, force: bool) -> None:
        before, version = self.found(), self.next_version()
        end = killed(self.folder, step, lambda: write_set(self.folder, version, overwrite=force))
        if before and not force:
            assert self.found() == before
        elif end == FINISHED:
            assert self.found() == whole(version)

    @rule(step=st.integers(0, STEPS), error=st.sampled_from([KeyboardInterrupt(), OSError(5, "x")]))
    def write_and_fail(self, step: int, error: BaseException) -> None:
        before, version = self.found(), self.next_version()
        interrupted(self.folder, step, lambda: write_set(self.folder, version), error)
        assert self.found() in (before, whole(version))

    @invariant()
    def it_is_of_one_version(self) -> None:
        assert len(set(self.found().values())) <= 1


TestWriting = Writing.TestCase
TestWriting.settings = settings(max_examples=15, stateful_step_count=12)
