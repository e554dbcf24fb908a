"""Criteria: a question with the scale of its answers, and items to practise on."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from textsimp.core.columns import is_sequence
from textsimp.extensions.people.judgements.agreement import MeasurementLevel
from textsimp.support.errors import (
    InputError,
    check_choice,
    check_fields,
    check_number,
    check_switch,
    listed,
    read_text,
    shown,
)

Grouping = Literal["output", "source", "pair"]
Control = Literal["source", "other", "repeat", "reversed"]
Better = Literal["higher", "lower", ""]
CHOICES = {"A": (1.0, 0.0), "B": (0.0, 1.0), "equal": (0.5, 0.5)}
"""Answer to a comparison → the value of each output: 1 for the better, 0 for the worse."""


@dataclass(frozen=True)
class Criterion:
    """A question, and the scale of its answers.

    Attributes:
        question: What raters are asked.
        level: The level of measurement: how `people.rater_agreement` compares ratings.
        steps: Step of the scale → what it means, from lowest to highest. Numbers or texts. None
            in comparisons.
        slider: Whether all numbers between the first step and the last are ratings, too.
        aside: The first or last step, if it says that an output can't be judged. It stands for
            all criteria that have it. Means leave it out; agreement ranks it where it is.
        controls: Kind of control → rating, or [lowest, highest], with which a rater passes it.
        better: Whether ``"higher"`` or ``"lower"`` ratings are better; "" if neither is.
    """

    question: str
    level: MeasurementLevel = "ordinal"
    steps: Mapping[Any, str] = field(default_factory=dict)
    slider: bool = False
    aside: Any = None
    controls: Mapping[str, Any] = field(default_factory=dict)
    better: Better = "higher"

    @property
    def codes(self) -> dict[Any, float]:
        """Step → its number; texts count as 0, 1, …, and the aside as one less or more than all."""
        scale = [step for step in self.steps if step != self.aside]
        codes = {step: float(i if isinstance(step, str) else step) for i, step in enumerate(scale)}
        if self.aside is not None:
            last = self.aside == [*self.steps][-1]
            codes[self.aside] = codes[scale[-1]] + 1 if last else codes[scale[0]] - 1
        return codes

    def number(self, rating: Any, where: str) -> float:
        """Return the number of a rating; ``where`` begins the message if it is none."""
        codes = self.codes
        legal = isinstance(rating, (str, int, float)) and not isinstance(rating, bool)
        if legal and rating in codes:
            return codes[rating]
        if self.slider:
            return check_number(where, rating, min(codes), max(codes))
        raise InputError(f"{where}: expected one of {listed(codes)}, got {shown(rating)}")

    def bounds(self, ratings: Any, where: str = "") -> tuple[float, float]:
        """Return the numbers of [lowest, highest] ratings, or twice that of one."""
        ends = list(ratings) if is_sequence(ratings) else [ratings, ratings]
        if len(ends) != 2:
            raise InputError(f"{where}: expected a step or [lowest, highest], got {shown(ratings)}")
        low, high = (self.number(end, where) for end in ends)
        if low > high:
            raise InputError(f"{where}: expected [lowest, highest], got {shown(ratings)}")
        return low, high


def read_criterion(fields: Any, where: str, grouping: str) -> Criterion:
    """Check the fields of a criterion; ``where`` begins the messages."""
    check_fields(fields, Criterion.__dataclass_fields__, where, ("question",))
    question = read_text(fields["question"], f"{where}: question")
    if grouping == "pair":
        if set(fields) != {"question"}:
            raise InputError(f"{where}: expected a question alone, as pairs have no scale")
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
    wording = [read_text(text, f"{where}: step {key!r}") for key, text in steps.items()]
    criterion = Criterion(question, level, dict(zip(keys, wording, strict=True)), slider, aside)
    controls: Any = fields.get("controls", {})
    if not isinstance(controls, Mapping):
        raise InputError(f"{where}: controls: expected a mapping, got {shown(controls)}")
    for kind, passes in controls.items():
        check_choice(f"{where}: controls", kind, get_args(Control)[:2])
        criterion.bounds(passes, f"{where}: controls: {kind}")
    return replace(criterion, controls=controls, better=better)


def choice(cell: Any, where: str) -> tuple[float, float]:
    """Return the values of two outputs that were compared; ``where`` begins the message."""
    check_choice(where, cell, list(CHOICES))
    return CHOICES[cell]


def _step(key: Any) -> Any:
    """Return a step as a number if it looks like one, as JSON has texts as keys only."""
    if not isinstance(key, str) or not re.fullmatch(r"-?\d+(\.\d+)?", key):
        return key
    return float(key) if "." in key else int(key)
