"""The pretrained models of shared tasks: the only place that runs them."""

from collections.abc import Mapping, Sequence

from textsimp.core.sample import Sample
from textsimp.extensions.tasks.task import sample_of
from textsimp.metrics.catalogue import metric_class

MODELS = {
    "meaningbert": "davebulaval/MeaningBERT",
    "bertscore": "FacebookAI/roberta-large",
    "lens": "davidheineman/lens",
}
"""Measure → its model."""


def compare_levels(
    classifiers: Sequence[str], names: Mapping[str, str], outputs: list[str], targets: list[str]
) -> Sample:
    """Return the sample of CEFR levels against targets; ``names`` as for `sample_of`."""
    metric = metric_class("level").preset(model=",".join(classifiers))
    return sample_of(metric, names, predictions=outputs, targets=targets)


def compare(measure: str, outputs: list[str], others: list[str]) -> list[float]:
    """Return the similarity, 0 to 1, of each output with another text, which is read first."""
    if measure == "meaningbert":
        metric = metric_class("regression").preset(model=MODELS[measure], paired_with="reference")
    else:
        metric = metric_class("bertscore").preset(model=MODELS[measure], layer=17)
    scores = metric.score(predictions=outputs, references=others, per_example=True)
    return [value / 100 for value in scores.main.per_example or []]


def lens(sources: list[str], outputs: list[str], references: list[str]) -> list[float]:
    """Return LENS, 0 to 100, of each output."""
    metric = metric_class("lens").preset(model=MODELS["lens"], rescale=True)
    scores = metric.score(
        sources=sources, predictions=outputs, references=references, per_example=True
    )
    return scores.main.per_example or []


def advise(error: Exception, models: Sequence[str]) -> str:
    """Return what a number needs whose models aren't here, with the commands that fetch them."""
    if isinstance(error, ImportError):
        commands = [f"textsimp hub models --fetch {model}" for model in models]
        return f"{error}; then {'; '.join(commands)}"
    others = [model for model in models if model not in str(error)]
    return "; likewise ".join(filter(None, [str(error), ", ".join(others)]))
