"""Test sets, from the Hugging Face Hub or a folder of this name."""

from textsimp.corpora import testsets
from textsimp.easse.substitutes import replace_missing

__getattr__ = replace_missing(__name__, "textsimp hub datasets and textsimp hub outputs")


def get_orig_sents(test_set: str) -> list[str]:
    """Return the sources of a test set."""
    return testsets.load(test_set)[0]


def get_refs_sents(test_set: str) -> list[list[str]]:
    """Return the references of a test set, a list per reference."""
    return [list(sents) for sents in zip(*testsets.load(test_set)[1], strict=True)]
