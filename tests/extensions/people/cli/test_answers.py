"""The same answers in files of all kinds, read by every command with the plan."""

import json
import zlib
from io import BytesIO
from pathlib import Path

import pytest

from tests.extensions.judges.loopback import likes, schema_of, serve
from tests.given import write
from tests.report.pages import measures_of
from textsimp.corpora.tables import SHEET
from textsimp.extensions.people import export_sheets, read_plan
from textsimp.extensions.people.judgements.tool_projects import number_answers

openpyxl = pytest.importorskip("openpyxl")
pytest.importorskip("altair")

TEXTS = "-s source.txt -p systems -r references"
READ = "--plan plan.jsonl --resamples 20"
FORMS = ("jsonl", "torn", "csv", "sheets", "potato", "label_studio")


def say(criterion, steps, task, rater):
    """A rater's answer, which is that of the other one or a step more."""
    steps, key = [*steps], f"{criterion} {task}"
    first = zlib.crc32(key.encode()) % (len(steps) - 1)
    return steps[first + zlib.crc32(f"{key} {rater}".encode()) % 2]


def cell(value):
    """A cell of CSV, where lists are JSON."""
    return json.dumps(value) if isinstance(value, list) else value


def fill(book, said):
    """A rater's sheet with ratings in its cells: task → criterion → rating."""
    filled, file = openpyxl.load_workbook(BytesIO(book)), BytesIO()
    head, *rows = filled[SHEET].iter_rows()
    columns = {cell.value: i for i, cell in enumerate(head)}
    for row in rows:
        for name, rating in said[row[0].value].items():
            row[columns[name]].value = rating
    filled.save(file)
    return file.getvalue()


@pytest.fixture
def study(examples, run):
    """A plan with controls, and folders of the same answers: one for each form."""
    run(f"rate design {TEXTS} --names ann bob --items 12 --controls -o plan.jsonl")
    plan, exported = read_plan("plan.jsonl"), []
    answers, said = {"ann": [], "bob": []}, {"ann": {}, "bob": {}}
    for task, rater, row in number_answers(plan):
        scales = {name: criterion.steps for name, criterion in plan.scheme.criteria.items()}
        ratings = {name: say(name, steps, task, rater) for name, steps in scales.items()}
        answers[rater].append({**row, **ratings})
        said[rater][task] = ratings
        chosen = [{"from_name": n, "value": {"choices": [str(r)]}} for n, r in ratings.items()]
        result = {"completed_by": rater, "result": chosen}
        exported.append({"id": len(exported), "data": {"task": task}, "annotations": [result]})
    books = export_sheets(plan)
    for rater, rows in answers.items():
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        write(f"jsonl/{rater}.jsonl", text)
        write(f"torn/{rater}.jsonl", text.encode() + b'{"scheme": "likert", "source": "\xc3')
        write(f"csv/{rater}.csv", [{name: cell(row[name]) for name in row} for row in rows])
        write(f"sheets/{rater}.xlsx", fill(books[f"{rater}.xlsx"], said[rater]))
        state = {"user_id": rater, "instance_id_to_label_to_value": said[rater]}
        write(f"potato/{rater}/user_state.json", state)
    write("label_studio/export.json", exported)


def test_files_of_every_form_have_the_same_numbers(study, succeed):
    for command in (f"ratings {{}} {READ} --csv", f"meta -d {{}} {READ} --rating meaning --csv"):
        said = {form: succeed(command.format(form)).stdout for form in FORMS}
        assert [form for form in FORMS if said[form] != said["jsonl"]] == []


@pytest.mark.parametrize(
    ("command", "written"),
    [
        ("statement {} --plan plan.jsonl", None),
        (f"report {TEXTS} --ratings {{}} {READ} --no-check --force -o out.html", "out.html"),
        (f"figure people {TEXTS} --ratings {{}} {READ} --force -o out.html", "out.csv"),
    ],
)
def test_every_command_reads_the_plan_s_sheets(command, written, study, succeed):
    said = {}
    for form in ("jsonl", "sheets"):
        printed = succeed(command.format(form)).stdout
        text = Path(written).read_text("utf-8") if written else printed
        said[form] = measures_of(text) if "report" in command else text
    assert said["sheets"] == said["jsonl"]


def test_the_numbers_of_commands_are_those_of_ratings(study, succeed):
    found = json.loads(succeed(f"ratings sheets {READ} --json").stdout)
    mean, (low, high) = (found["systems"]["splitter"][f"simplicity{x}"] for x in ("", "_interval"))
    succeed(f"figure people {TEXTS} --ratings sheets {READ} -o out.html")
    assert f",{mean},{low},{high}" in Path("out.csv").read_text("utf-8")
    alpha = json.loads(succeed("ratings sheets --plan plan.jsonl --json").stdout)["agreement"]
    alpha = alpha["simplicity"]["raters"]
    said = "simplicity {:.2f} [{:.2f}, {:.2f}]".format(alpha["alpha"], *alpha["interval"])
    assert said in succeed("statement sheets --plan plan.jsonl").stdout


def test_a_half_written_last_line_is_noted(study, succeed):
    note = "torn/ann.jsonl: the last line is half-written, and left out\n"
    assert note in succeed(f"ratings torn {READ}").stderr


def test_judges_are_compared_with_sheets_of_their_plan(study, run):
    said = {}
    for form in ("jsonl", "sheets"):
        with serve(lambda body: likes(schema_of(body), 0.4)) as server:
            asked = f"--plan plan.jsonl --model m --base-url {server.address} -o {form}.jsonl"
            result = run(f"judge {asked} --people {form}")
        assert result.exit_code == 0, result.output
        said[form] = result.stdout
    assert "people" in said["sheets"]
    assert said["sheets"] == said["jsonl"]


def test_the_columns_to_choose_from_are_named(study, fails):
    columns = "'fluency', 'meaning', 'simplicity', 'simpler'"
    message = f"sheets: choose a column by --rating: {columns}"
    assert fails("meta -d sheets --plan plan.jsonl") == message


@pytest.mark.parametrize("command", ["ratings", f"report {TEXTS} --ratings", "statement"])
def test_sheets_need_their_plan(study, fails, command):
    message = "sheets/ann.xlsx: a spreadsheet for a rater names no systems: pass its --plan"
    assert fails(f"{command} sheets") == message


def test_judges_of_files_cant_be_compared_with_sheets_of_a_plan(study, fails):
    asked = f"judge {TEXTS} --model m --base-url http://127.0.0.1:1/v1 -o judges.jsonl"
    message = "a spreadsheet for a rater names no systems: pass its --plan, in place of -s and -p"
    assert fails(f"{asked} --people sheets") == f"sheets/ann.xlsx: {message}"
    assert not Path("judges.jsonl").exists()


def test_a_statement_counts_the_controls_that_raters_passed(study, succeed):
    found = json.loads(succeed("ratings sheets --plan plan.jsonl --json").stdout)["raters"]
    passed, controls = (sum(own[key] for own in found.values()) for key in ("passed", "controls"))
    assert controls
    said = f"Raters passed {passed} of {controls} controls."
    assert said in succeed("statement sheets --plan plan.jsonl").stdout
