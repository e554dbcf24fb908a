"""Links to examples of a report. The page's hash holds the state, so that it can be sent.

Keys of the state, which all have to hold:

- ``open``: an example, by its number from 1, which is revealed whatever else hides it;
- ``show``: a group of `textsimp.report.example_data.GROUPS`;
- ``system``: whom ``show``, ``sort``, ``only`` and ``q`` are about, else any;
  without it ``sort`` is by the mean of systems;
- ``sort``: what examples are sorted by, with ``-`` from the highest on: ``number``, ``length``,
  ``disagreement``, ``gap`` (of ``a`` over ``b``), or a measure such as ``sari.sari``;
- ``q`` and ``in``: a text, and where it stands: ``source``, ``output`` or ``references``;
- ``only``: ``copies``, ``splits``, ``moves`` or ``empty``;
- ``a``, ``b``, ``by``, ``score``: system A's score, the main one unless another is named, is more
  than ``by`` above that of B; only these two outputs are shown;
- ``lines``: these examples, such as ``3,7,9-12``.

The page says which keys and values it doesn't understand, and does without them.
"""

from urllib.parse import quote, urlencode


def examples(**state: object) -> str:
    """Make a link to examples. Keys of the state that are None or empty are left out.

    >>> examples(system="ours & theirs", lines="3,7,9-11")
    '#?system=ours%20%26%20theirs&lines=3,7,9-11'
    """
    chosen = {key: value for key, value in state.items() if value not in (None, "")}
    return "#?" + urlencode(chosen, quote_via=quote, safe=",:")
