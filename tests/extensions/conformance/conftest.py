"""Fixtures of the core's tests."""

from tests.conformance.conftest import *  # noqa: F403
