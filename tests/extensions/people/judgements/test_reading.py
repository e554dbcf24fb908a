"""Reading ratings: answers of the page, tables from elsewhere, tables with a row per output."""

import json
import math

import pytest

from textsimp import InputError
from textsimp.extensions import people
from textsimp.extensions.people import Scheme, analyse, read
from textsimp.extensions.people.judgements import numbers
from textsimp.extensions.people.judgements.judgements import index_outputs

LEVEL = Scheme.load("level")
PAIRS = Scheme.load("pairwise")
PAIR = {"scheme": "pairwise", "criteria": ["fluency"]}


def answer(rater="Ann", item="1", level="A2", **fields):
    """An answer as the page writes it."""
    row = {**LEVEL.stamp, "rater": rater, "item": item, "system": ["ours"], "source": "A feline."}
    row |= {"prediction": "A cat.", "control": "", "level": level, "time": "2024-05-01T10:00:00"}
    return {**row, **fields}


def test_answers_of_the_page_say_which_scheme_they_are_of(written):
    ratings = read(written([answer(), answer("Bob", level="B1")]))
    assert ratings.scheme == str(LEVEL)
    assert ratings.raters == ["Ann", "Bob"]
    assert ratings.values("level").tolist() == [1, 2]


@pytest.mark.parametrize("item", [1.0, "1.0"])
def test_an_item_is_the_same_if_its_number_is_written_as_a_float(item, written):
    files = [written([answer()]), written([answer("Bob", item=item)], "answers.csv")]
    assert set(read(files).answers["item"]) == {"1"}
    files[1] = written([answer("Bob", item=item)], "more.jsonl")
    assert set(read(files).answers["item"]) == {"1"}


@pytest.mark.parametrize("name", ["answers.csv", "answers.jsonl"])
def test_names_of_raters_and_systems_are_stripped_and_numbers_are_whole(name, written):
    cells = [("Ann", "a"), ("Ann\u00a0", " a"), ("\tAnn", "a "), ("Ann  B.", "b"), ("Ann B.", "b")]
    cells += [(1, 2), (1.0, 2.0), ("1.0", "2")]
    rows = [
        {"rater": rater, "item": i, "system": system, "x": i}
        for i, (rater, system) in enumerate(cells)
    ]
    found = read(written(rows, name), criteria=["x"])
    assert found.raters == ["Ann", "Ann B.", "1"]
    assert {*found.frame["system"]} == {("a",), ("b",), ("2",)}


@pytest.mark.parametrize("column", ["rater", "system"])
@pytest.mark.parametrize(
    "names", ["MUSS muss", "Ann Ann\u200b", "Ann \u0410nn", "Ann Ａnn", "gpt-4 gpt\u20114"]
)
def test_names_that_differ_in_case_or_look_are_noted(column, names, written, capsys):
    alike = names.split()
    rows = [{"rater": "A", "item": 1, "x": 1, column: name} for name in (*alike, "Anna")]
    assert len(read(written(rows), criteria=["x"])) == 3
    told = f"{column}s {', '.join(map(ascii, alike))} differ in case or look only\n"
    assert capsys.readouterr().err == told


def test_a_plan_s_names_are_those_of_answers_that_are_stripped(written, tmp_path):
    plan = people.design(["A long text."], {"a ": ["A text."]}, names=["Ann"])
    (row,) = plan.screens[0].answers(plan.scheme, [dict.fromkeys(plan.scheme.criteria, 1)])
    path = written([{**row, "rater": "Ann ", "system": ["a "]}])
    assert not read(path, plan=plan).missing


@pytest.mark.parametrize("none", ["", "NA", "NaN", "n/a"])
def test_no_answer_may_be_written_as_r_and_pandas_do(none, written):
    rows = [{"rater": "A", "item": i, "fluency": cell} for i, cell in enumerate((4, none, 2))]
    found = read(written(rows, "answers.csv"), criteria=["fluency"])
    assert found.values("fluency").tolist() == [4, 2]
    scheme = {"scheme": "likert", "criteria": ["fluency"]}
    assert read(written(rows, "answers.csv"), **scheme).values("fluency").tolist() == [4, 2]


@pytest.mark.parametrize("scheme", [None, "likert"])
def test_a_decimal_comma_is_an_error_that_says_what_to_write(scheme, written):
    rows = [{"rater": "A", "item": i, "fluency": cell} for i, cell in enumerate(("4", "3,5"))]
    with pytest.raises(InputError, match=r"row 1 of .*'3,5': it has a decimal comma, write 3\.5$"):
        read(written(rows, "answers.csv"), scheme, criteria=["fluency"])


EARLIER, TIME, LATER = "2024-05-01T09:59:59+00:00", "2024-05-01T10:00:00", "2024-05-01T10:00:01Z"


@pytest.mark.parametrize(
    ("times", "last"),
    [
        ((TIME, TIME), 1),  # as the page appends corrections
        ((LATER, TIME, EARLIER), 0),
        ((LATER, "2024-05-01T12:00:01+02:00"), 1),  # the same time
        *(((late, 1700000100), 0) for late in (1700000300, 1700000300.5, "1700000300")),
        *(((TIME, unknown), 0) for unknown in (None, "", 17)),
        *(((unknown, TIME), 1) for unknown in (None, "", 17)),
    ],
)
def test_the_answer_with_the_latest_time_counts_and_of_equal_ones_the_last(times, last, written):
    levels = ["A1", "B1", "C1"][: len(times)]
    rows = [answer(level=level, time=time) for level, time in zip(levels, times, strict=True)]
    ratings = read(written([*rows, answer(item="2")]))
    found = dict(zip(ratings.answers["item"], ratings.values("level"), strict=True))
    assert found == {"1": 2 * last, "2": 1}


@pytest.mark.parametrize("time", ["2024-01-03 9:00", "yesterday", 1700000000000000, True])
def test_a_time_that_cant_be_read_is_an_error_with_its_row(time, written):
    with pytest.raises(InputError, match=r"row 1 of column 'time' of .*: expected a time"):
        read(written([answer(), answer("Bob", time=time)]))


def test_seconds_may_be_unknown(written):
    rows = [answer(str(i), seconds=cell) for i, cell in enumerate([None, "", 0, "2.5"])]
    seconds = read(written(rows)).answers["seconds"].tolist()
    assert math.isnan(seconds[0])
    assert math.isnan(seconds[1])
    assert seconds[2:] == [0, 2.5]


def test_answers_without_any_rating_are_no_ratings(written):
    found = read(written([answer(), answer("Bob", level=None), answer("Cleo", level=None)]))
    assert found.raters == ["Ann"]
    with pytest.raises(InputError):
        analyse(read(written([answer(level=None)])), resamples=10)


def test_an_answer_that_was_taken_back_is_no_rating(written):
    assert read(written([answer(), answer("Bob"), answer(level=None)])).raters == ["Bob"]


def test_a_repeated_item_is_no_correction(written):
    ratings = read(written([answer(), answer(level="C1", control="repeat")]))
    assert ratings.answers["control"].tolist() == ["", "repeat"]
    assert ratings.values("level").tolist() == [1, 4]


@pytest.mark.parametrize("name", ["spreadsheet.csv", "spreadsheet.jsonl"])
def test_a_table_from_elsewhere_needs_rater_item_system_and_ratings(name, written):
    rows = [
        {"rater": "Ann", "item": 1, "system": "ours", "fluency": 80, "meaning": ""},
        {"rater": "Bob", "item": 1, "system": "ours", "fluency": 70, "meaning": 55.5},
    ]
    ratings = read(written(rows, name), criteria=["fluency", "meaning"])
    assert ratings.answers["system"].tolist() == [("ours",)] * 2
    assert ratings.values("fluency").tolist() == [80, 70]
    assert math.isnan(ratings.values("meaning")[0])


@pytest.mark.parametrize("name", ["wide.csv", "wide.jsonl"])
def test_a_table_with_a_row_per_output_has_lists_of_ratings(name, written):
    form = json.dumps if name == "wide.csv" else list
    rows = [
        {"item": 1, "system": "a", "simplicity": form([1, 3]), "raters": form(["Ann", "Bob"])},
        {"item": 1, "system": "b", "simplicity": form([2, None]), "raters": form(["Cy", "Bob"])},
    ]
    ratings = read(written(rows, name), criteria=["simplicity"])
    assert ratings.answers["rater"].tolist() == ["Ann", "Bob", "Cy"]
    assert ratings.values("simplicity").tolist() == [1, 3, 2]


def test_raters_without_names_are_numbered_by_their_places(written):
    ratings = read(written([{"item": 1, "simplicity": [4, None, 2]}]), criteria=["simplicity"])
    assert ratings.raters == ["1", "3"]


def test_of_outputs_that_are_compared_the_better_has_1_and_the_worse_0(written):
    base = {**PAIRS.stamp, "rater": "Ann", "system": [["a"], ["b", "c"]]}
    rows = [
        {**base, "item": str(i), "fluency": x, "meaning": None, "simplicity": "A"}
        for i, x in enumerate(["A", "B", "equal"])
    ]
    ratings = read(written(rows))
    assert ratings.frame["system"][:2].tolist() == [("a",), ("b", "c")]
    assert ratings.values("fluency").tolist() == [[1, 0], [0, 1], [0.5, 0.5]]


def test_meta_takes_them_by_output(written):
    rows = [
        answer(rater, str(i), level, system=[["a", "b"][i % 2]], prediction=text)
        for rater in ("Ann", "Bob")
        for i, (level, text) in enumerate([("A1", "A cat."), ("B2", "It was."), ("C1", "Felines.")])
    ]
    columns = read(written([*rows, answer(control="source")])).by_output()
    assert columns["system"] == ["a", "b", "a"]
    assert columns["level"] == [[0, 0], [3, 3], [4, 4]]


def test_an_output_of_several_systems_counts_for_each(written):
    columns = read(written([answer(system=["a", "b"])])).by_output()
    assert (columns["system"], columns["level"]) == (["a", "b"], [[1], [1]])


@pytest.mark.parametrize(
    ("rows", "options", "place"),
    [
        ([answer(), answer(hash="0")], {}, "row 1 of column 'hash' of"),
        ([answer(version=2)], {}, "row 0 of column 'version' of"),
        ([answer(scheme="mine")], {}, "'mine'"),
        ([answer(level="D1")], {}, "row 0 of column 'level' of"),
        ([answer(source="x"), answer("B")], {}, "row 1 of .*row 0 of"),
        ([answer(), answer("B", prediction="x")], {}, "row 1 of .*row 0 of"),
        ([answer(prediction=["x"])], {}, "row 0 of column 'prediction' of"),
        *(
            ([answer(seconds=2), answer("B", seconds=seconds)], {}, "row 1 of column 'seconds' of")
            for seconds in ("x", -5, "-0.1", 10**400, "inf", [3], True)
        ),
        (
            [{"rater": 1, "item": 1, "system": ["a", "b"], "prediction": ["x"], "fluency": "A"}],
            PAIR,
            "row 0 of column 'prediction' of",
        ),
        ([answer(rater="")], {}, "row 0 of column 'rater' of"),
        ([answer(control="x")], {}, "row 0 of column 'control' of"),
        ([{"rater": 1, "item": 1, "x": 1}] * 2, {"criteria": ["x"]}, "row 1 of .*'1'.* row 0 of"),
        ([{"rater": 1, "x": [1, 2]}], {"criteria": ["x"]}, "column 'x' of"),
        ([{"x": [1], "raters": []}], {"criteria": ["x"]}, "row 0 of column 'raters' of"),
        ([{"x": 1}], {}, "'scheme'"),
        ([{"x": 1}], {"scheme": "likert"}, "'fluency'"),
        ([{"overall": 101}], {"scheme": "rank_and_rate"}, "row 0 of column 'overall' of"),
        ([{"fluency": "A"}], PAIR, "'rater'"),
        ([{"rater": "A", "fluency": "C"}], PAIR, "row 0 of column 'fluency' of"),
        ([{"rater": "A", "fluency": ["A"]}], PAIR, "row 0 of column 'fluency' of"),
        ([{"rater": "A", "fluency": "A", "system": ["a"]}], PAIR, "row 0 of column 'system' of"),
    ],
)
def test_bad_answers_are_told_with_file_row_and_column(rows, options, place, written):
    with pytest.raises(InputError, match=f"{place} .*answers.jsonl|answers.jsonl.*{place}"):
        read(written(rows), **options)


def test_a_rater_has_one_file(written):
    files = [written([answer()], "a.jsonl"), written([answer(), answer(item="2")], "b.jsonl")]
    with pytest.raises(InputError, match=r"row 0 of .*b\.jsonl .*row 0 of .*a\.jsonl"):
        read(files)


def test_outputs_without_systems_have_none_for_meta(written):
    ratings = read(written([{"rater": "A", "item": 1, "x": 2}]), criteria=["x"])
    assert ratings.by_output() == {"item": ["1"], "x": [[2]]}


def test_a_step_may_be_written_as_pandas_does_beside_gaps(written):
    """A column of whole numbers becomes one of floats if a cell is empty."""
    steps = {"fluency": "5.0", "meaning": "4", "simplicity": "", "simpler": "-1.0"}
    rows = [{"rater": "A", "item": "1", "system": "x", **steps}]
    found = read(written(rows, "answers.csv"), "likert")
    assert found.values("fluency").tolist() == [5]
    assert found.values("simpler").tolist() == [-1]
    assert math.isnan(found.values("simplicity")[0])


def test_compared_outputs_are_found_in_the_first_item_that_has_both_texts(written):
    choices = dict.fromkeys(PAIRS.criteria, "A")
    rows = [
        {**PAIRS.stamp, "rater": "A", "item": "x", "system": ["u", "v"], "source": source}
        | {"prediction": ["A  cat.", "A dog."], **choices}
        for source in ("A feline.", "Another.")
    ]
    rows[1]["item"] = "y"
    cat, dog = ("A feline. ", "A cat."), ("A feline.", "A dog.")
    outputs = [(1, *cat, ["a"]), (2, *cat, ["a"]), (2, *dog, ["b", "c"]), (2, *dog, ["d"])]
    found = read(written(rows)).find(index_outputs(outputs))
    assert found == [(2, (("a",), ("b", "c", "d"))), None]


@pytest.mark.parametrize("missing", [math.nan, None, "", "nan", " NaN", "NA", "n/a"])
def test_a_missing_rating_is_nan(missing):
    (row,) = numbers.matrix([["1", missing]], "rating")
    assert row == pytest.approx([1, math.nan], nan_ok=True)
