"""A system that lacks what ``os`` lacks on Windows, and whose files may be text."""

import os

import pytest

LACKING = (  # but for fchmod, which filelock on this system asks
    *("chown", "fchown", "lchown", "getuid", "geteuid", "getgid", "getegid", "uname"),
    *("fork", "mkfifo", "statvfs", "sched_getaffinity", "pread", "pwrite", "killpg"),
    *("O_NOFOLLOW", "O_DIRECTORY", "O_CLOEXEC", "O_SYNC"),
)
BINARY = 1 << 40  # O_BINARY


@pytest.fixture(autouse=True)
def windows(tmp_path, monkeypatch):
    """Take away what Windows lacks; ``os.open`` opens text unless it says otherwise."""
    for name in LACKING:
        monkeypatch.delattr(os, name, raising=False)
    text = set()
    real_open, real_write = os.open, os.write

    def open_handle(path, flags, mode=0o777, **options):
        handle = real_open(path, flags & ~BINARY, mode, **options)
        (text.discard if flags & BINARY else text.add)(handle)
        return handle

    def write(handle, data):
        return real_write(handle, data.replace(b"\n", b"\r\n") if handle in text else data)

    monkeypatch.setattr(os, "O_BINARY", BINARY, raising=False)
    monkeypatch.setattr(os, "open", open_handle)
    monkeypatch.setattr(os, "write", write)
