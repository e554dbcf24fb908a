"""Constants, reading of files and of test sets."""

from textsimp.easse.substitutes import replace_missing

__getattr__ = replace_missing(__name__, "a function that docs/easse.md lists")
