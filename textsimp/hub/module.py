"""What all modules for Hugging Face ``evaluate`` share: columns checked and stored, results."""

from __future__ import annotations

import contextlib
import functools
import inspect
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import evaluate
from datasets import Features, Sequence, Value
from tqdm import tqdm  # type: ignore[import-untyped, unused-ignore]

from textsimp.core import columns
from textsimp.core.declarations import Column
from textsimp.core.examples import ONE, Examples, warn
from textsimp.core.metric import Metric, usual_score_options
from textsimp.core.prepared import PreparedSides
from textsimp.metrics import citations
from textsimp.metrics import description as describe
from textsimp.metrics.description import FLAT_OPTIONS
from textsimp.support.errors import InputError, check_switch

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
        self._configured = self._configure(options)  # a wrong option fails now, not when scoring
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
        metric = self.metric_class
        examples = (inspect.getdoc(type(self)) or "").partition("Examples:")[2].strip("\n")
        return evaluate.MetricInfo(
            description=metric.description,
            citation="\n\n".join(citations.bibtex(metric.papers)),
            inputs_description=describe.inputs_description(metric, examples),
            features=Features({column.name: _feature(column) for column in metric.columns}),
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
        names = [column.name for column in self.metric_class.columns]
        given = {"sources": sources, "predictions": predictions, "references": references}
        given |= {name: options.pop(name) for name in names if name in options}
        self._configured = self._configure({**self.defaults, **options})
        if any(column is not None for column in given.values()):
            self.add_batch(**given)
        elif self._given is None:
            needed = [column.name for column in self.metric_class.columns if column.required]
            first = "predictions" if "predictions" in needed else needed[0]
            raise InputError(f"{first}: expected a column, got none, and none was added")
        tqdm.get_lock()  # else datasets makes and deletes it whenever it reads, whoever else does
        try:
            result: dict[str, Any] | None = super().compute()
        except BaseException:
            self._free_files()
            raise
        finally:
            self._given = self.file_paths = self.filelocks = None
        return result

    @classmethod
    def _configure(
        cls, options: Mapping[str, Any]
    ) -> tuple[Metric, dict[str, Any], dict[str, Any]]:
        """The metric, the options of its ``score``, and those of `Scores.to_dict`."""
        flat = {name: options[name] for name in FLAT_OPTIONS if name in options}
        for name, value in flat.items():
            check_switch(name, value)
        rest = {name: value for name, value in options.items() if name not in FLAT_OPTIONS}
        return *cls.metric_class.configure(rest, further=FLAT_OPTIONS), flat

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
        **others: Any,
    ) -> None:
        """Add examples, to be scored by ``compute()``. Columns are checked as `compute` does."""
        given = {"sources": sources, "predictions": predictions, "references": references}
        checked = self.metric_class.check(**given, **others)
        found = {**checked.shared, **checked.systems[ONE]}
        if self._given not in (None, {*found}):
            raise InputError(
                f"expected the columns of the examples added before, {sorted(self._given or ())}, "
                f"got {sorted(found)}"
            )
        if self.writer is None:
            self.selected_feature_format = self.features
            self._init_writer()
        # Written as they are: evaluate's own add_batch would encode every string once more.
        nothing = [None] * len(checked)
        self.writer.write_batch(
            {
                column.name: _stored(column, found[column.name])
                if column.name in found
                else nothing
                for column in self.metric_class.columns
            }
        )
        self._given = {*found}

    def add(
        self, *, source: Any = None, prediction: Any = None, reference: Any = None, **others: Any
    ) -> None:
        """Add one example: its source, prediction, and reference or list of references.

        Labels may be None, which is no label, and so may what is structured.
        """
        declared = {column.one or column.name: column for column in self.metric_class.columns}
        example = {"source": source, "prediction": prediction, "reference": reference, **others}
        given: dict[str, Any] = {}
        for one, row in example.items():
            column = declared.get(one)
            legal = column is not None and column.kind in ("labels", "structured")
            name = one if column is None else column.name
            given[name] = [row] if legal or row is not None else None
        self.add_batch(**given)

    def _compute(self, **given: Any) -> dict[str, Any]:
        """Score columns as they come back from Arrow: null where a process gave none."""
        metric, score_options, flat = self._configured
        found = {column: _column(column, given.get(column.name)) for column in metric.columns}
        present = {column: rows for column, rows in found.items() if rows is not None}
        examples = Examples(
            {column.name: rows for column, rows in present.items() if not column.own},
            {ONE: {column.name: rows for column, rows in present.items() if column.own}},
        )
        warn([metric], examples)
        statistics = self._sides.statistics(metric, examples)
        return metric.scored(statistics, examples, **score_options).to_dict(**flat)


def _feature(column: Column) -> Any:
    text = Value("string")
    if column.kind == "labels":
        return Sequence(Value("int64") if _are_integers(column) else text)
    # What is structured is stored as JSON, since Arrow wants all rows alike.
    kinds = {"texts": Sequence(text), "number": Value("float64")}
    return kinds.get(column.kind, text)


def _are_integers(labels: Column) -> bool:
    return bool(labels.labels) and all(isinstance(label, int) for label in labels.labels)


def _stored(column: Column, rows: list[Any]) -> list[Any]:
    if column.kind == "labels" and not _are_integers(column):
        return [list(map(str, row)) for row in rows]
    return [json.dumps(row) for row in rows] if column.kind == "structured" else rows


def _column(column: Column, rows: Any) -> list[Any] | None:
    rows = [] if rows is None else list(rows)
    missing = rows.count(None)
    if 0 < missing < len(rows):
        raise InputError(
            f"{column.name}: expected this column from all processes or from none, "
            f"got none for {missing} of {len(rows)} examples"
        )
    if missing == len(rows):
        return None
    if column.kind == "labels":
        return columns.labels(rows, column.name, column.labels)  # as text some may be stored
    return [json.loads(row) for row in rows] if column.kind == "structured" else rows


def _signature(metric: type[Metric]) -> inspect.Signature:
    """That of `Module.compute`, its options spelt out with the default variant's values."""
    usual = metric.preset()
    values = dict.fromkeys(column.name for column in metric.columns)
    values |= {name: getattr(usual, name) for name in ("variant", *metric.option_names())}
    values |= usual_score_options() | dict.fromkeys(FLAT_OPTIONS, True)
    this, *_ = inspect.signature(Module.compute).parameters.values()
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value)
        for name, value in values.items()
    ]
    return inspect.Signature([this, *options])
