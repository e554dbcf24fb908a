"""Scores for repositories of models on the Hub: ``.eval_results`` and blocks of model cards."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from textsimp.corpora.testsets import CORPORA
from textsimp.corpora.text_files import is_table
from textsimp.support.errors import InputError

__all__ = ["Benchmark", "ModelScore", "find_benchmark", "format_eval_results", "format_model_index"]


class Benchmark(NamedTuple):
    """A test set, as results on the Hub name it."""

    id: str  # its repository, or a name without a slash
    name: str
    config: str | None
    split: str


class ModelScore(NamedTuple):
    """A corpus score."""

    metric: str  # in its notation
    title: str
    value: float
    signature: str


def find_benchmark(
    test_set: str | None, data: str | Path | None, config: str | None, split: str | None
) -> Benchmark:
    """Return the benchmark that a test set or dataset is; another file or folder is its own."""
    for corpus in CORPORA:
        for part in corpus.test_sets:
            if part.name == test_set:
                place = corpus.hub if "/" in corpus.hub else part.name
                return Benchmark(place, corpus.corpus, corpus.hub_config, part.split)
    place = str(test_set or data or "")
    if not place:
        raise InputError("results on the Hub name a test set: give -t TEST_SET or -d DATASET")
    if test_set or is_table(place) or os.path.exists(place):
        place = Path(place).stem
    return Benchmark(place, place, config, split or "test")


def format_eval_results(benchmark: Benchmark, scores: Sequence[ModelScore]) -> str:
    """Return a file for ``.eval_results``: an entry per metric, which is a task of the benchmark.

    The notes have the signature.
    """
    try:
        from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml
    except ImportError:
        from huggingface_hub import __version__

        raise InputError(
            f"files for .eval_results need huggingface_hub 1.4 or newer, got {__version__}: "
            "pip install -U huggingface_hub"
        ) from None

    import yaml  # type: ignore[import-untyped, unused-ignore]

    entries = [
        EvalResultEntry(
            dataset_id=benchmark.id,
            task_id=score.metric,
            value=round(score.value, 4),
            notes=score.signature,
        )
        for score in scores
    ]
    data = eval_result_entries_to_yaml(entries)
    return str(yaml.safe_dump(data, sort_keys=False, allow_unicode=True))


def format_model_index(model: str, benchmark: Benchmark, scores: Sequence[ModelScore]) -> str:
    """Return the block ``model-index`` of a model card, with the signatures as arguments."""
    from huggingface_hub import EvalResult, ModelCardData

    results = [
        EvalResult(
            task_type="text2text-generation",
            task_name="Text Simplification",
            dataset_type=benchmark.id,
            dataset_name=benchmark.name,
            dataset_config=benchmark.config,
            dataset_split=benchmark.split,
            metric_type=score.metric,
            metric_name=score.title,
            metric_value=round(score.value, 4),
            metric_args={"signature": score.signature},
        )
        for score in scores
    ]
    return f"{ModelCardData(model_name=model, eval_results=results).to_yaml()}\n"
