"""Commands on a system that lacks what ``os`` lacks on Windows, and whose files may be text."""

from pathlib import Path

import pytest

from tests.windows import windows  # noqa: F401


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("score -d examples.jsonl -P splitter --save-statistics out.parquet", "out.parquet"),
        ("split random examples.jsonl --sizes 0.8,0.1,0.1 -o out", "out"),
    ],
)
def test_files_are_written_and_overwritten(command, output, examples, succeed):
    for _ in range(2):
        succeed(f"{command} --force")
    assert Path(output).exists()
