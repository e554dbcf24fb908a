"""What all modules for Hugging Face ``evaluate`` share: columns checked and stored, results."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from typing import Any, ClassVar

import evaluate
from datasets import Features, Sequence, Value

from textsimp.columns import InputError
from textsimp.metric import Metric, PreparedSides

COLUMNS = ("sources", "predictions", "references")


class Module(evaluate.Metric, ABC):  # type: ignore[misc]  # evaluate is untyped
    """An ``evaluate`` module for one metric.

    A subclass names its metric and implements ``_info``. Options may be given when the module is
    loaded, as `defaults`, and to `compute`; ``config_name`` stands for the variant.

    Being abstract, this class is never the one that ``evaluate.load`` picks from a module file.
    """

    metric_class: ClassVar[type[Metric]]

    def __init__(self, config_name: str | None = None, **kwargs: Any) -> None:
        of_evaluate = inspect.signature(evaluate.EvaluationModule.__init__).parameters
        base = {name: kwargs.pop(name) for name in list(kwargs) if name in of_evaluate}
        if config_name not in (None, "default"):
            kwargs["variant"] = config_name
        self.metric_class.configure(kwargs)  # a wrong option is told now
        self.defaults = kwargs
        self._given: set[str] | None = None
        self._sides = PreparedSides()
        super().__init__(config_name=config_name, **base)

    @abstractmethod
    def _info(self) -> evaluate.MetricInfo:
        """Description, citation and features."""

    def make_info(
        self, description: str, citation: str, inputs_description: str, **info: Any
    ) -> evaluate.MetricInfo:
        """The ``MetricInfo`` of a module, with the features that all of them have."""
        text = Value("string")
        features = Features(
            {"sources": text, "predictions": text, "references": Sequence(Value("string"))}
        )
        return evaluate.MetricInfo(
            description=description,
            citation=citation,
            inputs_description=inputs_description,
            features=features,
            **info,
        )

    def compute(
        self,
        *,
        sources: Any = None,
        predictions: Any = None,
        references: Any = None,
        **options: Any,
    ) -> dict[str, Any] | None:
        """Score the examples given here and those added before.

        Columns are any sequences of strings; references may be one string or a list of strings
        per example. Wrong columns and options raise ``textsimp.InputError`` before anything is
        stored or computed. Returns None in processes other than the first.
        """
        options = {**self.defaults, **options}
        self.metric_class.configure(options)
        columns = {"sources": sources, "predictions": predictions, "references": references}
        if any(column is not None for column in columns.values()):
            self.add_batch(**columns)
        elif self._given is None:
            raise InputError(
                "predictions: expected a column of texts, got none, and none was added"
            )
        try:
            result: dict[str, Any] | None = super().compute(**options)
        finally:
            self._given = None
        return result

    def add_batch(
        self,
        *,
        sources: Any = None,
        predictions: Any = None,
        references: Any = None,
        **unknown: Any,
    ) -> None:
        """Add examples, to be scored by ``compute()``. Columns are checked as `compute` does."""
        if unknown:
            raise InputError(
                f"unknown column {next(iter(unknown))!r}: expected {', '.join(COLUMNS)}"
            )
        metric, _ = self.metric_class.configure(self.defaults)
        sources, predictions, references = metric.check(sources, predictions, references)
        columns = {"sources": sources, "predictions": predictions, "references": references}
        given = {name for name, column in columns.items() if column is not None}
        if self._given not in (None, given):
            raise InputError(
                f"expected the columns of the examples added before, {sorted(self._given or ())}, "
                f"got {sorted(given)}"
            )
        n = len(predictions)
        if self.writer is None:
            self.selected_feature_format = self.features
            self._init_writer()
        # Written as they are: evaluate's own add_batch would encode every string once more.
        self.writer.write_batch(
            {
                "sources": [""] * n if sources is None else sources,
                "predictions": predictions,
                "references": [[]] * n if references is None else references,
            }
        )
        self._given = given

    def add(
        self, *, source: Any = None, prediction: Any = None, reference: Any = None, **columns: Any
    ) -> None:
        """Add one example: its source, prediction, and reference or list of references."""
        example = {"sources": source, "predictions": prediction, "references": reference, **columns}
        self.add_batch(**{k: None if v is None else [v] for k, v in example.items()})

    def _compute(
        self, *, sources: Any, predictions: Any, references: Any, **options: Any
    ) -> dict[str, Any]:
        """Score columns as they come back from Arrow."""
        metric, score_options = self.metric_class.configure(options)
        given = self._given or set()
        source_column = list(sources) if "sources" in given else None
        reference_column = list(references) if "references" in given else None
        texts = list(predictions)
        statistics = self._sides.statistics(metric, source_column, texts, reference_column)
        return metric.results(
            statistics, source_column, reference_column, predictions=texts, **score_options
        )
