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

    def score(*texts):
        """Of one example, by the metric itself."""
        names = "sources", "predictions", "references"
        return per_document(metric, **{k: [text] for k, text in zip(names, texts, strict=True)})[0]

    def split(text):
        return [sentence.strip() for sentence in by_line(text) if sentence.strip()]

    options |= {"score": score, "split": split, "judging": judging}
    of_references = [literal.document(source, output, text, **options) for text in references]
    main = metric.scores[0].key
    return [literal.best([*scores], main) for scores in itertools.product(*of_references)]


def rows(columns):
    names = ("sources", "predictions", "references")
    return [*zip(*(columns[name] for name in names), strict=True)]


def alike(one, other):
    assert one.keys() == other.keys()
    return all(np.allclose(one[name], other[name], rtol=0, atol=1e-9) for name in one)


TWICE = "ab cd ef\nab cd ef"
COUNTERPART = {  # the output's sentence is more like the source's second, and the reference's first
    "sources": ["ab cd ef gh\nij kl mn op"],
    "predictions": ["xx yy zz ij kl mn op"],
    "references": [["ab cd xx yy zz\nmn"]],
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


@pytest.mark.parametrize(
    ("source", "output", "reference", "monotone", "expected"),
    [
        ("ab cd ef gh", "ab cd\nef gh", "ab cd ef gh", True, 100),  # halves are scored together
        # Two words of the source, and a quarter of four words that it doesn't have.
        ("ab cd", "ab cd", "ab cd\nxx yy zz zy", True, 200 / 3),
        ("ab cd", "ab cd\nxx yy zz zy", "ab cd\nxx yy zz zy", True, 100),
        ("ab cd\nef gh", "ef gh\nab cd", "ab cd\nef gh", False, 100),
        # Links that don't cross leave three groups, one of which is whole.
        ("ab cd\nef gh", "ef gh\nab cd", "ab cd\nef gh", True, 100 / 3),
        ("ab cd ef", "ab cd ef\nab cd ef", "ab cd ef", True, 200 / 3 / 2),  # half is repeated
    ],
)
def test_documents_by_hand(source, output, reference, monotone, expected):
    metric = in_documents(F1Token(), monotone=monotone)
    found = metric.score(sources=[source], predictions=[output], references=[reference])
    assert found["f1_token"] == pytest.approx(expected)


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
