"""`check_metric` finds a metric that breaks a law, and shows the smallest example."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

import textsimp
from tests.toys import Long, Marked, Parsed
from textsimp import Sari
from textsimp.core.declarations import PREDICTIONS, REFERENCES
from textsimp.core.option import option
from textsimp.support.errors import InputError
from textsimp.testing import LAWS, check_metric


class Positional(Long):
    """A number depends on the rows before."""

    def numbers(self, prepared, predictions):
        return np.arange(len(predictions), dtype=float)


class FirstReference(Long):
    """The first reference alone counts, which isn't declared."""

    columns: ClassVar = (PREDICTIONS, REFERENCES)

    def prepare(self, references):
        return [row[0] for row in references]

    def numbers(self, prepared, predictions):
        return np.array([100.0 * (a == b) for a, b in zip(prepared, predictions, strict=True)])


class Flat(Long):
    """Sums of several corpora become one number."""

    def reduce(self, totals):
        return {"long": np.float64(totals.sum())}


class Gapless(Long):
    """A row without a number is counted."""

    def sample(self, statistics):
        return super().sample(np.where(np.isnan(statistics), 100.0, statistics))


class Huge(Long):
    """A score above its range."""

    def numbers(self, prepared, predictions):
        return np.array([100.0 + ("cat" in text) for text in predictions])


class Ten(Long):
    """A number depends on whether there are ten rows."""

    def numbers(self, prepared, predictions):
        return np.full(len(predictions), 100.0 * (len(predictions) == 10))


class Forgetful(Long):
    """A copy has another variant."""

    def __deepcopy__(self, memo: Any) -> Any:
        return type(self)("letters" if self.variant == "words" else "words")


@dataclass(frozen=True)
class Untold(Long):
    """Two choices have one label in the signature."""

    unit: str = option("words", about="what counts", choices=("words", "letters"), label=len)

    def signature(self, references=None):
        return "long|variant:words|v:1"


class Lenient(Long):
    """An unknown option is a `TypeError`."""

    @classmethod
    def _check_names(cls, names, legal):
        pass


class Misspelt(Long):
    """The notation says another metric."""

    def __str__(self) -> str:
        return "long(letters)"


class Sorting(Long):
    """References are sorted in place, which other metrics read, too."""

    columns: ClassVar = (PREDICTIONS, REFERENCES)

    def prepare(self, references):
        for row in references:
            row.sort()

    def numbers(self, prepared, predictions):
        return np.zeros(len(predictions))


class Counting(Long):
    """A number depends on how often the metric has been called."""

    calls: ClassVar = []

    def numbers(self, prepared, predictions):
        self.calls.append(predictions)
        return np.full(len(predictions), 100.0 * (len(self.calls) == 40))


@dataclass(frozen=True)
class Unlimited(Long):
    """An option may be larger than it says."""

    most: int = option(3, about="what isn't long yet", least=1, most=99)

    def __post_init__(self) -> None:
        object.__setattr__(self, "most", 3)
        super().__post_init__()


class Failing(Long):
    """An empty text is an error."""

    def numbers(self, prepared, predictions):
        return np.array([1 / len(text) for text in predictions])


BROKEN = {
    Forgetful(): "A copy, a pickle",
    Misspelt(): "from notation and signature",
    Lenient(): "are an `InputError`",
    Untold(): "A choice is in the signature",
    Positional(): "alone, in any order",
    Ten(): "alone, in any order",
    FirstReference(): "references reversed",
    Flat(): "leading axes",
    Gapless(): "a row without numbers",
    Huge(): "in their ranges",
    Sorting(): "alone, in any order",
    Counting(): "alone, in any order",
    Unlimited(): "other options and values",
}


@pytest.mark.parametrize("metric", BROKEN, ids=lambda metric: type(metric).__name__)
def test_a_broken_law_is_named(metric):
    (law,) = [law for law in LAWS if BROKEN[metric] in law]
    with pytest.raises(AssertionError) as failure:
        check_metric(metric)
    assert law in str(failure.value)


def test_every_law_can_be_broken():
    assert all(any(part in law for part in BROKEN.values()) for law in LAWS)


def test_the_example_is_the_smallest():
    with pytest.raises(AssertionError) as failure:
        check_metric(Huge())
    assert str(failure.value).endswith("example:\n  predictions: ['cat']")


def test_the_rows_are_as_few_as_break_the_law():
    with pytest.raises(AssertionError) as failure:
        check_metric(Ten())
    predictions = ast.literal_eval(str(failure.value).rpartition("predictions: ")[2])
    assert len(predictions) == 10


def local_metric():
    @textsimp.mean_metric("local_length")
    def local_length(predictions):
        return [*map(len, predictions)]

    return local_length


@pytest.mark.parametrize(
    ("metric", "reason"),
    [
        (textsimp.mean_metric("unnamed")(lambda predictions: [0] * len(predictions)), "<lambda>"),
        (Sari(tokenizer=textsimp.name_function(lambda text: text.split(), "x")), "<lambda>"),
        (local_metric(), "<locals>"),
    ],
)
def test_functions_without_a_name_in_a_module_are_named_as_the_reason(metric, reason):
    with pytest.raises(AssertionError) as failure:
        check_metric(metric)
    message = str(failure.value)
    assert reason in message
    assert message.endswith(
        "instead of a lambda or a function inside another one write a function of a module, with "
        "def."
    )


def test_an_error_of_the_metric_breaks_the_law():
    with pytest.raises(AssertionError, match=r"ZeroDivisionError.*\nexample:\n.*: \[''\]$"):
        check_metric(Failing())


def test_columns_are_made_up_as_they_are_declared():
    check_metric(Marked(), seed=1)


def test_structured_columns_are_drawn_from_given_ones():
    check_metric(Parsed(), {"trees": [[], [[]], [[], [[]]]]})
    with pytest.raises(InputError):
        check_metric(Parsed())
