"""Word transformations: how well words are deleted, moved, replaced, copied and added.

Alva-Manchego et al. (2019), section 2.1, with the labels of Alva-Manchego et al. (2017). The
alignment is in `textsimp.text.word_alignment`, the labels are in `textsimp.text.word_labels`.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textsimp.core.declarations import Preset, Score
from textsimp.core.metric import Floats, Metric, divide
from textsimp.core.option import option
from textsimp.core.sample import reduce_means
from textsimp.metrics import options
from textsimp.text.parts_of_speech import PARTS, TEXTBLOB, get_parts
from textsimp.text.tokenizers import Encoder
from textsimp.text.word_alignment import GAP, Pairs, get_word_aligner
from textsimp.text.word_labels import OF_SOURCE, WordLabels, is_word, replaced_at_index, word_labels

LABELS = (*OF_SOURCE, "add")


class Annotation(NamedTuple):
    """The words of a pair of texts, their labels and their alignment."""

    source: list[str]
    target: list[str]
    labels: WordLabels
    pairs: Pairs


class _LabelCounts(NamedTuple):
    """The counts by which annotations are compared."""

    codes: NDArray[np.int64]  # of the labels of the source's words
    added: Counter[str]
    sizes: NDArray[np.int64]  # (5,) words with each label


Prepared = tuple[list[list[str]], list[list[_LabelCounts]]]
"""The words of the sources, and the counts of their references."""


@dataclass(frozen=True)
class WordTransformations(Metric):
    """F1 of what an output does with the words of its source, against what references do.

    The words of source and output are aligned, and each gets a label. A source word is deleted,
    moved, replaced or copied; an output word without partner is added. The words of source and each
    reference get labels in the same way.

    For a label, p words have it by the output, r by the reference and c by both: F1 is 200·c/(p+r).
    For ``add`` these are the output's and the reference's words, in any
    order.

    With ``aggregate="corpus"`` p, r and c are summed over the examples. Each example is compared
    with the reference that agrees best with the output in all labels at once. If several agree
    equally well, r and c are means. Examples without a label don't change its score.

    With ``aggregate="mean"``, as published, an example has for each label the F1 of the reference
    that is best for that label. Scores are means over examples. Where neither an output nor any
    reference has the label, ``absent`` decides.

    Example:
        >>> from textsimp import WordTransformations
        >>> scores = WordTransformations().score(
        ...     sources=["He subsequently purchased a car."],
        ...     predictions=["He bought a car."],
        ...     references=["Then he bought a car."],
        ...     per_example=True,
        ... )
        >>> scores["delete"], scores["replace"], scores["add"]
        (100.0, 100.0, 0.0)
        >>> scores["source_labels_per_example"]
        [['copy', 'delete', 'replace', 'copy', 'copy', 'copy']]
    """

    name: ClassVar[str] = "word_transformations"
    about: ClassVar[str] = "how well words are deleted, moved, replaced, copied and added"
    papers: ClassVar = ("alva-manchego-etal-2019-easse", "alva-manchego-etal-2017-learning")
    people: ClassVar[str] = (
        "the variant corpus has a rank correlation of .61 [.44, .71] with people's ratings of 22 "
        "older systems; over single outputs its correlation is .20 [.16, .24] on these and "
        ".34 [.24, .44] on SimpEval 2022"
    )
    presets: ClassVar = {
        "corpus": Preset(
            "F1 of counts summed over the corpus, each example with its best reference",
            own="corpus, textsimp's",
        ),
        "easse2019": Preset(
            "EASSE's Table 3: white-space tokens, mean over sentences of the best F1 of each label",
            {"tokenizer": "none", "gap": 0, "same_index": True, "aggregate": "mean"},
        ),
        "easse": Preset(
            "the same without labels for punctuation, whose changes move the words behind it",
            {"gap": 0, "same_index": True, "punctuation": "unlabelled", "aggregate": "mean"},
        ),
    }
    scores: ClassVar = (
        Score("delete", "Delete", "F1 of the source words deleted", better="higher"),
        Score("move", "Move", "F1 of the source words moved", better="higher"),
        Score("replace", "Replace", "F1 of the source words replaced", better="higher"),
        Score("copy", "Copy", "F1 of the source words copied", better="higher"),
        Score("add", "Add", "F1 of the output words added", better="higher"),
    )
    characters_at_once: ClassVar = 2**16  # take a second, after which progress is shown
    slow: ClassVar = True

    aggregate: str = option(
        about="F1 of counts over the `corpus`, or the `mean` of the sentences' F1, as published",
        choices=("corpus", "mean"),
        tag="agg",
    )
    absent: str = option(
        about="in means a label that neither output nor references have counts as `zero`, as "
        "published, or is `left_out`",
        choices=("zero", "left_out"),
    )
    punctuation: str = option(
        about="`labelled` like words, or `unlabelled` as in EASSE: never deleted or added, so "
        "words after changed punctuation count as moved",
        choices=("labelled", "unlabelled"),
        tag="punct",
    )
    same_index: bool = option(
        False,
        about="whether an added and a deleted word with the same index and part of speech count as "
        "replaced, as published; needs `parts`",
        labels={True: "yes", False: "no"},
    )
    aligner: options.WordAlignerLike = options.word_aligner()
    parts: options.PartsLike = option(
        TEXTBLOB,
        about="parts of speech: `textblob` for the most frequent one of an English word; `none` "
        "for function words and others only; or a function from the words of a text to as many "
        "strings",
        suggestions=PARTS,
        label=lambda parts: get_parts(parts).name,
        always=True,
    )
    gap: int = option(
        GAP,
        about="the most words between aligned words, on either side, that are aligned by part of "
        "speech",
        least=0,
        most=100,
    )
    tokenizer: options.TokenizerLike = options.tokenizer()
    lowercase: bool = options.lowercase("whether words that differ in case only are the same")

    def cache_keys(self) -> tuple[Any, Any]:
        """What annotates words; counts and means come after."""
        after = {"aggregate": self.aggregate, "absent": self.absent}
        names = self.option_names()
        before = (getattr(self, name) for name in names if name not in after)
        return tuple(before), tuple(after.values())

    def prepare(self, sources: list[str], references: list[list[str]]) -> Prepared:
        rows = [*zip(sources, references, strict=True)]
        words = dict(zip(sources, self._words(sources), strict=True))
        # Equal pairs once: each of a policy's many outputs for a source has the same.
        pairs = dict.fromkeys((source, text) for source, row in rows for text in row)
        annotations = self._annotate([words[s] for s, _ in pairs], [text for _, text in pairs])
        counts = dict(zip(pairs, map(self._count, annotations), strict=True))
        of_references = [[counts[source, text] for text in row] for source, row in rows]
        return [words[source] for source in sources], of_references

    def statistics(self, prepared: Prepared, predictions: list[str]) -> Floats:
        """(n, 15) words with each label by output and reference, by the output, by the reference.

        With ``aggregate="mean"`` (n, 10): the best F1 of each label, and 1 where it counts.
        """
        rows = []
        sources, of_references = prepared
        outputs = map(self._count, self._annotate(sources, predictions))
        for output, references in zip(outputs, of_references, strict=True):
            common = np.array([_count_common(output, reference) for reference in references])
            sizes = np.array([reference.sizes for reference in references])
            if self.aggregate == "corpus":
                agreement = divide(common.sum(axis=1), sizes.sum(axis=1) + output.sizes.sum())
                best = agreement == agreement.max()
                of_best = common[best].mean(axis=0), output.sizes, sizes[best].mean(axis=0)
                rows.append(np.concatenate(of_best))
            else:
                f1 = _f1(common, output.sizes, sizes).max(axis=0)
                counts = (output.sizes + sizes.sum(axis=0) > 0) | (self.absent == "zero")
                rows.append(np.concatenate([f1, counts]))
        width = (3 if self.aggregate == "corpus" else 2) * len(LABELS)
        return np.array(rows, np.float64).reshape(-1, width)

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        """F1 of summed counts, or means: (..., 15) or (..., 10) → (...)."""
        if self.aggregate == "mean":
            return reduce_means(LABELS, totals)
        correct, predicted, reference = np.split(totals, 3, axis=-1)
        scores = np.moveaxis(_f1(correct, predicted, reference, np.nan), -1, 0)
        return dict(zip(LABELS, scores, strict=True))

    def details(
        self, sources: list[str], predictions: list[str], references: list[list[str]] | None
    ) -> dict[str, list[Any]]:
        """Words and labels of each source and output, and the pairs of indices aligned.

        A word without a label has ``""``.
        """
        rows = [*self._annotate(self._words(sources), predictions)]
        return {
            "source_words": [row.source for row in rows],
            "source_labels": [row.labels.source for row in rows],
            "prediction_words": [row.target for row in rows],
            "prediction_labels": [row.labels.target for row in rows],
            "word_alignment": [[[*pair] for pair in row.pairs] for row in rows],
        }

    def _words(self, texts: list[str]) -> list[list[str]]:
        encoder = Encoder(self.tokenizer, lowercase=False)  # words are shown as they are
        return [*encoder.decode(encoder.encode(texts))]

    def _annotate(self, sources: list[list[str]], targets: list[str]) -> Iterator[Annotation]:
        """Yield each pair of texts with its labels."""
        words = self._words(targets)
        parts = get_parts(self.parts)
        aligner = get_word_aligner(self.aligner, parts=self.parts, gap=self.gap)
        labelled = is_word if self.punctuation == "unlabelled" else lambda word: True
        rows = zip(sources, words, aligner.align(sources, words), strict=True)
        for source, target, pairs in rows:
            if self.same_index and parts.distinct:
                tags = parts.of(source), parts.of(target)
                pairs = replaced_at_index(source, target, pairs, tags)
            labels = word_labels(self._forms(source), self._forms(target), pairs, labelled)
            yield Annotation(source, target, labels, pairs)

    def _forms(self, words: list[str]) -> list[str]:
        return [word.lower() for word in words] if self.lowercase else words

    def _count(self, annotation: Annotation) -> _LabelCounts:
        labels = annotation.labels
        codes = np.array([OF_SOURCE.index(label) for label in labels.source if label], np.int64)
        marked = zip(self._forms(annotation.target), labels.target, strict=True)
        added = Counter(word for word, label in marked if label == "add")
        sizes = np.append(np.bincount(codes, minlength=len(OF_SOURCE)), added.total())
        return _LabelCounts(codes, added, sizes)


def _count_common(output: _LabelCounts, reference: _LabelCounts) -> NDArray[np.int64]:
    """(5,) words that have the same label by both."""
    same = np.bincount(output.codes[output.codes == reference.codes], minlength=len(OF_SOURCE))
    return np.append(same, (output.added & reference.added).total())


def _f1(common: Any, of_output: Any, of_reference: Any, undefined: float = 0.0) -> Floats:
    return divide(200 * common, of_output + of_reference, undefined)
