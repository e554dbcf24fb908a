"""Where texts can be changed: names of people and phrases, by heuristics for English."""

import itertools
import re
from collections.abc import Iterator

Span = tuple[int, int]
"""Start and end of a part of a text, in characters."""

WORD = re.compile(r"\w+")


def vocabulary(text: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(text.split())


_NAME_WORD = re.compile(r"(?:[^\W\d_]\.)+|[^\W\d_]+(?:[-'’](?!s\b)[^\W\d_]+)*")
_TITLES = vocabulary(
    "Mr Mrs Ms Miss Dr Sir Lord Lady King Queen Prince Princess Emperor Empress Pope Saint St "
    "President Senator Governor Professor Captain General Colonel Admiral"
)
_PARTICLES = vocabulary("van von der den de del della di da dos la le bin ibn al")
# What begins a sentence before a name, and what names other things than people.
_NO_FIRST_NAMES = vocabulary(
    "The A An In On At By For From Of To With After Before During Since Until While When Where As "
    "And But Or Both Although Though Because If That This These Those He She It They We I You His "
    "Her Their Its Our My There Then However Later Today Many Most Some All Like Unlike Under "
    "Between Also"
)
_NO_PEOPLE = vocabulary(
    "January February March April May June July August September October November December Monday "
    "Tuesday Wednesday Thursday Friday Saturday Sunday North South East West Northern Southern "
    "Eastern Western New Great United Republic Kingdom Empire States State County City Town "
    "Village District Province Region Island Islands River Lake Sea Ocean Mount Mountain Mountains "
    "Park Street Road Bridge Airport Station University College School Institute Academy Museum "
    "Library Hospital Church Cathedral House Palace Castle Company Corporation Group Bank "
    "Association Society Party Council Court Committee Commission Ministry Department Union "
    "League Cup Championship Championships Festival Award Prize Games Olympics War Battle Army "
    "Navy Air Force National International World American British English French German"
)
_NO_PERSON_AFTER = re.compile(r"\b(?:the|an?|in|at|near)\s$", re.IGNORECASE)
_DELIMITER = re.compile(
    r"""[,;:](?=\s)              # the chunk before has no comma: it goes with what follows
    |\s(?:–|—|-|--)(?=\s)
    |(?<=[.!?])\s+               # another sentence
    |\s?\([^()]*\)               # an aside is a chunk
    |\s(?=(?:and|or|but|nor|yet|because|although|though|while|whereas|when|where|which|who|whose
       |since|until|unless|if|so\ that|as\ well\ as|after|before)\b)""",
    re.VERBOSE,
)
END = re.compile(r"[\s.!?\"'”’]*$")


def persons(text: str) -> list[Span]:
    """Names of people, guessed from capitals: at least two capitalised words in a row.

    A title and a word are a name too (``Mr. Bean``); initials and particles may stand between. Runs
    with a word of places, times or organisations, or after ``in`` or ``near``, are left out.

    Example:
        >>> text = "In 1903 Marie Curie and Mr. Bean met at Oxford University."
        >>> [text[a:b] for a, b in persons(text)]
        ['Marie Curie', 'Mr. Bean']
    """
    names = []
    for run in _runs(text):
        while run and run[0][0] in _NO_FIRST_NAMES:
            del run[0]
        while run and run[-1][0] in _PARTICLES:
            del run[-1]
        words = [word for word, _ in run if word not in _PARTICLES]
        if len(words) < 2 or words[-1] in _TITLES or not _NO_PEOPLE.isdisjoint(words):
            continue
        start = run[0][1][0]
        if not _NO_PERSON_AFTER.search(text, max(0, start - 10), start):
            names.append((start, run[-1][1][1]))
    return names


def _runs(text: str) -> Iterator[list[tuple[str, Span]]]:
    """Capitalised words with nothing but a space, or the stop of a title, between them."""
    run: list[tuple[str, Span]] = []
    for match in _NAME_WORD.finditer(text):
        word = match[0]
        if run:
            last, (_, end) = run[-1]
            gap = text[end : match.start()]
            if last in _TITLES:
                gap = gap.removeprefix(".")
            if gap != " ":
                yield run
                run = []
        capitalised = word[0].isupper() and (
            len(word) == 1 or word[-1] == "." or word[1:] != word[1:].upper()
        )
        if capitalised or (run and word in _PARTICLES):
            run.append((word, match.span()))
        elif run:
            yield run
            run = []
    yield run


def phrases(text: str) -> list[Span]:
    """Chunks between punctuation and conjunctions; and all from the first, or to the last chunk.

    Example:
        >>> text = "He sang, she danced and it rained (hard)."
        >>> [text[a:b] for a, b in phrases(text)][:4]
        ['He sang', ', she danced', ' and it rained', ' (hard)']
    """
    stop = len(END.sub("", text))
    edges = {0, stop}
    for match in _DELIMITER.finditer(text, 0, stop):
        edges.add(match.start())
        if match[0].endswith(")"):
            edges.add(match.end())
    bounds = sorted(edges)
    chunks = [
        (start, end) for start, end in itertools.pairwise(bounds) if WORD.search(text, start, end)
    ]
    if len(chunks) < 2:
        return []
    heads = [(chunks[0][0], end) for _, end in chunks[1:-1]]
    tails = [(start, chunks[-1][1]) for start, _ in chunks[1:-1]]
    return [*chunks, *heads, *tails]


def similarity(one: str, other: str) -> float:
    """Jaccard similarity of the sets of lowercased words: 0 to 1, and 1 of empty ones."""
    a, b = words(one), words(other)
    return len(a & b) / len(a | b) if a or b else 1.0


def words(text: str) -> set[str]:
    """The words of a text, lowercased."""
    return set(WORD.findall(text.lower()))


def sentence_start(text: str, at: int) -> bool:
    """Return whether a sentence begins at a place, judging by the character before it."""
    before = text[:at].rstrip(" \"'“‘(")
    return not before or before[-1] in ".!?\n"
