"""How users get a module: each way in a process of its own, in another directory."""

import multiprocessing
import os
import re
import subprocess
import sys
import textwrap
import time

import pytest
from click.testing import CliRunner
from evaluate.loading import CachedEvaluationModuleFactory

import textsimp
from tests.project import PROJECT
from textsimp import hub
from textsimp.cli import main
from textsimp.metrics import catalogue
from textsimp.support.errors import InputError

FIRST = min(catalogue.METRICS)
USE = """
import evaluate
module = {load}
row = {{"sources": ["It sat ."], "predictions": ["It sat ."], "references": ["It sat ."]}}
print(module.compute(**row)["signature"].split("|")[0])
"""


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


def textsimp_hub(command, environment):
    result = CliRunner(env=environment).invoke(main, ["hub", command])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_modules_load_by_paths_and_by_names_that_are_registered_without_a_word(environment):
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
    done = python(code, environment, PROJECT)
    by_path, by_name = ["sari"] * 4, ["sari", "d_sari", "sari", "none"]
    assert (done.stdout.split(), done.stderr) == ([*by_path, *by_name], "")


def test_installed_modules_load_by_name_until_they_are_removed(environment, tmp_path):
    environment["HF_EVALUATE_OFFLINE"] = "0"
    # Port 9 is closed: a network that refuses at once.
    environment["HF_ENDPOINT"] = "http://127.0.0.1:9"
    printed = textsimp_hub("install", environment)
    *loads, last, absent, warning = printed.splitlines()
    assert 'evaluate.load("textsimp/sari")' in loads
    assert 'evaluate.load("sari")' not in loads
    assert 'evaluate.load("d_sari")' in loads
    assert last == ('evaluate.load("sari") is the Hub\'s; ours is evaluate.load("textsimp/sari")')
    assert {*catalogue.all_names()} - {*catalogue.METRICS} <= {*re.findall(r"\w+", absent)}
    assert "latest cached version" in warning
    load = 'evaluate.load("d_sari"); module = evaluate.load("textsimp/sari")'
    done = python(USE.format(load=load), environment, tmp_path)
    assert done.stdout.strip() == "sari", done.stderr
    textsimp_hub("remove", environment)
    assert list(tmp_path.rglob("d_sari.py")) == []


def test_upgrading_replaces_what_an_older_version_wrote(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_MODULES_CACHE", str(tmp_path / "cache"))
    hub.install_modules()
    base = tmp_path / "cache" / "evaluate_modules" / "metrics" / "textsimp--sari"
    (installed,) = base.glob("*/sari.py")
    older = base / ("0" * 64)
    installed.parent.rename(older)
    hub.install_modules()
    assert [script.parent.name for script in base.glob("*/sari.py")] == [installed.parent.name]


@pytest.mark.parametrize("cached", ["evaluate-metric--sari", "textsimp--sari"])
def test_what_evaluate_cached_itself_is_left_alone(cached, monkeypatch, tmp_path):
    monkeypatch.setenv("HF_MODULES_CACHE", str(tmp_path))
    theirs = tmp_path / "evaluate_modules" / "metrics" / cached / ("a" * 64)
    theirs.mkdir(parents=True)
    (theirs / "sari.py").write_text("theirs")
    (theirs.parent / "__init__.py").touch()  # as evaluate does
    hub.install_modules()
    hub.remove_modules()
    left = [path.name for path in theirs.parent.rglob("*.py")]
    assert sorted(left) == ["__init__.py", "sari.py"]
    assert (theirs / "sari.py").read_text() == "theirs"
    assert len(list(theirs.parent.parent.glob("*--*"))) == 1


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_MODULES_CACHE", str(tmp_path / "evaluate_modules"))
    return tmp_path / "evaluate_modules" / "evaluate_modules" / "metrics"


def installed(cache):
    """What evaluate finds in a cache: name → script."""
    scripts = {}
    for folder in cache.glob("*--*"):
        if any(len(code.name) == 64 for code in folder.iterdir()):
            found = CachedEvaluationModuleFactory(
                folder.name, "metrics", str(cache.parent)
            ).get_module()
            script = cache.parent.parent / (found.module_path.replace(".", "/") + ".py")
            assert (script.parent / "__init__.py").is_file()
            scripts[folder.name] = script.read_bytes()
    return scripts


def whole():
    """All of them, as they are after `install_modules`."""
    return {
        cached: (hub.path(name) / f"{name}.py").read_bytes()
        for name in hub.names()
        for cached in (f"textsimp--{name}", f"evaluate-metric--{name}")
        if cached != "evaluate-metric--sari"
    }


def at_once(*functions):
    """Run functions in processes that begin together; their exit codes."""
    context = multiprocessing.get_context("fork")
    start = context.Barrier(len(functions))

    def run(function):
        start.wait()
        function()

    processes = [context.Process(target=run, args=(function,)) for function in functions]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return [process.exitcode for process in processes]


def test_four_processes_may_install_at_once(cache):
    assert at_once(*[hub.install_modules] * 4) == [0] * 4
    assert installed(cache) == whole()


def test_installed_modules_are_newer_than_what_evaluate_cached_itself(cache):
    theirs = cache / "textsimp--sari" / ("a" * 64) / "sari.py"
    theirs.parent.mkdir(parents=True)
    for _ in range(2):  # beside what is there, and again when it became newer
        theirs.write_text("theirs")
        os.utime(theirs, (time.time() - 10, time.time() - 10))
        hub.install_modules()
        assert installed(cache)["textsimp--sari"] == whole()["textsimp--sari"]
        for script in cache.glob("textsimp--sari/*/sari.py"):
            os.utime(script, (time.time() - 20, time.time() - 20))


def test_removing_says_when_there_was_nothing(environment, tmp_path):
    for _ in range(2):
        told = textsimp_hub("remove", environment)
        assert told == "Nothing to remove: no modules are installed.\n"
    assert not (tmp_path / "hf").exists()


def test_an_alias_is_loaded_with_its_variant():
    texts = {"predictions": ["A cat sat. It slept."]}
    loaded = textsimp.load("fkgl").compute(**texts)
    assert loaded == textsimp.FkglComponents("easse").score(**texts).to_dict()
    assert "|variant:easse|" in loaded["signature"]
    for chosen in (textsimp.load("fkgl", "textstat"), textsimp.load("fkgl", variant="textstat")):
        assert "|variant:textstat-0.7.4|" in chosen.compute(**texts)["signature"]
    with pytest.raises(InputError):
        hub.path("fkgl")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sarri", f"module: expected one of '{FIRST}'"),
        (["sari"], "module: expected one of"),
        *((n, f"{n!r} is no module of textsimp") for n in ("bleu", "column")),
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
    assert {"documents", "report", "splits", "trainer"} <= {*dir(textsimp)}
    assert textsimp.splits is sys.modules["textsimp.splits"]
    assert textsimp.InputError.__name__ == "InputError"
    assert not hasattr(textsimp, "spilts")
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)
