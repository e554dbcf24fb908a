"""EASSE's modules and functions, with its arguments, defaults and keys.

EASSE is described by Alva-Manchego et al. 2019. Replace ``easse`` in imports by ``textsimp.easse``.
References are lists of all sentences, a list per reference, as EASSE takes them. Importing a name
that textsimp lacks raises an error that says what to use instead.

>>> from textsimp.easse.sari import corpus_sari
>>> orig_sents = ["About 95 species are currently accepted."]
>>> sys_sents = ["About 95 you now get in."]
>>> refs_sents = [["About 95 species are currently known."], ["About 95 species are now accepted."]]
>>> round(corpus_sari(orig_sents, sys_sents, refs_sents), 2)
31.73
"""

from textsimp.easse.bleu import corpus_bleu
from textsimp.easse.fkgl import corpus_fkgl
from textsimp.easse.quality_estimation import corpus_quality_estimation
from textsimp.easse.sari import corpus_sari, sentence_sari
from textsimp.easse.substitutes import replace_missing

__all__ = [
    "corpus_bleu",
    "corpus_fkgl",
    "corpus_quality_estimation",
    "corpus_sari",
    "sentence_sari",
]

__getattr__ = replace_missing(__name__, "a function that docs/easse.md lists")
