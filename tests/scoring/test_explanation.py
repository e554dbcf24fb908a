"""Which configuration of a metric gives a printed score."""

import json
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal
from math import isfinite

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import textsimp
from textsimp.core.declarations import Score
from textsimp.core.examples import UNNAMED_SYSTEM, Examples
from textsimp.core.metric import extra_required_columns
from textsimp.metrics import catalogue
from textsimp.metrics.sari import Sari
from textsimp.scoring import explanation
from textsimp.scoring.explanation import Configuration, explain, parse_score
from textsimp.support.errors import InputError
from textsimp.text import moses, tokenizers
from textsimp.text.functions import cache_scope

from ..given import lines
from ..strategies import columns

COLUMNS = {
    "sources": ["The feline reclined on the mat.", "It rained, and we left early."],
    "predictions": ["The cat lay on the Mat.", "It rained. We left."],
    "references": [
        ["The cat lay on a mat.", "A cat was on the mat."],
        ["It rained. We left early.", "We left."],
    ],
}
NAMES = [
    n for n in catalogue.names() if not extra_required_columns(catalogue.metric_class(n))
]  # reads texts only


def examples_of(columns):
    shared = {name: columns[name] for name in ("sources", "references")}
    return Examples(shared, {UNNAMED_SYSTEM: {"predictions": columns["predictions"]}})


def scored(configuration, columns):
    """A configuration's score, computed alone and by the usual way."""
    given = {**columns}
    if configuration.reference is not None:
        given["references"] = [[row[configuration.reference]] for row in columns["references"]]
    metric = configuration.metric
    known = {column.name for column in metric.columns}
    scores = metric.score(**{k: v for k, v in given.items() if k in known})
    return float(scores[type(metric).scores[0].key])


def all_configurations(found):
    return [
        configuration
        for match in found.matches
        for configuration in (match.configuration, *match.also)
    ]


# Runs -----------------------------------------------------------------------------------------

RUNS = [COLUMNS["predictions"], ["The cat lay.", "It rained, and we left."]]


def test_the_mean_of_runs_is_found_and_each_run():
    metric = textsimp.F1Token()
    each = [metric.score(**{**COLUMNS, "predictions": one}).main.value for one in RUNS]
    for value, label in ((sum(each) / 2, "f1_token"), (each[1], "f1_token, run 2 only")):
        found = explain(f"{value:.6f}", metrics="f1_token", **{**COLUMNS, "predictions": RUNS})
        assert label in map(str, all_configurations(found))
    runs = {one.to_dict()["run"] for one in all_configurations(found)}
    assert 2 in runs


def test_a_run_alone_is_less_likely_than_all():
    every, alone = Configuration(Sari("xu")), Configuration(Sari("xu"), run=1)
    assert every.plausibility < alone.plausibility


def test_runs_are_joined_by_their_ids():
    turned = [{"ids": [2, 1], "predictions": own[::-1]} for own in RUNS]
    found, expected = (
        explain("40.1", metrics="f1_token", **{**COLUMNS, "predictions": own}, **ids)
        for own, ids in ((turned, {"ids": [1, 2]}), (RUNS, {}))
    )
    assert found.to_dict() == expected.to_dict()


# What evaluate draws --------------------------------------------------------------------------


def test_numbers_that_evaluate_drew_are_explained_as_such():
    rng = np.random.default_rng(0)
    texts = {"references": lines("references/0.txt")}
    texts["predictions"] = lines("systems/splitter.txt")
    scores = textsimp.Rouge("evaluate").score(**texts, per_example=True)
    each = np.array(scores.main.per_example)
    drawn = rng.integers(0, len(each), (3, 1000, len(each)))
    medians = np.median(each[drawn].mean(axis=2), axis=1) / 100
    assert any(round(median, 4) != round(scores["rouge1"] / 100, 4) for median in medians)
    for median in medians:
        found = explain(f"{median:.4f}", metrics="rouge", **texts)
        assert "rouge(evaluate)" in map(str, all_configurations(found))
        if any(match.drawn for match in found.matches):
            assert any(note.startswith("Drawn: evaluate prints ROUGE") for note in found.notes)
            assert "(drawn)" in found.to_markdown()
    far = explain(f"{scores['rouge1'] / 100 + 0.05:.4f}", metrics="rouge", **texts)
    assert "rouge(evaluate)" not in map(str, all_configurations(far))


# What matches ---------------------------------------------------------------------------------


def test_the_default_is_found_by_its_score():
    scores = textsimp.Bleu().score(**{**COLUMNS, "sources": None})
    found = explain(f"{scores['bleu']:.2f}", metrics="bleu", **COLUMNS)
    first = found.matches[0]
    assert str(first.configuration) == "bleu"
    assert (first.value, first.signature) == (scores["bleu"], scores.signature)


@pytest.mark.parametrize(
    ("metric", "reference"),
    [
        (Sari("xu", tokenizer="13a"), None),
        (Sari("easse_paper", tokenizer="intl", lowercase=False, delete="precision"), 1),
        (textsimp.Bleu("sacrebleu", tokenizer="intl"), 1),
        (textsimp.DSari("corrected", tokenizer="none", splitter="simple-token"), 0),
        (textsimp.FkglComponents("easse", splitter="simple-token"), None),
    ],
)
def test_a_variant_with_other_options_or_references_is_found(metric, reference):
    score = scored(Configuration(metric, reference), COLUMNS)
    found = explain(f"{score:.4f}", metrics=metric.name, **COLUMNS)
    assert any(
        same(configuration, Configuration(metric, reference))
        for configuration in all_configurations(found)
    )


def same(one, other):
    """Whether two configurations are one, in whichever variant's terms."""
    names = type(one.metric).option_names()
    mine, theirs = (
        [getattr(configuration.metric, name) for name in names] for configuration in (one, other)
    )
    return mine == theirs and one.reference == other.reference


@pytest.mark.slow
@settings(max_examples=3, deadline=None)
@given(columns=columns(max_rows=3), data=st.data())
@pytest.mark.parametrize("name", ["sari", "bleu", "d_sari"])
def test_any_configuration_is_listed_for_its_own_rounded_score(name, columns, data):
    configurations = list(
        explanation.make_configurations(catalogue.metric_class(name), examples_of(columns))[0]
    )
    configuration = data.draw(st.sampled_from([*filter(needs_nothing, configurations)]))
    decimals = data.draw(st.integers(0, 6))
    score = scored(configuration, columns)
    found = explain(f"{score:.{decimals}f}", metrics=name, **columns)
    assert configuration in all_configurations(found)


def needs_nothing(configuration):
    """Whether it works without extras."""
    values = [
        str(getattr(configuration.metric, name)) for name in configuration.metric.option_names()
    ]
    return not {"moses", "penn", "pysbd", "zh"} & {*values}


@settings(max_examples=2, deadline=None)
@given(columns=columns(max_rows=3))
@pytest.mark.parametrize(
    "name", ["bleu", *(pytest.param(n, marks=pytest.mark.slow) for n in NAMES if n != "bleu")]
)
def test_scores_are_those_of_the_metric_computed_alone(name, columns):
    """What configurations share, such as tokens and counts, doesn't mix them up."""
    cls = catalogue.metric_class(name)
    configurations = [
        *filter(needs_nothing, explanation.make_configurations(cls, examples_of(columns))[0])
    ]
    with cache_scope():
        values = [
            *explanation.compute_scores(configurations, examples_of(columns), cls.scores[0].key)
        ]
    assert len(values) == len(configurations)
    finite = [(value, configuration) for value, configuration, *_ in values if isfinite(value)]
    for value, configuration in finite[:: max(1, len(finite) // 10)]:
        assert value == pytest.approx(scored(configuration, columns), abs=1e-9), configuration


@pytest.mark.parametrize(
    ("printed", "most", "readings"),
    [
        ("40.13", 100, [(40.13, 2)]),
        ("40.10", 100, [(40.1, 2)]),
        ("40", 100, [(40, 0)]),
        (".4013", 100, [(0.4013, 4), (40.13, 2)]),
        ("0.4", 100, [(0.4, 1), (40, 0)]),
        ("1", 100, [(1, 0)]),
        ("37.5", 1, [(37.5, 1), (0.375, 3)]),
        ("-1.50", None, [(-1.5, 2)]),
        ("\N{MINUS SIGN}1.50", None, [(-1.5, 2)]),
        (40.1, 100, [(40.1, 1)]),
    ],
)
def test_decimals_and_shares_are_read_as_printed(printed, most, readings):
    found = parse_score(printed, Score("any", "Any", "", most=most))
    assert [(number, places) for number, _, places in found] == [
        (pytest.approx(number), places) for number, places in readings
    ]


def test_a_component_is_found_by_its_name():
    keep = Sari("xu").score(**COLUMNS)["keep"]
    found = explain(f"{keep:.5f}", metrics="sari.keep", **COLUMNS)
    assert any(
        same(configuration, Configuration(Sari("xu")))
        for configuration in all_configurations(found)
    )
    assert {match.configuration.metric.name for match in found.matches} == {
        "sari"
    }  # others have no keep


# How it is said -------------------------------------------------------------------------------


def test_matches_come_likeliest_first_and_those_of_a_score_stand_together():
    found = explain("50", metrics="sari", **COLUMNS)
    plausibility = [match.configuration.plausibility for match in found.matches]
    assert plausibility == sorted(plausibility)
    values = [match.value for match in found.matches]
    assert len({round(value, 9) for value in values}) == len(values)
    for match in found.matches:
        assert match.configuration.plausibility == min(
            f.plausibility for f in (match.configuration, *match.also)
        )
    configurations = all_configurations(found)
    assert len(set(configurations)) == len(configurations)


def test_what_is_likelier_is_tried_before():
    configurations = [
        Configuration(Sari("xu")),
        Configuration(Sari(tokenizer="penn")),
        Configuration(Sari("xu", tokenizer="penn")),
        Configuration(Sari(tokenizer="penn", lowercase=False)),
        Configuration(Sari(), prepared="texts lowercased"),
        Configuration(Sari(), 1),
        Configuration(Sari(multi_reference="best")),
        Configuration(Sari(level="sentence"), 1),
    ]
    assert [configuration.stage for configuration in configurations] == [0, 1, 2, 2, 3, 4, 4, 5]


def test_a_match_is_told_before_what_is_less_likely_is_computed(monkeypatch):
    events = []
    compute = explanation.compute_scores

    def computed(configurations, *arguments):
        events.append({configuration.stage for configuration in configurations})
        return compute(configurations, *arguments)

    monkeypatch.setattr(explanation, "compute_scores", computed)
    score = f"{Sari('xu').score(**COLUMNS)['sari']:.6f}"
    found = explanation.explain_examples(
        score, {Sari: Sari.scores[0]}, examples_of(COLUMNS), found=events.append
    )
    assert str(events[1].configuration) == "sari(xu)"
    assert [event for event in events if isinstance(event, set)] == [{0}, {1, 2, 4, 5}]
    assert [str(event.configuration) for event in events if not isinstance(event, set)] == [
        str(match.configuration) for match in found.matches
    ]


def test_a_configuration_says_what_differs_from_the_default():
    configuration = Configuration(Sari("xu", tokenizer="13a"), 2)
    assert configuration.options == {"variant": "xu", "tokenizer": "13a"}
    assert str(configuration) == "sari(xu, tokenizer=13a), reference 3 only"
    assert str(Configuration(Sari("easse_paper", average="f1"))) == "sari(easse_paper, average=f1)"


def test_where_nothing_matches_the_nearest_are_listed_nearest_first():
    score = textsimp.Bleu().score(**COLUMNS)["bleu"] + 0.1
    found = explain(f"{score:.6f}", metrics="bleu", **COLUMNS)
    assert not found.matches
    assert "gives" in str(found)
    off = [abs(near.off) for near in found.nearest]
    assert off == sorted(off)
    assert 0 < len(off) <= explanation.MAX_NEAREST
    assert all(near.off == pytest.approx(near.value - score, abs=1e-6) for near in found.nearest)


def test_nearest_are_only_scores_within_a_point():
    found = explain("99.87", metrics="bleu", **COLUMNS)
    assert (found.matches, found.nearest) == ([], [])
    assert "within one point of 99.87" in str(found)


def test_a_share_is_near_within_a_hundredth():
    value = textsimp.F1Token().score(**COLUMNS).main.value / 100
    found = explain(f"{value + 0.005:.8f}", metrics="f1_token", **COLUMNS)
    assert [near for near in found.nearest if abs(near.off) > 1] == []
    assert found.nearest


@pytest.mark.parametrize(("printed", "by_chance"), [("45", True), ("55", False)])
def test_whether_as_many_match_by_chance_is_the_headline(printed, by_chance):
    found = explain(printed, metrics="sari", **COLUMNS)
    assert found.matches[0].configuration.stage == (4 if by_chance else 0)
    assert found.by_chance is by_chance
    assert ("no more than match by chance" in str(found)) is by_chance


@pytest.mark.slow
def test_of_a_score_with_one_digit_most_that_match_may_match_by_chance():
    found = explain("0.5", metrics="sari", **COLUMNS)
    (note,) = found.notes
    by_chance = float(note.split("about ")[1].split()[0])
    assert by_chance > 0.4 * len(found.matches) > 10  # an estimate


def printed(value, rounding):
    return str(Decimal(value).quantize(Decimal("0.01"), rounding))


def test_a_printed_score_may_be_cut_instead_of_rounded():
    columns = {**COLUMNS, "predictions": ["The cat lay on a mat there.", "It rained. We left."]}
    value = Sari("xu").score(**columns)["sari"]
    cut, rounded = printed(value, ROUND_DOWN), printed(value, ROUND_HALF_EVEN)
    assert cut != rounded
    first = explain(cut, metrics="sari", **columns).matches[0]
    assert (str(first.configuration), first.value, first.cut) == ("sari(xu)", value, True)
    assert "sari(xu) (cut, not rounded)" in str(explain(cut, metrics="sari", **columns).grid())
    assert not explain(rounded, metrics="sari", **columns).matches[0].cut


@pytest.mark.parametrize("sign", [1, -1])
def test_a_cut_score_is_nearer_to_0(sign):
    readings = parse_score(str(sign * 2.5), Score("", "", ""))
    for value in (2.45, 2.5, 2.55, 2.599999):
        assert min(explanation.ratios(sign * value, readings)) <= 1, value
    for value in (2.449999, 2.6, 2.7):
        assert min(explanation.ratios(sign * value, readings)) > 1, value


PREPARED = {
    "texts with ( as -lrb-": {
        "predictions": ["The cat ( lay ) on the mat.", "It rained. We left."]
    },
    "texts with -lrb- as (": {"predictions": ["The -LRB- lay -RRB- on it.", "It rained. We left."]},
    "texts with tokenised quotes": {"predictions": ['A " cat " lay on the mat.', "We left."]},
    "texts with detokenised quotes": {"predictions": ["A `` cat '' lay on it.", "We left."]},
}


@pytest.mark.parametrize("name", PREPARED)
def test_texts_are_prepared_otherwise_before_odd_options_count(name):
    columns = {**COLUMNS, **PREPARED[name]}
    columns["references"] = [["The cat -lrb- lay ( on '' the \" mat.", "A Cat was."], ["We Left."]]
    change = explanation.PREPARATIONS[name]
    prepared = {
        "sources": [*map(change, columns["sources"])],
        "predictions": [*map(change, columns["predictions"])],
        "references": [[*map(change, row)] for row in columns["references"]],
    }
    value = Sari("easse_legacy", tokenizer="intl").score(**prepared)["sari"]
    found = explain(f"{value:.6f}", metrics="sari", **columns)
    examples = examples_of(columns)
    usual = [one for one in explanation.make_configurations(Sari, examples)[0] if one.stage < 3]
    scores = explanation.compute_scores(usual, examples, "sari")
    assert round(value, 6) not in {round(score, 6) for score, *_ in scores}
    assert found.matches[0].configuration.prepared
    all_of = [one for match in found.matches for one in (match.configuration, *match.also)]
    one = next(one for one in all_of if one.prepared == name)
    assert one.to_dict()["prepared"] == name
    assert str(one).endswith(f", {name}")
    stages = [match.configuration.stage for match in found.matches]
    assert stages == sorted(stages)


def test_lowercased_texts_are_rather_explained_by_the_option():
    lower = explanation.prepare(examples_of(COLUMNS), str.lower)
    columns = {**lower.shared, "predictions": lower.systems[UNNAMED_SYSTEM]["predictions"]}
    value = Sari("easse_legacy", tokenizer="intl").score(**columns)["sari"]
    first = explain(f"{value:.6f}", metrics="sari", **COLUMNS).matches[0].configuration
    assert first.stage == 2
    assert first.options["lowercase"] is True


def test_texts_stay_as_they_are_if_a_usual_configuration_gives_the_score():
    value = Sari("xu").score(**COLUMNS)["sari"]
    found = explain(f"{value:.6f}", metrics="sari", **COLUMNS)
    assert all(not match.configuration.prepared for match in found.matches)
    assert found.tried == len(explanation.make_configurations(Sari, examples_of(COLUMNS))[0])


def test_preparations_change_brackets_and_quotes_to_and_fro():
    first, there, back, quoted, plain = explanation.PREPARATIONS.values()
    assert first("A (B)") == "a (b)"
    assert there('( [ { " ) ] }') == '-lrb- -lsb- -lcb- " -rrb- -rsb- -rcb-'
    assert back("-LRB- -lsb- -rcb-") == "( [ }"
    assert quoted('a " b " c "d"') == "a `` b '' c ``d''"
    assert plain("`` b '' it 's") == '" b " it \'s'


def test_it_turns_into_tables_and_json():
    found = explain("50", metrics="sari", **COLUMNS)
    assert found.to_markdown().startswith("| score | off by | metric |")
    assert len(found.grid().rows) == len(found.head()) <= explanation.MAX_MATCHES
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["matches"][0]["value"] == found.matches[0].value
    assert plain["tried"] == found.tried


def test_what_is_not_installed_is_left_out_and_said(monkeypatch):
    def require(module, extra):
        raise ImportError(f"This needs {module}: pip install 'textsimp[{extra}]'")

    for room in (tokenizers, moses):
        monkeypatch.setattr(room, "require", require)
    found = explain("50", metrics="d_sari", **COLUMNS)
    assert any("sacremoses" in note and "[languages]" in note for note in found.notes)
    used = {configuration.metric.tokenizer for configuration in all_configurations(found)}
    assert used == {"13a", "intl", "none"}


def test_one_reference_alone_is_tried_as_far_as_every_example_has_it():
    references = [["a", "b", "c"], ["d", "e"]]
    given = examples_of({**COLUMNS, "references": references})
    tried = {
        configuration.reference
        for configuration in explanation.make_configurations(textsimp.Bleu, given)[0]
    }
    assert tried == {None, 0, 1}
    given = examples_of({**COLUMNS, "references": [["a"], ["b"]]})
    assert {
        configuration.reference
        for configuration in explanation.make_configurations(textsimp.Bleu, given)[0]
    } == {None}


def test_the_best_reference_is_tried_only_where_there_are_several():
    single = {**COLUMNS, "references": [row[:1] for row in COLUMNS["references"]]}
    for texts, tried in ((COLUMNS, True), (single, False)):
        every = explanation.make_configurations(Sari, examples_of(texts))[0]
        best = [one for one in every if one.options.get("multi_reference") == "best"]
        assert bool(best) == tried
        assert all(one.reference is None for one in best)


# What is tried --------------------------------------------------------------------------------


def test_without_metrics_those_that_rank_and_can_do_with_the_columns_are_tried():
    def names(*given):
        return [cls.name for cls in explanation.choose_metrics(None, given)]

    assert {"sari", "d_sari", "bleu"} <= {*names("sources", "predictions", "references")}
    assert "fkgl_components" not in names("sources", "predictions", "references")
    assert "bleu" in names("predictions", "references")
    assert "word_transformations" not in names("sources", "predictions", "references")  # slow
    assert "sari" not in names("predictions", "references")
    with pytest.raises(InputError):
        names("predictions")


def test_a_new_metric_and_its_options_are_tried_by_themselves(monkeypatch):
    monkeypatch.setitem(catalogue.METRICS, "long", "tests.toys:Long")
    found = explain("50.0", predictions=["one two three", "one"])
    assert {match.configuration.metric.name for match in found.matches} == {"long"}
    assert [str(configuration) for configuration in all_configurations(found)] == [
        "long(letters)",
        "long(unit=letters)",
        "long(strict=False)",
        "long(letters, strict=False)",
    ]
    assert found.tried == 2 * 2 * 2  # units, sizes that a preset has, strict or not; never loud


def test_options_that_only_tell_variants_apart_are_varied_only_if_asked_for():
    score = f"{Sari(weight=8, zero_division=1).score(**COLUMNS)['sari']:.6f}"
    found, all_found = (
        explain(score, metrics="sari", every=every, **COLUMNS) for every in (False, True)
    )
    names = {"weight", "zero_division", "keep_recall", "orders", "source_tokenizer", "split"}
    assert not any(names & {*one.metric.changed_options()} for one in all_configurations(found))
    assert "weight=8, zero_division=1" in "; ".join(
        str(one) for one in all_configurations(all_found) if one.metric.variant == "easse"
    ).replace("zero_division=1, weight=8", "weight=8, zero_division=1")
    assert found.tried < all_found.tried


SENTENCE = "It rained a lot."


@pytest.mark.parametrize(("sources", "tried"), [(SENTENCE, False), (f"{SENTENCE} " * 3, True)])
def test_metrics_of_documents_are_tried_on_documents(sources, tried):
    given = {**COLUMNS, "sources": [sources, sources]}
    chosen = explanation.choose_metrics(None, given)
    assert (textsimp.DSari in explanation.suitable(chosen, examples_of(given))) is tried
    score = f"{textsimp.DSari().score(**given)['d_sari']:.6f}"
    named = explain(score, metrics=["d_sari", "bleu"], **given)
    assert Configuration(textsimp.DSari()) in all_configurations(named)


def test_options_that_papers_leave_unsaid_are_tried_in_all_combinations():
    configurations = list(explanation.make_configurations(Sari, examples_of(COLUMNS))[0])
    for tokenizer in ("13a", "intl", "moses", "penn", "none"):
        for variant in Sari.presets:
            for reference in (None, 0, 1):
                metric = Sari(
                    variant,
                    tokenizer=tokenizer,
                    lowercase=False,
                    delete="precision",
                    average="precision_recall",
                )
                assert any(
                    same(configuration, Configuration(metric, reference))
                    for configuration in configurations
                )


# Bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "place"),
    [
        *(
            ({"score": score}, "^score: ")
            for score in ("", "x", "40,13", "1e5", "nan", "inf", None, True, [], "٤٠", ".")
        ),
        ({"metrics": "sarri"}, "'sari'"),
        ({"metrics": [5]}, "^metrics: "),
        ({"metrics": []}, "^metrics: "),
        ({"metrics": "sari.kept"}, "^metrics: .*'kept'"),
        ({"nonsense": [1, 2]}, "column 'nonsense'"),
        ({"references": None}, "^references: "),
        ({"references": []}, "^references"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(options, place):
    with pytest.raises(InputError, match=place):
        explain(**{"score": "40", **COLUMNS, "metrics": "sari", **options})
