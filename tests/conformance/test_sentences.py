"""Sentence counts behind the reference implementations' D-SARI, and those of NLTK itself."""

import pytest
from nltk.tokenize.punkt import PunktSentenceTokenizer

from textsimp.text.sentences import get_splitter

CORPORA = ("asset_test", "turkcorpus_test", "turkcorpus_test_legacy")


@pytest.mark.parametrize("name", CORPORA)
def test_the_default_is_nltk_s_untrained_punkt_on_every_line(corpus, name):
    sources, references = corpus(name)
    splitter, punkt = get_splitter(), PunktSentenceTokenizer()
    for text in {*sources, *(text for row in references for text in row)}:
        for cased in (text, text.lower()):
            assert splitter.sentences(cased) == [s.strip() for s in punkt.tokenize(cased)]
