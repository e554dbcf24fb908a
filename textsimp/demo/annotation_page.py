"""The page on which people annotate information errors."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from textsimp.demo import views
from textsimp.demo.annotation_server import AnnotationServer
from textsimp.demo.example_corpus import SYSTEMS, examples
from textsimp.demo.gradio_page import gradio, new_page, set_up
from textsimp.demo.limits import Limits
from textsimp.errors import annotation, scheme
from textsimp.errors.annotation import Pair
from textsimp.metrics.information_errors import GIBBERISH, InformationErrors
from textsimp.support.errors import InputError, shown
from textsimp.support.extras import require

_DESCRIPTION = "Is it still true? Compare each output with its source, and answer three questions."
_EXAMPLES = 10  # sources of the example corpus


def build_annotate(
    pairs: str | Path | Sequence[Pair] | None = None,
    *,
    folder: str | Path | None = None,
    qualification: str | Path | None = None,
    annotator: str = "",
) -> Any:
    """Make a page on which people annotate information errors.

    Args:
        pairs: A table with the columns ``source`` and ``prediction``, and ``id`` and ``system`` if
            it has them, see `textsimp.errors.annotation.read_pairs`; or what that returns.
            By default pairs of the example corpus.
        folder: Where answers are kept, a file for each annotator. Without it answers to the
            example pairs are lost when the process ends.
        qualification: A table with known labels, which are asked first.
        annotator: Whose page it is; without it annotators type their names.

    Returns:
        A ``gradio.Blocks``; its ``launch()`` serves the page.
    """
    gr = gradio()
    name = annotation.annotator_name(annotator) if annotator else ""
    if pairs is None and qualification is not None:
        raise InputError("qualification: needs pairs, and there are none")
    if pairs is not None and folder is None:
        raise InputError("folder: expected one to keep answers in, got None")
    if pairs is None:
        pairs = [
            Pair(i, system, row["source"], row[system])
            for i, row in enumerate(examples("sentences")[:_EXAMPLES], 1)
            for system in SYSTEMS["sentences"]
        ]
    elif isinstance(pairs, str | Path):
        pairs = annotation.read_pairs(pairs)
    solutions = annotation.read_qualification(qualification) if qualification is not None else ()
    server = AnnotationServer(pairs, None if folder is None else Path(folder), *solutions)
    if name:
        server.start({"name": name})  # reports what is wrong with the file of answers
    with new_page("Annotate information errors", _DESCRIPTION, InformationErrors) as demo:
        gr.HTML(
            render_form(name, permanent=folder is not None),
            js_on_load=views.resource("annotation.js"),
            server_functions=[
                _reply(handler)
                for handler in (server.start, server.pair, server.answer, server.download)
            ],
            padding=False,
            apply_default_css=False,
        )
    return set_up(demo, Limits(), api=False)


def render_form(name: str, permanent: bool) -> str:
    """Return the HTML of the page. Without a name, annotators type theirs."""
    jinja2 = require("jinja2", extra="demo")
    environment = jinja2.Environment(autoescape=True, trim_blocks=True)
    titles = {c: f"{c.capitalize()}: {question}" for c, question in scheme.QUESTIONS.items()}
    tables = {titles.get(c, "Gibberish"): rows for c, rows in scheme.read_examples().items()}
    html: str = environment.from_string(views.resource("annotation.html")).render(
        name=name,
        permanent=permanent,
        style=views.resource("annotation.css"),
        gibberish=GIBBERISH,
        scheme=scheme,
        tables=tables,
    )
    return html


def _reply(handler: Callable[[Any], dict[str, Any]]) -> Callable[[Any], dict[str, Any]]:
    """Return a function for the page, whose reply says what is wrong with a message."""

    # Gradio sets attributes of what it serves, which a bound method doesn't take.
    @functools.wraps(handler)
    def reply(message: Any) -> dict[str, Any]:
        try:
            if not isinstance(message, dict):
                raise InputError(f"expected a message, got {shown(message)}")
            return handler(message)
        except InputError as error:
            return {"error": str(error)}

    return reply
