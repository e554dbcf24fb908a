"""TSAR-2022: lexical simplification in English, Spanish and Portuguese (Saggion et al. 2022)."""

from textsimp.extensions.tasks import substitutes
from textsimp.extensions.tasks.task import Run, Task
from textsimp.metrics.lexical_substitution import USUAL, LexicalSubstitution


def measure(gold: str, predictions: str) -> Run:
    """Score a run; the numbers of the extended tables are computed, too."""
    metric = LexicalSubstitution.preset("tsar2022")
    return substitutes.measure(gold, predictions, metric, ("ACC@1", *USUAL[1:]))


TASK = Task(
    name="tsar2022",
    years=(2022,),
    title="TSAR-2022",
    url="https://aclanthology.org/2022.tsar-1.31",
    scores="ranked substitutes of complex words: ACC@1, ACC@K@Top1, MAP@K, Potential@K",
    gold=f"{substitutes.FILES}, one per annotator",
    predictions=f"{substitutes.FILES}, the best first",
    measure=measure,
    endings=(".tsv", ".txt"),
)
