"""What holds for the scores of every metric, whatever the texts."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests import strategies
from tests.core.test_metric import VARIANTS
from tests.given import given_to, with_all_scores
from tests.toys import Chrf
from textsimp import Bleu, F1Token, Sari, SimplificationStats
from textsimp.core import metric as core_metric
from textsimp.core.metric import Metric
from textsimp.text import ngrams


def configure(metric, variant):
    try:
        configuration = with_all_scores(metric, variant)
        configuration.signature()
    except ImportError as error:
        return pytest.param(None, id=variant, marks=pytest.mark.skip(reason=str(error)))
    return configuration


CONFIGURATIONS = [configure(metric, variant) for metric, variant in VARIANTS]
CONFIGURATIONS += [cls(level="aligned") for cls in (Sari, Bleu, F1Token, SimplificationStats)]
CONFIGURATIONS += [Sari(multi_reference="best"), Sari("xu", multi_reference="best")]
CONFIGURATIONS += [Chrf()]  # the metric that CONTRIBUTING.md has as its example
every_configuration = pytest.mark.parametrize("metric", CONFIGURATIONS, ids=Metric.signature)
pytestmark = pytest.mark.filterwarnings("ignore::textsimp.core.examples.ScriptWarning")

any_texts = st.text(max_size=12)
FEW = settings(max_examples=10, deadline=None)  # of each metric and variant


def numbers(found):
    return {n: v for n, v in found.to_dict(signature=False).items() if np.size(v)}


def statistics(metric, columns):
    (rows,) = metric.compute_statistics(metric.check(**columns)).values()
    return rows


@every_configuration
@FEW
@given(texts=st.one_of(strategies.columns(), strategies.columns(any_texts)))
@example({"sources": ["\u2028"], "predictions": ["\x00"], "references": [[""]]})
def test_scores_are_in_their_ranges_with_and_without_references(metric, texts):
    columns = given_to(type(metric), texts)
    found = metric.score(**columns, per_example=True, confidence=0.9, resamples=5)
    for name in metric.score_names([*columns]):
        score = metric.find_score(name)
        assert isinstance(found[name], list) == score.many
        least = -np.inf if score.least is None else score.least
        most = np.inf if score.most is None else score.most
        for part in ("", "_per_example", "_interval"):
            values = np.array(found[name + part])
            assert np.isfinite(values).all(), name
            assert ((least - 1e-9 <= values) & (values <= most + 1e-9)).all(), name


@every_configuration
@FEW
@given(texts=strategies.columns(), data=st.data())
def test_an_example_contributes_the_same_in_any_order_and_alone(metric, texts, data):
    if not metric.independent_rows:
        return
    columns = given_to(type(metric), texts)
    order = data.draw(st.permutations(range(len(texts["predictions"]))))
    shuffled = {name: [column[i] for i in order] for name, column in columns.items()}
    if "references" in shuffled and not metric.ordered_references:
        shuffled["references"] = [data.draw(st.permutations(r)) for r in shuffled["references"]]
    whole = statistics(metric, columns)
    assert statistics(metric, shuffled) == pytest.approx(whole[order], rel=0, abs=1e-9)
    for i, row in enumerate(whole):
        alone = {name: [column[i]] for name, column in columns.items()}
        assert statistics(metric, alone)[0] == pytest.approx(row, rel=0, abs=1e-9)


@every_configuration
@pytest.mark.parametrize(("characters", "tokens"), [(1, 1), (40, 7)])
@settings(max_examples=5, deadline=None)
@given(texts=strategies.columns(max_rows=7))
def test_blocks_of_any_size_give_the_same_statistics(metric, characters, tokens, texts):
    columns = given_to(type(metric), texts)
    whole = statistics(metric, columns)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core_metric, "_CHARACTERS_AT_ONCE", characters)
        patch.setattr(ngrams, "TOKENS_AT_ONCE", tokens)
        assert statistics(metric, columns) == pytest.approx(whole, rel=0, abs=1e-12)


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


@every_configuration
def test_totals_of_many_are_reduced_at_once_and_those_of_nothing_are_undefined(metric):
    texts = {"sources": ["a b", "c"], "predictions": ["a c", "d"], "references": [["a"], ["c d"]]}
    rows = statistics(metric, given_to(type(metric), texts))
    at_once = metric.reduce(np.stack([[rows[0], rows[1]], [rows.sum(axis=0), rows[0]]]))
    of_all = metric.reduce(rows.sum(axis=0))
    for name, values in at_once.items():
        assert values.shape[:2] == (2, 2)
        assert values[1, 0] == pytest.approx(of_all[name], nan_ok=True)
    is_shown = not np.isnan(metric.undefined)  # a mean of nothing isn't
    for values in metric.reduce(0 * rows[0]).values():
        assert np.isfinite(metric.fill(values)).all() == is_shown
    assert len(metric.statistic_names(rows.shape[1])) == rows.shape[1]
