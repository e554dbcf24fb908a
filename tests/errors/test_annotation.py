"""Answers of annotators: kept whatever happens, of one annotator and one set of pairs, merged."""

from __future__ import annotations

import json
import os
import signal
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from textsimp import InputError
from textsimp.errors import annotation
from textsimp.errors.annotation import Answers, Pair, merge
from textsimp.metrics.information_errors import CATEGORIES, LABELS

PAIRS = [Pair(i, "", f"Source {i},\u2028 “ü”.", f"Output {i}\n<b>") for i in range(5)]
LABELLED = dict(zip(CATEGORIES, (0, 1, 2), strict=True))
ANNOTATORS = ("Ann", "Bob")

labels = st.fixed_dictionaries({name: st.sampled_from([*LABELS, None]) for name in CATEGORIES})
rows = st.integers(0, len(PAIRS) - 1)


def of(insertion: Any, deletion: Any = 0, substitution: Any = 0) -> dict[str, Any]:
    return dict(zip(CATEGORIES, (insertion, deletion, substitution), strict=True))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


def written(folder: Path, text: str, name: str = "ann.jsonl") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def answered(folder: Path, name: str, *given: dict[str, Any], pairs: Any = PAIRS) -> Path:
    """The file of an annotator who labelled the first pairs so."""
    answers = Answers(folder, name, pairs)
    for row, labels in enumerate(given):
        answers.give(row, labels)
    return answers.path


def torn(answers: Answers, row: int, labels: dict[str, Any], size: int) -> None:
    """Answer in a process that is killed when so many bytes of the answer are written."""
    child = os.fork()
    if not child:
        append = annotation._append

        def part(path: Path, data: bytes) -> None:
            append(path, data[: min(size, len(data) - 1)])
            os.kill(os.getpid(), signal.SIGKILL)

        annotation._append = part
        answers.give(row, labels)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


# What is kept


class Annotating(RuleBasedStateMachine):
    """Two annotators in several sessions, some of which are killed, and what each has said."""

    sessions = Bundle("sessions")

    def __init__(self) -> None:
        super().__init__()
        self.place = tempfile.TemporaryDirectory()
        self.folder = Path(self.place.name)
        self.said: dict[str, dict[int, dict[str, Any]]] = {name: {} for name in ANNOTATORS}

    @rule(target=sessions, name=st.sampled_from(ANNOTATORS), backwards=st.booleans())
    def begin(self, name: str, backwards: bool) -> Answers:
        """A session may have the pairs in another order."""
        return Answers(self.folder, name, PAIRS[::-1] if backwards else PAIRS)

    @rule(session=sessions, row=rows, labels=labels)
    def give(self, session: Answers, row: int, labels: dict[str, Any]) -> None:
        session.give(row, labels)
        self.said[session.annotator][self.id(session, row)] = labels

    @rule(session=sessions, given=st.lists(st.tuples(rows, labels), max_size=4))
    def give_from_threads(self, session: Answers, given: list[Any]) -> None:
        """Each row in a thread of its own."""
        newest = dict(given)
        threads = [
            threading.Thread(target=session.give, args=one, daemon=True) for one in newest.items()
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for row, labels in newest.items():
            self.said[session.annotator][self.id(session, row)] = labels

    @rule(session=consumes(sessions), row=rows, labels=labels, size=st.integers(0, 400))
    def die_while_writing(self, session: Answers, row: int, labels: Any, size: int) -> None:
        before = session.path.stat().st_size if session.path.exists() else 0
        torn(session, row, labels, size)
        data = session.path.read_bytes()[before:]
        if data.endswith(b"}"):  # only the end of the line is missing
            self.said[session.annotator][self.id(session, row)] = labels

    @invariant()
    def nothing_is_lost_and_nothing_mixed(self) -> None:
        for name in ANNOTATORS:
            found = Answers(self.folder, name, PAIRS)
            assert found.labels == self.said[name]
            assert [row["id"] for row in found.rows()] == sorted(self.said[name])
            if found.path.exists():
                assert {row["annotator"] for row in lines(found.path)} <= {name}

    def teardown(self) -> None:
        self.place.cleanup()

    def id(self, session: Answers, row: int) -> int:
        return int(session.pairs[row].id)


TestAnnotating = pytest.mark.slow(Annotating.TestCase)
TestAnnotating.settings = settings(max_examples=25, stateful_step_count=15)


@pytest.mark.parametrize("size", [0, 1, 13, 14, 150, 290])
def test_a_half_written_answer_is_taken_off_at_the_next_start(tmp_path: Path, size: int) -> None:
    answers = Answers(tmp_path, "Ann", PAIRS)
    answers.give(0, LABELLED)
    whole = answers.path.read_bytes()
    torn(answers, 1, LABELLED, size)
    half = answers.path.read_bytes()
    again = Answers(tmp_path, "Ann", PAIRS)
    if half.endswith(b"}"):
        assert answers.path.read_bytes() == half + b"\n"
        assert set(again.labels) == {0, 1}
    else:
        assert answers.path.read_bytes() == whole
        assert set(again.labels) == {0}


def test_an_answer_that_lacks_only_the_end_of_its_line_counts(tmp_path: Path) -> None:
    path = answered(tmp_path, "Ann", LABELLED, of(2))
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    answers = Answers(tmp_path, "Ann", PAIRS)
    answers.give(2, of(1))
    assert Answers(tmp_path, "Ann", PAIRS).labels == {0: LABELLED, 1: of(2), 2: of(1)}


def test_the_last_answer_counts_and_earlier_ones_stay_in_the_file(tmp_path: Path) -> None:
    answers = Answers(tmp_path, "Ann", PAIRS)
    for label in (0, 1, 2):
        answers.give(3, of(label))
    assert answers.labels == {3: of(2)}
    assert [row["insertion"] for row in lines(answers.path)] == [0, 1, 2]


def test_processes_that_write_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    children = []
    for child in range(4):
        if not (started := os.fork()):
            answers = Answers(tmp_path, "Ann", PAIRS)
            for i in range(25):
                answers.give(child, of(i % 3))
            os._exit(0)
        children.append(started)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
    assert Answers(tmp_path, "Ann", PAIRS).labels == {row: of(0) for row in range(4)}
    assert len(lines(tmp_path / "ann.jsonl")) == 100


def test_who_goes_on_is_where_they_were(tmp_path: Path) -> None:
    answers = Answers(tmp_path, "Ann", PAIRS)
    assert answers.next == 0
    answers.give(1, of(0, None, None))
    assert answers.next == 1  # begun, not finished
    answers.give(1, of(0))
    assert answers.next == 2
    for row in (4, 3, 2):
        answers.give(row, of(0))
    assert Answers(tmp_path, "Ann", PAIRS).next == 0  # what was left out comes at the end
    answers.give(0, of(0))
    assert answers.next is None


def test_more_pairs_may_come_and_their_order_change(tmp_path: Path) -> None:
    answered(tmp_path, "Ann", LABELLED)
    more = [Pair("new", "", "A.", "B."), *PAIRS[::-1]]
    assert Answers(tmp_path, "Ann", more).labels == {5: LABELLED}


# Names


@given(st.text(max_size=50))
def test_a_name_stays_in_its_folder(name: str) -> None:
    folder = Path("/answers")
    try:
        path = Answers(folder, name, PAIRS).path
    except InputError:
        event("no name")
    else:
        event("a name")
        assert path.parent == folder
        assert len(path.name.encode()) < 255
        assert "/" not in path.name
        assert "\0" not in path.name
        assert not path.name.startswith(".")


@pytest.mark.parametrize("name", ["", ".", "../x", "a/b", "a\\b", "a\0b", "x" * 41, 5])
def test_what_could_be_a_path_is_no_name(tmp_path: Path, name: Any) -> None:
    with pytest.raises(InputError, match=r"^name of the annotator: expected at most 40 letters"):
        Answers(tmp_path, name, PAIRS)


@pytest.mark.parametrize(("one", "other"), [("Ann", " ANN  "), ("Jörg", "JÖRG"), ("李", "李")])
def test_names_differ_in_more_than_case_and_space(tmp_path: Path, one: str, other: str) -> None:
    answered(tmp_path, one, LABELLED)
    assert Answers(tmp_path, other, PAIRS).labels == {0: LABELLED}


# What doesn't fit


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"annotator": "Bob"}, "line 2: an answer of annotator 'Bob', not of 'Ann'"),
        ({"id": 9}, "line 2: an answer to id 9, which isn't among the pairs"),
        ({"system": "A"}, "line 2: an answer to id 1 of system 'A', which isn't among"),
        ({"source": "Old."}, "line 2: id 1 has the source str 'Old.', but the pairs have"),
        ({"prediction": "Old."}, "line 2: id 1 has the prediction str 'Old.', but the pairs"),
        ({"insertion": 3}, "line 2: insertion: expected 0, 1, 2, -1 or null, got int 3"),
        ({"insertion": True}, "line 2: insertion: expected 0, 1, 2, -1 or null, got bool True"),
        ({"source": None}, "line 2: source: expected a text, got None"),
    ],
)
def test_a_file_that_doesnt_fit_is_one_error_and_stays(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    path = answered(tmp_path, "Ann", LABELLED, LABELLED, LABELLED)
    rows = lines(path)
    rows[1] |= change
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(InputError) as error:
        Answers(tmp_path, "Ann", PAIRS)
    assert f"{path}, {message}" in str(error.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", ["mine", "{}\n", '{"a": 1}', "\n"])
def test_a_file_of_something_else_stays(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError, match="line 1: "):
        Answers(tmp_path, "Ann", PAIRS)
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("row", "labels", "message"),
    [
        (5, LABELLED, "row: expected an integer from 0 to 4, got 5"),
        (0, of(4), "answer to row 0: insertion: expected 0, 1, 2, -1 or null, got int 4"),
        (0, {"other": 1}, "labels: expected insertion, deletion, substitution"),
        (0, [1, 2, 0], "labels: expected insertion, deletion, substitution"),
    ],
)
def test_what_is_no_answer_isnt_kept(tmp_path: Path, row: Any, labels: Any, message: str) -> None:
    answers = Answers(tmp_path, "Ann", PAIRS)
    with pytest.raises(InputError, match=f"^{message}"):
        answers.give(row, labels)
    assert not answers.path.exists()


def test_a_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ann.jsonl").mkdir()
    with pytest.raises(InputError, match=r"ann.jsonl can't be used: Is a directory"):
        Answers(tmp_path, "Ann", PAIRS)


# Pairs


def test_pairs_are_read_from_a_table(tmp_path: Path) -> None:
    path = written(tmp_path, "id,system,source,prediction\n7,A,One.,1.\n7,B,One.,2.\n", "p.csv")
    assert annotation.read_pairs(path) == [
        Pair("7", "A", "One.", "1."),
        Pair("7", "B", "One.", "2."),
    ]


def test_without_ids_rows_are_counted(tmp_path: Path) -> None:
    path = written(tmp_path, '{"source": "a", "prediction": "b"}\n' * 2, "p.jsonl")
    assert [pair.id for pair in annotation.read_pairs(path)] == [1, 2]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"source": "a"}], "no column 'prediction'"),
        ([{"prediction": "a"}], "no column 'source'"),
        ([{"source": "a", "prediction": None}], "row 0 of column 'prediction'"),
        (
            [
                {"id": 1, "source": "a", "prediction": "b"},
                {"id": "1", "source": "", "prediction": ""},
            ],
            r"row 1 of .*p.jsonl \(counted from 0\): id '1' stands in a row before, too: expected",
        ),
        ([{"id": None, "source": "a", "prediction": "b"}], "row 0 of column 'id'.*, got None"),
        ([{"system": 5, "source": "a", "prediction": "b"}], "row 0 of column 'system'"),
    ],
)
def test_bad_pairs_are_refused(tmp_path: Path, rows: Any, message: str) -> None:
    path = written(tmp_path, "".join(json.dumps(row) + "\n" for row in rows), "p.jsonl")
    with pytest.raises(InputError, match=message):
        annotation.read_pairs(path)


def known_file(folder: Path, *rows: dict[str, Any]) -> Path:
    texts = {"source": "a", "prediction": "b"}
    return written(folder, "".join(json.dumps({**texts, **row}) + "\n" for row in rows), "k.jsonl")


def test_known_labels_may_be_missing_but_not_all_of_a_row(tmp_path: Path) -> None:
    pairs, known = annotation.read_qualification(known_file(tmp_path, of(0, None, -1), of([2])))
    assert len(pairs) == 2
    assert known == [of(0, None, -1), of(2)]
    with pytest.raises(InputError, match=r"row 1 of .* expected a known label, got none"):
        annotation.read_qualification(known_file(tmp_path, of(0), of(None, None, None)))
    with pytest.raises(InputError, match=r"row 0 of column 'deletion' .* expected one label"):
        annotation.read_qualification(known_file(tmp_path, of(0, [1, 1])))
    with pytest.raises(InputError, match=r"row 0 of column 'deletion' .* expected one of 0, 1, 2"):
        annotation.read_qualification(known_file(tmp_path, of(0, 7)))
    with pytest.raises(InputError, match="no column 'insertion'"):
        annotation.read_qualification(
            written(tmp_path, '{"source": "", "prediction": ""}\n', "k.jsonl")
        )


def test_qualifying_counts_the_known_labels_that_were_given() -> None:
    known = [of(0, 1, None), of(-1, -1, -1)]
    assert annotation.qualification({0: of(0, 2, 2), 1: of(-1, -1, None)}, known) == (3, 5)
    assert annotation.qualification({}, known) == (0, 5)


# Merging


def test_files_are_merged_into_lists_of_labels_with_their_majority(tmp_path: Path) -> None:
    paths = [
        answered(tmp_path, "Ann", of(0, 1, 2), of(1)),
        answered(tmp_path, "Bob", of(0, 2, 2)),
        answered(tmp_path, "Cem", of(1, 0, None), of(1)),
    ]
    first, second = merge(paths)
    assert first["source"] == PAIRS[0].source
    assert first["annotators"] == second["annotators"] == ["Ann", "Bob", "Cem"]
    assert {name: first[name] for name in CATEGORIES} == of([0, 0, 1], [1, 2, 0], [2, 2, None])
    assert [first[f"{name}_majority"] for name in CATEGORIES] == [0, None, 2]
    assert second["insertion"] == [1, None, 1]


def test_a_half_written_end_is_left_out_of_a_merge_and_left_in_the_file(tmp_path: Path) -> None:
    path = answered(tmp_path, "Ann", of(0))
    torn(Answers(tmp_path, "Ann", PAIRS), 1, of(1), 60)
    before = path.read_bytes()
    assert len(merge([path])) == 1
    assert path.read_bytes() == before


def test_one_annotator_may_have_several_files_of_different_pairs(tmp_path: Path) -> None:
    one = answered(tmp_path / "1", "Ann", of(0), pairs=PAIRS[:2])
    two = answered(tmp_path / "2", "ann", of(1), pairs=PAIRS[2:])
    assert [row["insertion"] for row in merge([one, two])] == [[0], [1]]


def test_files_that_dont_fit_together_are_refused(tmp_path: Path) -> None:
    one, bob = answered(tmp_path, "Ann", of(0)), answered(tmp_path, "Bob", of(0))
    with pytest.raises(
        InputError, match="line 1: annotator 'Ann' answers id 0 in another file, too"
    ):
        merge([one, one])
    changed = [Pair(0, "", "Other.", PAIRS[0].prediction)]
    other = answered(tmp_path / "other", "Cem", of(0), pairs=changed)
    with pytest.raises(
        InputError, match=r"cem.jsonl, line 1: id 0 has the source .* but .*ann.jsonl"
    ):
        merge([one, other])
    both = written(tmp_path, one.read_text() + bob.read_text(), "both.jsonl")
    with pytest.raises(
        InputError, match="line 2: an answer of annotator 'Bob', but line 1 is of 'A"
    ):
        merge([both])
    for path, message in (
        (written(tmp_path, "", "empty.jsonl"), "empty.jsonl: expected answers, got none"),
        (tmp_path / "none.jsonl", "none.jsonl: no such file"),
        (written(tmp_path, "x\n", "bad.jsonl"), "bad.jsonl, line 1: expected an answer"),
    ):
        with pytest.raises(InputError, match=message):
            merge([one, path])
    with pytest.raises(InputError, match="expected files of answers, got none"):
        merge([])


def test_disagreements_name_what_is_to_be_discussed(tmp_path: Path) -> None:
    rows = merge(
        [
            answered(tmp_path, "Ann", of(0, 1, -1), of(0), of(0, None)),
            answered(tmp_path, "Bob", of(0, 2, 0), of(0), of(0, 2)),
        ]
    )
    (found,) = annotation.disagreements(rows)
    assert found["discuss"] == ["deletion", "substitution"]
