"""Score and compare systems, and explain printed scores.

- In: systems, sources and references, or statistics that were saved.
- Out: results with intervals and tests, a verdict in words, and explanations of printed scores.
- Read ``comparison.py`` first, then ``verdict.py``, which chooses among the sentences of
  ``headlines.py``, and ``explanation.py``.
"""
