"""Files of annotation tools, as their documentation shows them; small ones of ours."""

import json
from xml.etree import ElementTree

import pytest
import yaml

from textsimp import InputError, judgements
from textsimp.judgements import tool_files
from textsimp.judgements.tool_projects import export_project, list_tasks

PLAN = judgements.design(
    ["A long text.", "Another one."],
    {"a": ["A text.", "One."], "b": ["A text.", "Another."], "c": ["Text.", "Two."]},
    raters=2,
)
IDS = {task["prediction"]: key for key, task in list_tasks(PLAN).items()}


def rows_of(path, plan=None):
    table = tool_files.read(path, plan)
    columns = {name: table.column(name) for name in table.names}
    return [{name: rows[i] for name, rows in columns.items()} for i in range(len(columns["rater"]))]


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = data if path.suffix == ".jsonl" else [data]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "labels",
    [
        {"fluency": {"4": "4"}, "meaning": {"scale_5": "2"}},
        {"fluency": {"labels": {"4": True, "5": False}}, "meaning": {"2": "true"}},
        [[{"schema": "fluency", "name": "4"}, "4"], [{"schema": "meaning", "name": "2"}, True]],
    ],
)
def test_the_state_of_a_user_of_potato(tmp_path, labels):
    state = {"user_id": "ann", "instance_id_to_label_to_value": {IDS["Text."]: labels}}
    (row,) = rows_of(write(tmp_path / "user_state.json", state), PLAN)
    assert (row["rater"], row["system"], row["prediction"]) == ("ann", ["c"], "Text.")
    assert (row["item"], row["source"]) == ("1", "A long text.")
    assert (row["fluency"], row["meaning"]) == (4, 2)


def test_annotated_instances_of_potato_have_texts_and_the_rater_is_the_folder(tmp_path):
    instance = {
        "id": "x",
        "displayed_text": "A text.",
        "label_annotations": {"fluency": {"5": "5"}},
        "span_annotations": {},
    }
    (row,) = rows_of(write(tmp_path / "ben" / "annotated_instances.jsonl", [instance]))
    assert row == {"rater": "ben", "prediction": "A text.", "fluency": 5, "item": "x"}


def test_annotations_of_potato_need_the_plan(tmp_path):
    answer = {"id": IDS["Two."], "annotations": {"fluency": "3"}, "annotator": "ann"}
    path = write(tmp_path / "annotations.jsonl", [answer])
    (row,) = rows_of(path, PLAN)
    assert (row["prediction"], row["fluency"]) == ("Two.", 3)
    with pytest.raises(InputError):
        tool_files.read(path)


def studio(value, **more):
    result = [{"from_name": "fluency", "to_name": "prediction", "type": "x", "value": value}]
    return {"completed_by": 7, "result": result, "lead_time": 4.5, **more}


@pytest.mark.parametrize("value", [{"choices": ["4"]}, {"rating": 4}, {"number": 4}])
def test_json_of_label_studio_without_what_was_cancelled(tmp_path, value):
    data = {"task": IDS["Two."], "source": "Another one.", "prediction": "Two."}
    answers = [studio(value), studio({"rating": 1}, was_cancelled=True)]
    path = write(tmp_path / "export.json", [{"id": 3, "data": data, "annotations": answers}])
    (row,) = rows_of(path, PLAN)
    assert (row["rater"], row["seconds"], row["fluency"]) == (7, 4.5, 4)
    assert (row["system"], row["prediction"]) == (["c"], "Two.")
    (row,) = rows_of(path)
    assert (row["item"], row["prediction"]) == ("Another one.", "Two.")


def test_json_min_of_label_studio(tmp_path):
    answer = {"id": 3, "task": IDS["Two."], "annotator": 7, "annotation_id": 1, "lead_time": 2}
    row = {**answer, "fluency": "4", "meaning": {"choices": ["5"]}, "created_at": "now"}
    (found,) = rows_of(write(tmp_path / "min.json", [row]), PLAN)
    assert (found["rater"], found["fluency"], found["meaning"]) == (7, 4, 5)


def test_edits_of_thresh_are_counted_by_category_and_whether_they_are_good(tmp_path):
    def edit(category, **annotation):
        return {"category": category, "annotation": {**annotation, "grammar_error": "no"}}

    good = {"val": "good_deletion", "good_deletion": "a lot"}
    nested = {"val": "same", "same": {"val": "bad", "bad": "minor"}}
    row = {
        "source": "A long text.",
        "target": "A. || Text.",
        "metadata": {"annotator": "annotator_1", "system": "new/Muss"},
        "edits": [
            edit("deletion", deletion_type=good),
            edit("deletion", deletion_type={"val": "trivial_deletion"}),
            edit("substitution", substitution_info_change=nested),
        ],
    }
    plain = {"source": "s", "target": "t", "edits": None, "annotator": "2", "system": "x"}
    found, empty = rows_of(write(tmp_path / "salsa.json", [row, plain]))
    assert found["prediction"] == "A. Text."
    assert (found["rater"], found["system"]) == ("annotator_1", "new/Muss")
    assert (found["deletion"], found["deletion_good"], found["deletion_bad"]) == (2, 1, 0)
    assert (found["substitution"], found["substitution_good"]) == (1, 0)
    assert found["substitution_bad"] == 1
    assert (empty["rater"], empty["deletion"], empty["substitution_bad"]) == ("2", 0, 0)


@pytest.mark.parametrize("data", [[{"item": 1, "rater": "a"}], [], {"x": 1}, [1]])
def test_other_files_are_left_to_other_readers(tmp_path, data):
    assert tool_files.read(write(tmp_path / "a.json", data)) is None


def test_a_project_shows_each_output_once_and_no_system():
    files = export_project(PLAN, "label_studio")
    tasks = [task["data"] for task in json.loads(files["tasks.json"])]
    assert sorted(task["prediction"] for task in tasks) == [
        *("A text.", "Another.", "One.", "Text.", "Two."),
    ]
    assert all({*task} == {"task", "source", "prediction"} for task in tasks)
    choices = ElementTree.fromstring(files["config.xml"]).findall("Choices")
    assert [one.get("name") for one in choices] == list(PLAN.scheme.criteria)
    assert [choice.get("alias") for choice in choices[0]] == ["1", "2", "3", "4", "5"]


def test_a_project_of_potato_has_texts_as_html(tmp_path):
    plan = judgements.design(["a < b"], {"x": ["b"]}, "direct_assessment", raters=1)
    files = export_project(plan, "potato")
    (task,) = map(json.loads, files["tasks.jsonl"].splitlines())
    assert task["id"] == "1-1"
    assert "a &lt; b" in task["text"]
    config = yaml.safe_load(files["config.yaml"])
    assert {one["annotation_type"] for one in config["annotation_schemes"]} == {"slider"}
    assert config["item_properties"] == {"id_key": "id", "text_key": "text"}


def test_comparisons_are_no_project():
    plan = judgements.design(["s"], {"x": ["a"], "y": ["b"]}, "pairwise", raters=1)
    with pytest.raises(InputError):
        export_project(plan, "potato")


def test_ratings_of_a_project_are_those_of_its_plan(tmp_path):
    files = export_project(PLAN, "label_studio")
    tasks = json.loads(files["tasks.json"])
    for i, task in enumerate(tasks):
        rated = [studio({"choices": [str(1 + (i + rater) % 5)]}) for rater in range(2)]
        rated = [{**one, "completed_by": k} for k, one in enumerate(rated)]
        task |= {"id": i, "annotations": rated}
    path = write(tmp_path / "export.json", tasks)
    found = judgements.read(path, criteria=["fluency"], plan=PLAN)
    analysis = judgements.analyse(found, resamples=10)
    assert list(analysis.systems) == ["a", "b", "c"]
    assert analysis.counts["raters"] == 2
    assert analysis.counts["ratings"] == 10


def test_edits_are_ratings_without_a_scheme(tmp_path):
    rows = [
        {"source": f"s{i}", "target": f"{system} {i}", "system": system, "annotator": rater}
        | {"edits": [{"category": "deletion"}] * (i + (system == "a"))}
        for i in range(3)
        for system in "ab"
        for rater in "xy"
    ]
    analysis = judgements.analyse(judgements.read(write(tmp_path / "e.json", rows)), resamples=10)
    assert analysis.systems["a"]["deletion"].value == 2
    assert analysis.systems["b"]["deletion"].value == 1


TWO = {"choices": ["4", "5"]}
ANSWER = '{"id": "1-1", "annotations": {}, "annotator": "a"}\n'


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("a.jsonl", ANSWER + '{"id"', r"a\.jsonl, line 2: "),
        ("a.jsonl", ANSWER + '{"id": "2"}', r"a\.jsonl: .*'annotator'"),
        ("a.jsonl", ANSWER.replace("1-1", "9-9"), r"a\.jsonl: .*'9-9'"),
        ("e.json", json.dumps([{"id": 3, "data": {}, "annotations": [studio(TWO)]}]), "task 3: "),
    ],
)
def test_a_bad_answer_is_named_with_its_file_or_task(tmp_path, name, text, place):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=place):
        tool_files.read(tmp_path / name, PLAN)
