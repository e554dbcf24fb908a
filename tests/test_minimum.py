"""The constraints with which ``make test-minimum`` runs are the minima that setup.cfg declares."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "tools" / "minimum.py"
SETUP = """
[metadata]
name = ours
[options]
install_requires =
    first>=1.2,<3
    second-one>=4
[options.extras_require]
small = third>=0.1
large =
    ours[small]
    fourth[some]>=5
test =
    ours[large]
    pytest
"""


@pytest.fixture(scope="module")
def constraints():
    return runpy.run_path(str(SCRIPT))["constraints"]


def test_each_lower_bound_is_pinned_but_those_of_the_tests(constraints):
    assert constraints(SETUP) == ["first==1.2", "second-one==4", "third==0.1", "fourth==5"]


@pytest.mark.parametrize("requirement", ["first", "first<3", "first==1", "first>1"])
def test_a_dependency_without_a_lower_bound_is_refused(constraints, requirement):
    with pytest.raises(ValueError, match=f"lower bound.*, got {requirement}$"):
        constraints(SETUP.replace("first>=1.2,<3", requirement))


def test_the_script_prints_those_of_this_project():
    done = subprocess.run([sys.executable, SCRIPT], capture_output=True, check=True, text=True)
    pins = dict(line.split("==") for line in done.stdout.splitlines())
    assert {"evaluate", "datasets", "numpy", "sacrebleu", "gradio"} <= set(pins)
    assert "pytest" not in pins
