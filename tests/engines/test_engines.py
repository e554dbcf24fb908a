"""Examples with engines, as they are, have the bits of one run, also if a worker is killed."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from itertools import cycle, islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import textsimp
from tests.given import lines
from tests.project import PROJECT

EXAMPLES = PROJECT / "examples" / "engines"
PACKAGES = {"datasets": "multiprocess", "dask": "distributed", "ray": "ray", "spark": "pyspark"}
ROWS, FILES = 20_400, 3  # more than are drawn one by one


@pytest.fixture(scope="session")
def pairs():
    """The example corpus, again and again."""

    def repeated(name):
        return [*islice(cycle(lines(name)), ROWS)]

    return {
        "row": [*range(ROWS)],
        "source": [f"{text} {i}" for i, text in enumerate(repeated("source.txt"))],
        "prediction": repeated("systems/splitter.txt"),
        "references": [[text] for text in repeated("references/0.txt")],
    }


@pytest.fixture
def files(pairs, tmp_path):
    table, size = pa.table(pairs), ROWS // FILES
    paths = [tmp_path / "pairs" / f"{i}.parquet" for i in range(FILES)]
    paths[0].parent.mkdir()
    for i, path in enumerate(paths):
        pq.write_table(table[i * size : (i + 1) * size], path)
    return paths


@pytest.fixture(scope="session")
def expected(pairs):
    scores = textsimp.score(
        pairs["prediction"],
        metrics=["sari", "fkgl_components"],
        sources=pairs["source"],
        references=pairs["references"],
    )
    return json.loads(json.dumps(scores.to_dict()))


def run(folder, *command):
    """Run a command with the environment that engines need in a test."""
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(PROJECT),
        "PYTHONWARNINGS": "ignore",
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "HF_HOME": str(folder / "cache"),
        "HF_HUB_OFFLINE": "1",
    }
    return subprocess.run(
        [*map(str, command)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )


@pytest.mark.slow
@pytest.mark.parametrize("engine", PACKAGES)
def test_an_engine_with_a_killed_worker_has_the_bits_of_one_run(engine, files, expected, tmp_path):
    if not importlib.util.find_spec(PACKAGES[engine]):
        pytest.skip(f"{PACKAGES[engine]} isn't installed; make test-engines runs this")
    if engine == "spark" and not shutil.which("java"):
        pytest.skip("Java isn't installed")
    marker = tmp_path / "killed"
    example = EXAMPLES / f"{engine}_map.py"
    command = [sys.executable, PROJECT / "tests" / "engines" / "killing.py", example, marker]
    result = run(tmp_path, *command, *files)
    assert marker.exists(), result.stderr
    if engine == "datasets":  # which tries nothing again, but keeps what was done
        assert "abruptly died" in result.stderr
        result = run(tmp_path, *command, *files)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout.splitlines()[-1]) == expected


@pytest.mark.slow
def test_jobs_of_slurm_have_the_bits_of_one_run(files, expected, tmp_path):
    def job(i, *before):
        command = ["env", f"SLURM_ARRAY_TASK_ID={i}", f"ROWS={ROWS // FILES}"]
        return run(tmp_path, *before, *command, "bash", EXAMPLES / "slurm.sh").returncode

    assert job(1, "timeout", "--signal=KILL", "0.5") != 0
    assert [job(i) for i in range(FILES)] == [0] * FILES
    merging = f"textsimp merge statistics/*.parquet --rows {ROWS} --json"
    result = run(tmp_path, "bash", "-c", merging)
    assert result.stderr == ""
    found = next(iter(json.loads(result.stdout)["systems"].values()))
    for metric, scores in expected["predictions"].items():
        names = scores.keys() - {"signature"}
        assert {name: found[metric][name] for name in names} == {n: scores[n] for n in names}


@pytest.mark.parametrize("path", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_an_example_is_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 30
