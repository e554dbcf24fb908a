"""The HTML of the page to annotate: the form, a pair, and the end, which its script shows."""

from __future__ import annotations

from html import escape

from textsimp.demo.gradio_page import resource
from textsimp.errors import scheme
from textsimp.metrics.information_errors import CATEGORIES, GIBBERISH


def page(*, name: str, kept: bool) -> str:
    """Return all of the page.

    Args:
        name: The annotator's; empty if they type it.
        kept: Whether answers outlive the server.
    """
    return (
        f"<style>{resource('annotation.css')}</style>"
        f'<div class="ts annotate" data-name="{escape(name)}" data-gibberish="{GIBBERISH}">'
        '<p class="problem" role="alert" hidden></p>'
        f"{_start(kept)}{_work()}{_END}</div>"
    )


def _start(kept: bool) -> str:
    warning = (
        '<p class="quiet">This server keeps answers until it restarts: save yours before you leave.'
        "</p>"
    )
    return (
        '<form class="start" hidden>'
        '<label>Your name<input name="name" maxlength="40" autocomplete="off" '
        'placeholder="The same each time: you go on where you were"></label>'
        f'<button type="submit" class="main">Start</button>{"" if kept else warning}</form>'
    )


def _work() -> str:
    levels = "".join(
        f'<button type="button" data-level="{level}" aria-pressed="false" title="{escape(about)}">'
        f"<kbd>{level}</kbd><span>{escape(short)}</span></button>"
        for level, (short, about) in scheme.LEVELS.items()
    )
    questions = "".join(
        f'<div class="question" role="group" aria-labelledby="q-{c}" data-category="{i}">'
        f'<h3 id="q-{c}"><kbd>{c[0].upper()}</kbd> <b>{c.capitalize()}</b> '
        f"<small>{escape(scheme.QUESTIONS[c])}</small></h3>"
        f'<div class="levels">{levels}</div></div>'
        for i, c in enumerate(CATEGORIES)
    )
    return (
        '<section class="work" hidden>'
        '<div class="head"><span class="where"></span><progress value="0" max="1"></progress>'
        '<span class="saved" role="status"></span></div>'
        f"{_scheme()}"
        '<div class="sides"><article><h2>Source</h2><p class="text source" tabindex="0"></p>'
        "</article><article><h2>Output</h2>"
        '<p class="text prediction" tabindex="0"></p></article></div>'
        f'<div class="panel"><div class="questions">{questions}</div>'
        '<div class="nav"><button type="button" class="back"><kbd>←</kbd><span>Back</span></button>'
        '<button type="button" class="gibberish" aria-pressed="false" '
        f'title="{escape(scheme.GIBBERISH_MEANS[1])}"><kbd>G</kbd>'
        f"<span>{escape(scheme.GIBBERISH_MEANS[0].capitalize())}</span></button>"
        '<button type="button" class="next"><span>Next</span><kbd>↵ →</kbd></button></div>'
        "</div></section>"
    )


def _scheme() -> str:
    """Return the scheme with its examples, folded."""
    levels = "".join(
        f"<dt><kbd>{level}</kbd> {escape(short)}</dt><dd>{escape(about)}</dd>"
        for level, (short, about) in scheme.LEVELS.items()
    )
    short, about = scheme.GIBBERISH_MEANS
    levels += f"<dt><kbd>G</kbd> {escape(short)}</dt><dd>{escape(about)}</dd>"
    rules = "".join(f"<li>{escape(rule)}</li>" for rule in scheme.RULES)
    titles = {c: f"{c.capitalize()}: {scheme.QUESTIONS[c]}" for c in CATEGORIES}
    titles["gibberish"] = "Gibberish"
    tables = "".join(
        f"<h2>{escape(titles[category])}</h2><table>{''.join(map(_example, examples))}</table>"
        for category, examples in scheme.read_examples().items()
    )
    return (
        '<details class="scheme"><summary><kbd>?</kbd> What the levels mean, and examples</summary>'
        f'<div tabindex="0"><dl>{levels}</dl><ul>{rules}</ul>{tables}'
        "<p>Keys: <kbd>0</kbd> <kbd>1</kbd> <kbd>2</kbd> answer the question that is marked, "
        "<kbd>I</kbd> <kbd>D</kbd> <kbd>S</kbd> or <kbd>↑</kbd> <kbd>↓</kbd> go to another, "
        "<kbd>G</kbd> answers all three; <kbd>↵</kbd>, <kbd>→</kbd> or <kbd>N</kbd> is next, "
        "<kbd>←</kbd> or <kbd>B</kbd> back.</p></div></details>"
    )


def _example(example: scheme.Example) -> str:
    level = "G" if example.level == GIBBERISH else str(example.level)
    return (
        f'<tr><th scope="row"><kbd>{level}</kbd></th><td>{escape(example.source)}<br>→ '
        f"{escape(example.prediction)}</td><td>{escape(example.why)}</td></tr>"
    )


_END = (
    '<section class="end" hidden><h2 class="title" tabindex="-1"></h2><p class="told"></p>'
    '<div class="nav"><button type="button" class="return"><span></span></button>'
    '<button type="button" class="main save"><span>Save my answers</span></button>'
    '<button type="button" class="save csv"><span>… as CSV</span></button>'
    '<button type="button" class="main on"><span>Go on</span></button></div></section>'
    '<p class="foot" hidden>Annotator: <span class="who"></span> '
    '<button type="button" class="plain save">Save my answers</button> '
    '<button type="button" class="plain save csv">… as CSV</button> '
    '<button type="button" class="plain leave">Somebody else</button></p>'
)
