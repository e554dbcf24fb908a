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
    from textsimp.core.statistics_files import save as save
    from textsimp.corpora import checks as checks
    from textsimp.documents import words as words
    from textsimp.hub import load as load
    from textsimp.hub import register as register
    from textsimp.metrics.catalogue import metric as metric
    from textsimp.metrics.mean import mean_metric as mean_metric
    from textsimp.report.figures import figure as figure
    from textsimp.report.statement import statement as statement
    from textsimp.scoring.comparison import compare as compare
    from textsimp.scoring.comparison import merge as merge
    from textsimp.scoring.comparison import score as score
    from textsimp.scoring.explanation import explain as explain
    from textsimp.scoring.mapping import map_statistics as map_statistics
    from textsimp.scoring.power import power as power
    from textsimp.support.errors import InputError as InputError
    from textsimp.text.functions import name_function as name_function

_MODULES = {
    "checks": "textsimp.corpora.checks",
    "documents": "textsimp.documents",
    "easse": "textsimp.easse",
    "hub": "textsimp.hub",
    "report": "textsimp.report",
    "splits": "textsimp.splits",
    "trainer": "textsimp.trainer",
    "words": "textsimp.documents.words",
}
"""Public name → the module that it is."""
_NAMES = {
    "textsimp.core.comparisons": "Comparison Comparisons",
    "textsimp.core.examples": "Examples",
    "textsimp.core.scores": "Results Scores",
    "textsimp.core.statistics_files": "save",
    "textsimp.hub": "load register",
    "textsimp.metrics.catalogue": "metric",
    "textsimp.metrics.mean": "mean_metric",
    "textsimp.report.figures": "figure",
    "textsimp.report.statement": "statement",
    "textsimp.scoring.comparison": "compare merge score",
    "textsimp.scoring.explanation": "explain",
    "textsimp.scoring.mapping": "map_statistics",
    "textsimp.scoring.power": "power",
    "textsimp.support.errors": "InputError",
    "textsimp.text.functions": "name_function",
}
"""Module → its names that are public here, beside the classes of metrics."""

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
_METRICS = {
    "Bleu": "textsimp.metrics.bleu",
    "Chrf": "textsimp.metrics.chrf",
    "ColumnMeans": "textsimp.metrics.column",
    "DSari": "textsimp.metrics.d_sari",
    "EditOps": "textsimp.metrics.edit_ops",
    "F1Token": "textsimp.metrics.f1_token",
    "FkglComponents": "textsimp.metrics.fkgl_components",
    "InformationErrors": "textsimp.metrics.information_errors",
    "LexicalSubstitution": "textsimp.metrics.lexical_substitution",
    "Readability": "textsimp.metrics.readability",
    "Rouge": "textsimp.metrics.rouge",
    "Samsa": "textsimp.metrics.samsa",
    "Sari": "textsimp.metrics.sari",
    "SimplificationStats": "textsimp.metrics.simplification_stats",
    "SplitF1": "textsimp.metrics.split_f1",
    "Ter": "textsimp.metrics.ter",
    "WordDifficulty": "textsimp.metrics.word_difficulty",
    "WordTransformations": "textsimp.metrics.word_transformations",
}
# end

_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}
_HOMES |= _METRICS

if not TYPE_CHECKING:  # so that type checkers refuse other names
    # Imported when they are first asked for: this package alone is there at once, so that Ctrl-C
    # in all that follows finds the script ready.
    def __getattr__(name: str) -> Any:
        if name == "__all__":
            return ["__version__", *_HOMES, *_classes_of_extensions()]
        if name in _MODULES:
            value = importlib.import_module(_MODULES[name])
        else:
            home = _HOMES.get(name)
            if home is None and not name.startswith("_") and not name.islower():  # a class
                home = _classes_of_extensions().get(name)
            if home is None:
                raise AttributeError(f"module 'textsimp' has no attribute {name!r}")
            value = getattr(importlib.import_module(home), name)
        globals()[name] = value
        return value


def _classes_of_extensions() -> dict[str, str]:
    """Return class → its module, of the metrics of textsimp's extensions."""
    from textsimp.metrics.catalogue import classes_of_extensions

    return classes_of_extensions()


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES, *_HOMES, *_classes_of_extensions()})
