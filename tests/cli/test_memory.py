"""Peak memory of commands, in a process of their own."""

import itertools
import json
import os
import random
import subprocess
import sys

import pytest

# A process in between starts the command: on Linux a peak is at least that of the parent.
CHILD = """
import os, subprocess, sys
process = subprocess.Popen([sys.executable, "-m", "textsimp", *sys.argv[1:]], stdout=2)
_, status, usage = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""
SHARDS, ROWS, WORDS = 15, 20_000, 20
WHOLE = os.environ.get("TEXTSIMP_PROPERTIES") == "many"


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    """300,000 rows in 15 files of 117 MB in all."""
    folder, rng = tmp_path_factory.mktemp("shards"), random.Random(0)
    words = ["".join(rng.choices("aeinrst", k=2 + i % 7)) for i in range(5_000)]
    columns = ("source", "prediction", "reference")
    for shard in range(SHARDS):
        texts = (" ".join(rng.choices(words, k=WORDS)) for _ in itertools.count())
        rows = (json.dumps(dict(zip(columns, texts, strict=False))) for _ in range(ROWS))
        (folder / f"{shard:02}.jsonl").write_text("\n".join(rows) + "\n")
    return folder


@pytest.mark.slow
@pytest.mark.skipif(not WHOLE, reason="over a minute: in `make test-all`")
@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss has other units elsewhere")
@pytest.mark.parametrize(("command", "megabytes"), [("score", 370), ("check", 500)])
def test_memory_does_not_grow_with_the_shards(command, megabytes, shards):
    arguments = [command, "-d", str(shards / "*.jsonl")]
    done = subprocess.run(
        [sys.executable, "-c", CHILD, *arguments], capture_output=True, check=True, text=True
    )
    status, peak = map(int, done.stdout.split())
    assert status == int(command == "check"), done.stderr
    assert peak * 1024 / 1e6 < megabytes
