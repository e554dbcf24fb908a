"""What all modules for Hugging Face ``evaluate`` share: columns checked and stored, results."""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
from abc import ABC, abstractmethod
from typing import Any, ClassVar

import evaluate
from datasets import Features, Sequence, Value

from textsimp import citations, describe
from textsimp.columns import InputError, nearest
from textsimp.metric import COLUMNS, Metric, usual_score_options
from textsimp.prepared import PreparedSides

# A module's seed is that of the bootstrap; evaluate's is for metrics that use NumPy's global one.
_OF_EVALUATE = {
    parameter.name
    for parameter in inspect.signature(evaluate.EvaluationModule.__init__).parameters.values()
    if parameter.default is not parameter.empty and parameter.name not in ("config_name", "seed")
}
# Said to loaders of other things, or in other versions of them, and passed on by evaluate.load.
_OF_LOADERS = {
    *("download_config", "download_mode", "force_download", "local_files_only", "module_type"),
    *("revision", "script_version", "token", "trust_remote_code", "use_auth_token"),
    "verification_mode",
}


class Module(evaluate.Metric, ABC):  # type: ignore[misc]  # evaluate is untyped
    """An ``evaluate`` module for one metric.

    A subclass names its metric and implements ``_info``. Options may be given when the module is
    loaded, as `defaults`, and to `compute`; ``config_name`` stands for the variant.

    Being abstract, this class is never the one that ``evaluate.load`` picks from a module file.
    """

    metric_class: ClassVar[type[Metric]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Give ``_compute`` the explicit signature that evaluate asks of modules."""
        super().__init_subclass__(**kwargs)
        method = cls._compute

        @functools.wraps(method)
        def compute(self: Module, **given: Any) -> dict[str, Any]:
            return method(self, **given)

        compute.__signature__ = _signature(cls.metric_class)  # type: ignore[attr-defined]
        cls._compute = compute  # type: ignore[method-assign]

    def __init__(self, config_name: str | None = None, **kwargs: Any) -> None:
        base = {name: kwargs.pop(name) for name in _OF_EVALUATE & kwargs.keys()}
        options = {name: value for name, value in kwargs.items() if name not in _OF_LOADERS}
        variant = None if config_name == "default" else config_name
        if variant is not None and options.setdefault("variant", variant) != variant:
            raise InputError(f"variant: expected one, got {variant!r} and {options['variant']!r}")
        self.metric_class.configure(options)  # a wrong option fails now, not when scoring
        self.defaults = options
        self._given: set[str] | None = None
        self._sides = PreparedSides()
        super().__init__(config_name=config_name, **base)
        bound: Any = self.compute  # this object's own, made by evaluate
        bound.__func__.__signature__ = _signature(self.metric_class)

    @abstractmethod
    def _info(self) -> evaluate.MetricInfo:
        """Description, citation and features."""

    def make_info(self) -> evaluate.MetricInfo:
        """What the metric says of itself, with the examples of this class's docstring."""
        metric, text = self.metric_class, Value("string")
        examples = (inspect.getdoc(type(self)) or "").partition("Examples:")[2].strip("\n")
        return evaluate.MetricInfo(
            description=metric.description,
            citation="\n\n".join(citations.bibtex(metric.papers)),
            inputs_description=describe.inputs_description(metric, examples),
            features=Features(
                {"sources": text, "predictions": text, "references": Sequence(Value("string"))}
            ),
            reference_urls=list(metric.urls),
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

        A module stores what is added to it, so threads can't share one: give each its own, with an
        ``experiment_id`` of its own, or call a metric's `score`, which any number of threads may.
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
        except BaseException:
            self._free_files()
            raise
        finally:
            self._given = self.file_paths = self.filelocks = None
        return result

    def _free_files(self) -> None:
        """Do what evaluate does only after a score, so that the next call finds all as before."""
        self.data = self.buf_writer = None
        files: Any = zip(self.file_paths or (), self.filelocks or (), strict=True)
        for path, lock in files:
            with contextlib.suppress(OSError):
                os.remove(path)
            lock.release()

    def add_batch(
        self,
        *,
        sources: Any = None,
        predictions: Any = None,
        references: Any = None,
        **unknown: Any,
    ) -> None:
        """Add examples, to be scored by ``compute()``. Columns are checked as `compute` does."""
        for name in unknown:
            raise InputError(
                f"unknown column {name!r}{nearest(name, COLUMNS)}: expected {', '.join(COLUMNS)}"
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
                "sources": [None] * n if sources is None else sources,
                "predictions": predictions,
                "references": [None] * n if references is None else references,
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
        self, *, predictions: Any, sources: Any = None, references: Any = None, **options: Any
    ) -> dict[str, Any]:
        """Score columns as they come back from Arrow: null where a process gave none."""
        metric, score_options = self.metric_class.configure({**self.defaults, **options})
        texts = list(predictions)
        source_column = _column(sources, "sources")
        reference_column = _column(references, "references")
        statistics = self._sides.statistics(metric, source_column, texts, reference_column)
        return metric.results(
            statistics, source_column, reference_column, predictions=texts, **score_options
        )


def _column(rows: Any, name: str) -> list[Any] | None:
    rows = [] if rows is None else list(rows)
    missing = rows.count(None)
    if 0 < missing < len(rows):
        raise InputError(
            f"{name}: expected this column from all processes or from none, "
            f"got none for {missing} of {len(rows)} examples"
        )
    return None if missing == len(rows) else rows


def _signature(metric: type[Metric]) -> inspect.Signature:
    """That of `Module.compute`, its options spelt out with the default variant's values."""
    usual = metric.preset()
    values = {name: getattr(usual, name) for name in ("variant", *metric.option_names())}
    values |= usual_score_options()
    columns = inspect.signature(Module.compute).parameters.values()
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value)
        for name, value in values.items()
    ]
    return inspect.Signature([*(c for c in columns if c.kind is not c.VAR_KEYWORD), *options])
