"""``textsimp hub models``, and models by name as options of metrics."""

import json

import pytest

from textsimp.extensions.models.extension import EXTENSION
from textsimp.extensions.models.networks.literature import MODELS, RUN

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """What was asked of the Hub, where each model has what ``files`` names."""
    asked = {"files": ["config.json", "model.safetensors"]}

    def snapshot_download(name, **options):
        if not options["local_files_only"]:
            asked[name] = options
        folder = tmp_path / COMMIT
        folder.mkdir(exist_ok=True)
        for file in asked["files"]:
            (folder / file).write_text(asked.get(file, "{}"))
        return str(folder)

    monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot_download)
    return asked


def test_known_models_are_listed_with_licence_and_size(run):
    listed = json.loads(run("hub models --json").stdout)["rows"]
    assert [tuple(known.values()) for known in listed] == [*MODELS]
    for known in MODELS:
        assert known.metric in EXTENSION.metrics
        assert known.licence
        assert known.size
        assert known.about
    assert RUN in [known.name for known in MODELS]
    assert f"tests run those of {RUN} only, and otherwise tiny random" in run("hub models").stdout


def test_a_model_is_downloaded_when_that_is_asked_for(run, hub):
    printed = run("hub models --fetch me/model --revision v1").stdout
    assert printed.startswith("me/model@0123456789ab is in ")
    assert hub["me/model"]["revision"] == "v1"
    assert "*.safetensors" in hub["me/model"]["allow_patterns"]
    assert "*.bin" not in hub["me/model"]["allow_patterns"]


def test_a_lens_model_is_downloaded_with_what_its_encoder_needs(run, hub):
    hub["files"] = ["hparams.yaml"]
    hub["hparams.yaml"] = (
        "class_identifier: unified_metric\nencoder_model: BERT\npretrained_model: their/bert\n"
    )
    assert run("hub models --fetch me/lens").stdout.startswith("me/lens@0123456789ab is in ")
    assert "checkpoints/model.ckpt" in hub["me/lens"]["allow_patterns"]
    assert hub["their/bert"]["allow_patterns"] == ["*.json", "*.txt", "*.model"]


def test_older_weights_are_downloaded_where_there_are_no_others(fails, hub):
    hub["files"] = ["config.json"]
    assert "'me/model' has no weights here" in fails("hub models --fetch me/model")
    assert hub["me/model"]["allow_patterns"][-1] == "*.bin"


def test_a_name_that_the_hub_cannot_have_is_refused(fails):
    assert fails("hub models --fetch ../x").startswith("--fetch: ")
