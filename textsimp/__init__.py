"""textsimp: measure text simplification, in numbers that can be compared.

>>> import textsimp
>>> sari = textsimp.load("sari")
>>> result = sari.compute(
...     sources=["The feline reclined."], predictions=["The cat lay."], references=["The cat lay."]
... )
>>> result["signature"].startswith("sari|variant:easse")
True
"""

import importlib
from typing import TYPE_CHECKING, Any

from textsimp.support.version import __version__ as __version__

_PACKAGES = ("textsimp", "textsimp.corpora", "textsimp.documents")  # of modules that are public
if TYPE_CHECKING:
    from textsimp import documents as documents
    from textsimp import easse as easse
    from textsimp import hub as hub
    from textsimp import report as report
    from textsimp import splits as splits
    from textsimp import trainer as trainer
    from textsimp.core.comparisons import Comparison as Comparison
    from textsimp.core.comparisons import Comparisons as Comparisons
    from textsimp.core.examples import Examples as Examples
    from textsimp.core.scores import Results as Results
    from textsimp.core.scores import Scores as Scores
    from textsimp.core.statistics import save as save
    from textsimp.corpora import checks as checks
    from textsimp.documents import words as words
    from textsimp.hub import load as load
    from textsimp.hub import register as register
    from textsimp.metrics.catalogue import metric as metric
    from textsimp.metrics.mean import mean_metric as mean_metric
    from textsimp.report.statement import statement as statement
    from textsimp.scoring.comparison import compare as compare
    from textsimp.scoring.comparison import score as score
    from textsimp.scoring.explanation import explain as explain
    from textsimp.scoring.merging import merge as merge
    from textsimp.scoring.power import power as power
    from textsimp.support.errors import InputError as InputError
    from textsimp.text.functions import name_function as name_function

if not TYPE_CHECKING:  # so that type checkers refuse other names
    # Imported when they are first asked for: this package alone is there at once, so that Ctrl-C
    # in all that follows finds the script ready.
    def __getattr__(name: str) -> Any:
        homes = _homes()
        if name == "__all__":
            names = [name for name, home in homes.items() if home not in _PACKAGES]
            return ["__version__", *names, *_metrics_of_extensions()]
        home = homes.get(name)
        if home is None and name[:1].isupper():  # a class
            home = _metrics_of_extensions().get(name)
        if home is None:
            raise AttributeError(f"module 'textsimp' has no attribute {name!r}")
        if home in _PACKAGES:
            globals()[name] = importlib.import_module(f"{home}.{name}")
        else:
            globals()[name] = getattr(importlib.import_module(home), name)
        return globals()[name]


def _homes() -> dict[str, str]:
    """Return public name → module: those that are imported for types in this file."""
    import re  # here, since this package has to be there at once

    with open(__file__, encoding="utf-8") as code:
        imported = re.findall(r"^    from (\S+) import (\w+) as", code.read(), re.MULTILINE)
    return {name: module for module, name in imported}


def _metrics_of_extensions() -> dict[str, str]:
    """Return class → module of the metrics that textsimp's extensions declare."""
    from textsimp.support import extensions

    declared = extensions.declarations("metrics").values()
    places = [metric.value.partition(":") for metric in declared if metric.package == "textsimp"]
    return {name: module for module, _, name in places}


def __dir__() -> list[str]:
    return sorted({*globals(), *_homes(), *_metrics_of_extensions()})


# The classes of the core's metrics, as tools/tables.py writes them.
# metrics
if TYPE_CHECKING:
    from textsimp.metrics.bleu import Bleu as Bleu
    from textsimp.metrics.chrf import Chrf as Chrf
    from textsimp.metrics.column import ColumnMeans as ColumnMeans
    from textsimp.metrics.d_sari import DSari as DSari
    from textsimp.metrics.edit_ops import EditOps as EditOps
    from textsimp.metrics.f1_token import F1Token as F1Token
    from textsimp.metrics.fkgl_components import FkglComponents as FkglComponents
    from textsimp.metrics.information_errors import InformationErrors as InformationErrors
    from textsimp.metrics.lexical_substitution import LexicalSubstitution as LexicalSubstitution
    from textsimp.metrics.readability import Readability as Readability
    from textsimp.metrics.rouge import Rouge as Rouge
    from textsimp.metrics.samsa import Samsa as Samsa
    from textsimp.metrics.sari import Sari as Sari
    from textsimp.metrics.simplification_stats import SimplificationStats as SimplificationStats
    from textsimp.metrics.split_f1 import SplitF1 as SplitF1
    from textsimp.metrics.ter import Ter as Ter
    from textsimp.metrics.word_difficulty import WordDifficulty as WordDifficulty
    from textsimp.metrics.word_transformations import WordTransformations as WordTransformations
# end
