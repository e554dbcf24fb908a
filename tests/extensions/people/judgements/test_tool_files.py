"""Files of annotation tools: what their servers wrote (``exports/``), and small ones of ours."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from tests.given import write
from textsimp import InputError
from textsimp.extensions import people
from textsimp.extensions.people.judgements import tool_files
from textsimp.extensions.people.judgements.tool_projects import export_project, list_tasks

PLAN = people.design(
    ["A long text.", "Another one."],
    {"a": ["A text.", "One."], "b": ["A text.", "Another."], "c": ["Text.", "Two."]},
    raters=2,
)
IDS = {task["prediction"]: key for key, task in list_tasks(PLAN).items()}

EXPORTS = Path(__file__).parent / "exports"
TASKS = ("2-1", "1-1", "1-2", "2-2")


def rows_of(path, plan=None):
    table, _ = tool_files.read(path, plan)
    columns = {name: table.column(name) for name in table.names}
    return [{name: rows[i] for name, rows in columns.items()} for i in range(len(columns["rater"]))]


def written(*names, outputs=4):
    """What a tool's files say, and what its raters were made to say, see exports/README.md."""
    plan = people.read_plan(EXPORTS / "plan.jsonl")
    found = people.read([EXPORTS / name for name in names], plan=plan).frame
    tasks = {task["prediction"]: key for key, task in list_tasks(plan).items()}
    keys = zip(found["rater"], found["prediction"].map(tasks), found["criterion"], strict=True)
    said = {
        (rater, task, name): [*criterion.codes][(i + j + 2 * k) % 5]
        for k, rater in enumerate(("anna", "ben"))
        for i, task in enumerate(TASKS[:outputs])
        for j, (name, criterion) in enumerate(plan.scheme.criteria.items())
    }
    return dict(zip(keys, found["value"], strict=True)), said


@pytest.mark.parametrize(
    "name",
    ["annotation_output", "annotations.jsonl", "annotations.csv", "annotations.tsv"],
)
def test_ratings_are_read_from_all_that_potato_writes(name):
    found, said = written(f"potato/{name}")
    assert found == said


def test_a_rater_s_folder_of_potato_is_read_alone():
    found, said = written("potato/annotation_output/ben")
    assert found == {key: value for key, value in said.items() if key[0] == "ben"}


@pytest.mark.parametrize("name", ["result.json", "result_min.json", "result.csv"])
def test_ratings_are_read_from_all_that_label_studio_writes(name):
    found, said = written(f"label_studio/{name}", outputs=3)
    names = {"2": "anna", "3": "ben"}
    assert {(names[rater], *about): value for (rater, *about), value in found.items()} == said


@pytest.mark.parametrize("name", ["result.json", "result_min.json", "result.csv"])
def test_stars_and_sliders_of_label_studio_are_numbers(name):
    rows = rows_of(EXPORTS / "label_studio" / name, people.read_plan(EXPORTS / "plan.jsonl"))
    found = {(str(row["rater"]), row["prediction"]): (row["stars"], row["percent"]) for row in rows}
    # rater 2 is k = 0, rater 3 is k = 1: stars 1 + (i + 2k) mod 5, percent 10i + k
    expected = {"2": [(1, 0), (2, 10), (3, 20)], "3": [(3, 1), (4, 11), (5, 21)]}
    for rater, own in expected.items():
        assert sorted(pair for (who, _), pair in found.items() if who == rater) == own


def test_of_changed_answers_the_last_that_potato_recorded_counts(tmp_path):
    def change(second, label):
        return {"timestamp": second, "schema_name": "fluency", "label_name": label}

    labels = [[{"schema": "fluency", "name": label}, label] for label in ("2", "3")]
    changes = [change(1, "2"), change(3, "2"), change(2, "3")]
    state = {
        "user_id": "ann",
        "instance_id_to_label_to_value": {IDS["Two."]: labels},
        "instance_id_to_behavioral_data": {
            IDS["Two."]: {"annotation_changes": [{**one, "action": "select"} for one in changes]}
        },
    }
    (row,) = rows_of(write(tmp_path / "user_state.json", state), PLAN)
    assert row["fluency"] == 2


def test_the_last_of_several_labels_has_a_column_of_its_own_in_potato_s_csv(tmp_path):
    head = "instance_id,user_id,fluency.2,fluency.3,fluency,fluency._spans"
    path = write(tmp_path / "annotations.csv", [head, f"{IDS['Two.']},ann,2,3,2,[]"])
    (row,) = rows_of(path, PLAN)
    assert row["fluency"] == 2


def test_version_1_of_potato_has_other_names(tmp_path):
    instance = {"user_id": "ann", "instance_id": IDS["Two."], "displayed_text": "Two."}
    labels = {"label_annotations": {"fluency": {"4": "4"}}}
    (row,) = rows_of(write(tmp_path / "annotated_instances.jsonl", [instance | labels]), PLAN)
    assert (row["rater"], row["fluency"]) == ("ann", 4)
    head = "user,instance_id,displayed_text,fluency:::4,fluency:::5"
    lines = [head, f"ann,{IDS['Two.']},Two.,True,"]
    (row,) = rows_of(write(tmp_path / "annotated_instances.csv", lines), PLAN)
    assert (row["rater"], row["fluency"]) == ("ann", 4)


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


@pytest.mark.parametrize("value", ["0", 0, 1, 0.0, "37.5"])
def test_a_slider_of_potato_is_a_number(tmp_path, value):
    labels = [[{"schema": "fluency", "name": "slider"}, value]]
    state = {"user_id": "ann", "instance_id_to_label_to_value": {IDS["Text."]: labels}}
    (row,) = rows_of(write(tmp_path / "user_state.json", state), PLAN)
    assert row["fluency"] == float(value)


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


def test_other_files_are_tables_as_they_stand(tmp_path):
    table, exported = tool_files.read(write(tmp_path / "a.json", [{"item": 1, "rater": "a"}]))
    assert (table.names, exported) == (["item", "rater"], False)


def test_a_folder_has_tables_but_no_hidden_ones_and_not_the_plan(tmp_path):
    for name in ("ann.xlsx", "ben.jsonl", "~$ann.xlsx", ".x.jsonl", "notes.txt"):
        write(tmp_path / name, [{"rater": "ben", "fluency": 1}])
    write(tmp_path / "plan.jsonl", PLAN.with_tokens().to_dicts())
    found = tool_files.list_files([tmp_path])
    assert [path.name for path in found] == ["ann.xlsx", "ben.jsonl"]


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
    plan = people.design(["a < b"], {"x": ["b"]}, "direct_assessment", raters=1)
    files = export_project(plan, "potato")
    (task,) = map(json.loads, files["tasks.jsonl"].splitlines())
    assert task["id"] == "1-1"
    assert "a &lt; b" in task["text"]
    config = yaml.safe_load(files["config.yaml"])
    assert {one["annotation_type"] for one in config["annotation_schemes"]} == {"slider"}
    assert config["item_properties"] == {"id_key": "id", "text_key": "text"}


@pytest.mark.parametrize("tool", ["potato", "label_studio"])
@pytest.mark.parametrize("scheme", ["likert", "level", "direct_assessment", "information_errors"])
def test_raters_read_what_each_step_means(tool, scheme):
    plan = people.design(["s"], {"x": ["a"]}, scheme, raters=1)
    files = export_project(plan, tool)
    if tool == "potato":
        questions = yaml.safe_load(files["config.yaml"])["annotation_schemes"]
        read = [[one["description"], *one.get("labels", ())] for one in questions]
        # Potato shows -2 as 2 otherwise.
        assert all(one["humanize_labels"] is False for one in questions if "labels" in one)
    else:
        view = ElementTree.fromstring(files["config.xml"])
        read = [[one.get("value") for one in view.iter() if one.tag in ("Header", "Choice")]]
    shown = " ".join(text for question in read for text in question)
    for criterion in plan.scheme.criteria.values():
        for step, meaning in criterion.steps.items():
            assert f"{step}: {meaning}" in shown


def test_raters_read_references_if_the_scheme_shows_them():
    criterion = {"question": "Is it good?", "steps": {"no": "No.", "yes": "Yes."}}
    fields = {"name": "own", "version": 1, "shows": ["references", "prediction"]}
    scheme = people.Scheme.from_dict({**fields, "criteria": {"good": criterion}})
    plan = people.design(["s"], {"x": ["a"]}, scheme, references=[["r", "r <2>"]], raters=1)
    (task,) = json.loads(export_project(plan, "label_studio")["tasks.json"])
    assert task["data"] == {"task": "1-1", "references": "r\nr <2>", "prediction": "a"}
    assert "r<br>r &lt;2&gt;" in json.loads(export_project(plan, "potato")["tasks.jsonl"])["text"]


@pytest.mark.parametrize("scheme", ["likert", "information_errors"])
def test_a_note_says_where_changes_are_not_marked(scheme, capsys):
    export_project(people.design(["s"], {"x": ["a"]}, scheme, raters=1), "potato")
    told = "information_errors: changes are marked by `textsimp rate serve`, not elsewhere\n"
    assert capsys.readouterr().err == (told if scheme == "information_errors" else "")


def test_comparisons_are_for_the_page_alone():
    plan = people.design(["s"], {"x": ["a"], "y": ["b"]}, "pairwise", raters=1)
    for export in (people.export_sheets, lambda plan: export_project(plan, "potato")):
        with pytest.raises(InputError, match="use `textsimp rate serve`"):
            export(plan)


def test_edits_are_ratings_without_a_scheme(tmp_path):
    rows = [
        {"source": f"s{i}", "target": f"{system} {i}", "system": system, "annotator": rater}
        | {"edits": [{"category": "deletion"}] * (i + (system == "a"))}
        for i in range(3)
        for system in "ab"
        for rater in "xy"
    ]
    analysis = people.analyse(people.read(write(tmp_path / "e.json", rows)), resamples=10)
    assert analysis.systems["a"]["deletion"].value == 2
    assert analysis.systems["b"]["deletion"].value == 1


TWO = {"choices": ["4", "5"]}
SEVERAL = {
    "instance_id": IDS["Two."],
    "user_id": "ann",
    "labels": {"fluency": {"2": "2", "3": "3"}},
}
OTHER = {"task": IDS["Two."], "source": "Another one.", "prediction": "Three."}
NO_SUCH = r"e\.json: the plan has no task '2-.*output str 'Three"
ANSWER = '{"id": "1-1", "annotations": {}, "annotator": "a"}\n'


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("a.jsonl", ANSWER + '{"id"\n' + ANSWER, r"a\.jsonl, line 2: "),
        ("a.jsonl", ANSWER + '{"id": "2"}', r"a\.jsonl: .*'labels'"),
        ("a.jsonl", ANSWER.replace("1-1", "9-9"), r"a\.jsonl: .*'9-9'"),
        ("e.json", [{"id": 3, "data": {}, "annotations": [studio(TWO)]}], "task 3: "),
        ("e.json", [{"id": 3, "data": OTHER, "annotations": [studio({})]}], NO_SUCH),
        ("a.jsonl", [SEVERAL], r"fluency, got '2', '3'.*user_state\.json"),
    ],
)
def test_a_bad_answer_is_named_with_its_file_or_task(tmp_path, name, text, place):
    with pytest.raises(InputError, match=place):
        tool_files.read(write(tmp_path / name, text), PLAN)
