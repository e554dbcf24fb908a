"""All scores of a system, and the HTML report."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from textsimp import report
from textsimp.core.metric import Metric
from textsimp.easse.bertscore import corpus_bertscore
from textsimp.easse.quality_estimation import corpus_quality_estimation
from textsimp.easse.samsa import corpus_samsa
from textsimp.easse.sentences import Refs, Sents, by_sentence
from textsimp.easse.substitutes import replace_missing
from textsimp.easse.utils.constants import DEFAULT_METRICS, VALID_METRICS
from textsimp.metrics import catalogue
from textsimp.support.errors import check_choice

__getattr__ = replace_missing(__name__, "textsimp.report.write, which takes several systems")

METRICS = {  # of ``easse evaluate``, in its order
    "bleu": "bleu",
    "sent_bleu": "bleu(easse_sentence)",
    "sari": "sari",
    "sari_legacy": "sari(easse_legacy)",
    "sari_by_operation": "sari",
    "fkgl": "fkgl_components(easse)",
    "f1_token": "f1_token",
}


def make_metric(name: str, lowercase: bool, tokenizer: str | None) -> Metric:
    """Return the metric that ``easse evaluate`` calls so. ``sari_legacy`` keeps case."""
    check_choice("metrics", name, [*METRICS])
    metric: Any = catalogue.metric(METRICS[name])
    options: dict[str, Any] = {"tokenizer": tokenizer or "none"}
    if "lowercase" in metric.option_names():
        options["lowercase"] = lowercase and metric.lowercase
    made: Metric = replace(metric, **options)
    return made


def compute_scores(
    orig_sents: Sents, sys_sents: Sents, refs_sents: Refs, metrics: Iterable[str], **options: Any
) -> dict[str, float]:
    """Return scores by the keys of ``easse evaluate``, in its order."""
    chosen, scores = [*metrics], dict[str, float]()
    for name in chosen:
        check_choice("metrics", name, VALID_METRICS)
    if "samsa" in chosen:
        scores["samsa"] = corpus_samsa(orig_sents, sys_sents, **options)
    references = by_sentence(refs_sents, sys_sents)
    for name in [name for name in METRICS if name in chosen]:
        found = make_metric(name, **options).score(
            sources=orig_sents, predictions=sys_sents, references=references
        )
        if name == "sari_by_operation":
            for key, part in (("add", "add"), ("keep", "keep"), ("del", "delete")):
                scores[f"sari_{key}"] = found[part]
        else:
            scores[name] = found.main.value
    if "bertscore" in chosen:
        values = corpus_bertscore(sys_sents, refs_sents, **options)
        for key, value in zip(("precision", "recall", "f1"), values, strict=True):
            scores[f"bertscore_{key}"] = value
    return scores


def get_all_scores(
    orig_sents: Sents,
    sys_sents: Sents,
    refs_sents: Refs,
    lowercase: bool = False,
    tokenizer: str | None = "13a",
    metrics: Iterable[str] = DEFAULT_METRICS,
) -> dict[str, float]:
    """Return scores by capital names, such as ``SARI``, and the quality-estimation features."""
    options: dict[str, Any] = {"lowercase": lowercase, "tokenizer": tokenizer}
    scores = compute_scores(orig_sents, sys_sents, refs_sents, metrics, **options)
    features = corpus_quality_estimation(orig_sents, sys_sents, **options)
    return {name.upper(): score for name, score in scores.items()} | features


def write_html_report(
    filepath: str | Path,
    orig_sents: Sents,
    sys_sents: Sents,
    refs_sents: Refs,
    test_set: str = "custom",
    lowercase: bool = False,
    tokenizer: str | None = "13a",
    metrics: Iterable[str] = DEFAULT_METRICS,
) -> None:
    """Write textsimp's report on a system."""
    chosen = [make_metric(name, lowercase, tokenizer) for name in metrics]
    report.write(
        filepath,
        {"system": sys_sents},
        sources=orig_sents,
        references=by_sentence(refs_sents, sys_sents),
        metrics=[*dict.fromkeys(chosen)],
        description=f"Test set: {test_set}",
    )
