"""``textsimp rate``: a plan in a file, and the page, which is driven in tests/browser."""

import socket
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from tests.given import lines, rows, systems, write
from textsimp.extensions.people import design, export_project, read_plan


def test_it_writes_the_plan_of_design_and_says_how_long_it_takes(examples, succeed):
    result = succeed(
        "rate design -s source.txt -p systems --per-rater 30 --controls --seed 4 -o p.jsonl"
    )
    plan = design(lines("source.txt"), systems(), per_rater=30, controls=True, seed=4)
    planned = read_plan("p.jsonl")
    assert replace(planned, tokens={}) == plan
    told = [*plan.describe(), "written: p.jsonl", *planned.links(), ""]
    assert result.stdout == "\n".join(told)
    assert [line.split("?token=")[0] for line in planned.links()] == [
        *("rater 1: ", "rater 2: ", "rater 3: ")
    ]


def test_references_are_in_the_plan(examples, run):
    run("rate design -s source.txt -p systems -r references -o p.jsonl")
    assert len(rows("p.jsonl")[0]["references"]) == 3


def test_projects_of_other_tools_are_written_beside_the_plan(examples, run):
    run("rate design -s source.txt -p systems --potato pot --label-studio studio -o p.jsonl")
    plan = design(lines("source.txt"), systems())
    for folder, tool in (("pot", "potato"), ("studio", "label_studio")):
        files = {path.name: path.read_text("utf-8") for path in Path(folder).iterdir()}
        assert files == export_project(plan, tool)


@pytest.fixture
def unsound(examples):
    """Systems of which one has an empty output for the second source."""
    outputs = lines("systems/splitter.txt")
    outputs[1] = ""
    write("systems/splitter.txt", outputs)


def test_items_with_unsound_outputs_are_named(unsound, succeed):
    result = succeed("rate design -s source.txt -p systems -o p.jsonl")
    assert "flagged (--drop-flagged leaves them out): an empty output in items 2" in result.stdout
    assert "2" in {row["item"] for row in rows("p.jsonl")}


def test_items_with_unsound_outputs_are_left_out_of_ratings_and_controls(unsound, succeed):
    result = succeed(
        "rate design -s source.txt -p systems --controls --drop-flagged --items 47 -o p.jsonl"
    )
    assert "left out: an empty output in items 2" in result.stdout
    planned = rows("p.jsonl")
    numbers = {row["item"] for row in planned if not row["control"]}
    assert numbers == {str(i + 1) for i in range(48)} - {"2"}
    assert all(row["source"] == lines("source.txt")[int(row["item"]) - 1] for row in planned)
    assert "" not in {text for row in planned for text in row["prediction"]}


def test_some_sources_have_sound_outputs(examples, fails):
    write("systems/splitter.txt", "\n" * 48)
    told = fails("rate design -s source.txt -p systems --drop-flagged -o p.jsonl")
    assert told.startswith("--drop-flagged: every source has an unsound output")


def test_items_keep_the_numbers_of_their_rows_where_rows_are_skipped(examples, succeed):
    sources = lines("source.txt")
    write("gold.jsonl", [{"id": i, "source": text} for i, text in enumerate(sources)])
    for name, outputs in systems().items():
        kept = [(i, text) for i, text in enumerate(outputs) if i != 2 + len(name) % 2]
        cells = [{"id": i, "prediction": "" if i == 6 else text} for i, text in kept]
        write(f"{name}.jsonl", cells)
    files = "-d gold.jsonl -p splitter.jsonl substituter.jsonl --missing skip"
    result = succeed(f"rate design {files} --drop-flagged -o p.jsonl")
    assert "left out: an empty output in items 7" in result.stdout
    planned = rows("p.jsonl")
    assert {int(row["item"]) for row in planned} == {*range(1, 49)} - {3, 4, 7}
    assert all(row["source"] == sources[int(row["item"]) - 1] for row in planned)


def test_own_schemes_are_files(examples, run):
    criteria = {"good": {"question": "Is it good?", "steps": {"1": "No.", "2": "Yes."}}}
    write("own.json", {"name": "own", "version": 1, "criteria": criteria})
    result = run("rate design -s source.txt -p systems --scheme own.json -o p.jsonl")
    assert result.stdout.startswith("own: 288 ratings by 3 raters\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--per-rater 0", "per_rater: expected an integer of at least 1, got 0"),
        ("--items 49", "items: expected an integer from 1 to 48, got 49"),
        ("--outputs 1", "outputs: expected an integer of at least 2, got 1"),
        ("--per-output 4", "per_output: expected an integer from 1 to 3, got 4"),
    ],
)
def test_impossible_designs_are_one_sentence_and_write_nothing(arguments, message, examples, fails):
    assert fails(f"rate design -s source.txt -p systems -o p.jsonl {arguments}").startswith(message)
    assert not Path("p.jsonl").exists()


@pytest.fixture
def plan(examples, run):
    pytest.importorskip("gradio", reason="gradio is not installed")
    run("rate design -s source.txt -p systems -o p.jsonl")
    return Path("p.jsonl")


def test_sheets_are_written_whole_and_only_once(plan, run, fails):
    pytest.importorskip("openpyxl")
    assert "written: sheets/rater 1.xlsx" in run("rate sheet p.jsonl -o sheets").stdout
    assert "sheets/rater 1.xlsx" in fails("rate sheet p.jsonl -o sheets")
    assert run("rate sheet p.jsonl -o sheets --force").exit_code == 0


@pytest.fixture
def serve(run, monkeypatch):
    """What ``rate serve`` prints, of a page that ends at once."""

    class Page:
        def launch(self, **options):
            return None, "http://lab-pc:7860/", None

        def close(self, **options):
            pass

    page = "textsimp.extensions.people.page"
    monkeypatch.setattr(f"{page}.build_rate", lambda study, **options: Page())
    monkeypatch.setattr(threading.Event, "wait", lambda self: True)
    return lambda arguments: run(f"rate serve {arguments}").stdout.splitlines()


OWNER = "your page, to see how far raters are: http://lab-pc:7860/owner?token="
BEGUN = "http://lab-pc:7860/ (Ctrl-C ends it; answers are in answers)"


def test_links_are_those_of_the_plan(plan, serve):
    links = read_plan(plan).links("http://lab-pc:7860/")
    assert links[0].startswith("rater 1: http://lab-pc:7860/?token=")
    begun, owner, *raters = serve("p.jsonl")
    assert (begun, raters) == (BEGUN, links)
    begun, again = serve("p.jsonl --open")
    assert begun == BEGUN
    assert {len(line.removeprefix(OWNER)) for line in (owner, again)} == {22}
    assert owner != again


def test_links_of_a_plan_without_tokens_are_new_with_every_start(plan, serve):
    older = [{name: cell for name, cell in row.items() if name != "token"} for row in rows(plan)]
    write("older.jsonl", older)
    first, second = serve("older.jsonl"), serve("older.jsonl")
    told = "older.jsonl has no tokens: these links are new with every start"
    assert first[:2] == second[:2] == [told, BEGUN]
    assert len({*first[3:], *second[3:]}) == 6


def test_a_bad_plan_is_refused_before_a_page_is_served(plan, fails):
    first = rows("p.jsonl")[0]
    write("edited.jsonl", [{**first, "version": 0}])
    write("named.jsonl", [{**first, "rater": "a/b"}])
    for arguments, message in (
        ("none.jsonl", "none.jsonl: no such file"),
        ("source.txt", "source.txt"),
        ("edited.jsonl", "row 0 of column 'version' of edited.jsonl"),
        ("named.jsonl", "name of the rater: expected at most 60 letters, digits"),
        ("p.jsonl --answers source.txt", "source.txt is a file: expected a folder"),
    ):
        assert message in fails(f"rate serve {arguments}")
    assert not Path("answers").exists()


def test_answers_of_another_scheme_are_refused_and_stay(plan, fails):
    answer = {"scheme": "level", "version": 1, "hash": "x", "rater": "rater 1"}
    path = write("answers/rater 1.jsonl", [answer])
    before = path.read_bytes()
    message = fails("rate serve p.jsonl")
    assert "rater 1.jsonl, line 1: an answer of the scheme level|1|x, not of likert" in message
    assert path.read_bytes() == before


def test_a_port_in_use_is_refused(plan, fails):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        message = fails(f"rate serve p.jsonl --port {port}")
    assert message == f"--port {port}: expected one that is free on 127.0.0.1"


def test_design_says_if_the_ranking_changes_without_unsound_outputs(examples, run):
    outputs = lines("systems/splitter.txt")
    refused = ["I'm sorry, but I can't help with that."] * 10  # SARI prefers it to the source
    better = [*lines("source.txt")[:10], *lines("systems/substituter.txt")[10:]]
    write("ours.txt", [*refused, *outputs[10:]])
    write("better.txt", better)
    files = "-s source.txt -r references/1.txt -p ours.txt -p better.txt"
    said = "ithout unsound outputs the ranking by SARI changes on the 38 examples"
    assert said in run(f"rate design {files} --raters 3 -o plan.jsonl").output
