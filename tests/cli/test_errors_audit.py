"""``textsimp errors-audit``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from textsimp.audits import errors as auditing

ARGUMENTS = "-m bleu -p systems/splitter.txt -r references --error number --resamples 20 --share 1"


def audit() -> auditing.Audit:
    def lines(path: str) -> list[str]:
        return Path(path).read_text("utf-8").splitlines()

    references = zip(*(lines(f"references/{i}.txt") for i in range(3)), strict=True)
    return auditing.audit(
        "bleu",
        lines("systems/splitter.txt"),
        references=[list(row) for row in references],
        errors=["number"],
        shares=[1.0],
        resamples=20,
    )


def test_the_changes_are_those_of_the_library(examples: Path, run: Any) -> None:
    result = run(f"errors-audit {ARGUMENTS} --json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report.pop("system") == "splitter"
    assert report == audit().to_dict()


def test_the_table_has_a_row_per_error_and_says_what_was_noticed(examples: Path, run: Any) -> None:
    output = run(f"errors-audit {ARGUMENTS} --error negated -m sari -s source.txt").output
    heads = [line.split("  ")[0] for line in output.splitlines() if "outputs  before" in line]
    assert heads == ["bleu (easse)", "sari (easse)"]
    assert output.count("\nnegated ") == 2
    assert "BLEU (easse) gets worse: number, negated." in output
    assert "sari|variant:easse|" in output


def test_errors_that_no_output_can_have_are_told(examples: Path, run: Any) -> None:
    Path("one.txt").write_text("It was 5 then.\n", encoding="utf-8")
    result = run("errors-audit -m fkgl_components -p one.txt")
    assert result.exit_code == 0, result.output
    assert "No output can have phrase_inserted_1, " in result.output


def test_curves_are_drawn(examples: Path, run: Any, fails: Any) -> None:
    command = f"errors-audit {ARGUMENTS} --plot curves.png"
    result = run(command)
    assert result.exit_code == 0, result.output
    assert result.output.endswith("written: curves.png\n")
    assert Path("curves.png").read_bytes().startswith(b"\x89PNG")
    assert fails(command).startswith("curves.png is there already")
    assert run(f"{command} --force").exit_code == 0


def test_json_is_alone_on_standard_output_beside_a_picture(examples: Path, run: Any) -> None:
    result = run(f"errors-audit {ARGUMENTS} --resamples 9 --json --plot curves.PNG")
    assert json.loads(result.stdout)["system"] == "splitter"
    assert result.stderr.endswith("written: curves.PNG\n")


def test_tables_are_printed_in_other_forms(examples: Path, run: Any) -> None:
    assert run(f"errors-audit {ARGUMENTS} --markdown").stdout == audit().to_markdown()
    assert run(f"errors-audit {ARGUMENTS} --latex").stdout == audit().to_latex()
    header, *rows = run(f"errors-audit {ARGUMENTS} --csv").stdout.splitlines()
    assert header.startswith('"metric","score","error",')
    assert len(rows) == len(audit().to_frame())


def test_bad_input_writes_nothing(examples: Path, fails: Any) -> None:
    before = sorted(Path().rglob("*"))
    for arguments, message in (
        ("-m fkgl_components -p systems", "errors-audit takes one system, got split"),
        (
            "-m information_errors -p x",
            "metrics: information_errors needs insertion, which an audit",
        ),
        (f"{ARGUMENTS} --resamples 0", "resamples: expected an integer"),
        (f"{ARGUMENTS} --share 2", "shares: expected ascending numbers"),
        (f"{ARGUMENTS} --error x", "errors: expected some of"),
        (f"{ARGUMENTS} -O x=1", "unknown option 'x' of bleu"),
        (f"{ARGUMENTS} --plot a.txt", "--plot: expected a file that ends with .png"),
    ):
        assert fails(f"errors-audit {arguments}").startswith(message)
    assert sorted(Path().rglob("*")) == before
