"""Write a new metric's files; run again, write what follows from what you wrote, and test it.

    python tools/new_metric.py NAME [--title TITLE]     make metric NAME=… [TITLE=…]
    python tools/new_metric.py NAME --without-module    make metric NAME=… MODULE=no

The first run writes a metric that works: the share of predictions that equal a reference. Replace
what says REPLACE. Each run writes tables, BibTeX and the class's place in the reference, tests the
metric by itself, and names the places that are left. If its class has none left, its line and its
example go to the changelog, the module and the card. If nothing is left, the numbers are pinned;
``make`` then runs the tests of all metrics.
"""

from __future__ import annotations

import argparse
import inspect
import re
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pages

from textsimp.metrics import catalogue

PROJECT = pages.PROJECT
CHANGELOG = PROJECT / "CHANGELOG.md"
CATALOGUE = PROJECT / "textsimp" / "metrics" / "catalogue.py"

TEMPLATES = PROJECT / "tools" / "templates"
"""New files by their paths and ``.txt``, in which NAME, CLASS and TITLE are replaced."""
OF_METRIC = ("textsimp/metrics/NAME.py", "tests/literal/NAME.py", "tests/metrics/test_NAME.py")
LIKE_OTHER = ("metrics/NAME/README.md", "metrics/NAME/app.py", "metrics/NAME/requirements.txt")
OF_MODULE = ("metrics/NAME/NAME.py", *LIKE_OTHER)
OTHER = "f1_token"  # whose Space a new one is like


def add_to_catalogue(code: str, entry: str, *, module: bool) -> str:
    """The catalogue's code with a new line at the end of one of its lists."""
    if module:
        return re.sub(r"(?s)(^METRICS = \{.*?)(?=^\})", rf"\1    {entry},\n", code, flags=re.M)
    return re.sub(r"(?m)^(WITHOUT_MODULE = \{[^}]*)\}", rf"\1    {entry},\n}}", code)


def write(name: str, title: str, *, module: bool) -> None:
    """Write the files of a new metric, and name them."""
    class_name = "".join(word.capitalize() for word in name.split("_"))
    texts = {}
    for path in (*OF_METRIC, *OF_MODULE) if module else OF_METRIC:
        text = template(path).replace("NAME", name).replace("CLASS", class_name)
        texts[PROJECT / path.replace("NAME", name)] = text.replace("TITLE", title)
    entry = f'"{name}": "textsimp.metrics.{name}:{class_name}"'
    code = CATALOGUE.read_text(encoding="utf-8")
    texts[CATALOGUE] = add_to_catalogue(code, entry, module=module)
    for path in texts:
        path.parent.mkdir(exist_ok=True)
    pages.write_files(texts, check=False)


def template(path: str) -> str:
    """The template of a file, below what another Space has before its card's description."""
    file = TEMPLATES / f"{path}.txt"
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    if path not in LIKE_OTHER:
        return text
    other = (PROJECT / path.replace("NAME", OTHER)).read_text(encoding="utf-8")
    other = re.sub("(?m)^title: .*", "title: TITLE", other).replace(OTHER, "NAME")
    return other.partition("description: ")[0] + text


def follow(name: str) -> None:
    """Write what follows from the metric's class in other files, if the class is finished."""
    path, *others = files_of(name)
    if "REPLACE" in path.read_text(encoding="utf-8"):
        return
    metric = catalogue.metric_class(name)
    about, class_name = metric.about, metric.__name__
    example = textwrap.dedent(inspect.getdoc(metric).partition("Example:\n")[2])
    example = example.replace(f"from textsimp import {class_name}", "import textsimp")
    example = example.replace(f"{class_name}().score(", f'textsimp.load("{name}").compute(')
    texts = {}
    for path in (path for path in others if path.suffix in (".py", ".md")):
        text = path.read_text(encoding="utf-8").replace("REPLACE: about", about)
        indent = " " * 8 if path.suffix == ".py" else ""
        texts[path] = text.replace(f"{indent}REPLACE: example", textwrap.indent(example, indent))
    changes = CHANGELOG.read_text(encoding="utf-8")
    if f"The metric `{name}`" not in changes:
        line = f"- The metric `{name}`: {about}.\n"
        texts[CHANGELOG] = changes.replace("\n- ", f"\n{line}- ", 1)
    pages.write_files(texts, check=False)


def files_of(name: str) -> list[Path]:
    """The files that hold a metric and its tests."""
    paths = [path.replace("NAME", name) for path in (*OF_METRIC, *OF_MODULE)]
    return [PROJECT / path for path in paths if (PROJECT / path).exists()]


def places_left(name: str) -> list[str]:
    """The places that say REPLACE, with file and line, but for those that scripts write."""
    return [
        f"{path.relative_to(PROJECT).as_posix()}:{number}: {line.strip()}"
        for path in files_of(name)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if "REPLACE" in line and "REPLACE: " not in line and not line.startswith("| ")
    ]


def run(*command: str) -> int:
    """Run a script of Python, and print how long it took."""
    start = time.monotonic()
    status = subprocess.run([sys.executable, *command], cwd=PROJECT, check=False).returncode
    took = f"{command[-1]}, {time.monotonic() - start:.0f} s"
    print(f"{'done' if status == 0 else 'FAILED'}: {took}", flush=True)
    return status


def main() -> int:
    """Write the files of a metric, or what follows from them; 0 if nothing is left to do."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("name", metavar="NAME", help="such as f1_token")
    parser.add_argument("--title", help="what people call it, such as chrF")
    parser.add_argument("--without-module", action="store_true", help="no module for evaluate")
    arguments = parser.parse_args()
    name = arguments.name
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
        parser.error(f"NAME: expected lowercase words joined by _, got {name!r}")
    if name not in catalogue.all_names():
        if (PROJECT / "textsimp" / "metrics" / f"{name}.py").exists():
            parser.error(f"NAME: there is a file textsimp/metrics/{name}.py already")
        title = arguments.title or name.replace("_", " ").capitalize()
        write(name, title, module=not arguments.without_module)
        failed = 0
    else:
        failed = run("-m", "doctest", "-o", "ELLIPSIS", f"textsimp/metrics/{name}.py")
    if not failed:
        follow(name)  # which copies the example
    failed = failed or run("tools/tables.py")
    failed = failed or run("-m", "pytest", "-x", "-q", f"tests/metrics/test_{name}.py")
    left = places_left(name)
    if left:
        print(*left, f"next: replace these {len(left)}, and run the same command again", sep="\n")
    return int(failed or left != [] or run("-m", "tests.pinned", name))


if __name__ == "__main__":
    sys.exit(main())
