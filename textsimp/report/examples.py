"""Examples: data for the page's scripts, links to examples, and those on the first screen."""

import base64
import json
import zlib
from collections.abc import Sequence
from itertools import chain
from typing import Any
from urllib.parse import quote, urlencode

import numpy as np

from textsimp.core.metric import Floats
from textsimp.report import drawings, marks, plots
from textsimp.report.measurements import DESCRIBING, EDITS, MEAN, STATS, Ratings, Report
from textsimp.scoring import headlines
from textsimp.scoring.ranking import EQUAL, Column
from textsimp.support.parsing import parse_json

GROUPS = {
    "sampled": "Sampled at random",
    "disagree": "Systems disagree most",
    "highest": "Highest score",
    "lowest": "Lowest score, of changed outputs",
}
"""Groups of examples that readers may want to see first."""

Groups = dict[tuple[str, str], list[int]]
"""Group and system (empty for groups about all) → examples by rank."""

MEGABYTES = 20  # that examples take of the page
_NUMBER = 9  # bytes, about what a number of an output takes

_EDIT_MEASURES = (  # metric and score
    (STATS, Column("compression_ratio", "compression", decimals=2)),
    (EDITS, Column("change_percentage", "change percentage", decimals=0)),
    (STATS, Column("levenshtein_similarity", "similarity", decimals=2)),
    (STATS, Column("sentence_splits", "splits", decimals=2)),
    (STATS, Column("exact_copies", "copy", decimals=0)),
    (EDITS, Column("move", "moved words", decimals=0)),
    (STATS, Column("words", "words", decimals=0)),
)


def link(**state: object) -> str:
    """Make a link that shows some examples; the page keeps this state in its address.

    Keys that are None or empty are left out. The page names keys and values that it doesn't
    understand, and ignores them. It shows the examples that match all others:

    - ``open``: an example, by its number from 1, which is shown whatever else hides it;
    - ``show``: a group of `GROUPS`;
    - ``system``: the system that ``show``, ``sort``, ``only`` and ``q`` are about, else any;
      without it ``sort`` is by the mean of systems;
    - ``sort``: what examples are sorted by, with ``-`` from the highest on: ``number``, ``length``,
      ``disagreement``, ``gap`` (of ``a`` over ``b``), or a measure such as ``sari.sari``;
    - ``q`` and ``in``: a text, and where it stands: ``source``, ``output`` or ``references``;
    - ``only``: ``copies``, ``splits``, ``moves`` or ``empty``;
    - ``a``, ``b``, ``by``, ``score``: the score of system A, by default the main one, is more than
      ``by`` above that of B; only these two outputs are shown;
    - ``lines``: these examples, such as ``3,7,9-12``.

    >>> link(system="ours & theirs", lines="3,7,9-11")
    '#?system=ours%20%26%20theirs&lines=3,7,9-11'
    """
    chosen = {key: value for key, value in state.items() if value not in (None, "")}
    return "#?" + urlencode(chosen, quote_via=quote, safe=",:")


def typical_example(compression: Floats, changed: Floats, sources: Sequence[str]) -> int | None:
    """Choose an example that shows what a system does; None if it changes no text.

    Among the changed outputs of the shorter half of sources, it is nearest to the median length and
    the median change percentage of all changed outputs.
    """
    changes = changed > 0
    if not changes.any():
        return None
    lengths = np.array([len(text.split()) for text in sources])
    short = changes & (lengths <= np.median(lengths[changes]))
    distance = sum(
        np.abs(values - np.median(values[changes])) for values in (100 * compression, changed)
    )
    return int(np.argmin(np.where(short, distance, np.inf)))


def deciding_example(report: Report) -> dict[str, Any] | None:
    """Choose the median example of those in which the best system is ahead of the next one.

    Return None without such a system, and for documents, which are too long for the first screen.
    ``outputs`` are system → score and marked edits, ``href`` leads to all of these examples.
    """
    name, ranking = next(iter(report.rankings.items()), ("", None))
    if ranking is None or ranking.comparison.by_people or report.documents:
        return None
    others = [other for other in ranking.others if other not in ranking.equal]
    if not others:
        return None
    pair, column = (ranking.top, others[0]), ranking.column
    own = report.example_scores[name]
    scores = [column.scale * own[system][column.key] for system in pair]
    gaps = column.gain(1) * (scores[0] - scores[1])
    ahead = np.flatnonzero(np.nan_to_num(gaps) > EQUAL)
    if not len(ahead):
        return None
    example = int(ahead[np.argsort(gaps[ahead], kind="stable")[len(ahead) // 2]])
    source = report.texts.shared["sources"][example]
    texts = [report.texts.predictions(system)[example] for system in pair]
    cited = [headlines.cite(ranking, values[example]) for values in scores]
    drawn = zip(cited, marks.mark_html([source] * 2, texts), strict=True)
    a, b = reversed(pair) if column.lower else pair
    return {
        "number": example + 1,
        "source": source,
        "outputs": dict(zip(pair, drawn, strict=True)),
        "ahead": len(ahead),
        "href": link(sort="-gap", a=a, b=b, by=0, score=f"{name}.{column.key}"),
    }


def contents(report: Report, count: int) -> dict[str, Any]:
    """Return what the template reads: the packed examples, with ``count`` in each group."""
    examples = report.texts
    linking = drawings.choose([*report.metrics.values()], report.documents)
    numbers, groups = measures(report), _choose_groups(report, count)
    kept = _fit(report, order(groups, len(examples)), len(numbers))
    sources = [examples.shared["sources"][k] for k in kept]
    drawn = [
        [*drawings.draw(linking, sources, [examples.predictions(name)[k] for k in kept], name)]
        for name in report.systems
    ]
    for measure in numbers:
        measure["values"] = [_numbers(values[kept]) for values in measure["values"]]
    data = _embed_texts(report, kept, outputs=linking is not None) | {
        "drawn": drawn,
        "linked": linking is not None,
        "total": len(examples),
        "looks": [look._asdict() for look in plots.looks(report.rows).values()],
        "main": report.main is not None,
        "measures": numbers,
        "groups": _locate(groups, kept, report.systems),
        "groupNames": GROUPS,
        "single": {} if report.ratings is None else _embed_ratings(report.ratings, report, kept),
    }
    return {
        "data": pack(data),
        "total": len(examples),
        "kept": len(kept),
        "megabytes": MEGABYTES,
        "marks": marks.LEGEND,
        "links": drawings.explain(linking),
    }


def measures(report: Report) -> list[dict[str, Any]]:
    """List the numbers that examples can be sorted and filtered by, the main score first.

    ``values`` has an array of each system.
    """
    others = [name for name in report.describing if name not in DESCRIBING]
    names = dict.fromkeys((*report.judging, *report.criteria, *others))
    pairs = [(name, column) for name in names for column in report.columns[name]]
    listed = []
    for name, column in (*pairs, *_EDIT_MEASURES):
        scores = [report.example_scores[name][system] for system in report.systems]
        if all(column.key in own for own in scores):
            measure = {
                "key": f"{name}.{column.key}",
                "label": column.label,
                "decimals": 1 if column.decimals is None else column.decimals,
                "better": report.metrics[name].find_score(column.key).better,
                "values": [column.scale * own[column.key] for own in scores],
            }
            listed.append(measure)
    return listed


def _choose_groups(report: Report, count: int) -> Groups:
    """Choose up to ``count`` examples of each group; ties go to the first."""

    def highest(values: Floats, above: float = -np.inf) -> list[int]:
        best = np.argsort(-values, kind="stable")[:count]
        examples: list[int] = best[values[best] > above].tolist()
        return examples

    rng = np.random.default_rng(report.sampling["seed"])
    sampled = rng.permutation(len(report.texts))[:count]
    groups: Groups = {("sampled", ""): np.sort(sampled).tolist()}
    if report.main is None:
        return groups
    main, own = report.main, report.example_scores[report.judging[0]]
    gains = {name: main.gain(1) * own[name][main.key] for name in report.systems}
    if len(gains) > 1:
        groups["disagree", ""] = highest(np.ptp([*gains.values()], axis=0), above=0)
    for name, values in gains.items():
        copies = report.example_scores[STATS][name]["exact_copies"]
        groups["highest", name] = highest(values)
        groups["lowest", name] = highest(np.where(copies, -np.inf, -values))
    return groups


def order(groups: Groups, total: int) -> list[int]:
    """Order all examples: those of groups by their best rank, then the others."""
    ranks: dict[int, int] = {}
    for examples in groups.values():
        for rank, example in enumerate(examples):
            ranks[example] = min(rank, ranks.get(example, rank))
    chosen = sorted(ranks, key=lambda example: (ranks[example], example))
    return [*chosen, *(example for example in range(total) if example not in ranks)]


def _fit(report: Report, order: Sequence[int], measured: int) -> list[int]:
    """Choose the examples that fit into `MEGABYTES`, roughly; drawings contain the source."""
    room, kept, examples = MEGABYTES * 1_000_000, [], report.texts
    for example in order:
        references = examples.references[example] if examples.references else []
        source = len(examples.shared["sources"][example].encode())
        outputs = [len(examples.predictions(s)[example].encode()) for s in report.systems]
        size = source + sum(len(text.encode()) + _NUMBER for text in references)
        size += sum(2 * (source + output) + _NUMBER * measured for output in outputs)
        if size <= room:
            room -= size
            kept.append(example)
    return sorted(kept)


def _embed_texts(report: Report, kept: Sequence[int], outputs: bool) -> dict[str, Any]:
    """Return each text once, and columns of their numbers; of outputs if drawings lack them."""
    lists = report.texts.references
    sources = [report.texts.shared["sources"][example] for example in kept]
    references = [lists[example] if lists else [] for example in kept]
    systems = [report.texts.predictions(name) for name in report.systems]
    predictions = [[own[example] for example in kept] for own in systems]
    embedded = predictions if outputs else []
    places: dict[str, int] = {}
    for text in chain(sources, *embedded, *references):
        places.setdefault(text, len(places))
    return {
        "systems": report.systems,
        "fullNames": [report.full_names.get(name, name) for name in report.systems],
        "numbers": [example + 1 for example in kept],
        "sources": [places[text] for text in sources],
        "outputs": [[places[text] for text in own] for own in embedded],
        "references": [[places[text] for text in own] for own in references],
        "texts": [*places],
        "words": [len(text.split()) for text in sources],
        "empty": [[k for k, text in enumerate(own) if not text.strip()] for own in predictions],
    }


def _embed_ratings(
    ratings: Ratings, report: Report, kept: Sequence[int]
) -> dict[str, list[list[list[float]]]]:
    """Return criterion → ratings of each output of each system."""
    embedded = {}
    for name in ratings.metrics:
        values = ratings.values(name)
        embedded[f"{name}.{MEAN}"] = [[values[s][k] for k in kept] for s in report.systems]
    return embedded


def _locate(
    groups: Groups, kept: Sequence[int], systems: Sequence[str]
) -> list[tuple[str, int, list[int]]]:
    """List (group, system or −1, examples by rank as positions in the data)."""
    at = {example: k for k, example in enumerate(kept)}
    located = []
    for (group, system), examples in sorted(groups.items()):
        places = [at[example] for example in examples if example in at]
        if places:
            located.append((group, systems.index(system) if system else -1, places))
    return located


def _numbers(values: Floats) -> list[float | int | None]:
    """Round values for JSON, with enough digits that different ones stay different."""
    finite = np.isfinite(values)
    numbers = values[finite]
    if (numbers == np.round(numbers)).all():
        return [int(value) if there else None for value, there in zip(values, finite, strict=True)]
    rounded = np.round(values, 6 if (np.abs(numbers) < 10).all() else 4).tolist()
    return [value if there else None for value, there in zip(rounded, finite, strict=True)]


def pack(data: object) -> str:
    """Write JSON, compressed, as text that can stand in a script element.

    >>> unpack(pack([1, "é"]))
    [1, 'é']
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def unpack(text: str) -> Any:
    """Read what `pack` wrote."""
    return parse_json(zlib.decompress(base64.b64decode(text)).decode())
