"""``textsimp power``: what a test set can detect, and how many examples a difference takes."""

import re

import pytest

from tests.given import columns, lines, systems, write
from textsimp import compare, power
from textsimp.scoring import headlines

from .test_score import FILES, SPLITTER


def test_it_says_what_compare_says_and_what_other_numbers_of_examples_do(examples, run):
    found = power(systems(), **columns(), examples=200, difference=1.5)
    compared = compare(systems(), **columns())["sari"]
    records = [(row["examples"], row["difference"]) for row in found.records()]
    sizes = [(48, compared.detectable), (200, compared.detectable_with(200))]
    assert records[:2] == [(n, pytest.approx(size)) for n, size in sizes]
    (fewest, _), wanted = records[2], 1.5
    assert compared.detectable_with(fewest) <= wanted < compared.detectable_with(fewest - 1)
    sizes.append((fewest, wanted))
    level = "--confidence 0.99999999"  # at which no system leads
    at_level = compare(systems(), **columns(), confidence=0.99999999)["sari"].detectable
    said = f"smallest detectable difference: {headlines.two_digits(at_level)} SARI)"
    assert said in run(f"compare {FILES} -p systems {level}").stdout
    printed = run(f"power {FILES} -p systems --examples 200 --difference 1.5").stdout
    rows = [line.split()[-2:] for line in printed.splitlines()[1:4]]
    assert rows == [[str(n), f"{size:.1f}"] for n, size in sizes]


def test_a_system_with_the_name_of_the_baseline_is_an_error(examples, fails):
    message = fails(f"power {FILES} -p", "source unchanged=systems/splitter.txt")
    assert message == "systems: 'source unchanged' names another row of tables: choose another name"


def test_a_single_system_is_compared_with_its_sources(examples, run):
    for metrics in ("sari", "bleu", "sari,bleu"):
        pair = run(f"power {FILES} -m {metrics} -p copy=source.txt {SPLITTER}").stdout
        assert run(f"power {FILES} -m {metrics} {SPLITTER}").stdout == pair
        assert len(pair.splitlines()) == 2 + len(metrics.split(","))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (f"{SPLITTER} --examples 9", "examples: expected an integer of at least 10, got 9"),
        (f"{SPLITTER} --difference 0", "difference: expected a number of at least .*"),
        (f"{SPLITTER} --baseline x", "baseline: expected one of .*, got 'x'"),
        ("-p source.txt", "expected outputs that differ, and a metric that says what is better"),
        (f"-m fkgl_components {SPLITTER}", "expected outputs that differ, and a metric .*"),
    ],
)
def test_bad_input_is_one_line(examples, fails, arguments, message):
    assert re.fullmatch(message, fails(f"power {FILES} {arguments}"))


def test_few_examples_and_one_system_without_sources_are_not_enough(examples, fails):
    message = fails(f"power -m bleu -r references {SPLITTER}")
    assert message == "systems: expected two systems, or one with sources"
    for name in ("source.txt", "systems/splitter.txt", "references/0.txt"):
        write(name, lines(name)[:9])
    message = fails(f"power -s source.txt -r references/0.txt {SPLITTER}")
    assert message == "expected at least 10 examples, got 9"
