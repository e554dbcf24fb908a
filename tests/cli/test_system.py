"""What the system or the user does to the script: one sentence, and never a traceback."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from .conftest import SCRIPT

SCORE = "score -s source.txt -r references -p systems/splitter.txt"
MERGE = "errors merge annotations"
needs_dev_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
Done = subprocess.CompletedProcess[bytes]


def shell(command: str, **options: Any) -> Done:
    """A shell's line; SCRIPT stands for the script."""
    command = command.replace("SCRIPT", shlex.quote(str(SCRIPT)))
    return subprocess.run(command, shell=True, capture_output=True, check=False, **options)


def assert_told(done: Done, message: str) -> None:
    assert done.returncode == 2, done.stderr
    assert done.stderr.decode().startswith("Error: "), done.stderr
    assert message in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


# Files


@pytest.mark.parametrize(
    "arguments",
    [
        "score -s LONG -r references -p systems/splitter.txt",
        "score -s source.txt -r LONG -p systems/splitter.txt",
        "score -s source.txt -r references -p LONG",
        "score -s source.txt -r references -p ours=LONG",
        "score -d LONG.jsonl",
        "score -t LONG -p systems/splitter.txt",
        "split divergence LONG.jsonl source.txt",
        "split random train=examples.jsonl test=examples.jsonl -o LONG",
        "report -t . -p systems -o LONG",
        "errors merge annotations -o LONG",
    ],
)
def test_a_name_longer_than_the_system_takes(arguments: str, examples: Path, fails: Any) -> None:
    assert "name too long" in fails(arguments.replace("LONG", "x" * 300))


def test_names_of_250_characters_are_read_and_written(examples: Path, run: Any) -> None:
    long = "x" * 250
    for path in (long, "y" * 250):
        Path(path).write_bytes(Path("source.txt").read_bytes())
    Path("z" * 250).mkdir()
    name = "n" * 239
    subsets = [f"{name}={long},{'y' * 250}", f"b={long},{'y' * 250}"]
    result = run("split random", *subsets, "-o", "z" * 250)
    assert result.exit_code == 0, result.output
    assert Path("z" * 250, f"{name}.source.txt").is_file()
    result = run(f"{SCORE} -p", f"{'s' * 20}={long}")
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("arguments", ["-s loop", "-r loop", "-p loop", "-p loop/x"])
def test_a_link_to_itself(arguments: str, examples: Path, fails: Any) -> None:
    (examples / "loop").symlink_to("loop")
    assert "loop" in fails(f"{SCORE} {arguments}")


@pytest.mark.parametrize(("command", "mode"), [(SCORE, 0o444), ("score -d references", 0o000)])
def test_a_folder_that_may_not_be_searched(command: str, mode: int, examples: Path) -> None:
    command = f"SCRIPT {command}"
    if os.getuid() == 0:  # whom nothing is forbidden, unless it is given up
        if shutil.which("setpriv") is None:
            pytest.skip("root, and no setpriv to give up what root may")
        command = f"setpriv --bounding-set=-all {command}"
    folder = examples / "references"
    folder.chmod(mode)
    try:
        done = shell(command)
    finally:
        folder.chmod(0o755)
    assert_told(done, "Permission denied")


# Standard streams


@needs_dev_full
@pytest.mark.parametrize("arguments", [SCORE, f"{SCORE} --json", "--help", "score -h", "--version"])
def test_a_full_disk_below_standard_output(arguments: str, examples: Path) -> None:
    assert_told(shell(f"SCRIPT {arguments} >/dev/full"), "No space left on device")


@needs_dev_full
def test_a_full_disk_below_both_outputs_still_gives_the_exit_code(examples: Path) -> None:
    assert shell(f"SCRIPT {SCORE} >/dev/full 2>/dev/full").returncode == 2
    assert shell("SCRIPT score -s gone.txt 2>/dev/full").returncode == 2


@pytest.mark.parametrize("arguments", [SCORE, "--help"])
def test_a_closed_standard_output(arguments: str, examples: Path) -> None:
    assert_told(shell(f"SCRIPT {arguments} >&-"), "standard output is closed")


def test_a_closed_standard_input(examples: Path) -> None:
    assert_told(shell(f"SCRIPT {SCORE} -p - <&-"), "standard input is closed")
    assert shell(f"SCRIPT {SCORE} <&-").returncode == 0  # nothing is read from there


def test_a_closed_standard_error(examples: Path) -> None:
    done = shell(f"SCRIPT {SCORE} 2>&-")
    assert (done.returncode, b"34.36" in done.stdout) == (0, True)
    assert shell("SCRIPT score -s gone.txt -p gone.txt -m fkgl_components 2>&-").returncode == 2


@pytest.mark.parametrize("arguments", [SCORE, "--help", f"{SCORE} --json --per-example"])
def test_a_reader_that_stops_is_no_error(arguments: str, examples: Path) -> None:
    done = shell(f"SCRIPT {arguments} | true")
    assert (done.stdout, done.stderr) == (b"", b"")


@pytest.mark.parametrize("path", ["/dev/stdout", "/dev/null --force"])
def test_a_device_is_refused(path: str, examples: Path, fails: Any) -> None:
    assert "is a link, device or pipe" in fails(f"{MERGE} -o {path}")


@pytest.mark.parametrize(("encoding", "shown"), [("latin-1", b"gr\xf6?er"), ("ascii", b"gr")])
def test_what_standard_output_cannot_encode_is_replaced(
    encoding: str, shown: bytes, examples: Path
) -> None:
    Path("systems/splitter.txt").rename("systems/grö→er.txt")
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = shell(f"SCRIPT {SCORE.replace('splitter', 'grö→er')}", env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert shown in done.stdout


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_json_escapes_what_standard_output_cannot_encode(encoding: str, examples: Path) -> None:
    Path("systems/splitter.txt").rename("systems/grö→er.txt")
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = shell(f"SCRIPT {SCORE.replace('splitter', 'grö→er')} --json", env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert list(json.loads(done.stdout)["systems"]) == ["grö→er"]


# Caches


def test_a_cache_that_cannot_be_written(examples: Path) -> None:
    (examples / "file").touch()
    environment = {k: v for k, v in os.environ.items() if not k.startswith("HF_")}
    environment["HF_HOME"] = str(examples / "file" / "below")
    assert_told(shell("SCRIPT hub install", env=environment), "Not a directory")
    for command in (SCORE, "split divergence -T source examples.jsonl b=examples.jsonl"):
        assert shell(f"SCRIPT {command}", env=environment).returncode == 0
    done = shell("SCRIPT score -d some/dataset", env={**environment, "HF_HUB_OFFLINE": "1"})
    assert_told(done, "dataset some/dataset: ")


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


@pytest.mark.parametrize(
    "module", ["textsimp.cli", "click", "numpy", "textsimp.metrics.sari", "datasets"]
)
@pytest.mark.parametrize("start", [[str(SCRIPT)], [sys.executable, "-m", "textsimp"]])
def test_ctrl_c_while_something_is_imported(
    module: str, start: list[str], examples: Path, tmp_path: Path
) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "sitecustomize.py").write_text(PRESS)
    arguments = "split divergence -T source examples.jsonl b=examples.jsonl"
    if module == "textsimp.metrics.sari":
        arguments = SCORE
    done = subprocess.run(
        [*start, *arguments.split()],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(hooks), "PRESS_AT": module},
    )
    assert done.returncode == 130, done.stderr
    assert done.stdout == b""
    assert done.stderr.decode().strip() in ("", "Interrupted")


def test_the_package_alone_imports_next_to_nothing() -> None:
    code = "import sys, textsimp; print(sorted(m for m in sys.modules if 'textsimp' in m))"
    code += "; print('numpy' in sys.modules, textsimp.InputError.__name__, 'load' in dir(textsimp))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded, *rest = done.stdout.split("\n")
    assert "'textsimp', 'textsimp.support', 'textsimp.support.version'" in loaded
    assert rest[0] == "False InputError True"


def test_an_interrupted_search_says_that_its_best_was_written(examples: Path) -> None:
    rows = (examples / "examples.jsonl").read_text().splitlines(keepends=True)
    for name, part in (("train", rows[:40]), ("test", rows[40:])):
        (examples / f"{name}.jsonl").write_text("".join(part))
    arguments = "split balanced -T references train.jsonl test.jsonl -o new"
    # Ctrl-C comes when the search has begun, which only the process itself knows.
    code = f"""
    import os, signal
    import numpy as np
    from textsimp.__main__ import main
    from textsimp.splits import balanced
    evaluate, calls = balanced._rates, []
    def press(*arguments):
        calls.append(1)
        if len(calls) == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return evaluate(*arguments)
    balanced._rates = press
    import sys
    sys.argv = ["textsimp", *{arguments.split()}]
    main()
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("Interrupted after ")
    assert "of 500,000 iterations: this is the best split so far, and it was written" in done.stderr
    assert done.stderr.count("\n") == 1
    assert (examples / "new" / "test.jsonl").is_file()


def test_ctrl_c_before_anything_is_found_writes_nothing(examples: Path) -> None:
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
