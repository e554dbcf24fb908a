"""Run all benchmarks, one after the other, and write their one table into README.md beside this.

    python benchmarks/table.py [--data FOLDER] [--also PYTHON]

FOLDER is a corpus for ``sari.py`` and ``commands.py``: source.txt, references/*.txt,
systems/*.txt. PYTHON is another interpreter, for the scripts whose packages this one doesn't have.
A script whose packages neither has is left out, and the page says so. If a script fails, nothing
is written.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import re
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from timing import HEADER, RULE, missed

HERE = Path(__file__).parent
PAGE = HERE / "README.md"
MARKED = re.compile(
    r"(?<=^<!-- bench: table -->\n).*?(?=^<!-- /bench -->$)", re.DOTALL | re.MULTILINE
)
WIDTH = 105


@dataclass(frozen=True)
class Script:
    """A benchmark: its heading in the table, packages whose versions matter, arguments."""

    title: str
    packages: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()


SCRIPTS = {
    "sari": Script("SARI", ("sacrebleu",)),
    "commands": Script("Commands, whole processes", ("sacrebleu", "nltk")),
    "large": Script(
        "Files of many lines",
        arguments=("--lines", "200000", "--pieces", "1000000", "10000000"),
    ),
    "gaming": Script("FKGL and its gaming", ("sacrebleu", "nltk")),
    "splits": Script("Splits", ("datasets",)),
    "report": Script("The report"),
    "report_page": Script("The report in a browser", ("selenium",)),
}
WITH_DATA = ("sari", "commands")
LIBRARIES = ("numpy", "pyarrow")
VERSIONS = """
import importlib.metadata, json, platform, sys
found = {"Python": platform.python_version()}
for name in sys.argv[1:]:
    try:
        found[name] = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        pass
print(json.dumps(found))
"""


def versions(python: str, packages: Iterable[str]) -> dict[str, str]:
    """Package → version, of those that an interpreter has, and of Python."""
    command = [python, "-c", VERSIONS, *dict.fromkeys(packages)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return dict(json.loads(done.stdout))


def measured(python: str, name: str, arguments: Iterable[str]) -> list[list[str]]:
    """The rows that a script prints, in a process of its own, of one thread."""
    paths = [str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    ours = {"OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1"}
    command = [python, str(HERE / f"{name}.py"), *arguments]
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=os.environ | ours)
    lines = [line for line in run.stdout.decode().splitlines() if line.startswith("| ")]
    _, _, *rows = [[cell.strip() for cell in line[2:-2].split(" | ")] for line in lines]
    return rows


def machine() -> str:
    """Processor, cores and memory."""
    file = Path("/proc/cpuinfo")
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    name = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    gigabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    processor = name[1] if name else platform.machine()
    return f"{processor}, {os.cpu_count()} cores, {gigabytes:.0f} GB, {platform.system()}"


def listed(found: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in found.items())


def describe_goals(sections: dict[str, list[list[str]]]) -> str:
    """A sentence on the rows that are above their goals."""
    above = [f"{row[0]} on {row[1]}" for rows in sections.values() for row in rows if missed(row)]
    return f"Above their goals are {'; '.join(above)}." if above else "All goals are met."


def table(sections: dict[str, list[list[str]]]) -> str:
    """One table, a line of it before the rows of each script."""
    lines = [HEADER, RULE]
    for name, rows in sections.items():
        heading = f"**{SCRIPTS[name].title}** (`{name}.py`)"
        lines += [(heading, *[""] * (len(HEADER) - 1)), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run all, then write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="a corpus of ten references")
    parser.add_argument("--also", metavar="PYTHON", help="an interpreter that has other packages")
    options = parser.parse_args(arguments)
    page = PAGE.read_text(encoding="utf-8")
    assert MARKED.search(page), f"{PAGE}: no place for the table"
    pythons = [sys.executable, *filter(None, [options.also])]
    wanted = [*LIBRARIES, *(package for script in SCRIPTS.values() for package in script.packages)]
    has = {python: versions(python, wanted) for python in pythons}
    sections, left_out, elsewhere = {}, [], []
    begin = time.monotonic()
    for name, script in SCRIPTS.items():
        able = [python for python in pythons if {*script.packages} <= {*has[python]}]
        if not able:
            left_out.append(script.title)
            continue
        if able[0] != sys.executable:
            elsewhere.append(script)
        of_data = ["--data", str(options.data)] if options.data and name in WITH_DATA else []
        start = time.monotonic()
        sections[name] = measured(able[0], name, [*script.arguments, *of_data])
        print(f"{name}: {len(sections[name])} rows, {time.monotonic() - start:.0f} s", flush=True)
    today = datetime.date.today()
    head = f"{today.day} {today:%B %Y}; {machine()}; {listed(has[sys.executable])}."
    for script in elsewhere:
        other = {name: has[options.also][name] for name in ("Python", *LIBRARIES, *script.packages)}
        head += f" {script.title} with another interpreter: {listed(other)}."
    for title in left_out:
        head += f" {title} left out: its packages aren't installed."
    head += (
        f" Measured in {(time.monotonic() - begin) / 60:.0f} minutes. {describe_goals(sections)}"
    )
    text = f"{textwrap.fill(head, WIDTH)}\n\n{table(sections)}\n"
    PAGE.write_text(MARKED.sub(lambda _: text, page), encoding="utf-8")


if __name__ == "__main__":
    main()
