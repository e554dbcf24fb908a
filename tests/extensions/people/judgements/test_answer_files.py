"""Files of answers: kept whatever happens, and nothing else is ever changed."""

import json
import os
import signal
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule

from tests.kills import FINISHED, killed
from textsimp import InputError
from textsimp.extensions.people.judgements import answer_files
from textsimp.extensions.people.judgements.answer_files import AnswerFile

ANN = {"scheme": "likert", "rater": "Ann", "source": "Ü\u2028\n“<b>", "fluency": 4}
BOB = {**ANN, "rater": "Bob"}
screens = st.lists(st.builds(lambda i, text: {**ANN, "screen": i, "comment": text},
                             st.integers(), st.text(st.characters(codec="utf-8"))),
                   min_size=1, max_size=3)  # fmt: skip


def torn(answers, rows, size):
    """Append in a process that is killed when so many bytes are written."""
    child = os.fork()
    if not child:
        append = answer_files._append

        def part(path, data):
            append(path, data[: min(size, len(data) - 1)])
            os.kill(os.getpid(), signal.SIGKILL)

        answer_files._append = part
        answers.append(rows)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def together(*calls):
    """Call functions in a thread each."""
    threads = [threading.Thread(target=call, daemon=True) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# What is kept


class Appending(RuleBasedStateMachine):
    """Several users of a file, some of which are killed, and what was appended."""

    users = Bundle("users")

    def __init__(self):
        super().__init__()
        self.place = tempfile.TemporaryDirectory()
        self.path = Path(self.place.name, "folder", "answers.jsonl")
        self.said = []

    @initialize(target=users)
    def begin(self):
        return AnswerFile(self.path)

    @rule(target=users)
    def begin_another(self):
        return AnswerFile(self.path)

    @rule(user=users, rows=screens)
    def append(self, user, rows):
        user.append(rows)
        self.said += rows

    @rule(one=users, other=users, rows=screens)
    def append_from_threads(self, one, other, rows):
        """The screens of two users don't mix."""
        together(lambda: one.append(rows), lambda: other.append([BOB]))
        added = AnswerFile(self.path).rows()[len(self.said) :]
        assert added in ([*rows, BOB], [BOB, *rows])
        self.said += added

    @rule(user=users)
    def read(self, user):
        assert user.rows() == self.said

    @rule(user=consumes(users), rows=screens, size=st.integers(0, 400))
    def die_while_writing(self, user, rows, size):
        before = self.path.stat().st_size if self.path.exists() else 0
        torn(user, rows, size)
        data = self.path.read_bytes()[before:]
        self.said += rows[: data.count(b"\n") + data.endswith(b"}")]

    @rule(user=consumes(users), rows=screens, step=st.integers(0, 8))
    def die_at_a_step(self, user, rows, step):
        ended = killed(Path(self.place.name), step, lambda: user.append(rows))
        added = AnswerFile(self.path).rows()[len(self.said) :]
        assert added in ([rows] if ended == FINISHED else [[], rows])
        self.said += added

    @invariant()
    def nothing_is_lost(self):
        assert AnswerFile(self.path).rows() == self.said

    def teardown(self):
        self.place.cleanup()


TestAppending = pytest.mark.slow(Appending.TestCase)
TestAppending.settings = settings(max_examples=10, stateful_step_count=15)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "answers.jsonl"


def test_a_file_that_isnt_there_has_no_rows_and_isnt_made(path):
    assert AnswerFile(path).rows() == []
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("size", [0, 1, 11, 12, 60])
def test_a_half_written_row_counts_nowhere_and_is_removed(path, size):
    answers = AnswerFile(path)
    answers.append([ANN])
    whole = path.read_bytes()
    torn(answers, [BOB], size)
    assert path.read_bytes() == whole + json.dumps(BOB, ensure_ascii=False).encode()[:size]
    assert AnswerFile(path).rows() == [ANN]
    assert path.read_bytes() == whole
    torn(answers, [BOB], size)
    AnswerFile(path).append([ANN])
    assert AnswerFile(path).rows() == [ANN, ANN]


def test_a_row_that_lacks_only_the_end_of_its_line_counts(path):
    AnswerFile(path).append([ANN])
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    AnswerFile(path).append([BOB])
    assert AnswerFile(path).rows() == [ANN, BOB]


def test_processes_that_write_at_the_same_time_lose_nothing(path):
    children = []
    for child in range(4):
        if not (started := os.fork()):
            for i in range(25):
                AnswerFile(path).append([{**ANN, "rater": child, "screen": i}] * 2)
            os._exit(0)
        children.append(started)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
    rows = AnswerFile(path).rows()
    assert len(rows) == 200
    assert rows[::2] == rows[1::2]  # the rows of a screen stand together


def test_a_file_that_was_removed_begins_anew(path):
    answers = AnswerFile(path)
    answers.append([ANN, ANN])
    assert len(answers.rows()) == 2
    path.unlink()
    answers.append([BOB])
    assert answers.rows() == [BOB]


# What is refused


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("mine", 1),
        ("{}\n", 1),
        ("\n", 1),
        ('{"rater": "Ann"}\n', 1),
        (json.dumps(ANN) + "\n\n", 2),
        (json.dumps(ANN) + '\n{"scheme": 1\n' + json.dumps(ANN)[:20], 2),
        (json.dumps(ANN) + "\n5", 2),
        (json.dumps(ANN) + '\n{"scheme": ' + "[" * 200_000 + "\n", 2),
    ],
)
def test_a_file_of_something_else_is_refused_and_stays(path, text, line):
    path.write_text(text)
    with pytest.raises(InputError, match=rf"answers\.jsonl, line {line}: "):
        AnswerFile(path).rows()
    assert path.read_text() == text


def test_a_folder_in_place_of_the_file_is_refused(path):
    path.mkdir()
    with pytest.raises(InputError):
        AnswerFile(path).rows()
