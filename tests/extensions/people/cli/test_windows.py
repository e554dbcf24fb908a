"""Files of answers and labels where ``os`` lacks what it lacks on Windows."""

from pathlib import Path

from tests.windows import windows  # noqa: F401
from textsimp.extensions.people.judgements.answer_files import AnswerFile


def test_merged_labels_are_written_and_overwritten(examples, succeed):
    for _ in range(2):
        succeed("errors merge annotations -o out.jsonl --force")
    assert Path("out.jsonl").exists()


def test_every_answer_is_kept(tmp_path):
    path = tmp_path / "ann.jsonl"
    rows = [{"scheme": "likert", "fluency": i} for i in range(3)]
    for row in rows:
        AnswerFile(path).append([row])
    assert AnswerFile(path).rows() == rows
    data = path.read_bytes()
    assert data.count(b"\n") == 3
    assert b"\r" not in data
