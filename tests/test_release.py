"""What is ready for the day when textsimp has a home: workflows, citation, PyPI's page."""

import configparser
import re
import runpy
import subprocess
import sys

import pytest
import yaml

from tests.project import PROJECT
from textsimp.metrics.citations import TEXTSIMP
from textsimp.support import addresses
from textsimp.support.version import __version__

README = (PROJECT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (PROJECT / "Makefile").read_text(encoding="utf-8")
LINKS = re.compile(r"\]\(([^)\s]+)\)")
pytest.importorskip("setuptools", reason="needs what the package is built with")
for_pypi = runpy.run_path(str(PROJECT / "setup.py"), run_name="setup")["for_pypi"]


def test_pypi_shows_no_dead_link_before_there_is_a_home():
    assert all(link.startswith("https://") for link in LINKS.findall(for_pypi(README, "")))
    assert for_pypi("See [the *docs*](docs/cli.md).", "") == "See the *docs*."


def test_pypi_links_to_files_and_pictures_once_there_is_a_home():
    home = "https://code.example/us"
    text = for_pypi(README, home)
    assert len(LINKS.findall(text)) == len(LINKS.findall(README))
    assert all(link.startswith("https://") for link in LINKS.findall(text))
    assert for_pypi("![a](docs/a.png)", home) == f"![a]({home}/raw/main/docs/a.png)"
    assert for_pypi("[a](#extras)", home) == f"[a]({home}/blob/main/README.md#extras)"


def test_a_release_names_the_addresses_that_are_empty():
    command = [sys.executable, "tools/release_check.py", "--final"]
    if addresses.CODE:
        pytest.skip("there is a home")
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "CODE in textsimp/support/addresses.py is empty" in done.stderr


def test_make_test_minimum_pins_each_dependency_at_its_lower_bound():
    (pattern,) = re.findall(r"^AT_LEAST = \^(.*)", MAKEFILE, re.MULTILINE)
    config = configparser.ConfigParser()
    config.read(PROJECT / "setup.cfg")
    extras = config["options.extras_require"]
    lists = [config["options"]["install_requires"], *(extras[n] for n in extras if n != "test")]
    lines = [line for text in lists for line in text.splitlines() if line]
    assert "numpy>=2.0" in lines
    others = [line for line in lines if not re.fullmatch(pattern, f" {line}")]
    assert all(line.startswith("textsimp[") for line in others), others


def test_the_citation_file_is_what_the_command_line_cites():
    cited = yaml.safe_load((PROJECT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == __version__
    assert cited["title"] in TEXTSIMP
    assert cited["authors"] == [{"name": "The textsimp authors"}]
    assert cited.get("repository-code", "") == addresses.CODE


@pytest.mark.parametrize("file", sorted((PROJECT / ".github" / "workflows").glob("*.yml")))
def test_workflows_call_targets_of_the_makefile_only(file):
    workflow = yaml.safe_load(file.read_text(encoding="utf-8"))
    targets = set(re.findall(r"^([\w-]+):", MAKEFILE, re.MULTILINE))
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            if "run" in step:
                called = re.fullmatch(r"make (?:(\S+)|\$\{\{ matrix\.target \}\})", step["run"])
                assert called is not None
                matrix = job.get("strategy", {}).get("matrix", {})
                more = [entry["target"] for entry in matrix.get("include", ())]
                named = [called[1]] if called[1] else [*matrix["target"], *more]
                assert {*named} <= targets
