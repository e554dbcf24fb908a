"""The base class of all modules for Hugging Face ``evaluate``."""

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
from textsimp.core.examples import UNNAMED_SYSTEM, Examples, warn
from textsimp.core.metric import SAMPLING, Metric
from textsimp.hub.prepared_corpora import PreparedCorpora
from textsimp.metrics import citations
from textsimp.metrics import description as describe
from textsimp.metrics.description import FLAT_OPTIONS
from textsimp.support import addresses
from textsimp.support.errors import InputError, check_switch

# Here the seed is that of the bootstrap. evaluate's own seeds NumPy's global generator.
_EVALUATE_ARGUMENTS = {
    parameter.name
    for parameter in inspect.signature(evaluate.EvaluationModule.__init__).parameters.values()
    if parameter.default is not parameter.empty and parameter.name not in ("config_name", "seed")
}
# Arguments of loaders, some of other versions, which evaluate.load passes on to modules.
_LOADER_ARGUMENTS = {
    *("download_config", "download_mode", "force_download", "local_files_only", "module_type"),
    *("revision", "script_version", "token", "trust_remote_code", "use_auth_token"),
    "verification_mode",
}

_Configuration = tuple[Metric, dict[str, Any], dict[str, Any]]
"""The metric, the options of its ``score``, and those of `Scores.to_dict`."""


class Module(evaluate.Metric, ABC):  # type: ignore[misc]  # evaluate is untyped
    """An ``evaluate`` module for one metric.

    A subclass names its metric and implements ``_info``. `compute` takes the metric's options.
    Options that are passed when the module is loaded are defaults. ``config_name`` is the variant.

    This class is abstract, so ``evaluate.load`` never picks it from a module file.
    """

    metric_class: ClassVar[type[Metric]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Give ``_compute`` the explicit signature that evaluate requires."""
        super().__init_subclass__(**kwargs)
        method = cls._compute

        @functools.wraps(method)
        def compute(self: Module, **columns: Any) -> dict[str, Any]:
            return method(self, **columns)

        compute.__signature__ = _signature(cls.metric_class)  # type: ignore[attr-defined]
        cls._compute = compute  # type: ignore[method-assign]

    def __init__(self, config_name: str | None = None, **kwargs: Any) -> None:
        base = {name: kwargs.pop(name) for name in _EVALUATE_ARGUMENTS & kwargs.keys()}
        options = {name: value for name, value in kwargs.items() if name not in _LOADER_ARGUMENTS}
        variant = None if config_name == "default" else config_name
        if variant is not None and options.setdefault("variant", variant) != variant:
            raise InputError(f"variant: expected one, got {variant!r} and {options['variant']!r}")
        self._configuration = self._configure(options)  # wrong options fail when loading
        self.defaults = options
        self._added: set[str] | None = None  # columns of the examples added so far
        self._prepared = PreparedCorpora()
        super().__init__(config_name=config_name, **base)
        bound: Any = self.compute  # evaluate makes it for each object
        bound.__func__.__signature__ = _signature(self.metric_class)

    @abstractmethod
    def _info(self) -> evaluate.MetricInfo:
        """Description, citation and features."""

    def make_info(self) -> evaluate.MetricInfo:
        """Return the metric's description, with the examples of this class's docstring."""
        metric = self.metric_class
        examples = (inspect.getdoc(type(self)) or "").partition("Examples:")[2].strip("\n")
        return evaluate.MetricInfo(
            description=metric.describe(),
            citation="\n\n".join(citations.bibtex(metric.papers)),
            inputs_description=describe.inputs_description(metric, examples),
            features=Features({column.name: _feature(column) for column in metric.columns}),
            license="Apache-2.0",
            homepage=addresses.page(f"metrics/{metric.name}/README.md"),
            codebase_urls=[addresses.CODE] if addresses.CODE else [],
            reference_urls=[*citations.urls(metric.papers).values()],
        )

    def compute(
        self,
        *,
        sources: Any = None,
        predictions: Any = None,
        references: Any = None,
        **options: Any,
    ) -> dict[str, Any] | None:
        """Score these examples and those added before.

        Columns are any sequences of strings. References are one string or a list of strings per
        example. Wrong columns and options raise ``textsimp.InputError`` before anything is stored
        or computed. Processes other than the first return None.

        The last two sources and references stay prepared for the next call, if their texts have at
        most 16 MB together. This takes some 10 bytes of memory per byte of text. So functions that
        are options, such as a tokenizer, must return the same for the same text.

        Threads can share a module if each passes its columns here. Examples that were added before
        are stored, so threads that add some need modules with an ``experiment_id`` each.
        """
        names = [column.name for column in self.metric_class.columns]
        columns = {"sources": sources, "predictions": predictions, "references": references}
        columns |= {name: options.pop(name) for name in names if name in options}
        configuration = self._configure({**self.defaults, **options})
        given = any(rows is not None for rows in columns.values())
        if given and self._added is None and self.num_process == 1:
            return self._score(configuration, configuration[0].check(**columns))
        self._configuration = configuration
        if given:
            self.add_batch(**columns)
        elif self._added is None:
            needed = [column.name for column in self.metric_class.columns if column.required]
            first = "predictions" if "predictions" in needed else needed[0]
            raise InputError(f"{first}: expected a column, got none, and none was added")
        tqdm.get_lock()  # otherwise each read by datasets makes and deletes it, even in threads
        try:
            result: dict[str, Any] | None = super().compute()
        except BaseException:
            self._free_files()
            raise
        finally:
            self._added = self.file_paths = self.filelocks = None
        return result

    @classmethod
    def _configure(cls, options: Mapping[str, Any]) -> _Configuration:
        """Return the metric, the options of its ``score``, and those of `Scores.to_dict`."""
        flat = {name: options[name] for name in FLAT_OPTIONS if name in options}
        for name, value in flat.items():
            check_switch(name, value)
        rest = {name: value for name, value in options.items() if name not in FLAT_OPTIONS}
        return *cls.metric_class.configure(rest, further=FLAT_OPTIONS), flat

    def _free_files(self) -> None:
        """Clean up after an error as evaluate does after a score."""
        self.data = self.buf_writer = None
        files: Any = zip(self.file_paths or (), self.filelocks or (), strict=True)
        for path, lock in files:
            with contextlib.suppress(OSError):
                os.remove(path)
            lock.release()

    def _discard(self) -> None:
        """Remove the examples that were added."""
        if self.writer is not None:
            self.writer.close()
        if self.filelock is not None:
            self.__dict__.update(file_paths=[self.cache_file_name], filelocks=[self.filelock])
        self._free_files()
        names = ("writer", "cache_file_name", "filelock", "file_paths", "filelocks", "_added")
        self.__dict__.update(dict.fromkeys(names))

    def add_batch(
        self, *, sources: Any = None, predictions: Any = None, references: Any = None, **others: Any
    ) -> None:
        """Add examples for ``compute()``, which are checked at once.

        After an error nothing is left of what was added before: a loop begins anew.
        """
        texts = {"sources": sources, "predictions": predictions, "references": references}
        try:
            self._write({**texts, **others})
        except BaseException:
            self._discard()
            raise

    def _write(self, texts: Mapping[str, Any]) -> None:
        examples = self._configuration[0].check(**texts)
        columns = {**examples.shared, **examples.systems[UNNAMED_SYSTEM]}
        if self._added not in (None, {*columns}):
            raise InputError(
                f"expected the columns of the examples added before, {sorted(self._added or ())}, "
                f"got {sorted(columns)}"
            )
        if self.writer is None:
            self.selected_feature_format = self.features
            self._init_writer()
        # evaluate's own add_batch would encode every string once more.
        nothing = [None] * len(examples)
        self.writer.write_batch(
            {
                column.name: _encode(column, columns[column.name])
                if column.name in columns
                else nothing
                for column in self.metric_class.columns
            }
        )
        self._added = {*columns}

    def add(
        self, *, source: Any = None, prediction: Any = None, reference: Any = None, **others: Any
    ) -> None:
        """Add one example: its source, prediction, and reference or list of references.

        Labels and structured values may be None.
        """
        declared = {column.one or column.name: column for column in self.metric_class.columns}
        example = {"source": source, "prediction": prediction, "reference": reference, **others}
        columns: dict[str, Any] = {}
        for one, value in example.items():
            column = declared.get(one)
            may_be_none = column is not None and column.kind in ("labels", "structured")
            name = one if column is None else column.name
            columns[name] = [value] if may_be_none or value is not None else None
        self.add_batch(**columns)

    def _compute(self, **stored: Any) -> dict[str, Any]:
        """Score columns as Arrow returns them: null where a process had none."""
        metric = self._configuration[0]
        decoded = {column: _decode(column, stored.get(column.name)) for column in metric.columns}
        present = {column: rows for column, rows in decoded.items() if rows is not None}
        examples = Examples(
            {column.name: rows for column, rows in present.items() if not column.own},
            {UNNAMED_SYSTEM: {column.name: rows for column, rows in present.items() if column.own}},
        )
        return self._score(self._configuration, examples)

    def _score(self, configuration: _Configuration, examples: Examples) -> dict[str, Any]:
        metric, score_options, flat = configuration
        warn([metric], examples)
        sampling = {**score_options}
        per_example = sampling.pop("per_example", False)
        statistics = self._prepared.measure(metric, examples)
        scores = statistics.score(examples if per_example else None, **sampling)
        return scores[UNNAMED_SYSTEM].to_dict(**flat)


def _feature(column: Column) -> Any:
    text = Value("string")
    if column.kind == "labels":
        return Sequence(Value("int64") if _are_integers(column) else text)
    # Structured values are stored as JSON, since rows of Arrow have one type.
    kinds = {"texts": Sequence(text), "number": Value("float64")}
    return kinds.get(column.kind, text)


def _are_integers(labels: Column) -> bool:
    return bool(labels.labels) and all(isinstance(label, int) for label in labels.labels)


def _encode(column: Column, rows: list[Any]) -> list[Any]:
    if column.kind == "labels" and not _are_integers(column):
        return [list(map(str, row)) for row in rows]
    return [json.dumps(row) for row in rows] if column.kind == "structured" else rows


def _decode(column: Column, rows: Any) -> list[Any] | None:
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
        return columns.labels(rows, column.name, column.labels)  # some are stored as text
    return [json.loads(row) for row in rows] if column.kind == "structured" else rows


def _signature(metric: type[Metric]) -> inspect.Signature:
    """Return the signature of `Module.compute`, with all options and their defaults."""
    usual = metric.preset()
    values = dict.fromkeys(column.name for column in metric.columns)
    values |= {name: getattr(usual, name) for name in ("variant", *metric.option_names())}
    values |= {"per_example": False, **SAMPLING, **dict.fromkeys(FLAT_OPTIONS, True)}
    this, *_ = inspect.signature(Module.compute).parameters.values()
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value)
        for name, value in values.items()
    ]
    return inspect.Signature([this, *options])
