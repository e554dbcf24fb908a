"""``textsimp gaming-audit``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from textsimp.audits import gaming

ARGUMENTS = "-p systems/splitter.txt --repeats 3 --share 0.5 --share 1 --modification random-the"


def audit(path: str = "systems/splitter.txt", **options: Any) -> dict[str, Any]:
    predictions = Path(path).read_text("utf-8").splitlines()
    return gaming.audit(
        predictions, repeats=3, shares=(0.5, 1.0), modifications=["random-the"], **options
    )


def test_the_curves_are_those_of_the_library(examples: Path, run: Any) -> None:
    result = run(f"gaming-audit {ARGUMENTS} --json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    expected = audit()
    assert report.pop("verdicts") == gaming.verdicts(expected)
    assert report.pop("system") == "splitter"
    assert report == expected


def test_references_add_bleu_and_sources_sari(examples: Path, run: Any) -> None:
    for files, metrics in (("", 1), ("-r references", 2), ("-s source.txt -r references", 3)):
        result = run(f"gaming-audit {ARGUMENTS} {files}")
        assert result.exit_code == 0, result.output
        assert result.output.count("random-the ") == metrics


def test_tables_are_headed_by_variants_and_say_what_counts(examples: Path, run: Any) -> None:
    output = run(f"gaming-audit {ARGUMENTS} -s source.txt -r references --bleu sacrebleu").output
    heads = [line.split("  ")[0] for line in output.splitlines() if " 0% " in line]
    assert heads == ["fkgl (default)", "bleu (sacrebleu)", "sari (joshua)"]
    assert "better by at least 0.1 and by more than 3 standard deviations" in output
    assert "bleu|variant:sacrebleu|nrefs:3|case:mixed|" in output


def test_formulas_are_audited_where_they_are_asked_for(examples: Path, run: Any) -> None:
    output = run(f"gaming-audit {ARGUMENTS} --readability").output
    heads = [line.split("  ")[0] for line in output.splitlines() if " 0% " in line]
    assert heads == [f"{name} (default)" for name in ("fkgl", *gaming.FORMULAS)]
    assert output.count("readability|variant:default|") == 1
    assert "Gunning fog is fooled by" in output


def test_curves_are_written_as_csv_and_drawn(examples: Path, run: Any, fails: Any) -> None:
    command = f"gaming-audit {ARGUMENTS} --csv curves.csv --plot curves.png"
    result = run(command)
    assert result.exit_code == 0, result.output
    assert Path("curves.png").read_bytes().startswith(b"\x89PNG")
    header, *rows = Path("curves.csv").read_text("utf-8").splitlines()
    assert header.startswith("metric,")
    assert len(rows) == len(list(gaming.rows(audit())))
    assert fails(command).startswith("curves.csv is there already")
    assert run(f"{command} --force").exit_code == 0


def test_bad_input_writes_nothing(examples: Path, fails: Any) -> None:
    before = sorted(Path().rglob("*"))
    for arguments, message in (
        ("-p systems --csv a.csv", "gaming-audit takes one system, got splitter, substituter"),
        (f"{ARGUMENTS} --csv a.csv --repeats 0", "repeats: expected an integer of at least 1"),
        (f"{ARGUMENTS} --plot a.txt", "--plot: expected a file that ends with .png, .pdf or .svg"),
        (f"{ARGUMENTS} --csv a.png --plot a.png", "a.png and a.png are the same file"),
        (f"{ARGUMENTS} --csv a.csv --sari x", "sari: expected one of"),
    ):
        assert fails(f"gaming-audit {arguments}").startswith(message)
    assert sorted(Path().rglob("*")) == before
