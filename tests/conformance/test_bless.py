"""The scores that BLESS printed for its outputs, to the last of four decimals."""

import importlib.metadata

import pytest

from tests.conformance.conftest import WHOLE
from textsimp import Bleu, FkglComponents, Sari, SimplificationStats
from textsimp.corpora.checks import find
from textsimp.text.sentences import get_splitter

OF_SARI = {"sari": "sari", "sari_add": "add", "sari_keep": "keep", "sari_del": "delete"}
OF_STATS = {
    "Compression ratio": "compression_ratio",
    "Levenshtein similarity": "levenshtein_similarity",
    "Exact copies": "exact_copies",
    "Additions proportion": "additions_proportion",
    "Deletions proportion": "deletions_proportion",
}
# Since NLTK 3.10.2 a closing ” by itself isn't a sentence, and there are some in these.
ONE_LESS = {
    *("systems/bloom-560m.txt", "runs/bloom-560m/p2_s287.txt"),
    *("systems/opt-13b.txt", "systems/opt-6.7b.txt"),
}
NEW = tuple(map(int, importlib.metadata.version("nltk").split(".")[:3])) >= (3, 10, 2)

T0PP = {
    *(("prompts", "problem"), ("echo", "problem"), ("unrelated", "problem"), ("glued", "problem")),
    *(("cut", "problem"), ("phrases", "problem"), ("doubled", "note"), ("lengths", "note")),
}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def columns(lines, corpus):
    def read(file):
        sources, references = corpus("asset_test")
        if file.startswith("med_easi/"):
            sources = lines("bless/med_easi/source.txt")
            references = [[text] for text in lines("bless/med_easi/reference.txt")]
        predictions = lines(f"bless/{file}")
        return {"sources": sources, "predictions": predictions, "references": references}

    return read


@pytest.fixture(scope="module")
def runs(goldens):
    """All runs in `make test-all`, some else."""
    lines = goldens("bless")
    assert len(lines) == 73
    return lines if WHOLE else lines[::6]


def test_sari_cased_bleu_and_five_statistics_equal_those_of_runs(runs, columns):
    for line in runs:
        texts = columns(line["file"])
        pair = {name: texts[name] for name in ("sources", "predictions")}
        sari = Sari().score(**texts)
        stats = SimplificationStats(lowercase=False, splitter="simple-token").score(**pair)
        found = {name: sari[key] for name, key in OF_SARI.items()}
        found |= {name: stats[key] for name, key in OF_STATS.items()}
        found["bleu"] = Bleu(lowercase=False).score(**texts)["bleu"]
        assert len(found) == 10
        for name, value in found.items():
            assert value == pytest.approx(line[name], abs=5.0001e-5), (line["file"], name)


@pytest.mark.parametrize("splitter", ["nltk-punkt-untrained", "nltk-punkt-en"])
def test_fkgl_and_splits_equal_but_for_a_closing_quote_by_itself(runs, columns, splitter):
    try:
        get_splitter(splitter)
    except ImportError as error:
        pytest.skip(str(error))
    other = set()
    for line in runs:
        texts = columns(line["file"])
        fkgl = FkglComponents("easse", splitter=splitter).score(predictions=texts["predictions"])
        del texts["references"]
        stats = SimplificationStats(lowercase=False, splitter=splitter).score(**texts)
        found = [fkgl["fkgl"], stats["sentence_splits"]]
        if found != pytest.approx([line["fkgl"], line["Sentence splits"]], abs=5.0001e-5):
            other.add(line["file"])
    assert other == (ONE_LESS & {line["file"] for line in runs} if NEW else set())


@pytest.mark.parametrize("size", [200, 250, 280, 300])
def test_t0pp_has_the_same_findings_in_each_beginning_of_med_easi(columns, size):
    texts = columns("med_easi/systems/t0pp.txt")
    parts = [texts[name][:size] for name in ("sources", "references", "predictions")]
    found = find(*parts[:2], {"t0pp": parts[2]})
    assert {(one.kind, one.gravity) for one in found if one.systems} == T0PP
