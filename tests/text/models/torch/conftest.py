"""Models for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.text.models import tiny
from textsimp.text.models import checkpoints

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> Iterator[None]:
    """More only wait for one another in so small a model."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    checkpoints._load.cache_clear()


@pytest.fixture(scope="session")
def bert(tmp_path_factory: Any) -> Path:
    """A folder with a random encoder."""
    return tiny.bert(tmp_path_factory.mktemp("models") / "encoder")


@pytest.fixture(scope="session")
def three(tmp_path_factory: Any) -> Path:
    """A folder with a random classifier of three labels."""
    return tiny.bert(tmp_path_factory.mktemp("models") / "three", ["low", "middle", "high"])


@pytest.fixture(scope="session")
def one(tmp_path_factory: Any) -> Path:
    """A folder with a random regression."""
    return tiny.bert(tmp_path_factory.mktemp("models") / "one", ["score"])
