"""What holds for the scores of every metric, whatever the texts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import textsimp
from tests import strategies
from tests.given import given_to, one_scene, variants, with_all_scores
from textsimp import Bleu, F1Token, InputError, Sari
from textsimp.core.metric import Metric
from textsimp.testing import check_metric
from textsimp.text import ngrams


def configure(metric, variant):
    try:
        configuration = with_all_scores(metric, variant)
        configuration.signature()
    except ImportError as error:
        return pytest.param(None, id=variant, marks=pytest.mark.skip(reason=str(error)))
    return configuration


VARIANTS = variants()
CONFIGURATIONS = [configure(metric, variant) for metric, variant in VARIANTS]
CONFIGURATIONS += [cls(level="aligned") for cls in (Sari, Bleu, F1Token)]
CONFIGURATIONS += [Sari(multi_reference="best"), Sari("xu", multi_reference="best")]
every_configuration = pytest.mark.parametrize("metric", CONFIGURATIONS, ids=Metric.signature)
pytestmark = pytest.mark.filterwarnings("ignore::textsimp.core.examples.ScriptWarning")

FEW = settings(max_examples=2)  # of each metric and variant
MANY = 60  # random examples in the profile of `make metric`


def numbers(found):
    return {n: v for n, v in found.to_dict(signature=False).items() if np.size(v)}


def statistics(metric, columns):
    (rows,) = metric.compute_statistics(metric.check(**columns)).values()
    return rows


SOURCES = ["a b . c d .", "The cat sat", "", "c \u2028 b a ."]
SCENES = {"sources": SOURCES, "passages": [*map(one_scene, SOURCES)]}


@every_configuration
def test_a_metric_obeys_the_laws_of_metrics(metric, monkeypatch):
    first = metric.variant == next(iter(metric.presets))  # others differ from it in some options
    if settings().max_examples < MANY:
        monkeypatch.setattr("textsimp.testing._EXAMPLES", 10 if first else 4)
    check_metric(metric, SCENES if metric.name == "samsa" else None)


@every_configuration
@FEW
@given(texts=strategies.columns(max_rows=7), sizes=st.sampled_from([(1, 1), (40, 7)]))
def test_blocks_of_any_size_give_the_same_statistics(metric, texts, sizes):
    characters, tokens = sizes
    columns = given_to(type(metric), texts)
    whole = statistics(metric, columns)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Metric, "characters_at_once", characters)
        patch.setattr(ngrams, "TOKENS_AT_ONCE", tokens)
        assert statistics(metric, columns) == pytest.approx(whole, rel=0, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("metric", CONFIGURATIONS[: len(VARIANTS)], ids=Metric.signature)
@FEW
@given(texts=strategies.columns())
def test_sources_and_references_are_scored_as_predictions_are(metric, texts):
    texts["references"] = [row[:1] for row in texts["references"]]
    columns = given_to(type(metric), texts)
    found = numbers(metric.score(**columns))
    for side, other in (("source_", "sources"), ("reference_", "references")):
        names = [name for name in found if name.startswith(side)]
        if names:
            outputs = [row[0] if side == "reference_" else row for row in columns[other]]
            as_output = metric.score(**{**columns, "predictions": outputs})
            for name in names:
                expected = as_output[name.removeprefix(side)]
                assert found[name] == pytest.approx(expected, rel=0, abs=1e-9), name


HEADINGS = {
    "sari": "SARI (easse)",
    "sari(xu)": "SARI (xu)",
    "sari(level=aligned)": "SARI (aligned, textsimp's)",
    "sari(xu, level=aligned, keep_recall=counts)": "SARI (xu, aligned, textsimp's)",
    "sari(multi_reference=best)": "SARI (best reference, textsimp's)",
    "bleu(level=aligned)": "BLEU (aligned, textsimp's)",
    "f1_token": "Token F1",
    "fkgl_components": "FKGL (textsimp's count)",
    "fkgl": "FKGL (easse)",
    "d_sari": "D-SARI (sun)",
    "d_sari(corrected)": "D-SARI (corrected, textsimp's)",
    "split_f1": "Split F1 (textsimp's)",
}


@pytest.mark.parametrize("text", HEADINGS)
def test_headings_say_what_is_textsimp_s_own(text):
    metric = textsimp.metric(text)
    assert metric.heading(metric.scores[0].title) == HEADINGS[text]


ILLEGAL = {
    "column": "names",
    "column([a, a])": "names",
    "column([a, sources])": "names",
    "column(predictions)": "names",
    "fkgl_components(paper, tokenizer=intl)": "tokenizer",
    "fkgl_components(sentences=0)": "sentences",
    "fkgl_components(splitter=punkt)": "splitter",
    "fkgl_components(syllables=cmu)": "syllables",
    "fkgl_components(textstat, normalize=True)": "normalize",
    "readability(language=EN)": "language",
    "readability(language=de_DE)": "language",
    "readability(language=ja, splitter=simple-token)": "language",
    "readability(language=sv, cefr=True)": "cefr",
    "readability(textstat_0_7_4, cefr=True)": "cefr",
    "readability(language=sv, dale_chall=True)": "dale_chall",
    "readability(textstat_0_7_4, language=sv)": "variant",
    "sari(keep_recall=types)": "keep_recall",
    "sari(level=aligned, aligner=lexicl)": "aligner",
    "sari(level=aligned, keep_recall=types)": "keep_recall",
    "sari(level=aligned, monotone=1)": "monotone",
    "sari(level=aligned, multi_reference=best)": "multi_reference",
    "sari(monotone=False)": "monotone",
    "sari(splitter=simple-token)": "splitter",
    "sari(threshold=0.2)": "threshold",
    "simplification_stats(language=de)": "language",
    "simplification_stats(lexical_complexity=True, language=tlh)": "language",
    "simplification_stats(splitter=nonesuch)": "splitter",
    "word_difficulty(language=EN)": "language",
    "word_difficulty(language=de, cefr=True)": "cefr",
    "word_difficulty(language=ko)": "language",
    "word_difficulty(language=xx)": "language",
    "word_difficulty(language=zh)": "language",
    "word_transformations(aligner=berkeley)": "aligner",
    "word_transformations(gap=-1)": "gap",
    "word_transformations(gap=1.5)": "gap",
    "word_transformations(parts=spacy)": "parts",
}


@pytest.mark.parametrize("text", ILLEGAL)
def test_what_is_not_legal_is_told_with_the_option(text):
    with pytest.raises(InputError, match=f"^{ILLEGAL[text]}: "):
        textsimp.metric(text)
