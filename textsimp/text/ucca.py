"""Scenes of texts that were annotated by UCCA, read from JSON.

Abend & Rappoport (2013), "Universal Conceptual Cognitive Annotation (UCCA)", ACL. A unit is a scene
if it has a process (P) or a state (S), which is its main relation; its participants are A. Read is
the JSON of the shared tasks on meaning representation parsing (MRP 2019 and 2020).
"""

import graphlib
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from textsimp.support.errors import InputError, shown
from textsimp.support.parsing import parse_json

Json = dict[str, Any]

_RELATIONS = ("P", "S")
_LINKAGE = ("LR", "LA")  # say again what H and L say
_WORD = re.compile(r"\S+")
_EXPECTED = "expected a UCCA passage (MRP JSON)"


class Edge(NamedTuple):
    label: str
    child: str
    remote: bool = False


class _Graph(NamedTuple):
    """Words in their order, and units with their parts."""

    words: list[str]
    terminals: dict[str, list[int]]  # unit → its own words
    edges: dict[str, list[Edge]]  # unit → its parts


def read(passage: Any) -> Json:
    """Read the scenes of a passage: JSON as text, a dict, or a result.

    A unit is the list of its minimal centres, each a list of the numbers of its words. The metric
    card of SAMSA says what they are, and which words are in a scene.

    Returns:
        ``{"words": [...], "scenes": [{"words": [...], "relations": [unit, ...], "participants":
        [unit, ...]}, ...]}``, scenes in the order of their first words.
    """
    try:
        parsed = parse_json(passage) if isinstance(passage, str) else passage
        if isinstance(parsed, dict):
            return parsed if "scenes" in parsed else _scenes(_of_mrp(parsed))
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"{_EXPECTED}, got {shown(passage)}: {error}") from None
    except (AttributeError, KeyError, TypeError) as error:  # of other nodes and edges
        raise InputError(f"{_EXPECTED}, got another: {error!r}") from None
    raise InputError(f"{_EXPECTED}, got {shown(passage)}")


def same_text(words: Iterable[str], text: str) -> bool:
    """Return whether words have the same letters and digits as a text."""
    return _bare("".join(words)) == _bare(text)


def _bare(text: str) -> str:
    for bracket in ("-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-"):  # in tokenised text
        text = text.replace(bracket, "")
    return "".join(filter(str.isalnum, text.casefold()))


def _of_mrp(passage: Json) -> _Graph:
    """Read a graph of the framework ``ucca``; anchors span words between white space."""
    framework = passage.get("framework", "ucca")
    if framework != "ucca":
        raise InputError(f"expected the framework 'ucca', got {shown(framework)}")
    text, nodes, edges = passage["input"], passage["nodes"], passage.get("edges", [])
    if not nodes:
        raise InputError(f"{_EXPECTED}, got JSON without nodes")
    spans: dict[str, list[tuple[int, int]]] = {}  # node → its words
    for node in nodes:
        unit = str(node["id"])
        spans[unit] = []
        for anchor in node.get("anchors") or []:
            start, end = anchor["from"], anchor["to"]
            if not 0 <= start <= end <= len(text):
                raise InputError(
                    f"expected an anchor from and to characters of the {len(text)} of "
                    f"'input', got {shown(anchor)}"
                )
            spans[unit] += (word.span() for word in _WORD.finditer(text, start, end))
    anchored = {span for of in spans.values() for span in of}
    rest = [*text]
    for start, end in anchored:
        rest[start:end] = " " * (end - start)
    between = (word.span() for word in _WORD.finditer("".join(rest)))
    order = {span: i for i, span in enumerate(sorted([*anchored, *between]))}
    graph = _Graph(
        [text[start:end] for start, end in order],
        {unit: [order[span] for span in of] for unit, of in spans.items()},
        {unit: [] for unit in spans},
    )
    for edge in edges:
        source = str(edge["source"])
        if source not in spans:
            raise InputError(f"an edge from {source}, which is no node")
        names = edge.get("attributes") or edge.get("properties") or []  # the latter in 2019
        values = edge.get("values") or [True] * len(names)
        remote = dict(zip(names, values, strict=False)).get("remote") not in (None, False, "false")
        graph.edges[source].append(Edge(edge["label"].upper(), str(edge["target"]), remote))
    return graph


def _scenes(graph: _Graph) -> Json:
    """Make what `read` returns from a graph."""
    order = _bottom_up(graph)
    of_units = _words(graph, order)
    centres: dict[str, list[list[int]]] = {}
    for unit in order:
        centres[unit] = _centres(graph.edges[unit], of_units[unit], centres)
    scenes: list[dict[str, list[Any]]] = []
    for unit, edges in graph.edges.items():
        relations, participants = _parts(edges, _RELATIONS), _parts(edges, ("A",))
        if relations:
            units = {
                "relations": [centres[child] for child in relations],
                "participants": [centres[child] for child in participants],
            }
            scenes.append({"words": sorted(of_units[unit]), **units})
    # Of scenes that begin with the same word the outer one comes first.
    scenes.sort(key=lambda scene: (scene["words"][:1] or [len(graph.words)], -len(scene["words"])))
    return {"words": graph.words, "scenes": scenes}


def _parts(edges: Iterable[Edge], labels: Iterable[str]) -> list[str]:
    """The parts that have one of some labels, each once."""
    return list(dict.fromkeys(edge.child for edge in edges if edge.label in labels))


def _bottom_up(graph: _Graph) -> list[str]:
    """Order units so that each follows its parts; remove redundant edges of linkage."""
    for unit, edges in graph.edges.items():
        graph.edges[unit] = edges = [edge for edge in edges if edge.label not in _LINKAGE]
        for edge in edges:
            if edge.child not in graph.edges:
                raise InputError(
                    f"an edge from {shown(unit)} to {shown(edge.child)}, which is no node"
                )
    parts = {unit: [edge.child for edge in edges] for unit, edges in graph.edges.items()}
    try:
        return [*graphlib.TopologicalSorter(parts).static_order()]
    except graphlib.CycleError as error:
        unit = error.args[1][0]
        raise InputError(f"expected a graph without cycles, got one at {shown(unit)}") from None


def _words(graph: _Graph, order: Iterable[str]) -> dict[str, set[int]]:
    """Return unit → its words and those of its parts, without punctuation."""
    parents: dict[str, str] = {}
    for unit, edges in graph.edges.items():
        for edge in edges:
            if not edge.remote:
                parents.setdefault(edge.child, unit)
    words: dict[str, set[int]] = {}
    for unit in order:
        words[unit] = set(graph.terminals[unit])
        for edge in graph.edges[unit]:
            if not edge.remote and edge.label != "U" and parents[edge.child] == unit:
                words[unit] |= words[edge.child]
    return words


def _centres(
    edges: list[Edge], words: Iterable[int], centres: Mapping[str, list[list[int]]]
) -> list[list[int]]:
    """A unit's minimal centres, in the order of the text, from those of its parts."""
    for labels in (_RELATIONS, ("C",), ("H",)):
        parts = _parts(edges, labels)
        if len(parts) == 1:
            return centres[parts[0]]
        if parts:
            return sorted({tuple(c): c for part in parts for c in centres[part]}.values())
    return [sorted(words)] if words else []
