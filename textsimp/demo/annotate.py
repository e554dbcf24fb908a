"""The page on which people annotate information errors."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from textsimp.demo import sheet
from textsimp.demo.desk import Desk, Task
from textsimp.demo.page import blocks, gradio, protect
from textsimp.errors import annotation
from textsimp.errors.annotation import Pair
from textsimp.support.errors import InputError, shown

_DESCRIPTION = "Is it still true? Compare each output with its source, and answer three questions."


def build_annotate(
    pairs: str | Path | Sequence[Pair] | None = None,
    *,
    folder: str | Path | None = None,
    qualification: str | Path | None = None,
    annotator: str = "",
) -> Any:
    """A page on which people annotate information errors.

    Args:
        pairs: A table with the columns ``source`` and ``prediction``, and ``id`` and ``system`` if
            it has them, see `textsimp.errors.annotation.read_pairs`; or what that returns.
            Without it visitors upload their own.
        folder: Where answers are kept, a file for each annotator. Without it what visitors upload
            and answer is lost when the process ends.
        qualification: A table with known labels, which are asked first.
        annotator: Whose page it is; without it they type their name.

    Returns:
        A ``gradio.Blocks``; its ``launch()`` serves the page.

    Raises:
        InputError: Files that can't be read, or a name that can't be one.
        ImportError: Gradio is not installed (the extra ``demo``).
    """
    gr = gradio()
    name = annotation.annotator_name(annotator) if annotator else ""
    task = None
    if pairs is not None:
        if folder is None:
            raise InputError("folder: expected one to keep answers in, got None")
        known = annotation.read_known(qualification) if qualification is not None else ((), ())
        found = annotation.read_pairs(pairs) if isinstance(pairs, str | Path) else pairs
        task = Task(found, Path(folder), *known)
    elif qualification is not None:
        raise InputError("qualification: needs pairs, and there are none")
    desk = Desk(task, None if folder is None else Path(folder))
    if task is not None and name:
        desk.start({"name": name})  # what is wrong with a file is told before the page is served
    with blocks("Annotate information errors", _DESCRIPTION) as demo:
        gr.HTML(
            sheet.page(uploads=task is None, name=name, kept=folder is not None),
            js_on_load=sheet.resource("annotate.js"),
            server_functions=[
                _served(of) for of in (desk.load, desk.start, desk.pair, desk.answer, desk.download)
            ],
            padding=False,
            apply_default_css=False,
        )
    protect(demo, desk.limits)
    # There is no API.
    demo.launch = functools.partial(demo.launch, footer_links=[], mcp_server=False)
    return demo


def _served(handler: Callable[[Any], dict[str, Any]]) -> Callable[[Any], dict[str, Any]]:
    """A function for the page, which is told what is wrong instead of failing."""

    @functools.wraps(handler)
    def telling(asked: Any) -> dict[str, Any]:
        try:
            if not isinstance(asked, dict):
                raise InputError(f"expected a message, got {shown(asked)}")
            return handler(asked)
        except InputError as error:
            return {"error": str(error)}

    # Gradio sets marks on what it serves, which a bound method doesn't take.
    return telling
