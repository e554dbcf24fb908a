"""The design of a study: which rater sees what, in which order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from textsimp.core import columns
from textsimp.extensions.people.judgements.schemes import Scheme
from textsimp.extensions.people.judgements.studies import Plan, Screen, check_name
from textsimp.support.errors import InputError, check_integer, check_switch
from textsimp.support.names import same_name, trim

CONTROLS = 0.1
"""The share of a rater's screens that are controls, but one of each kind at least."""


def design(
    sources: Sequence[str],
    systems: Mapping[str, Sequence[str]],
    scheme: str | Path | Scheme = "likert",
    *,
    references: Sequence[Sequence[str]] | None = None,
    raters: int = 3,
    names: Sequence[str] = (),
    items: int | None = None,
    outputs: int | None = None,
    numbers: Sequence[int] = (),
    leave_out: Collection[int] = (),
    per_rater: int | None = None,
    per_output: int | None = None,
    controls: bool = False,
    seed: int = 0,
) -> Plan:
    """Plan a study: which rater sees what, in which order.

    Raters see each system equally often, up to a remainder: a source's outputs are spread over them
    by a Latin square. Equal outputs of a source are shown once. The order of
    screens, and of outputs on a screen, is random.

    Args:
        sources: The sources. If all are too many for the raters, random ones are taken.
        systems: System → its outputs.
        scheme: likert, direct_assessment, rank_and_rate, pairwise, level, information_errors,
            or the YAML or JSON file of a scheme.
        references: References of each source, for schemes that show them.
        raters: How many raters there are.
        names: Their names, in place of their number.
        items: How many sources are rated at most, at random. Controls come on top.
        outputs: How many outputs are rated at most, by as many raters as ``per_output`` says.
        numbers: The numbers of the sources, which are their items. Default: from 1.
        leave_out: Numbers of sources that nobody sees.
        per_rater: How many ratings or comparisons each gives at most, controls included. Default:
            all.
        per_output: How many raters rate each output, or each comparison. Default: 3, or all if
            there are fewer. With few, more outputs are rated in the same time.
        controls: Add controls, a tenth of all screens: the source unchanged, another sentence's
            output, a repeated item. If a screen has several outputs: repeated ones.
        seed: Seed of all random choices.

    Example:
        >>> from textsimp.extensions import people
        >>> sources = [f"Source {i}." for i in range(30)]
        >>> systems = {name: [f"Output {i} {name}." for i in range(30)] for name in "ab"}
        >>> plan = people.design(sources, systems, "likert", raters=3, per_output=1)
        >>> plan.ratings, plan.raters
        (60, ['rater 1', 'rater 2', 'rater 3'])
    """
    scheme = Scheme.load(scheme)
    n = len(names) or check_integer("raters", raters, 1)
    names = [check_name(name) for name in names or [f"rater {i + 1}" for i in range(n)]]
    if len({*map(same_name, names)}) < n:  # names of files, too
        raise InputError(f"names: expected a name for each rater, got {', '.join(names)}")
    each = check_integer("per_output", min(3, n) if per_output is None else per_output, 1, n)
    check_switch("controls", controls)
    written = [*dict.fromkeys(map(trim, systems))]
    pool = _read_pool(sources, systems, references, scheme, numbers, leave_out)
    limits = (
        len(pool) if items is None else check_integer("items", items, 1, len(pool)),
        math.inf if outputs is None else check_integer("outputs", outputs, len(written)),
    )
    rng = np.random.default_rng(check_integer("seed", seed, 0))
    kinds = ["repeat"] if controls else []
    if controls and scheme.grouping == "output":
        kinds = ["source", "other", "repeat"] if len(pool) > 1 else ["source", "repeat"]
    cost = len(written) if scheme.grouping == "source" else 1  # ratings on a screen
    room = math.inf
    if per_rater is not None:
        screens = check_integer("per_rater", per_rater, 1) // cost
        room = screens - max(len(kinds), round(CONTROLS * screens) if kinds else 0)
    assigned = _assign(scheme, pool, written, n, each, room, limits, rng)
    if not any(assigned):
        size = scheme.size or 1
        expected = f"{scheme.name} needs a source with different outputs, {size} or more"
        if per_rater is not None:
            expected += f", and per_rater room for them beside controls, got {per_rater}"
        raise InputError(expected)
    if not all(assigned):
        busy = sum(map(bool, assigned))
        raise InputError(f"raters: expected at most {busy}, as the outputs are few, got {n}")
    planned = [
        replace(screen, screen=i, rater=name)
        for name, unordered in zip(names, assigned, strict=True)
        for i, screen in enumerate(_order(unordered, kinds, pool, written, rng), 1)
    ]
    return Plan(scheme, tuple(planned))


def _read_pool(
    sources: Sequence[str],
    systems: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]] | None,
    scheme: Scheme,
    numbers: Sequence[int],
    leave_out: Collection[int],
) -> list[Screen]:
    """Check the texts of a study; return a screen with all different outputs for each source.

    Sources that nobody sees are left out.
    """
    texts = columns.texts(sources, "sources")
    written = {trim(name): columns.texts(rows, name) for name, rows in systems.items()}
    reference_rows = None if references is None else columns.references(references)
    numbers = numbers or range(1, len(texts) + 1)
    columns.check_lengths(sources=texts, references=reference_rows, **written)
    columns.check_lengths(sources=texts, numbers=numbers)
    size = scheme.size or 1
    if len(written) < size:
        raise InputError(f"{scheme.name} needs {size} systems or more, got {len(written)}")
    pool = []
    for i in (i for i, number in enumerate(numbers) if number not in leave_out):
        outputs: dict[str, tuple[str, ...]] = {}
        for name, rows in written.items():
            outputs[rows[i]] = (*outputs.get(rows[i], ()), name)
        shown = () if reference_rows is None else tuple(reference_rows[i])
        predictions, writers = tuple(outputs), tuple(outputs.values())
        pool.append(Screen("", 0, str(numbers[i]), texts[i], predictions, writers, shown))
    if not pool:
        raise InputError("leave_out: expected some of the sources, got all of them")
    return pool


def _assign(
    scheme: Scheme,
    pool: Sequence[Screen],
    systems: Sequence[str],
    raters: int,
    each: int,
    room: float,
    limits: tuple[int, float],
    rng: np.random.Generator,
) -> list[list[Screen]]:
    """Return each rater's screens, for which there is ``room``.

    Limits are of sources and outputs. Source after source, units of screens take the next places on
    a ring of raters. A source begins where the one before ended, or a rater further where one began
    already. So after as many sources as raters all have seen each system as often.
    """
    # A source takes so many screens if all its outputs differ.
    screens = each * (1 if scheme.size is None else len(systems) // scheme.size)
    cycle = raters // math.gcd(raters, screens)
    assigned: list[list[Screen]] = [[] for _ in range(raters)]
    appearances, used, rated = dict.fromkeys(systems, 0), 0, 0
    for i in rng.permutation(len(pool)).tolist():
        units = _units(scheme, pool[i], systems, appearances, rng)
        begin = used * screens + used // cycle
        places = [
            ((begin + slot * each + turn) % raters, unit)
            for slot, unit in units
            for turn in range(each)
        ]
        loads = Counter(rater for rater, _ in places)
        rated += sum(len(unit) for _, unit in units)
        fullest = max(len(own) + loads[rater] for rater, own in enumerate(assigned))
        if fullest > room or used == limits[0] or rated > limits[1]:
            break
        used += bool(units)
        for rater, unit in places:
            predictions, writers = zip(*(unit[k] for k in rng.permutation(len(unit))), strict=True)
            assigned[rater].append(replace(pool[i], predictions=predictions, systems=writers))
    return assigned


Unit = list[tuple[str, tuple[str, ...]]]
"""Outputs on a screen: each text with all systems that wrote it."""


def _units(
    scheme: Scheme,
    source: Screen,
    systems: Sequence[str],
    appearances: dict[str, int],
    rng: np.random.Generator,
) -> list[tuple[int, Unit]]:
    """Return the outputs of a source by screen, each with its place in the Latin square."""
    outputs = [*zip(source.predictions, source.systems, strict=True)]
    if scheme.grouping == "output":
        return [(systems.index(writers[0]), [(text, writers)]) for text, writers in outputs]
    if scheme.grouping == "source":
        return [(0, outputs)]
    # Those that were compared least often come first.
    mixed = [outputs[i] for i in rng.permutation(len(outputs))]
    mixed.sort(key=lambda output: appearances[output[1][0]])
    pairs = [mixed[start : start + 2] for start in range(0, len(mixed) - 1, 2)]
    for name in (name for pair in pairs for _, writers in pair for name in writers):
        appearances[name] += 1
    return list(enumerate(pairs))


def _order(
    screens: Sequence[Screen],
    kinds: Sequence[str],
    pool: Sequence[Screen],
    systems: Sequence[str],
    rng: np.random.Generator,
) -> list[Screen]:
    """Return a rater's screens in random order, with controls; repeats in the second half."""
    count = max(len(kinds), round(CONTROLS / (1 - CONTROLS) * len(screens))) if kinds else 0
    wanted = [kinds[i % len(kinds)] for i in range(count)]
    seen = {(screen.item, text) for screen in screens for text in screen.predictions}
    together = [*screens]
    for kind in (kind for kind in wanted if kind != "repeat"):
        together.append(_control(kind, seen, pool, systems, rng))
        seen.add((together[-1].item, together[-1].predictions[0]))
    order = [together[i] for i in rng.permutation(len(together))]
    half = math.ceil(len(order) / 2)
    first = [screen for screen in order[:half] if not screen.control]
    repeats = wanted.count("repeat")
    if repeats > len(first):
        raise InputError(
            f"controls: expected more than {len(screens)} screens of a rater to repeat"
        )
    for i in rng.choice(len(first), repeats, replace=False):
        at = int(rng.integers(half, len(order) + 1))
        order.insert(at, replace(first[i], control="repeat"))
    return order


def _control(
    kind: str,
    seen: set[tuple[str, str]],
    pool: Sequence[Screen],
    systems: Sequence[str],
    rng: np.random.Generator,
) -> Screen:
    """Return a control that shows a rater nothing twice: the source, or another one's output."""
    for i in rng.permutation(len(pool)).tolist():
        source: Screen = pool[i]
        text = source.source
        if kind == "other":
            other = pool[(i + 1 + int(rng.integers(len(pool) - 1))) % len(pool)]
            name = str(rng.choice(systems))
            places = [k for k, writers in enumerate(other.systems) if name in writers]
            text = other.predictions[places[0]]
        is_own = kind == "other" and text in (source.source, *source.predictions)
        if (source.item, text) not in seen and not is_own:
            return replace(source, predictions=(text,), systems=((),), control=kind)
    raise InputError(
        f"controls: expected more sources, as no text is left for the control {kind!r}"
    )
