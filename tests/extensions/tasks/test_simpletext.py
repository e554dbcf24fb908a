"""CLEF SimpleText: files of each year, and EASSE's report."""

import pytest

from tests.given import write
from textsimp import FkglComponents, InputError, Sari, SimplificationStats
from textsimp.extensions import tasks

COMPLEX = ["The feline reclined on it.", "It rained a lot.", "They sat, and ate."]
SIMPLE = ["The cat lay on it.", "It rained.", "They sat. They ate."]
OUTPUTS = ["The cat reclined on it.", "It rained.", "They sat and ate."]
IDS = [("a", 0, 0), ("a", 0, 1), ("b", 0, 0)]


def rows(**columns):
    return [
        {"pair_id": pair, "para_id": para, "sent_id": sent, **{n: c[i] for n, c in columns.items()}}
        for i, (pair, para, sent) in enumerate(IDS)
    ]


@pytest.fixture
def gold(tmp_path):
    return write(tmp_path / "gold.json", rows(complex=COMPLEX, simple_auto=SIMPLE))


@pytest.fixture
def run(tmp_path):
    return write(tmp_path / "run.json", rows(prediction=OUTPUTS)[::-1])


def test_the_row_is_easses_report(gold, run):
    result = tasks.score("simpletext", gold=gold, predictions=run)
    columns = {"sources": COMPLEX, "predictions": OUTPUTS}
    exact = result["exact"]
    assert exact["SARI"] == Sari().score(**columns, references=SIMPLE)["sari"]
    assert exact["FKGL"] == FkglComponents.preset("easse").score(predictions=OUTPUTS)["fkgl"]
    stats = SimplificationStats().score(**columns)
    assert exact["Levenshtein similarity"] == stats["levenshtein_similarity"]
    assert result["Levenshtein similarity"] == round(stats["levenshtein_similarity"], 2)
    assert result["count"] == 3
    assert result["Lexical complexity score"] is None


def test_columns_have_the_order_of_their_year(gold, run):
    files = {"gold": gold, "predictions": run}
    later = [*tasks.score("simpletext", **files, year=2025)]
    assert later == [*tasks.score("simpletext", **files, year=2026)]
    assert later[:4] == ["count", "SARI", "BLEU", "FKGL"]
    assert [*tasks.score("simpletext", **files, year=2024)][:4] == ["count", "FKGL", "SARI", "BLEU"]


def test_documents_are_their_sentences_joined(gold, run, tmp_path):
    joined = tasks.score("simpletext", gold=gold, predictions=run, level="document")
    assert joined["count"] == 2
    assert (joined.coverage.repeated, joined.coverage.missing) == ([], [])

    def join(texts):
        return [" ".join(texts[:2]), texts[2]]

    pairs = [
        {"pair_id": name, "complex": source, "simple_auto": reference, "prediction": output}
        for name, source, reference, output in zip(
            "ab", join(COMPLEX), join(SIMPLE), join(OUTPUTS), strict=True
        )
    ]
    documents = write(tmp_path / "documents.json", pairs)
    assert joined == tasks.score("simpletext", gold=documents, predictions=documents)


def test_references_may_be_a_mapping_beside_sources(run, tmp_path):
    sources = write(tmp_path / "sources.json", rows(complex=COMPLEX))
    whole = {"a": {"simple_auto": " ".join(SIMPLE[:2])}, "b": {"simple_auto": SIMPLE[2]}}
    references = write(tmp_path / "references.json", whole)
    result = tasks.score("simpletext", gold=references, predictions=run, sources=sources)
    assert result["count"] == 2


def test_files_of_2024_have_other_names(tmp_path):
    texts = zip("abc", COMPLEX, SIMPLE, strict=True)
    of_gold = [{"snt_id": i, "source_snt": s, "simplified_snt": r} for i, s, r in texts]
    gold = write(tmp_path / "gold.json", of_gold)
    own = [
        {"run_id": "x", "snt_id": i, "simplified_snt": t}
        for i, t in zip("ab", OUTPUTS, strict=False)
    ]
    result = tasks.score(
        "simpletext", gold=gold, predictions=write(tmp_path / "r.json", own), year=2024
    )
    assert result["count"] == 2
    assert result.coverage.missing == [3]


def test_empty_outputs_are_remarked(gold, tmp_path):
    run = write(tmp_path / "run.json", rows(prediction=["The cat.", "", "They ate."]))
    result = tasks.score("simpletext", gold=gold, predictions=run)
    assert result.coverage.remarks == {"empty output": [2]}


def test_documents_that_lack_a_sentence_are_remarked(gold, tmp_path):
    run = write(tmp_path / "run.json", rows(prediction=OUTPUTS)[1:])
    result = tasks.score("simpletext", gold=gold, predictions=run, level="document")
    assert result["count"] == 2
    assert result.coverage.remarks == {"document that lacks a sentence": [1]}


def test_files_without_ids_or_sources_are_errors(gold, run, tmp_path):
    bad = write(tmp_path / "bad.json", [{"prediction": "x"}])
    alone = write(tmp_path / "references.json", {"a": {"simple_auto": "x"}})
    for reference, predictions in ((gold, bad), (alone, run)):
        with pytest.raises(InputError):
            tasks.score("simpletext", gold=reference, predictions=predictions)


def references(folder, text):
    (folder / "references.json").write_text(text)
    sources = [{"pair_id": name, "complex": "It rained a lot."} for name in "ab"]
    files = {"sources": write(folder / "sources.json", sources)}
    run = write(folder / "run.json", [{"pair_id": "a", "prediction": "It rained."}])
    return tasks.score("simpletext", gold=folder / "references.json", predictions=run, **files)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": {"simple_auto": "x"}, "b": {"simple_auto": "x", "level": "A1"}}',
        '{"a": {"simple_auto": "x"}, "b": {"simple": "x"}}',
        '{"a": {"simple_auto": "x"}, "b": {}}',
        '{"a": "x", "b": "y", "a": "z"}',
    ],
)
def test_entries_of_an_object_have_the_keys_of_the_first_and_stand_once(tmp_path, text):
    with pytest.raises(InputError, match=r"references\.json.*'[ab]'"):
        references(tmp_path, text)


@pytest.mark.parametrize("name", ["gold", "predictions"])
def test_an_id_that_stands_twice_is_an_error(gold, run, tmp_path, name):
    again = rows(complex=COMPLEX, simple_auto=SIMPLE, prediction=OUTPUTS)
    twice = write(tmp_path / "twice.json", [*again, again[1]])
    with pytest.raises(InputError, match=r"twice\.json: .*rows 2 and 4$"):
        tasks.score("simpletext", **{"gold": gold, "predictions": run, name: twice})
