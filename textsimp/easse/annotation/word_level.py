"""Word-level transformations."""

from textsimp.easse.substitutes import replace_missing

__getattr__ = replace_missing(
    __name__,
    "textsimp.WordTransformations('easse2019') for scores and textsimp.words.labels for labels",
)
