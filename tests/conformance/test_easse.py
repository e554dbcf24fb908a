"""`textsimp.easse` against what EASSE prints, to 1e-9."""

import pytest

from textsimp.easse import corpus_fkgl, corpus_quality_estimation, corpus_sari
from textsimp.easse.sari import get_corpus_sari_operation_scores


@pytest.fixture(scope="module")
def texts(columns):
    """Sources, outputs and, as EASSE takes them, references of a golden."""

    def read(line):
        sources, outputs, references = columns(line["dataset"], line["system"]).values()
        return sources, outputs, [list(sents) for sents in zip(*references, strict=True)]

    return read


def test_sari_takes_easses_arguments(goldens, texts):
    rows = {line["variant"]: line for line in goldens("sari") if "easse" in line["variant"]}
    assert len(rows) == 8
    for variant, line in rows.items():
        found = corpus_sari(*texts(line), **line["kwargs"])
        assert found == pytest.approx(line["sari"], abs=1e-9), variant
        operations = get_corpus_sari_operation_scores(*texts(line), **line["kwargs"])
        expected = (line["add"], line["keep"], line["del"])
        assert operations == pytest.approx(expected, abs=1e-9), variant


def test_fkgl_equals_easses(goldens, lines):
    rows = goldens("fkgl")
    assert len(rows) == 6
    for line in rows:
        kind, _, i = line["text"].partition(" ")
        path = f"{line['dataset']}/{'source' if kind == 'orig' else f'references/{i}'}.txt"
        found = corpus_fkgl(lines(path), splitter=line["splitter"].removesuffix("-0.3.4"))
        assert found == pytest.approx(line["fkgl"], abs=1e-9), line


def test_quality_estimation_has_easses_keys(goldens, texts):
    compared = 0
    for line in goldens("qe"):
        sources, outputs, _ = texts(line)
        options = {"lowercase": True} if line["lowercase"] else {}
        found = corpus_quality_estimation(sources, outputs, **options)
        for name, value in found.items():
            key = name.lower().replace(" ", "_")
            key += "@nltk-punkt-untrained" if key == "sentence_splits" else ""
            if key in line:
                assert value == pytest.approx(line[key], abs=1e-9), (line["system"], name)
                compared += 1
    assert compared > 5 * 20
