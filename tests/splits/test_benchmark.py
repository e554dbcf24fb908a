from __future__ import annotations

import importlib.util
import json
import random
import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from datasets import Dataset, DatasetDict
from hypothesis import given
from hypothesis import strategies as st

from textsimp import InputError
from textsimp.metrics.sari import Sari
from textsimp.splits import (
    RunError,
    balanced,
    balanced_split,
    benchmark,
    benchmark_summary,
    drop_poor_alignments,
    plot_benchmark,
    random_split,
)
from textsimp.text.alignment import operations, words

HARD = [f"hard{i}" for i in range(12)]
EASY = [f"easy{i}" for i in range(12)]
PLAIN = ["the", "a", "of", "in", "and"]
ALL: dict[str, dict[str, Any]] = {
    "original": {},
    "random": {},
    "poor_alignments": {},
    "balanced": {"iterations": 1000},
}


def pairs(n: int, seed: int, misaligned: float = 0.0) -> dict[str, list[str]]:
    """Sources, and targets in which every hard word has its easy one; some belong elsewhere."""
    rng = random.Random(seed)
    sources = [rng.choices(HARD + PLAIN, k=8) for _ in range(n)]
    simple = dict(zip(HARD, EASY, strict=True))
    targets = [
        ["the"] * 8
        if rng.random() < misaligned
        else [simple.get(word, word) for word in source if word != "of"]
        for source in sources
    ]
    return {
        "id": [1000 * seed + i for i in range(n)],
        "source": list(map(" ".join, sources)),
        "target": list(map(" ".join, targets)),
    }


def corpus(misaligned: float = 0.0) -> DatasetDict:
    sizes = {"train": 24, "validation": 6, "test": 6}
    return DatasetDict(
        {
            name: Dataset.from_dict(pairs(n, seed, misaligned))
            for seed, (name, n) in enumerate(sizes.items(), 1)
        }
    )


def external() -> dict[str, Any]:
    """A test set of ten sentences with a good and a worse reference each."""
    good = pairs(10, seed=9)
    return {
        "sources": good["source"],
        "references": [[text, text.removeprefix("the ")] for text in good["target"]],
    }


def substitution(splits: Mapping[str, Dataset], sources: list[str], seed: int) -> list[str]:
    """Learn what most often becomes of a word, from a sample of the pairs that depends on seed."""
    train = splits["train"]
    train = train.select(random.Random(seed).choices(range(len(train)), k=len(train)))
    originals, targets = ([words(text) for text in train[c]] for c in ("source", "target"))
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for original, target, path in zip(
        originals, targets, operations(originals, targets), strict=True
    ):
        for _, i, j in path:
            if i is not None:
                seen[original[i]]["" if j is None else target[j]] += 1
    rules = {word: counts.most_common(1)[0][0] for word, counts in seen.items()}
    return [" ".join(filter(None, (rules.get(w, w) for w in words(s)))) for s in sources]


def copy(splits: DatasetDict, sources: list[str], seed: int) -> list[str]:
    return sources


def test_every_strategy_runs_with_every_seed() -> None:
    runs = benchmark(copy, corpus(), test=external(), strategies=ALL, seeds=(3, 1))["runs"]
    names = ["original", "random", "poor_alignments 0.1", "balanced"]
    assert [(run["seed"], run["strategy"]) for run in runs] == [
        (seed, name) for seed in (3, 1) for name in names
    ]


def test_all_strategies_run_by_default() -> None:
    summary = benchmark(copy, corpus(), test=external(), seeds=1)["summary"]
    names = ["original", "random", "poor_alignments 0.1", "balanced"]
    assert [row["strategy"] for row in summary] == names


def test_function_gets_the_splits_that_the_tools_make() -> None:
    data = corpus(misaligned=0.3)
    given_splits: list[dict[str, list[int]]] = []

    def remember(splits: DatasetDict, sources: list[str], seed: int) -> list[str]:
        given_splits.append({name: subset["id"][:] for name, subset in splits.items()})
        return sources

    runs = benchmark(
        remember,
        data,
        test=external(),
        strategies={
            "original": {},
            "random": {"variant": "numpy"},
            "poor_alignments": {"fraction": (0.2, 0.4), "mode": "merged"},
            "balanced": {"iterations": 2000},
        },
        seeds=(7,),
    )["runs"]
    by_hand = [
        data,
        random_split(data, 7),
        drop_poor_alignments(data, 0.2, mode="merged", seed=7).kept,
        drop_poor_alignments(data, 0.4, mode="merged", seed=7).kept,
        balanced_split(data, iterations=2000, seed=7),
    ]
    ids = [{name: subset["id"][:] for name, subset in splits.items()} for splits in by_hand]
    assert given_splits == ids
    assert [run["sizes"] for run in runs] == [
        {name: len(rows) for name, rows in splits.items()} for splits in ids
    ]


def test_random_splits_are_the_papers_by_default() -> None:
    seen: list[int] = []

    def remember(splits: DatasetDict, sources: list[str], seed: int) -> list[str]:
        seen.append(splits["train"]["id"][0])
        return sources

    benchmark(remember, corpus(), test=external(), strategies="random")
    paper = (155, 324, 393, 728, 989)
    assert seen == [random_split(corpus(), s, variant="paper")["train"]["id"][0] for s in paper]


def test_numbers_are_those_of_the_parts_called_by_hand() -> None:
    data, test = corpus(misaligned=0.3), external()
    result = benchmark(
        substitution, data, test=test, strategies=("random", "poor_alignments"), seeds=(1, 2, 3)
    )
    scores = []
    for seed in (1, 2, 3):
        predictions = substitution(random_split(data, seed, variant="paper"), test["sources"], seed)
        scores.append(
            Sari.preset().score(
                sources=test["sources"], predictions=predictions, references=test["references"]
            )
        )
    ours = [run for run in result["runs"] if run["strategy"] == "random"]
    for name in ("sari", "add", "keep", "delete"):
        by_hand = [score[name] for score in scores]
        assert [run[name] for run in ours] == pytest.approx(by_hand, abs=1e-9)
        assert result["summary"][0][name] == pytest.approx(statistics.mean(by_hand), abs=1e-9)
        assert result["summary"][0][f"{name}_std"] == pytest.approx(
            statistics.stdev(by_hand), abs=1e-9
        )
    assert result["signature"] == scores[0]["signature"]


def test_score_per_reference_is_that_with_this_reference_alone() -> None:
    test = external()
    result = benchmark(substitution, corpus(), test=test, strategies="original", seeds=(1,))
    predictions = substitution(corpus(), test["sources"], 1)
    for j in range(2):
        alone = Sari.preset().score(
            sources=test["sources"],
            predictions=predictions,
            references=[row[j] for row in test["references"]],
        )
        for name in ("sari", "add", "keep", "delete"):
            assert result["runs"][0][f"{name}_per_reference"][j] == pytest.approx(
                alone[name], abs=1e-9
            )
        assert result["signature_per_reference"] == alone["signature"]


def test_a_model_that_learns_by_heart_is_better_without_poor_alignments() -> None:
    result = benchmark(
        substitution,
        corpus(misaligned=0.5),
        test=external(),
        strategies={"original": {}, "poor_alignments": {"fraction": 0.5}},
        seeds=range(5),
    )
    original, kept = result["summary"]
    assert kept["sari"] > original["sari"] + 5


def test_equal_seeds_give_equal_results() -> None:
    def once() -> dict[str, Any]:
        return benchmark(substitution, corpus(0.2), test=external(), strategies=ALL, seeds=(1, 2))

    assert once() == once()


def test_result_survives_json() -> None:
    result = benchmark(
        substitution,
        corpus(),
        test=external(),
        strategies={"poor_alignments": {"fraction": np.array([0.1, 0.2])}, "random": {}},
        seeds=np.array([1, 2]),
        per_order=True,
    )
    assert json.loads(json.dumps(result)) == result
    assert result["strategies"] == {
        "poor_alignments 0.1": {"fraction": 0.1},
        "poor_alignments 0.2": {"fraction": 0.2},
        "random": {"variant": "paper"},
    }


def test_options_of_sari_are_passed_on() -> None:
    test = external()
    result = benchmark(
        copy, corpus(), test=test, strategies="original", seeds=(1,), variant="xu", lowercase=False
    )
    expected = Sari.preset("xu", lowercase=False).score(
        sources=test["sources"], predictions=test["sources"], references=test["references"]
    )
    assert result["runs"][0]["sari"] == expected["sari"]
    assert result["signature"] == expected["signature"]


def test_scores_by_order_have_means_and_deviations_too() -> None:
    result = benchmark(
        substitution,
        corpus(0.3),
        test=external(),
        strategies="original",
        seeds=(1, 2),
        per_order=True,
    )
    one, other = (run["add_f1"] for run in result["runs"])
    row = result["summary"][0]
    assert row["add_f1"] == pytest.approx(np.mean([one, other], axis=0).tolist())
    assert np.shape(row["add_f1_per_reference_std"]) == (2, 4)


def test_a_single_run_has_no_deviation() -> None:
    (row,) = benchmark(copy, corpus(), test=external(), strategies="original", seeds=1)["summary"]
    assert row["runs"] == 1
    assert row["sari_std"] is None
    assert row["sari_per_reference_std"] is None


@given(st.lists(st.tuples(st.sampled_from("ab"), st.floats(0, 100)), min_size=1, max_size=12))
def test_summary_is_mean_and_sample_deviation(scores: list[tuple[str, float]]) -> None:
    runs = [
        {"strategy": name, "seed": i, "sizes": {}, "sari": score, "sari_per_reference": [score, 1]}
        for i, (name, score) in enumerate(scores)
    ]
    for row in benchmark_summary(runs):
        ours = [score for name, score in scores if name == row["strategy"]]
        assert row["runs"] == len(ours)
        assert row["sari"] == pytest.approx(statistics.fmean(ours), abs=1e-9)
        assert row["sari_per_reference"] == pytest.approx([statistics.fmean(ours), 1], abs=1e-9)
        if len(ours) > 1:
            assert row["sari_std"] == pytest.approx(statistics.stdev(ours), abs=1e-9)


def test_what_a_run_does_to_its_data_reaches_no_other() -> None:
    seen = []

    def spoil(splits: DatasetDict, sources: list[str], seed: int) -> list[str]:
        seen.append((sorted(splits), list(sources)))
        simplified = list(sources)
        del splits["train"]
        sources.clear()
        return simplified

    data = corpus()
    benchmark(spoil, data, test=external(), strategies=("original", "random"), seeds=(1, 2))
    assert seen == [(["test", "train", "validation"], external()["sources"])] * 4
    assert "train" in data


def test_sources_and_references_are_prepared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = []
    prepare = Sari.prepare

    def counted(self: Sari, sources: Any, references: Any) -> Any:
        prepared.append(references)
        return prepare(self, sources, references)

    monkeypatch.setattr(Sari, "prepare", counted)
    benchmark(copy, corpus(), test=external(), strategies="original", seeds=(1, 2))
    assert len(prepared) == 3  # all references, and each of two


def test_test_set_may_be_a_dataset_and_the_corpus_a_dict() -> None:
    expected = benchmark(copy, corpus(), test=external(), strategies="random", seeds=1)
    result = benchmark(
        copy,
        dict(corpus()),
        test=Dataset.from_dict(external()),
        strategies=["random"],
        seeds=[1],
    )
    assert result == expected


def test_columns_have_any_name() -> None:
    renamed = corpus(0.3).rename_columns({"source": "complex", "target": "simple"})
    strategies = {"poor_alignments": {}, "balanced": {"iterations": 1000}}
    result = benchmark(
        copy,
        renamed,
        test=external(),
        strategies=strategies,
        seeds=1,
        source="complex",
        target="simple",
    )
    assert result == benchmark(copy, corpus(0.3), test=external(), strategies=strategies, seeds=1)


def test_original_and_random_splits_need_no_pairs() -> None:
    texts = DatasetDict({name: subset.select_columns("id") for name, subset in corpus().items()})
    result = benchmark(copy, texts, test=external(), strategies=("original", "random"), seeds=1)
    assert len(result["runs"]) == 2


BAD = {
    "no function": ({"train_and_predict": None}, "train_and_predict: expected a function"),
    "no strategy": ({"strategies": ()}, "strategies: expected one or more of 'original', 'random'"),
    "unknown strategy": ({"strategies": ("original", "best")}, "got 'best'"),
    "mistyped strategy": (
        {"strategies": "poor-alignments"},
        r"got 'poor-alignments' \(did you mean 'poor_alignments'\?\)",
    ),
    "mistyped option": (
        {"strategies": {"poor_alignments": {"fration": 0.1}}},
        r"unknown option 'fration' of 'poor_alignments' \(did you mean 'fraction'\?\): expected",
    ),
    "options of another": (
        {"strategies": {"random": {"fraction": 0.1}}},
        "unknown option 'fraction' of 'random': expected 'variant', 'sizes'",
    ),
    "option of the original": (
        {"strategies": {"original": {"seed": 1}}},
        "unknown option 'seed' of 'original': expected none",
    ),
    "options that are none": ({"strategies": {"balanced": 3}}, "dict of options of 'balanced'"),
    "value of an option": ({"strategies": {"balanced": {"method": "luck"}}}, "method: expected"),
    "fraction": ({"strategies": {"poor_alignments": {"fraction": 2}}}, "fraction: expected a"),
    "no fraction": ({"strategies": {"poor_alignments": {"fraction": []}}}, "got none"),
    "seed": ({"seeds": (1, -2)}, "seed: expected an integer"),
    "no seed": ({"seeds": ()}, "seeds: expected one or more different integers"),
    "equal seeds": ({"seeds": (1, 2, 1)}, "different integers, got .1, 2, 1."),
    "edits": ({"edits": "long"}, "edits: expected"),
    "column": ({"target": "simple"}, "no column 'simple'"),
    "corpus": ({"dataset_dict": [1]}, "expected a DatasetDict"),
    "subsets": ({"dataset_dict": {"train": corpus()["train"]}}, "at least 2 subsets, got 1"),
    "option of SARI": ({"tokeniser": "13a"}, "unknown option 'tokeniser' of sari"),
    "test": ({"test": [1]}, "test: expected a dict or Dataset of the columns 'sources'"),
    "test columns": ({"test": {"sources": ["a"]}}, "test has no column 'references'"),
    "test text": (
        {"test": {"sources": [None], "references": ["a"]}},
        "row 0 of sources of test",
    ),
    "test lengths": (
        {"test": {"sources": ["a"], "references": ["a", "b"]}},
        "sources of test has 1, references of test has 2",
    ),
    "test references": (
        {"test": {"sources": ["a", "b"], "references": [["a", "b"], ["a"]]}},
        "row 1 of references of test .*: expected 2 as in row 0, got 1",
    ),
}


@pytest.mark.parametrize("bad", BAD)
def test_bad_input_is_found_before_anything_is_trained(bad: str) -> None:
    called = []
    options, message = BAD[bad]
    arguments = {
        "train_and_predict": lambda *_: called.append(1),
        "dataset_dict": corpus(),
        "test": external(),
        "seeds": (1, 2),
    }
    with pytest.raises(InputError, match=message):
        benchmark(**(arguments | options))
    assert not called


def test_a_subset_that_loses_all_rows_is_named() -> None:
    twice = DatasetDict({"train": corpus()["test"], "test": corpus()["test"]})
    with pytest.raises(InputError, match="seed 1: no rows are left of subset 'train'"):
        benchmark(
            copy,
            twice,
            test=external(),
            strategies={"original": {}, "poor_alignments": {"duplicates": "drop"}},
            seeds=1,
        )


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (lambda sources: sources[1:], "random, seed 2: .* expected 10 predictions, .* got 9"),
        (lambda sources: None, "random, seed 2: what train_and_predict returned: expected a list"),
        (lambda sources: [1] * 10, "random, seed 2: row 0 of what train_and_predict returned"),
        (lambda sources: 1 / 0, "random, seed 2: ZeroDivisionError: division by zero"),
    ],
)
def test_a_run_that_fails_is_named_and_the_others_are_kept(returned: Any, message: str) -> None:
    def fails_at_last(splits: DatasetDict, sources: list[str], seed: int) -> Any:
        calls.append(seed)
        return returned(sources) if len(calls) == 4 else sources

    calls: list[int] = []
    arguments = {"test": external(), "strategies": ("original", "random"), "seeds": (1, 2)}
    with pytest.raises(RunError, match=message) as caught:
        benchmark(fails_at_last, corpus(), **arguments)
    assert isinstance(caught.value, InputError)
    assert caught.value.runs == benchmark(copy, corpus(), **arguments)["runs"][:3]


def test_interrupted_it_returns_the_finished_runs() -> None:
    def stops(splits: DatasetDict, sources: list[str], seed: int) -> list[str]:
        if seed == 3:
            raise KeyboardInterrupt
        return sources

    result = benchmark(stops, corpus(), test=external(), strategies="random", seeds=(1, 2, 3, 4))
    assert [run["seed"] for run in result["runs"]] == [1, 2]
    assert result["summary"][0]["runs"] == 2


def test_interrupted_in_the_first_run_it_stops() -> None:
    def stops(splits: DatasetDict, sources: list[str], seed: int) -> list[str]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        benchmark(stops, corpus(), test=external(), strategies="original")


def test_interrupted_in_the_search_for_a_split_it_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def evaluate(*arguments: Any) -> Any:
        calls.append(1)
        if len(calls) == 3:  # the search is under way
            raise KeyboardInterrupt
        return rates(*arguments)

    rates = balanced._rates
    monkeypatch.setattr(balanced, "_rates", evaluate)
    trained: list[int] = []

    def train(splits: DatasetDict, sources: list[str], seed: int) -> list[str]:
        trained.append(seed)
        return sources

    with pytest.raises(KeyboardInterrupt):
        benchmark(train, corpus(), test=external(), strategies="balanced", seeds=(1, 2))
    assert trained == []
    assert len(calls) == 4  # one more for the best so far, and none for the second seed


def test_each_run_is_handed_over_when_it_has_finished() -> None:
    events: list[Any] = []

    def train(splits: DatasetDict, sources: list[str], seed: int) -> list[str]:
        events.append(seed)
        return sources

    result = benchmark(
        train,
        corpus(),
        test=external(),
        strategies="original",
        seeds=(1, 2),
        on_result=events.append,
    )
    first, second = result["runs"]
    assert events == [1, first, 2, second]


@pytest.mark.parametrize("runs", [[], {"runs": []}, [{"sari": 1.0}]])
def test_a_summary_of_no_runs_is_refused(runs: Any) -> None:
    with pytest.raises(InputError, match="expected the 'runs' of a benchmark"):
        benchmark_summary(runs)


class TestPlot:
    @pytest.fixture(autouse=True)
    def _needs_matplotlib(self) -> None:
        pytest.importorskip("matplotlib")

    def test_shows_means_and_deviations_per_reference_and_with_all(self) -> None:
        result = benchmark(
            substitution, corpus(0.3), test=external(), strategies=ALL, seeds=(1, 2, 3)
        )
        figure = plot_benchmark(result["runs"])
        (axes,) = figure.axes
        assert [tick.get_text() for tick in axes.get_xticklabels()] == ["0", "1", "all"]
        for row, drawn in zip(result["summary"], axes.containers, strict=True):
            means = [*row["sari_per_reference"], row["sari"]]
            assert drawn.lines[0].get_ydata().tolist() == pytest.approx(means)
            bars = drawn.lines[2][0].get_segments()
            deviations = [*row["sari_per_reference_std"], row["sari_std"]]
            assert [(bar[1, 1] - bar[0, 1]) / 2 for bar in bars] == pytest.approx(deviations)
        (legend,) = figure.legends
        assert [text.get_text() for text in legend.get_texts()] == [
            f"{row['strategy']} (3 runs)" for row in result["summary"]
        ]

    def test_shows_every_run(self) -> None:
        runs = benchmark(
            substitution, corpus(0.3), test=external(), strategies="original", seeds=(1, 2, 3)
        )["runs"]
        dots = [line for line in plot_benchmark(runs).axes[0].lines if line.get_marker() == "."]
        expected = [[*run["sari_per_reference"], run["sari"]] for run in runs]
        assert [dot.get_ydata().tolist() for dot in dots] == expected

    def test_draws_single_runs_without_bars(self) -> None:
        runs = benchmark(copy, corpus(), test=external(), strategies="random", seeds=1)["runs"]
        (drawn,) = plot_benchmark(runs).axes[0].containers
        assert not drawn.has_yerr

    def test_the_example_runs(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = Path(__file__).parents[2] / "examples" / "stability.py"
        spec = importlib.util.spec_from_file_location("stability_example", path)
        assert spec is not None
        assert spec.loader is not None
        example = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(example)
        example.RESULTS = tmp_path
        example.main()
        assert "poor_alignments 0.2" in capsys.readouterr().out
        assert (tmp_path / "stability.png").exists()
        lines = (tmp_path / "stability.jsonl").read_text(encoding="utf-8").splitlines()
        assert len(lines) == 25
        assert len(benchmark_summary([json.loads(line) for line in lines])) == 5
