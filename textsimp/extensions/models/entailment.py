"""What outputs say that their sources don't, and the other way round: natural language inference.

As the zero-shot model of Laban et al. (2022) for summaries; here in both directions, and with split
sentences in mind.
"""

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textsimp.core.declarations import PREDICTIONS, SOURCES, Preset, Score
from textsimp.core.metric import Floats, MeanMetric
from textsimp.core.option import option
from textsimp.extensions.models.modelled import ModelMetric
from textsimp.extensions.models.networks import checkpoints
from textsimp.extensions.models.networks.inference import Classifier
from textsimp.metrics import options
from textsimp.support.errors import InputError
from textsimp.text.sentence_alignment import get_aligner
from textsimp.text.sentences import get_splitter

_DECIMALS = 5  # of probabilities, which differ by some 1e-7 with what else is in a batch
_ENTAILMENT = re.compile(r"entail|support", re.IGNORECASE)  # as names of labels begin
_CONTRADICTION = re.compile(r"contradict|refute", re.IGNORECASE)

Pair = tuple[str, str]
"""A premise and a hypothesis."""
Ask = Callable[[list[Pair]], Floats]
"""From pairs to (pairs, 2) the probabilities of entailment and contradiction."""


class Verdict(NamedTuple):
    """Probabilities of the sentences of an example."""

    supported: Floats  # (output sentences,) by the source
    contradicted: Floats  # (output sentences,) by the source
    missing: Floats  # (source sentences,) not supported by the output


@dataclass(frozen=True)
class Entailment(ModelMetric, MeanMetric):
    """The shares of an output that its source supports and contradicts; what the output leaves out.

    A model of natural language inference predicts how probable it is that a premise entails or
    contradicts a hypothesis. Each output sentence is a hypothesis, and each source sentence a
    premise. If several source sentences are linked lexically with an output sentence, as when they
    were fused, they are joined as another premise.

    An output sentence is *supported* by the largest probability of entailment, as in the paper. It
    is *contradicted* by the largest probability of contradiction, but by at most 1 minus its
    support. In the authors' code other sentences may contradict a sentence that one premise
    entails.

    A source sentence is *missing* by 1 minus its support. Premises are the output's sentences;
    those into which it was split are also joined as a premise.

    Each number is a mean over the sentences of an example. Scores are means over examples, in
    percent. A text without sentences supports nothing, and nothing supports it.

    For an example of m source and n output sentences the model reads 2·m·n pairs, and up to m + n
    pairs with joined sentences. It reads equal pairs once.
    """

    name: ClassVar[str] = "entailment"
    about: ClassVar[str] = (
        "experimental: what the source supports or contradicts, and what is missing, by NLI"
    )
    papers: ClassVar = ("laban-etal-2022-summac",)
    columns: ClassVar = (SOURCES, PREDICTIONS)
    presets: ClassVar = {
        "joined": Preset("linked sentences joined are premises, too; support limits contradiction"),
        "summac": Preset(
            "as the code of Laban et al. (2022): premises are sentences, any contradiction counts; "
            "`supported` − `contradicted` is 100 times their zero-shot score",
        ),
    }
    meaning: ClassVar = "supported"
    scores: ClassVar = (
        Score("supported", "Supported", "output supported by the source, percent", better="higher"),
        Score(
            "contradicted", "Contradicted", "output the source contradicts, percent", better="lower"
        ),
        Score("missing", "Missing", "source not supported by the output, percent"),
    )
    characters_at_once: ClassVar = 2**17  # some 50,000 pairs of documents' sentences

    labels: str | None = option(
        None,
        about="the model's labels in the order of its outputs, such as "
        "`contradiction/neutral/entailment`, for a model that doesn't name them so; "
        "`entailment/not_entailment` for one without contradiction",
        label=lambda labels: labels.replace("/", "-"),
        parse_label=lambda label: label.replace("-", "/"),
    )
    splitter: options.SplitterLike = options.splitter(about="what splits texts into sentences")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._indices()

    def score_names(self, shared: Sequence[str] = ()) -> tuple[str, ...]:
        """All scores; without ``contradicted`` for a model that doesn't know contradiction."""
        names = super().score_names(shared)
        return tuple(n for n in names if n != "contradicted" or self._indices()[1] is not None)

    def prepare(self, sources: list[str]) -> list[list[str]]:
        return [*map(get_splitter(self.splitter).sentences, sources)]

    def numbers(self, prepared: list[list[str]], predictions: list[str]) -> Floats:
        """Return (n, 3) means over the sentences, in percent."""
        _, verdicts = self._judge(prepared, predictions)
        rows = [(_mean(j.supported), _mean(j.contradicted), _mean(j.missing)) for j in verdicts]
        return 100 * np.array(rows, np.float64)

    def details(self, sources: list[str], predictions: list[str]) -> dict[str, list[Any]]:
        """The sentences of sources and outputs, and their percentages."""
        source_sentences = self.prepare(sources)
        output_sentences, verdicts = self._judge(source_sentences, predictions)
        columns = {
            "source_sentences": source_sentences,
            "source_sentences_missing": [(100 * j.missing).tolist() for j in verdicts],
            "sentences": output_sentences,
            "sentences_supported": [(100 * j.supported).tolist() for j in verdicts],
            "sentences_contradicted": [(100 * j.contradicted).tolist() for j in verdicts],
        }
        if self._indices()[1] is None:
            columns = {name: rows for name, rows in columns.items() if "contradict" not in name}
        return columns

    def _judge(
        self, sources: list[list[str]], predictions: list[str]
    ) -> tuple[list[list[str]], list[Verdict]]:
        outputs = [*map(get_splitter(self.splitter).sentences, predictions)]
        return outputs, judge(sources, outputs, self._ask, published=self.variant == "summac")

    def _ask(self, pairs: list[Pair]) -> Floats:
        shares = checkpoints.load_once(self.pretrained, Classifier).probabilities(pairs)
        shares = np.hstack([shares, np.zeros((len(pairs), 1))])
        columns = [-1 if index is None else index for index in self._indices()]
        return np.round(shares[:, columns], _DECIMALS)

    def _indices(self) -> tuple[int, int | None]:
        return indices(checkpoints.label_names(self.pretrained), self.labels, self.model)


def judge(
    sources: list[list[str]],
    outputs: list[list[str]],
    ask: Ask,
    *,
    published: bool = False,
) -> list[Verdict]:
    """Judge the sentences of examples; ``published`` is the variant ``summac``."""
    linked = [np.zeros((len(a), len(b)), np.bool_) for a, b in zip(sources, outputs, strict=True)]
    if not published:
        linked = [np.isfinite(links) for links in get_aligner().align(sources, outputs)]
    grids = []
    for source, output, links in zip(sources, outputs, linked, strict=True):
        grids += [_pairs(source, output, links), _pairs(output, source, links.T)]
    pairs = [*dict.fromkeys(itertools.chain.from_iterable(itertools.chain(*grids)))]
    answers = dict(zip(pairs, ask(pairs).tolist(), strict=True))
    best = [np.zeros((len(grid), 2)) for grid in grids]
    for shares, grid in zip(best, grids, strict=True):
        for row, hypothesis_pairs in zip(shares, grid, strict=True):
            row[:] = np.max([(0, 0), *(answers[pair] for pair in hypothesis_pairs)], axis=0)
    verdicts = []
    for forth, back in zip(best[::2], best[1::2], strict=True):
        supported, contradicted = forth.T
        if not published:
            contradicted = np.minimum(contradicted, 1 - supported)
        verdicts.append(Verdict(supported, contradicted, 1 - back[:, 0]))
    return verdicts


def indices(names: Sequence[str], chosen: str | None, model: str) -> tuple[int, int | None]:
    """Return where a model's outputs have entailment and contradiction; None without the second."""
    labels = names if chosen is None else chosen.split("/")
    entailment = [i for i, name in enumerate(labels) if _ENTAILMENT.match(name.strip())]
    contradiction = [i for i, name in enumerate(labels) if _CONTRADICTION.match(name.strip())]
    enough = len(contradiction) == 1 or (len(names) == 2 and not contradiction)
    if len(labels) == len(names) > 1 == len(entailment) and enough:
        return entailment[0], contradiction[0] if contradiction else None
    raise InputError(
        f"labels: expected names of {model}'s {len(names)} labels in its order, such as "
        "'contradiction/neutral/entailment', with 'entailment' once, and of three or more "
        f"'contradiction' once, got {'/'.join(labels)!r}"
    )


def _pairs(
    premises: list[str], hypotheses: list[str], linked: NDArray[np.bool_]
) -> list[list[Pair]]:
    """Each hypothesis with all premises, and with those that are linked, joined if several."""
    grid = []
    for hypothesis, column in zip(hypotheses, linked.T, strict=True):
        several = [premises[i] for i in np.flatnonzero(column)]
        tried = premises if len(several) < 2 else [*premises, " ".join(several)]
        grid.append([(premise, hypothesis) for premise in tried])
    return grid


def _mean(shares: Floats) -> float:
    return float(shares.mean()) if shares.size else 0.0
