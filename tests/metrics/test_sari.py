import warnings

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests import strategies
from tests.literal import sari as literal
from textsimp.core.examples import ScriptWarning
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.sari import Sari

# What the options of the published variants are, apart from the default ones of `easse`.
OF_SENTENCES = {"level": "sentence", "split": "space", "delete": "precision"}
PRESETS = {
    "easse": {},
    "easse_paper": {"average": "precision_recall"},
    "easse_legacy": {"source_tokenizer": "none", "lowercase": False},
    "xu": OF_SENTENCES | {"tokenizer": "none", "keep_recall": "types"},
    "huggingface": OF_SENTENCES | {"zero_division": 1},
    "joshua": {"weight": 8, "delete": "precision", "source_tokenizer": "none", "lowercase": False},
    "star": {"weight": 8, "source_tokenizer": "none", "lowercase": False},
}
OPTIONS = {
    "tokenizer": ("13a", "intl", "none"),
    "source_tokenizer": ("same", "13a", "intl", "none"),
    "lowercase": (True, False),
    "split": ("whitespace", "space"),
    "level": ("corpus", "sentence"),
    "delete": ("f1", "precision"),
    "average": ("f1", "precision_recall"),
    "keep_recall": ("counts", "types"),
    "zero_division": (0, 1),
    "orders": ("all", "existing"),
    "weight": (None, 1, 3),
    "multi_reference": ("pooled", "best"),
}
pytestmark = pytest.mark.filterwarnings(r"ignore:sari \(\w+\) with weight")  # drawn options have it


def warnings_of(metric, columns):
    """The warnings of a score; unlike marks, this is stronger than the filter above."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        metric.score(**columns)
    return [str(one.message) for one in caught]


@st.composite
def any_options(draw):
    """A preset and values for some of its options."""
    variant = draw(st.sampled_from(list(PRESETS)))
    names = draw(st.lists(st.sampled_from(list(OPTIONS)), max_size=5, unique=True))
    options = {name: draw(st.sampled_from(OPTIONS[name])) for name in names}
    merged = {**PRESETS[variant], **options}
    if merged.get("level", "corpus") == "corpus" and merged.get("keep_recall") == "types":
        options["keep_recall"] = "counts"
    return variant, options


ORDERS_MISSED = {"sources": ["a b"], "predictions": ["a b"], "references": [["a b c"]]}
ORDERS_INVENTED = {"sources": ["a b"], "predictions": ["a b c"], "references": [["a b"]]}
TWO_WORDS = {"sources": ["a b"], "predictions": ["a b"], "references": [["a b"] * 8]}
CASED = {"sources": ["A B C"], "predictions": ["a b"], "references": [["A b"]]}
EQUALLY_GOOD = {  # as good as each other, by other parts
    "sources": ["a b"] * 2,
    "predictions": ["c"] * 2,
    "references": [["a", "b d"], ["b d", "a"]],
}
A_LITTLE_BETTER = {  # the second, by 0.0026
    "sources": ["b a h g f g d b a b g b"],
    "predictions": ["d a f b e h a f d a c f"],
    "references": [["a g f d g h f c e d a h", "h e a g e d b c a d c h"]],
}

# The definition


@pytest.mark.parametrize("more", [{}, {"multi_reference": "best"}], ids=str)
@strategies.times(3)
@given(choice=any_options(), columns=strategies.columns())
@example(("huggingface", {}), {"sources": [""], "predictions": [""], "references": [["", "a"]]})
@example(("xu", {"orders": "existing"}), ORDERS_MISSED)
@example(("easse", {"orders": "existing"}), ORDERS_INVENTED)
@example(("star", {"orders": "existing"}), TWO_WORDS)
@example(("easse", {"lowercase": True}), CASED)
@example(("easse", {"lowercase": False}), CASED)
@example(("xu", {}), {"sources": ["a  b"], "predictions": ["a "], "references": [[" ", "b  a"]]})
@example(("easse", {}), EQUALLY_GOOD)
@example(("easse", {}), A_LITTLE_BETTER)
def test_scores_are_those_of_the_definitions(more, choice, columns):
    variant, options = choice[0], choice[1] | more
    metric = Sari.preset(variant, per_order=True, **options)
    copies = columns | {"predictions": columns["sources"]}  # whose counts are those of the sources
    for outputs in (columns, copies):
        scores = metric.score(**outputs).to_dict(signature=False)
        expected = literal.sari(**outputs, **{**PRESETS[variant], **options})
        assert scores.keys() == expected.keys()
        for name, score in scores.items():
            assert score == pytest.approx(expected[name], rel=0, abs=1e-9), name


# The weight


def with_references(number):
    return {
        "sources": ["About 95 species are currently accepted."],
        "predictions": ["About 95 species are now accepted."],
        "references": [["About 95 species are now known."] * number],
    }


@pytest.mark.parametrize("variant", ["star", "joshua"])
def test_more_weight_than_references_warns_with_the_score_of_an_empty_output(variant):
    columns = with_references(1)
    empty = literal.sari(**{**columns, "predictions": [""]}, **PRESETS[variant])["sari"]
    with pytest.warns(ScriptWarning, match=f"weight=8 .* {empty:.2f} "):
        Sari(variant).score(**columns)


def test_as_many_references_as_weight_score_as_without():
    columns = with_references(8)
    assert Sari("star").score(**columns)["sari"] == Sari("easse_legacy").score(**columns)["sari"]


@pytest.mark.parametrize(
    ("metric", "references"),
    [(Sari("star"), 8), (Sari("star", weight=1), 1), (Sari("star"), 9), (Sari(), 1)],
)
def test_as_many_references_as_weight_are_no_reason_to_warn(metric, references):
    assert warnings_of(metric, with_references(references)) == []


# Texts that the options aren't for

TOKENISED = {
    "sources": ["About 95 species are known , too ."] * 5,
    "predictions": ["About 95 are known ."] * 5,
    "references": [["About 95 are known ."] * 8] * 5,
}


@pytest.mark.parametrize("name", ["sources", "predictions", "references"])
@pytest.mark.parametrize("metric", [Sari("easse_legacy"), Bleu(lowercase=False)], ids=str)
def test_one_column_in_lower_case_is_doubtful_where_case_counts(metric, name):
    rows = TOKENISED[name]
    lower = [r.lower() if isinstance(r, str) else [text.lower() for text in r] for r in rows]
    columns = {**TOKENISED, name: lower}
    if metric.name == "bleu":
        del columns["sources"]
    found = [message.partition(", and ")[0] for message in warnings_of(metric, columns)]
    assert found == [f"{name} are in lower case"] * (name in columns)
    assert warnings_of(type(metric)(), columns) == []
