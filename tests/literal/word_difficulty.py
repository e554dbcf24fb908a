"""Word difficulty as defined, for one text whose tokens stand between white space."""

from collections import Counter
from unicodedata import combining, normalize

import cefrpy
import wordfreq

LEVELS = ("a1", "a2", "b1", "b2", "c1", "c2")
CONTRACTIONS = {"can't": "can", "won't": "will", "shan't": "shall"}
CONTRACTIONS |= {"ca": "can", "wo": "will", "sha": "shall"}  # of ca n't
ENDINGS = ("n't", "'re", "'ve", "'ll", "'s", "'m", "'d", "'")


def bare(token):
    """An English token without its clitic."""
    plain = token.replace("’", "'")
    if plain.lower() in CONTRACTIONS:
        return CONTRACTIONS[plain.lower()]
    for ending in ENDINGS:
        if plain.lower().endswith(ending):
            return token[: len(token) - len(ending)]
    return token


def words(text, language):
    found = [bare(token) if language == "en" else token for token in text.split()]
    brackets = {f"-{side}{kind}b-" for side in "lr" for kind in "rsc"}
    return [
        word
        for word in found
        if any(character.isalpha() for character in word) and word.lower() not in brackets
    ]


def band(zipf):
    if zipf == 0:
        return "zipf_unknown"
    if zipf < 2:
        return "zipf_below_2"
    if zipf >= 6:
        return "zipf_6_up"
    return f"zipf_{int(zipf)}_{int(zipf) + 1}"


def level(word):
    """The level of the hardest part, each taken for its easiest part of speech."""
    letters = [c for c in normalize("NFKD", word.lower()) if not combining(c)]
    parts = "".join(c if c.isalnum() or c == "_" else " " for c in letters).split()
    found = []
    for part in parts:
        by_tag = cefrpy.CEFRAnalyzer().get_pos_level_dict_for_word(part, word_level_as_float=True)
        if not by_tag:
            return "cefr_unknown"
        found.append(round(min(by_tag.values())))
    return f"cefr_{LEVELS[max(found) - 1]}"


def word_difficulty(text, language="en"):
    """All scores that aren't zero."""
    found = words(text, language)
    if not found:
        return {}
    zipf = [wordfreq.zipf_frequency(word, language) for word in found]
    known = [number for number in zipf if number]
    bands = Counter(map(band, zipf))
    scores = {name: count / len(found) for name, count in bands.items()}
    scores["rare_share"] = sum(number < 3 for number in zipf) / len(found)
    scores["mean_zipf"] = sum(known) / len(known) if known else 0
    scores["words"] = len(found)
    if language == "en":
        of_levels = Counter(map(level, found))
        scores |= {name: count / len(found) for name, count in of_levels.items()}
        levels = [i for i, name in enumerate(LEVELS, 1) for _ in range(of_levels[f"cefr_{name}"])]
        scores["mean_cefr"] = sum(levels) / len(levels) if levels else 0
    return scores
