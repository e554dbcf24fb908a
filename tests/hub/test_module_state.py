"""Whatever was done with a module before, it scores the examples given, and what `score` says."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

import textsimp
from tests.given import given_to
from textsimp.metrics.catalogue import metric_class
from textsimp.support.errors import InputError

TRIPLES = [
    ("The feline reclined on the mat .", "The cat lay on the mat .", ["The cat lay on a mat ."]),
    ("It rained , and we left .", "It rained . We left .", ["It rained . We left .", "We left ."]),
    ("", "", [""]),
    ("A b c d e f .", "A b c .", ["A b .", "A b c e ."]),
]
OUTPUTS = [*(prediction for _, prediction, _ in TRIPLES), "Extraordinary weather .", "So ? Yes ."]

# Few sources and references, so that the same come again with other predictions.
examples = st.lists(
    st.tuples(st.sampled_from(TRIPLES), st.sampled_from(OUTPUTS)), min_size=1, max_size=5
).map(lambda rows: [(source, output, references) for (source, _, references), output in rows])
both = st.integers(0, 1)  # modules of one metric, alive at the same time
given = st.sampled_from([set(), {"sources"}, {"references"}, {"sources", "references"}])


def columns(metric, rows, names):
    made = zip(("sources", "predictions", "references"), zip(*rows, strict=True), strict=True)
    given = given_to(metric, {name: list(column) for name, column in made})
    return {name: column for name, column in given.items() if name in names}


def choices_of(name):
    """Options for `compute`, not all of which go together."""
    scorer = metric_class(name)
    score = {
        "per_example": st.booleans(),
        "confidence": st.sampled_from([None, 0.9]),
        "resamples": st.just(3),
        "seed": st.integers(0, 2),
    }
    own = {
        option.name: st.sampled_from(option.choices)
        for option in scorer.declared_options()
        if option.choices and option.name != "lexical_complexity"  # reads for seconds
    }
    variants = {"variant": st.sampled_from(list(scorer.presets))}
    few = st.one_of(st.just({}), *(st.fixed_dictionaries({n: own[n]}) for n in own))
    chosen = st.builds(
        lambda *parts: {name: value for part in parts for name, value in part.items()},
        st.fixed_dictionaries({}, optional=variants),
        few,
        st.fixed_dictionaries({}, optional=score),
    )
    return st.one_of(st.just({}), chosen)  # so that options come again, too


# Texts that are needed, or may be left out; labels and structures.
@pytest.mark.parametrize("name", ["sari", "edit_ops", "information_errors", "lexical_substitution"])
def test_any_sequence_of_calls_gives_what_score_gives(name, tmp_path):
    load = type(textsimp.load(name))
    scorer = metric_class(name)
    options = choices_of(name)

    required = {column.name for column in scorer.columns if column.required}
    declared = {column.name: column.one or column.name for column in scorer.columns}

    class Calls(RuleBasedStateMachine):
        @initialize(in_memory=st.booleans())
        def start(self, in_memory):
            kinds = [{"cache_dir": str(tmp_path)}, {"keep_in_memory": True}]
            kinds = [kinds[in_memory]] * 2 if in_memory else kinds
            self.modules = [load(experiment_id=str(i), **kind) for i, kind in enumerate(kinds)]
            self.added = [[], []]
            self.columns = [set(), set()]

        def named(self, which, optional):
            """The columns of the examples added before, or some that the metric can do with."""
            return self.columns[which] or {*optional, *required} & {*declared}

        @rule(which=both, rows=examples, optional=given)
        def add_batch(self, which, rows, optional):
            names = self.named(which, optional)
            self.modules[which].add_batch(**columns(scorer, rows, names))
            self.added[which] += rows
            self.columns[which] = names

        @rule(which=both, rows=examples, optional=given)
        def add(self, which, rows, optional):
            names = self.named(which, optional)
            given = columns(scorer, rows[:1], names)
            one = {declared[name]: column[0] for name, column in given.items()}
            self.modules[which].add(**one)
            self.added[which].append(rows[0])
            self.columns[which] = names

        @rule(which=both, rows=examples, optional=given, chosen=options)
        def compute(self, which, rows, optional, chosen):
            names = self.named(which, optional)
            self.check(which, self.added[which] + rows, names, columns(scorer, rows, names), chosen)

        @rule(which=both, chosen=options)
        def compute_what_was_added(self, which, chosen):
            if self.added[which]:
                self.check(which, self.added[which], self.columns[which], {}, chosen)
            else:
                with pytest.raises(InputError):
                    self.modules[which].compute(**chosen)

        def check(self, which, rows, names, now, chosen):
            module = self.modules[which]
            try:
                metric, score_options = scorer.configure(chosen)
            except InputError:  # and what was added is still there
                with pytest.raises(InputError):
                    module.compute(**now, **chosen)
                return
            try:
                expected = metric.score(**columns(scorer, rows, names), **score_options)
            except InputError:  # level aligned without sources
                with pytest.raises(InputError):
                    module.compute(**now, **chosen)
            else:
                assert module.compute(**now, **chosen) == expected
            self.added[which], self.columns[which] = [], set()

        @rule(which=both, rows=examples)
        def columns_that_do_not_go_together(self, which, rows):
            wrong = columns(scorer, rows, {*declared})
            own = next(column.name for column in scorer.columns if column.own)
            wrong[own] = [*wrong[own], wrong[own][0]]
            for call in (self.modules[which].compute, self.modules[which].add_batch):
                with pytest.raises(InputError):
                    call(**wrong)
            self.added[which], self.columns[which] = [], set()  # a loop begins anew

        @rule(which=both, rows=examples)
        def scoring_fails(self, which, rows):
            def splitter(text):
                raise KeyError("a user's own mistake")

            signed = [f.name for f in scorer.declared_options() if f.always]
            if "splitter" in signed and any(text for _, text, _ in rows):
                names = self.named(which, set())
                with pytest.raises(KeyError):
                    self.modules[which].compute(**columns(scorer, rows, names), splitter=splitter)
                self.added[which], self.columns[which] = [], set()  # as after any scoring

        def teardown(self):
            for which in (0, 1):
                if self.added[which]:
                    self.check(which, self.added[which], self.columns[which], {}, {})

    few = settings(max_examples=settings().max_examples // 2, stateful_step_count=15)
    run_state_machine_as_test(Calls, settings=few)
    assert not list(tmp_path.rglob("*.arrow"))
