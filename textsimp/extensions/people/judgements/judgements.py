"""The table of judgements: a row per value that a rater gave an output."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from textsimp.core.metric import Floats
from textsimp.core.sample import Ints
from textsimp.extensions.people.judgements import numbers
from textsimp.extensions.people.judgements.resampling import encode
from textsimp.extensions.people.judgements.schemes import Criterion, Grouping
from textsimp.support.errors import InputError, listed

if TYPE_CHECKING:
    from textsimp.extensions.people.report.ratings import ReportedRatings

ALL = "all"
"""The system of a table without a column of systems."""
UNKNOWN = {"control": "", "seconds": np.nan, "invalid": "", "how": "", "time": None, "screen": None}
"""Column → its value where a file doesn't have it."""


Index = Mapping[tuple[str, str], Mapping[Any, Collection[str]]]
"""Source and text of an output → item → the systems that wrote it; see `index_outputs`."""


def plain(text: Any) -> str:
    """Return a text with single spaces, as white space doesn't matter where texts are matched."""
    return " ".join(str(text).split())


def index_outputs(outputs: Iterable[tuple[Any, Any, Any, Iterable[str]]]) -> Index:
    """Return outputs by their `plain` texts.

    Args:
        outputs: Item, source, text and systems of each.
    """
    index: dict[tuple[str, str], dict[Any, dict[str, None]]] = {}
    for item, source, text, systems in outputs:
        items = index.setdefault((plain(source), plain(text)), {})
        items.setdefault(item, {}).update(dict.fromkeys(systems))
    return index


@dataclass(frozen=True)
class Subject:
    """What an answer is about.

    Attributes:
        item: What the outputs simplify.
        systems: All systems that wrote each output.
        predictions: The texts of the outputs; None where unknown.
        control: The kind of control; "" for none.
    """

    item: Any
    systems: tuple[tuple[str, ...], ...]
    predictions: tuple[str | None, ...]
    control: str

    def __str__(self) -> str:
        return f"item {self.item!r} of {listed(sum(self.systems, ()))}"


@dataclass(frozen=True, eq=False)
class Judgements:
    """What raters say of outputs.

    Attributes:
        frame: A pandas table with a row per answer, criterion and output shown, in this order. Its
            columns:

            - ``answer``: the number of the answer, from 0;
            - ``output``: the number of the output; item, systems and text identify it;
            - ``item``: what the output simplifies;
            - ``system``: a tuple of all systems that wrote it;
            - ``rater``, ``criterion``, ``value``: the value is NaN if the rater gave none. Of
              outputs that were compared, the better has 1, the worse 0, equal ones ½;
            - ``control``: the kind of control; "" for none;
            - ``seconds``, ``time``, ``screen``: how long the answer took, when it was given, and on
              which screen of a plan; NaN or None where unknown;
            - ``invalid``: why a judge's answer isn't valid, see `textsimp.extensions.judges`;
            - ``how``: how a judge was asked; "" for people;
            - ``source``, ``prediction``, ``references``: the texts, if files have them.
        criteria: Name → `Criterion`.
        grouping: What raters see on a screen, see `Scheme`.
        scheme: Name, version and hash of the scheme; "" without one.
        missing: Rater → the screens of a plan without a whole answer, if there is a plan.

    Example:
        >>> from textsimp.extensions.people import Judgements
        >>> ratings = {"item": ["1", "2"], "system": ["a", "a"], "simplicity": [[3, 4], [5]]}
        >>> judgements = Judgements.of(ratings, ["simplicity"])
        >>> judgements.frame[["item", "rater", "value"]].values.tolist()
        [['1', '1', 3.0], ['1', '2', 4.0], ['2', '1', 5.0]]
        >>> judgements.means("simplicity")
        array([3.5, 5. ])
    """

    frame: Any
    criteria: Mapping[str, Criterion]
    grouping: Grouping = "output"
    scheme: str = ""
    missing: Mapping[str, list[int]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        columns: Mapping[str, Any],
        criteria: Sequence[str] | Mapping[str, Criterion],
        name_rater: Callable[[int, int], str] = lambda _, place: str(place + 1),
    ) -> Judgements:
        """Return judgements from columns with a row per output.

        Args:
            columns: A criterion's rows are numbers, or lists with a number of each rater, or it is
                a matrix. Others are those of `frame`; a system is a name or a list of names.
            criteria: The names of columns of ratings, on an interval scale; or name → `Criterion`.
            name_rater: Row and place in its list → name of the rater.
        """
        if not isinstance(criteria, Mapping):
            criteria = {name: Criterion("", "interval") for name in criteria}
        matrices = {
            name: column if isinstance(column, np.ndarray) else numbers.matrix(column, name)
            for name, column in columns.items()
            if name in criteria
        }
        n, width = len(columns[next(iter(criteria))]), max(m.shape[1] for m in matrices.values())
        values = np.full((len(criteria), n, width), np.nan)
        for k, name in enumerate(criteria):
            values[k, :, : matrices[name].shape[1]] = matrices[name]
        rows, places = np.nonzero(~np.isnan(values).all(axis=0))
        outputs = {"item": range(n), "system": [ALL] * n, **columns}
        answers = {
            name: [column[i] for i in rows.tolist()]
            for name, column in outputs.items()
            if name not in criteria
        }
        answers["system"] = [
            (names,) if isinstance(names, str) else tuple(names) for names in answers["system"]
        ]
        raters = zip(rows.tolist(), places.tolist(), strict=True)
        answers["rater"] = [name_rater(row, place) for row, place in raters]
        by_criterion = dict(zip(criteria, values[:, rows, places], strict=True))
        return cls.of_answers(answers, by_criterion, criteria)

    @classmethod
    def of_answers(
        cls,
        columns: Mapping[str, Sequence[Any]],
        values: Mapping[str, Floats],
        criteria: Mapping[str, Criterion],
        grouping: Grouping = "output",
    ) -> Judgements:
        """Return judgements from columns with a row per answer.

        Args:
            columns: Those of `frame`. Where outputs are compared, system and prediction are lists.
            values: Criterion → a value per answer, or (answers, 2) values.
            criteria: Name → `Criterion`.
            grouping: See `Scheme`.
        """
        import pandas as pd  # type: ignore[import-untyped]

        n, size = len(columns["rater"]), 2 if grouping == "pair" else 1
        shown = {"answer": np.repeat(np.arange(n), size)}
        for name, column in {**{k: [v] * n for k, v in UNKNOWN.items()}, **columns}.items():
            if size > 1 and name in ("system", "prediction"):
                cells = [cell for row in column for cell in (row or [None] * size)]
            else:
                cells = [cell for cell in column for _ in range(size)]
            shown[name] = pd.Series(cells, dtype=float if name == "seconds" else object)
        outputs = pd.DataFrame(shown)
        parts = []
        for name in criteria:
            criterion = pd.Series([name] * len(outputs), dtype=object)
            parts.append(outputs.assign(criterion=criterion, value=values[name].ravel()))
        frame = pd.concat(parts).sort_values("answer", kind="stable", ignore_index=True)
        return cls(_number(frame), criteria, grouping)

    def __len__(self) -> int:
        """Return the number of answers."""
        return int(self.frame["answer"].nunique())

    @property
    def compares(self) -> bool:
        """Whether raters compared outputs."""
        return self.grouping == "pair"

    @property
    def answers(self) -> Any:
        """The first row of each answer."""
        return self.frame.drop_duplicates("answer")

    @property
    def raters(self) -> list[str]:
        """The names of the raters."""
        return list(dict.fromkeys(self.frame["rater"]))

    def rows(self, criterion: str) -> Ints:
        """Return (answers,) rows of a criterion in the frame, or (answers, 2) of comparisons."""
        rows = np.flatnonzero(self.frame["criterion"] == criterion)
        return rows.reshape(-1, 2) if self.compares else rows

    def values(self, criterion: str) -> Floats:
        """Return (answers,) values of a criterion, or (answers, 2) of comparisons."""
        values: Floats = self.frame["value"].to_numpy()[self.rows(criterion)]
        return values

    def on_scale(self, name: str) -> Floats:
        """Return a number per row of the frame, NaN for other criteria and the step aside."""
        criterion, values = self.criteria[name], self.frame["value"]
        counted = self.frame["criterion"] == name
        if criterion.aside is not None:
            counted &= values != criterion.codes[criterion.aside]
        numbers: Floats = values.where(counted).to_numpy()
        return numbers

    def means(self, name: str) -> Floats:
        """Return (outputs,) means of a criterion, in the order of their numbers; NaN without any.

        An output counts once, by the mean of its raters.
        """
        lists: list[list[float]] = [[] for _ in range(self.frame["output"].nunique())]
        for output, value in zip(self.frame["output"], self.on_scale(name).tolist(), strict=True):
            if value == value:
                lists[output].append(value)
        return numbers.list_means(lists)

    @property
    def rated(self) -> Judgements:
        """What counts for outputs: neither controls nor invalid answers."""
        answers = self.answers
        return self.take(((answers["control"] == "") & (answers["invalid"] == "")).to_numpy())

    def take(self, answers: Any) -> Judgements:
        """Return some answers in this order: their numbers, or a mask of all."""
        numbers = np.arange(len(self))[answers]
        frame = self.frame.set_index("answer").loc[numbers].reset_index()
        return replace(self, frame=_number(frame))

    def column(self, name: str) -> list[Any]:
        """Return a column of the answers; None for each if the frame doesn't have it."""
        return list(self.answers[name]) if name in self.frame else [None] * len(self)

    def subjects(self) -> list[Subject]:
        """Return what each answer is about."""
        rows = self.rows(next(iter(self.criteria))).reshape(len(self), 1 + self.compares).tolist()
        systems, n = self.frame["system"].tolist(), len(self.frame)
        texts = self.frame["prediction"].tolist() if "prediction" in self.frame else [None] * n
        about = zip(rows, self.column("item"), self.column("control"), strict=True)
        return [
            Subject(item, tuple(systems[i] for i in own), tuple(texts[i] for i in own), control)
            for own, item, control in about
        ]

    def find(self, index: Index) -> list[tuple[Any, tuple[tuple[str, ...], ...]] | None]:
        """Return the item and systems of each answer's outputs among others, or None.

        Outputs that were compared are of one item: the first that has all their texts.
        """
        self.check_texts()
        matches = []
        for source, subject in zip(self.column("source"), self.subjects(), strict=True):
            outputs = [index.get((plain(source), plain(text)), {}) for text in subject.predictions]
            shared = (item for item in outputs[0] if all(item in items for items in outputs))
            item = next(shared, None)
            match = None if item is None else (item, tuple((*items[item],) for items in outputs))
            matches.append(match)
        return matches

    def check_texts(self) -> None:
        """Check that there are texts, by which outputs are found."""
        for name in ("source", "prediction"):
            if name not in self.frame:
                raise InputError(f"ratings: expected a column {name!r}, by which outputs are found")

    def assign(self, items: Sequence[str], systems: Sequence[Sequence[Any]]) -> Judgements:
        """Return the judgements with other items and systems of each answer."""
        answers = self.frame["answer"].tolist()
        places = self.frame.groupby(["answer", "criterion"]).cumcount().tolist()
        own = [systems[answer][place] for answer, place in zip(answers, places, strict=True)]
        frame = self.frame.assign(item=[items[answer] for answer in answers], system=own)
        return replace(self, frame=_number(frame))

    def for_report(
        self,
        sources: Sequence[str],
        outputs: Mapping[str, Sequence[str]],
        names: Mapping[str, str],
        **sampling: Any,
    ) -> ReportedRatings:
        """Return the ratings of a report's outputs, see `textsimp.report.measurements.Ratings`."""
        from textsimp.extensions.people.report.ratings import match

        return match(self, sources, outputs, names, **sampling)

    def by_output(self) -> dict[str, list[Any]]:
        """Return columns with a row per output, as `people.evaluate` takes them.

        Controls are left out. A criterion has a list with a rating of each rater, or None. An
        output that several systems wrote has a row for each.
        """
        if self.compares:
            raise InputError("expected ratings of outputs, got comparisons")
        rated = self.rated.frame
        outputs = rated.drop_duplicates("output").explode("system").dropna(subset="system")
        about = ["item", "system", "source", "prediction", "references"]
        if {*outputs["system"]} == {ALL}:
            about.remove("system")
        columns = {name: outputs[name].tolist() for name in about if name in outputs}
        raters = encode([*self.raters, *rated["rater"]])[len(self.raters) :]
        for name in self.criteria:
            matrix = np.full((rated["output"].nunique(), len(self.raters)), np.nan)
            rows_of = (rated["criterion"] == name).to_numpy()
            values = rated["value"].to_numpy()[rows_of]
            matrix[rated["output"].to_numpy()[rows_of], raters[rows_of]] = values
            rows = matrix[outputs["output"]].tolist()
            columns[name] = [[None if x != x else x for x in row] for row in rows]
        return columns


def join(parts: Sequence[Judgements]) -> Judgements:
    """Return the answers of all parts, by one scheme, with the texts that all have."""
    if len(parts) == 1:
        return parts[0]
    import pandas as pd

    frames, start = [], 0
    for part in parts:
        frames.append(part.frame.assign(answer=part.frame["answer"] + start))
        start += len(part)
    frame = pd.concat(frames, join="inner", ignore_index=True)
    return replace(parts[0], frame=_number(frame))


def _number(frame: Any) -> Any:
    """Number answers by their old numbers, and outputs by their items, systems and texts."""
    keys = [frame[name] for name in ("item", "system", "prediction") if name in frame]
    return frame.assign(answer=encode(frame["answer"]), output=encode(zip(*keys, strict=True)))
