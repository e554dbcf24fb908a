"""The report's table of unsound outputs: where it stands, and what it shows."""

import re

import pytest

from textsimp import report
from textsimp.corpora import checks
from textsimp.metrics.sari import Sari

UNSOUND = 'id="unsound"'


def page(systems, corpus, **options):
    return report.html(systems, **corpus, metrics=["sari"], resamples=2, examples=1, **options)


def details(text):
    (found,) = re.findall(r'<details [^>]*id="unsound".*?</details>', text, re.S)
    return str(found)


def rows(text):
    """The words of each row of the table."""
    body = details(text).split("<tbody>")[1]
    plain = [re.sub(r"<[^>]+>", " ", row) for row in re.findall(r"<tr>.*?</tr>", body, re.S)]
    return [re.split(r"\s{2,}", row.strip()) for row in plain]


@pytest.fixture(scope="module")
def damaged(corpus, systems):
    """The third system lacks 16 of 48 outputs, without which it is ahead of the second."""
    best = systems["substituter"]
    better = [row[0] for row in corpus["references"][16:19]]
    return {**systems, "third": [""] * 16 + better + best[19:]}


@pytest.fixture(scope="module")
def outputs(systems):
    """Those of the splitter, a quarter of them lost."""
    return [*[""] * 12, *systems["splitter"][12:]]


@pytest.fixture(scope="module")
def text(outputs, systems, corpus):
    return page({**systems, "splitter": outputs}, corpus)


def test_shares_are_of_the_outputs_of_all_runs(systems, corpus):
    best = systems["substituter"]
    runs = [[*[""] * empty, *best[empty:]] for empty in (16, 8, 0)]
    assert rows(page({**systems, "ours": runs}, corpus))[0][:2] == ["ours", "16.7 %"]


def test_without_unsound_outputs_there_is_no_table(whole):
    assert UNSOUND not in whole


def test_it_is_folded_below_the_data_checks_if_the_ranking_stays(text):
    assert text.index('id="checks"') < text.index(UNSOUND) < text.index('id="tests-section"')
    assert "open" not in details(text).split(">")[0]
    assert "the ranking by SARI stays" in details(text)


def test_it_stands_open_if_the_ranking_changes(corpus, damaged):
    text = page(damaged, corpus)
    assert "open" in details(text).split(">")[0]
    assert "the ranking by SARI changes" in details(text)


def test_a_system_has_its_share_its_scores_and_a_bar_as_wide_as_the_share(text):
    first, second = rows(text)
    assert first[:2] == ["splitter", "25.0 %"]
    assert first[-1] == "25.0 %"
    assert second[:2] == ["substituter", "–"]
    assert second[2] == second[3]
    assert text.count('--from:0.000;--to:0.250"') == 2


def test_scores_with_and_without_are_those_of_all_and_of_sound_outputs(corpus, outputs, text):
    sound = {name: column[12:] for name, column in corpus.items()}
    expected = [
        Sari.preset().score(predictions=outputs, **corpus)["sari"],
        Sari.preset().score(predictions=outputs[12:], **sound)["sari"],
    ]
    row = rows(text)[0]
    assert row[:4] == ["splitter", "25.0 %", *(f"{score:.2f}" for score in expected)]


def test_a_system_without_a_sound_output_has_no_score_of_sound_outputs(corpus, systems):
    name, share, _, of_sound, *_ = rows(page({**systems, "none": [""] * 48}, corpus))[0]
    assert (name, share, of_sound) == ("none", "100.0 %", "–")


def test_without_references_it_has_shares_but_no_scores(corpus, systems):
    outputs = {**systems, "splitter": ["", *systems["splitter"][1:]]}
    text = report.html(outputs, sources=corpus["sources"], resamples=2, examples=1)
    assert rows(text)[0] == ["splitter", "2.1 %", "2.1 %"]


def test_findings_of_full_names_are_shown_under_the_short_ones(outputs, systems, corpus):
    named = {f"experiments/2024/{name}/outputs.txt": of for name, of in systems.items()}
    named["experiments/2024/splitter/outputs.txt"] = outputs
    findings = checks.run(corpus["sources"], corpus["references"], named)
    assert page(named, corpus, check=findings) == page(named, corpus)
