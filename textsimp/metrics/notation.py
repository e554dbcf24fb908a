"""The notation of metrics: ``sari(xu, tokenizer=intl).keep``, in shells ``sari:xu:tokenizer=intl``.

    metrics   = metric { "," metric } ;
    metric    = signature | name [ args ] [ "." score ] ;
    args      = "(" [ arg { "," arg } ] ")"
              | ":" arg { ":" arg } ;
    arg       = [ option "=" ] value ;           only the first may lack its option
    value     = quoted | "[" [ value { "," value } ] "]" | bare ;

A list is a text with commas: ``[comet, meaning]`` is ``"comet,meaning"``. A quotation mark that
stands twice is one. `Declarations.__str__` writes the notation.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from textsimp.core.declarations import BARE
from textsimp.core.examples import emit_warning
from textsimp.support.errors import InputError
from textsimp.support.parsing import parse_number

if TYPE_CHECKING:
    from textsimp.core.metric import Metric

_NAME = re.compile(r"[\w-]+")
_SCORE = re.compile(r"\.(\w+)")
_SIGNATURE = re.compile(r"[\w-]+\|(?:[^|]*\|)*?v(?:ersion)?:[^\s,|]+|[\w-]+\|[^,]+")
_OPTION = re.compile(r"([\w-]+)\s*=\s*")
_QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")
_SHELL_VALUE = re.compile(r"(?:[^,:]|:(?![\w-]+=))+")  # a colon is in it if no option follows
_VERSION = re.compile(r"-\d+\.\d+[.\w]*")


class Quoted(str):
    """A value in quotation marks, without them."""


@dataclass(frozen=True)
class Written:
    """A metric as it is written.

    Attributes:
        text: All of it.
        name: As the catalogue spells it.
        arguments: Option → value; "" for a value without an option.
        score: The score that is named, if any.
        place: Where it stands, for messages; "" if it is a name and stands alone.
    """

    text: str
    name: str
    arguments: Mapping[str, str] = field(default_factory=dict)
    score: str = ""
    place: str = ""

    @property
    def is_signature(self) -> bool:
        return "|" in self.text and not self.arguments


def normalize_name(name: str) -> str:
    """Return the name of a metric or option as it is declared, from ``SARI`` or ``D-SARI``."""
    return name.lower().replace("-", "_")


def parse(text: str, argument: str) -> list[Written]:
    """Parse metrics, separated by commas; messages begin with ``argument``."""
    return _Parser(text, argument).metrics()


class _Parser:
    def __init__(self, text: str, argument: str) -> None:
        self._text, self._argument, self._at = text, argument, 0

    def metrics(self) -> list[Written]:
        written: list[Written] = []
        while not self._ended():
            if written:
                self._need(",", "a comma")
            if not self._ended():  # a comma may be the last character
                written.append(self._metric())
        return written

    def _metric(self) -> Written:
        signature = self._match(_SIGNATURE)
        if signature is not None:
            return Written(signature, normalize_name(signature.partition("|")[0]))
        name = self._need(_NAME, "the name of a metric")
        start = self._at - len(name)
        place = "" if name == self._text else f" (character {start + 1} of {self._text!r})"
        arguments: dict[str, str] = {}
        score = self._match(_SCORE)
        if self._match("(") is not None:
            while self._match(")") is None:
                if arguments:
                    self._need(",", "a comma or a closing parenthesis")
                self._argument_of(arguments, BARE)
        else:
            while self._match(":") is not None:
                self._argument_of(arguments, _SHELL_VALUE)
        score = score or self._match(_SCORE)
        written = self._text[start : self._at].strip()
        return Written(written, normalize_name(name), arguments, (score or "")[1:], place)

    def _argument_of(self, arguments: dict[str, str], bare: re.Pattern[str]) -> None:
        """Add an option with its value."""
        option = self._match(_OPTION)
        if option is None and arguments:
            raise self._error("OPTION=VALUE")
        name = normalize_name((option or "").rstrip(" =\t"))
        if name in arguments:
            raise self._error(f"a value of {name} only once")
        arguments[name] = self._value(bare)

    def _value(self, bare: re.Pattern[str]) -> str:
        quoted = self._match(_QUOTED)
        if quoted is not None:
            return unquote(quoted)
        if self._match("[") is None:
            return self._need(bare, "a value").strip()
        values: list[str] = []
        while self._match("]") is None:
            if values:
                self._need(",", "a comma or a closing bracket")
            values.append(self._value(BARE))
        return Quoted(",".join(values))

    def _match(self, pattern: str | re.Pattern[str]) -> str | None:
        """Read what a pattern matches, after white space; None if it doesn't match here."""
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
        if isinstance(pattern, str):
            pattern = re.compile(re.escape(pattern))
        found = pattern.match(self._text, self._at)
        if found is None:
            return None
        self._at = found.end()
        return found[0]

    def _need(self, pattern: str | re.Pattern[str], expected: str) -> str:
        """Read what a pattern matches, or fail."""
        found = self._match(pattern)
        if found is None:
            raise self._error(expected)
        return found

    def _ended(self) -> bool:
        return not self._text[self._at :].strip()

    def _error(self, expected: str) -> InputError:
        rest = repr(self._text[self._at :][:20]) if self._at < len(self._text) else "its end"
        where = f"at character {self._at + 1} of {self._text!r}"
        return InputError(f"{self._argument}: expected {expected} {where}, got {rest}")


def unquote(text: str) -> str:
    """Return a value without the quotation marks around it."""
    if _QUOTED.fullmatch(text) is None:
        return text
    return Quoted(text[1:-1].replace(2 * text[0], text[0]))


def read_value(cls: type[Metric], option: str, value: str) -> Any:
    """Return an option's value from text; what the option doesn't take is returned as it is."""
    if option == "variant":
        name = normalize_name(value)
        return name if name in cls.presets else str(value)
    declared = {one.name: one for one in cls.declared_options()}.get(option)
    if declared is None:
        return str(value)
    if declared.default is None and value == "None" and not isinstance(value, Quoted):
        return None  # `none` is the name of a tokenizer
    for choice in declared.choices:
        if str(choice) in (value, value.capitalize()):  # true and false, too, as in JSON
            return choice
    if declared.kind is int and re.fullmatch(r"[+-]?\d+", value, re.ASCII):
        return int(value)
    if declared.kind is float:
        with contextlib.suppress(ValueError):
            return parse_number(value)
    if value.startswith("custom-"):
        raise InputError(
            f"{option}: {value} is a function of the user's own, which a text can't give: pass it "
            f"in Python, as {option}=function"
        )
    return str(value)


def read_options(cls: type[Metric], written: Written) -> tuple[dict[str, Any], str]:
    """Return the options of a metric as it is written, and the score that it names or ""."""
    arguments = dict(written.arguments)
    if "" in arguments:
        if cls.first_option in arguments:
            raise InputError(f"{cls.first_option} is given twice in {written.text!r}")
        arguments = {cls.first_option: arguments.pop(""), **arguments}
    score = written.score
    keys = [each.key for each in cls.scores]
    if arguments and not score and not written.text.endswith(")"):  # as in sari:xu.keep
        option, value = [*arguments.items()][-1]
        start, _, last = value.rpartition(".")
        if start and last in keys:
            arguments[option], score = start, last
    return {option: read_value(cls, option, value) for option, value in arguments.items()}, score


def read_signature(cls: type[Metric], text: str) -> Metric:
    """Return the metric whose signature a text is, whatever the versions in it.

    An option gets the first value that writes the signature's label. Versions that differ raise a
    warning, and other numbers of references do when examples are scored.
    """
    expected = _labels(text)
    options: dict[str, Any] = {"variant": expected["variant"]} if "variant" in expected else {}
    model, at, revision = expected.get("model", "").partition("@")
    if at and "," not in revision:
        options |= {"model": model, "revision": revision}
    signed = [one for one in cls.declared_options() if one.tag in expected]
    # Others depend on these.
    signed.sort(key=lambda one: one.name not in (cls.first_option, "level"))
    for option in signed:
        tag = str(option.tag)
        texts = [expected[tag], expected[tag].rpartition("-")[2]]  # of wordfreq-es the language
        values = [read_value(cls, option.name, text) for text in texts if "custom-" not in text]
        values += [*option.choices, *option.suggestions]
        trials = [options, *({**options, option.name: value} for value in values)]
        reason = ""
        for trial in trials:
            try:
                written = _labels(cls.preset(**trial).signature())
            except (InputError, ImportError) as error:  # ImportError: it needs an extra
                reason = reason or ("" if trial is options else str(error))
                continue
            if written.get(tag) == expected[tag]:
                options = trial
                break
        else:
            if expected[tag].startswith("custom-"):
                reason = "a function of the user's own, which has to be passed in Python"
            reason = reason or "no value of this option gives it"
            raise InputError(f"{text!r}: can't read {tag}:{expected[tag]} ({reason})")
    metric = cls.preset(**options)
    references = expected.pop("nrefs", expected.pop("refs", ""))
    own = metric.signature()
    if _labels(own) != expected:
        raise InputError(f"{text!r}: expected {own!r}, which these options write")
    versions = (
        {*text.split("|")} - {*own.split("|")} - {f"refs:{references}", f"nrefs:{references}"}
    )
    if versions:
        emit_warning(f"{metric} is here of other versions than {', '.join(sorted(versions))}")
    object.__setattr__(metric, "expected_references", references)
    return metric


def _labels(signature: str) -> dict[str, str]:
    """Return tag → label of a signature, without versions."""
    parts = (part.partition(":") for part in signature.split("|")[1:])
    labels = {tag: _VERSION.sub("", label) for tag, _, label in parts}
    return {tag: label for tag, label in labels.items() if tag not in ("v", "version")}
