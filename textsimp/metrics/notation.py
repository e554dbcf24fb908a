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

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from textsimp.core.examples import emit_warning
from textsimp.core.option import BARE, check_option
from textsimp.support.errors import InputError, nearest

if TYPE_CHECKING:
    from textsimp.core.metric import Metric

_QUOTED = r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\""
_ITEM = rf"(?:{_QUOTED}|{BARE.pattern})"
_LIST = rf"\[\s*(?:{_ITEM}\s*(?:,\s*{_ITEM}\s*)*)?\]"
# As far as its version, before which commas are part of it, or the next comma.
_SIGNATURE = r"[\w-]+\|(?:(?:[^|]*\|)*?v(?:ersion)?:[^\s,|]+|[^,]+)"
_NAME = r"[\w-]+(?:\s*(?=[(:]))?"
_OPTION = r"[\w-]+\s*="
# Before the first argument, between two, an argument's value, behind the last.
_BRACKETS = r"\(\s*", r",\s*", rf"\s*(?:{_LIST}|{_ITEM})\s*", r"\)"
# In shells a colon is part of a value if no option follows.
_COLONS = ":", ":", rf"{_LIST}|{_QUOTED}|(?:[^,:]|:(?![\w-]+=))+", ""
_END = r"\s*(?:,\s*|$)"
_VERSION = re.compile(r"(?<=mecab)-\d.*|-\d+\.\d+[.\w]*")  # MeCab's with its dictionary
_OLD_LABELS = {"nltk-punkt-untrained": "punkt-untrained"}


class Quoted(str):
    """A value in quotation marks, without them."""


@dataclass
class Choice:
    """A metric that was chosen, before options of a call or of a language are added to its own.

    Some metrics, such as `lens`, can't be made without them.

    Attributes:
        name: Its name or alias.
        cls: Its class.
        options: Its own options.
        defaults: Options that its name sets, as ``fkgl`` does, unless others do.
        score: The score that was named, or "".
        metric: The metric, if it was chosen with all its options, as an object or a signature.
    """

    name: str
    cls: type[Metric]
    options: dict[str, Any] = field(default_factory=dict)
    defaults: dict[str, Any] = field(default_factory=dict)
    score: str = ""
    metric: Metric | None = None

    def make(self) -> Metric:
        """Return the metric."""
        if self.metric is not None:
            return self.metric
        return self.cls.preset(**{**self.defaults, **self.options})

    def label(self) -> str:
        """Return the notation of the metric, with the score that was named."""
        metric = str(self.make())
        return score_label(metric, self.score) if self.score else metric


def score_label(metric: str, score: str) -> str:
    """Return a score in the notation: ``sari(xu).keep``, and ``sari(xu)`` for ``sari``."""
    return metric if metric.partition("(")[0] == score else f"{metric}.{score}"


def normalize_name(name: str) -> str:
    """Return the name of a metric or option as it is declared, from ``SARI`` or ``D-SARI``."""
    return name.lower().replace("-", "_")


@dataclass
class _Reader:
    """A text that is read from left to right; messages begin with ``argument``."""

    text: str
    argument: str
    position: int = 0

    def take(self, pattern: str) -> str | None:
        """Return what a pattern matches here, and go on behind it; None if it doesn't match."""
        match = re.compile(pattern).match(self.text, self.position)
        if match is None:
            return None
        self.position = match.end()
        return match[0].strip()

    def expect(self, pattern: str) -> str:
        """Return what a pattern has to match here."""
        text = self.take(pattern)
        if text is None:
            raise InputError(
                f"{self.argument}: expected metrics, as in 'sari(xu, tokenizer=intl)' or "
                f"'sari:xu:tokenizer=intl', can't read {self.text!r} from character "
                f"{self.position + 1} on"
            )
        return text


def parse(text: str, argument: str, find: Callable[[str], type[Metric]]) -> list[Choice]:
    """Parse metrics, separated by commas.

    Args:
        text: The metrics.
        argument: With which messages begin.
        find: Returns the class of a metric by name.
    """
    reader = _Reader(text, argument)
    reader.take(r"\s*")
    choices: list[Choice] = []
    while reader.position < len(text):
        signature = reader.take(_SIGNATURE)
        if signature is None:
            choices.append(_parse_metric(reader, find))
            continue
        reader.expect(_END)
        name = normalize_name(signature.partition("|")[0])
        metric = read_signature(find(name), signature)
        choices.append(Choice(name, type(metric), metric=metric))
    return choices


def _parse_metric(reader: _Reader, find: Callable[[str], type[Metric]]) -> Choice:
    """Parse a name with its arguments and score, and the comma behind them."""
    name = normalize_name(reader.expect(_NAME))
    pairs = _parse_arguments(reader)
    score = (reader.take(r"\.\w+") or "").removeprefix(".")
    in_brackets = reader.text[reader.position - 1] == ")"
    reader.expect(_END)
    cls = find(name)
    keys = [score.key for score in cls.scores]
    option, value = pairs[-1] if pairs else ("", "")
    rest, _, last = value.rpartition(".")
    if rest and last in keys and not score and not in_brackets:
        pairs[-1], score = (option, rest), last  # as in sari:xu.keep
    if score and score not in keys:
        raise InputError(
            f"{reader.argument}: {cls.name} has no score {score!r}{nearest(score, keys)}: expected "
            f"one of {', '.join(keys)}"
        )
    options: dict[str, Any] = {}
    for option, value in pairs:
        if options and not option:
            raise InputError(
                f"{reader.argument}: expected OPTION=VALUE after the first value of {name}, got "
                f"{value!r}"
            )
        option = option or cls.first_option
        if option in options:
            raise InputError(f"{reader.argument}: {option} of {name} is given twice")
        options[option] = read_value(cls, option, unquote(value))
    return Choice(name, cls, options, score=score)


def _parse_arguments(reader: _Reader) -> list[tuple[str, str]]:
    """Parse options and values in brackets or behind colons; "" stands for no option."""
    pairs: list[tuple[str, str]] = []
    if reader.take(r"\(\s*\)"):
        return pairs
    in_brackets = reader.text.startswith("(", reader.position)
    before, between, value, behind = _BRACKETS if in_brackets else _COLONS
    while reader.take(between if pairs else before):
        option = (reader.take(_OPTION) or "").removesuffix("=").strip()
        pairs.append((normalize_name(option), reader.expect(value)))
    reader.expect(behind)
    return pairs


def unquote(text: str) -> str:
    """Return a value without the quotation marks around it; items of a list with commas."""
    if re.fullmatch(_LIST, text):
        return Quoted(",".join(map(unquote, re.findall(_ITEM, text[1:-1]))))
    if re.fullmatch(_QUOTED, text):
        return Quoted(text[1:-1].replace(2 * text[0], text[0]))
    return text


def read_value(cls: type[Metric], option: str, value: str) -> Any:
    """Return an option's value from text; what the option doesn't take is returned as it is."""
    if option == "variant":
        name = normalize_name(value)
        return name if name in cls.presets else str(value)
    for declared in cls.declared_options():
        if declared.name == option and not (isinstance(value, Quoted) and value == "None"):
            return declared.parse(value)
    return str(value)


def read_signature(cls: type[Metric], text: str) -> Metric:
    """Return the metric whose signature a text is, whatever the versions in it.

    Versions that differ raise a warning, and other numbers of references do when examples are
    scored.
    """
    labels = _labels(text)
    references = labels.pop("nrefs", labels.pop("refs", ""))
    options: dict[str, Any] = {"variant": labels["variant"]} if "variant" in labels else {}
    signed = [option for option in cls.declared_options() if option.tag in labels]
    for option in signed:
        label = labels[str(option.tag)]
        try:
            options |= cls.read_label(option, label)
            check_option(option, options[option.name])
        except (InputError, ImportError) as error:  # ImportError: it needs an extra
            message = f"{text!r}: can't read {option.tag}:{label} ({error})"
            raise InputError(message) from error
    metric = cls.preset(**options)
    try:
        written = metric.signature()
    except ImportError as error:
        raise InputError(f"{text!r}: {error}") from error
    if _labels(written) != labels:
        raise InputError(f"{text!r}: expected {written!r}, which these options write")
    for option in signed:
        if option.default is None:  # which may stand for what the signature says
            usual = cls.preset(**(options | {option.name: None}))
            metric = usual if usual.signature() == written else metric
    versions = {*text.split("|")} - {*written.split("|")}
    versions -= {f"refs:{references}", f"nrefs:{references}"}
    if versions:
        emit_warning(f"{metric} is here of other versions than {', '.join(sorted(versions))}")
    if not metric.reads_references():  # some had the number in their signatures once, too
        return metric
    return metric.declare(expected_references=references)


def _labels(signature: str) -> dict[str, str]:
    """Return tag → label of a signature, without versions."""
    labels = {}
    for part in signature.split("|")[1:]:
        tag, _, label = part.partition(":")
        label = label if tag == "model" else _VERSION.sub("", label)
        if tag not in ("v", "version"):
            labels[tag] = _OLD_LABELS.get(label, label)
    return labels
