"""Settings that all tests share."""

from __future__ import annotations

from collections.abc import Generator
from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, settings

# The same examples every time, so that a run in CI fails for a change and not for bad luck.
settings.register_profile(
    "textsimp",
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("textsimp")

OF_EXTRAS = (
    *("gradio", "jinja2", "matplotlib", "pyphen", "pysbd", "sacremoses", "scipy"),
    *("starlette", "vl_convert", "wordfreq"),
)


def skip_or_raise(error: ImportError) -> None:
    """Skip a test for what `textsimp.extras.require` says of an extra that isn't installed."""
    for name in OF_EXTRAS:
        if str(error).startswith(f"This needs {name}, which") and find_spec(name) is None:
            pytest.skip(str(error))
    raise error


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None]:
    try:
        yield
    except ImportError as error:
        skip_or_raise(error)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None]:
    try:
        yield
    except ImportError as error:
        skip_or_raise(error)
