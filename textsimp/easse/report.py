"""All scores of a system, and the HTML report."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from textsimp import report
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
OPERATIONS = {"sari_add": "add", "sari_keep": "keep", "sari_del": "delete"}


def make_metric(name: str, lowercase: bool, tokenizer: str | None) -> Any:
    """Return the metric that ``easse evaluate`` calls so. ``sari_legacy`` keeps case."""
    check_choice("metrics", name, [*METRICS])
    metric: Any = catalogue.metric(METRICS[name])
    metric = replace(metric, tokenizer=tokenizer or "none")
    if "lowercase" in metric.option_names():
        metric = replace(metric, lowercase=lowercase and metric.lowercase)
    return metric


def compute_scores(
    orig_sents: Sents, sys_sents: Sents, refs_sents: Refs, metrics: Iterable[str], **options: Any
) -> dict[str, float]:
    """Return scores by the keys of ``easse evaluate``, in its order."""
    chosen, scores = [*metrics], dict[str, float]()
    for name in chosen:
        check_choice("metrics", name, VALID_METRICS)
    if "samsa" in chosen:
        scores["samsa"] = corpus_samsa(orig_sents, sys_sents, **options)
    texts = {"sources": orig_sents, "predictions": sys_sents}
    references = by_sentence(refs_sents, sys_sents)
    for name in [name for name in METRICS if name in chosen]:
        found = make_metric(name, **options).score(**texts, references=references)
        if name == "sari_by_operation":
            scores |= {name: found[part] for name, part in OPERATIONS.items()}
        else:
            scores[name] = found.main.value
    if "bertscore" in chosen:
        names = ("bertscore_precision", "bertscore_recall", "bertscore_f1")
        values = corpus_bertscore(sys_sents, refs_sents, **options)
        scores |= dict(zip(names, values, strict=True))
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
