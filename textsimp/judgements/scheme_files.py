"""Files of schemes: YAML or JSON, whose fields are checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any, get_args

from textsimp.core.columns import is_sequence
from textsimp.corpora.files import read_bytes
from textsimp.judgements.agreement import MeasurementLevel
from textsimp.judgements.schemes import (
    COLUMNS,
    NAMES,
    OLD_COLUMNS,
    SHOWN,
    Better,
    Control,
    Criterion,
    Grouping,
    Practice,
    Scheme,
    choice,
)
from textsimp.support.errors import (
    InputError,
    check_choice,
    check_integer,
    check_number,
    check_switch,
    listed,
    nearest,
    shown,
)
from textsimp.support.yaml_parsing import parse_yaml

_NAME = re.compile(r"[A-Za-z][\w-]{0,39}")


def load(scheme: str | Path) -> Scheme:
    """Return a scheme of the package by its name, or read one from a YAML or JSON file."""
    where = str(scheme)
    if where in NAMES:
        data = resources.files("textsimp.judgements").joinpath(f"schemes/{where}.yaml").read_bytes()
    elif Path(scheme).suffix.lower() in (".yaml", ".yml", ".json"):
        data = read_bytes(scheme)
    else:
        expected = f"one of {listed(NAMES)}, or a .yaml or .json file"
        raise InputError(f"scheme: expected {expected}, got {where!r}{nearest(where, NAMES)}")
    try:
        fields = parse_yaml(data)
    except ValueError as error:
        raise InputError(f"{where}: bad YAML: {error}") from None
    return parse(fields, where)


def parse(fields: Any, where: str) -> Scheme:
    """Check the fields of a scheme; ``where`` begins the messages."""
    _check_fields(fields, Scheme, where, ("name", "version", "criteria"))
    grouping = fields.get("grouping", "output")
    check_choice(f"{where}: grouping", grouping, get_args(Grouping))
    shows: Any = fields.get("shows", ["source", "prediction"])
    if not is_sequence(shows) or "prediction" not in shows:
        raise InputError(f"{where}: shows: expected a list with prediction, got {shown(shows)}")
    for column in shows:
        check_choice(f"{where}: shows", column, SHOWN)
    if not isinstance(fields["criteria"], Mapping) or not fields["criteria"]:
        raise InputError(f"{where}: criteria: expected a mapping of names to criteria")
    scheme = Scheme(
        name=_name(fields["name"], f"{where}: name"),
        version=check_integer(f"{where}: version", fields["version"], 1),
        criteria={
            _name(name, f"{where}: criteria"): _criterion(one, f"{where}: {name}", grouping)
            for name, one in fields["criteria"].items()
        },
        grouping=grouping,
        shows=tuple(shows),
        instructions=_text(fields.get("instructions", ""), f"{where}: instructions", 0),
        seconds=check_number(f"{where}: seconds", fields.get("seconds", 45), 1),
    )
    items: Any = fields.get("practice", [])
    if not is_sequence(items):
        raise InputError(f"{where}: practice: expected a list of items, got {shown(items)}")
    practice = [_practice(one, f"{where}: practice {i}", scheme) for i, one in enumerate(items)]
    qualified = fields.get("qualified")
    if qualified is not None:
        check_number(f"{where}: qualified", qualified, 0, 1)
        if not practice:
            raise InputError(f"{where}: qualified: expected items of practice, got none")
    return replace(scheme, practice=tuple(practice), qualified=qualified)


def _criterion(fields: Any, where: str, grouping: str) -> Criterion:
    _check_fields(fields, Criterion, where, ("question",))
    question = _text(fields["question"], f"{where}: question")
    if grouping in ("pair", "four"):
        if set(fields) != {"question"}:
            raise InputError(f"{where}: expected a question alone, as {grouping!r} has no scale")
        return Criterion(question)
    level, slider = fields.get("level", "ordinal"), fields.get("slider", False)
    check_choice(f"{where}: level", level, get_args(MeasurementLevel))
    check_switch(f"{where}: slider", slider)
    better: Any = fields.get("better", "higher")
    check_choice(f"{where}: better", better, get_args(Better))
    steps: Any = fields.get("steps")
    if not isinstance(steps, Mapping) or len(steps) < 2:
        raise InputError(f"{where}: steps: expected a mapping of at least two steps to texts")
    keys = [_step(key) for key in steps]
    aside = _step(fields.get("aside"))
    if aside is not None and (slider or aside not in (keys[0], keys[-1])):
        raise InputError(f"{where}: aside: expected the first or last of the steps, without slider")
    scale = [key for key in keys if key != aside]
    numbers = [key for key in scale if type(key) in (int, float)]
    texts = [key for key in scale if isinstance(key, str) and key]
    if len(scale) not in (len(numbers), len(texts)) or numbers != sorted(set(numbers)):
        raise InputError(f"{where}: steps: expected rising numbers, or texts, got {listed(keys)}")
    if slider and texts:
        raise InputError(f"{where}: slider: expected steps that are numbers, got {listed(keys)}")
    wording = [_text(text, f"{where}: step {key!r}") for key, text in steps.items()]
    criterion = Criterion(question, level, dict(zip(keys, wording, strict=True)), slider, aside)
    controls: Any = fields.get("controls", {})
    if not isinstance(controls, Mapping):
        raise InputError(f"{where}: controls: expected a mapping, got {shown(controls)}")
    for kind, passes in controls.items():
        check_choice(f"{where}: controls", kind, get_args(Control)[:3])
        criterion.bounds(passes, f"{where}: controls: {kind}")
    return replace(criterion, controls=controls, better=better)


def _practice(fields: Any, where: str, scheme: Scheme) -> Practice:
    required = ("source",) if "source" in scheme.shows else ()
    _check_fields(fields, Practice, where, (*required, "prediction", "ratings"))
    texts: Any = fields["prediction"]
    texts = texts if is_sequence(texts) else [texts]
    size = scheme.size or len(texts)
    if len(texts) != size:
        raise InputError(f"{where}: prediction: expected {size} outputs, got {len(texts)}")
    given: Any = fields["ratings"]
    several = given if is_sequence(given) else [given]
    rated = 1 if scheme.compares else size
    if len(several) != rated or not all(isinstance(own, Mapping) and own for own in several):
        raise InputError(f"{where}: ratings: expected {rated} mappings, got {shown(given)}")
    for name, rating in (pair for own in several for pair in own.items()):
        check_choice(f"{where}: ratings", name, list(scheme.criteria))
        place = f"{where}: ratings: {name}"
        if scheme.compares:
            choice(rating, scheme.grouping, place)
        else:
            scheme.criteria[name].bounds(rating, place)
    return Practice(
        _text(fields.get("source", ""), f"{where}: source", len(required)),
        tuple(_text(text, f"{where}: prediction", 0) for text in texts),
        tuple(map(dict, several)),
        _text(fields.get("why", ""), f"{where}: why", 0),
    )


def _step(key: Any) -> Any:
    """Return a step as a number if it looks like one, as JSON has texts as keys only."""
    if not isinstance(key, str) or not re.fullmatch(r"-?\d+(\.\d+)?", key):
        return key
    return float(key) if "." in key else int(key)


def _check_fields(fields: Any, cls: Any, where: str, required: tuple[str, ...]) -> None:
    if not isinstance(fields, Mapping):
        raise InputError(f"{where}: expected a mapping of fields, got {shown(fields)}")
    for name in fields:
        check_choice(f"{where}: field", name, list(cls.__dataclass_fields__))
    for name in required:
        if name not in fields:
            raise InputError(f"{where}: expected the field {name!r}; it has {listed(fields)}")


def _name(name: Any, where: str) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InputError(
            f"{where}: expected at most 40 letters, digits, '-' and '_', the first a letter, got "
            f"{shown(name)}"
        )
    if name in (*COLUMNS, *OLD_COLUMNS.values()):
        raise InputError(f"{where}: expected another name: answers have a column {name!r}")
    return name


def _text(text: Any, where: str, least: int = 1) -> str:
    if not isinstance(text, str) or len(text.strip()) < least:
        raise InputError(f"{where}: expected a text, got {shown(text)}")
    return text.strip()
