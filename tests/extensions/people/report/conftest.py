"""Fixtures of the core's tests."""

from tests.report.conftest import corpus, systems, whole  # noqa: F401
