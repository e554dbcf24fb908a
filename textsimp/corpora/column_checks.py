"""Data checks of columns: what the texts of a column have, unlike those of other columns.

Affixes, tabs, characters, styles of writing, languages and artefacts. In sources or references a
fault changes the scores of all systems, so there it is an error.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from os.path import commonprefix
from typing import Any, Literal

from textsimp.corpora import artefacts
from textsimp.corpora.artefacts import ARTEFACTS
from textsimp.corpora.checked_texts import (
    BLOCK,
    REFERENCES,
    SOURCES,
    Find,
    TextColumn,
    TextColumns,
)
from textsimp.corpora.findings import (
    ARTEFACT_SHARE,
    MAJORITY,
    MIN_TEXTS,
    Finding,
    Gravity,
    count,
    join,
    percent,
    quote,
)
from textsimp.text.languages import (
    LANGUAGES,
    NAMES,
    LanguageProfile,
    detect,
    guess_languages,
    rows_in_others,
)

_NEARLY_ALL, _HARDLY_ANY = 0.8, 0.1  # shares of texts; of real columns that differ they reach 0.5
_MIN_TEXTS = 10  # that begin or end alike by more than chance
_NUMBER = r"\d+(?:[.,]\d+)*"
_STOPS = " .,;!?…。！？।॥؟۔"  # with which texts end


def find_distinctive(
    texts: TextColumns,
    column: TextColumn,
    find: Find,
    least: float = _NEARLY_ALL,
    odd: bool = False,
) -> dict[int, Any]:
    """Return row → what ``find`` returns, if texts of other columns rarely have it, or {}.

    ``odd`` says that only odd texts can have it, see `TextColumn.odd`.
    """
    hits = column.find(find, odd=odd)
    share = len(hits) / max(1, column.size)
    if share <= least:
        return {}
    beside = [len(b.find(find, odd=odd)) / max(1, b.size) for b in texts.beside(column)]
    # Outputs may have it from the sources.
    usual = min(beside, default=1) if column.of == "sources" else max(beside, default=1)
    return hits if usual <= _HARDLY_ANY * share else {}


def describe_distinctive(
    texts: TextColumns, column: TextColumn, rows: Mapping[int, Any], kind: str, what: str, fix: str
) -> Finding:
    """Return the finding on what the texts of a column have, unlike those of other columns."""
    gravity: Gravity = "problem"
    if column.of != "outputs" and len(rows) > MAJORITY * column.size:
        gravity = "error"
    others = join([*dict.fromkeys(other.of for other in texts.beside(column))])
    text = f"{column.title}: {len(rows):,} of {len(column.texts):,} texts {what}, unlike {others}"
    return Finding.of(kind, gravity, f"{text}; {fix}", column.systems, rows)


def check_columns(texts: TextColumns) -> Iterator[Finding]:
    """Find tabs and affixes that nearly all texts of a column have, unlike other columns."""
    for column in texts.columns:
        tabs = find_distinctive(texts, column, lambda text: text.strip().count("\t"), odd=True)
        if tabs:
            number = Counter(tabs.values()).most_common(1)[0][0]
            what = f"have {number} tab{'s' * (number > 1)}"
            yield describe_distinctive(
                texts, column, tabs, "tabs", what, "give one column of the table alone"
            )
        fix = "check --fix removes it" if column.of == "outputs" else "give them without it"
        for verb, affix in find_affixes(column.texts).items():
            rows = find_distinctive(texts, column, affix.search)
            words = next(iter(rows.values()))[0].strip() if rows else ""
            if words and words.isprintable() and not (column.of == "outputs" and kinds_of(words)):
                what = f"{verb} with {quote(words)}"
                yield describe_distinctive(texts, column, rows, "affixes", what, fix)


def kinds_of(words: str) -> list[str]:
    """Return the kinds of artefacts in some words; `check_artefacts` reports those of outputs."""
    return [kind for kind, artefact in ARTEFACTS.items() if artefact.find(f"{words} x", "")]


def find_affixes(texts: Sequence[str]) -> dict[str, re.Pattern[str]]:
    """Return "begin" and "end" → the words with which nearly all texts do, with any numbers."""
    same = set[str]()
    for i in range(0, len(texts), BLOCK):  # joined they take half the time, but memory
        joined = "\0".join(map(str.strip, texts[i : i + BLOCK]))
        same.update(re.sub(_NUMBER, "0", joined).split("\0"))
    same.discard("")
    if len(same) < _MIN_TEXTS:
        return {}
    start = _shared_beginning(same).strip()
    end = _shared_beginning(same, -1)[::-1].lstrip(_STOPS)
    patterns = {"begin": (r"\A\s*", start, r"\s*"), "end": (r"\s*", end, r"\s*\Z")}
    return {
        verb: re.compile(before + _NUMBER.join(map(re.escape, words.split("0"))) + after, re.I)
        for verb, (before, words, after) in patterns.items()
        if words.strip(_STOPS)
    }


def _shared_beginning(texts: set[str], step: Literal[1, -1] = 1) -> str:
    """Return the longest beginning of whole words that nearly all texts have.

    With a step of -1 texts are read from their end to their beginning.
    """
    number = int(_NEARLY_ALL * len(texts))
    if max(Counter(text[::step].lstrip(_STOPS)[:1] for text in texts).values()) <= number:
        return ""  # most often, and before the texts are sorted
    ordered = sorted(text[::step] for text in texts)
    shared = max(map(commonprefix, zip(ordered, ordered[number:], strict=False)), key=len)
    return re.sub(r"[^\W\d]+$", "", shared)


# Characters ---------------------------------------------------------------------------------------

_MAX_CHARACTER_NAMES = 2


def _search(pattern: str, but_in: str = "(?!)") -> Callable[[str], str]:
    """Return a function that finds a pattern, except in texts with the pattern ``but_in``."""
    search, exception = re.compile(pattern).search, re.compile(but_in).search

    def find(text: str) -> str:
        match = search(text)
        return match[0] if match and not exception(text) else ""

    return find


def _find_decomposed(text: str) -> str:
    """Return a mark, or another part, that composes with its letter, or ""."""
    if unicodedata.is_normalized("NFC", text):
        return ""
    lost = sorted({*text} - {*unicodedata.normalize("NFC", text)})
    parts = (mark for mark in lost if not unicodedata.decomposition(mark))
    return max(parts, key=unicodedata.combining, default="")


@dataclass(frozen=True)
class _Form:
    what: str
    find: Callable[[str], str]  # returns one such character of a text, or ""
    fix: str


_HIDDEN = "[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u2028\u2029\u2060\ufeff"
_HIDDEN += "\ue000-\uf8ff\ufff9-\ufffc](?<![\u0080-\u00bfÂÃâÐÑð€].)"  # which are `mojibake`
_JOINING = "[\u200b-\u200f\u202a-\u202e\u2066-\u2069](?<![\u2190-\U0010ffff].)"  # but in emoji
_JOINED = "[\u0590-\u1aff]"  # scripts that need them, from Hebrew to Khmer
_WIDE = "[\ufb00-\ufb06\u3001\u3002\uff01-\uff5e]"
_EAST_ASIAN = "[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"  # which have such
_SPACE = "[\u00a0\u1680\u2000-\u200a\u202f\u205f]"  # which tokenizers split at, as at others
_DECOMPOSED = _Form("decomposed letters", _find_decomposed, "normalise them to NFC")
_COMPOSED = _Form(
    "composed letters",
    lambda text: min({*text} - {*unicodedata.normalize("NFD", text)}, default=""),
    "normalise all texts to NFC",
)
_FORMS = (
    _DECOMPOSED,
    _Form("hidden or control characters", _search(_HIDDEN), "remove them"),
    _Form("joiners or marks of direction", _search(_JOINING, _JOINED), "remove them"),
    _Form("ligatures or full-width marks", _search(_WIDE, _EAST_ASIAN), "write usual ones"),
    _Form("spaces of another kind", _search(_SPACE), "write usual ones"),
)


def check_characters(texts: TextColumns) -> Iterator[Finding]:
    """Find characters that a column has, unlike other columns."""
    gold = [column for column in texts.columns if column.of != "outputs"]
    decomposed = all(column.find(_find_decomposed, odd=True) for column in gold)
    for form in [*_FORMS, _COMPOSED] if decomposed else _FORMS:
        for column in texts.columns:
            own = find_distinctive(texts, column, form.find, ARTEFACT_SHARE, odd=True)
            if own:
                what = f"have {form.what} ({_name([*own.values()])})"
                yield describe_distinctive(texts, column, own, "characters", what, form.fix)


def _name(characters: Sequence[str]) -> str:
    """Return the names of the most frequent characters."""
    most = Counter(characters).most_common(_MAX_CHARACTER_NAMES)
    names = {"\ufeff": "BYTE ORDER MARK"}
    return join([names.get(c, unicodedata.name(c, f"U+{ord(c):04X}")) for c, _ in most])


# Languages, styles, artefacts ---------------------------------------------------------------------

OF_ENGLISH = ("unrelated", "phrases", "notes", "offers")
"""Kinds that are told by English words, so that elsewhere they are notes and no fault."""
_USUAL_SHARE = 0.1
_STYLE_DIFFERENCE = 0.2  # between columns, in the share of texts of a style


@dataclass(frozen=True)
class _Style:
    """A way of writing that has an alternative."""

    kind: str  # of the finding
    what: str  # that texts of this style have
    applies: Callable[[str], Any]  # whether a text has this style
    decides: Callable[[str], Any]  # whether a text has this style or the alternative
    needs: str = ""  # characters; a text that decides has one of these
    gravity: Gravity = "problem"  # of a difference between columns
    effect: str = "to most scores these are other words"  # docs/checks.md measures it


# The first letter has case: a Latin word within Chinese text shows nothing.
_CASED = re.compile(r"[\W\d_]*[A-Za-z\u00c0-\u024f\u0370-\u052f\u0531-\u0587]").match
_PENN = r"''(?<![^\s.,]'')(?=[\s.,]|$)"
_APART = r"['’](?:(?<=\w\sn.)t|(?<=\w\s.)(?:s|re|ve|ll|d|m))(?!\w)"  # searched by the apostrophe
_TOGETHER = _APART.replace(r"\s", "")

# An alternative begins with one set of characters: that takes a third of the time.
STYLES = (
    _Style(
        "tokenised",
        "spaces before punctuation",
        re.compile(r"[.,](?<=\s.)(?=\s|$)").search,
        re.compile(r"[.,](?=\s|$)").search,
        effect="edit operations and D-SARI split words at spaces; SARI and BLEU don't by default",
    ),
    _Style(
        "contractions",
        "contractions split (do n't)",
        re.compile(_APART, re.IGNORECASE).search,
        re.compile(f"{_APART}|{_TOGETHER}", re.IGNORECASE).search,
        "'’",
    ),
    _Style(
        "brackets",
        "-LRB- and -RRB- for brackets",
        re.compile(r"-[LR][RSC]B-", re.IGNORECASE).search,
        re.compile(r"[()\[\]{}-](?:(?<!-)|[LR][RSC]B-)", re.IGNORECASE).search,
        "()[]{}-",
    ),
    _Style(
        "quotes",
        "`` and '' for quotation marks",
        re.compile(rf"``|{_PENN}").search,
        re.compile(rf"[\"“”`'](?:(?<=[\"“”])|(?<=`)`|(?<='){_PENN[1:]})").search,
        "\"“”`'",
    ),
    _Style(
        "case",
        "no capital letter",
        lambda text: _CASED(text) and text == text.lower(),
        _CASED,
        gravity="note",
        effect="BLEU's variant sacrebleu is case-sensitive; SARI and BLEU aren't by default",
    ),
)


def check_styles(texts: TextColumns) -> Iterator[Finding]:
    everywhere = []
    for style in STYLES:
        shares: dict[str, float] = {}
        for name, column in texts.flat.items():
            parts = [*style.needs]
            rows = texts.words.rows_with(name, parts) if parts else range(len(column))
            candidates = [column[i] for i in rows if style.decides(column[i])]
            if len(candidates) >= MIN_TEXTS:
                number = sum(1 for text in candidates if style.applies(text))
                shares[name] = number / len(candidates)
        least, most = min(shares.values(), default=0), max(shares.values(), default=0)
        if most - least >= _STYLE_DIFFERENCE:
            yield _style_finding(style, shares, texts.systems)
        elif least >= MAJORITY:
            everywhere.append(style.what)
    if everywhere:
        text = f"All texts have {join(everywhere)}: other versions of the corpus score otherwise"
        yield Finding("version", "note", text)


def _style_finding(
    style: _Style, shares: Mapping[str, float], systems: Mapping[str, Sequence[str]]
) -> Finding:
    """Return the finding on columns if only some have a style."""
    middle = (min(shares.values()) + max(shares.values())) / 2
    of_set = [shares[name] for name in (SOURCES, REFERENCES) if name in shares] or [middle]
    rows = {}
    for name in [name for name in systems if name in shares]:
        has = shares[name] - max(of_set) >= _STYLE_DIFFERENCE
        lacks = min(of_set) - shares[name] >= _STYLE_DIFFERENCE
        if has or (lacks and style.kind not in ("contractions", "quotes")):
            rows[name] = [
                i
                for i, text in enumerate(systems[name])
                if style.decides(text) and bool(style.applies(text)) is has
            ]
    ordered = sorted(shares, key=lambda name: name not in rows)
    cited = {name: f"{name} ({100 * shares[name]:.0f} %)" for name in ordered}
    having = join([cited[name] for name in ordered if shares[name] >= middle])
    lacking = join([cited[name] for name in ordered if shares[name] < middle])
    text = f"{style.what[0].upper()}{style.what[1:]} in {having}, not in {lacking}: {style.effect}"
    fault = rows or style.kind == "tokenised"  # else the test set is written in two ways
    return Finding.of(style.kind, style.gravity if fault else "note", text, rows)


def check_artefacts(texts: TextColumns) -> Iterator[Finding]:
    n, number = len(texts.sources), max(1, len(texts.reference_rows))
    rows = texts.reference_rows.tolist()
    of_systems = {name: _find_artefacts(texts, name, texts.sources) for name in texts.systems}
    with_hits = {kind for hits in of_systems.values() for kind in hits if hits[kind]}
    kinds = [
        kind for kind, artefact in ARTEFACTS.items() if not artefact.prose or kind in with_hits
    ]
    damage = [kind for kind in kinds if ARTEFACTS[kind].share and not ARTEFACTS[kind].prose]
    in_references = _find_artefacts(texts, REFERENCES, [texts.sources[i] for i in rows], kinds)
    in_sources = _find_artefacts(texts, SOURCES, [""] * n, damage)
    for kind in kinds:
        artefact, usual, shared = ARTEFACTS[kind], 0.0, {}
        own = {name: hits[kind] for name, hits in of_systems.items()}
        if kind in ("unrelated", "answers"):  # the rest of what others don't explain
            for name, hits in own.items():
                own[name] = {i: hits[i] for i in hits if i not in texts.unsound[name]}
        if artefact.prose:
            usual = 2 * n * len(in_references[kind]) / number
        else:
            if kind in damage:  # which sources may have, too
                shared[SOURCES] = in_sources[kind]
            shared[REFERENCES] = {rows[j]: hit for j, hit in in_references[kind].items()}
        least = usual if usual > _USUAL_SHARE * n else 0  # how such texts are written
        own = {name: hits for name, hits in own.items() if len(hits) > least}
        columns = {name: hits for name, hits in (shared | own).items() if hits}
        worst = max(map(len, own.values()), default=0)
        limit = usual + artefact.share * n
        bad = worst > limit or len(shared.get(REFERENCES, ())) > ARTEFACT_SHARE * n
        if texts.systems and kind in damage:
            gold = max(len(in_sources[kind]) / n, len(in_references[kind]) / number)
            bad = _is_lacking(kind, texts) if gold > _USUAL_SHARE else bad
        if kind in OF_ENGLISH and not texts.english:
            bad = False
        if not columns or (kind == "wrapped" and worst <= limit):  # a title, or direct speech
            continue
        where = join([f"{name} ({percent(len(hits), n)})" for name, hits in columns.items()])
        concerned = [*(own or columns).values()]
        name, (row, hit) = next(iter(own or columns)), next(iter(concerned[0].items()))
        cells = texts.references[row] if name == REFERENCES else [texts.flat[name][row]]
        such = quote(next((text for text in cells if hit in text), hit), hit)
        verb = "has" if own and len(columns) == 1 else "have"
        text = f"{where} {verb} {artefact.what}, such as {such}"
        gravity: Gravity = "problem" if bad else "note"
        yield Finding.of(
            kind, gravity, text, own or (), [] if own else sorted({*chain(*concerned)})
        )


def _find_artefacts(
    texts: TextColumns, name: str, sources: Sequence[str], kinds: Iterable[str] = ARTEFACTS
) -> dict[str, dict[int, str]]:
    """Return kind → row → the first artefact in a column of `TextColumns.flat`."""
    return artefacts.find(texts.flat[name], sources, partial(texts.words.rows_with, name), kinds)


def _is_lacking(kind: str, texts: TextColumns) -> bool:
    """Whether references or outputs have an artefact far less often than other columns."""
    shares = {
        name: len(_find_artefacts(texts, name, [""] * len(column), [kind])[kind]) / len(column)
        for name, column in texts.flat.items()
        if column
    }
    others = [share for name, share in shares.items() if name != SOURCES]
    return min(others, default=0) < MAJORITY * max(shares.values())


def check_languages(texts: TextColumns) -> Iterator[Finding]:
    usual = detect(texts.sources)
    if usual.languages and "en" not in usual.languages:
        code = usual.languages[0]
        text = f"the sources look {NAMES[code]}, and metrics are for English by default"
        text += f": give --language {code}" if code in LANGUAGES else ""
        yield Finding("language", "note", text)
    for name, outputs in texts.systems.items():
        rows = {i for i, text in enumerate(outputs) if _has_other_script(text, usual)}
        words = texts.words
        rows.update(rows_in_others(usual.languages, words.distinct[name], words.vocabulary))
        lines = [i for i in sorted(rows) if _is_foreign(outputs[i], texts.sources[i], usual)]
        if lines:
            text = f"{name}: {count(len(lines), 'output', 'is', 'are')} in another language"
            such = quote(outputs[lines[0]])
            yield Finding.of("language", "problem", f"{text}, such as {such}", (name,), lines)


# Letters beyond Latin's, where marks such as “ and … are none.
_NOT_LATIN = re.compile("[^\0-\u00b4\u00b6-\u0148\u014a-\u024f\u2010-\u2027]").search


def _has_other_script(text: str, usual: LanguageProfile) -> bool:
    """Whether a text may have letters of another script than the usual one."""
    return not text.isascii() and bool(_NOT_LATIN(text)) if usual.script == "Latin" else True


def _is_foreign(text: str, source: str, usual: LanguageProfile) -> bool:
    """Whether the script or language of an output is neither the usual one nor its source's."""
    if _has_other_script(text, usual):
        script = detect([text], len(text)).script
        if script != usual.script and None not in (script, usual.script):
            return script != detect([source], len(source)).script
    languages = {*guess_languages(text)}
    if languages and usual.languages and languages.isdisjoint(usual.languages):
        return languages.isdisjoint(detect([source], len(source)).languages)
    return False
