"""How differently a column is distributed in the subsets of a corpus.

Vásquez-Rodríguez et al. 2021 (Findings of ACL-IJCNLP) compare subsets by the Kullback–Leibler
divergence and the Jensen–Shannon distance of their histograms of change percentage.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from textsimp.core import tables
from textsimp.core.draws import Floats, Ints
from textsimp.core.tables import Grid
from textsimp.corpora.subsets import read_subsets
from textsimp.corpora.tables import Table
from textsimp.splits.pair_values import Pairs, flatten, values_of
from textsimp.splits.subsets import MOST_SEED, check_subsets, cut, equal_in, shared_sources
from textsimp.support.errors import InputError, check_choice, check_integer, check_number

Variant = Literal["shared", "paper"]

_BLOCK = 1_000_000
_MOST_CATEGORIES = 1_000


def divergence(
    dataset_dict: Mapping[str, Any],
    column: str | None = None,
    *,
    variant: Variant = "shared",
    bins: int | Sequence[float] = 10,
    smoothing: float = 0.5,
    permutations: int = 1000,
    seed: int = 0,
    together: str | None = None,
    source: str = "source",
    target: str = "target",
) -> dict[str, Any]:
    """Compare the distributions of a column between every two subsets.

    By default all subsets share the same bins, and a permutation test says how often subsets of
    these sizes, drawn at random, differ as much. ``variant="paper"`` computes what
    Vásquez-Rodríguez et al. 2021 publish: each subset is binned over its own range, so disjoint
    subsets can look equal, and one empty bin makes a divergence infinite.

    Args:
        dataset_dict: Two or more subsets, ``Dataset`` or Arrow tables.
        column: Numbers, which are binned, or strings or booleans, which are categories; or lists
            of them. Default: the change percentage, on bins over 0–100.
        variant: The same bins for all subsets, with a permutation test; or as published.
        bins: Number of equal bins over the range of all subsets together (``"paper"``: of each), or
            their increasing edges, the last one inclusive. Categories aren't binned.
        smoothing: Added to each bin before a KL divergence is taken; 0 for none.
        permutations: Random splits behind the p-value; 0 for none.
        seed: Of the permutations.
        together: Rows that are equal in this column are permuted together, as `random_split` keeps
            them in one subset. Default: rows of the same ``source``, if there is such a column and
            no source is in both subsets.
        source: Column of strings, if ``column`` is ``None``.
        target: Column of strings or lists of strings, if ``column`` is ``None``.

    Returns:
        ``column``, ``variant``, ``counts`` per subset, their ``edges`` (one list per subset in
        ``"paper"``) or ``categories``, the options, and ``pairs``. Subsets are ordered test,
        validation, others, train. Every two of them have a dict of ``first``, ``second`` and

        - ``"shared"``: ``kl_bits`` = KL(first‖second) and ``kl_reverse_bits`` = KL(second‖first),
          smoothed; ``js_divergence_bits``, 0–1; ``random_split_js_divergence_bits``, its mean over
          the permutations; and ``p_value``. That is the share of permutations, the observed split
          included, with at least this Jensen–Shannon divergence. Rows are permuted, or groups of
          them, see ``together``. So the values of one list stay together.
        - ``"paper"``: ``kl_nats``, ``kl_reverse_nats``, ``js_distance_base2`` (the root of the
          divergence in bits) and ``js_divergence_bits``.

    Raises:
        InputError: Fewer than two subsets, a missing column, a row without a number, numbers
            outside given edges, more than 1,000 categories, or bad options.
    """
    check_choice("variant", variant, get_args(Variant))
    bins = _check_bins(bins)
    check_number("smoothing", smoothing, 0)
    permutations = check_integer("permutations", permutations, 0)
    seed = check_integer("seed", seed, 0, MOST_SEED)
    texts, numbers = ([source, target], []) if column is None else ([], [column])
    equal = [] if together is None else [together]
    subsets = check_subsets(dataset_dict, texts=texts, numbers=numbers, equal=equal)
    title = "change_percentage" if column is None else column
    result: dict[str, Any] = {"column": title, "variant": variant}
    binned: dict[str, Pairs] = {}
    categories: list[str] = []
    if column is not None and variant == "shared":
        binned, categories = _categories(subsets, column)
    if categories:
        size, result["categories"] = len(categories), categories
    else:
        values = values_of(subsets, column, source, target)
        if variant == "paper":
            return result | _compare_as_published(values, bins, title)
        pooled = np.concatenate([pairs.values for pairs in values.values()])
        edges = np.histogram_bin_edges(pooled, bins, (0.0, 100.0) if column is None else None)
        binned = {name: _bin(pairs, edges, name, title) for name, pairs in values.items()}
        size, result["edges"] = len(edges) - 1, edges.tolist()
    counts = {name: np.bincount(pairs.values, minlength=size) for name, pairs in binned.items()}
    generator = np.random.default_rng(seed)
    groups = _group_rows(dataset_dict, subsets, together or source) if permutations else {}
    comparisons = []
    for first, second in itertools.combinations(binned, 2):
        parts = [binned[first], binned[second]]
        if groups and not np.intersect1d(groups[first], groups[second]).size:
            parts = [_gather(binned[name], groups[name]) for name in (first, second)]
        compared = _compare(parts, size, smoothing, permutations, generator)
        comparisons.append({"first": first, "second": second, **compared})
    return result | {
        "counts": {name: count.tolist() for name, count in counts.items()},
        "smoothing": float(smoothing),
        "permutations": permutations,
        "seed": seed,
        "pairs": comparisons,
    }


def divergence_of_files(
    subsets: Sequence[str] | str,
    column: str | None = None,
    *,
    config: str | None = None,
    source: str = "source",
    target: str = "target",
    **options: Any,
) -> dict[str, Any]:
    """Compare the distributions of a column between every two subsets in files.

    Args:
        subsets: Files or datasets, see `textsimp.corpora.subsets.read_subsets`.
        column: See `divergence`.
        config: Configuration of the dataset.
        source: See `split_files`.
        target: See `split_files`.
        **options: Those of `divergence`.

    Returns:
        What `divergence` does, and ``shared_sources``, see `shared_sources`.
    """
    corpus = read_subsets(subsets, config)
    result = divergence(corpus, column, source=source, target=target, **options)
    lengths = {name: len(subset) for name, subset in corpus.items()}
    rows = cut(np.arange(sum(lengths.values())), lengths)
    return {**result, "shared_sources": shared_sources(corpus, rows, source)}


def _group_rows(
    data: Mapping[str, Any], subsets: Mapping[str, Any], column: str
) -> dict[str, Ints]:
    """Return the number of each row's group by subset; nothing if a subset lacks the column."""
    parts = {name: data[name] if isinstance(data[name], Table) else subsets[name] for name in data}
    try:
        groups = equal_in(parts, column)
    except (InputError, KeyError):  # of files, of Arrow
        return {}
    return cut(groups, {name: len(part) for name, part in parts.items()})


def _gather(pairs: Pairs, groups: Ints) -> Pairs:
    """Return the pairs of rows as those of their groups."""
    pair_groups = np.repeat(groups, pairs.sizes)
    _, sizes = np.unique(pair_groups, return_counts=True)
    return Pairs(pairs.values[np.argsort(pair_groups, kind="stable")], sizes)


def _compare(
    pairs: list[Pairs],
    size: int,
    smoothing: float,
    permutations: int,
    generator: np.random.Generator,
) -> dict[str, float]:
    """Return divergences of two subsets, whose values are numbers of bins, and the test."""
    p, q = (np.bincount(part.values, minlength=size) for part in pairs)
    result = {
        "kl_bits": float(kl_bits(p + smoothing, q + smoothing)),
        "kl_reverse_bits": float(kl_bits(q + smoothing, p + smoothing)),
        "js_divergence_bits": float(js_bits(p, q)),
    }
    if permutations:
        random = _permuted_js(pairs, size, permutations, generator)
        # equal tables may differ in the last bits of their sums
        extreme = int((random >= result["js_divergence_bits"] - 1e-12).sum())
        result["random_split_js_divergence_bits"] = float(random.mean())
        result["p_value"] = (1 + extreme) / (1 + permutations)
    return result


def pairs_grid(pairs: Sequence[Mapping[str, Any]]) -> Grid:
    """Return the ``pairs`` of `divergence` as a table."""
    titles = {
        "kl_bits": "KL (bits)",
        "kl_reverse_bits": "KL reversed",
        "kl_nats": "KL (nats)",
        "kl_reverse_nats": "KL reversed",
        "js_divergence_bits": "JS (bits)",
        "js_distance_base2": "JS distance",
        "random_split_js_divergence_bits": "JS of a random split",
        "p_value": "p",
    }
    names = [name for name in titles if name in pairs[0]]
    rows = [[f"{pair['first']} – {pair['second']}"] for pair in pairs]
    for row, pair in zip(rows, pairs, strict=True):
        for name in names:
            value = pair[name]
            row.append(tables.p_value(value) if name == "p_value" else tables.number(value, 4))
    return Grid(["subsets", *(titles[name] for name in names)], rows)


def kl_bits(p: NDArray[Any], q: NDArray[Any]) -> Floats:
    """Return KL(p‖q) in bits over the last axis; infinite if q lacks a bin of p."""
    p = p / p.sum(-1, keepdims=True)
    q = q / q.sum(-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(p > 0, p * np.log2(p / q), 0.0)
    bits: Floats = np.maximum(terms.sum(-1), 0.0)  # rounding may leave −1e-17
    return bits


def js_bits(p: NDArray[Any], q: NDArray[Any]) -> Floats:
    """Return the Jensen–Shannon divergence in bits over the last axis: 0–1."""
    p = p / p.sum(-1, keepdims=True)
    q = q / q.sum(-1, keepdims=True)
    middle = (p + q) / 2
    bits: Floats = np.minimum((kl_bits(p, middle) + kl_bits(q, middle)) / 2, 1.0)
    return bits


def _categories(subsets: Mapping[str, Any], column: str) -> tuple[dict[str, Pairs], list[str]]:
    """Return numbers of categories, and their sorted names; nothing if these aren't categories."""
    values, sizes = {}, {}
    for name, table in subsets.items():
        cells, sizes[name] = flatten(table[column])
        is_category = str(cells.type) in ("string", "large_string", "bool")
        if not is_category or cells.null_count or not sizes[name].all():
            return {}, []
        values[name] = [*map(str, cells.to_pylist())]
    names = sorted({*itertools.chain(*values.values())})
    if len(names) > _MOST_CATEGORIES:
        most = f"expected at most {_MOST_CATEGORIES:,} categories"
        raise InputError(f"column {column!r} has {len(names):,} different texts: {most}")
    number = {category: i for i, category in enumerate(names)}
    numbers = {name: np.array([number[x] for x in own]) for name, own in values.items()}
    return {name: Pairs(own, sizes[name]) for name, own in numbers.items()}, names


def _compare_as_published(
    values: Mapping[str, Pairs], bins: int | Sequence[float], column: str
) -> dict[str, Any]:
    counts, edges = {}, {}
    for name, pairs in values.items():
        if not isinstance(bins, int):
            _bin(pairs, np.asarray(bins, float), name, column)
        counts[name], edges[name] = np.histogram(pairs.values, bins)
    comparisons: list[dict[str, Any]] = []
    for first, second in itertools.combinations(values, 2):
        p, q = counts[first], counts[second]
        js = float(js_bits(p, q))
        kl = {"kl_nats": kl_bits(p, q), "kl_reverse_nats": kl_bits(q, p)}
        pair = {name: float(bits) * math.log(2) for name, bits in kl.items()}
        js_values = {"js_distance_base2": js**0.5, "js_divergence_bits": js}
        comparisons.append({"first": first, "second": second, **pair, **js_values})
    return {
        "counts": {name: count.tolist() for name, count in counts.items()},
        "edges": {name: edge.tolist() for name, edge in edges.items()},
        "pairs": comparisons,
    }


def _bin(pairs: Pairs, edges: Floats, name: str, column: str) -> Pairs:
    """Return numbers of bins in place of values."""
    values = pairs.values
    if values.min() < edges[0] or values.max() > edges[-1]:
        raise InputError(
            f"column {column!r} of subset {name!r} has values from {values.min():g} to "
            f"{values.max():g}: expected them within the edges, {edges[0]:g} to {edges[-1]:g}"
        )
    bins = np.minimum(np.searchsorted(edges, values, side="right") - 1, len(edges) - 2)
    return Pairs(bins, pairs.sizes)


def _permuted_js(
    pairs: list[Pairs], size: int, permutations: int, generator: np.random.Generator
) -> Floats:
    """Return Jensen–Shannon divergences of random splits of the rows of two subsets, or of groups.

    The first part has as many as the first subset has.
    """
    numbers = np.concatenate([part.values for part in pairs])
    sizes = np.concatenate([part.sizes for part in pairs])
    total = np.bincount(numbers, minlength=size)
    rows = len(pairs[0].sizes)
    if (sizes == 1).all():  # then only the counts matter, and their distribution is known
        blocks = []
        block = max(1, _BLOCK // size)
        for done in range(0, permutations, block):
            counts = generator.multivariate_hypergeometric(
                total, rows, size=min(block, permutations - done), method="marginals"
            )
            blocks.append(js_bits(counts, total - counts))
        return np.concatenate(blocks)
    divergences = np.empty(permutations)
    for i in range(permutations):
        in_first = np.zeros(len(sizes), bool)
        in_first[generator.choice(len(sizes), rows, replace=False)] = True
        counts = np.bincount(numbers[np.repeat(in_first, sizes)], minlength=size)
        divergences[i] = js_bits(counts, total - counts)
    return divergences


def _check_bins(bins: int | Sequence[float]) -> int | Sequence[float]:
    """Return a number of bins, or their edges."""
    if isinstance(bins, (int, np.integer)):
        return check_integer("bins", bins, 1)
    try:
        edges = np.asarray(bins, float)
    except (TypeError, ValueError):
        edges = np.empty(0)
    if edges.ndim != 1 or len(edges) < 2 or not (np.diff(edges) > 0).all():
        raise InputError(f"bins: expected a number or increasing edges, got {bins!r}")
    return bins
