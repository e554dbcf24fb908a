"""BioLaySumm: readability, one journal or two."""

import warnings

import numpy as np
import pytest

from tests import given
from textsimp import Bleu, InputError
from textsimp.extensions import tasks
from textsimp.extensions.tasks import models
from textsimp.support.imports import require

SUMMARIES = ["The cat sat on the mat. It was old.", "Rain fell. They ran home."]
OUTPUTS = ["The old cat sat on a mat.", "It rained, and they ran home."]


def write(folder, name, summaries, outputs):
    (folder / "gold").mkdir(exist_ok=True)
    (folder / "run").mkdir(exist_ok=True)
    rows = [{"lay_summary": text, "article": "title\nx"} for text in summaries]
    given.write(folder / "gold" / f"{name}_val.jsonl", rows)
    given.write(folder / "run" / f"{name.lower()}.txt", outputs)


@pytest.fixture
def journals(tmp_path):
    require("textstat", extra="languages")
    write(tmp_path, "eLife", SUMMARIES, OUTPUTS)
    write(tmp_path, "PLOS", SUMMARIES[:1], OUTPUTS[:1])
    return tmp_path


def files(folder, journal=""):
    """Gold and run of a journal, or the folders of both."""
    gold, run = folder / "gold", folder / "run"
    return (
        (gold / f"{journal}_val.jsonl", run / f"{journal.lower()}.txt") if journal else (gold, run)
    )


def score(folder, journal="", **options):
    gold, run = files(folder, journal)
    return tasks.score("biolaysumm", gold=gold, predictions=run, **options)


def intervals(folder, journal=""):
    gold, run = files(folder, journal)
    results = tasks.compare("biolaysumm", gold=gold, predictions=[run], year=2024)
    (found,) = results.intervals.values()
    return found


def test_folders_are_the_mean_of_two_journals(journals):
    both = score(journals, year=2024)
    apart = [score(journals, name, year=2024) for name in ("eLife", "PLOS")]
    for name in ("ROUGE1", "ROUGE2", "ROUGELsum", "FKGL", "CLI", "DCRS"):
        assert both[name] == pytest.approx(sum(one[name] for one in apart) / 2)
    assert both.coverage.scored == 3


def test_years_have_their_columns(journals):
    older, newer = (score(journals, "eLife", year=year) for year in (2024, 2025))
    assert [*older][:3] == ["ROUGE1", "ROUGE2", "ROUGELsum"]
    assert [*newer][:3] == ["ROUGE", "BLEU", "METEOR"]
    assert newer["ROUGE"] == pytest.approx(sum([*older.values()][:3]) / 3)
    bleu = Bleu.preset("sacrebleu").score(predictions=OUTPUTS, references=SUMMARIES)
    assert newer["BLEU"] == bleu["bleu"]


def test_what_is_missing_says_what_it_needs(journals, monkeypatch):
    def absent(*arguments):
        raise InputError("textsimp hub models --fetch FacebookAI/roberta-large")

    monkeypatch.setattr(models, "compare", absent)
    monkeypatch.setattr(models, "lens", absent)
    result = score(journals, year=2025)
    assert {*result.missing} == {"METEOR", "BERTScore", "LENS", "AlignScore", "SummaC"}
    assert all(result[name] is None for name in result.missing)
    assert "--fetch FacebookAI/roberta-large" in result.missing["BERTScore"]
    assert "WordNet" in result.missing["METEOR"]
    assert any("textstat 0.7.3 or 0.7.4" in note for note in result.run.notes)


def test_intervals_of_a_small_journal_have_a_note(journals):
    notes = score(journals, year=2024).run.notes
    assert "few summaries of a journal, 1: intervals hold less often than they say" in notes


def test_scores_of_models_are_means(journals, monkeypatch):
    asked = []

    def lens(sources, outputs, references):
        asked.extend([sources, outputs, references])
        return [60.0, 70.0]

    monkeypatch.setattr(models, "compare", lambda name, outputs, others: [0.5, 0.25])
    monkeypatch.setattr(models, "lens", lens)
    result = score(journals, "eLife", year=2024)
    assert (result["BERTScore"], result["LENS"]) == (0.375, 65)
    assert asked == [["title", "title"], OUTPUTS, SUMMARIES]


def test_a_run_has_a_file_for_each_journal_and_a_line_for_each_summary(journals):
    given.write(journals / "run" / "elife.txt", ["one line"])
    with pytest.raises(InputError):
        score(journals, "eLife")
    (journals / "run" / "plos.txt").unlink()
    with pytest.raises(InputError):
        score(journals)


def test_resamples_are_drawn_within_journals(journals):
    """A resample without the small journal would have 0 for it, and warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        both, large, small = (intervals(journals, name) for name in ("", "eLife", "PLOS"))
    for score, bounds in both.items():
        assert small[score][0] == small[score][1]  # of one summary
        assert bounds == pytest.approx(np.mean([large[score], small[score]], axis=0))
