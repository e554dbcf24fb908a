"""Models for all tests of this folder."""

import json

import pytest

from tests.extensions.models.networks import tiny
from textsimp.extensions.models.networks import checkpoints

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """More only wait for one another in so small a model."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(autouse=True)
def nothing_kept():
    checkpoints._load.cache_clear()


@pytest.fixture(scope="session")
def bert(tmp_path_factory):
    """A folder with a random encoder."""
    return tiny.bert(tmp_path_factory.mktemp("models") / "encoder")


@pytest.fixture(scope="session")
def three(tmp_path_factory):
    """A folder with a random classifier of three labels."""
    return tiny.bert(tmp_path_factory.mktemp("models") / "three", ["low", "middle", "high"])


@pytest.fixture(scope="session")
def one(tmp_path_factory):
    """A folder with a random regression."""
    return tiny.bert(tmp_path_factory.mktemp("models") / "one", ["score"])


@pytest.fixture(scope="session")
def configured(tmp_path_factory):
    """A folder of sentence-transformers: its vector is that of the first token."""
    pytest.importorskip("sentence_transformers", reason="needs the extra models")
    folder = tiny.bert(tmp_path_factory.mktemp("models") / "configured")
    modules = {"": "Transformer", "1_Pooling": "Pooling"}
    types = [
        {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{name}"}
        for i, (path, name) in enumerate(modules.items())
    ]
    (folder / "1_Pooling").mkdir()
    pooling = {"word_embedding_dimension": 16, "pooling_mode_cls_token": True}
    pooling["pooling_mode_mean_tokens"] = False
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    (folder / "modules.json").write_text(json.dumps(types))
    return folder
