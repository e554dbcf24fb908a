"""Write the files of a new metric, which run at once and wait for its formula.

    python tools/new_metric.py NAME
    python tools/new_metric.py NAME --without-module    if `evaluate` has a module for it, like BLEU

The files hold a metric that works: the share of predictions that equal a reference. What says
REPLACE is to be replaced; ``make test-metric NAME=NAME`` names the places that are left.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

from textsimp.metrics import catalogue
from textsimp.support.version import __version__

PROJECT = Path(__file__).parents[1]
CATALOGUE = PROJECT / "textsimp" / "metrics" / "catalogue.py"

METRIC = '''\
"""TITLE: REPLACE by what it measures and the paper that it is from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Preset, Score
from textsimp.core.metric import Floats, MeanMetric
from textsimp.metrics import options


@dataclass(frozen=True)
class CLASS(MeanMetric):
    """REPLACE by the definition, with its formula.

    Example:
        >>> from textsimp import CLASS
        >>> columns = {"predictions": ["The cat sat."], "references": [["The cat sat."]]}
        >>> round(CLASS().score(**columns)["NAME"], 2)
        100.0
    """

    name: ClassVar[str] = "NAME"
    about: ClassVar[str] = "REPLACE by a line"
    papers: ClassVar = ()  # REPLACE by keys of textsimp/metrics/citations.bib
    columns: ClassVar = (SOURCES.optional, PREDICTIONS, REFERENCES)
    presets: ClassVar = {"default": Preset("REPLACE by what this variant is")}
    scores: ClassVar = (Score("NAME", "TITLE", about, better="higher"),)

    lowercase: bool = options.lowercase()

    def prepare(self, sources: list[str] | None, references: list[list[str]] | None) -> Any:
        """Compute what depends on the shared columns only, once for all systems."""
        assert references is not None
        return [{self._cased(text) for text in row} for row in references]

    def numbers(self, prepared: Any, predictions: list[str]) -> Floats:
        """Return (n,) numbers of the examples, whose mean is the score."""
        rows = zip(predictions, prepared, strict=True)
        return np.array([100.0 * (self._cased(text) in references) for text, references in rows])

    def _cased(self, text: str) -> str:
        return text.lower() if self.lowercase else text
'''

LITERAL = '''\
"""TITLE as the paper defines it, slow and plain: REPLACE by the paper."""

from __future__ import annotations


def NAME(prediction: str, references: list[str]) -> float:
    return 100.0 * (prediction in references)
'''

TESTS = '''\
"""TITLE is what its definition says."""

from __future__ import annotations

from statistics import fmean

import pytest
from hypothesis import given

from tests import strategies
from tests.literal.NAME import NAME
from textsimp import CLASS


@given(columns=strategies.columns())
def test_scores_equal_the_literal_definition(columns: dict[str, list]) -> None:
    rows = zip(columns["predictions"], columns["references"], strict=True)
    expected = [NAME(prediction, references) for prediction, references in rows]
    scores = CLASS(lowercase=False).score(**columns, per_example=True)
    assert scores["NAME_per_example"] == pytest.approx(expected, abs=1e-9)
    assert scores["NAME"] == pytest.approx(fmean(expected), abs=1e-9)


@pytest.mark.parametrize(  # REPLACE by cases that you have worked out by hand
    ("prediction", "reference", "expected"),
    [("", "", 100), ("", "a", 0), ("a b", "A b", 100)],
)
def test_edges(prediction: str, reference: str, expected: float) -> None:
    scores = CLASS().score(predictions=[prediction], references=[[reference]])
    assert scores["NAME"] == pytest.approx(expected)
'''

MODULE = '''\
"""TITLE for Hugging Face evaluate; the metric is ``textsimp.CLASS``."""

import evaluate

import textsimp.hub.module
import textsimp.metrics.NAME


class CLASS(textsimp.hub.module.Module):
    """REPLACE by a line.

    Examples:

        >>> import textsimp
        >>> columns = {"predictions": ["The cat sat."], "references": [["The cat sat."]]}
        >>> result = textsimp.load("NAME").compute(**columns)
        >>> round(result["NAME"], 2)
        100.0
    """

    metric_class = textsimp.metrics.NAME.CLASS

    def _info(self) -> evaluate.MetricInfo:
        return self.make_info()
'''

APP = """\
import textsimp.demo

demo = textsimp.demo.build_demo("NAME")

if __name__ == "__main__":
    demo.launch()
"""

CARD = """\
---
title: TITLE
emoji: 🧩
colorFrom: blue
colorTo: green
sdk: gradio
sdk_version: 6.31.0
python_version: "3.11"
app_file: app.py
pinned: false
license: apache-2.0
tags:
  - evaluate
  - metric
  - text-simplification
description: >-
  REPLACE by a sentence.
---

# Metric card for TITLE

## Metric description

REPLACE by what it measures, how, and what it is for.

## How to use

```python
>>> import textsimp
>>> columns = dict(predictions=["The cat sat."], references=[["The cat sat."]])
>>> result = textsimp.load("NAME").compute(**columns)
>>> round(result["NAME"], 2)
100.0

```

Without `evaluate`:

```python
>>> print(textsimp.CLASS().score(**columns))  # doctest: +ELLIPSIS
TITLE 100.00 (NAME|variant:default|...)

```

### Inputs

- **predictions**: the simplifications, a list of strings. A list, tuple, `datasets` column,
  NumPy array, pandas Series or Arrow array.
- **references**: one string or a list of strings per prediction. Their number may vary.
- **sources**: optional, and not looked at.

Empty strings are legal. Anything else that isn't a string, rows without references, and columns of
different lengths raise one `textsimp.InputError` that names the column and the row.

### Options

<!-- options: NAME -->
<!-- end -->

Options given to `textsimp.load` are defaults for `compute`. There is one `variant`, `"default"`.

### Output values

| key | |
|---|---|
| `NAME` | REPLACE by the formula; 0 to 100, higher is better |
| `signature` | a string to print beside the score |

### Values from popular papers

REPLACE by published values that this metric reproduces, or say that there are none.

## Limitations and bias

- REPLACE by what the score can't do.

## Citation

REPLACE by the output of `textsimp metrics --cite NAME`.
"""

OF_METRIC = {
    "textsimp/metrics/NAME.py": METRIC,
    "tests/literal/NAME.py": LITERAL,
    "tests/metrics/test_NAME.py": TESTS,
}
OF_MODULE = {
    "metrics/NAME/NAME.py": MODULE,
    "metrics/NAME/app.py": APP,
    "metrics/NAME/requirements.txt": f"textsimp[demo]=={__version__}\n",
    "metrics/NAME/README.md": CARD,
}


def add_to_catalogue(code: str, name: str, entry: str, *, module: bool) -> str:
    """The catalogue's code with a new line at the end of one of its lists."""
    if module:
        return re.sub(r"(?s)(^METRICS = \{.*?)(?=^\})", rf"\1    {entry},\n", code, flags=re.M)
    return re.sub(r"(?m)^(WITHOUT_MODULE = \{[^}]*)\}", rf"\1    {entry},\n}}", code)


def write(name: str, *, module: bool) -> list[str]:
    """Write the files; return their names."""
    class_name = "".join(word.capitalize() for word in name.split("_"))
    title = name.replace("_", " ")
    title = title[0].upper() + title[1:]
    files = OF_METRIC | (OF_MODULE if module else {})
    written = []
    for path, template in files.items():
        file = PROJECT / path.replace("NAME", name)
        file.parent.mkdir(exist_ok=True)
        text = template.replace("NAME", name).replace("CLASS", class_name).replace("TITLE", title)
        file.write_text(text, encoding="utf-8")
        written.append(path.replace("NAME", name))
    code = CATALOGUE.read_text(encoding="utf-8")
    entry = f'"{name}": "textsimp.metrics.{name}:{class_name}"'
    CATALOGUE.write_text(add_to_catalogue(code, name, entry, module=module), encoding="utf-8")
    return [*written, CATALOGUE.relative_to(PROJECT).as_posix()]


def main() -> None:
    """Write the files of a metric, and the tables that name it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("name", metavar="NAME", help="such as f1_token")
    parser.add_argument("--without-module", action="store_true", help="no module for evaluate")
    arguments = parser.parse_args()
    name = arguments.name
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
        parser.error(f"NAME: expected lowercase words joined by _, got {name!r}")
    if name in catalogue.all_names() or (PROJECT / "textsimp" / "metrics" / f"{name}.py").exists():
        parser.error(f"NAME: there is a metric or a file {name!r} already")
    for path in write(name, module=not arguments.without_module):
        print(f"wrote {path}")
    subprocess.run([sys.executable, PROJECT / "tools" / "tables.py"], check=True)
    print(f"next: replace what says REPLACE; make test-metric NAME={name}")


if __name__ == "__main__":
    main()
