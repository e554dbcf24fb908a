"""Token F1: the words that a simplification and the most similar of its references have in common.

F1 of bags of words, best over references, mean over examples (Rajpurkar et al. 2016); among
simplification's metrics in EASSE (Alva-Manchego et al. 2019).
"""

import itertools
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Preset, Score
from textsimp.core.metric import Floats, MeanMetric, divide
from textsimp.metrics import options
from textsimp.metrics.aligned import SentenceMetric
from textsimp.metrics.sides import best_references
from textsimp.text.tokenizers import Encoder, Tokens

Prepared = tuple[Encoder, Tokens, NDArray[np.int64]]
"""The tokens of the references, one after the other; (n,) the number of each example's."""


@dataclass(frozen=True)
class F1Token(SentenceMetric, MeanMetric):
    """Token F1 with the most similar reference, mean over examples.

    A text is a bag of tokens, in which a token counts as often as it stands in the text. With p
    tokens in the prediction, r in a reference and c in common, precision is c/p, recall c/r,
    and F1 2c/(p+r). An example's score is the highest F1 of its references, in percent; two
    texts without tokens have none in common: 0.

    Example:
        >>> from textsimp import F1Token
        >>> scores = F1Token().score(
        ...     predictions=["The cat sat on the mat."],
        ...     references=[["The cat sat.", "A dog lay on a mat."]],
        ... )
        >>> round(scores["f1_token"], 2)  # 4 words in common, of 7 and 4
        72.73
    """

    name: ClassVar[str] = "f1_token"
    about: ClassVar[str] = "words in common with the most similar reference, in any order"
    papers: ClassVar = ("rajpurkar-etal-2016-squad", "alva-manchego-etal-2019-easse")
    people: ClassVar[str] = (
        "it has a rank correlation of .48 [.24, .56] with people's ratings of 22 older systems;"
        " over single outputs its correlation with simplicity is .37 [.31, .43] on these, and "
        "from −.49 [−.58, −.39] to .48 [.41, .54] on other sets"
    )
    columns: ClassVar = (SOURCES.optional, PREDICTIONS, REFERENCES)
    presets: ClassVar = {"bags": Preset("of lowercased 13a tokens, each as often as it occurs")}
    scores: ClassVar = (Score("f1_token", "Token F1", about, better="higher"),)

    tokenizer: options.TokenizerLike = options.tokenizer()
    lowercase: bool = options.lowercase()

    def prepare(self, sources: list[str] | None, references: list[list[str]]) -> Prepared:
        encoder = Encoder(self.tokenizer, self.lowercase)
        texts = encoder.encode([*itertools.chain.from_iterable(references)])
        sizes = np.fromiter(map(len, references), np.int64, len(references))
        return encoder, texts, sizes

    def numbers(self, prepared: Prepared, predictions: list[str]) -> Floats:
        """Return (n,) an example's best F1 in percent."""
        encoder, texts, per_example = prepared
        own = encoder.encode(predictions)
        pairs = np.repeat(np.arange(len(own)), per_example)  # the example of a reference
        repeated = own.take(pairs)
        sizes, lengths = np.diff(repeated.offsets), np.diff(texts.offsets)
        common = _count_common(repeated.ids, sizes, texts.ids, lengths)
        return best_references(100 * divide(2 * common, sizes + lengths), per_example)


def _count_common(a: Any, a_sizes: Any, b: Any, b_sizes: Any) -> NDArray[np.int64]:
    """(n,) tokens that two bags have in common; each side's bags stand one after the other."""
    n = len(a_sizes)
    bags = np.arange(n)
    a_keys, a_counts = np.unique(a * n + np.repeat(bags, a_sizes), return_counts=True)
    b_keys, b_counts = np.unique(b * n + np.repeat(bags, b_sizes), return_counts=True)
    keys, i, j = np.intersect1d(a_keys, b_keys, assume_unique=True, return_indices=True)
    common = np.zeros(n, np.int64)
    np.add.at(common, keys % n, np.minimum(a_counts[i], b_counts[j]))
    return common
