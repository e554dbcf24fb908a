"""Tokenizers of sacremoses, whose rules are made faster."""

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from textsimp.support.imports import require


def make_tokenizer(name: str) -> Callable[[str], str]:
    """Return the tokenizer ``moses`` or ``penn``, which joins tokens by spaces."""
    moses: Any = require("sacremoses", extra="languages").MosesTokenizer()
    letters = frozenset(moses.IsAlpha)  # of which its functions make a set in each call
    moses.isanyalpha = lambda text: not letters.isdisjoint(text)
    moses.islower = frozenset(moses.IsLower).issuperset
    moses.handles_nonbreaking_prefixes = functools.partial(
        _set_periods_apart, moses.handles_nonbreaking_prefixes
    )
    restore_multidots = moses.restore_multidots
    moses.restore_multidots = lambda text: restore_multidots(text) if "MULTI" in text else text
    others = {
        # Its rule for slashes is still Perl, and not compiled: every call would fail.
        moses.INTRATOKEN_SLASHES: (re.compile(moses.INTRATOKEN_SLASHES[0]), r"\1 @/@ \2"),
        # These leave alone what they would replace by itself, a single space.
        moses.DEDUPLICATE_SPACE: (re.compile(r"[^\S ]\s*| \s+"), " "),
        moses.CLEAN_EXTRA_SPACE_1: (re.compile("  +"), " "),
    }
    for attribute in dir(moses):
        rules = getattr(moses, attribute)
        if isinstance(rules, tuple):
            setattr(moses, attribute, _bind(others.get(rules, rules)))
        elif isinstance(rules, list):
            setattr(moses, attribute, [_bind(others.get(rule, rule)) for rule in rules])
    moses.ENGLISH_SPECIFIC_APOSTROPHE = [(_Apostrophes(moses.ENGLISH_SPECIFIC_APOSTROPHE), "")]
    if name == "moses":
        return functools.partial(moses.tokenize, return_str=True, escape=False)
    return functools.partial(moses.penn_tokenize, return_str=True)


@dataclass(frozen=True)
class _Apostrophes:
    """Rules that change no text without an apostrophe, as the pattern of one rule."""

    rules: Sequence[Any]

    def sub(self, template: str, text: str) -> str:
        for pattern, replacement in self.rules if "'" in text else ():
            text = pattern.sub(replacement, text)
        return text


def _set_periods_apart(decide: Callable[[str], str], text: str) -> str:
    """Do what sacremoses' ``decide`` does, which is slow: give it tokens with a period only."""
    tokens = text.split()
    for i, token in enumerate(tokens):
        if token.endswith(".") and token != ".":
            apart = f"{token[:-1]} ."
            if decide(" ".join(tokens[i : i + 2])).startswith(apart):  # the next token matters
                tokens[i] = apart
    return " ".join(tokens)


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
