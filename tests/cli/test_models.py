"""``textsimp hub models``, and models by name as options of metrics."""

import json

import pytest

from textsimp.cli.score import parse_configuration, parse_options
from textsimp.metrics import catalogue
from textsimp.support.errors import InputError
from textsimp.text.models.literature import MODELS, RUN

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """What was asked of the Hub, where each model has what ``files`` names."""
    asked = {"files": ["config.json", "model.safetensors"]}

    def snapshot_download(name, **options):
        asked.setdefault(name, options)
        folder = tmp_path / COMMIT
        folder.mkdir(exist_ok=True)
        for file in asked["files"]:
            (folder / file).write_text(asked.get(file, "{}"))
        return str(folder)

    monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot_download)
    return asked


def test_known_models_are_listed_with_licence_and_size(run):
    listed = json.loads(run("hub models --json").stdout)
    assert [tuple(known.values()) for known in listed] == [*MODELS]
    for known in MODELS:
        assert known.metric in catalogue.WITH_MODEL
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


def test_pickles_are_downloaded_only_on_request(fails, hub):
    hub["files"] = ["config.json"]
    assert fails("hub models --fetch me/model") == (
        "--fetch: me/model has no weights in safetensors; --pickles downloads pickles, which can "
        "run code when they are loaded"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("hub models --fetch ../x", "--fetch: expected a folder or a name on the Hub, got '../x'"),
        ("hub models --revision v1", "--revision and --pickles go with --fetch NAME"),
        ("hub models level --fetch me/x", "--fetch NAME goes with --revision and --pickles only"),
        ("hub models sari", "expected one of"),
    ],
)
def test_what_does_not_go_together_is_refused(fails, arguments, message):
    assert fails(arguments).startswith(message)


def test_options_may_stand_behind_a_metrics_name():
    assert parse_options(["sari:variant=xu:lowercase=false,bleu"], ["bleu.lowercase=False"]) == {
        "sari": {"variant": "xu", "lowercase": False},
        "bleu": {"lowercase": False},
    }


def test_values_may_have_colons():
    written = r"sari:aligner=embedding:all-MiniLM-L6-v2:level=aligned:x=C:\models"
    assert parse_configuration(written) == (
        "sari",
        {"aligner": "embedding:all-MiniLM-L6-v2", "level": "aligned", "x": r"C:\models"},
    )


def test_values_may_have_commas_where_no_metric_follows():
    written = "level:model=one/a,two/b,bleu:lowercase=False"
    assert parse_options([written], []) == {
        "level": {"model": "one/a,two/b"},
        "bleu": {"lowercase": False},
    }
    assert list(parse_options(["sari:variant=xu,bleu,d-sari"], [])) == ["sari", "bleu", "d_sari"]


def test_an_underscore_makes_no_number():
    """Python reads ``1_0`` as 10; the option's check refuses the text."""
    assert parse_options(["bleu:level=aligned:threshold=0_1"], [])["bleu"]["threshold"] == "0_1"


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("sari:xu", "-m: expected NAME:OPTION=VALUE, got 'sari:xu'"),
        ("sari:=xu", "-m: expected NAME:OPTION=VALUE, got 'sari:=xu'"),
        ("sari:variant=xu:variant=easse", "-m: variant is given twice in"),
        ("sari,sari:variant=xu", "-m: sari is given twice, with other options: 'sari:variant=xu'"),
        ("sary:variant=xu", "unknown metric 'sary' (did you mean 'sari'?)"),
    ],
)
def test_what_is_no_form_of_a_metric_is_refused(written, message):
    with pytest.raises(InputError) as caught:
        parse_options([written], [])
    assert str(caught.value).startswith(message)
