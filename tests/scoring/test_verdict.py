"""The verdict: at most three sentences and 60 words, the same wherever results are shown."""

import html
import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.commands import make_runner
from tests.given import columns, lines
from tests.number_texts import Fewer, N, Number, around, compared
from tests.project import EXAMPLES
from tests.strategies import times
from textsimp import report
from textsimp.cli import main
from textsimp.core.examples import Examples
from textsimp.corpora import checks
from textsimp.corpora.checks import Finding
from textsimp.corpora.cleaning import realign
from textsimp.metrics.catalogue import metric
from textsimp.scoring import headlines, verdict
from textsimp.scoring.comparison import make_comparison
from textsimp.scoring.ranking import judge

REFERENCES = columns()["references"]
SUBSTITUTER = lines("systems/substituter.txt")
SPLITTER = lines("systems/splitter.txt")
SHIFTED = [*SUBSTITUTER[1:], "It rained."]


def told(systems, *args, findings=(), realigned=None, **options):
    rankings = judge({"": compared(systems, *args, **options)}).values()
    unranked = verdict.find_unranked(findings, systems, N)
    return verdict.write(rankings, unranked, realigned or {}, findings)


def judged(systems, *metrics):
    """The verdict on outputs of the example corpus."""
    sources = lines("source.txt")
    findings = checks.run(sources, REFERENCES, systems)
    unranked = verdict.find_unranked(findings, systems, len(sources))
    examples = Examples(
        {"sources": sources, "references": REFERENCES},
        {name: {"predictions": texts} for name, texts in systems.items()},
    )
    measured = {name: metric(name).measure(examples) for name in metrics}
    sampling = {"confidence": 0.95, "resamples": 500, "seed": 0}
    found = {
        name: make_comparison(one, unranked=unranked, **sampling) for name, one in measured.items()
    }
    realigned = verdict.score_realigned(findings, examples, measured["sari"])
    return verdict.write(judge(found).values(), unranked, realigned, findings)


# Who leads ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gap", "first", "names_power"),
    [(3, "s0 leads significantly by Number", False), (0.1, "No system leads by Number", True)],
)
def test_what_the_examples_can_show_is_said_only_where_no_difference_was_found(
    gap, first, names_power
):
    spread = np.random.default_rng(0).normal(0, 1, (3, N))
    text = " ".join(told({f"s{i}": [*(spread[i] + 9 - gap * i)] for i in range(3)}))
    assert text.startswith(first)
    assert ("can show" in text or "detectable" in text) == names_power


def test_a_single_system_that_does_not_beat_a_baseline_is_told_what_the_examples_can_show():
    spread = np.random.default_rng(0).normal(0, 1, N)
    for mean, said in ((9, False), (0, True)):
        text = " ".join(told({"a": [*(spread + mean)]}))
        assert ("These 10 examples can show" in text) == said


@pytest.mark.parametrize(
    ("sources", "last"),
    [
        (around(4.9, 3), "a doesn't beat source unchanged (4.9) or source truncated (4.9)."),
        (9, "Don't read Number as quality here."),
        (1, "a beats source unchanged (1.0) and source truncated (1.0)."),
    ],
)
def test_a_baseline_that_is_not_beaten_stands_before_what_is(sources, last):
    assert told({"a": around(5), "b": around(3)}, sources)[-1] == last


def test_without_all_pairs_nothing_is_said_of_tests_that_were_not_made():
    systems = {"a": around(9), "b": around(5)}
    assert told(systems, 1, all_pairs=False) == told(systems, 1)


def test_a_metric_by_which_another_system_leads_is_named():
    systems = {"a": around(5), "b": around(3)}
    main = compared(systems)
    for sources, said in ((9, True), (0, False)):  # by fewer the source is ahead if it is 0
        other = compared(systems, sources, metric=Fewer())
        rankings = judge({"number": main, "fewer": other}).values()
        assert ("By Fewer b leads significantly." in verdict.write(rankings, {}, {})) == said


def rated(systems, ratings):
    """A metric's comparison of systems, people's, and that of a second metric: less is better."""
    people, other = compared(ratings, baselines=False), compared(systems, metric=Fewer())
    people.by_people = True
    return judge({"number": compared(systems), "people": people, "fewer": other})


def test_raters_disagree_where_both_tests_find_the_opposite():
    systems = {"a": around(5.1, 3), "b": around(5), "c": around(3)}
    found = rated(systems, {"a": around(4, 2), "b": around(2), "c": around(4)})
    second, third = verdict.write(found.values(), {}, {})[1:]
    assert second == "Raters disagree with Number: in Number c is better than b."
    assert third == "a beats source unchanged (0.0) and source truncated (0.0)."


def test_what_raters_reverse_stands_before_another_metrics_winner():
    systems, ratings = {"a": around(5), "b": around(3)}, {"a": around(2), "b": around(4)}
    found = rated(systems, ratings)
    found["fewer"] = judge({"": compared(systems, 9, metric=Fewer())})[""]
    assert verdict.write(found.values(), {}, {})[1:] == [
        "Raters disagree with Number: in Number b is better than a.",
        "By Number b leads significantly.",
    ]


@pytest.mark.parametrize(
    ("systems", "ratings"),
    [
        ({"a": around(5, 3), "b": around(4.9)}, {"a": around(2), "b": around(4)}),
        ({"a": around(5), "b": around(3)}, {"a": around(2, 3), "b": around(2.1)}),
    ],
)
def test_raters_do_not_disagree_where_one_of_both_tests_finds_nothing(systems, ratings):
    found = rated(systems, ratings)
    assert headlines.describe_reversals(found["number"], found["people"]) == ""
    assert not any("disagree" in one for one in verdict.write(found.values(), {}, {}))


def test_a_further_metric_is_named_if_its_p_value_is_small_for_the_number_of_metrics():
    """p = 22 / 1024 is below 0.05 / 2, but not below 0.05 / 3."""
    main = compared({"a": around(5), "b": around(3)}, baselines=False)
    lead = {"a": [0.0] * N, "b": [1.0] * 9 + [-1]}
    rankings = judge({"number": main, "other": compared(lead, baselines=False)})
    first, second = rankings.values()
    assert second.best == "b"
    said = [f"By {second.label} b leads significantly."]
    assert verdict.write([first, second], {}, {})[-1:] == said
    assert verdict.write([first, second, first], {}, {})[-1:] != said


# Small differences --------------------------------------------------------------------------------


def test_a_difference_below_what_separates_public_systems_is_said_to_be_small():
    periods = [text + " Yes." * (i % 3 == 0) for i, text in enumerate(SUBSTITUTER)]
    first, second, third = judged({"a": SUBSTITUTER, "b": periods}, "sari", "bleu")
    assert first.startswith("a leads significantly by SARI: 41.48, 0.02")
    assert re.match(
        r"That is small: neighbours among \d+ public systems on ASSET are 0\.26 SARI apart", second
    )
    assert third == "BLEU says more: a is 0.8 ahead."


def test_findings_on_the_two_systems_say_more_than_a_small_difference(monkeypatch):
    monkeypatch.setattr(verdict, "_public_gap", lambda start: (20, 1.0))
    systems = {"a": around(3.5), "b": around(3)}
    finding = Finding.of("prompts", "problem", "b: 9 outputs have words of a prompt", ["b"], [1])
    other = Finding.of("prompts", "problem", "c: one", ["c"], [1])
    assert told(systems, findings=[other, finding])[1:] == [
        "That is small: neighbours among 20 public systems on ASSET are 1.0 Number apart.",
        "The data checks say more: b: 9 outputs have words of a prompt.",
    ]
    assert len(told({"a": around(4.5), "b": around(3)}, findings=[finding])) == 2


# Refusals ----------------------------------------------------------------------------------------


def test_nothing_is_ranked_if_one_of_two_systems_is_off_by_a_line():
    first, second = judged({"a": SHIFTED, "b": SPLITTER}, "sari", "bleu")
    assert first.startswith("Nothing can be ranked: a seems shifted: its outputs match the sources")
    assert second == "Realigned, a would score 41.7 SARI: textsimp check --fix moves lines."


def test_others_are_ranked_after_the_system_that_is_off_by_a_line():
    systems = {"a": SHIFTED, "b": SPLITTER, "c": SUBSTITUTER}
    first, _, last = judged(systems, "sari", "bleu")
    assert first.startswith("a can't be ranked: it seems shifted")
    assert last.startswith("c leads significantly by SARI")


@pytest.mark.parametrize("output", ["", "I'm sorry, but I cannot help with that."])
def test_many_empty_or_refused_outputs_cannot_be_ranked_and_few_can(output):
    few, many = ([output] * n + SPLITTER[n:] for n in (1, 5))
    assert judged({"a": SUBSTITUTER, "b": many}, "sari")[0].startswith("Nothing can be ranked: b")
    assert judged({"a": SUBSTITUTER, "b": few}, "sari")[0].startswith("a leads significantly")


def test_few_refusals_can_be_ranked_beside_a_system_with_many():
    refusal = "I'm sorry, but I cannot help with that."
    few, many = ([refusal] * n + SPLITTER[n:] for n in (1, 5))
    found = judged({"a": SUBSTITUTER, "few": few, "many": many}, "sari")
    assert found[0].startswith("many can't be ranked: ")
    assert found[1].startswith("a leads significantly")


@pytest.mark.parametrize("offset", [1, -1, 3])
def test_realigned_outputs_stand_beside_their_sources(offset):
    sources, new = lines("source.txt"), ["It rained."] * abs(offset)
    moved = [*SUBSTITUTER[offset:], *new] if offset > 0 else [*new, *SUBSTITUTER[:offset]]
    found = realign(sources, moved)
    there = found[offset:] if offset > 0 else found[:offset]
    assert there == (SUBSTITUTER[offset:] if offset > 0 else SUBSTITUTER[:offset])
    assert realign(sources, SUBSTITUTER) == SUBSTITUTER


# Words -------------------------------------------------------------------------------------------

NAMES = st.text("ab c-_", min_size=1, max_size=24).filter(str.strip)


@times(2)
@given(
    st.lists(NAMES, min_size=1, max_size=6, unique_by=lambda name: name.split()[0]),
    st.lists(st.sampled_from([0, 1, 3, 7]), min_size=N, max_size=N),
    st.integers(0, 2),
    st.sampled_from([Number(), Fewer()]),
)
def test_it_has_at_most_three_sentences_and_60_words(names, sources, errors, kind):
    rng = np.random.default_rng(len(names))
    systems = {name: [*(rng.normal(i, 1, N))] for i, name in enumerate(names)}
    words = "seems shifted: its outputs match the sources one line below their own, as if one line"
    findings = [
        Finding.of("shifted", "error", f"{name} {words} were missing before", [name], [1])
        for name in names[:errors]
    ]
    realigned = dict.fromkeys(names[:errors], 40.1)
    unranked = [*realigned]
    found = told(
        *(systems, sources, kind),
        findings=findings,
        realigned=realigned,
        unranked=unranked,
        resamples=50,
    )
    assert 1 <= len(found) <= 3
    assert len(" ".join(found).split()) <= 60


# Where it stands ----------------------------------------------------------------------------------


def test_terminal_json_and_report_begin_with_the_same_sentences(monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    command = "-m sari,bleu -s source.txt -p systems -r references --resamples 300"

    def run(text):
        return make_runner().invoke(main, text.split()).stdout

    printed = [run(f"{name} {command}").partition("\n")[0] for name in ("score", "compare")]
    found = json.loads(run(f"compare {command} --json"))
    assert [*found][2] == "verdict"
    sentences = " ".join(found["verdict"]).replace("\u00a0", " ")
    assert printed == [sentences.replace("−", "-")] * 2
    page = report.html(
        {"splitter": SPLITTER, "substituter": SUBSTITUTER},
        sources=lines("source.txt"),
        references=REFERENCES,
        metrics=["sari", "bleu"],
        resamples=300,
    )
    shown = re.sub("<[^>]*>", " ", page.partition('class="headline">')[2].partition("<details")[0])
    assert " ".join(html.unescape(shown).split()) == " ".join(sentences.split())
