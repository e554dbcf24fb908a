"""Judges as metrics: a language model's ratings, weighted by their probabilities where known.

The weighted rating is that of Liu et al. (2023), section 3.1, over the ratings among the likeliest
tokens.
"""

import functools
import hashlib
import json
import tempfile
import threading
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Preset, Score
from textsimp.core.examples import Examples
from textsimp.core.metric import Floats, MeanMetric
from textsimp.core.option import Option, option
from textsimp.extensions.judges.panel import Panel
from textsimp.extensions.judges.prompts import Prompt, digits
from textsimp.extensions.judges.servers import Budget
from textsimp.extensions.people import Criterion, Plan, Scheme, Screen
from textsimp.extensions.people.judgements.judgements import ALL
from textsimp.support.errors import InputError, check_choice

Output = tuple[str, tuple[str, ...], str]
"""A source, its references if the scheme shows them, and an output."""
_TEXTS = ("rater", "control", "source", "prediction")
"""What answers to the same question share, whatever its item and systems are called."""
_WEIGHTED = {None: "auto", True: "yes", False: "no"}
_TURN = threading.Lock()
"""Threads ask one after the other, so that each question is asked once."""
_folder = functools.cache(tempfile.TemporaryDirectory)  # for answers that aren't kept


@dataclass
class _Known:
    """What a metric and its copies know of answers."""

    weighted: bool | None  # whether ratings are weighted; None before the first answer
    numbers: dict[Output, list[float]] = field(default_factory=dict)  # one for each score


@dataclass(frozen=True)
class Judge(MeanMetric):
    """How a language model rates outputs by a scheme for people: the mean of each criterion.

    The model is asked as by `textsimp judge`, on a server with OpenAI's chat completions. What has
    an answer in the file ``answers`` isn't asked again, whoever wrote the file.

    Where the server returns the probabilities of tokens, a rating that is a digit is the mean of
    the scale's digits, weighted by their probabilities. An output has the mean of its samples.
    Outputs without a valid answer are left out; two systems are compared on the outputs for which
    both have one.
    """

    name: ClassVar[str] = "judge"
    about: ClassVar[str] = "experimental: ratings of a language model by a scheme for people"
    papers: ClassVar = ("liu-etal-2023-g",)
    people: ClassVar[str] = "`textsimp meta` measures it on ratings of yours"
    columns: ClassVar = (SOURCES, PREDICTIONS)
    presets: ClassVar = {"ratings": Preset("mean ratings by each criterion of a scheme")}
    scores: ClassVar = (
        Score("CRITERION", "Judge", "the mean rating by each criterion of the scheme", None, None),
    )
    incomplete: ClassVar = True
    ordered_references: ClassVar = True
    slow: ClassVar = True
    first_option: ClassVar[str] = "model"
    asked: ClassVar[Scheme]
    known: ClassVar[_Known]

    model: str = option("", about="the model's name on the server; required", always=True)
    scheme: str = option(
        "likert",
        about="what it is asked: likert, direct_assessment, level, information_errors, or the YAML "
        "or JSON file of a scheme that shows single outputs",
        always=True,
    )
    criterion: str | None = option(
        None,
        about="the criterion of the main score; None for `simplicity` or, without one, the first",
        tag="",
    )
    samples: int = option(1, about="how often each question is asked", least=1, always=True)
    weighted: bool | None = option(
        choices=(None, True, False),
        about="weight ratings by their probabilities; None if the server returns them",
        always=True,
    )
    prompt: str | None = option(
        None, about="a file with a prompt of yours; None for the package's", always=True
    )
    temperature: float = option(0.0, about="the temperature of sampling", least=0)
    seed: int = option(0, about="the seed of the first sample; others add 1, 2, …", least=0)
    answers: str | None = option(
        None,
        about="the file of answers, as of `textsimp judge`; None keeps none after the program",
        tag="",
    )
    base_url: str = option(
        "",
        about="the address of a server for what has no answer, such as `http://localhost:8000/v1`, "
        "whose key is in the environment variable TEXTSIMP_JUDGE_KEY",
        tag="",
    )
    answer_tokens: int = option(
        1024, about="how long an answer may be; models that think first need more", least=1, tag=""
    )
    concurrency: int = option(4, about="how many requests are under way at once", least=1, tag="")
    timeout: float = option(120.0, about="how many seconds a reply may take", least=0.001, tag="")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.model:
            raise InputError("model: judge expects a model's name, as in judge(qwen3:8b)")
        scheme = Scheme.load(self.scheme)
        if scheme.grouping != "output":
            raise InputError(f"scheme: expected one of single outputs, got {self.scheme!r}")
        if self.weighted and not digits(scheme):
            raise InputError(f"weighted: expected ratings that are digits, {scheme.name} has none")
        Prompt.load(self.prompt)
        if self.criterion is not None:
            check_choice("criterion", self.criterion, [*scheme.criteria])
        main = self.criterion or "simplicity"
        names = sorted(scheme.criteria, key=lambda name: name != main)
        scores = tuple(_score(name, scheme.criteria[name]) for name in names)
        shown = (REFERENCES,) if "references" in scheme.shows else ()
        vars(self).update(scores=scores, columns=(SOURCES, PREDICTIONS, *shown))
        vars(self).update(asked=scheme, known=_Known(self.weighted))

    def with_main(self, shared: Iterable[str]) -> "Judge":
        """Return the metric as its statistics are: weighted or not."""
        return self.declare(weighted=self.known.weighted)

    def heading(self, score: str) -> str:
        return f"{score} ({self.model})"

    def mean_names(self) -> tuple[str, ...]:
        return tuple(score.key for score in self.scores)

    def label(self, option: Option) -> Any:
        """Write the hashes of scheme and prompt, and whether ratings are weighted."""
        if option.name == "scheme":
            return f"{self.asked.name}@{self.asked.hash}"
        if option.name == "prompt":
            return Prompt.load(self.prompt).hash
        if option.name == "weighted":
            return _WEIGHTED[self.known.weighted]
        return super().label(option)

    @classmethod
    def read_label(cls, option: Option, label: str) -> dict[str, Any]:
        """Read a scheme without its hash; a hash of the package's prompt is no file."""
        if option.name == "scheme":
            label = label.partition("@")[0]
        if option.name == "prompt" and label == Prompt.load().hash:
            return {"prompt": None}
        if option.name == "weighted":
            return {"weighted": {text: value for value, text in _WEIGHTED.items()}.get(label)}
        return super().read_label(option, label)

    def compute_statistics(self, examples: Examples, *args: Any, **more: Any) -> dict[str, Floats]:
        """Return system → statistics; ask about all outputs without an answer before."""
        shared = self.prepare(**self._arguments(examples.shared, slice(None), own=False))
        writers: dict[Output, dict[str, None]] = {}
        for name in examples.systems:
            for (source, references), text in zip(shared, examples.predictions(name), strict=True):
                output = (source, references, text)
                if output not in self.known.numbers:
                    writers.setdefault(output, {})[name or ALL] = None
        if writers:
            self._ask(writers)
        return super().compute_statistics(examples, *args, **more)

    def prepare(self, sources: Any, references: Any = None) -> list[Any]:
        return [*zip(sources, map(tuple, references or [()] * len(sources)), strict=True)]

    def numbers(self, prepared: list[Any], predictions: list[str]) -> Floats:
        """Return (n, criteria) means of each output's samples."""
        outputs = [(*pair, text) for pair, text in zip(prepared, predictions, strict=True)]
        return np.array([self.known.numbers[output] for output in outputs])

    def check_rows(self, rows: Floats, system: str) -> None:
        """Check that a system has a valid answer."""
        if np.isnan(rows).all():
            what = f"a valid answer of {self.model}, got none"
            raise InputError(f"{system or PREDICTIONS.name}: expected {what}")

    def _ask(self, writers: Mapping[Output, Mapping[str, None]]) -> None:
        """Ask about outputs, of which each has its systems, and keep their ratings."""
        screens = [
            Screen("", 0, _hash(source, *references), source, (text,), ((*names,),), references)
            for (source, references, text), names in writers.items()
        ]
        asking = ("prompt", "temperature", "seed", "answer_tokens")
        settings = {name: getattr(self, name) for name in asking}
        key = _hash(self.model, self.asked.hash, self.base_url, settings)
        with _TURN:
            panel = Panel(
                Plan(self.asked, tuple(screens)),
                self.model,
                self.answers or Path(_folder().name, f"{key}.jsonl"),
                samples=self.samples,
                identity=_TEXTS if len(self.columns) == 2 else (*_TEXTS, REFERENCES.name),
                **settings,
            )
            how: dict[str, Any] = {"concurrency": self.concurrency, "timeout": self.timeout}
            missing = panel.run(self.base_url, Budget(), **how)
            if missing:
                raise InputError(f"judge: {missing}")
            self._rate(panel)

    def _rate(self, panel: Panel) -> None:
        """Keep the numbers of a panel's outputs."""
        valid: dict[Output, list[Mapping[str, Any]]] = {}
        invalid, unweighted = list[str](), 0
        for (screen, _), row in panel.answers():
            own = valid.setdefault((screen.source, screen.references, screen.predictions[0]), [])
            if row["invalid"]:
                invalid.append(row["invalid"])
            else:
                own.append(row)
                unweighted += row["judge"].get("probabilities") is None
        answers = len(invalid) + sum(map(len, valid.values()))
        if self.known.weighted is None and len(invalid) < answers:
            self.known.weighted = not unweighted
        if self.known.weighted and unweighted:
            raise InputError(
                f"judge: {unweighted:,} of {answers:,} answers of {self.model} have no log "
                "probabilities: give weighted=False"
            )
        if invalid:
            text = f"{len(invalid):,} of {answers:,} answers of {self.model} aren't valid"
            warnings.warn(f"{text}, and don't count; the first: {invalid[0]}", stacklevel=2)
        for output, own in valid.items():
            numbers = [[self._number(row, name) for row in own] for name in self.mean_names()]
            self.known.numbers[output] = [*map(_mean, numbers)]

    def _number(self, row: Mapping[str, Any], name: str) -> float:
        """Return the number of an answer's rating; NaN if it is aside of the scale."""
        criterion, scale = self.asked.criteria[name], digits(self.asked).get(name)
        if criterion.aside is not None and row[name] == criterion.aside:
            return np.nan
        if self.known.weighted and scale:
            return weigh(row["judge"]["probabilities"][name], scale)
        return criterion.number(row[name], name)


def weigh(probabilities: Mapping[str, float], scale: Mapping[str, float]) -> float:
    """Return the mean of a scale's numbers, weighted by the probabilities of ratings.

    >>> weigh({"4": 0.3, "5": 0.1}, {"4": 4.0, "5": 5.0})
    4.25
    """
    weighted = sum(p * scale[rating] for rating, p in probabilities.items())
    return weighted / sum(probabilities.values())


def _mean(numbers: Sequence[float]) -> float:
    present = [number for number in numbers if not np.isnan(number)]
    return sum(present) / len(present) if present else np.nan


def _score(name: str, criterion: Criterion) -> Score:
    scale = [number for step, number in criterion.codes.items() if step != criterion.aside]
    return Score(name, name, criterion.question, min(scale), max(scale), criterion.better)


def _hash(*parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]
