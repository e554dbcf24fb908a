"""Metrics as matrices of statistics: declarations, columns, examples, statistics, scores.

- In: columns of texts, which `Examples` checks once.
- Out: `Scores` with intervals, and comparisons of systems with paired tests.
- Read ``metric.py`` first, then ``sample.py``: rows of statistics whose sums become numbers.
"""
