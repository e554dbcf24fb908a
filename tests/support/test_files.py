"""Writing: whole files or none, and what is refused."""

import errno
import itertools
import os
import stat
import tempfile
from pathlib import Path

import pytest

from tests.kills import FINISHED, killed
from textsimp import InputError
from textsimp.support.files import check_new, write_files

KILLED = -9


def fail(file):
    file.write(b"half")
    raise OSError(errno.ENOSPC, "No space left on device")


def interrupt(file):
    file.write(b"half")
    raise KeyboardInterrupt


def test_files_are_written_with_their_folders(tmp_path):
    paths = [tmp_path / "new" / name for name in ("a", "b")]
    write_files({paths[0]: "é".encode(), paths[1]: lambda file: file.write(b"b")})
    assert [path.read_text("utf-8") for path in paths] == ["é", "b"]
    assert sorted((tmp_path / "new").iterdir()) == paths  # and nothing else is left


def test_an_existing_file_is_only_overwritten_on_demand(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old")
    with pytest.raises(InputError):
        write_files({new: b"x", old: b"x"})
    assert (old.read_text(), new.exists()) == ("old", False)
    write_files({new: b"x", old: b"x"}, overwrite=True)
    assert old.read_text() == "x"


def test_contents_that_fail_change_no_file(tmp_path):
    old = tmp_path / "a"
    old.write_text("old")
    with pytest.raises(InputError):
        write_files({old: b"x", tmp_path / "b": fail}, overwrite=True)
    with pytest.raises(KeyboardInterrupt):
        write_files({old: b"x", tmp_path / "b": interrupt}, overwrite=True)
    assert list(tmp_path.iterdir()) == [old]
    assert old.read_text() == "old"


@pytest.mark.parametrize("name", ["x" * 255, "ä" * 127])
def test_names_as_long_as_the_system_takes(tmp_path, name):
    for text in (b"1", b"2"):
        write_files({tmp_path / name: text}, overwrite=True)
        assert (tmp_path / name).read_bytes() == text


@pytest.mark.parametrize(
    "name", ["x" * 256, "file/below", ".", "link", "fifo", "/dev/null", "/dev/stdout"]
)
def test_what_can_not_be_written_is_refused_first(tmp_path, name):
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("file")
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(InputError):
        check_new([tmp_path / name], overwrite=True)


def test_a_file_given_twice_is_refused(tmp_path):
    with pytest.raises(InputError):
        check_new([tmp_path / "a", tmp_path / "." / "b" / ".." / "a"], overwrite=True)


def test_a_folder_without_permission_is_refused_first():
    def check():
        if os.getuid() == 0:
            os.setuid(65534)
        with pytest.raises(InputError):
            check_new([shut / "new" / "a"], overwrite=False)

    with tempfile.TemporaryDirectory() as folder:  # pytest's own are closed to others than root
        os.chmod(folder, 0o755)
        shut = Path(folder) / "shut"
        shut.mkdir(mode=0o555)
        assert killed(Path(folder), 1000, check) == FINISHED


def test_new_files_have_the_usual_mode(tmp_path):
    before = os.umask(0o027)
    try:
        write_files({tmp_path / "a": b"x"})
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def left(folder):
    return sorted(path.name for path in folder.glob(".textsimp-*"))


def test_writers_of_one_file_at_once_keep_their_own(tmp_path):
    path = tmp_path / "a"

    def meanwhile(file):
        file.write(b"outer")
        child = os.fork()
        if not child:
            write_files({path: b"inner"})
            os._exit(FINISHED)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == FINISHED
        assert path.read_bytes() == b"inner"

    write_files({path: meanwhile}, overwrite=True)
    assert path.read_bytes() == b"outer"
    assert left(tmp_path) == []


@pytest.mark.slow
def test_a_killed_process_leaves_whole_files(tmp_path):
    names = ("a", "b")
    states = set()

    def replace():
        write_files({tmp_path / name: b"new" for name in names}, overwrite=True)

    for step in itertools.count():
        for name in names:
            (tmp_path / name).write_text("old")
        for name in left(tmp_path):
            (tmp_path / name).unlink()  # so that each time the steps are the same
        end = killed(tmp_path, step, replace)
        states.add((end, *((tmp_path / name).read_text() for name in names)))
        if end == FINISHED:
            break
    whole = [(KILLED, "old", "old"), (KILLED, "new", "old"), (FINISHED, "new", "new")]
    assert states == {*whole, (KILLED, "new", "new")}
