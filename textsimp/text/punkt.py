"""Untrained Punkt: where NLTK's ``PunktSentenceTokenizer()`` ends sentences, without NLTK.

Kiss & Strunk (2006), as in NLTK 3.10.4, whichever is installed. Without a trained model no
abbreviations, collocations or frequent beginnings of sentences are known, so that few of its rules
are left. NLTK takes a second to import.
"""

import importlib
import itertools
import string
from collections.abc import Iterator

_QUOTES = "‘’“”«»"
_ELLIPSIS = r"(?:-{2,}|\.{2,}|(?:\.\s){2,}\.)"


class Untrained:
    """Splits texts into sentences."""

    def __init__(self) -> None:
        # It has another idea of white space and letters than re.
        regex = importlib.import_module("regex")
        apart = rf"[)\";}}\]*:@'({{\[{_QUOTES}?!]"  # no part of a word
        self._stop = regex.compile(rf"[.?!](?=(?P<after>{apart}|\s+(?P<next>\S+)))")
        self._closing = regex.compile(rf"(?m)[\"')\]}}{_QUOTES}]+?(?:\s+|(?=--)|$)")
        self._words = regex.compile(
            rf"{_ELLIPSIS}|(?=[^(\"`{{\[:;&#*@)}}\]\-,])\S+?"
            rf"(?=\s|$|{apart}|{_ELLIPSIS}|,(?=$|\s|{apart}|{_ELLIPSIS}))|\S"
        )
        self._initial = regex.compile(r"[^\W\d]\.$")
        self._number = regex.compile(r"-?[.,]?\d[\d,.-]*\.?$")

    def split(self, text: str) -> list[str]:
        """Return the sentences, each with the quotes and brackets that close it."""
        spans, sentences, skipped = [*self._spans(text)], [], 0
        for (start, stop), following in itertools.zip_longest(spans, spans[1:]):
            start, skipped = start + skipped, 0
            if following and (closing := self._closing.match(text, *following)):
                stop = following[0] + len(closing[0].rstrip())
                skipped = closing.end() - following[0]
            sentences.append(text[start:stop])
        return [*filter(None, sentences)]

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        stops, words = [*self._stop.finditer(text)], []
        start = end = begin = 0
        for stop in stops:  # the word before it
            space = max(text.rfind(space, end, stop.start()) for space in string.whitespace)
            start, end = space + 1 if space > end else start, stop.start()
            words.append(start)
        for stop, start, following in zip(stops, words, [*words[1:], len(text)], strict=False):
            last = stop.start() <= following  # of the stops of its word
            if last and self._has_end(text[start : stop.end()] + stop["after"]):
                yield begin, stop.end()
                begin = stop.start("next") if stop["next"] else stop.end()
        yield begin, len(text.rstrip())

    def _has_end(self, context: str) -> bool:
        """Whether a sentence ends within a word and the token after it."""
        lines = filter(str.strip, context.split("\n"))
        tokens = [token for line in lines for token in self._words.findall(line)]
        return any(self._ends_sentence(*pair) for pair in itertools.pairwise(tokens))

    def _ends_sentence(self, token: str, after: str) -> bool:
        """Whether a sentence ends after a token, before another."""
        if token in ("?", "!"):
            return True
        if not token.endswith(".") or token.endswith(".."):
            return False
        initial = self._initial.match(token)
        if not initial and not self._number.match(token.lower()):
            return True
        goes_on = after in (*";:,.!?",) or after[0].islower()
        return not goes_on and not (initial and after[0].isupper())
