"""D-SARI against the authors' script, to 1e-9."""

import pytest

from textsimp.metrics.d_sari import DSari

PUBLISHED = ("sari", "keep", "delete", "add", "d_sari", "d_keep", "d_delete", "d_add")


@pytest.fixture(scope="module")
def documents(corpus, lines):
    sources, references = corpus("d_wikipedia_valid_60")
    systems = {
        name: lines(f"d_wikipedia_valid_60/systems/{name}.txt")
        for name in ("first2sent", "first60pct")
    }
    return {"sources": sources, "references": references, "identity": sources, **systems}


@pytest.mark.parametrize("kind", ["table6", "dwiki_doc", "edge"])
@pytest.mark.parametrize("splitter", ["nltk-punkt-untrained", "simple-token", "pysbd-0.3.4"])
def test_documents_score_what_the_script_prints(goldens, documents, kind, splitter):
    metric = DSari.preset("sun", splitter=splitter.removesuffix("-0.3.4"), penalties=True)
    rows = [
        line for line in goldens("d_sari") if (line["kind"], line["splitter"]) == (kind, splitter)
    ]
    rows = [line for line in rows if "error" not in line]
    assert len(rows) == {"table6": 4, "dwiki_doc": 60, "edge": 18}[kind]
    for line in rows:
        if kind == "dwiki_doc":
            i = line["doc"]
            texts = [documents[name][i] for name in ("sources", line["system"], "references")]
        else:
            texts = [line["source"], line["output"], line["references"]]
        scores = metric.score(sources=texts[:1], predictions=texts[1:2], references=texts[2:])
        for name in PUBLISHED:
            theirs = line[name.replace("delete", "del")]
            assert scores[name] == pytest.approx(theirs, abs=1e-9), (name, line)
        if kind == "table6" and splitter == "nltk-punkt-untrained":
            assert [round(scores[name], 2) for name in PUBLISHED] == line["published"]
