"""``textsimp check``."""

import datetime
import json
import math
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.given import columns, lines, rows, systems
from textsimp import score

FILES = "-s source.txt -r references -p systems"


def test_notes_alone_have_exit_code_0_too(examples, succeed):
    result = succeed(f"check {FILES} -p copy=source.txt")
    assert result.output.endswith("\nno problems, 1 note in 48 examples\n")


def test_errors_and_problems_are_printed_first_and_have_exit_code_1(examples, run):
    outputs = lines("systems/splitter.txt")
    Path("lost.txt").write_text("\n".join([*outputs[:19], *outputs[20:], "", ""]), "utf-8")
    result = run(f"check {FILES} -p lost.txt -p copy=source.txt")
    assert result.exit_code == 1
    first, second, note, last = result.output.splitlines()
    assert first.startswith("error: lost seems shifted: its outputs match the sources one line")
    assert first.endswith("(examples 20–48)")
    assert second == "problem: lost: 1 output is empty (example 48)"
    assert note.startswith("note: copy is the sources")
    assert note.endswith("(examples 1–48)")
    assert last == "1 error, 1 problem, 1 note in 48 examples"


def test_references_may_be_missing_and_data_may_be_a_table(examples, run):
    assert run("check -s source.txt -p systems").exit_code == 0
    assert run("check -d examples.jsonl -P splitter -P substituter").exit_code == 0
    Path("one.jsonl").write_text('{"source": "A", "prediction": ""}\n', "utf-8")
    result = run("check -d one.jsonl")
    assert result.output.endswith("\n1 problem in 1 example\n")


def test_bad_input_is_one_sentence(examples, fails):
    assert "check needs sources" in fails("check -p systems")
    assert "check needs predictions" in fails("check -s source.txt")
    Path("short.txt").write_text("One line.\n", "utf-8")
    assert "short.txt" in fails("check -s source.txt -p short.txt")


def _write_outputs(*first):
    outputs = lines("systems/splitter.txt")
    Path("ours.txt").write_text("\n".join([*first, *outputs[len(first) :], ""]), "utf-8")


REFUSAL = "I'm sorry, but I can't help with that."
THOUGHTS = "<think>Shorter.</think> Here is a simpler version: It rained a lot."


def test_fix_writes_cleaned_outputs_and_lists_each_change(examples, run, as_json):
    _write_outputs(REFUSAL, THOUGHTS)
    before = Path("ours.txt").read_text("utf-8").splitlines()
    result = run("check -s source.txt -p ours.txt --fix clean.txt")
    assert result.exit_code == 1
    assert "\nremoved: reasoning (example 2), as in <think>Shorter.</think> Here" in result.output
    assert "\nremoved: preamble (example 2), as in " in result.output
    assert result.output.endswith("\n1 output changed; written: clean.txt\n")
    after = Path("clean.txt").read_text("utf-8").splitlines()
    assert after == [REFUSAL, "It rained a lot.", *before[2:]]
    report = as_json("check -s source.txt -p ours.txt --fix c.txt")
    assert report["changes"] == [
        {
            "example": 2,
            "removed": ["reasoning", "preamble"],
            "before": THOUGHTS,
            "after": "It rained a lot.",
        }
    ]


def test_fix_overwrites_nothing_and_takes_one_system(examples, fails):
    _write_outputs(REFUSAL)
    assert "--force" in fails("check -s source.txt -p ours.txt --fix source.txt")
    assert "ends with .txt, .jsonl" in fails("check -s source.txt -p ours.txt --fix new.csv")
    assert "one system" in fails("check -s source.txt -p systems --fix new.txt")
    assert not Path("new.txt").exists()


def test_fix_keeps_lines_in_jsonl_and_joins_them_in_a_text_file(examples, run):
    given = [{"source": "A b.", "prediction": "B\n\nc."}, {"source": "D.", "prediction": "“E.”"}]
    Path("in.jsonl").write_text("\n".join(map(json.dumps, given)), "utf-8")
    result = run("check -d in.jsonl --fix out.txt")
    assert Path("out.txt").read_text("utf-8") == "B c.\nE.\n"
    assert "\nremoved: line breaks (example 1), as in B" in result.output
    run("check -d in.jsonl --fix out.jsonl")
    assert rows("out.jsonl") == [given[0], {"source": "D.", "prediction": "E."}]


def test_fix_keeps_the_other_columns_of_a_table(examples, run):
    table = {"source": ["A b.", "C d."], "output": ["“B.”", "D."], "x": [math.nan, 1.0]}
    table["date"] = [datetime.date(2026, 1, 2)] * 2
    pq.write_table(pa.table(table), "in.parquet")
    run("check -d in.parquet -P output --fix out.jsonl")
    first = {"source": "A b.", "output": "B.", "x": None, "date": "2026-01-02"}
    assert rows("out.jsonl") == [first, {**first, "source": "C d.", "output": "D.", "x": 1.0}]


def test_a_source_among_the_references_is_named_by_its_file(examples, run):
    Path("references/source.txt").write_bytes(Path("source.txt").read_bytes())
    assert "reference 4 in references/source.txt is the source" in run(f"check {FILES}").output


def test_fix_lists_what_it_left_alone(examples, run, as_json):
    _write_outputs(REFUSAL, THOUGHTS, "<think>a</think>The cat.</think>The dog.")
    result = run("check -s source.txt -p ours.txt --fix clean.txt")
    assert "\nleft alone: refusals or questions to the user (example 1)\n" in result.output
    assert "\nleft alone: a model's reasoning (example 3)\n" in result.output
    assert "left alone: words of a prompt" not in result.output
    report = as_json("check -s source.txt -p ours.txt --fix c.txt")
    assert report["left"] == {"reasoning": [3], "refusals": [1]}


def test_an_error_has_exit_code_1_and_is_named_by_score(examples, run):
    files = "-s references/0.txt -p systems/splitter.txt -r source.txt"
    result = run(f"check {files}")
    assert result.exit_code == 1
    assert result.output.startswith("error: splitter: the references are mostly longer")
    assert result.output.endswith("1 error in 48 examples\n")
    warning = run(f"score {files} --resamples 10").stderr
    assert "Warning: 1 error in the texts (swapped): textsimp check" in warning


def test_an_error_of_the_sources_is_told_and_nothing_is_ranked(examples, run):
    prefixed = [f"simplify: {line}" for line in lines("source.txt")]
    Path("prefixed.txt").write_text("\n".join(prefixed), "utf-8")
    result = run("score -s prefixed.txt -r references -p systems/splitter.txt --resamples 10")
    assert "shows it; the sources: 48 of 48 texts begin with “simplify:”" in result.stderr
    assert result.stdout.startswith("Nothing can be ranked: the sources: 48 of 48 texts begin with")


def test_score_compare_and_report_name_the_command_that_shows_problems(examples, run):
    _write_outputs(REFUSAL)
    files = f"{FILES} -p ours.txt"
    command = "textsimp check -s source.txt -p systems -p ours.txt -r references"
    line = f"Warning: 1 problem in the texts (refusals): {command} shows it\n"
    options = "--resamples 10"
    for typed in (f"score {files}", f"compare {files}", f"report {files} -o r.html --force"):
        result = run(f"{typed} {options}")
        assert (result.exit_code, line in result.stderr) == (0, True)
        assert "in the texts" not in run(f"{typed} {options} --no-check").stderr
    assert 'id="checks"' not in Path("r.html").read_text("utf-8")
    assert "in the texts" not in run(f"score {FILES} {options}").stderr


def test_english_formulas_on_german_texts_are_warned_of(examples, run):
    texts = ["Der Hund ist nicht im Haus.", "Das ist eine Stadt.", "Er kam mit dem Kind."] * 20
    Path("de.txt").write_text("\n".join([*texts, ""]), "utf-8")
    files = "-s de.txt -p de.txt"
    assert "look German" in run(f"score -m fkgl_components {files}").stderr
    assert "note: the sources look German" in run(f"check {files}").output
    result = run(f"report {files} -o r.html --resamples 10")
    assert "look German" in Path("r.html").read_text("utf-8")
    assert result.exit_code == 0


def test_score_checks_both_ends_of_a_large_corpus(tmp_path, run, monkeypatch):
    monkeypatch.setattr("textsimp.scoring.soundness.ENDS", 12)
    monkeypatch.chdir(tmp_path)
    lines = [f"The {word} number {i} is here." for i in range(30) for word in ("old", "new")]
    Path("s.txt").write_text("\n".join(lines), encoding="utf-8")
    for row, where in ((3, "first and last 12 examples"), (30, ""), (58, "first and last 12")):
        outputs = [line.replace("number", "no.") for line in lines]
        outputs[row] = "I'm sorry, but I can't help with that."
        Path("p.txt").write_text("\n".join(outputs), encoding="utf-8")
        warning = run("score -m edit_ops -s s.txt -p p.txt").stderr
        assert ("(refusals" in warning, where in warning) == (bool(where), True), warning


def _write_many_systems():
    """Twelve systems: two are sound, the others have the prompt in the same rows, and more."""
    Path("many").mkdir()
    for number in range(12):
        pairs = enumerate(zip(*systems().values(), strict=True))
        own = [a if i % 12 < number else b for i, (a, b) in pairs]
        for i in range(4 if number > 1 else 0):
            own[i] = "Rewrite the complex sentence with simple sentences."
        for i in range(10, 10 + number if number > 1 else 0):
            own[i] = "Felafel and filafil are modified English spellings."
        Path(f"many/s{number}.txt").write_text("\n".join([*own, ""]), "utf-8")


MANY = "-s source.txt -r references -p many"


def test_many_findings_become_one_picture_of_the_damage(examples, run, monkeypatch):
    _write_many_systems()
    monkeypatch.setattr("textsimp.cli.check_report._MAX_LISTED", 9)
    shown = run(f"check {MANY}").output.splitlines()
    assert shown[0] == ("2 of 12 systems are clean; 0 have 1–5 % unsound outputs, and 10 more.")
    assert shown[1].startswith("Without unsound outputs the ranking by SARI ")
    assert "10 systems: a prompt or another example" in shown
    head = next(i for i, line in enumerate(shown) if line.startswith("system "))
    assert shown[head].split() == ["system", "unsound", "SARI", "without", "mostly"]
    assert [line.split()[0] for line in shown[head + 1 : -1]][:3] == ["s11", "s10", "s9"]
    assert "31 %" in shown[head + 1]
    assert shown[-1].endswith("; --each lists all")
    assert len(shown) <= 20


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize(
    "options",
    [
        MANY,
        "-s references/0.txt -r source.txt -p many -p systems",
        f"{MANY} --each",
        f"{MANY} -p turned.txt --each",
    ],
)
def test_lines_fit_a_terminal_and_break_no_word(options, width, examples, run, monkeypatch):
    _write_many_systems()
    turned = [*lines("source.txt")[1:], "Here is a simpler version: it rained."]
    Path("turned.txt").write_text("\n".join([*turned, ""]), "utf-8")
    words = run(f"check {options}").stdout.split()
    monkeypatch.setattr("textsimp.cli.printing.terminal_width", lambda: width)
    shown = run(f"check {options}").stdout
    assert max(map(len, shown.splitlines())) <= width
    assert {*shown.split()} <= {*words}


def test_a_picture_of_many_errors_is_a_screen_too(examples, run):
    _write_many_systems()
    files = "-s references/0.txt -r source.txt -p many -p systems"
    assert run(f"check {files} --each").output.count("error: ") == 14
    output = run(f"check {files}").output
    assert output.count("error: ") == 3
    assert len(output.splitlines()) <= 20


def test_json_has_rows_by_system_and_the_ranking(examples, as_json):
    _write_many_systems()
    report = as_json(f"check {MANY}")
    (echo,) = [one for one in report["findings"] if one["kind"] == "echo"]
    assert echo["rows"]["s7"] == [1, 2, 3, 4]
    assert report["ranking"]["examples"] == 48 - 4 - 11
    assert {*report["ranking"]["ranks"]} == {f"s{i}" for i in range(12)}


def test_score_and_compare_say_if_the_ranking_changes(examples, run):
    _write_outputs(*[REFUSAL] * 10)  # of which SARI thinks more than of the source
    better = [*lines("source.txt")[:10], *lines("systems/substituter.txt")[10:], ""]
    Path("better.txt").write_text("\n".join(better), "utf-8")
    files = "-s source.txt -r references/1.txt -p ours.txt -p better.txt"
    said = "ithout unsound outputs the ranking by SARI changes on the 38 examples"
    for command in ("score", "compare"):
        assert said in run(f"{command} {files} --resamples 10").stderr
        assert said not in run(f"{command} {files} --resamples 10 --no-check").stderr


def test_findings_are_a_table_in_other_forms(examples, run):
    _write_outputs(REFUSAL)
    result = run("check -s source.txt -p ours.txt --csv")
    header, row = result.stdout.splitlines()
    assert (result.exit_code, header) == (1, '"gravity","kind","finding","systems","examples"')
    assert row.startswith('"problem","refusals"')
    assert run(f"check {FILES} --csv").stdout == f"{header}\n"


def test_each_run_is_checked_and_its_file_is_named(seeds, run):
    Path("runs/1.txt").write_text("\n" + "\n".join(seeds[1][1:]), "utf-8")
    found = run("check -s source.txt -r references -p ours=runs -p systems")
    assert "problem: ours (run 2): 1 output is empty (example 1)\n" in found.stdout
    assert "\nours (run 2): runs/1.txt\n" in found.stdout


def test_systems_of_runs_are_ranked_without_outputs_that_are_unsound_in_any_run(seeds, as_json):
    Path("runs/1.txt").write_text("\n" + "\n".join(seeds[1][1:]), "utf-8")
    files = "check -s source.txt -r references -p ours=runs -p systems --json"
    ranking = as_json(files)["ranking"]
    assert ranking["examples"] == 47
    assert {*ranking["ranks"]} == {"ours", "splitter", "substituter"}
    runs = [*seeds[:1], ["", *seeds[1][1:]], *seeds[2:]]
    mean = score({"ours": runs}, **columns(), confidence=None)["ours"]["sari"].main.value
    assert ranking["scores"]["ours"][0] == pytest.approx(mean)
