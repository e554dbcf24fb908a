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
from typing import TYPE_CHECKING, Any, NamedTuple

from textsimp.core.declarations import BARE
from textsimp.core.examples import emit_warning
from textsimp.support.errors import InputError
from textsimp.support.parsing import parse_number

if TYPE_CHECKING:
    from textsimp.core.metric import Metric

_QUOTED = r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\""
_ITEM = rf"(?:{_QUOTED}|{BARE.pattern})"
_LIST = rf"\[\s*(?:{_ITEM}\s*(?:,\s*{_ITEM}\s*)*)?\]"
_OPTION = r"(?:([\w-]+)\s*=\s*)?"
_ARGUMENT = rf"\s*{_OPTION}({_LIST}|{_ITEM})\s*"
# In shells a colon is part of a value if no option follows.
_SHELL_ARGUMENT = rf":(?:([\w-]+)=)?({_LIST}|{_QUOTED}|(?:[^,:]|:(?![\w-]+=))+)"
_METRIC = re.compile(
    rf"""\s*(?:
        (?P<signature>[\w-]+\|(?:[^|]*\|)*?v(?:ersion)?:[^\s,|]+|[\w-]+\|[^,]+)
        |(?P<name>[\w-]+)(?:\s*(?=[(:]))?
        (?P<arguments>\((?:{_ARGUMENT}(?:,{_ARGUMENT})*)?\)|(?:{_SHELL_ARGUMENT}(?:(?=:[\w-]+=){_SHELL_ARGUMENT})*)?)
        (?:\.(?P<score>\w+))?
    )\s*(?:,|$)""",
    re.VERBOSE,
)
_VERSION = re.compile(r"-\d+\.\d+[.\w]*")
_OLD_LABELS = {"nltk-punkt-untrained": "punkt-untrained"}


class Quoted(str):
    """A value in quotation marks, without them."""


class Written(NamedTuple):
    """A metric as it is written.

    Attributes:
        text: All of it.
        name: As the catalogue spells it.
        arguments: Option → value; "" for a value without an option. None in a signature.
        score: The score that is named, if any.
    """

    text: str
    name: str
    arguments: dict[str, str] | None = None
    score: str = ""


def normalize_name(name: str) -> str:
    """Return the name of a metric or option as it is declared, from ``SARI`` or ``D-SARI``."""
    return name.lower().replace("-", "_")


def parse(text: str, argument: str) -> list[Written]:
    """Parse metrics, separated by commas; messages begin with ``argument``."""
    written: list[Written] = []
    at = 0
    while text[at:].strip():
        found = _METRIC.match(text, at)
        if found is None:
            raise InputError(
                f"{argument}: expected a metric, as in 'sari(xu, tokenizer=intl)' or "
                f"'sari:xu:tokenizer=intl', at character {at + 1} of {text!r}"
            )
        at = found.end()
        signature = found["signature"]
        if signature is not None:
            written.append(Written(signature, normalize_name(signature.partition("|")[0])))
            continue
        own = found[0].rstrip(", \t\n").strip()
        given = found["arguments"]
        pairs = re.findall(_SHELL_ARGUMENT, given)
        if given.startswith("("):
            pairs = re.findall(_ARGUMENT, given[1:-1])
        arguments: dict[str, str] = {}
        for option, value in pairs:
            if normalize_name(option) in arguments or (arguments and not option):
                raise InputError(
                    f"{argument}: expected OPTION=VALUE after the first value, each option once, "
                    f"got {value!r} in {own!r}"
                )
            arguments[normalize_name(option)] = unquote(value.strip())
        name = normalize_name(found["name"])
        written.append(Written(own, name, arguments, found["score"] or ""))
    return written


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
    arguments = dict(written.arguments or {})
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
        reason = "no value of this option gives it"
        for trial in trials:
            try:
                written = _labels(cls.preset(**trial).signature())
            except (InputError, ImportError) as error:  # ImportError: it needs an extra
                reason = str(error)
                continue
            if written.get(tag) == expected[tag]:
                options = trial
                break
        else:
            if expected[tag].startswith("custom-"):
                reason = "a function of the user's own, which has to be passed in Python"
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
    if metric.reads_references():  # others had the number in their signatures once, too
        object.__setattr__(metric, "expected_references", references)
    return metric


def _labels(signature: str) -> dict[str, str]:
    """Return tag → label of a signature, without versions."""
    parts = (part.partition(":") for part in signature.split("|")[1:])
    labels = {tag: _VERSION.sub("", label) for tag, _, label in parts}
    present = {tag: _OLD_LABELS.get(label, label) for tag, label in labels.items()}
    return {tag: label for tag, label in present.items() if tag not in ("v", "version")}
