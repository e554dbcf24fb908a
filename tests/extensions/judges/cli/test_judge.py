"""``textsimp judge``: a jury's answers in a file, and whether to believe them."""

import csv
import random
from collections import Counter
from pathlib import Path

import pytest

from tests.extensions.judges.loopback import FAULTS, serve, varied
from tests.given import lines, rows, systems, write
from textsimp.extensions.people import design, read_plan

MODELS = "--model m n o"


def judge(server, more=""):
    files = "-s source.txt -p systems/splitter.txt -o j.jsonl"
    return f"judge {files} {MODELS} --base-url {server.address} {more}"


def test_a_dry_run_prints_what_a_run_takes_and_a_prompt(examples, succeed):
    result = succeed("judge -s source.txt -p systems --model m n --dry-run -o j.jsonl")
    first, second, _, *prompt = result.stdout.splitlines()
    assert first == "192 requests; each invalid answer is one more"
    assert second.startswith("about ")
    assert prompt[0].startswith("You read a source and a simpler version of it.")
    assert not Path("j.jsonl").exists()


def test_it_prints_how_far_to_believe_judges(examples, run):
    with serve(varied) as server:
        result = run(judge(server))
    assert result.exit_code == 0, result.output
    assert "\nfluency     m " in result.stdout
    assert "alpha among judges: fluency " in result.stdout


def test_a_spent_budget_is_told_and_fails(examples, run):
    with serve(varied) as server:
        result = run(judge(server, "--max-requests 0"))
        assert (result.exit_code, result.stdout) == (1, "")
        assert "144 questions have no answer yet" in result.stderr
        result = run(judge(server, "--max-requests 100"))
        assert result.exit_code == 1
        note = "44 questions have no answer yet: the budget is spent. Run again to go on."
        assert note in result.stderr
        dry = run(judge(server, "--dry-run"))
    assert dry.stdout.startswith("44 requests, and 100 are answered already; ")


def test_a_plan_for_people_and_their_answers(examples, run):
    run("rate design -s source.txt -p systems --scheme level --per-rater 40 -o p.jsonl")
    plan = read_plan("p.jsonl")
    rng = random.Random(0)
    answers = [
        row
        for screen in plan.screens
        for row in screen.answers(plan.scheme, {"level": rng.choice(["A2", "B1", "B2"])})
    ]
    write("people.jsonl", answers)
    with serve(varied) as server:
        more = f"--base-url {server.address} -o j.jsonl --people people.jsonl --csv"
        result = run(f"judge --plan p.jsonl {MODELS} {more}")
        assert len(server.requests) == 3 * len({(s.item, s.predictions) for s in plan.screens})
    table = csv.DictReader(result.stdout.splitlines())
    assert [row["judge"] for row in table] == ["m", "n", "o", "people"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("-s source.txt -p systems --model m -o j.jsonl", "base_url: expected the address"),
        ("--plan p.jsonl --controls --model m -o j.jsonl", "--plan: expected no -s, -p, -d"),
        ("-s source.txt -p systems --model m m --dry-run -o j.jsonl", "expected different names"),
    ],
)
def test_bad_arguments_are_one_sentence(examples, fails, arguments, message):
    assert message in fails(f"judge {arguments}")


@pytest.mark.slow
def test_a_jury_of_three_through_faults_beside_people(examples, run, succeed):
    """The whole way: ask, fail, go on; then ratings and meta read the file."""
    with serve(varied, faults=["not JSON", "not JSON", *FAULTS]) as server:
        asked = judge(server, "-r references --timeout 0.2 --concurrency 1")
        assert run(asked).exit_code == 1  # as a question had too many faults
        succeed(asked)
    judged = rows("j.jsonl")
    answered = {(row["rater"], row["item"], *row["system"]) for row in judged}
    assert len(judged) == len(answered) == 144

    plan = design(lines("source.txt"), {"splitter": systems()["splitter"]}, raters=2)
    rng = random.Random(0)
    people = []
    for screen in plan.screens:
        rating = {name: rng.randint(1, 5) for name in plan.scheme.criteria} | {"simpler": 0}
        people += screen.answers(plan.scheme, rating)
    write("people.jsonl", people)
    invalid = Counter(row["rater"] for row in judged if row["invalid"])
    assert invalid

    printed = succeed("ratings j.jsonl people.jsonl").stdout
    assert "5 raters" in printed
    for name, count in invalid.items():
        assert f"{name}: {count} of 48 answers are invalid, and count nowhere else" in printed
    assert "judge(model:m,reported:m,fingerprint:fp_1,prompt:" in printed

    meta = succeed("meta -d j.jsonl --rating simplicity -m sari")
    assert "sari" in meta.stdout
