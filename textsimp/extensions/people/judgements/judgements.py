"""The table of judgements: a row per value that a rater gave an output."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from textsimp.core.metric import Floats
from textsimp.core.sample import Ints
from textsimp.extensions.people.judgements import numbers
from textsimp.extensions.people.judgements.criteria import Criterion, Grouping
from textsimp.extensions.people.judgements.resampling import encode
from textsimp.support.errors import InputError

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
        own = index.setdefault((plain(source), plain(text)), {})
        own.setdefault(item, {}).update(dict.fromkeys(systems))
    return index


@dataclass(frozen=True, eq=False)
class Judgements:
    """What raters say of outputs.

    Attributes:
        frame: A pandas table with a row per answer, criterion and output shown. Its columns:

            - ``answer``: a number that ties the values of one answer;
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
        >>> found = Judgements.of(ratings, ["simplicity"])
        >>> found.frame[["item", "rater", "value"]].values.tolist()
        [['1', '1', 3.0], ['1', '2', 4.0], ['2', '1', 5.0]]
        >>> found.means("simplicity")
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
        given = {name: columns[name] for name in criteria}
        wide = [
            column if isinstance(column, np.ndarray) else numbers.matrix(column, name)
            for name, column in given.items()
        ]
        values = np.full((len(wide), len(wide[0]), max(one.shape[1] for one in wide)), np.nan)
        for k, matrix in enumerate(wide):
            values[k, :, : matrix.shape[1]] = matrix
        rows, places = np.nonzero(~np.isnan(values).all(axis=0))
        named = {"item": range(len(wide[0])), "system": [ALL] * len(wide[0]), **columns}
        own = {
            name: [column[i] for i in rows.tolist()]
            for name, column in named.items()
            if name not in criteria
        }
        own["system"] = [(one,) if isinstance(one, str) else tuple(one) for one in own["system"]]
        own["rater"] = [name_rater(*at) for at in zip(rows.tolist(), places.tolist(), strict=True)]
        values_of = dict(zip(criteria, values[:, rows, places], strict=True))
        return cls.of_answers(own, values_of, criteria)

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
        shape = (n, len(criteria), size)
        frame = {}
        for name, column in {**{k: [v] * n for k, v in UNKNOWN.items()}, **columns}.items():
            cells = list(column)
            if size > 1 and name in ("system", "prediction"):
                cells = [part for row in cells for part in (row or [None] * size)]
            table = pd.Series(cells, dtype=float if name == "seconds" else object).to_numpy()
            frame[name] = np.broadcast_to(table.reshape(n, 1, -1), shape).ravel()
        own = pd.Series([*criteria], dtype=object).to_numpy()[:, None]
        frame["criterion"] = np.broadcast_to(own, shape).ravel()
        stacked = [values[name].reshape(n, size) for name in criteria]
        frame["value"] = np.stack(stacked, axis=1).ravel()
        table = pd.DataFrame({name: pd.Series(one, dtype=one.dtype) for name, one in frame.items()})
        return cls(table, criteria, grouping)._number()

    def _number(self) -> Judgements:
        """Number answers, and outputs by their items, systems and texts."""
        shape = self.blocks.shape
        shown = self.frame.iloc[self.blocks[:, 0].ravel()]
        keys = [shown[name] for name in ("item", "system", "prediction") if name in shown]
        outputs = encode(zip(*keys, strict=True)).reshape(-1, 1, shape[2])
        answers = np.arange(shape[0]).reshape(-1, 1, 1)
        numbered = {"answer": answers, "output": outputs}
        columns = {name: np.broadcast_to(one, shape).ravel() for name, one in numbered.items()}
        return replace(self, frame=self.frame.assign(**columns))

    def __len__(self) -> int:
        """Return the number of answers."""
        return len(self.blocks)

    @property
    def compares(self) -> bool:
        """Whether raters compared outputs."""
        return self.grouping == "pair"

    @property
    def blocks(self) -> Ints:
        """The rows of the frame as (answers, criteria, 1), or (…, 2) of comparisons."""
        return np.arange(len(self.frame)).reshape(-1, len(self.criteria), 1 + self.compares)

    @property
    def answers(self) -> Any:
        """A row per answer: the first of its rows."""
        return self.frame.iloc[self.blocks[:, 0, 0]]

    @property
    def raters(self) -> list[str]:
        """The names of the raters."""
        return list(dict.fromkeys(self.frame["rater"]))

    def values(self, name: str) -> Floats:
        """Return (answers,) values of a criterion, or (answers, 2) of comparisons."""
        rows = self.blocks[:, [*self.criteria].index(name)]
        values: Floats = self.frame["value"].to_numpy()[rows]
        return values if self.compares else values[:, 0]

    def on_scale(self, name: str) -> Floats:
        """Return a number per row of the frame, NaN for other criteria and the step aside."""
        criterion, values = self.criteria[name], self.frame["value"]
        own = self.frame["criterion"] == name
        if criterion.aside is not None:
            own &= values != criterion.codes[criterion.aside]
        numbers: Floats = values.where(own).to_numpy()
        return numbers

    def means(self, name: str) -> Floats:
        """Return (outputs,) means of a criterion, in the order of their numbers; NaN without any.

        An output counts once, by the mean of its raters. Sums are exact, so that the order of
        raters doesn't matter.
        """
        lists: list[list[float]] = [[] for _ in range(self.frame["output"].nunique())]
        for output, value in zip(self.frame["output"], self.on_scale(name).tolist(), strict=True):
            if value == value:
                lists[output].append(value)
        return np.array([math.fsum(own) / len(own) if own else np.nan for own in lists])

    @property
    def rated(self) -> Judgements:
        """What counts for outputs: neither controls nor invalid answers."""
        answers = self.answers
        return self.take(((answers["control"] == "") & (answers["invalid"] == "")).to_numpy())

    def take(self, answers: Any) -> Judgements:
        """Return some answers, given by their numbers or a mask."""
        rows = self.blocks[answers].ravel()
        return replace(self, frame=self.frame.iloc[rows].reset_index(drop=True))._number()

    def subjects(self) -> list[tuple[Any, ...]]:
        """Return what each answer is about: item, systems of each output, texts, control."""
        size = self.blocks.shape[2]
        shown = self.frame.iloc[self.blocks[:, 0].ravel()]
        parts = []
        for name in ("system", "prediction"):
            cells = iter(shown[name] if name in shown else [None] * len(shown))
            parts.append(list(zip(*[cells] * size, strict=True)))
        answers = self.answers
        return list(zip(answers["item"], *parts, answers["control"], strict=True))

    def find(self, index: Index) -> list[tuple[Any, list[tuple[str, ...]]] | None]:
        """Return the item and systems of each answer's outputs among others, or None.

        Outputs that were compared are of one item: the first that has all their texts.
        """
        self.check_texts()
        found = []
        for source, (_, _, texts, _) in zip(self.answers["source"], self.subjects(), strict=True):
            known = [index.get((plain(source), plain(text)), {}) for text in texts]
            shared = (item for item in known[0] if all(item in own for own in known))
            item = next(shared, None)
            found.append(None if item is None else (item, [(*own[item],) for own in known]))
        return found

    def check_texts(self) -> None:
        """Check that there are texts, by which outputs are found."""
        for name in ("source", "prediction"):
            if name not in self.frame:
                raise InputError(f"ratings: expected a column {name!r}, by which outputs are found")

    def assign(self, items: Sequence[str], systems: Sequence[Sequence[Any]]) -> Judgements:
        """Return the judgements with other items and systems of each answer."""
        criteria = range(len(self.criteria))
        each = len(criteria) * self.blocks.shape[2]
        named = {
            "item": [item for item in items for _ in range(each)],
            "system": [names for row in systems for _ in criteria for names in row],
        }
        return replace(self, frame=self.frame.assign(**named))._number()

    def by_output(self) -> dict[str, list[Any]]:
        """Return columns with a row per output, as `people.evaluate` takes them.

        Controls are left out. A criterion has a list with a rating of each rater, or None. An
        output that several systems wrote has a row for each.
        """
        if self.compares:
            raise InputError("expected ratings of outputs, got comparisons")
        rated = self.rated.frame
        outputs = rated.drop_duplicates("output").explode("system").dropna(subset="system")
        named = [] if {*outputs["system"]} == {ALL} else ["system"]
        texts = [name for name in ("source", "prediction", "references") if name in outputs]
        columns = {name: outputs[name].tolist() for name in ("item", *named, *texts)}
        raters = encode([*self.raters, *rated["rater"]])[len(self.raters) :]
        for name in self.criteria:
            matrix = np.full((rated["output"].nunique(), len(self.raters)), np.nan)
            own = (rated["criterion"] == name).to_numpy()
            matrix[rated["output"].to_numpy()[own], raters[own]] = rated["value"].to_numpy()[own]
            rows = matrix[outputs["output"]].tolist()
            columns[name] = [[None if x != x else x for x in row] for row in rows]
        return columns


def join(parts: Sequence[Judgements]) -> Judgements:
    """Return the answers of all parts, by one scheme, with the texts that all have."""
    if len(parts) == 1:
        return parts[0]
    import pandas as pd

    frame = pd.concat([part.frame for part in parts], join="inner", ignore_index=True)
    return replace(parts[0], frame=frame)._number()
