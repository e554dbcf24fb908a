"""Options that aren't for the script that texts are written in: one warning."""

import functools
import json
import warnings

import pytest

import textsimp
from textsimp.core.examples import ScriptWarning
from textsimp.text.languages import LanguageProfile, detect, is_natural, language_reads

SPLITTER = "splitter='punkt-untrained'"

TEXTS = {
    "Latin": ["The cat sat on the mat.", "It rained, so it stayed."],
    "Cyrillic": ["Кошка сидела на коврике.", "Шёл дождь."],
    "Devanagari": ["बिल्ली चटाई पर बैठी थी।", "बारिश हुई।"],
    "Hangul": ["고양이가 매트에 앉았다.", "비가 왔다."],
    "Han": ["猫坐在垫子上看着窗外的雨。", "下雨了，所以它留在那里。"],
    "Kana": ["猫がマットの上に座っていた。", "雨が降ったので、そこにいた。"],
    "Thai": ["แมวนั่งอยู่บนเสื่อ", "ฝนตก มันจึงอยู่ที่นั่น"],
}


def columns(script):
    return columns_of(TEXTS[script])


def columns_of(texts):
    return {"sources": texts, "predictions": texts, "references": [[text] for text in texts]}


def warnings_of(call):
    """The warnings of a call, which must stand at a line of this file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    ours = [found for found in caught if issubclass(found.category, ScriptWarning)]
    assert all(found.filename in (__file__, "<string>") for found in ours)
    return [str(found.message) for found in ours]


def warned(metric, **columns):
    """The warnings of a score by a metric in the notation."""
    metric = textsimp.metric(metric)
    return warnings_of(lambda: metric.score(**columns))


@pytest.mark.parametrize("script", TEXTS)
def test_a_sample_has_the_script_of_most_letters(script):
    assert detect(TEXTS[script]).script == script


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([], LanguageProfile(None, True)),
        (["", " "], LanguageProfile(None, True)),
        (["1, 2, 3!", "abc"], LanguageProfile(None, True)),  # hardly a letter
        (["abcde абвгд"], LanguageProfile(None, True)),  # half and half
        (["abc def абвгд"], LanguageProfile("Latin", True)),
        (["Ｆｕｌｌ ｗｉｄｔｈ"], LanguageProfile("Latin", True)),
        (["𝐁𝐨𝐥𝐝 𝓈𝒸𝓇𝒾𝓅𝓉"], LanguageProfile("Latin", True)),
        (["ﾈｺﾊﾏｯﾄ"], LanguageProfile("Kana", False)),
        (["猫 坐 在 垫子 上"], LanguageProfile("Han", True)),  # words set apart already
        (["高速増殖炉の開発計画等見直検討委員会報告書"], LanguageProfile("Kana", False)),
        (["人々"], LanguageProfile(None, True)),
        (["我很好。", "", "他走了。"], LanguageProfile("Han", False)),  # short
        (["\x00\ud83d" * 9], LanguageProfile(None, True)),
    ],
)
def test_profiles_of_odd_texts(texts, expected):
    assert detect(texts) == expected


GERMAN = [
    "Die Katze saß auf der alten Matte, und es regnete.",
    "Er ging nicht nach Hause, weil das Haus weit weg war.",
]


@pytest.mark.parametrize(
    ("metric", "script", "advice"),
    [
        ("sari", "Han", "give tokenizer='zh' or 'char'"),
        ("sari(xu)", "Kana", "tokenizer='none' of sari isn't for: give tokenizer='ja-mecab' or"),
        ("sari(tokenizer=intl)", "Thai", "give tokenizer='char'"),
        ("sari(easse_legacy, tokenizer=zh)", "Han", "give source_tokenizer='zh' or 'char'"),
        ("bleu", "Kana", "'13a' of bleu isn't for"),
        ("d_sari", "Han", "'none' of d_sari"),
        ("split_f1", "Kana", "splitter='punkt-untrained' of split_f1 isn't for: give splitter='pu"),
        ("d_sari(splitter=simple-token)", "Devanagari", "give splitter='punkt-all-scripts'"),
        ("sari(level=aligned)", "Devanagari", "give splitter='punkt-all-scripts'"),
        ("simplification_stats", "Han", "of simplification_stats isn't for"),
        ("sari(tokenizer=zh)", "Kana", "give tokenizer='ja-mecab'"),
        ("d_sari(splitter=nltk-punkt-en)", "Cyrillic", "give splitter='nltk-punkt-ru'"),
        ("fkgl_components(syllables=pyphen-ru)", "Cyrillic", "FKGL is a formula for English, take"),
        ("readability", "Cyrillic", "language='en' of readability isn't for: give that of the tex"),
        ("readability", "Han", "language='en' of readability"),
        ("readability(language=sv)", "Devanagari", "language='sv' of readability"),
        ("ter", "Thai", "ter isn't for: it takes words between spaces, take chrf"),
        ("chrf(chrf++)", "Han", "words are of words between spaces, take chrf(chrf)"),
        ("word_transformations", "Cyrillic", "aligner='lexical' of word_transformations isn't for"),
        ("rouge", "German", "stem=True of rouge isn't for: give stem=False"),
        (
            "word_transformations",
            "German",
            "isn't for: nothing here is, so give a function",
        ),
        ("readability", "German", "language='en' of readability isn't for: give that of the texts"),
    ],
)
def test_options_for_other_texts_are_warned_of_once(metric, script, advice):
    given = columns_of(GERMAN) if script == "German" else columns(script)
    own = {column.name: given[column.name] for column in textsimp.metric(metric).columns}
    (message,) = warned(metric, **own)
    three = "sources, predictions, references"
    look = f"{three} look German" if script == "German" else f"most letters of {three} are {script}"
    assert message.startswith(f"{look}, which ")
    assert advice in message


@pytest.mark.parametrize(
    ("metric", "script"),
    [
        *((metric, "Latin") for metric in ("sari", "d_sari", "fkgl_components", "bleu(sacrebleu)")),
        *(("sari", script) for script in ("Cyrillic", "Devanagari", "Hangul")),
        *(("sari(tokenizer=char)", script) for script in TEXTS),
        ("sari(tokenizer=zh)", "Han"),
        ("simplification_stats", "Cyrillic"),
        ("d_sari(tokenizer=zh, splitter=punkt-all-scripts)", "Han"),
        ("d_sari", "Hangul"),
        *(("chrf", script) for script in TEXTS),
        *(("ter", script) for script in ("Latin", "Cyrillic", "Devanagari", "Hangul")),
        *((metric, "Latin") for metric in ("rouge", "word_transformations", "chrf(chrf++)")),
        *((metric, "German") for metric in ("sari", "bleu", "chrf(chrf++)", "ter")),
        *((metric, "German") for metric in ("rouge(evaluate)", "readability(language=de)")),
    ],
)
def test_options_that_fit_raise_no_warning(metric, script):
    assert warned(metric, **columns_of(TEXTS.get(script, GERMAN))) == []


@pytest.mark.parametrize("script", TEXTS)
def test_a_function_of_the_user_fits(script):
    metric = textsimp.Sari(tokenizer=str.split)
    assert warnings_of(lambda: metric.score(**columns(script))) == []


def test_fkgl_says_of_german_what_its_error_says(write, run):
    path = write("de.txt", *GERMAN)
    found = run("score -m fkgl:syllables=pyphen-de -p", path)
    assert found.stderr.splitlines()[-1] == (
        "Warning: predictions look German, which fkgl_components isn't for: FKGL is a formula for "
        "English, take readability"
    )
    refused = run("score -m fkgl --language de -p", path)
    assert (
        "fkgl is a formula for English, got the language 'de': take readability" in refused.stderr
    )


@pytest.mark.parametrize(
    "text", [*(TEXTS[name][0] for name in TEXTS if name != "Latin"), "кот 1999"]
)
def test_rouge_counts_the_texts_that_it_cannot_read(text):
    rows = {"predictions": ["a cat", text, ""], "references": [["a cat"], [text], ["Größe"]]}
    (message,) = warned("rouge(evaluate)", **rows)
    assert message == (
        "rouge reads the letters a to z and digits, and 1 of 3 references, 1 of 3 predictions are "
        "mostly of other letters: take chrf"
    )


@pytest.mark.parametrize(("language", "has_warning"), [("en", True), ("ru", False), ("sh", False)])
def test_a_language_of_frequencies_is_for_its_script(language, has_warning):
    metric = f"word_difficulty(language={language})"
    assert bool(warned(metric, predictions=TEXTS["Cyrillic"])) is has_warning


def test_the_languages_of_frequencies_are_known_by_their_scripts():
    pytest.importorskip("wordfreq", reason="needs the extra languages")
    from wordfreq import available_languages
    from wordfreq.language_info import get_language_info

    for language in available_languages():
        script = get_language_info(language)["script"]
        assert language_reads(language, LanguageProfile("Latin", True)) is (script == "Latn")


NATURAL = [f"The cat, number {i}, sat on the mat." for i in range(6)]
TOKENISED = [f"The cat , number {i} , sat on the mat ." for i in range(6)]


@pytest.mark.parametrize(
    ("metric", "option", "instead"),
    [
        ("sari(xu)", "tokenizer='none' of sari", "tokenizer='13a'"),
        ("d_sari", "tokenizer='none' of d_sari", "tokenizer='13a'"),
        ("d_sari(corrected, splitter=simple-token)", "='simple-token' of d_sari", SPLITTER),
        ("edit_ops", "tokenizer='none' of edit_ops", "tokenizer='13a'"),
        ("word_transformations(easse2019)", "of word_transformations", "tokenizer='13a'"),
        ("fkgl_components(paper)", "splitter='stop-tokens' of fkgl_components", SPLITTER),
    ],
)
def test_options_for_tokenised_text_warn_of_other_text(metric, option, instead):
    (message,) = warned(metric, **columns_of(NATURAL))
    assert " aren't tokenised, which " in message
    assert option in message
    assert message.endswith(f" expects: tokenise them, or give {instead}")
    assert warned(metric, **columns_of(TOKENISED)) == []


@pytest.mark.parametrize("variant", ["easse_legacy", "star", "joshua"])
def test_variants_of_tokenised_sources_warn_of_other_sources(variant):
    metric = f"sari({variant}, weight=None)"
    mixed = {**columns_of(NATURAL), "sources": TOKENISED}
    assert warned(metric, **mixed) == []
    (message,) = warned(metric, **columns_of(NATURAL))
    assert message == (
        "sources aren't tokenised, which source_tokenizer='none' of sari expects: tokenise them, "
        "or give source_tokenizer='same'"
    )


def test_the_columns_that_are_not_tokenised_are_named_once_for_all_metrics():
    shared = {"sources": TOKENISED, "references": [[text] for text in TOKENISED]}
    systems = {"a": TOKENISED, "b": NATURAL}
    call = functools.partial(textsimp.score, systems, metrics=["d_sari", "edit_ops"], **shared)
    (message,) = warnings_of(call)
    assert message.startswith("predictions aren't tokenised, which tokenizer='none' of d_sari, edi")


@pytest.mark.parametrize(
    ("texts", "natural"),
    [
        (["A cat."] * 4, False),  # too few marks to tell
        (["A cat, a dog, a hen, a cow, a pig"], False),
        (["A cat, a dog, a hen, a cow, a pig."], True),
        (["a cat ."] * 20 + ["a cat."] * 5, True),
        (["a cat ."] * 21 + ["a cat."] * 5, False),
        (["1,000 cats"] * 9, False),
    ],
)
def test_a_fifth_of_the_marks_after_words_is_natural_text(texts, natural):
    assert is_natural(texts) is natural


@pytest.mark.parametrize("metric", ["d_sari", "sari(xu)"])
@pytest.mark.parametrize("text", ["the cat sat . ", " the cat sat .", "the  cat sat ."])
def test_spaces_that_are_words_are_counted(metric, text):
    columns = {**columns_of(TOKENISED), "predictions": [*TOKENISED[1:], text]}
    (message,) = warned(metric, **columns)
    assert message.startswith(
        "1 of 6 predictions have spaces at an end, or several in a row, each "
    )
    assert message.endswith("split='space': strip them, or give split='whitespace'")
    assert warned("d_sari(corrected)", **columns) == warned("sari(huggingface)", **columns) == []


@pytest.mark.parametrize("texts", [TOKENISED, NATURAL])
@pytest.mark.parametrize("variant", ["paper", "textstat"])
def test_presets_that_join_lines_warn_of_texts_without_a_final_stop(variant, texts):
    metric, cut = f"fkgl_components({variant})", [*texts[:5], "the cat sat"]
    (message,) = warned(metric, predictions=cut)
    assert "joins texts without a final stop to the next ones, here 1 of 6 predictions" in message
    assert message.endswith("give splitter='punkt-untrained'")
    quoted = [f'he said "{text}"' for text in texts]
    assert "joins" not in "".join(warned(metric, predictions=quoted))
    assert warned("fkgl", predictions=cut) == []


def test_each_door_warns_once():
    given = columns("Han")
    shared = {"sources": given["sources"], "references": given["references"]}
    systems = {"a": given["predictions"], "b": given["predictions"][::-1]}
    module = textsimp.load("sari")
    for call in (
        lambda: textsimp.score(systems, metrics=["sari", "bleu"], **shared),
        lambda: textsimp.compare(systems, **shared),
        lambda: textsimp.score(textsimp.Examples(shared, {"a": {"predictions": systems["a"]}})),
    ):
        assert len(warnings_of(call)) == 1
    with pytest.warns(ScriptWarning, match="tokenizer='13a' of sari, bleu isn't for"):
        textsimp.score(systems, metrics=["sari", "bleu"], **shared)
    with pytest.warns(ScriptWarning, match="tokenizer='13a' of sari"):
        module.compute(**given)


def test_the_command_line_warns_in_a_line(write, run):
    path = write("t.txt", *TEXTS["Han"])
    command = f"score -s {path} -p {path} -r {path}"
    found = run(f"{command} --json")
    assert found.stderr.count("Warning: ") == 1
    message = found.stderr.strip().removeprefix("Warning: ")
    assert message.endswith("tokenizer='13a' of sari isn't for: give tokenizer='zh' or 'char'")
    assert json.loads(found.stdout)["warnings"] == [message]
    fitting = run(f"{command} -O tokenizer=zh")
    assert "Warning" not in fitting.stderr
    assert "tok:zh" in fitting.stdout
