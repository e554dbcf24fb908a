"""Declarations of metrics: columns, presets, scores, and the signature that they make."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from textsimp.core.option import UNSET, Option, check_option, complete, write_value
from textsimp.support.errors import InputError, check_choice, listed, nearest
from textsimp.support.version import __version__

if TYPE_CHECKING:
    from typing_extensions import Self

    from textsimp.text.languages import LanguageProfile

__all__ = ["PREDICTIONS", "REFERENCES", "SOURCES", "Column", "Preset", "Score"]

References = list[list[str]] | tuple[int, int]

SIDES = {"predictions": "", "sources": "source_", "references": "reference_"}
"""Whose texts a score describes → the prefix of its name in a plain dict."""


Kind = Literal["text", "texts", "labels", "ratings", "number", "structured"]


@dataclass(frozen=True)
class Column:
    """A column that a metric reads.

    Attributes:
        name: Its name in results, files and messages.
        kind: What a row holds: a ``"text"``; one or more ``"texts"``; one or more ``"labels"``,
            or None; one or more numbers, ``"ratings"``, or None; a ``"number"``; or anything that
            JSON can hold, ``"structured"``.
        about: A line on it.
        one: The name of a row, if it is another word, as ``source`` of ``sources``.
        required: Whether the metric needs it.
        own: Whether each system has its own, as predictions are, or all share it.
        labels: The legal labels.
        items: Of texts: whether they are the items of a list, such as substitutes of a word. A row
            may have none, and pages separate them by semicolons in a cell.
        read: Of a structured column: a function from a row to what metrics read. It accepts its
            own results. Its `InputError` says what it expected.
    """

    name: str
    kind: Kind
    about: str
    one: str = ""
    required: bool = True
    own: bool = False
    labels: tuple[int | str, ...] = ()
    items: bool = False
    read: Callable[[Any], Any] | None = None

    @property
    def optional(self) -> Column:
        """The same for a metric that can do without it."""
        return replace(self, required=False)

    @property
    def usual_names(self) -> tuple[str, str]:
        """Return its names in files, the likeliest first."""
        one = self.one or self.name
        return (self.name, one) if self.kind == "texts" else (one, self.name)


SOURCES = Column("sources", "text", "the original texts", "source")
PREDICTIONS = Column(
    "predictions", "text", "the simplifications to score, one per source", "prediction", own=True
)
REFERENCES = Column(
    "references",
    "texts",
    "the reference simplifications: a string or a list of strings per source",
    "reference",
)


@dataclass(frozen=True)
class Preset:
    """A variant of a metric: a line on it, and the options that differ from the defaults.

    ``own`` is its name in headings if no paper or program has its definition. ``version`` is that
    of the program that it is, for signatures.
    """

    about: str
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    own: str = ""
    version: str = ""


@dataclass(frozen=True)
class Score:
    """A score that a metric reports.

    Attributes:
        key: Its name in results.
        title: What people call it.
        about: What it is, in a line.
        least: The smallest value that it can have; None without a bound.
        most: The largest.
        better: Whether ``"higher"`` or ``"lower"`` values are better; empty if it only describes.
        unit: What its numbers count, or ``"share"`` for 0 to 1, which may be shown in percent.
        decimals: How many it, or its percentage, is shown with; None for what its size asks for.
        many: Whether it is a list of numbers.
    """

    key: str
    title: str
    about: str
    least: float | None = 0
    most: float | None = 100
    better: Literal["higher", "lower", ""] = ""
    unit: str = ""
    decimals: int | None = None
    many: bool = False

    @classmethod
    def share(
        cls, key: str, title: str, about: str, better: Literal["higher", "lower", ""] = ""
    ) -> Score:
        """Return a score from 0 to 1 that tables show in percent."""
        return cls(key, title, about, most=1, better=better, unit="share", decimals=1)


@dataclass(frozen=True)
class Declarations:
    """Declarations of a metric: class variables, and options as fields that `option` makes."""

    name: ClassVar[str]
    about: ClassVar[str]
    """One line."""
    papers: ClassVar[tuple[str, ...]]
    """Keys of `textsimp.metrics.citations`."""
    people: ClassVar[str] = "nobody has measured here yet how well it agrees with people"
    """How well the metric agrees with people: one line, with figures of ``docs/trust.md``."""
    reads: ClassVar[Literal["sentences", "documents"]] = "sentences"
    columns: ClassVar[tuple[Column, ...]] = (SOURCES, PREDICTIONS, REFERENCES)
    presets: ClassVar[Mapping[str, Preset]]
    """The default first."""
    scores: ClassVar[tuple[Score, ...]]
    """All scores, the main one first; without ``source_`` and ``reference_``."""
    profiles: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Title → scores that are the shares of a whole, in order, to be drawn as parts of a bar."""
    meaning: ClassVar[str] = ""
    """The score that says how much of the source's meaning outputs keep, if there is one."""
    first_option: ClassVar[str] = "variant"
    """The option whose value may stand in the notation without its name."""
    expected_references: ClassVar[str] = ""
    """References of an example, such as 8 or 1-4, in the signature that was read."""

    variant: str = ""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.__repr__ = Declarations.__repr__  # type: ignore[method-assign]  # dataclass has another
        if "presets" in vars(cls):
            cls.variant = next(iter(cls.presets))
            cls.__annotations__["variant"] = "str"

    def __new__(cls, *variant: Any, **options: Any) -> Self:
        """Refuse unknown options with `preset`'s message, before ``__init__`` sees them."""
        return super().__new__(cls.choose_class(options) if options else cls)

    @classmethod
    def choose_class(cls, options: Mapping[str, Any]) -> type[Self]:
        """Check the names of options; return the class that computes the metric with them."""
        cls._check_names(options, ["variant", *cls.option_names()])
        return cls

    @classmethod
    def describe(cls) -> str:
        """Return the docstring of the class, without its example."""
        return (inspect.getdoc(cls) or "").partition("\nExample:")[0].strip()

    @classmethod
    def preset(cls, variant: str | None = None, **options: Any) -> Self:
        """Return the metric with the options of a preset, by default the first, and those passed.

        ``Sari.preset("xu", lowercase=False)`` is ``Sari("xu", lowercase=False)``.
        """
        return cls(cls.variant if variant is None else variant, **options)

    @classmethod
    @functools.cache
    def declared_options(cls) -> tuple[Option, ...]:
        """Options without the variant: those of the class itself, then inherited ones."""
        options = {f.name: complete(f) for f in fields(cls) if f.name != "variant"}
        first = [name for name in inspect.get_annotations(cls) if name in options]
        return tuple(options[name] for name in dict.fromkeys([*first, *options]))

    @classmethod
    def option_names(cls) -> list[str]:
        """Names of the options, without the variant."""
        return [option.name for option in cls.declared_options()]

    @classmethod
    def accepts(cls, option: str, value: Any, options: Mapping[str, Any]) -> bool:
        """Return whether the metric has such a variant, or such an option beside the others."""
        if option == "variant":
            return value in cls.presets
        values = {"variant": cls.variant, **cls.default_options(), **options}
        for declared in cls.declared_options():
            if declared.name == option:
                return all(values[other] in legal for other, legal in declared.only_with.items())
        return False

    @classmethod
    def own_definitions(cls) -> list[str]:
        """Variants and options whose definitions no paper or program has."""
        variants = [name for name, preset in cls.presets.items() if preset.own]
        options = cls.declared_options()
        return variants + [f"{option.name}={value}" for option in options for value in option.own]

    @classmethod
    def option_lines(cls) -> dict[str, str]:
        """Option → its description, one line of Markdown."""
        return {option.name: option.about for option in cls.declared_options()}

    @classmethod
    def _check_names(cls, names: Iterable[str], legal: Sequence[str]) -> None:
        for name in names:
            if name not in legal:
                columns = [column.name for column in cls.columns]
                hint = "" if name in columns else nearest(name, [*legal, *columns])
                raise InputError(
                    f"unknown option {name!r} of {cls.name}{hint}: expected one of {listed(legal)}"
                )

    def __post_init__(self) -> None:
        check_choice("variant", self.variant, [*self.presets])
        for option in self.declared_options():
            value = getattr(self, option.name)
            value = self._usual(option) if value is UNSET else check_option(option, value)
            vars(self)[option.name] = value
        for option in self.declared_options():
            value = getattr(self, option.name)
            if value != option.default and not self.uses(option):
                others = [f"{name}={listed(legal)}" for name, legal in option.only_with.items()]
                raise InputError(
                    f"{option.name}: expected {option.default!r} unless {' and '.join(others)}, "
                    f"got {value!r}"
                )

    def __str__(self) -> str:
        """The notation: name, variant unless it is the first, and what differs from the variant."""
        values = self.given_options()
        first = values.pop(self.first_option, None)
        written = [] if first is None else [write_value(first)]
        written += [f"{name}={write_value(value)}" for name, value in values.items()]
        return f"{self.name}({', '.join(written)})" if written else self.name

    def __repr__(self) -> str:
        return f"textsimp.metric({str(self)!r})"

    def _usual(self, option: Option) -> Any:
        """The variant's value of an option."""
        return self.presets[self.variant].options.get(option.name, option.default)

    @classmethod
    def default_options(cls, variant: str | None = None) -> dict[str, Any]:
        """Option → its value in a variant; None for the first variant."""
        preset = cls.presets[cls.variant if variant is None else variant]
        defaults = {option.name: option.default for option in cls.declared_options()}
        return defaults | dict(preset.options)

    def changed_options(self) -> dict[str, Any]:
        """Option → value, where it differs from the variant's."""
        usual = self.default_options(self.variant)
        values = {name: getattr(self, name) for name in usual}
        return {name: value for name, value in values.items() if value != usual[name]}

    def given_options(self) -> dict[str, Any]:
        """Option → value: the variant unless it is the first, and what differs from it."""
        variant = {} if self.variant == type(self).variant else {"variant": self.variant}
        return variant | self.changed_options()

    def ranks(self) -> bool:
        """Whether the main score has a direction, so that it may rank systems."""
        return self.scores[0].better != ""

    def find_score(self, name: str) -> Score:
        """Return a score's declaration; ``source_`` and ``reference_`` are ignored."""
        _, key = self.split_score_name(name)
        return next(score for score in self.scores if score.key == key)

    def split_score_name(self, name: str) -> tuple[str, str]:
        """Split a score's name into a key of `SIDES` and the score's key."""
        keys = {score.key for score in self.scores}
        for side, prefix in SIDES.items():
            if name.startswith(prefix) and name.removeprefix(prefix) in keys:
                return side, name.removeprefix(prefix)
        raise AssertionError(f"{name} is no score of {self.name}")

    def paper_keys(self) -> tuple[str, ...]:
        """Keys of the papers; of these options' own where a metric's papers depend on them."""
        return self.papers

    def score_names(self, shared: Sequence[str] = ()) -> tuple[str, ...]:
        """Names of the scores to report with these shared columns, the main score first."""
        return tuple(score.key for score in self.scores)

    def output_scores(self, shared: Sequence[str] = ()) -> list[str]:
        """Names of single scores of outputs with these shared columns, the main score first."""
        names = self.score_names(shared)
        return [
            name
            for name in names
            if self.split_score_name(name)[0] == "predictions" and not self.find_score(name).many
        ]

    def doubts(self, examples: Any) -> str:
        """Return a warning that the options don't fit these `Examples`, or ""."""
        return ""

    def uses(self, option: Option) -> bool:
        """Return whether an option has an effect beside the others."""
        return all(getattr(self, name) in legal for name, legal in option.only_with.items())

    def misfit(self, texts: LanguageProfile) -> str:
        """Return why no options of this metric are for such texts, and what to take, or ""."""
        return ""

    def heading(self, score: str) -> str:
        """Return a table's heading: the score, the variant if there are several, and own names."""
        own = [
            name
            for option in self.declared_options()
            for value, name in option.own.items()
            if getattr(self, option.name) == value
        ]
        if own:  # the first variant goes without saying
            names = own if self.variant == type(self).variant else [self.variant, *own]
            return f"{score} ({', '.join(names)}, textsimp's)"
        name = self.presets[self.variant].own or (self.variant if len(self.presets) > 1 else "")
        return f"{score} ({name})" if name else score

    def signature(self, references: References | None = None) -> str:
        """Return name, variant, other options, number of references and version as one string.

        ``references`` are all references, or their smallest and largest number per example.
        """
        version = self.presets[self.variant].version
        parts = [self.name, f"variant:{self.variant}-{version}".removesuffix("-")]
        for option in self.declared_options():
            if option.tag and self.in_signature(option):
                parts.append(f"{option.tag}:{self.label(option)}")
        if references is not None and self.reads_references():
            sizes = references if isinstance(references, tuple) else count_references(references)
            parts.append(f"refs:{'-'.join(str(n) for n in dict.fromkeys(sizes))}")
        return "|".join([*parts, f"v:{__version__}"])

    def reads_references(self) -> bool:
        """Whether outputs are compared with references, instead of scored beside them."""
        columns = {column.name: column for column in self.columns}
        if REFERENCES.name not in columns:
            return False
        names = self.score_names((SOURCES.name, REFERENCES.name))
        beside = any(name.startswith(SIDES["references"]) for name in names)
        return columns[REFERENCES.name].required or not beside

    def in_signature(self, option: Option) -> bool:
        """Return whether the signature contains an option."""
        return option.always or getattr(self, option.name) != self._usual(option)

    def label(self, option: Option) -> Any:
        """An option's value as the signature writes it."""
        return option.label(getattr(self, option.name))

    @classmethod
    def read_label(cls, option: Option, label: str) -> dict[str, Any]:
        """Return the options that a label gives: the reverse of `label`, without versions."""
        return {option.name: option.read(label)}


def count_references(references: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Return the smallest and the largest number of references of an example."""
    sizes = {len(row) for row in references}
    return min(sizes), max(sizes)
