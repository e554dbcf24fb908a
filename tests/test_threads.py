"""Any number of threads may call a metric's `score` at once, even if none has done so before."""

import json
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import textsimp
from tests.given import columns, given_to, systems
from tests.project import PROJECT
from textsimp.metrics.catalogue import metric_class, names

THREADS, ROWS = 8, 3

# All metrics, and forms for which other libraries work.
FORMS = [
    *((name, {}) for name in names()),
    *(("sari", {"tokenizer": name}) for name in ("intl", "zh", "moses", "ja-mecab", "ko-mecab")),
    ("sari", {"level": "aligned"}),
    ("d_sari", {"splitter": "pysbd"}),
    ("d_sari", {"splitter": "nltk-punkt-de"}),
    ("fkgl_components", {"syllables": "pyphen-en_US"}),
    ("readability", {"language": "de"}),
    ("readability", {"dale_chall": True}),
    ("bleu", {"tokenizer": "intl"}),
]

pytestmark = pytest.mark.filterwarnings("ignore::textsimp.core.examples.ScriptWarning")


def some(metric, i):
    """The examples of a thread."""
    texts = {**columns(), "predictions": systems()["substituter"]}
    rows = slice(i * ROWS, (i + 1) * ROWS)
    return given_to(metric, {name: column[rows] for name, column in texts.items()})


def scores(metric, i):
    """As they are written, so that those of two processes can be compared."""
    found = metric.score(**some(type(metric), i), per_example=True)
    return json.loads(json.dumps(found.to_dict()))


def at_once(work):
    """What as many threads return that begin together and take turns as often as they can."""
    start = threading.Barrier(THREADS)

    def wait_and_work(i):
        start.wait()
        return work(i)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            return [*pool.map(wait_and_work, range(THREADS))]
    finally:
        sys.setswitchinterval(interval)


def print_scores():
    """What a fresh process runs: scores of every form by threads; None where an extra is missing.

    Lists of words and the like are read when they are first needed, and what was made of them is
    remembered, so that a process that has scored before would hide that threads found half a list.
    """
    found = []
    for name, options in FORMS:
        try:
            metric = metric_class(name)(**options)
            found.append(at_once(lambda i, metric=metric: scores(metric, i)))
        except ImportError:
            found.append(None)
    print(json.dumps(found))


@pytest.fixture(scope="module")
def by_threads():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", "import tests.test_threads as t; t.print_scores()"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), FORMS)
def test_threads_that_share_a_metric_score_as_one(by_threads, name, options):
    metric = metric_class(name)(**options)
    expected = [scores(metric, i) for i in range(THREADS)]
    assert by_threads[FORMS.index((name, options))] == expected


@pytest.mark.filterwarnings("ignore:3 examples")
def test_threads_may_compare():
    def compared(i):
        given = some(metric_class("sari"), i)
        systems = {"copy": given["sources"], "system": given.pop("predictions")}
        found = textsimp.compare(systems, metric=["sari", "bleu"], **given, resamples=20, seed=i)
        return {name: comparison.to_dict() for name, comparison in found.items()}

    assert at_once(compared) == [compared(i) for i in range(THREADS)]


def test_threads_may_each_have_a_module(tmp_path):
    """Modules keep what is added in files: each needs an ``experiment_id`` of its own."""
    modules = [
        textsimp.load("sari", experiment_id=f"thread{i}", cache_dir=str(tmp_path))
        for i in range(THREADS)
    ]

    def computed(i):
        given = some(metric_class("sari"), i)
        for k in range(ROWS):
            modules[i].add_batch(**{name: column[k : k + 1] for name, column in given.items()})
        return modules[i].compute()["sari"]

    sari = metric_class("sari")()
    expected = [sari.score(**some(type(sari), i))["sari"] for i in range(THREADS)]
    assert at_once(computed) == expected
