"""Full disks, closed pipes and Ctrl-C end the script without a traceback."""

import contextlib
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import SCRIPT

SCORE = "score -m f1_token -s source.txt -r references -p systems/splitter.txt --resamples 2"
needs_dev_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")


def shell(command, **options):
    """A shell's line; SCRIPT stands for the script."""
    command = command.replace("SCRIPT", shlex.quote(str(SCRIPT)))
    return subprocess.run(command, shell=True, capture_output=True, check=False, **options)


def assert_told(done, message):
    assert done.returncode == 2, done.stderr
    assert done.stderr.decode().startswith("Error: "), done.stderr
    assert message in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


# Files


@pytest.mark.parametrize(
    "arguments",
    [
        "score -s LONG -r references -p systems/splitter.txt",
        "score -d LONG.jsonl",
        "score -t LONG -p systems/splitter.txt",
        "split divergence LONG.jsonl source.txt",
    ],
)
def test_a_name_longer_than_the_system_takes(arguments, examples, fails):
    assert "name too long" in fails(arguments.replace("LONG", "x" * 300))


# Standard streams


@needs_dev_full
@pytest.mark.parametrize(("arguments", "unbuffered"), [(SCORE, ""), ("--help", "1")])
def test_a_full_disk_below_standard_output(arguments, unbuffered, examples):
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    done = shell(f"SCRIPT {arguments} >/dev/full", env=env)
    assert_told(done, "No space left on device")


def test_a_disk_that_takes_only_a_part_of_the_output(examples):
    assert_told(shell("ulimit -f 4; SCRIPT metrics --json >out.json"), "File too large")


def test_a_closed_standard_output(examples):
    assert_told(shell("SCRIPT --help >&-"), "standard output is closed")


def test_a_closed_standard_error_is_no_error(examples):
    command = f"SCRIPT {SCORE} -m fkgl"  # which says more on standard error
    assert b"fkgl_components" in shell(f"{command} --csv 2>&-").stdout


def test_a_reader_that_stops_is_no_error(examples):
    done = shell(f"SCRIPT {SCORE} --json | true")
    assert (done.stdout, done.stderr) == (b"", b"")


def test_files_and_pipes_are_utf_8_whatever_the_encoding_of_the_system(examples):
    Path("systems/splitter.txt").rename("systems/grö→er 猫.txt")
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    command = f"SCRIPT {SCORE} --csv".replace("systems/splitter.txt", "'systems/grö→er 猫.txt'")
    done = shell(command, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "grö→er 猫" in done.stdout.decode("utf-8")


def test_a_terminal_shows_what_it_can(examples):
    Path("systems/splitter.txt").rename("systems/grö→er.txt")
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1", "COLUMNS": "200"}
    command = f"{SCRIPT} {SCORE}".replace("splitter", "grö→er")
    window, output = os.openpty()
    with open(window, "rb", buffering=0) as shown:
        process = subprocess.Popen(shlex.split(command), stdout=output, env=environment)
        os.close(output)
        text = b""
        with contextlib.suppress(OSError):  # Linux: the process has closed the terminal
            while part := shown.read(4096):
                text += part
        assert process.wait() == 0
    assert b"gr\xf6?er" in text


# Ctrl-C

# A finder that is asked for every import, and presses Ctrl-C at one.
PRESS = """
import os, signal, sys
class Press:
    def find_spec(name, path=None, target=None):
        if name == os.environ["PRESS_AT"]:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Press)
"""


@pytest.mark.parametrize("module", ["click", "textsimp.metrics.f1_token"])
def test_ctrl_c_while_modules_are_imported(module, examples, tmp_path):
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "sitecustomize.py").write_text(PRESS)
    done = subprocess.run(
        [sys.executable, "-m", "textsimp", *SCORE.split()],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(hooks), "PRESS_AT": module},
    )
    assert done.returncode == 130, done.stderr
    assert done.stdout == b""
    assert done.stderr.decode().strip() in ("", "Interrupted")


def test_ctrl_c_before_anything_is_found_writes_nothing(examples):
    process = subprocess.Popen(
        [SCRIPT, *SCORE.split(), "-p", "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    )
    # It reads standard input last, and asks for more than there is.
    assert process.stdin is not None
    process.stdin.write(b"a line\n" * 50_000)  # more than a pipe holds: it is being read
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    _, told = process.communicate()
    assert (process.returncode, told) == (130, b"\nInterrupted\n")
