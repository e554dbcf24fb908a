"""Settings that all tests share."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Generator
from types import ModuleType, SimpleNamespace

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
    *("sklearn", "starlette", "vl_convert", "wordfreq"),
)
MISSING = {name for name in OF_EXTRAS if importlib.util.find_spec(name) is None}


@pytest.fixture(scope="session", autouse=True)
def _skipped_without_its_extra() -> Generator[None]:
    """A test that `textsimp.extras.require`s a library which isn't installed is skipped.

    At once: hypothesis would take minutes to find the smallest example of an ImportError.
    """

    def import_or_skip(module: str) -> ModuleType:
        name = module.split(".")[0]
        if name in MISSING:
            pytest.skip(f"{name} is not installed")
        return importlib.import_module(module)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("textsimp.extras.importlib", SimpleNamespace(import_module=import_or_skip))
        yield
