"""Files with a fault that public reports describe, and real columns, which have no such fault."""

import pytest

from tests.given import columns, systems
from textsimp.corpora import checks

SOURCES, REFERENCES = columns().values()
SUBSTITUTER = systems()["substituter"]
KINDS = {"affixes", "tabs", "copies", "separators", "anonymised", "characters"}


@pytest.fixture
def told(lines):
    """``told(kind)`` -> gravity and text of the findings of a kind, in outputs of a file."""

    def find(kind, file="", sources=SOURCES, references=REFERENCES, files=()):
        outputs = lines(f"reported/{file}") if file else SUBSTITUTER
        found = checks.run(sources, references, {"ours": outputs}, files)
        return [(one.gravity, one.text) for one in found if one.kind == kind]

    return find


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("01_source_prefix.txt", "simplify:"),
        ("01_source_tags.txt", "<NbChars_0.95> <LevSim_0.75>"),
    ],
)
def test_a_model_s_input_as_source_is_an_error_that_names_the_words(lines, told, file, words):
    ((gravity, text),) = told("affixes", sources=lines(f"reported/{file}"))
    assert gravity == "error"
    assert text.startswith(f"the sources: 48 of 48 texts begin with “{words}”")


@pytest.mark.parametrize(
    ("kind", "file", "said"),
    [
        ("tabs", "08_fairseq.txt", "48 of 48 texts have 2 tabs"),
        ("affixes", "12_output_prefix.txt", "48 of 48 texts begin with “en_XX”"),
        ("separators", "13_colons.txt", "<::::>"),
        ("anonymised", "13_anonymised.txt", "NUMBER@1"),
        ("characters", "15_controls.txt", "LINE SEPARATOR"),
    ],
)
def test_a_fault_of_outputs_is_a_problem_that_names_it(told, kind, file, said):
    ((gravity, text),) = told(kind, file)
    assert gravity == "problem"
    assert said in text


@pytest.mark.parametrize(
    ("file", "name"),
    [("out_nfd", "COMBINING ACUTE ACCENT"), ("out_nbsp", "NO-BREAK SPACE"), ("out_nfc", "")],
)
def test_french_in_another_unicode_form_is_a_problem_that_names_a_character(
    lines, told, file, name
):
    references = [[text] for text in lines("reported/03_fr/ref.txt")]
    texts = lines("reported/03_fr/source.txt"), references
    found = told("characters", f"03_fr/{file}.txt", *texts)
    assert [(gravity, name in text) for gravity, text in found] == [("problem", True)] * bool(name)


def test_a_source_among_the_references_is_named_by_its_file(lines, told):
    files = [f"reported/07_references_with_source/{name}.txt" for name in (0, 1, 2, "source")]
    references = [list(row) for row in zip(*map(lines, files), strict=True)]
    ((gravity, text),) = told("copies", references=references, files=files)
    assert gravity == "problem"
    assert text.startswith(f"reference 4 in {files[3]} is the source in 48 of 48 rows")


@pytest.mark.parametrize("name", ["asset_test", "turkcorpus_test", "turkcorpus_test_legacy"])
def test_sources_and_references_of_real_corpora_have_no_such_fault(corpus, name):
    assert not {one.kind for one in checks.find(*corpus(name), {})} & KINDS
