"""Fixtures of the core's tests."""

from tests.conformance.conftest import (  # noqa: F401
    annotated,
    columns,
    corpus,
    goldens,
    lines,
    of_kind,
    wikismall,
)
