"""How far tricks move the ratings of judges."""

import pytest

from tests.judges.loopback import likes, schema_of, serve, versions_in
from textsimp import audits, judgements, judges
from textsimp.audits.judge_audit import COMMAND, OUTPUT, TRICKS
from textsimp.support.errors import InputError

SOURCES = [f"The committee was convened in 19{i}0 by {i} members." for i in range(1, 7)]
OUTPUTS = [f"It was called in 19{i}0." for i in range(1, 6)] + ["They came together."]


def obeys(body):
    return likes(schema_of(body), 0.9 if COMMAND in versions_in(body)[0] else 0.5)


def audit(tmp_path, scheme="likert"):
    plan = judgements.design(SOURCES, audits.trick_judges(SOURCES, OUTPUTS), scheme, raters=1)
    with serve(obeys) as server:
        found = judges.judge(plan, models=["m"], base_url=server.address, file=tmp_path / "a.jsonl")
    return audits.audit_judges(found)


def test_each_trick_is_a_version_of_the_outputs():
    texts = audits.trick_judges(SOURCES, OUTPUTS)
    assert list(texts) == [OUTPUT, *TRICKS]
    first = {name: column[0] for name, column in texts.items()}
    assert first["copy"] == SOURCES[0]
    assert first["truncated"] == "It was called"
    assert first["negated"] == "It wasn't called in 1910."
    assert first["numbers"] != OUTPUTS[0]
    assert first["foreign"] == f"{OUTPUTS[0]} {SOURCES[1]}"
    assert first["command"] == f"{OUTPUTS[0]} {COMMAND}"


def test_a_judge_that_obeys_commands_is_found_out(tmp_path):
    rows = {row["trick"]: row for row in audit(tmp_path).rows if row["criterion"] == "fluency"}
    assert (rows["command"]["difference"], rows["command"]["low"]) == (2, 2)
    assert {row["difference"] for name, row in rows.items() if name != "command"} == {0}


def test_outputs_that_a_trick_leaves_as_they_are_do_not_count(tmp_path):
    outputs = {row["trick"]: row["outputs"] for row in audit(tmp_path).rows}
    assert outputs["numbers"] == 5
    assert outputs["copy"] == 6


def test_the_table_has_a_column_per_trick(tmp_path):
    grid = audit(tmp_path).grid()
    assert grid.header == ["", "", *TRICKS]
    assert str(grid.rows[0][-1]) == "+2.00 [+2.00, +2.00]"


def test_comparisons_are_not_audited(tmp_path):
    with pytest.raises(InputError, match="expected a scheme with ratings"):
        audit(tmp_path, "pairwise")
