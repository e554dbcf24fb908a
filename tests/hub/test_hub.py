"""How users get a module: each way in a process of its own, in another directory."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import textsimp
from textsimp import hub
from textsimp.metrics import catalogue
from textsimp.support.errors import InputError

PROJECT = Path(__file__).parents[2]
FIRST = min(catalogue.METRICS)


@pytest.fixture
def environment(tmp_path):
    """Caches of its own, and evaluate's own switch for working offline."""
    caches = {"HF_HOME": str(tmp_path / "hf"), "HF_EVALUATE_OFFLINE": "1"}
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "PYTHON", "XDG_"))}
    return {**kept, **caches}


def python(code, environment, folder):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_module_loads_from_its_path_without_a_word(environment):
    code = """
    import evaluate, textsimp
    row = {"sources": ["It sat ."], "predictions": ["It sat ."], "references": ["It sat ."]}
    for module in (
        evaluate.load("metrics/sari"),
        evaluate.load("metrics/sari/sari.py"),
        textsimp.load("sari"),
        textsimp.load("sari", "xu", experiment_id="a"),
    ):
        print(module.compute(**row)["signature"].partition("|")[0])
    """
    done = python(code, environment, PROJECT)
    assert (done.stdout.split(), done.stderr) == (["sari"] * 4, "")


@pytest.mark.parametrize("namespace", ["", "a/b", "../../x", "-a", "a--b", "a\n", 5])
def test_a_bad_namespace_is_refused(namespace):
    with pytest.raises(InputError, match="namespace: expected a user or organisation, got"):
        hub.register(namespace)


def test_registered_names_resolve_until_the_block_ends(environment, tmp_path):
    code = """
    import evaluate, textsimp
    before = evaluate.loading.evaluation_module_factory
    with textsimp.register():
        print(evaluate.load("textsimp/sari").name, evaluate.load("d_sari").name)
    assert evaluate.loading.evaluation_module_factory is before
    textsimp.register()
    print(evaluate.load("textsimp/sari").name)
    try:
        evaluate.load("sari")  # the Hub's, which can't be asked offline
    except FileNotFoundError:
        print("none")
    """
    done = python(code, environment, tmp_path)
    assert done.stdout.split() == ["sari", "d_sari", "sari", "none"], done.stderr


def test_an_alias_is_loaded_with_its_variant():
    texts = {"predictions": ["A cat sat. It slept."]}
    loaded = textsimp.load("fkgl").compute(**texts)
    assert loaded == textsimp.FkglComponents("easse").score(**texts).to_dict()
    assert "|variant:easse|" in loaded["signature"]
    for chosen in (textsimp.load("fkgl", "textstat"), textsimp.load("fkgl", variant="textstat")):
        assert "|variant:textstat|" in chosen.compute(**texts)["signature"]
    with pytest.raises(InputError, match="it is 'fkgl_components' with variant='easse'"):
        hub.path("fkgl")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sarri", f"unknown module 'sarri' (did you mean 'sari'?): expected one of {FIRST}"),
        ("D-SARI", "unknown module 'D-SARI' (did you mean 'd_sari'?)"),
        (["sari"], "unknown module ['sari']: expected one of"),
        ("bleu", "'bleu' is no module of textsimp, since evaluate has its own: textsimp.compare("),
        *(
            (name, f"{name!r} is no module, since it asks a pretrained model: textsimp.{cls}(model")
            for name, path in catalogue.WITH_MODEL.items()
            for cls in [path.partition(":")[2]]
        ),
    ],
)
def test_what_is_no_module_is_refused(name, message):
    with pytest.raises(InputError) as error:
        textsimp.load(name)
    assert str(error.value).startswith(message)


def test_rooms_are_imported_when_they_are_asked_for():
    code = """
    import sys, textsimp
    found = {name for name in sys.modules if name.startswith(("textsimp.", "numpy"))}
    assert found == {"textsimp.support", "textsimp.support.version"}, found
    assert {"audits", "documents", "report", "splits", "trainer"} <= {*dir(textsimp)}
    assert textsimp.splits is sys.modules["textsimp.splits"]
    assert textsimp.InputError.__name__ == "InputError"
    assert not hasattr(textsimp, "spilts")
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)


@pytest.mark.slow
def test_a_type_checker_finds_mistyped_options_and_names(tmp_path):
    pytest.importorskip("mypy")
    lines = [
        "import textsimp",
        "sari = textsimp.Sari('xu', tokenizer='none', per_order=True)",
        "sari.score(sources=['a'], predictions=['a'], references=[['a']], confidence=0.95)",
        "textsimp.Sari(varaint='xu')  # error",
        "textsimp.Sari(per_order='yes')  # error",
        "textsimp.Saari()  # error",
        "textsimp.load('sari', 'xu', seed=3).compute(predictions=['a'])",
        "textsimp.splits.random_split",
        "textsimp.spilts  # error",
    ]
    script = tmp_path / "use.py"
    script.write_text("\n".join(lines))
    options = ["--config-file", os.devnull, "--follow-imports", "silent"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, script.name],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        check=False,
    )
    wrong = {int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error: " in line}
    expected = {number for number, line in enumerate(lines, 1) if line.endswith("# error")}
    assert wrong == expected, done.stdout
