"""The example corpus, and its systems compared by a single metric."""

from tests.given import columns, systems
from textsimp import compare

COLUMNS = columns()
SOURCES, REFERENCES = COLUMNS.values()
SYSTEMS = systems()


def only(*systems, **options):
    """The comparison by a single metric."""
    (found,) = compare(*systems, **options).values()
    return found
