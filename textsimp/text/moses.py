"""Tokenizers of sacremoses, whose rules are made faster."""

import functools
import re
from collections.abc import Callable
from typing import Any

from textsimp.support.imports import require


def make_tokenizer(name: str) -> Callable[[str], str]:
    """Return the tokenizer ``moses`` or ``penn``, which joins tokens by spaces."""
    moses: Any = require("sacremoses", extra="languages").MosesTokenizer()
    letters = frozenset(moses.IsAlpha)  # of which its functions make a set in each call
    moses.isanyalpha = lambda text: not letters.isdisjoint(text)
    moses.islower = frozenset(moses.IsLower).issuperset
    # Its rule for slashes is still Perl, and not compiled: every call would fail.
    slashes = re.compile(moses.INTRATOKEN_SLASHES[0]), r"\1 @/@ \2"
    moses.MOSES_PENN_REGEXES_1 = [
        slashes if rule is moses.INTRATOKEN_SLASHES else rule for rule in moses.MOSES_PENN_REGEXES_1
    ]
    for attribute in dir(moses):
        rules = getattr(moses, attribute)
        if isinstance(rules, tuple):
            setattr(moses, attribute, _bind(rules))
        elif isinstance(rules, list):
            setattr(moses, attribute, [*map(_bind, rules)])
    if name == "moses":
        return functools.partial(moses.tokenize, return_str=True, escape=False)
    return functools.partial(moses.penn_tokenize, return_str=True)


def _bind(rule: Any) -> Any:
    """Return a rule of sacremoses whose replacement is a function, which matches alone call.

    Before Python 3.12 a template such as ``" \\1 "`` costs as much as the search for matches. One
    without groups is fast.
    """
    pattern, template = rule if isinstance(rule, tuple) and len(rule) == 2 else (None, None)
    if not isinstance(template, str) or not re.fullmatch(r"([^\\]*\\\d)+[^\\]*", template):
        return rule
    parts = re.split(r"\\(\d)", template)  # texts and numbers of groups take turns

    def replace(match: re.Match[str]) -> str:
        return "".join([(match[int(x)] or "") if i % 2 else x for i, x in enumerate(parts)])

    return pattern, replace
