"""Word-by-word alignment of text pairs: which operations turn a source into a target.

The table is that of Wagner & Fischer (1974), "The String-to-String Correction Problem", every
operation costing 1, filled one antidiagonal at a time for many pairs at once. The distance is
unique, the path is not, so the path is an option:

- ``"paper"``: that of Vásquez-Rodríguez et al. (2021), "Investigating Text Simplification
  Evaluation": walking back from the end, equal tokens are kept; otherwise a replacement is
  preferred to an insertion, and an insertion to a deletion.
- ``"shortest"``: the fewest operations and keeps, hence the fewest insertions, of all paths of
  minimal distance. Its counts stay the same when both texts are reversed, and when they are
  swapped (insertions and deletions change places).

Each cell is one unsigned number with three fields, distance first. So one minimum finds the
distance, the preferred step into the cell and the insertions on the way there.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain, count
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textsimp.text.tokenizers import Encoder, Ints, number_tokens
from textsimp.text.tokenizers import Tokens as Encoded
from textsimp.text.tokenizers import blocks as in_blocks

EditPath = Literal["paper", "shortest"]
Moves = Literal["paper", "one_to_one"]
Tokens = Sequence[Hashable]
Texts = Encoded | Iterable[Tokens]
Operation = tuple[int, int | None, int | None]
"""Code, index of the source token or None, index of the target token or None."""

CHANGES = ("insert", "delete", "replace")
COUNTED = (*CHANGES, "keep")
OPERATIONS = (*COUNTED, "move")
"""What `operation_counts` counts, in the order of its columns; a move is counted as others too."""

KEEP, INSERT_BEFORE, INSERT_AFTER, DELETE, REPLACE, MOVE = range(6)  # codes, as published

_DIAGONAL, _INSERT, _DELETE, _STAY = range(4)  # steps, in the order in which the paper prefers them
_BACK_IN_SOURCE = np.array([1, 0, 1, 0])
_BACK_IN_TARGET = np.array([1, 1, 0, 0])
_BLOCK = 2**18  # tokens sorted by their pairs' length at a time
_BATCH = 2**16  # tokens aligned at a time: their arrays fit the cache
_CELLS = 2**26  # four times the cells of a batch's tables, so that they can be kept


def encode_words(sources: Sequence[str], targets: Sequence[str]) -> tuple[Encoded, Encoded]:
    """Split stripped and lowercased texts at single spaces, as the paper does."""
    encoder = Encoder("none", lowercase=True, single_spaces=True)
    first, second = ([*map(str.strip, column)] for column in (sources, targets))
    return encoder.encode(first), encoder.encode(second)


def operation_counts(
    sources: Texts, targets: Texts, path: EditPath = "paper", moves: Moves | None = None
) -> Ints:
    """Count the operations that turn sources into targets: (pairs, 5), as `OPERATIONS`."""
    columns = [np.empty((0, 5), np.int64)]
    for block in _blocks(sources, targets):
        counts = np.zeros((len(block.lengths), 5), np.int64)
        for rows in _batches(block):
            distances, inserted = _fill(block, rows, path)
            n, m = block.lengths[rows].T
            deleted = inserted + n - m
            replaced = distances - inserted - deleted
            counts[rows, :4] = np.stack([inserted, deleted, replaced, n - deleted - replaced], 1)
            both = rows[(inserted > 0) & (deleted > 0)]
            if moves and len(both):
                for row, spelled in _spelled_out(block, both, path):
                    merged = merge_moves(spelled, *_tokens(block, row), moves)
                    counts[row, 4] = sum(code == MOVE for code, _, _ in merged)
        columns.append(counts)
    return np.concatenate(columns)


def operations(
    sources: Texts, targets: Texts, path: EditPath = "paper"
) -> Iterator[list[Operation]]:
    """Yield the operations that turn each source into its target, keeps included.

    An insertion is ``INSERT_BEFORE`` if no source token precedes it. Memory: two bytes for each
    cell of the longest pair's table, 50 MB for 5,000 tokens each.
    """
    for block in _blocks(sources, targets):
        spelled = dict(chain.from_iterable(_spelled_out(block, b, path) for b in _batches(block)))
        yield from (spelled[row] for row in range(len(spelled)))


def merge_moves(
    pair_operations: Sequence[Operation], source: Tokens, target: Tokens, moves: Moves
) -> list[Operation]:
    """Merge a deletion and an insertion of the same token into a MOVE, at the first of the two.

    - ``"one_to_one"``: the first deletion of a token with its first insertion, and so on.
    - ``"paper"``: as published. Insertions before the first source token never match, and others
      match again and again. Of a token's deletions and insertions only one disappears, the first of
      the kind that starts later. All others become MOVEs.
    """
    deletions: defaultdict[Hashable, list[int]] = defaultdict(list)
    insertions: defaultdict[Hashable, list[int]] = defaultdict(list)
    for at, (code, i, j) in enumerate(pair_operations):
        if i is not None and code == DELETE:
            deletions[source[i]].append(at)
        elif j is not None and (
            code == INSERT_AFTER or (code == INSERT_BEFORE and moves != "paper")
        ):
            insertions[target[j]].append(at)
    merged: list[Operation | None] = list(pair_operations)
    for token in deletions.keys() & insertions.keys():
        out, into = deletions[token], insertions[token]
        if moves == "paper":
            for at in out:
                merged[at] = (MOVE, pair_operations[at][1], pair_operations[into[0]][2])
            for at in into:
                merged[at] = (MOVE, pair_operations[out[0]][1], pair_operations[at][2])
            merged[max(out[0], into[0])] = None
        else:
            for first, second in zip(out, into, strict=False):
                move = (MOVE, pair_operations[first][1], pair_operations[second][2])
                merged[min(first, second)] = move
                merged[max(first, second)] = None
    return [operation for operation in merged if operation is not None]


class _Block(NamedTuple):
    """Pairs of texts as token ids, one text after the other; columns are source and target."""

    ids: NDArray[np.int32]
    starts: Ints
    lengths: Ints
    distinct: int


def _blocks(sources: Texts, targets: Texts) -> Iterator[_Block]:
    if not (isinstance(sources, Encoded) and isinstance(targets, Encoded)):
        columns: Any = sources, targets
        vocabulary: defaultdict[Hashable, int] = defaultdict(count().__next__)
        sources, targets = (number_tokens(column, vocabulary) for column in columns)
    lengths = np.stack([np.diff(sources.offsets), np.diff(targets.offsets)], axis=1)
    for block in in_blocks(lengths.sum(axis=1), _BLOCK):
        sides = [side.slice(block.start, block.stop) for side in (sources, targets)]
        ids = np.concatenate([side.ids for side in sides])
        known = np.zeros(ids.max(initial=0) + 1, np.bool_)
        known[ids] = True
        numbers = np.cumsum(known, dtype=np.int32)
        starts = [sides[0].offsets[:-1], len(sides[0].ids) + sides[1].offsets[:-1]]
        yield _Block(numbers[ids], np.stack(starts, axis=1), lengths[block], int(numbers[-1]) + 1)


def _tokens(block: _Block, row: int) -> tuple[list[int], list[int]]:
    (s, t), (n, m) = block.starts[row].tolist(), block.lengths[row].tolist()
    return block.ids[s : s + n].tolist(), block.ids[t : t + m].tolist()


def _batches(block: _Block) -> Iterator[Ints]:
    """Rows of pairs that are about as long, the longest pair first."""
    total = block.lengths.sum(axis=1)
    order = np.argsort(-total, kind="stable")
    start = 0
    while start < len(order):
        longest = max(1, int(total[order[start]]))
        rows = order[start : start + max(1, min(_BATCH // longest, _CELLS // longest**2))]
        yield rows
        start += len(rows)


def _fill(
    block: _Block, rows: Ints, path: EditPath, steps: list[NDArray[np.uint8]] | None = None
) -> tuple[Ints, Ints]:
    """Fill the tables of a batch whose longest pair comes first; return distances and insertions.

    Cell (i, j) is about the first i source and j target tokens. Antidiagonal d = i + j needs only
    the two before it. ``steps`` collects the step into each cell of each antidiagonal.
    """
    lengths = block.lengths[rows]
    n, m = lengths.max(axis=0).tolist()
    bits = max(n, m).bit_length()
    small = 2 * bits + 3 <= 16 and block.distinct <= 2**16
    dtype = np.dtype("u2" if small else "u4" if 2 * bits + 3 <= 32 else "u8").type
    # (tokens, pairs), targets backwards; what follows the end of a text never reaches its result
    at_source = block.starts[rows, 0] + np.arange(n)[:, None]
    at_target = block.starts[rows, 1] + np.arange(m)[::-1, None]
    source = block.ids.take(at_source, mode="clip").astype(dtype)
    target = block.ids.take(at_target, mode="clip").astype(dtype)

    # Fields from the highest: distance, step, insertions; or distance, insertions, step.
    at_step, at_inserted = (bits, 0) if path == "paper" else (0, 2)
    change = dtype(1 << (bits + 2))
    insert = dtype(change + (_INSERT << at_step) + (1 << at_inserted))
    delete = dtype(change + (_DELETE << at_step))
    no_step = ~dtype(3 << at_step)

    going = np.searchsorted(-lengths.sum(axis=1), -np.arange(n + m + 2), side="right").tolist()
    final = np.zeros(len(rows), dtype)
    before, last, cells, scratch = np.zeros((4, n + 1, len(rows)), dtype)
    if steps is not None:
        steps.append(np.full((1, len(rows)), _STAY, np.uint8))
    for d in range(1, n + m + 1):
        width, left = going[d : d + 2]
        low, high = max(1, d - m), min(n, d - 1) + 1
        inner = cells[low:high, :width]
        other = scratch[low:high, :width]
        np.bitwise_xor(
            source[low - 1 : high - 1, :width], target[m - d + low : m - d + high, :width], inner
        )
        np.minimum(inner, dtype(1), out=inner)
        inner *= change
        inner += before[low - 1 : high - 1, :width]
        np.add(last[low:high, :width], insert, out=other)
        np.minimum(inner, other, out=inner)
        np.add(last[low - 1 : high - 1, :width], delete, out=other)
        np.minimum(inner, other, out=inner)
        if d <= m:
            cells[0, :width] = last[0, :width] + insert
        if d <= n:
            cells[d, :width] = last[d - 1, :width] + delete
        whole = cells[max(0, d - m) : min(n, d) + 1, :width]
        if steps is not None:
            steps.append((whole >> dtype(at_step)).astype(np.uint8) & 3)
        whole &= no_step
        if left < width:
            final[left:width] = cells[lengths[left:width, 0], np.arange(left, width)]
        before, last, cells = last, cells, before
    field = dtype((1 << bits) - 1)
    inserted = (final >> dtype(at_inserted)) & field
    return (final >> dtype(bits + 2)).astype(np.int64), inserted.astype(np.int64)


def _spelled_out(
    block: _Block, rows: Ints, path: EditPath
) -> Iterator[tuple[int, list[Operation]]]:
    """Walk back through the tables of a batch: each row, and its pair's operations."""
    tables: list[NDArray[np.uint8]] = []
    _fill(block, rows, path, tables)
    starts = np.cumsum([0, *(cells.size for cells in tables)])
    widths = np.array([cells.shape[1] for cells in tables])
    steps = np.concatenate([cells.ravel() for cells in tables])
    i, j = block.lengths[rows].T.copy()
    lowest = np.maximum(0, np.arange(len(tables)) - j.max())
    taken = np.empty((len(rows), len(tables)), np.uint8)
    for forth in reversed(range(len(tables))):
        d = i + j
        step = steps[starts[d] + (i - lowest[d]) * widths[d] + np.arange(len(rows))]
        taken[:, forth] = step
        i -= _BACK_IN_SOURCE[step]
        j -= _BACK_IN_TARGET[step]
    for row, path_taken in zip(rows.tolist(), taken, strict=True):
        yield row, _operations(*_tokens(block, row), path_taken.tobytes())


def _operations(source: Tokens, target: Tokens, steps: bytes) -> list[Operation]:
    operations: list[Operation] = []
    i = j = 0
    for step in steps:
        if step == _DIAGONAL:
            operations.append((KEEP if source[i] == target[j] else REPLACE, i, j))
            i += 1
            j += 1
        elif step == _INSERT:
            operations.append((INSERT_AFTER if i else INSERT_BEFORE, None, j))
            j += 1
        elif step == _DELETE:
            operations.append((DELETE, i, None))
            i += 1
    return operations
