"""Level aligned of every metric of sentences."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import textsimp
from tests.literal import aligned as literal
from textsimp import Bleu, F1Token, InputError, Sari

METRICS = [
    *(Sari(variant, per_order=True) for variant in ("easse", "xu", "huggingface", "joshua")),
    Bleu(),
    F1Token(),
]


def by_line(text):
    return text.split("\n")


def one_to_one(source, target):
    return [(i, i) for i in range(min(len(source), len(target)))]


def document(*sentences):
    return "\n".join(sentences)


_SENTENCES = st.lists(
    st.lists(st.sampled_from(["ab", "cd", "ef", "gh", "Ab", ".", "ij"]), max_size=4).map(" ".join),
    max_size=4,
)
DOCUMENTS = _SENTENCES.map("\n".join)


@st.composite
def columns(draw, most=3):
    n = draw(st.integers(1, 2))
    texts = st.lists(DOCUMENTS, min_size=n, max_size=n)
    return {
        "sources": draw(texts),
        "predictions": draw(texts),
        "references": [draw(st.lists(DOCUMENTS, min_size=1, max_size=most)) for _ in range(n)],
    }


OPTIONS = st.fixed_dictionaries(
    {}, optional={"threshold": st.sampled_from([0.05, 0.3, 0.6, 1]), "monotone": st.booleans()}
)


def of_example(metric):
    """The metric's own scores of one example."""

    def score(source, output, reference):
        columns = {"sources": [source], "predictions": [output], "references": [[reference]]}
        return per_document(metric, **columns)[0]

    return score


def in_documents(metric, **options):
    return replace(metric, level="aligned", splitter=by_line, **options)


def per_document(metric, **columns):
    found = metric.score(**columns, per_example=True)
    names = [name for name in found.to_dict() if name.endswith("_per_example")]
    return [
        {name.removesuffix("_per_example"): [*np.ravel(found[name][i])] for name in names}
        for i in range(len(columns["predictions"]))
    ]


def candidates(metric, row, **options):
    """What a document may score, where links or references are a tie."""
    source, output, references = row
    judging = {score.key for score in metric.scores if score.better}
    of_references = [
        literal.document(
            *(source, output, reference),
            score=of_example(metric),
            split=lambda text: [s.strip() for s in by_line(text) if s.strip()],
            judging=judging,
            **options,
        )
        for reference in references
    ]
    main = metric.scores[0].key
    return [literal.best([*scores], main) for scores in itertools.product(*of_references)]


def rows(columns):
    names = ("sources", "predictions", "references")
    return [*zip(*(columns[name] for name in names), strict=True)]


def alike(one, other):
    assert one.keys() == other.keys()
    return all(np.allclose(one[name], other[name], rtol=0, atol=1e-9) for name in one)


TWICE = document("ab cd ef", "ab cd ef")
COUNTERPART = {  # the output's sentence is more like the source's second, and the reference's first
    "sources": [document("ab cd ef gh", "ij kl mn op")],
    "predictions": ["xx yy zz ij kl mn op"],
    "references": [[document("ab cd xx yy zz", "mn")]],
}

# The definition


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: f"{m.name}-{m.variant}")
@settings(max_examples=5)
@given(columns=columns(), options=OPTIONS)
@example({"sources": ["ab\ncd ef gh"], "predictions": ["ab"], "references": [["ab"]]}, {})
@example({"sources": ["ab cd"], "predictions": ["ab cd\nij gh"], "references": [["ab cd"]]}, {})
@example(COUNTERPART, {})
@example(
    {"sources": ["ab cd\nef gh"], "predictions": ["ab cd\nef gh"], "references": [["ab cd"]]}, {}
)
@example({"sources": [TWICE], "predictions": [TWICE], "references": [[TWICE, "ab cd ef"]]}, {})
@example({"sources": ["ab ab cd"], "predictions": ["ab ab cd"], "references": [["ab cd"]]}, {})
@example({"sources": ["ab cd"], "predictions": [""], "references": [["", "ab"]]}, {})
def test_a_document_scores_as_it_is_defined(metric, columns, options):
    found = per_document(in_documents(metric, **options), **columns)
    for row, scores in zip(rows(columns), found, strict=True):
        expected = candidates(metric, row, **options)
        assert any(alike(scores, one) for one in expected), (scores, expected)


@given(columns=columns(), options=OPTIONS.filter(lambda o: "threshold" not in o))
def test_a_function_may_align(columns, options):
    def align(source, target):
        return dict.fromkeys(one_to_one(source, target), 1.0)

    found = per_document(in_documents(F1Token(), aligner=one_to_one, **options), **columns)
    for row, scores in zip(rows(columns), found, strict=True):
        expected = candidates(F1Token(), row, align=align, **options)
        assert any(alike(scores, one) for one in expected)


# Of `joshua`, which counts occurrences against types, examples do.
@pytest.mark.parametrize(
    "metric",
    [metric for metric in METRICS if metric.variant != "joshua"],
    ids=lambda m: f"{m.name}-{m.variant}",
)
@given(source=DOCUMENTS, output=DOCUMENTS, reference=DOCUMENTS, options=OPTIONS)
def test_no_output_scores_above_the_reference(metric, source, output, reference, options):
    rows = per_document(
        in_documents(metric, **options),
        sources=[source, source],
        predictions=[output, reference],
        references=[reference, reference],
    )
    main = metric.scores[0].key
    assert rows[0][main][0] <= rows[1][main][0] + 1e-9


# What is compared with what


def f1(source, output, *references, **options):
    metric = in_documents(F1Token(), **options)
    scores = metric.score(sources=[source], predictions=[output], references=[[*references]])
    return float(scores["f1_token"])


def test_the_halves_of_a_split_sentence_are_scored_together():
    assert f1("ab cd ef gh", document("ab cd", "ef gh"), "ab cd ef gh") == 100


def test_a_sentence_that_only_the_reference_has_is_to_be_written():
    reference = document("ab cd", "xx yy zz zy")
    assert f1("ab cd", reference, reference) == 100
    # Two words of the source, and a quarter of four words that it doesn't have.
    assert f1("ab cd", "ab cd", reference) == pytest.approx(200 / 3)


def test_sentences_in_another_order_are_linked_unless_links_may_not_cross():
    source, turned = document("ab cd", "ef gh"), document("ef gh", "ab cd")
    assert f1(source, turned, source, monotone=False) == 100
    assert f1(source, turned, source) < 100


def test_what_an_output_repeats_lowers_its_score():
    source = "ab cd ef"
    twice = document(source, source)  # of four bigrams two are there again
    assert f1(source, twice, source) == pytest.approx(200 / 3 / 2)


def test_bleu_tells_that_groups_are_scored_as_sentences():
    assert "|eff:no|tok:13a|smooth:exp|" in Bleu().signature()
    assert "|eff:yes|tok:13a|smooth:floor[0.10]|" in Bleu(level="aligned").signature()


@pytest.mark.parametrize("metric", [Bleu, F1Token])
def test_sources_are_needed(metric):
    with pytest.raises(InputError):
        metric(level="aligned").score(predictions=["a"], references=["a"])


def test_explain_leaves_aligned_documents_out():
    columns = {"sources": ["ab cd"], "predictions": ["ab"], "references": ["ab"]}
    score = Sari(level="aligned").score(**columns)["sari"]
    found = textsimp.explain(score, metrics="sari", **columns)
    assert not any("aligned" in str(one.configuration) for one in [*found.matches, *found.nearest])


def test_sentences_without_spaces_are_aligned_by_the_words_of_the_tokenizer():
    source = "这只老猫坐在红色的垫子上。昨天晚上下了很大的雨。"
    output = "昨天下了大雨。老猫坐在垫子上。"
    columns = {"sources": [source], "predictions": [output], "references": [output]}
    aligned_by = {
        tokenizer: Sari(level="aligned", tokenizer=tokenizer, monotone=False).score(**columns)
        for tokenizer in ("zh", "13a")
    }
    assert aligned_by["13a"]["keep"] == 0
    assert aligned_by["zh"]["keep"] > 50


def test_a_group_weighs_as_many_words_as_its_tokenizer_finds():
    metric = Sari(level="aligned", tokenizer="char")
    assert metric._count_words(["一二三", "a b"]).tolist() == [3, 2]
    assert Sari(level="aligned")._count_words(["一二三", "a b."]).tolist() == [1, 2]
