"""Places of names in charts, so that they cover no point and no other name."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from textsimp.core import cells

Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""

_SIZE = 8.0  # of letters, in points
_SIDES = ((1, -1), (1, 1), (-1, -1), (-1, 1), (0, -1), (0, 1), (1, 0), (-1, 0))
_ROOM = 100  # points of a name
MANY, FIRST = 12, 5
_FAR = 13.0  # from where on a line joins a name and its point


def text_width(text: str) -> float:
    """Return about how wide a text is, in points.

    >>> text_width("textsimp"), text_width("猫")
    (33.28, 8.0)
    """
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    capitals = sum(letter.isupper() for letter in text)
    return _SIZE * (wide + 0.6 * capitals + 0.52 * (len(text) - wide - capitals))


def cut(text: str, room: float) -> str:
    """Leave out the middle of a text that is wider than so many points.

    >>> cut("openai-text-davinci-003", 75)
    'openai-te…inci-003'
    """
    letters = len(text)
    short = text
    while text_width(short) > room and letters > 3:
        letters -= 1
        short = f"{text[: letters // 2]}…{text[len(text) - (letters - 1) // 2 :]}"
    return short


def clip(name: str) -> str:
    """Return a name as charts show it: on one line, without the middle of a long one."""
    return cut(cells.clean_name(name), _ROOM)


def place_labels(
    rows: Sequence[Mapping[str, Any]],
    domains: Sequence[Sequence[float]],
    width: float,
    height: float,
) -> list[dict[str, Any]]:
    """Place names beside points; leave out those that have no room.

    The first rows choose first. A name takes a place near its point, far from others, which crosses
    few intervals. With more than `MANY` names only the first are far from their points.

    Args:
        rows: With ``label``, ``x``, ``x_low``, ``x_high``, ``y`` and so on.
        domains: The domains of both scales.
        width: The width of the plot in points.
        height: The height.

    Returns:
        ``label``, ``x``, ``y``, ``at_x`` and ``at_y``, the middle of the name, and whether it is
        ``far`` from its point.
    """
    (left, right), (bottom, top) = domains
    points = [
        {
            **{key: (row[key] - left) / (right - left) * width for key in ("x", "x_low", "x_high")},
            **{key: (top - row[key]) / (top - bottom) * height for key in ("y", "y_low", "y_high")},
        }
        for row in rows
    ]
    taken = [_around(p["x"], p["y"], 3) for p in points]
    crosses: list[Box] = [(p["x_low"], p["y"], p["x_high"], p["y"]) for p in points]
    crosses += [(p["x"], p["y_high"], p["x"], p["y_low"]) for p in points]
    places = []
    for i, (row, point) in enumerate(zip(rows, points, strict=True)):
        label = cut(row["label"], 0.4 * width)
        others = [_around(p["x"], p["y"], 8) for p in points if p is not point]
        free = [
            (distance + side / 8 + 12 * _count(box, others) + _count(box, crosses), distance, box)
            for side, distance, box in _candidates(point["x"], point["y"], text_width(label), width)
            if distance < _FAR or len(rows) <= MANY or i < FIRST
            if box[1] >= 0 and box[3] <= height
            if not _count(box, taken)
        ]
        if free:
            _, distance, box = min(free)
            taken.append((box[0] - 3, box[1], box[2] + 3, box[3]))
            x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
            at = {"at_x": left + x / width * (right - left)}
            at |= {"at_y": top - y / height * (top - bottom), "far": distance >= _FAR}
            places.append({"label": label, "x": row["x"], "y": row["y"], **at})
    return places


def _around(x: float, y: float, size: float) -> Box:
    return x - size, y - size, x + size, y + size


def _candidates(x: float, y: float, size: float, width: float) -> Iterator[tuple[int, float, Box]]:
    """Yield boxes of a name around a point, each with its side and its distance."""
    for distance in (3.5, 5.0, 9.0, _FAR, 18.0, 26.0):
        for side, (right, down) in enumerate(_SIDES):
            middle = x + right * (size / 2 + distance), y + down * (_SIZE / 2 + distance)
            left = min(max(middle[0] - size / 2, 0), width - size)
            top = middle[1] - _SIZE / 2
            yield side, distance, (left, top, left + size, top + _SIZE)


def _count(box: Box, others: Sequence[Box]) -> int:
    """Return how many others a box overlaps."""
    beside = (box[0] > other[2] or other[0] > box[2] for other in others)
    above = (box[1] > other[3] or other[1] > box[3] for other in others)
    return sum(not one and not other for one, other in zip(beside, above, strict=True))


def spread(
    ends: Mapping[str, float], domain: Sequence[float], height: float, line: float = _SIZE + 1
) -> dict[str, float]:
    """Return where names stand right of the ends of lines, one above the other, on their scale.

    >>> spread({"a": 40, "b": 40}, (0, 80), 80)
    {'a': 40.0, 'b': 31.0}
    """
    low, high = domain
    places, last = dict[str, float](), -line
    for label in sorted(ends, key=lambda label: -ends[label]):
        places[label] = last = max((high - ends[label]) / (high - low) * height, last + line)
    limit = height
    for label in reversed(places):
        places[label] = min(places[label], limit)
        limit = places[label] - line
    return {label: high - place / height * (high - low) for label, place in places.items()}
