"""``textsimp audit gaming`` and ``textsimp audit errors``."""

from pathlib import Path

import pytest

from tests.commands import own_keys
from tests.given import columns, lines
from textsimp.extensions.audits import audit_errors, audit_gaming
from textsimp.extensions.audits.error_audit import ERRORS
from textsimp.extensions.audits.modifications import MODIFICATIONS

DATA = "-m bleu -p systems/splitter.txt -r references --share 1"
ARGUMENTS = {
    "gaming": f"{DATA} --modification random-the --repeats 3",
    "errors": f"{DATA} --error number --resamples 20",
}


@pytest.fixture(params=["gaming", "errors"])
def kind(request):
    return str(request.param)


def audit(kind):
    data = {
        "predictions": lines("systems/splitter.txt"),
        "references": columns()["references"],
        "shares": [1.0],
    }
    if kind == "gaming":
        return audit_gaming("bleu", **data, modifications=["random-the"], repeats=3)
    return audit_errors("bleu", **data, errors=["number"], resamples=20)


def test_the_differences_are_those_of_the_library(kind, examples, succeed):
    result = succeed(f"audit {kind} {ARGUMENTS[kind]} --json")
    report = own_keys(result)
    assert report.pop("system") == "splitter"
    assert report == audit(kind).to_dict()


def test_the_table_has_a_row_per_change_and_the_verdicts(kind, examples, run):
    output = run(f"audit {kind} {ARGUMENTS[kind]} -m sari:variant=xu -s source.txt").output
    heads = [line.split("  ")[0] for line in output.splitlines() if "outputs  before" in line]
    assert heads == ["BLEU (easse)", "SARI (xu)"]
    change = "random-the" if kind == "gaming" else "number"
    assert output.count(f"\n{change} ") == 2
    assert f"BLEU (easse) gets worse: {change}." in output
    assert "sari|variant:xu|" in output


def test_help_names_all_changes(run):
    for kind, names in (("gaming", [*MODIFICATIONS]), ("errors", [*ERRORS])):
        help_text = " ".join(run(f"audit {kind} --help").output.split())
        assert [name for name in names if name not in help_text.replace("- ", "-")] == []


def test_errors_that_no_output_can_have_are_named(examples, succeed):
    Path("one.txt").write_text("It was 5 then.\n", encoding="utf-8")
    result = succeed("audit errors -m fkgl_components -p one.txt")
    assert "No output can have phrase_inserted_1, " in result.output


def test_bad_input_writes_nothing(examples, fails):
    before = sorted(Path().rglob("*"))
    for arguments, message in (
        ("errors -m fkgl_components -p systems", "audit errors takes one system, got split"),
        ("gaming -m fkgl_components -p systems", "audit gaming takes one system, got split"),
        ("errors -m information_errors -p x", "metrics: information_errors needs insertion"),
        (f"errors {ARGUMENTS['errors'].replace('20', '0')}", "resamples: expected an integer"),
        (f"gaming {ARGUMENTS['gaming'].replace('ts 3', 'ts 0')}", "repeats: expected an integer"),
        (f"errors {ARGUMENTS['errors']} --share 2", "shares: expected ascending numbers"),
        (f"errors {ARGUMENTS['errors']} --error x", "errors: expected one of"),
        (f"gaming {ARGUMENTS['gaming']} -O x=1", "unknown option 'x' of bleu"),
    ):
        assert fails(f"audit {arguments}").startswith(message)
    assert sorted(Path().rglob("*")) == before
