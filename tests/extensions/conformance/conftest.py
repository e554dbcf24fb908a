"""Fixtures of the core's tests."""

from tests.conformance.conftest import columns, corpus, goldens, lines, wikismall  # noqa: F401
