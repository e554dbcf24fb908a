"""Small UCCA passages, as those of ``examples/parses``: a tree of units, written as MRP JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from tests.project import EXAMPLES

FOLDER = EXAMPLES / "parses"


@dataclass(eq=False)
class Unit:
    """A unit: the numbers of its own words, and its parts, each with the labels of its edge."""

    words: list[int] = field(default_factory=list)
    parts: list[tuple[str, Unit, bool]] = field(default_factory=list)  # labels, part, remote


def unit(*words, **parts):
    """Own words, and parts by label: ``unit(P=unit(1), A=[unit(0), unit(2)])``.

    A label with ``_`` after it is that of a remote edge.
    """
    found = Unit([*words])
    for label, of in parts.items():
        for part in [of] if isinstance(of, Unit) else of:
            found.parts.append((label.removesuffix("_"), part, label.endswith("_")))
    return found


def own(root):
    """All units that are in another, each once, from the top."""
    yield root
    for _, part, remote in root.parts:
        if not remote:
            yield from own(part)


def mrp(words, root, text=""):
    """The graph of MRP 2020, of words between blanks or as they stand in a text."""
    text = text or " ".join(words)
    at, spans = 0, []
    for word in words:
        start = text.index(word, at)
        at = start + len(word)
        spans.append({"from": start, "to": at})
    units = [*own(root)]
    numbers = count()
    name = {unit: next(numbers) for unit in units}
    nodes = [
        {"id": name[unit], **({"anchors": [spans[i] for i in unit.words]} if unit.words else {})}
        for unit in units
    ]
    edges = [
        {
            "source": name[unit],
            "target": name[part],
            "label": label,
            **({"attributes": ["remote"], "values": [True]} if remote else {}),
        }
        for unit in units
        for label, part, remote in unit.parts
    ]
    return {
        "id": "1",
        "flavor": 1,
        "framework": "ucca",
        "version": 1.1,
        "time": "2026-11-22",
        "input": text,
        "tops": [name[root]],
        "nodes": nodes,
        "edges": edges,
    }


def relative():
    """A relative clause, whose scene lies in another and has a participant by a remote edge."""
    words = ["Ann", "sold", "the", "house", "that", "her", "father", "built", "."]
    house = unit(3)
    built = unit(F=unit(4), A=unit(E=unit(5), C=unit(6)), P=unit(7), A_=house)
    sold = unit(A=[unit(0), unit(F=unit(2), C=house, E=built)], P=unit(1))
    return "Ann sold the house that her father built.", words, unit(H=sold, U=unit(8))


def concert():
    """A noun that is a scene, with an implicit participant; a name of two words; a linker."""
    words = ["After", "the", "concert", ",", "Leo", "walked", "home"]
    words += ["through", "Central", "Park", "."]
    heard = unit(F=unit(1), P=unit(2), A=unit())
    walked = unit(A=[unit(4), unit(6), unit(R=unit(7), C=unit(8, 9))], P=unit(5))
    root = unit(L=unit(0), H=[heard, walked], U=[unit(3), unit(10)])
    return "After the concert, Leo walked home through Central Park.", words, root


def shop():
    """A participant with two centres, and a state."""
    words = ["Tom", "and", "Eva", "bought", "bread", ","]
    words += ["but", "the", "shop", "had", "no", "milk", "."]
    both = unit(C=[unit(0), unit(2)], N=unit(1))
    bought = unit(A=[both, unit(4)], P=unit(3))
    had = unit(A=[unit(F=unit(7), C=unit(8)), unit(E=unit(10), C=unit(11))], S=unit(9))
    root = unit(H=[bought, had], L=unit(6), U=[unit(5), unit(12)])
    return "Tom and Eva bought bread, but the shop had no milk.", words, root


def radio():
    """A process of two words that stand apart."""
    words = ["She", "switched", "the", "old", "radio", "off", "because", "it", "crackled", "."]
    switched = unit(A=[unit(0), unit(F=unit(2), E=unit(3), C=unit(4))], P=unit(1, 5))
    crackled = unit(A=unit(7), P=unit(8))
    root = unit(H=[switched, crackled], L=unit(6), U=unit(9))
    return "She switched the old radio off because it crackled.", words, root


ALL = (relative, concert, shop, radio)
