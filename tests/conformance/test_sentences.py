"""Sentence counts behind the reference implementations' D-SARI, and those of NLTK itself."""

import pytest
from nltk.tokenize.punkt import PunktSentenceTokenizer

from textsimp.text.sentences import get_splitter

CORPORA = ("asset_test", "turkcorpus_test", "turkcorpus_test_legacy")


def splitter_of(label):
    """The splitter that the goldens call so, of the very version they were made with."""
    if not label.startswith("pysbd"):
        return get_splitter(label)
    splitter = get_splitter("pysbd")
    if splitter.name != label:
        pytest.skip(f"made with {label}, installed is {splitter.name}")
    return splitter


def system(lines, corpus, name):
    return lines(f"{corpus}/{'source' if name == 'identity' else f'systems/{name}'}.txt")


LABELS = ("nltk-punkt-untrained", "simple-token", "pysbd-0.3.4")


@pytest.mark.parametrize("label", LABELS)
def test_d_sari_counts(goldens, lines, label):
    splitter = splitter_of(label)
    rows = [row for row in goldens("d_sari") if row["splitter"] == label and "O_S" in row]
    assert rows
    for row in rows:
        if row["kind"] == "dwiki_doc":
            output = system(lines, "d_wikipedia_valid_60", row["system"])[row["doc"]]
            references = [lines("d_wikipedia_valid_60/references/0.txt")[row["doc"]]]
        else:
            output, references = row["output"], row["references"]
        mean = splitter.count(references).sum() / len(references)
        assert (splitter.count([output])[0], int(mean)) == (row["O_S"], row["R_S"]), row


@pytest.mark.parametrize("name", CORPORA)
def test_the_default_is_nltk_s_untrained_punkt_on_every_line(corpus, name):
    sources, references = corpus(name)
    splitter, punkt = get_splitter(), PunktSentenceTokenizer()
    for text in {*sources, *(text for row in references for text in row)}:
        for cased in (text, text.lower()):
            assert splitter.sentences(cased) == [s.strip() for s in punkt.tokenize(cased)]
