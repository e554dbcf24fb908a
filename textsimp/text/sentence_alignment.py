"""Alignment of the sentences of two documents, and groups across source, output and reference.

An aligner says how similar two sentences are, and which of these pairs are linked. The idea of the
groups is that of Maddela & Alva-Manchego (2025), "Adapting Sentence-level Automatic Metrics for
Document-level Simplification Evaluation", NAACL.
"""

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textsimp.support import extensions
from textsimp.support.errors import InputError, check_choice, check_number, check_switch, nearest
from textsimp.text.functions import Function, call_aligner, check_function, custom_name
from textsimp.text.languages import TOKENIZERS_FOR
from textsimp.text.tokenizers import TOKENIZERS, Encoder

__all__ = ["Documents", "Similarity", "get_aligner", "products"]

Links = NDArray[np.float64]
"""(m, n) how similar the linked sentences of two documents are; minus infinity elsewhere."""
AlignerLike = str | Callable[[list[str], list[str]], Iterable[tuple[int, int]]]
"""A name, or a function from the sentences of two documents to the pairs of indices to link."""

LEXICAL = "lexical"
LINKED = ("best", "mutual", "all")

_TIE = 1e-9  # similarities closer than this count as equal
LEXICAL_THRESHOLD = 0.15
_LARGE = 2**26  # multiplications of a product, as of documents of some 200 sentences

Documents = Sequence[list[str]]
"""Documents, each a list of sentences."""


@dataclass(frozen=True)
class Similarity:
    """How similar sentences are, by which `get_aligner` links them."""

    name: str
    """For signatures."""
    threshold: float
    """Similarity from which sentences are linked unless the user says otherwise."""
    compute: Callable[[Documents, Documents], Iterator[NDArray[np.float64]]]
    """From documents and as many others to the (m, n) similarities of each pair's sentences."""


@dataclass(frozen=True)
class Aligner:
    """A way to align sentences. Made by `get_aligner`."""

    name: str  # for signatures
    threshold: float | None  # from which sentences are linked; None for a user's function
    align: Callable[[Documents, Documents], Iterator[Links]]  # of each pair


def get_aligner(
    aligner: AlignerLike = LEXICAL,
    *,
    threshold: float | None = None,
    links: str = "best",
    monotone: bool = False,
    tokenizer: str | Function = "13a",
) -> Aligner:
    """Get a sentence aligner by name, or make one of a function.

    - ``"lexical"``: the cosine of bags of distinct lowercased tokens, each weighted by
      log(1 + n / n_token), where n_token of the n sentences of both documents contain it.
    - ``"embedding:MODEL"``: the cosine of vectors by a model of sentence-transformers. Extensions
      may declare others by name.

    ``links`` ``"best"`` links every sentence of either side with the most similar one of the other,
    the nearest of equals; ``"mutual"`` those that are so both ways; ``"all"`` all. ``threshold`` is
    the least similarity. ``monotone`` keeps links of the greatest total of which none cross.
    """
    check_switch("monotone", monotone)
    check_choice("links", links, LINKED)
    check_function("tokenizer", tokenizer, TOKENIZERS)
    if callable(aligner):
        for option, value, usual in (("threshold", threshold, None), ("links", links, "best")):
            if value != usual:
                raise InputError(f"{option}: expected none beside a function, got {value!a}")
        by_user = functools.partial(_links_of, aligner, monotone)
        return Aligner(custom_name(aligner), None, functools.partial(map, by_user))
    if aligner == LEXICAL:
        compute = functools.partial(_lexical, tokenizer)
        similarity = Similarity(LEXICAL, LEXICAL_THRESHOLD, compute)
    else:
        similarity = _similarity_of_model(aligner)
    least = similarity.threshold
    if threshold is not None:
        least = check_number("threshold", threshold, 0, 1)
    link = functools.partial(_linked, least=least, links=links, monotone=monotone)
    return Aligner(similarity.name, least, lambda a, b: map(link, similarity.compute(a, b)))


def _similarity_of_model(aligner: Any) -> Similarity:
    """Get the similarity that an extension declares by the name before the colon."""
    kind, _, model = str(aligner).partition(":")
    make = extensions.load("aligners", kind) if model else None
    if make is not None:
        made: Similarity = make(model)
        return made
    kinds = [*extensions.declarations("aligners")]
    legal = ", ".join([LEXICAL, *(f"{name}:MODEL" for name in kinds)])
    raise InputError(
        f"aligner: expected one of {legal}, or a function from the sentences of two documents to "
        f"pairs of indices, got {aligner!a}{nearest(kind, (LEXICAL, *kinds))}"
    )


def tokenizer_of_words(tokenizer: Any) -> str | Function:
    """Return the tokenizer of words to align: this one if it needs no spaces, or ``13a``."""
    return tokenizer if callable(tokenizer) or tokenizer in TOKENIZERS_FOR else "13a"


def _links_of(
    function: Callable[..., Any], monotone: bool, source: list[str], target: list[str]
) -> Links:
    """The links that a user's function makes, as similarities of 1."""
    links = np.full((len(source), len(target)), -np.inf)
    for pair in call_aligner(function, source, target, "sentences"):
        links[pair] = 1
    return _monotone(links) if monotone else links


def _lexical(
    tokenizer: str | Function, sources: Documents, targets: Documents
) -> Iterator[NDArray[np.float64]]:
    encoder = Encoder(tokenizer, lowercase=True)
    sides = (_words(encoder, documents) for documents in (sources, targets))
    for source, target in zip(*sides, strict=True):
        single = len(source) == len(target) == 1
        yield np.array([[_cosine(*source, *target)]]) if single else _cosines(source, target)


def _words(encoder: Encoder, documents: Documents) -> Iterator[list[list[int]]]:
    """Yield the words of each sentence of each document, as numbers."""
    sentences = iter(encoder.encode([*itertools.chain.from_iterable(documents)]).lists())
    for document in documents:
        yield [*itertools.islice(sentences, len(document))]


_IN_BOTH, _IN_ONE = math.log1p(1) ** 2, math.log1p(2) ** 2  # squared weights of words


def _cosine(source: list[int], target: list[int]) -> float:
    """The similarity of two documents of a sentence each, see `_cosines`."""
    words, others = {*source}, {*target}
    shared = len(words & others)
    if not shared:
        return 0.0
    squares = [shared * _IN_BOTH + (len(x) - shared) * _IN_ONE for x in (words, others)]
    return shared * _IN_BOTH / math.sqrt(squares[0] * squares[1])


def _cosines(sources: list[list[int]], targets: list[list[int]]) -> NDArray[np.float64]:
    """(m, n) the similarities of `get_aligner`, of the sentences of two documents."""
    m, n, sentences = len(sources), len(targets), [*sources, *targets]
    if not m or not n:
        return np.empty((m, n))
    ids = [*itertools.chain.from_iterable(sentences)]
    words, token = np.unique(np.array(ids, np.int64), return_inverse=True)
    bags = np.zeros((m + n, len(words)))
    bags[np.repeat(np.arange(m + n), [*map(len, sentences)]), token] = 1
    bags *= np.log1p((m + n) / bags.sum(0))
    norms = np.sqrt(np.einsum("ij,ij->i", bags, bags))[:, None]  # without another such table
    bags /= np.where(norms, norms, 1)
    return products(bags[:m], bags[m:])


def products(rows: NDArray[Any], others: NDArray[Any]) -> Links:
    """Return (m, n) scalar products of each row with each other one."""
    large = len(rows) * others.size > _LARGE
    # For small matrices starting BLAS's threads takes longer than the product.
    result: Links = rows @ others.T if large else np.einsum("ik,jk->ij", rows, others)
    return result


def _linked(similarity: NDArray[np.float64], least: float, links: str, monotone: bool) -> Links:
    """What `get_aligner` links, of the similarities (m, n) of one pair of documents."""
    m, n = similarity.shape
    if not m or not n:
        return similarity
    alike = similarity > 0
    # Rounded, for the last digits depend on which other documents there are. What is taken off
    # settles ties, so that repeated sentences keep their order; too little to outdo a word.
    similarity = similarity.round(12)
    if similarity.size > 1:
        similarity -= _TIE * np.abs(np.arange(m)[:, None] / m - np.arange(n) / n)
    chosen = alike & (similarity > least - 2 * _TIE)
    if links != "all" and similarity.size > 1:
        nearest_targets, nearest_sources = np.zeros((2, m, n), np.bool_)
        nearest_targets[np.arange(m), similarity.argmax(1)] = True
        nearest_sources[similarity.argmax(0), np.arange(n)] = True
        if links == "mutual":
            chosen &= nearest_targets & nearest_sources
        else:
            chosen &= nearest_targets | nearest_sources
    linked = np.where(chosen, similarity, -np.inf)
    return _monotone(linked) if monotone else linked


def _monotone(links: Links) -> Links:
    """The links of the greatest total similarity of which none cross; of a sentence none do."""
    if min(links.shape) < 2:
        return links
    return np.where(_path(np.maximum(links, 0)), links, -np.inf)


def _path(weights: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(m, n) the steps down and right from corner to corner with the greatest sum; none cross."""
    m, n = weights.shape
    sums = np.empty((m, n))
    above = np.zeros(n)
    for i, before in enumerate(np.cumsum(weights, axis=1) - weights):
        # One enters a row at the column that is best, and goes on to the right.
        above = np.maximum.accumulate(above - before) + before + weights[i]
        sums[i] = above
    path = np.zeros((m, n), np.bool_)
    i, j = m - 1, n - 1
    path[i, j] = True
    while i or j:
        up = bool(i) and (not j or sums[i - 1, j] >= sums[i, j - 1])
        i, j = (i - 1, j) if up else (i, j - 1)
        path[i, j] = True
    return path


Components = list[tuple[list[int], list[int]]]
"""Sentences of two documents that are linked, also by way of others, as ascending indices."""


def connect(links: Links) -> Components:
    """Return the connected components of the links of two documents, as ascending indices.

    A sentence without a link is a component. The order is that of the first document's sentences;
    components without one follow in the order of the second's.
    """
    m, n = links.shape
    parents = [*range(m + n)]  # trees of linked sentences, whose roots are their first ones

    def root(node: int) -> int:
        while parents[node] != node:
            node = parents[node]
        return node

    for i, j in np.argwhere(links > -np.inf).tolist():
        first, second = sorted((root(i), root(m + j)))
        parents[second] = first
    components: dict[int, tuple[list[int], list[int]]] = {}
    for node in range(m + n):
        firsts, seconds = components.setdefault(root(node), ([], []))
        if node < m:
            firsts.append(node)
        else:
            seconds.append(node - m)
    return list(components.values())


class Group(NamedTuple):
    """Sentences of a source, an output and a reference that say the same; indices, ascending."""

    sources: list[int]
    outputs: list[int]
    references: list[int]


def group_sentences(
    components: Components, source_outputs: Links, reference_outputs: Links
) -> list[Group]:
    """Group the sentences of a source, an output and a reference by their links.

    Source and reference make the groups: the ``components`` of their links, see `connect`. An
    output sentence joins the group of its counterpart in the reference: the one that it is most
    similar to, of those that it is linked with. Without any it joins that of its counterpart in the
    source, if the reference has dropped this. Other output sentences follow, each as a group.
    """
    groups = [Group(i, [], k) for i, k in components]
    reference_groups = {k: group for group in groups for k in group.references}
    source_groups = {i: group for group in groups if not group.references for i in group.sources}
    for j in range(source_outputs.shape[1]):
        group = _most_similar(reference_outputs[:, j], reference_groups)
        group = group or _most_similar(source_outputs[:, j], source_groups)
        if not group:
            group = Group([], [], [])
            groups.append(group)
        group.outputs.append(j)
    return groups


def _most_similar(similarities: Links, groups: dict[int, Group]) -> Group | None:
    """The group of the most similar of the sentences that are linked, if it is among these."""
    linked = len(similarities) and similarities.max() > -np.inf
    return groups.get(int(similarities.argmax())) if linked else None
