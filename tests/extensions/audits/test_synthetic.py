"""Synthetic errors: which text each changes, how, and what every generator owes."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import texts
from textsimp.extensions.audits import spans, synthetic
from textsimp.extensions.audits.spans import persons, phrases
from textsimp.extensions.audits.synthetic import GENERATORS
from textsimp.metrics.information_errors import CATEGORIES

EVERY = [*GENERATORS.values()]
every = pytest.mark.parametrize("generator", EVERY, ids=lambda generator: generator.name)


def changed(generator, text, other=None, seed=0):
    """What becomes of a text; the other text of the pair is the same unless given."""
    pair = (text, text if other is None else other)
    row = generator.row(*(pair if generator.changes == "source" else reversed(pair)), seed)
    return None if row is None else row[generator.changes]


def all_changes(generator, text):
    return {changed(generator, text, seed=seed) for seed in range(40)}


# What all owe ------------------------------------------------------------------------------------

_parts = st.sampled_from(
    [
        *("Marie Curie", "Mr. Bean's", "van", "the", ", and", "; but", ".", "(so)", "12,500"),
        *("3.5%", "1984", "007", "0", "٣", "is", "isn't", "can", "Will", "has been", "did he"),
        *("not", "ΑΣ", "İ", "a\u2028b", "😀", "\x00", "[MASK]", "don’t", "1–2", "-5"),
    ]
)
sentences = st.one_of(texts, st.lists(_parts, max_size=12).map(" ".join))


@every
@given(source=sentences, target=sentences, seed=st.integers(0, 3))
def test_rows_are_legal_and_never_what_they_were_made_of(generator, source, target, seed):
    for pair in ((source, target), (source, source)):
        row = generator.row(*pair, seed)
        if row is None:
            continue
        assert tuple(row) == ("source", "target", "category", "level", "generator")
        assert row["category"] in CATEGORIES
        assert row["level"] in (1, 2)
        assert row["generator"] == generator.name
        kept = "target" if generator.changes == "source" else "source"
        before = dict(zip(("source", "target"), pair, strict=True))
        assert row[kept] == before[kept]
        assert row[generator.changes].strip()
        assert row[generator.changes] not in pair
        assert row == generator.row(*pair, seed)


@every
def test_the_seed_decides(generator):
    text = (
        "Marie Curie is 12 and Alan Turing was 35, but 99 have been, while he can sing, "
        "although she must dance, because 1984 is over and many other words follow."
    )
    found = all_changes(generator, text)
    assert None not in found
    assert len(found) > 1


# Insertions --------------------------------------------------------------------------------------


def test_the_source_loses_the_name_that_the_target_has():
    row = synthetic.names_to_pronouns.row("Then Marie Curie came.", "Marie Curie came.")
    assert row is not None
    assert row["source"] in ("Then he came.", "Then she came.")
    assert (row["target"], row["category"], row["level"]) == ("Marie Curie came.", "insertion", 1)
    assert synthetic.names_to_pronouns.row("Then Marie Curie came.", "Then she came.") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Marie Curie came.", "She came."),
        ("It rained. Marie Curie came.", "It rained. She came."),
        ("They saw Marie Curie's house.", "They saw her house."),
        ("It was written by Marie Curie in 1903.", "It was written by her in 1903."),
        ("Marie Curie came, and Curie sang.", "She came, and she sang."),
        ("They met M. S. Curie, who sang.", "They met her, who sang."),
        ("It rained, but Marie Curie, who sang, came.", "It rained, but she, who sang, came."),
        ("Then Marie Curie 's hat fell .", "Then her hat fell ."),
        ("It was Dr. Curie.", "It was she."),
    ],
)
def test_pronouns_have_the_form_that_the_place_asks_for(text, expected):
    assert expected in all_changes(synthetic.names_to_pronouns, text)


@pytest.mark.parametrize(
    "text",
    [
        "the old man met marie curie .",
        "Marie came to Oxford.",
        "He works at Harvard University.",
        "They crossed the Little Minch.",
        "It rained in Hong Kong.",
        "On Monday May came.",
        "The BBC said so.",
        "Mr. ",
    ],
)
def test_no_person_is_seen(text):
    assert persons(text) == []


@pytest.mark.parametrize(
    ("text", "one_of"),
    [
        ("He sang, and she danced.", {"He sang.", "She danced."}),
        ("Cats (which purr) sleep.", {"Cats sleep.", "(which purr) sleep."}),
        ("Cats sleep. Dogs bark.", {"Cats sleep.", "Dogs bark."}),
        ("it rained , but they left .", {"it rained .", "they left ."}),
        ("Cats -LRB- , which purr -RRB- .", {"Cats ."}),
    ],
)
def test_what_is_left_of_a_text_is_put_together(text, one_of, monkeypatch):
    monkeypatch.setattr(spans, "similarity", lambda shorter, text: 0.7)
    assert one_of <= all_changes(synthetic.phrases_deleted, text)


def test_the_target_still_says_what_the_source_lost(monkeypatch):
    monkeypatch.setattr(spans, "similarity", lambda shorter, text: 0.7)
    source = "He sang old songs of love, and she danced all through the night."
    for seed in range(20):
        row = synthetic.phrases_deleted.row(source, "She danced all night.", seed)
        assert row is not None
        assert "danced" not in row["source"]


@pytest.mark.parametrize(
    ("similarity", "level"),
    [(0.81, 0), (0.8, 1), (0.6, 1), (0.59, 0), (0.4, 2), (0.2, 2), (0.19, 0)],
)
def test_similarity_decides_the_level(similarity, level):
    assert synthetic.level_of(similarity) == level


def test_levels_can_be_chosen():
    text = "He sang, she danced, it rained, we left and so did they, because the night was over."
    for level in (1, 2):
        rows = [synthetic.phrases_deleted_by([level]).row(text, text, s) for s in range(30)]
        assert {row["level"] for row in rows if row} == {level}


@given(text=sentences)
def test_phrases_and_persons_are_parts_of_the_text(text):
    for start, end in [*phrases(text), *persons(text)]:
        assert 0 <= start < end <= len(text)


# Substitutions -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "form"),
    [
        ("42", "[1-9][0-9]"),
        ("12,345", "[1-9][0-9],[0-9]{3}"),
        ("1,200,000", "[1-9],[0-9]00,000"),
        ("3.14", r"[1-9]\.[0-9]{2}"),
        ("0.05", r"0\.0[1-9]"),
        ("45%", "[1-9][0-9]%"),
        ("$2.50", r"\$[1-9]\.[0-9]0"),
    ],
)
def test_numbers_keep_their_form_and_magnitude(number, form):
    found = all_changes(synthetic.numbers, f"It was {number} then.")
    assert len(found) > 3
    for text in found:
        assert re.fullmatch(f"It was {form} then.", text or "")
        assert number not in (text or "")


@given(year=st.integers(1000, 2099))
def test_a_year_becomes_one_at_most_fifty_away(year):
    text = changed(synthetic.numbers, f"since {year}")
    assert text is not None
    assert 1 <= abs(int(text.removeprefix("since ")) - year) <= 50
    assert int(text.removeprefix("since ")) in range(1000, 2100)


@pytest.mark.parametrize(
    "text",
    [
        *("", "none", "0", "0.0", "B2B", "21st", "1990s", "1990's", "the 80 's", "12:30", "1/2"),
        *("1.2.3", "1990-95", "٣", "1" * 5000),
    ],
)
def test_what_is_no_number_stays(text):
    assert changed(synthetic.numbers, text) is None


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("On June 16 it rained.", "On June (1[0-9]|2[0-8]) it rained."),
        ("On 31 of May it rained.", "On ([12][0-9]|30) of May it rained."),
        ("On 05 May it rained.", "On 0[1-9] May it rained."),
        ("In June 1990 it rained.", "In June (19[4-9][0-9]|20[012][0-9]) it rained."),
        ("In 2020 it rained.", "In (19[789][0-9]|20[01][0-9]|202[0-5]) it rained."),
    ],
)
def test_dates_become_others_that_can_be(text, pattern):
    found = all_changes(synthetic.numbers, text)
    assert len(found) > 5
    assert all(re.fullmatch(pattern, new or "") for new in found)
    assert text not in found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He is old.", "He isn't old."),
        ("It will rain.", "It won't rain."),
        ("They shall pass.", "They shan't pass."),
        ("It may rain.", "It may not rain."),
        ("I am here.", "I am not here."),
        ("She has often been there.", "She hasn't often been there."),
        ("They had left.", "They hadn't left."),
        ("Does he know?", "Doesn't he know?"),
        ("Is it true?", "Isn't it true?"),
        ("The trip in was long.", "The trip in wasn't long."),
        ("He would have been there.", "He wouldn't have been there."),
        ("Would she also have gone?", "Wouldn't she also have gone?"),
        ("It is said to have been lost.", "It isn't said to have been lost."),
        ("He isn't old, but he was ill.", "He isn't old, but he wasn't ill."),
        ("Noon was hot.", "Noon wasn't hot."),
    ],
)
def test_auxiliaries_are_negated(text, expected):
    assert all_changes(synthetic.negated, text) == {expected}


@pytest.mark.parametrize(
    "text",
    [
        "He is not old.",
        "He has also not been.",
        "It is, however, not so.",
        "Neither he nor she is tall.",
        "None of the old cats are there.",
        "It never was.",
        "He wouldn’t have been there.",
        "They may not have left.",
        "At 8 am it rained.",
        "She can't.",
        "She cannot.",
        "it ca n't be .",
        "He isn’t.",
        "He has a dog.",
        "They had to go.",
        "She did the work.",
        "In May 1903 it rained.",
        "in may it rained",
        "The will of the people",
        "Will Smith sang.",
        "IT IS",
        "I've",
    ],
)
def test_what_is_negated_or_no_auxiliary_stays(text):
    assert changed(synthetic.negated, text) is None
