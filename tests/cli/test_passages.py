"""A column that reads files: where the command line finds its rows."""

import json
from pathlib import Path

import pytest

from tests.given import users_systems


@pytest.fixture
def parses(examples, monkeypatch):
    """The current directory: source.txt, systems/, passages/, passages.mrp."""
    monkeypatch.chdir(examples / "parses")
    return examples / "parses"


TEXTS = "-s source.txt -p systems/splitter.txt"
JSON = "--json --resamples 10"


def samsa(result):
    assert result.exit_code == 0, result.output
    (scores,) = users_systems(result.stdout).values()
    return scores["samsa"]["samsa"]


@pytest.fixture(params=["folder", "graphs", "list", "windows", "csv", "jsonl"])
def arguments(request, parses):
    files = [f"passages/{i}.json" for i in range(4)]
    if request.param == "folder":
        return f"{TEXTS} -c passages=passages"
    if request.param == "graphs":
        return f"{TEXTS} -c passages=passages.mrp"
    if request.param in ("list", "windows"):
        ending = "\n" if request.param == "list" else "\r\n"
        Path("list.txt").write_bytes("".join(f"{file}{ending}" for file in files).encode())
        return f"{TEXTS} -c passages=list.txt"
    predictions = Path("systems/splitter.txt").read_text().splitlines()
    graphs = map(json.loads, Path("passages.mrp").read_text().splitlines())
    if request.param == "csv":
        lines = [
            "prediction,parse",
            *(f'"{p}",{f}' for p, f in zip(predictions, files, strict=True)),
        ]
        Path("data.csv").write_text("\n".join(lines))
        return "-d data.csv -c passages=parse"
    rows = [{"prediction": p, "passage": g} for p, g in zip(predictions, graphs, strict=True)]
    Path("data.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return "-d data.jsonl"


def test_passages_are_a_folder_a_file_or_a_column(run, arguments):
    assert samsa(run(f"score -m samsa {arguments} {JSON}")) == 96.875


def test_one_file_is_one_passage(run, parses):
    for name in ("source.txt", "systems/splitter.txt"):
        Path(name).write_text(Path(name).read_text().splitlines()[0] + "\n")
    assert samsa(run(f"score -m samsa {TEXTS} -c passages=passages/0.json {JSON}")) == 100


def test_files_of_a_folder_come_in_the_order_of_their_numbers(run, parses):
    for i in range(4):
        Path(f"passages/{i}.json").rename(f"passages/{i + 8}.json")  # 8, 9, 10, 11
    assert samsa(run(f"score -m samsa {TEXTS} -c passages=passages {JSON}")) == 96.875


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (TEXTS, "samsa needs passages: give -d DATA, which has it, or -c passages=COLUMN, FILE or"),
        (f"{TEXTS} -c passages=nowhere", "nowhere: no such file"),
        (f"{TEXTS} -c passages=systems", "systems: a folder without .json or .mrp files"),
        (f"{TEXTS} -c passages=passages/0.json", "has 4 lines, but passages/0.json has 1 file"),
        (f"{TEXTS} -c passages=source.txt", "row 0 of passages in source.txt (counted from 0): An"),
        (
            "-s systems/splitter.txt -p systems/splitter.txt -c passages=passages",
            "row 0 of passages (counted from 0): expected a parse of its source",
        ),
    ],
)
def test_what_is_wrong_with_passages_is_told(fails, parses, arguments, message):
    assert message in fails(f"score -m samsa {arguments}")


def test_a_report_has_no_place_for_passages(fails, parses):
    stderr = fails("report -m samsa -s source.txt -p systems -c passages=passages")
    assert "samsa needs passages, which a report doesn't have" in str(stderr)
