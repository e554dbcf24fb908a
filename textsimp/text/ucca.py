"""Scenes of texts that were annotated by UCCA, read from JSON.

Abend & Rappoport (2013), "Universal Conceptual Cognitive Annotation (UCCA)", ACL. A unit is a scene
if it has a process (P) or a state (S), which is its main relation; its participants are A. Read is
the JSON of the shared tasks on meaning representation parsing (MRP 2019 and 2020). A passage has at
most 2**20 characters.
"""

import contextlib
import graphlib
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NamedTuple

from textsimp.support.errors import InputError, shown
from textsimp.support.parsing import parse_json

Json = dict[str, Any]

MOST = 2**20
"""Characters of a passage, and words of all its scenes and centres together."""
_RELATIONS = ("P", "S")
_LINKAGE = ("LR", "LA")  # say again what H and L say
_WORD = re.compile(r"\S+")
_EXPECTED = "expected a UCCA passage (MRP JSON, scenes, or a file with one of these)"


class Edge(NamedTuple):
    label: str
    child: str
    remote: bool = False


_FILES: ContextVar[bool] = ContextVar("files", default=True)


@contextlib.contextmanager
def without_files() -> Iterator[None]:
    """Refuse paths of files in this block."""
    before = _FILES.set(False)
    try:
        yield
    finally:
        _FILES.reset(before)


class _Graph(NamedTuple):
    """Words in their order, and units with their parts."""

    words: list[str]
    terminals: dict[str, list[int]]  # unit → its own words
    edges: dict[str, list[Edge]]  # unit → its parts


def read(passage: Any, where: str) -> Json:
    """Read the scenes of a passage: JSON as text, a dict, the path of a file, or a result.

    A unit is the list of its minimal centres, each a list of the numbers of its words. The metric
    card of SAMSA says what they are, and which words are in a scene.

    Returns:
        ``{"words": [...], "scenes": [{"words": [...], "relations": [unit, ...], "participants":
        [unit, ...]}, ...]}``, scenes in the order of their first words.
    """
    if isinstance(passage, str) and not passage.lstrip("\ufeff \t\r\n").startswith("{"):
        passage, where = _read_file(passage, where)
    try:
        if isinstance(passage, (str, bytes)):
            _check_size(len(passage))
            text = passage.encode("utf-8", "surrogatepass") if isinstance(passage, str) else passage
            passage = _parse(text.removeprefix(b"\xef\xbb\xbf"))
        if isinstance(passage, dict):
            return _check_scenes(passage) if "scenes" in passage else _scenes(_of_mrp(passage))
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    except (AttributeError, KeyError, TypeError) as error:  # of other nodes and edges
        raise InputError(f"{where}: {_EXPECTED}, got another: {error!r}") from None
    raise InputError(f"{where}: {_EXPECTED}, got {shown(passage)}")


def _parse(text: bytes) -> Any:
    try:
        return parse_json(text)
    except (RecursionError, ValueError) as error:
        raise InputError(f"{_EXPECTED}, got bad JSON: {error}") from None


def same_text(words: Iterable[str], text: str) -> bool:
    """Return whether words have the same letters and digits as a text."""
    return _bare("".join(words)) == _bare(text)


def _bare(text: str) -> str:
    for bracket in ("-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-"):  # in tokenised text
        text = text.replace(bracket, "")
    return "".join(filter(str.isalnum, text.casefold()))


def _read_file(path: str, where: str) -> tuple[bytes, str]:
    """Read a file; return its contents and its name for messages."""
    where = f"{where}: {path if 0 < len(path) < 200 else shown(path)}"
    if not _FILES.get():
        raise InputError(f"{where}: {_EXPECTED}, got a path, and no files are read here")
    try:
        if not Path(path).is_file():  # what isn't one may never end
            raise InputError(f"{where}: {_EXPECTED}, got no file of this name")
        with Path(path).open("rb") as file:
            return file.read(MOST + 1), where
    except OSError as error:
        raise InputError(f"{where} can't be read: {error.strerror}") from None


def _check_size(size: int, of: str = "characters") -> None:
    if size > MOST:
        raise InputError(f"expected a passage of at most {MOST:,} {of}, got more")


def _of_mrp(passage: Json) -> _Graph:
    """Read a graph of the framework ``ucca``; anchors span words between white space."""
    framework = passage.get("framework", "ucca")
    if framework != "ucca":
        raise InputError(f"expected the framework 'ucca', got {shown(framework)}")
    text, nodes, edges = passage["input"], passage["nodes"], passage.get("edges", [])
    if not nodes:
        raise InputError(f"{_EXPECTED}, got JSON without nodes")
    _check_size(len(text))
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
    size = 0  # words of all centres and scenes, which a graph made for it could have without end
    for unit in order:
        centres[unit] = _centres(graph.edges[unit], of_units[unit], centres)
        size += len(of_units[unit]) + sum(map(len, centres[unit]))
        _check_size(size, "words of scenes and centres")
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


def _check_scenes(passage: Json) -> Json:
    words, scenes = passage.get("words"), passage["scenes"]
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise InputError("expected scenes with 'words', a list of texts")
    for i, scene in enumerate(scenes if isinstance(scenes, list) else [None]):
        try:
            units = [*scene["relations"], *scene["participants"]]
            centres = [centre for unit in units for centre in unit]
            numbers = itertools.chain(scene["words"], *centres)
            legal = all(type(n) is int and 0 <= n < len(words) for n in numbers)
            legal = legal and bool(scene["relations"]) and all(centres)
        except (KeyError, TypeError):
            legal = False
        if not legal:
            raise InputError(
                f"expected scene {i} with 'words', numbers of words from 0 to "
                f"{len(words) - 1}, one or more 'relations', and 'participants', lists of units, "
                "each a list of centres, which are lists of such numbers"
            )
    return {"words": words, "scenes": scenes}
