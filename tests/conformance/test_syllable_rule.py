"""The published syllable rule, in both forms: its data, and a literal reading of its text."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.project import SHARED
from textsimp.text.syllables import published_rule

FORMS = ["easse", "readability_scripts"]


@pytest.fixture(scope="module")
def published():
    text = (SHARED / "goldens" / "syllable_rule.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def literally(word, form, published):
    word = word.lower().strip()
    if word in published[form]["exceptions"]:
        return int(published[form]["exceptions"][word])
    word = re.sub("e+$" if form == "easse" else "e$", "", word)
    count = len(re.findall("[aeiouy]+", word))
    count += sum(bool(re.search(pattern, word)) for pattern in published["add"])
    return count - sum(bool(re.search(pattern, word)) for pattern in published["subtract"])


@pytest.mark.parametrize("form", FORMS)
def test_every_exception_has_its_count(form, published):
    exceptions = published[form]["exceptions"]
    assert {word: published_rule(word, form) for word in exceptions} == exceptions


@pytest.mark.parametrize("form", FORMS)
@given(word=st.text() | st.text("aeiouybcdgilmnqrst"))
def test_any_string_counts_as_the_text_of_the_rule_says(form, word, published):
    assert published_rule(word, form) == literally(word, form, published)
