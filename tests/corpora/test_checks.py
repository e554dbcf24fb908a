"""Data checks: a corpus without faults has no problem, and each fault is found with its lines."""

import random
import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.given import columns, lines, systems
from textsimp.core import examples
from textsimp.corpora import checks
from textsimp.corpora.artefacts import ARTEFACTS
from textsimp.corpora.checks import find
from textsimp.corpora.cleaning import clean_text as clean
from textsimp.scoring import soundness
from textsimp.support.errors import InputError

SOURCES, REFERENCES = columns().values()
SYSTEMS = systems()
N = len(SOURCES)

rows = st.lists(st.integers(0, N - 1), min_size=1, max_size=4, unique=True).map(sorted)


def with_fault(fault, at=None):
    """What is found where some outputs of the splitter, or all, have a fault."""
    outputs = [
        fault(text) if at is None or i in at else text for i, text in enumerate(SYSTEMS["splitter"])
    ]
    return find(SOURCES, REFERENCES, {**SYSTEMS, "splitter": outputs})


def only(findings):
    (finding,) = findings
    return finding


def numbers(at):
    return tuple(i + 1 for i in at)


# Nothing is found ---------------------------------------------------------------------------------


def test_a_corpus_without_faults_has_no_finding():
    assert find(SOURCES, REFERENCES, SYSTEMS) == []
    assert find(SOURCES, None, SYSTEMS) == []


def test_documents_have_none():
    systems = {name: lines(f"documents/systems/{name}.txt") for name in ("shortener", "rewriter")}
    references = [[text] for text in lines("documents/references/0.txt")]
    assert find(lines("documents/source.txt"), references, systems) == []


@given(st.lists(st.integers(0, N - 1), min_size=1, max_size=30))
def test_nor_has_any_part_in_any_order_or_with_repeats(part):
    systems = {name: [texts[i] for i in part] for name, texts in SYSTEMS.items()}
    sources, references = [SOURCES[i] for i in part], [REFERENCES[i] for i in part]
    kinds = {finding.kind for finding in find(sources, references, systems)}
    assert kinds <= {"copies", "duplicates"}  # where a part has many of the same


def test_repetitive_texts_that_name_their_neighbours_are_not_taken_for_shifted():
    sources = [f"The year {i} follows {i - 1} and comes before {i + 1}." for i in range(60)]
    after = [f"After {i - 1} comes {i + 1}, a year later." for i in range(60)]
    before = [f"It is {i + 1} after {i}." for i in range(60)]
    one = [text.replace(f"{i} ", "It ", 1) for i, text in enumerate(sources)]
    systems = {"after": after, "before": before, "one": one}
    found = find([*sources, *sources], None, {name: [*of, *of] for name, of in systems.items()})
    assert {finding.kind for finding in found} == {"duplicates"}
    assert find(sources, None, systems) == []


def test_there_may_be_no_systems_yet_and_a_single_row():
    assert find(SOURCES, REFERENCES, {}) == []
    assert find(SOURCES[:1], REFERENCES[:1], {"a": SOURCES[:1], "b": SOURCES[:1]}) == []


@pytest.mark.parametrize(
    "text",
    [
        "我们去了北京。他喜欢吃苹果。今天天气很好。猫在垫子上。书在桌子上。她唱歌。",
        "هطل المطر. ذهب إلى البيت. قرأ كتابا. أكل تفاحة. نام الولد. جاء القطار.",
        "कल बारिश हुई। वह घर गया। उसने पढ़ा। राम आया। सीता गई। बच्चा सोया।",
    ],
)
def test_scripts_without_case_or_spaces_raise_no_alarm(text):
    texts = re.findall(r"[^.।。]+[.।。]", text)
    assert len(texts) == 6
    shorter, others = ([text[:i] + text[i + 1 :] for text in texts] for i in (2, 1))
    assert find(texts, [[text] for text in others], {"ours": shorter}) == []


# Lines --------------------------------------------------------------------------------------------


@given(rows, st.sampled_from(["", " ", "\u00a0\n"]))
def test_empty_outputs_are_found(at, empty):
    finding = only(with_fault(lambda _: empty, at))
    assert (finding.kind, finding.gravity, finding.systems) == ("empty", "problem", ("splitter",))
    assert finding.examples == numbers(at)


@given(rows)
def test_empty_sources_and_references_are_found(at):
    sources = ["" if i in at else text for i, text in enumerate(SOURCES)]
    references = [[*row[:2], ""] if i in at else row for i, row in enumerate(REFERENCES)]
    of_sources = [f for f in find(sources, None, SYSTEMS) if f.kind == "empty"]
    of_references = [f for f in find(SOURCES, references, SYSTEMS) if f.kind == "empty"]
    assert only(of_sources).examples == only(of_references).examples == numbers(at)
    assert only(of_sources).systems == ()
    assert "source" in only(of_sources).text
    assert "reference" in only(of_references).text


@given(st.integers(0, N - 8), st.booleans())
def test_a_lost_or_added_line_is_found_within_two_lines(at, lost):
    outputs = SYSTEMS["substituter"]
    shifted = outputs[:at] + (outputs[at + 1 :] if lost else ["It snowed.", *outputs[at:-1]])
    found = find(SOURCES, None, {"ours": shifted + ["It rained."] * lost})
    finding = only([f for f in found if f.kind == "shifted"])
    assert abs(finding.examples[0] - 1 - at) <= 2
    assert finding.examples[-1] >= N - 1
    assert ("one line below" if lost else "one line above") in finding.text
    assert ("were missing" if lost else "too many") in finding.text.replace("was", "were")


@given(st.sampled_from([1, 2, 3, 5, 8]), st.integers(1, 3), st.booleans(), st.integers(0, N // 2))
def test_shifts_are_found_and_named_where_sources_repeat(times, by, together, at):
    """Each source stands on several lines, or all sources stand there again and again."""

    def repeat(texts):
        return [text for text in texts for _ in range(times)] if together else texts * times

    sources, outputs = repeat(SOURCES), repeat(SYSTEMS["substituter"])
    assert not [f for f in find(sources, None, {"ours": outputs}) if f.kind == "shifted"]
    shifted = [*outputs[:at], *outputs[at + by :], *["It snowed."] * by]
    found = find(sources, None, {"ours": shifted})
    finding = only([f for f in found if f.kind == "shifted"])
    number = "one line" if by == 1 else f"{by} lines"
    assert f"match the sources {number} below their own" in finding.text
    assert abs(finding.examples[0] - 1 - at) <= 2 * times


def test_a_stretch_that_is_shifted_is_found_alone():
    outputs = SYSTEMS["splitter"]
    shifted = [*outputs[:10], *outputs[12:30], "It rained.", "It snowed.", *outputs[30:]]
    finding = only([f for f in find(SOURCES, None, {"ours": shifted}) if f.kind == "shifted"])
    assert finding.examples[:18] == tuple(range(11, 29))
    assert finding.examples[18:] in ((), (29,), (29, 30))  # which match no source
    assert "2 lines below" in finding.text


def test_shifted_references_are_found_too():
    references = [[row[0], *after[1:]] for row, after in pairwise(REFERENCES)]
    found = find(SOURCES[:-1], references, {})
    assert [(f.kind, f.systems, f.examples[0]) for f in found] == [("shifted", (), 1)] * 2
    assert [f.text.split(" seems")[0] for f in found] == ["reference 2", "reference 3"]


def test_shifted_chinese_is_found():
    sources = ["我们去了北京。", "他喜欢吃苹果。", "今天天气很好。", "猫在垫子上。", "书在桌上。"]
    found = find(sources, None, {"ours": [*sources[1:], "完了。"]})
    assert found[0].kind == "shifted"


def test_errors_come_before_problems_and_notes_and_are_counted():
    systems = {"lost": [*SYSTEMS["splitter"][1:], ""], "copy": SOURCES}
    findings = find(SOURCES, REFERENCES, systems)
    assert [finding.gravity for finding in findings] == ["error", "problem", "note"]
    assert checks.summary(findings) == "1 error, 1 problem, 1 note"
    assert checks.summary(findings[:1]) == "1 error"


@given(st.integers(6, 48), st.randoms(use_true_random=False))
def test_a_part_of_the_outputs_in_another_order_is_found(size, draw):
    rows = draw.sample(range(N), size)
    outputs = SYSTEMS["splitter"][:]
    for row, other in zip(rows, [*rows[1:], rows[0]], strict=True):
        outputs[row] = SYSTEMS["splitter"][other]
    finding = find(SOURCES, REFERENCES, {"ours": outputs})[0]
    assert finding.gravity == "error"
    assert finding.kind in ("misplaced", "shifted")  # where rows moved by equal distances
    if finding.kind == "misplaced":
        assert {*finding.examples} <= {row + 1 for row in rows}
        assert len(finding.examples) >= 0.8 * size


def test_outputs_about_other_texts_are_not_called_misplaced():
    again = [SOURCES[7] if i % 3 else text for i, text in enumerate(SYSTEMS["splitter"])]
    assert "misplaced" not in {f.kind for f in find(SOURCES, REFERENCES, {"ours": again})}


def test_of_repeated_sources_an_exchange_is_found_too():
    sources, outputs = SOURCES * 2, SYSTEMS["splitter"] * 2
    assert [f.kind for f in find(sources, None, {"ours": outputs})] == ["duplicates"]
    outputs[3:13] = outputs[4:13] + outputs[3:4]
    found = {f.kind for f in find(sources, None, {"ours": outputs})}
    assert found & {"misplaced", "shifted"}


def test_a_column_that_was_swapped_with_the_sources_is_an_error():
    cut = [" ".join(text.split()[:-4]) + "." for text in SOURCES]
    first, copies = [row[0] for row in REFERENCES], [[text] for text in SOURCES]
    outputs = find(cut, REFERENCES, {"ours": SOURCES})
    references = find(first, copies, {"ours": SYSTEMS["splitter"]})
    both = find(cut, copies, {"ours": first})
    for column, found in {"outputs": outputs, "references": references, "": both}.items():
        finding = only([f for f in found if f.kind == "swapped"])
        assert (found[0], finding.gravity, finding.systems) == (finding, "error", ("ours",))
        assert f"{column} are mostly longer than the sources: are columns" in finding.text


def test_without_references_a_swap_is_only_suspected():
    found = find(SYSTEMS["splitter"], None, {"ours": [f"{text} Indeed." for text in SOURCES]})
    finding = only([f for f in found if f.kind == "swapped"])
    assert finding.gravity == "note"


def test_longer_outputs_that_say_other_things_are_no_swapped_column():
    long = [f"{a} {b}" for a, b in zip(SYSTEMS["splitter"], SOURCES[1:] + SOURCES[:1], strict=True)]
    assert "swapped" not in {f.kind for f in find(SOURCES, REFERENCES, {"ours": long})}


def test_a_few_lines_that_are_as_far_from_their_own_are_no_shift():
    draw = random.Random(0)
    sources = [" ".join(draw.choices([f"w{i}" for i in range(5_000)], k=15)) for _ in range(300)]
    outputs = [f"So {text}" for text in sources]
    draw.shuffle(outputs)
    assert "misplaced" in {finding.kind for finding in find(sources, None, {"ours": outputs})}
    assert "shifted" not in {finding.kind for finding in find(sources, None, {"ours": outputs})}


@given(rows)
def test_outputs_far_longer_than_their_source_are_found(at):
    long = with_fault(lambda text: 12 * (text.replace(".", "") + " "), at)
    finding = only([f for f in long if f.kind == "lengths"])
    assert finding.examples == numbers(at)
    assert "3 times as long" in finding.text
    assert finding.gravity == ("problem" if len(at) > 0.05 * N else "note")


@pytest.mark.parametrize(
    ("source", "longest"),
    [(10, 210), (99, 299), (101, 303), (200, 600)],
    ids=["200 more", "200 more than nearly 100", "3 times a little over 100", "3 times"],
)
def test_an_output_is_too_long_from_3_times_and_200_characters_more(source, longest):
    for length, found in ((longest, []), (longest + 1, ["lengths"])):
        findings = find(["s" * source], None, {"ours": ["o" * length]})
        assert [f.kind for f in findings if f.kind == "lengths"] == found


# Columns ------------------------------------------------------------------------------------------


def of_kinds(findings, *kinds):
    return [(f.kind, f.gravity, f.systems) for f in findings if f.kind in kinds]


PREFIXES = ("simplify: ", "<NbChars_0.95> <LevSim_0.75> ", "[en] ", "Vereinfache das: ", "简化：")


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("references", [REFERENCES, None], ids=["references", "none"])
def test_a_prefix_of_the_sources_is_an_error_that_names_it(prefix, references):
    found = find([prefix + text for text in SOURCES], references, SYSTEMS)
    finding = only([f for f in found if f.kind == "affixes"])
    assert (finding.gravity, finding.systems) == ("error", ())
    assert f"the sources: 48 of 48 texts begin with “{prefix.strip()}" in finding.text


def test_numbers_of_a_prefix_may_differ_and_a_tenth_of_the_texts_lack_it():
    tags = [f"<NbChars_{1 + i % 7 / 20}> {t}" if i % 10 else t for i, t in enumerate(SOURCES)]
    finding = only([f for f in find(tags, REFERENCES, SYSTEMS) if f.kind == "affixes"])
    assert finding.examples == tuple(i + 1 for i in range(N) if i % 10)


def test_a_prefix_of_a_reference_is_an_error():
    references = [[first, f"Simple: {second}", third] for first, second, third in REFERENCES]
    finding = only([f for f in find(SOURCES, references, SYSTEMS) if f.kind == "affixes"])
    assert finding.gravity == "error"
    assert finding.text.startswith("reference 2: 48 of 48 texts begin with “Simple:”")


@pytest.mark.parametrize(
    ("where", "fault"),
    [
        ("begin with “en_XX”", lambda t: f"en_XX {t}"),
        ("end with “[END]”", lambda t: f"{t} [END]"),
        ("have 2 tabs", lambda t: f"H-1\t-0.5\t{t}"),
        ("have 1 tab,", lambda t: f"{t}\t{t.lower()}"),
    ],
)
def test_what_nearly_all_outputs_of_one_system_have_is_a_problem(where, fault):
    finding = only([f for f in with_fault(fault) if f.kind in ("affixes", "tabs")])
    assert (finding.gravity, finding.systems) == ("problem", ("splitter",))
    assert f"splitter: 48 of 48 texts {where}" in finding.text


@pytest.mark.parametrize("name", ["the sources", "the references", "reference 1"])
def test_a_system_may_be_called_as_another_column(name):
    outputs = [f"en_XX {tokenised(text)}" for text in SYSTEMS["splitter"]]
    given, ours = (find(SOURCES, REFERENCES, {own: outputs}) for own in (name, "ours"))
    assert [(f.kind, f.gravity, f.examples) for f in given] == [
        (f.kind, f.gravity, f.examples) for f in ours
    ]
    assert {f.systems for f in given} == {(name,)}
    assert given[0].text.startswith(f"system {name}: 48 of 48 texts begin")


def test_what_all_columns_begin_with_is_no_fault():
    references = [[f"Note 3: {text}" for text in row] for row in REFERENCES]
    outputs = {name: [f"Note 4: {text}" for text in texts] for name, texts in SYSTEMS.items()}
    found = find([f"Note 12: {text}" for text in SOURCES], references, outputs)
    assert of_kinds(found, "affixes", "tabs") == []


def test_a_reference_that_is_the_source_is_a_problem():
    references = [[*row, f"{source} "] for row, source in zip(REFERENCES, SOURCES, strict=True)]
    finding = only(find(SOURCES, references, SYSTEMS))
    assert (finding.kind, finding.gravity, finding.systems) == ("copies", "problem", ())
    assert finding.text.startswith("reference 4 is the source in 48 of 48 rows")


HIDDEN = {
    "ZERO WIDTH SPACE": "\u200b",
    "SOFT HYPHEN": "\u00ad",
    "BYTE ORDER MARK": "\ufeff",
    "ZERO WIDTH NON-JOINER": "\u200c",
    "U+0007": "\x07",
    "U+009E": "\x9e",
    "NO-BREAK SPACE": "\u00a0",
    "LATIN SMALL LIGATURE FI": "\ufb01",
    "FULLWIDTH COMMA": "\uff0c",
    "COMBINING ACUTE ACCENT": "e\u0301",
    "HANGUL CHOSEONG HIEUH": "\u1112\u1161",
}


@pytest.mark.parametrize(("name", "character"), HIDDEN.items())
def test_a_character_that_nobody_sees_is_a_problem_that_names_it(name, character):
    finding = only([f for f in with_fault(lambda t: character + t) if f.kind == "characters"])
    assert (finding.gravity, finding.systems) == ("problem", ("splitter",))
    assert "splitter: 48 of 48 texts have" in finding.text
    assert f"({name}), unlike sources and references" in finding.text


def test_a_few_texts_with_such_a_character_are_a_problem_too():
    finding = only(with_fault(lambda text: f"\u00ad{text}", [3, 9]))
    assert (finding.gravity, finding.examples) == ("problem", (4, 10))


FRENCH = [f"L'élève {i} a été félicité par la maîtresse." for i in range(20)]
SHORTER = [text.replace(" a été", " est") for text in FRENCH]


def test_sources_or_references_in_another_unicode_form_are_an_error():
    def decompose(texts):
        return [unicodedata.normalize("NFD", text) for text in texts]

    references = [[text.replace("L'", "Cet ")] for text in FRENCH]
    decomposed = [decompose(row) for row in references]
    found = [
        of_kinds(find(*texts), "characters")
        for texts in (
            (decompose(FRENCH), references, {"ours": SHORTER}),
            (FRENCH, decomposed, {"ours": SHORTER}),
            (FRENCH, references, {"ours": decompose(SHORTER)}),
            (decompose(FRENCH), decomposed, {"ours": SHORTER}),
            (decompose(FRENCH), decomposed, {"ours": decompose(SHORTER)}),
        )
    ]
    error, problem = ("characters", "error", ()), ("characters", "problem", ("ours",))
    assert found == [[error], [error], [problem], [problem], []]


@pytest.mark.parametrize(
    ("kind", "source", "output"),
    [
        ("characters", "او میرود به خانه {}.", "او می\u200cرود به خانه {}."),  # Persian
        ("characters", "क्ष ने कहा {}।", "क्\u200dष ने कहा {}।"),  # Hindi
        ("characters", "A family {} came.", "A family {} came 👨\u200d👩\u200d👧 ❤️\u200d🔥."),
        ("characters", "Il dit\u00a0: non {}\u00a0!", "Il dit\u00a0: oui {}\u00a0!"),
        ("case", "他用 Windows 系统第{}次。", "他用 windows 系统第{}次。"),  # whose words have none
        ("tokenised", "Où va la ville {} ? Voici : on l'a vu ! Bien", "Où va-t-on {}? Voici: là !"),
    ],
)
def test_what_a_language_needs_raises_no_alarm(kind, source, output):
    sources, outputs = ([text.format(i) for i in range(20)] for text in (source, output))
    assert of_kinds(find(sources, None, {"ours": outputs}), kind) == []


def test_marks_that_references_and_outputs_have_are_a_note():
    references = [[f"{text} <::::> It was." for text in row] for row in REFERENCES]
    outputs = {name: [f"{text} <::::> So." for text in own] for name, own in SYSTEMS.items()}
    finding = only([f for f in find(SOURCES, references, outputs) if f.kind == "separators"])
    assert finding.gravity == "note"
    for own in (SYSTEMS, {}):
        finding = only([f for f in find(SOURCES, references, own) if f.kind == "separators"])
        assert finding.gravity == "problem"


def test_a_whole_sentence_of_three_words_is_no_answer():
    assert "answers" not in {f.kind for f in with_fault(lambda _: "The king left.", [1, 5, 6])}
    assert "answers" in {f.kind for f in with_fault(lambda _: "No king", [1, 5, 6])}


def test_outside_english_what_english_words_tell_is_a_note_and_no_fault():
    sources = [f"Die Stadt Nummer {i} ist nicht mit dem Zug zu erreichen." for i in range(40)]
    outputs = [f"Ort {i}: Hinfahren geht bloß per Bus, let me know." for i in range(40)]
    found = find(sources, None, {"ours": outputs})
    kinds = {f.kind: f.gravity for f in found}
    assert {kinds[kind] for kind in ("phrases", "unrelated", "offers") if kind in kinds} == {"note"}
    data = examples.Examples({"sources": sources}, {"ours": {"predictions": outputs}})
    assert not {"phrases", "unrelated", "offers"} & {*soundness.find_unsound(found, data)["ours"]}


def test_long_words_are_no_sign_of_a_script_without_spaces():
    """Of German and medical sources stock phrases are found, too."""
    source = "Donaudampfschifffahrtskapitän {} unterschrieb Beförderungsbestimmungen."
    sources = [source.format(i) for i in range(40)]
    outputs = [f"Kapitän {i} sagte laut Ja und ging." for i in range(40)]
    kinds = {finding.kind for finding in find(sources, None, {"ours": outputs})}
    assert "phrases" in kinds


# Equal texts --------------------------------------------------------------------------------------


def test_identical_systems_are_found_also_but_for_case_and_spaces():
    splitter = SYSTEMS["splitter"]
    equal = only(find(SOURCES, REFERENCES, {**SYSTEMS, "again": splitter}))
    assert str(equal) == "problem: splitter and again have the same outputs"
    assert (equal.kind, equal.systems) == ("identical", ("splitter", "again"))
    spaced = only(find(SOURCES, None, {**SYSTEMS, "again": [f"{t} " for t in splitter]}))
    assert spaced.text == "splitter and again have the same outputs but for case and spaces"


def test_copies_of_the_source_are_noted():
    finding = only(find(SOURCES, REFERENCES, {**SYSTEMS, "copy": [s.lower() for s in SOURCES]})[1:])
    assert (finding.kind, finding.gravity, finding.systems) == ("copies", "note", ("copy",))
    half = [
        s if i % 2 else t for i, (s, t) in enumerate(zip(SOURCES, SYSTEMS["splitter"], strict=True))
    ]
    finding = only(find(SOURCES, REFERENCES, {"half": half}))
    assert {*range(2, N + 1, 2)} <= {*finding.examples}


@given(st.integers(0, 2))
def test_a_system_that_is_a_reference_is_told_with_its_number(number):
    leaked = [row[number] for row in REFERENCES]
    finding = only(find(SOURCES, REFERENCES, {**SYSTEMS, "ours": leaked}))
    assert (finding.kind, finding.gravity, finding.systems) == ("leaks", "error", ("ours",))
    assert f"equals reference {number + 1} in 100 %" in finding.text
    assert {i + 1 for i in range(N) if leaked[i] != SOURCES[i]} == {*finding.examples}


def test_a_system_with_many_references_among_its_outputs_is_told():
    mixed = [REFERENCES[i][i % 3] if i % 2 else t for i, t in enumerate(SYSTEMS["splitter"])]
    finding = only(find(SOURCES, REFERENCES, {"ours": mixed}))
    assert (finding.kind, finding.gravity) == ("leaks", "error")


def test_repeated_sources_and_an_output_for_many_sources_are_found():
    sources = [*SOURCES, SOURCES[3]]
    finding = only(find(sources, None, {"ours": [*SYSTEMS["splitter"], SYSTEMS["splitter"][3]]}))
    assert (finding.kind, finding.gravity, finding.examples) == ("duplicates", "note", (N + 1,))
    at = [2, 7, 30]
    same = " ".join(" ".join(SYSTEMS["splitter"][i].split()[:3]) for i in at) + "."
    finding = only(with_fault(lambda _: same, at))
    assert (finding.kind, finding.systems) == ("duplicates", ("splitter",))
    assert finding.examples == numbers(at)


# How texts are written ----------------------------------------------------------------------------


def test_the_references_have_and_a_system_has():
    first, *others = REFERENCES
    references = [[f"Simplified: {first[0]}", *first[1:]], *others]
    in_references = only(find(SOURCES, references, SYSTEMS))
    in_outputs = only(with_fault(lambda text: f"Simplified: {text}", [0]))
    assert re.match(r"the references \(.+\) have ", in_references.text)
    assert re.match(r"splitter \(.+\) has ", in_outputs.text)


def tokenised(text):
    return re.sub(r"(?<=\S)([.,;:!?])(?=\s|$)", r" \1", text)


@pytest.mark.parametrize(
    ("kind", "gravity", "fault"),
    [
        ("tokenised", "problem", tokenised),
        ("case", "note", str.lower),
        ("brackets", "problem", lambda t: t.replace("(", "-LRB- ").replace(")", " -RRB-")),
        ("quotes", "problem", lambda t: re.sub(r'"([^"]*)"', r"`` \1 ''", t)),
        ("contractions", "problem", lambda t: re.sub(r"(\w)(n't|'s)\b", r"\1 \2", t)),
    ],
)
def test_a_system_that_is_written_in_another_way_is_told_apart(kind, gravity, fault):
    def made(text):
        return f"{text} (It wasn't \"right\", the king's clerk said.)"

    sources = [*map(made, SOURCES)]
    references = [[*map(made, row)] for row in REFERENCES]
    right = {name: [*map(made, texts)] for name, texts in SYSTEMS.items()}
    assert find(sources, references, right) == []

    wrong = {**right, "splitter": [*map(fault, right["splitter"])]}
    # The same words in all outputs are findings, too.
    kinds = {"phrases", "affixes"}
    finding = only([f for f in find(sources, references, wrong) if f.kind not in kinds])
    assert (finding.kind, finding.gravity) == (kind, gravity)
    assert finding.systems == ("splitter",)
    assert finding.examples == tuple(range(1, N + 1))
    assert "in splitter (100 %), not in" in finding.text

    alike = {name: [*map(fault, texts)] for name, texts in right.items()}
    every = [[*map(fault, row)] for row in references]
    finding = only(find([*map(fault, sources)], every, alike))
    assert (finding.kind, finding.gravity) == ("version", "note")

    found = find(sources, every, right)
    of_references = only([f for f in found if f.kind != "affixes"])  # which is no system's fault
    assert (of_references.kind, of_references.systems) == (kind, ())
    assert of_references.gravity == ("problem" if kind == "tokenised" else "note")


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        ("entities", lambda t: t.replace(" ", " &quot;", 1)),
        ("entities", lambda t: f"{t} &#39;"),
        ("mojibake", lambda t: f"{t} Café".encode().decode("latin-1")),
        ("mojibake", lambda t: f"{t} It’s".encode().decode("cp1252")),
        ("mojibake", lambda t: f"{t} \ufffd"),
        ("unknown", lambda t: f"<unk> {t}"),
        ("unknown", lambda t: f"{t} UNK ."),
        ("pieces", lambda t: "re@@ " + t),
        ("pieces", lambda t: f"well @-@ known ￭{t}"),
        ("separators", lambda t: f"It is so. || {t}"),
        ("separators", lambda t: f"It is so. <::::> {t}"),
        ("anonymised", lambda t: f"PERSON@1 said: {t}"),
        ("anonymised", lambda t: f"It cost number@2 or NUMBER_12. {t}"),
        ("anonymised", lambda t: f"[NAME] and [**Date**] came. {t}"),
        ("escapes", lambda t: f"It is so._x000D_ {t}"),
        ("pieces", lambda t: "▁" + t.replace(" ", "▁")),
        ("special", lambda t: f"[CLS] {t}"),
        ("special", lambda t: f"{t}</s>"),
        ("special", lambda t: f"{t}<|im_end|>"),
        ("tags", lambda t: f"<NBCHARS_0.8> {t}"),
        ("prompts", lambda t: f"Simplified: {t}"),
        ("prompts", lambda t: f"**Simplified sentence:** {t}"),
        ("prompts", lambda t: f"Sure! Here is a simpler version: {t}"),
        ("prompts", lambda t: f"Okay, here is the text in plain words:\n\n{t}"),
        ("prompts", lambda t: f"Hier ist die vereinfachte Version: {t}"),
        ("reasoning", lambda t: f"<think>The user wants it simpler.</think> {t}"),
        ("bold", lambda t: f"**{t}**"),
        ("bullets", lambda t: f"- {t}"),
        ("bullets", lambda t: f"It is so. • {t}"),
        ("numbering", lambda t: f"1. {t}"),
        ("headings", lambda t: f"## Simple\n{t}"),
        ("fences", lambda t: f"```\n{t}\n```"),
        ("notes", lambda t: f"{t} (Note: I replaced a word.)"),
        ("offers", lambda t: f"{t} Let me know if you need more."),
        ("echo", lambda t: f"Complex: It was. Simple: {t}"),
        ("echo", lambda t: f"{t}\n\nSentence: It rained.\nSimplification: It was wet."),
        ("candidates", lambda t: f"{t} Or: It rained."),
        ("candidates", lambda t: f"Option 1: {t} Option 2: It rained."),
        ("markup", lambda t: f"<simplified>{t}</simplified>"),
        ("escapes", lambda t: f"{t}\\nIt rained."),
        ("cut", lambda t: t.rstrip(".?!\"") + " and"),
        ("refusals", lambda t: "I'm sorry, but I can't help with that."),
        ("refusals", lambda t: "I can't simplify this text."),
        ("refusals", lambda t: "Unfortunately, I cannot help with that."),
        ("unknown", lambda t: "None"),
        ("notes", lambda t: f"{t} I replaced two long words."),
        ("offers", lambda t: f"{t} Please let me know!"),
        ("refusals", lambda t: "As an AI, I have no opinion."),
        ("language", lambda t: "Der Mann ging mit dem Hund durch die Stadt."),
        ("language", lambda t: "这座城市是全国最大的城市之一。"),
        ("echo", lambda t: "Rewrite the complex sentence with simple sentence(s)."),
        ("echo", lambda t: "Please simplify the medical text below."),
        ("unrelated", lambda t: "Felafel and filafil are modified English spellings."),
        ("answers", lambda t: "Yes."),
        ("repeated", lambda t: f"{t} It rained a lot there. It rained a lot there."),
        ("glued", lambda t: f"{t.rstrip('.')} yellow.According to them."),
        ("wrapped", lambda t: f"“{t}"),
        ("wrapped", lambda t: "'It's the king's, and it isn't theirs, for all that they say.'"),
        ("wrapped", lambda t: f"'{t}"),
        ("wrapped", lambda t: f"{t}'"),
        ("wrapped", lambda t: f"{t}”"),
        ("wrapped", lambda t: f"„{t}“"),
        ("empty", lambda t: "####"),
        ("wrapped", lambda t: f'"{t}"'),
        ("wrapped", lambda t: f"“{t}”"),
    ],
)  # fmt: skip
def test_what_a_pipeline_leaves_behind_is_found(kind, fault):
    at = [1, 5, 6]
    finding = only([f for f in with_fault(fault, at) if f.kind == kind])
    assert (finding.gravity, finding.systems) == ("problem", ("splitter",))
    assert finding.examples == numbers(at)


def test_the_source_beside_the_output_is_found():
    outputs = [f"{a} {b}" for a, b in zip(SOURCES, SYSTEMS["substituter"], strict=True)]
    finding = find(SOURCES, None, {"ours": outputs})[0]
    assert (finding.kind, finding.gravity, len(finding.examples)) == ("doubled", "problem", N)


@pytest.mark.parametrize(
    ("kind", "output"),
    [
        ("echo", "Rewrite the complex sentence with simple ones."),
        ("refusals", "I'm sorry, I can't do that."),
    ],
)
def test_one_of_many_outputs_is_a_problem_and_named_once(kind, output):
    outputs = [*(SYSTEMS["splitter"] * 5)[1:], output]
    findings = find([*SOURCES[1:], *SOURCES * 4, SOURCES[0]], None, {"ours": outputs})
    finding = only([finding for finding in findings if finding.kind == kind])
    assert (finding.gravity, finding.examples) == ("problem", (5 * N,))
    assert "unrelated" not in {finding.kind for finding in findings}


def test_words_that_many_outputs_have_and_no_source_or_reference_are_quoted():
    wrong = with_fault(lambda t: f"{t} A rule of thumb for the king.", [1, 5, 6, 9])
    finding = only([f for f in wrong if f.kind == "phrases"])
    assert (finding.gravity, finding.examples) == ("problem", (2, 6, 7, 10))
    assert "“a rule of thumb for”" in finding.text
    few = with_fault(lambda t: f"{t} A rule of thumb for the king.", [1, 5, 6])
    assert "phrases" not in {f.kind for f in few}


def test_outputs_about_something_else_are_a_note_where_people_write_so_too():
    other = "Felafel and filafil are modified English spellings."
    references = [[other] if i % 4 == 0 else row[:1] for i, row in enumerate(REFERENCES)]
    outputs = [other if i % 5 == 0 else text for i, text in enumerate(SYSTEMS["splitter"])]
    kinds = {f.kind: f.gravity for f in find(SOURCES, references, {"ours": outputs})}
    assert "unrelated" not in kinds
    alone = {f.kind: f.gravity for f in find(SOURCES, REFERENCES, {"ours": outputs})}
    assert alone["unrelated"] == "problem"


def test_a_finding_knows_the_rows_of_each_system():
    systems = {
        name: ["I'm sorry, I can't do that." if i in at else text for i, text in enumerate(texts)]
        for (name, texts), at in zip(SYSTEMS.items(), ([1, 2], [2, 7]), strict=True)
    }
    finding = only([f for f in find(SOURCES, None, systems) if f.kind == "refusals"])
    assert finding.rows == {"splitter": (2, 3), "substituter": (3, 8)}
    assert finding.examples == (2, 3, 8)
    assert str(finding).endswith("(examples 2–3 of splitter)")


def test_a_style_of_the_test_set_is_told_once_and_is_no_fault_of_systems():
    def split(text):
        return f"{text} It was n't the king 's."

    references = [[*map(split, row)] for row in REFERENCES]
    right = {name: [f"{t} It wasn't the king's." for t in own] for name, own in SYSTEMS.items()}
    right["without contractions"] = SYSTEMS["splitter"]
    found = find([*map(split, SOURCES)], references, right)
    finding = only([f for f in found if f.kind == "contractions"])
    assert (finding.gravity, finding.systems) == ("note", ())


def test_what_references_have_too_is_how_texts_are_written():
    listed = {name: [f"- {text}" for text in texts] for name, texts in SYSTEMS.items()}
    references = [[f"- {text}" for text in row] for row in REFERENCES]
    assert find(SOURCES, references, listed) == []
    assert {finding.kind for finding in find(SOURCES, REFERENCES, listed)} == {"bullets"}


def test_texts_in_another_language_than_english_are_noted():
    sources = ["Der Hund ist nicht im Haus.", "Das ist eine Stadt und ein Fluss."] * 4
    finding = only([f for f in find(sources, None, {}) if f.kind == "language"])
    assert (finding.gravity, finding.examples) == ("note", ())
    assert "the sources look German" in finding.text


def test_systems_are_joined_by_ids_before_they_are_checked():
    ids, outputs = [f"id{i}" for i in range(len(SOURCES))], SYSTEMS["splitter"]
    ours = {"ids": ids[::-1], "predictions": outputs[::-1]}
    assert find(SOURCES, REFERENCES, {"ours": ours}, ids=ids) == find(
        SOURCES, REFERENCES, {"ours": outputs}
    )
    ours = {"ids": ids[1:], "predictions": outputs[1:]}
    with pytest.raises(InputError, match=r"ours: .*id0"):
        find(SOURCES, None, {"ours": ours}, ids=ids)


@pytest.mark.parametrize(
    ("text", "cleaned", "removed"),
    [
        ("<think>Hm. Well.</think>\n\nIt rained.", "It rained.", ["reasoning"]),
        ("So I split it.</think> It rained.", "It rained.", ["reasoning"]),
        ("<think>Hm.</think> <think>Well.</think> It rained.", "It rained.", ["reasoning"]),
        ("Okay, here is a simpler version: It rained.", "It rained.", ["preamble"]),
        ("**Simplified sentence:** It rained.", "It rained.", ["preamble"]),
        ("```text\nIt rained.\n```", "It rained.", ["code fence"]),
        ("```It rained.```", "It rained.", ["code fence"]),
        ("“It rained.”", "It rained.", ["quotation marks"]),
        ("It rained.\n\nNote: I removed two words.", "It rained.", ["note"]),
        ("It rained.\n(Note: this is simplified.)", "It rained.", ["note"]),
        ("It rained.\nIt was wet.\nI hope this helps!", "It rained.\nIt was wet.", ["offer"]),
        (
            "Simplified: “It rained.”\n\nNote: I removed words.\nLet me know if it suits you.",
            "It rained.",
            ["preamble", "offer", "note", "quotation marks"],
        ),
        (
            '<think>Hm.</think> Here is the simplified text:\n```\n"It rained."\n```',
            "It rained.",
            ["reasoning", "preamble", "code fence", "quotation marks"],
        ),
    ],
)
def test_what_surrounds_an_output_is_removed(text, cleaned, removed):
    assert clean(text, "There was rain in the town.") == (cleaned, removed)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("It rained.", "There was rain."),
        ("<think>It rained, and it", "There was rain."),  # no end
        ("<think>It rained.</think>", "There was rain."),  # nothing left
        ("<think>a</think>The cat.</think>The dog.", "A feline and a hound."),
        ("Here is the text of the letter: we surrender.", "In the letter they surrender."),
        ("Here is the text of the letter: we surrender.", "They surrender."),
        ("Here is a simpler version of the law: we pay.", "A simpler version of the law says so."),
        ("Here is an article on birds: they fly.", "Birds fly."),
        ("Here is a simpler version: It rained. Or: It was wet.", "There was rain."),
        ("Here is the simplified text: I'm sorry, I can't do that.", "There was rain."),
        ("Here is a sentence in full: it rained", "Here is a sentence in full: there was rain"),
        ("Complex: There was rain. Simple: It rained.", "There was rain."),
        ("Here is where he lives: in a house.", "There is his home."),
        ('"It rained."', "She said: “There was rain.”"),  # direct speech
        ('"The Rain"', "The Rain, a poem."),  # a title
        ("```text It rained.```", "There was rain."),  # a language, or a word
        ("```\nIt rained.\n```\nAnd ```more```", "There was rain."),
        ("1. It rained.", "There was rain."),
        ("It rained. Let me know if it does again.", "There was rain."),  # on one line
        ("It rained.\n“Let me know,” she said.", "There was rain."),  # direct speech
        ("It rained.\nHe said: let me know.", "There was rain."),
        ("It rained,\nlet me know.", "There was rain."),  # a sentence that goes on
        ("“It rained!!", "There was rain."),  # where it ends is unknown
    ],
)
def test_a_text_that_may_be_meant_stays(text, source):
    assert clean(text, source) == (text, [])


@pytest.mark.parametrize(
    "fault",
    [
        lambda i, t: f"en_XX {t}",
        lambda i, t: f"H-{i}\t-0.{i}\t{t}",
        lambda i, t: f"Sure! Here is a simpler version of the text: {t}",
        lambda i, t: f"Certainly, in plain words: {t} [END]",
        lambda i, t: f"<think>Hm {i}.</think> Easy text: {t}",
    ],
)
def test_what_nearly_all_outputs_begin_or_end_with_is_removed_from_all(fault):
    sources = [*SOURCES[:-1], "A simpler version of the text has the words of the preamble, too."]
    outputs = [fault(i, text) for i, text in enumerate(SYSTEMS["splitter"])]
    assert checks.clean(sources, outputs, references=REFERENCES).texts == SYSTEMS["splitter"]


def test_what_references_begin_with_is_kept():
    references = [[f"Easy: {text}" for text in row] for row in REFERENCES]
    outputs = [f"Easy: {text}" for text in SYSTEMS["splitter"]]
    assert checks.clean(SOURCES, outputs, references=references).texts == outputs


def test_a_preamble_of_several_outputs_is_removed_also_where_the_source_has_its_words():
    preamble = "Sure! Here is a simpler version of the text: "
    sources = ["A simpler version of the text exists.", *SOURCES]
    outputs = ["One exists.", *SYSTEMS["splitter"]]
    some = [preamble + text if i < 9 else text for i, text in enumerate(outputs)]
    assert checks.clean(sources, some).texts == outputs


def test_a_title_in_quotation_marks_is_left_alone():
    sources, outputs = SOURCES * 3, SYSTEMS["splitter"] * 3
    found = find(sources, None, {"ours": ['"The Young King"', *outputs[1:]]})
    assert {finding.kind for finding in found} <= {"duplicates", "answers"}


def test_what_stands_in_the_source_already_is_no_fault_of_a_system():
    sources, outputs = ([f"{t} &amp;" for t in texts] for texts in (SOURCES, SYSTEMS["splitter"]))
    finding = only(find(sources, None, {"ours": outputs}))
    assert (finding.kind, finding.gravity, finding.systems) == ("entities", "note", ())


@pytest.mark.parametrize(
    "text",
    [
        "He said: “Simple.” Then «he» left.",
        '"A" and "B"',
        "Here is where the king lived.",
        "Of course, he left.",
        "The simple text was lost: nobody wept.",
        "CAFÉ, ÂGE, SEÑOR, straße: „Spaß“ — naïve",
        "The UN and the UNKNOWN.",
        "Of course I will help him, he said.",
        "Hal is used as an AI assistant on the ship.",
        "Congress had to rewrite the text. No changes are needed now.",
        "Note: Take one pill a day. Please send a text to 123.",
        "Let me know if he comes, said the king. " + 40 * "Nobody came. ",
        "I can't see the sea. I don't have any money. I changed my mind. None of us did.",
        "1.5 km. Or not? (a) 3 * 4 * 5 # 7; Alternatively, he left. I can't get out.",
        "R&D; Q&A; AT&T",
        "a < b and c > d, 1_2, user@example.org",
        "rock ’n’ roll, the ’90s, '' ",
    ],
)
def test_ordinary_texts_are_left_alone(text):
    source = "The king lived there, and he left."
    found = {kind for kind, one in ARTEFACTS.items() if one.find(text, source)}
    assert found <= {"cut", "unrelated"}


# What comes out -----------------------------------------------------------------------------------


def test_a_finding_is_plain_data():
    (finding,) = with_fault(lambda _: "", [0])
    assert finding.to_dict() == {
        "kind": "empty",
        "gravity": "problem",
        "text": "splitter: 1 output is empty",
        "systems": ["splitter"],
        "examples": [1],
        "rows": {"splitter": [1]},
    }


def test_many_names_and_lines_are_cut_in_the_sentence_only():
    systems = {
        f"system {i}": [f"</s> {t}" for t in SYSTEMS["splitter"][:-1]] + [""] for i in range(9)
    }
    found = find(SOURCES, REFERENCES, systems)
    special = only([f for f in found if f.kind == "special"])
    assert "system 3 (98 %) and 5 more have" in special.text
    assert len(special.systems) == 9
    at = [*range(0, N, 2)]
    (finding, *_) = with_fault(lambda _: "", at)
    assert str(finding).endswith("(examples 1, 3, 5, 7, 9, 11 and 18 more)")
    assert finding.examples == numbers(at)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ((SOURCES, None, {"a": SOURCES[1:]}), "predictions of a"),
        ((SOURCES, REFERENCES[1:], {}), "references"),
        ((SOURCES, None, {"a": [None] * N}), "predictions of a"),
        ((SOURCES, None, {"a": [float("nan")] * N}), "predictions of a"),
        ((SOURCES, None, {3: SOURCES}), "names of systems"),
        ((SOURCES, None, SYSTEMS["splitter"]), "systems: expected name → outputs"),
        (("one text", None, {}), "sources"),
        ((None, None, {}), "sources"),
    ],
)
def test_bad_columns_are_told(columns, said):
    with pytest.raises(InputError, match=re.escape(said)):
        find(*columns)


@pytest.mark.parametrize(
    ("output", "quoted"),
    [
        ("He said that it was &quot; and so on and on.", "“… that it was &quot; and so on …”"),
        ("The town hasÃ© a new mayor now.", "“The town hasÃ© a new mayor …”"),
    ],
)
def test_a_quote_shows_the_place_with_three_words_around_it(output, quoted):
    sources = [f"Sentence {word} is here." for word in ("one", "two", "three", "four", "five")]
    found = checks.run(sources, None, {"ours": [*sources[1:], output]})
    assert any(finding.text.endswith(f"such as {quoted}") for finding in found)
