"""Data checks of how texts are written: styles, artefacts, languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from textsimp.corpora import artefacts
from textsimp.corpora.artefacts import ARTEFACTS
from textsimp.corpora.findings import (
    ARTEFACT_SHARE,
    MAJORITY,
    MIN_TEXTS,
    REFERENCES,
    SOURCES,
    Finding,
    Gravity,
    Texts,
    count,
    join,
    percent,
    quote,
)
from textsimp.text.languages import LANGUAGES, NAMES, LanguageProfile, detect, guess_languages

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
        re.compile(r"\s[.,](?=\s|$)").search,
        re.compile(r"[.,](?=\s|$)").search,
        effect="edit operations and D-SARI split words at spaces; SARI and BLEU don't by default",
    ),
    _Style(
        "contractions",
        "contractions split (do n't)",
        re.compile(_APART, re.IGNORECASE).search,
        re.compile(f"{_APART}|{_TOGETHER}", re.IGNORECASE).search,
    ),
    _Style(
        "brackets",
        "-LRB- and -RRB- for brackets",
        re.compile(r"-[LR][RSC]B-", re.IGNORECASE).search,
        re.compile(r"[()\[\]{}-](?:(?<!-)|[LR][RSC]B-)", re.IGNORECASE).search,
    ),
    _Style(
        "quotes",
        "`` and '' for quotation marks",
        re.compile(rf"``|{_PENN}").search,
        re.compile(rf"[\"“”`'](?:(?<=[\"“”])|(?<=`)`|(?<='){_PENN[1:]})").search,
    ),
    _Style(
        "case",
        "no capital letter",
        lambda text: _CASED(text) and text == text.lower(),
        _CASED,
        "note",
        "BLEU's variant sacrebleu is case-sensitive; SARI and BLEU aren't by default",
    ),
)


def check_styles(texts: Texts) -> Iterator[Finding]:
    everywhere = []
    for style in STYLES:
        shares: dict[str, float] = {}
        for name, column in texts.columns():
            candidates = [text for text in column if style.decides(text)]
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
    """Describe columns of which only some have a style."""
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


def check_artefacts(texts: Texts) -> Iterator[Finding]:
    n = len(texts.sources)
    rows = [i for i, row in enumerate(texts.references) for _ in row]
    references = [text for row in texts.references for text in row]
    of_references = [texts.sources[i] for i in rows]
    of_systems = {
        name: artefacts.find(outputs, texts.sources) for name, outputs in texts.systems.items()
    }
    with_hits = {kind for hits in of_systems.values() for kind in hits if hits[kind]}
    kinds = [kind for kind, one in ARTEFACTS.items() if not one.prose or kind in with_hits]
    in_references = artefacts.find(references, of_references, kinds)
    in_sources = artefacts.find(texts.sources, [""] * n, kinds)
    for kind in kinds:
        artefact, usual, shared = ARTEFACTS[kind], 0.0, {}
        own = {name: hits[kind] for name, hits in of_systems.items()}
        if kind in ("unrelated", "answers"):  # the rest of what others don't explain
            for name, hits in own.items():
                own[name] = {i: hits[i] for i in hits if i not in texts.unsound[name]}
        if artefact.prose:
            usual = 2 * n * len(in_references[kind]) / max(1, len(references))
        else:
            if artefact.share:  # damage, which sources may have, too
                shared[SOURCES] = in_sources[kind]
            shared[REFERENCES] = {rows[j]: hit for j, hit in in_references[kind].items()}
        least = usual if usual > _USUAL_SHARE * n else 0  # how such texts are written
        own = {name: hits for name, hits in own.items() if len(hits) > least}
        columns = {name: hits for name, hits in (shared | own).items() if hits}
        worst = max(map(len, own.values()), default=0)
        limit = usual + artefact.share * n
        bad = worst > limit or len(shared.get(REFERENCES, ())) > ARTEFACT_SHARE * n
        gold = max(len(in_sources[kind]) / n, len(in_references[kind]) / max(1, len(references)))
        if texts.systems and gold > _USUAL_SHARE and artefact.share and not artefact.prose:
            bad = _is_lacking(kind, texts)
        if kind in OF_ENGLISH and not texts.english:
            bad = False
        if not columns or (kind == "wrapped" and worst <= limit):  # a title, or direct speech
            continue
        where = join([f"{name} ({percent(len(hits), n)})" for name, hits in columns.items()])
        concerned = [*(own or columns).values()]
        name, (row, hit) = next(iter(own or columns)), next(iter(concerned[0].items()))
        such = quote(next((one for one in texts.at(name, row) if hit in one), hit), hit)
        verb = "has" if own and len(columns) == 1 else "have"
        text = f"{where} {verb} {artefact.what}, such as {such}"
        gravity: Gravity = "problem" if bad else "note"
        yield Finding.of(
            kind, gravity, text, own or (), [] if own else sorted({*chain(*concerned)})
        )


def _is_lacking(kind: str, texts: Texts) -> bool:
    """Whether references or outputs have an artefact far less often than other columns."""
    shares = {
        name: len(artefacts.find(column, [""] * len(column), [kind])[kind]) / len(column)
        for name, column in texts.columns()
    }
    others = [share for name, share in shares.items() if name != SOURCES]
    return min(others, default=0) < MAJORITY * max(shares.values())


def check_languages(texts: Texts) -> Iterator[Finding]:
    usual = detect(texts.sources)
    if usual.languages and "en" not in usual.languages:
        code = usual.languages[0]
        text = f"the sources look {NAMES[code]}, and metrics are for English by default"
        text += f": give --language {code}" if code in LANGUAGES else ""
        yield Finding("language", "note", text)
    for name, outputs in texts.systems.items():
        pairs = zip(outputs, texts.sources, strict=True)
        lines = [i for i, (text, source) in enumerate(pairs) if _foreign(text, source, usual)]
        if lines:
            text = f"{name}: {count(len(lines), 'output', 'is', 'are')} in another language"
            such = quote(outputs[lines[0]])
            yield Finding.of("language", "problem", f"{text}, such as {such}", (name,), lines)


def _foreign(text: str, source: str, usual: LanguageProfile) -> bool:
    """Whether an output is in another script or language than most sources, and than its own."""
    if not (text.isascii() and usual.script == "Latin"):  # ASCII has no other letters
        script = detect([text], len(text)).script
        if script != usual.script and None not in (script, usual.script):
            return script != detect([source], len(source)).script
    languages = {*guess_languages(text)}
    if languages and usual.languages and languages.isdisjoint(usual.languages):
        return languages.isdisjoint(detect([source], len(source)).languages)
    return False
