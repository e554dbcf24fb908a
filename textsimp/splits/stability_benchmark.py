"""How much of a model's score is due to the split it was trained on.

Vásquez-Rodríguez et al. 2021 (Findings of ACL-IJCNLP) train a model on the published split of a
corpus, on random ones and without poor alignments, and score it on external test sets that stay the
same, against each reference and against all of them.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from textsimp.core import columns
from textsimp.core.sums import total
from textsimp.metrics.sari import Sari
from textsimp.splits.balanced import SearchInterrupted
from textsimp.splits.strategies import STRATEGIES
from textsimp.splits.subsets import check_seed, check_subsets, sizes_of
from textsimp.support.errors import InputError, nearest
from textsimp.text.alignment import EditPath

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

TrainAndPredict = Callable[["DatasetDict", list[str], int], Sequence[str]]
Run = dict[str, Any]
Strategies = str | Sequence[str] | Mapping[str, Mapping[str, Any]]

_NOT_SCORES = ("strategy", "seed", "sizes")


class RunError(InputError):
    """A run failed: which one, and why.

    Attributes:
        runs: The runs that had finished, as in the result of `benchmark`.
    """

    def __init__(self, message: str, runs: Sequence[Run] = ()) -> None:
        super().__init__(message)
        self.runs = list(runs)


def benchmark(
    train_and_predict: TrainAndPredict,
    dataset_dict: Mapping[str, Dataset],
    *,
    test: Mapping[str, Any] | Dataset,
    strategies: Strategies | None = None,
    seeds: Sequence[int] = (155, 324, 393, 728, 989),
    on_result: Callable[[Run], object] | None = None,
    source: str = "source",
    target: str = "target",
    edits: EditPath = "paper",
    **options: Any,
) -> dict[str, Any]:
    """Train on several splits of a corpus and score each model on the same external test set.

    Every strategy is run with every seed: the deviation over seeds of ``"original"`` is due to
    training alone, that of ``"random"`` to training and the split. All splits are made before the
    first training, so that whatever is wrong with the corpus or the options is found then.

    The strategies are those of `textsimp.splits.STRATEGIES`, which says of each what it is, its
    function and options, and which of these are set here. Random splits are those of the paper with
    the default seeds; poor alignments are a ``fraction``, by default 0.1, or several, each a
    strategy of its own such as ``"poor_alignments 0.02"``.

    Args:
        train_and_predict: Called as ``train_and_predict(splits, sources, seed)``: trains a new
            model on a ``DatasetDict`` that has the subsets of ``dataset_dict``, and returns a
            simplification of each source, in their order.
        dataset_dict: The corpus, as it was split originally.
        test: The columns ``sources`` (strings) and ``references`` (as many per row everywhere) of
            a test set that is no part of the corpus.
        strategies: One or more names, or name → options; ``None``: all.
        seeds: Different integers from 0 below 2³², for the splits and the function. The paper's by
            default.
        on_result: Called with each finished run, for instance to write it to a file.
        source: Column of strings that poor alignments and balance are measured on.
        target: Column of strings, or of lists of strings.
        edits: Which edits are counted, see `edit_columns`.
        **options: ``variant`` and other options of `textsimp.Sari`.

    Returns:
        Lists and dicts that JSON can hold:

        - ``runs``: for every seed and strategy, in this order, a dict of ``strategy``, ``seed``,
          ``sizes`` (rows of each subset); ``sari``, ``add``, ``keep``, ``delete`` (0–100) with all
          references; and ``sari_per_reference`` and so on, a list with the score against each
          reference alone.
        - ``summary``: what `benchmark_summary` makes of them.
        - ``signature``, ``signature_per_reference``: of the scores.
        - ``strategies``: name → options.

        Interrupted by Ctrl-C, the runs that have finished, if any.

    Raises:
        InputError: Bad columns, options or seeds, or a corpus that a strategy can't split; before
            anything is trained.
        RunError: Training failed, or returned anything but a text per source. It has the finished
            runs.

    Example:
        >>> from datasets import Dataset, DatasetDict
        >>> pairs = Dataset.from_dict({"source": ["a feline", "a dog"], "target": ["a cat"] * 2})
        >>> result = benchmark(
        ...     lambda splits, sources, seed: [splits["train"]["target"][0] for _ in sources],
        ...     DatasetDict({"train": pairs, "test": pairs}),
        ...     test={"sources": ["the feline"], "references": [["a cat", "the cat"]]},
        ...     strategies=("original", "random"),
        ...     seeds=(1, 2),
        ... )
        >>> [(run["strategy"], run["seed"]) for run in result["runs"]]
        [('original', 1), ('random', 1), ('original', 2), ('random', 2)]
    """
    from datasets import DatasetDict
    from datasets.utils import tqdm

    if not callable(train_and_predict):
        raise InputError(f"train_and_predict: expected a function, got {train_and_predict!r}")
    metric = Sari.preset(**options)
    sources, references = _test_columns(test)
    chosen = _chosen(tuple(STRATEGIES) if strategies is None else strategies)
    check_subsets(dataset_dict, at_least=1)
    pair = {"source": source, "target": target, "edits": edits}
    splits = {
        (label, seed): _split(DatasetDict(dataset_dict), name, own, seed, pair)
        for seed in _different(seeds)
        for label, (name, own) in chosen.items()
    }
    for (label, seed), subsets in splits.items():
        for name, rows in sizes_of(subsets).items():
            if not rows:
                raise InputError(f"{label}, seed {seed}: no rows are left of subset {name!r}")
    single = [[[text] for text in column] for column in zip(*references, strict=True)]
    prepared = [metric.prepare(sources, rows) for rows in (references, *single)]

    def run(label: str, seed: int) -> Run:
        subsets = splits[label, seed]
        sizes = sizes_of(subsets)  # the function may do to them what it likes
        predictions = columns.texts(
            train_and_predict(subsets, list(sources), seed), "what train_and_predict returned"
        )
        if len(predictions) != len(sources):
            raise InputError(
                f"train_and_predict: expected {len(sources)} predictions, one per source, "
                f"got {len(predictions)}"
            )
        every, *each = (
            metric.reduce(total(metric.statistics(part, predictions))) for part in prepared
        )
        names = metric.reported()
        return (
            {"strategy": label, "seed": seed, "sizes": sizes}
            | {name: every[name].tolist() for name in names}
            | {f"{name}_per_reference": [one[name].tolist() for one in each] for name in names}
        )

    runs: list[Run] = []
    try:
        with tqdm(
            desc="Training", unit=" runs", total=len(splits), disable=None, leave=False
        ) as progress:
            for label, seed in splits:
                progress.set_postfix_str(f"{label}, seed {seed}")
                try:
                    runs.append(run(label, seed))
                    if on_result is not None:
                        on_result(runs[-1])
                except Exception as error:
                    kind = "" if isinstance(error, InputError) else f"{type(error).__name__}: "
                    raise RunError(f"{label}, seed {seed}: {kind}{error}", runs) from error
                progress.update()
    except KeyboardInterrupt:
        if not runs:
            raise
    return {
        "runs": runs,
        "summary": benchmark_summary(runs),
        "signature": metric.signature(references),
        "signature_per_reference": metric.signature(single[0]),
        "strategies": {label: own for label, (_, own) in chosen.items()},
    }


def benchmark_summary(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """Mean and standard deviation of each strategy's scores.

    Args:
        runs: All or some runs of a `benchmark`.

    Returns:
        For each strategy a dict of ``strategy``, ``runs`` (how many), and for each score its mean,
        under the score's own name, and ``<score>_std``, the sample standard deviation (divided by
        runs − 1; None for a single run). Lists of scores have lists of both.

    Raises:
        InputError: No runs, or what isn't a run.
    """
    if isinstance(runs, Mapping) or not runs or not all("strategy" in run for run in runs):
        raise InputError("runs: expected the 'runs' of a benchmark, at least one of them")
    summary = []
    for strategy in dict.fromkeys(run["strategy"] for run in runs):
        ours = [run for run in runs if run["strategy"] == strategy]
        row: dict[str, Any] = {"strategy": strategy, "runs": len(ours)}
        for name in ours[0]:
            if name not in _NOT_SCORES:
                values = np.array([run[name] for run in ours])
                row[name] = values.mean(axis=0).tolist()
                row[f"{name}_std"] = values.std(axis=0, ddof=1).tolist() if len(ours) > 1 else None
        summary.append(row)
    return summary


def _chosen(strategies: Any) -> dict[str, tuple[str, dict[str, Any]]]:
    """What a strategy is called in the results → its name and options."""
    if isinstance(strategies, str):
        strategies = (strategies,)
    if not isinstance(strategies, (Mapping, Sequence)) or not strategies:
        raise InputError(
            f"strategies: expected one or more of {_listed(STRATEGIES)}, got {strategies!r}"
        )
    chosen = {}
    for name in strategies:
        if not isinstance(name, str) or name not in STRATEGIES:
            raise InputError(
                f"strategies: expected names of {_listed(STRATEGIES)}, got {name!r}"
                f"{nearest(name, STRATEGIES)}"
            )
        strategy = STRATEGIES[name]
        own = strategies[name] if isinstance(strategies, Mapping) else {}
        if not isinstance(own, Mapping):
            raise InputError(f"strategies: expected a dict of options of {name!r}, got {own!r}")
        for option in own:
            if option not in strategy.options:
                expected = _listed(strategy.options) or "none"
                raise InputError(
                    f"unknown option {option!r} of {name!r}"
                    f"{nearest(option, strategy.options)}: expected {expected}"
                )
        own = {**strategy.benchmark, **own}
        several = [option for option in own if strategy.options[option].several]
        values = [np.atleast_1d(own[option]).tolist() for option in several]
        for option, found in zip(several, values, strict=True):
            if not found:
                raise InputError(f"{option}: expected one or more values, got none")
        for one in itertools.product(*values):
            label = " ".join([name, *map(str, one)])
            chosen[label] = name, {**own, **dict(zip(several, one, strict=True))}
    return chosen


def _split(
    data: DatasetDict, name: str, own: dict[str, Any], seed: int, pair: dict[str, Any]
) -> DatasetDict:
    with warnings.catch_warnings():
        warnings.simplefilter("error", SearchInterrupted)
        try:
            return STRATEGIES[name].split(data, seed, own, **pair).splits
        except SearchInterrupted:  # who presses Ctrl-C means the whole benchmark
            raise KeyboardInterrupt from None


def _test_columns(test: Any) -> tuple[list[str], list[list[str]]]:
    from datasets import Dataset

    if not isinstance(test, (Mapping, Dataset)):
        raise InputError(
            "test: expected a dict or Dataset of the columns 'sources' and 'references', "
            f"got {type(test).__name__}"
        )
    names = list(test if isinstance(test, Mapping) else test.column_names)
    for name in ("sources", "references"):
        if name not in names:
            raise InputError(f"test has no column {name!r}; its columns are {_listed(names)}")
    sources = columns.texts(test["sources"], "sources of test")
    references = columns.references(test["references"], "references of test")
    given: dict[str, Sequence[Any]] = {
        "sources of test": sources,
        "references of test": references,
    }
    columns.check_lengths(**given)
    for i, row in enumerate(references):
        if len(row) != len(references[0]):
            raise InputError(
                f"row {i} of references of test (counted from 0): expected {len(references[0])} as "
                f"in row 0, got {len(row)}; each reference is scored by itself"
            )
    return sources, references


def _different(seeds: Any) -> list[int]:
    numbers: list[int] = np.atleast_1d(seeds).tolist()
    for number in numbers:
        check_seed(number)
    if not numbers or len(set(numbers)) < len(numbers):
        raise InputError(f"seeds: expected one or more different integers, got {numbers}")
    return numbers


def _listed(names: Any) -> str:
    return ", ".join(map(repr, names))
