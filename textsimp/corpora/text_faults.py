"""Faults of texts as a whole, beside their sources: what artefacts no pattern tells."""

import re

from textsimp.text.languages import FUNCTION_WORDS

_CLOSING = {'"': '"', "“": "”", "”": "”", "„": "“”", "«": "»", "»": "«", "‹": "›", "›": "‹"}
ENCLOSING = _CLOSING | {"'": "'", "‘": "’", "‚": "‘’", "`": "`", "「": "」", "『": "』"}
"""Opening quotation mark → those that may close it."""
_ELISION = r"(?:\d|(?:tis|twas|em|til|cause|n)\b)"
_APOSTROPHE = re.compile(rf"(?<=\w)['’](?=\w)|(?<!\S)['’](?={_ELISION})", re.IGNORECASE)
_NO_QUOTE = re.compile(r"\d\s?['\"]$|\w\s['’]$")  # inches, or a tokenised genitive


def find_wrapping(text: str, source: str) -> str:
    """Return a text within quotation marks, or with one at an end whose other it lacks."""
    bare = re.sub(_APOSTROPHE, "", text.strip())
    first, last, closing = bare[:1], bare[-1:], ENCLOSING.get(bare[:1], "")
    opening = {one for one, others in ENCLOSING.items() if last and last in others}
    around = first in opening and not {first, last} & {*bare[1:-1]}
    unclosed = closing and not {first, *closing} & {*bare[1:]}
    unopened = opening and not {last, *opening} & {*bare[:-1]} and not _NO_QUOTE.search(bare)
    alone = around or unclosed or unopened
    return text.strip() if alone and not (source and find_wrapping(source, "")) else ""


_CONTENT = re.compile(r"\d+|[A-Z]{2,}|[^\W\d_]{4,}")
_STEM, _FEW_WORDS = 5, 4  # letters; words
_MIN_SENTENCES = 10  # words of a source that is no title


def find_unrelated(text: str, source: str) -> str:
    """Return a text that shares no content word with its source, otherwise ""."""
    known, word = source.lower(), ""
    for match in _CONTENT.finditer(text):
        word = match[0].lower()
        if word[:_STEM] in known and word not in FUNCTION_WORDS["en"]:
            return ""
    few = len(text.split()) < _FEW_WORDS or not _CONTENT.search(source)
    return text if word and not few else ""


def find_answer(text: str, source: str) -> str:
    """Return up to three words that are no sentence for a source that is one, otherwise ""."""
    short = len(text.split()) < _FEW_WORDS and len(source.split()) >= _MIN_SENTENCES
    is_sentence = re.search(r"\w\W+\w.*[.!?…。]\s*$", text)
    return text if short and not is_sentence else ""


_SENTENCE_ENDS = re.compile(r"[.!?]+[\s\"”’')]*")


def find_repeated(text: str, source: str) -> str:
    """Return a sentence that a text has twice, and its source hasn't, otherwise ""."""
    seen: set[str] = set()
    for sentence in _SENTENCE_ENDS.split(text):
        if sentence in seen and source.count(sentence) < 2:
            return sentence
        if len(sentence.split()) >= _FEW_WORDS:
            seen.add(sentence)
    return ""


# What ends a sentence, looked for from the end of the text backwards.
END = re.compile(r"(?s:.*)(?:[.!?…。！？।॥؟۔\"”’'`)\]}»」』*|]|-R[RSC]B-)\s*$", re.IGNORECASE)


def find_open_end(text: str, source: str) -> str:
    """Return the end of a text without final punctuation, where its source has some."""
    cut = END.match(source) and not END.match(text) and not find_answer(text, source)
    return text.strip()[-30:] if cut else ""


_MIN_SOURCE, _MIN_REST = 20, 15  # characters
_MIN_OVERLAP = 0.4  # share of the words beside the source that the source has, too


def find_with_source(text: str, source: str) -> str:
    """Return what stands beside the whole source in a text, if it says the same again."""
    whole, part = (" ".join(one.lower().split()) for one in (text, source))
    if len(part) < _MIN_SOURCE or part not in whole or not END.match(source):
        return ""
    rest = whole.replace(part, " ", 1).strip()
    words, known = {*re.findall(r"\w+", rest)}, {*re.findall(r"\w+", part)}
    again = len(rest) >= _MIN_REST and len(words & known) >= _MIN_OVERLAP * len(words)
    return rest if again else ""
