"""Stems of English words, as of NLTK's ``PorterStemmer()`` of 3.10.4, whichever is installed.

Porter (1980), "An algorithm for suffix stripping", with the extensions of NLTK's default mode. NLTK
takes a second to import.
"""

import functools

__all__ = ["stem"]

_IRREGULAR = {
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "innings": "inning",
    "outings": "outing",
    "cannings": "canning",
    **{word: word for word in ("sky", "news", "inning", "outing", "canning", "howe")},
    **{word: word for word in ("proceed", "exceed", "succeed")},
}


def _endings(text: str) -> dict[str, str]:
    """Read ending → what replaces it; of those that a word has the first counts."""
    return {ending: new for ending, _, new in (pair.partition(":") for pair in text.split())}


_STEP_2 = _endings(
    "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e "
    "ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous "
    "aliti:al iviti:ive biliti:ble fulli:ful"
)
_STEP_3 = _endings("icate:ic ative alize:al iciti:ic ical:ic ful ness")
_STEP_4 = _endings("al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize")


@functools.lru_cache(2**16)
def stem(word: str) -> str:
    """Return the stem of an English word.

    >>> [stem(word) for word in ("Relational", "hopping", "skies", "enjoyment")]
    ['relat', 'hop', 'sky', 'enjoy']
    """
    word = word.lower()
    if word in _IRREGULAR or len(word) <= 2:
        return _IRREGULAR.get(word, word)
    word = _cut_participle(_cut_plural(word))
    if word.endswith("y") and len(word) > 2 and _shape(word)[-2] == "c":
        word = word[:-1] + "i"
    while word.endswith("alli") and _measure(word[:-4]):
        word = word[:-2]
    if word.endswith("logi"):
        word = word[:-1] if _measure(word[:-3]) else word
    else:
        word = _replace(word, _STEP_2, 1)
    word = _replace(word, _STEP_3, 1)
    if not word.endswith("ion") or word.endswith(("sion", "tion")):
        word = _replace(word, _STEP_4, 2)
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _ends_short(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _cut_plural(word: str) -> str:
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _cut_participle(word: str) -> str:
    """Cut -ed and -ing, and mend what is before."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    cut = word.removesuffix("ed") if word.endswith("ed") else word.removesuffix("ing")
    if cut == word or "v" not in _shape(cut):
        return word
    if cut.endswith(("at", "bl", "iz")):
        return cut + "e"
    if cut[-1] == cut[-2:-1] and _shape(cut)[-1] == "c":
        return cut if cut[-1] in "lsz" else cut[:-1]
    return cut + "e" if _measure(cut) == 1 and _ends_short(cut) else cut


def _replace(word: str, endings: dict[str, str], least: int) -> str:
    """Replace the first ending that a word has, if the measure of the rest is at least this."""
    ending = next(filter(word.endswith, endings), "")
    rest = word.removesuffix(ending)
    return rest + endings[ending] if ending and _measure(rest) >= least else word


def _shape(word: str) -> str:
    """Return the word with c for consonants and v for vowels, such as y after a consonant."""
    shape = ""
    for letter in word:
        is_vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if is_vowel else "c"
    return shape


def _measure(word: str) -> int:
    """Return how many times a consonant follows a vowel."""
    return _shape(word).count("vc")


def _ends_short(word: str) -> bool:
    """Return whether a word ends like *hop*, or is like *at*."""
    shape = _shape(word)
    return shape == "vc" or (shape.endswith("cvc") and word[-1] not in "wxy")
