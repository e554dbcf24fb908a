"""Parts of all Gradio pages: frame, settings, results and error messages."""

import functools
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from textsimp import hub
from textsimp.core.examples import Examples
from textsimp.core.metric import Metric
from textsimp.demo import views
from textsimp.demo.limits import Limits
from textsimp.demo.text_inputs import TABLES
from textsimp.metrics import citations
from textsimp.report import marks, templates
from textsimp.support import addresses
from textsimp.support.errors import InputError
from textsimp.support.imports import require
from textsimp.support.version import __version__

__all__ = ["gradio", "new_page", "set_up"]

QUEUE = "page"
"""The queue of all computations of a page, which run one at a time."""

WIDTH = 200  # pixels of a control: two stand side by side, on a phone one

TEXT_FILES = (
    "Text files with one text per line: `source.txt`, `reference.txt` (or `reference 1.txt`, "
    "`reference 2.txt`, …)"
)

_WAITING = 20  # requests in the queue
_LIFETIME = 3600  # seconds after which uploaded files are deleted, and between looks for them


class Tab(NamedTuple):
    button: Any
    boxes: list[Any]
    read: Callable[..., Any]  # of the boxes' values
    listeners: Sequence[Any] = ()  # of events that compute as the button does
    first: Sequence[Any] = ()  # values of the boxes at the start, if components hold others


def gradio() -> Any:
    """Import Gradio; without it the error names the extra."""
    return require("gradio", extra="demo")


def new_page(
    title: str, description: str, metric: type[Metric] | None = None, remark: str = ""
) -> Any:
    """Return a page, to be filled in a ``with`` statement and completed by `set_up`.

    It links to the metric's papers.
    """
    gr = gradio()
    links = addresses.links()
    for key, address in citations.urls(metric.papers if metric else ()).items():
        links[f"Paper ({', '.join(re.findall(r'[0-9]{4}', key))})"] = address
    if remark and addresses.CODE:
        links = {"Which score to report": addresses.page("docs/trust.md"), **links}
    demo = gr.Blocks(title=title, analytics_enabled=False, delete_cache=(_LIFETIME, _LIFETIME))
    with demo:
        style = marks.style() + templates.read("textsimp.demo:pages.css")
        heading = {"title": title, "description": description, "remark": remark, "links": links}
        top = views.render("heading.html", style=style, **heading, **_other_pages())
        gr.HTML(top, padding=False, apply_default_css=False)
    return demo


def _other_pages() -> dict[str, Any]:
    """Return links to the Spaces of the same owner, and the command that installs textsimp."""
    name = os.environ.get("SPACE_ID", "")  # such as my-name/sari, set by the Hub
    if not name:
        return {"pages": {}, "command": ""}
    site, (owner, _, own) = "https://huggingface.co/spaces", name.partition("/")
    links = {
        hub.read_card(folder)[0]["title"]: f"{site}/{owner}/{folder.name}"
        for folder in hub.space_folders()
        if folder.name != own
    }
    wheel = f"textsimp-{__version__}-py3-none-any.whl"
    address = f"{site}/{name}/resolve/main/{wheel}"
    package = address if Path(wheel).is_file() else f"textsimp=={__version__}"
    return {"pages": links, "command": f"pip install {package}"}


def results_block() -> Any:
    """Return the part of a page that shows results, with the script of all pages."""
    return gradio().HTML(
        elem_id="results",
        padding=False,
        apply_default_css=False,
        js_on_load=templates.read("textsimp.demo:page.js"),
    )


def upload_tab(about: str, action: str, read: Callable[..., Examples]) -> Tab:
    """Return a tab to upload files, with a button; ``about`` is Markdown."""
    gr = gradio()
    with gr.Tab("Files"):
        gr.Markdown(about)
        files = gr.File(
            label="Text files or one table",
            file_types=[".txt", *TABLES],
            file_count="multiple",
            height=190,
        )
        button = gr.Button(action, variant="primary")
    return Tab(button, [files], read)


def connect(
    results: Any, tabs: Sequence[Tab], settings: Sequence[Any], show: Callable[..., Any]
) -> None:
    """Show the results of the first tab at once, and new ones after a click or another event.

    Other input marks the results as old ones. ``show`` is called with a tab's reader, the number of
    its boxes, what it kept of the last result, and the values of the tab's boxes and the settings.
    It returns the results, and what to keep of them.
    """
    gr = gradio()
    kept = gr.State()
    for tab in tabs:
        components = [kept, *tab.boxes, *settings]
        answer = _show_errors(functools.partial(show, tab.read, len(tab.boxes)))
        if tab is tabs[0]:
            first = tab.first or [box.value for box in tab.boxes]
            results.value, kept.value = answer(None, *first, *(one.value for one in settings))
        call = {
            "fn": answer,
            "inputs": components,
            "outputs": [results, kept],
            "concurrency_id": QUEUE,
            "api_visibility": "private",
            "js": _mark("false", "values"),
        }
        tab.button.click(**call, scroll_to_output=True, trigger_mode="always_last")
        for listen in tab.listeners:
            listen(**call, show_progress="minimal")
    boxes = {box._id: box for tab in tabs for box in (*tab.boxes, *settings)}
    events = [
        getattr(box, event)
        for box in boxes.values()
        for event in ("input", "upload", "delete", "clear")  # what visitors do
        if hasattr(box, event)
    ]
    gr.on(events, None, js=_mark("true", "[]"), api_visibility="private")


def _mark(old: str, returned: str) -> str:
    """Return a script that says whether the results are those of earlier input."""
    results = "document.querySelector('#results')"
    return f"(...values) => {{ {results}.toggleAttribute('data-old', {old}); return {returned} }}"


def _show_errors(handler: Callable[..., tuple[str, Any]]) -> Callable[..., tuple[str, Any]]:
    """Return a handler that shows errors in place of the results."""

    def answer(kept: Any, *values: Any) -> tuple[str, Any]:
        shown = problem = ""
        try:
            shown, kept = handler(kept, *values)
        except (InputError, ImportError) as error:
            problem = str(error)
        return views.render("results.html", shown=shown, problem=problem), kept

    return answer


def set_up(
    demo: Any, limits: Limits, middleware: Sequence[Any] = (), routes: Sequence[Any] = ()
) -> Any:
    """Set the queue, and the defaults of ``launch`` with ASGI middleware and further routes."""
    gr = gradio()
    public = any(function.api_visibility == "public" for function in demo.fns.values())
    demo.queue(max_size=_WAITING, default_concurrency_limit=1, api_open=False)
    demo.launch = functools.partial(
        demo.launch,
        theme=gr.themes.Default(
            primary_hue="blue",
            font=["system-ui", "sans-serif"],  # nothing is fetched from elsewhere
            font_mono=["ui-monospace", "monospace"],
        ).set(
            # Text has a contrast of at least 4.5:1, in light and dark.
            color_accent="*primary_600",
            button_primary_background_fill="*primary_600",
            button_primary_background_fill_hover="*primary_700",
            body_text_color_subdued="*neutral_500",
            block_info_text_color="*neutral_600",
            block_info_text_color_dark="*neutral_400",
            input_placeholder_color="*neutral_500",
            input_placeholder_color_dark="*neutral_400",
            link_text_color_dark="*primary_400",
        ),
        max_file_size=limits.request,
        app_kwargs={"middleware": [*middleware], "routes": [*routes]},
        state_session_capacity=100,
        run_history=False,
        ssr_mode=False,
        footer_links=["api"] if public else [],
    )
    return demo
