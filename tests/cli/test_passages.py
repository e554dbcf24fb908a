"""A column of parses: where the command line finds its rows."""

import pytest

from tests.given import lines, rows, users_systems, write


@pytest.fixture
def parses(examples, monkeypatch):
    """The current directory: source.txt, systems/, passages.mrp."""
    monkeypatch.chdir(examples / "parses")
    return examples / "parses"


TEXTS = "-s source.txt -p systems/splitter.txt"
JSON = "--json --resamples 10"


def samsa(result):
    assert result.exit_code == 0, result.output
    (scores,) = users_systems(result.stdout).values()
    return scores["samsa"]["samsa"]


@pytest.fixture(params=["file", "jsonl"])
def arguments(request, parses):
    if request.param == "file":
        return f"{TEXTS} -c passages=passages.mrp"
    texts = zip(lines("parses/systems/splitter.txt"), rows("passages.mrp"), strict=True)
    write("data.jsonl", [{"prediction": text, "passage": graph} for text, graph in texts])
    return "-d data.jsonl"


def test_passages_are_a_file_or_a_column(run, arguments):
    assert samsa(run(f"score -m samsa {arguments} {JSON}")) == 96.875


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (TEXTS, "samsa needs passages: give -d DATA, which has it, or -c passages=COLUMN or FILE"),
        (f"{TEXTS} -c passages=nowhere", "nowhere: no such file"),
        (f"{TEXTS} -c passages=source.txt", "row 0 of passages in source.txt (counted from 0): ex"),
        (
            "-s systems/splitter.txt -p systems/splitter.txt -c passages=passages.mrp",
            "row 0 of passages (counted from 0): expected a parse of its source",
        ),
    ],
)
def test_what_is_wrong_with_passages_is_told(fails, parses, arguments, message):
    assert message in fails(f"score -m samsa {arguments}")


def test_a_report_has_no_place_for_passages(fails, parses):
    stderr = fails("report -m samsa -s source.txt -p systems -c passages=passages.mrp")
    assert "samsa needs passages, which a report doesn't have" in str(stderr)
