"""Metrics as matrices of statistics: declarations, columns, examples, statistics, scores."""
