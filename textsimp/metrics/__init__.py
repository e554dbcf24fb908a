"""The metrics, each in the file of its name.

- In: columns of texts, labels or parses, and the options that a metric declares.
- Out: statistics of each example, and scores of their sums.
- Read ``f1_token.py`` first, then ``catalogue.py``, which knows all metrics by name.
"""
