"""``textsimp statement``: what files of answers say to a reviewer."""

import json

import pytest

import textsimp
from tests.given import write


def _answers(path, *raters, **more):
    rows = [
        {"rater": rater, "item": item, "system": system, "fluency": 3 + (system == "a"), **more}
        for rater in raters
        for item in "12"
        for system in "ab"
    ]
    return write(path, rows)


SCHEME = {
    "name": "own",
    "version": 1,
    "instructions": "Read {it}.",
    "criteria": {"fluency": {"question": "Is it fluent?", "level": "ordinal"}},
}


@pytest.fixture
def scheme(tmp_path):
    steps = dict.fromkeys("12345", "step")
    criteria = {"fluency": SCHEME["criteria"]["fluency"] | {"steps": steps}}
    return write(tmp_path / "own.json", SCHEME | {"criteria": criteria})


def test_people_have_instructions_numbers_agreement_and_blanks(tmp_path, scheme):
    answers = textsimp.statement(_answers(tmp_path / "a.jsonl", "Ann", "Bob"), scheme).answers
    asked = answers["D1"][0]
    assert "“Read {it}.”" in asked
    assert "“Is it fluent?”" in asked
    assert answers["D2"][0] == "2 people gave 8 ratings of outputs of 2 systems for 2 sources."
    assert "fluency 1.00" in answers["C3"][0]
    assert all(answers[question][-1][0] == "[" for question in ("D1", "D2", "D3", "D4"))
    assert "E1" not in answers


def test_judges_have_model_settings_and_their_share_of_invalid_answers(tmp_path, scheme):
    asked = {"model": "m", "reported": "m-2026", "prompt": "c0ffee", "temperature": 0.0}
    path = _answers(tmp_path / "m.jsonl", "m", judge=asked, invalid="")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows[0] |= {"fluency": None, "invalid": "no JSON"}
    write(path, rows)
    people = _answers(tmp_path / "people.jsonl", "Ann", "Bob")
    answers = textsimp.statement([path, people], scheme).answers
    judge = answers["E1"][1]
    for fact in ("reported:m-2026", "prompt:c0ffee", "temperature:0.0", "25.0 % of its 4 answers"):
        assert fact in judge
    said = "1 language model gave 3 ratings of outputs of 2 systems for 2 sources."
    assert said in answers["E1"]
    assert "(95 % intervals over outputs): undefined with one rater;" in answers["C3"][1]
    assert answers["D2"][0].startswith("2 people gave 8 ratings")


def test_latex_escapes_all_but_code_and_citations(tmp_path, scheme):
    found = textsimp.statement(_answers(tmp_path / "a.jsonl", "Ann", "Bob"), scheme)
    latex = found.to_latex()
    assert r"Read \{it\}." in latex
    assert r"\texttt{own\textbar{}\allowbreak{}version:1" in latex
    assert latex.count(r"\begin{itemize}") == latex.count(r"\end{itemize}") == len(found.answers)
