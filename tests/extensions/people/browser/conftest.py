"""Fixtures of the core's tests, and a report on systems that people rated."""

import pytest

from tests.browser.conftest import (  # noqa: F401
    MANY,
    browser,
    many_systems,
    spaces,
    violations,
    write_report,
)
from tests.extensions.people.browser.rating_pages import (  # noqa: F401
    begun,
    likert,
    pages,
    serve,
)
from textsimp.extensions.people import Judgements


@pytest.fixture(scope="session")
def rated(tmp_path_factory):
    """The address of a report on many systems that people rated."""
    columns = many_systems()
    systems, sources = columns["systems"], columns["sources"]
    places = [(i, j) for i in range(len(systems)) for j in range(len(sources))]
    ratings = {
        "source": sources * len(systems),
        "system": [name for name in systems for _ in sources],
        "prediction": [text for texts in systems.values() for text in texts],
        "fluency": [[1 + (i * j + 2) % 5, 1 + j % 5] for i, j in places],
        "simplicity": [[100 - 7 * i, 10 + j, None] for i, j in places],
    }
    people = Judgements.of(ratings, ["fluency", "simplicity"])
    return write_report(tmp_path_factory, **columns, ratings=people, **MANY)
