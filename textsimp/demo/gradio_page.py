"""Parts of all Gradio pages: frame, settings, results and error messages."""

import functools
import json
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from textsimp.core.examples import Examples
from textsimp.core.metric import Metric
from textsimp.demo import views
from textsimp.demo.limits import Limits
from textsimp.demo.text_inputs import TABLES
from textsimp.metrics import citations
from textsimp.support import addresses
from textsimp.support.errors import InputError
from textsimp.support.imports import require

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


def gradio() -> Any:
    """Import Gradio; without it the error names the extra."""
    return require("gradio", extra="demo")


def new_page(title: str, description: str, metric: type[Metric] | None = None) -> Any:
    """Return a page, to be filled in a ``with`` statement and completed by `set_up`.

    It links to the metric's papers.
    """
    gr = gradio()
    links = addresses.links()
    for key, address in citations.urls(metric.papers if metric else ()).items():
        links[f"Paper ({', '.join(re.findall(r'[0-9]{4}', key))})"] = address
    demo = gr.Blocks(title=title, analytics_enabled=False, delete_cache=(_LIFETIME, _LIFETIME))
    with demo:
        top = views.heading(title, description, links)
        gr.HTML(top, padding=False, apply_default_css=False)
    return demo


def results_block(value: str = "", script: str | None = None) -> Any:
    """Return the part of a page that shows results, with an initial value and a script."""
    code = views.resource(script) if script else None
    return gradio().HTML(value, padding=False, apply_default_css=False, js_on_load=code)


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
    results: Any, tabs: Sequence[Tab], settings: Sequence[Any], show: Callable[..., str]
) -> None:
    """Show results after a click on a tab's button or another event; other input clears them.

    ``show`` is called with a tab's reader, the number of its boxes, and the values of its boxes and
    of the settings.
    """
    changed = json.dumps(views.box(views.note("The input has changed since the last score.")))
    for tab in tabs:
        components = [*tab.boxes, *settings]
        handler = functools.partial(show, tab.read, len(tab.boxes))
        call = {
            "fn": _show_errors(_remember_first(handler, components)),
            "inputs": components,
            "outputs": results,
            "concurrency_id": QUEUE,
            "api_visibility": "private",
        }
        tab.button.click(**call, scroll_to_output=True, trigger_mode="always_last")
        for listen in tab.listeners:
            listen(**call, show_progress="minimal")
    boxes = [box for tab in tabs for box in tab.boxes]
    for component in {box._id: box for box in (*boxes, *settings)}.values():
        typed = getattr(component, "input", component.change)
        typed(None, None, results, js=f"() => {changed}", api_visibility="private")


def _remember_first(handler: Callable[..., str], components: Sequence[Any]) -> Callable[..., str]:
    """Return a handler that caches the results of the initial values."""
    first = [component.value for component in components]
    opening = functools.cache(lambda: handler(*first))
    return lambda *values: opening() if [*values] == first else handler(*values)


def _show_errors(handler: Callable[..., str]) -> Callable[..., str]:
    """Return a handler that shows errors in place of the results."""

    def answer(*values: Any) -> str:
        try:
            return views.box(handler(*values))
        except (InputError, ImportError) as error:
            return views.box(views.problem(str(error)))

    return answer


def set_up(demo: Any, limits: Limits, middleware: Sequence[Any] = ()) -> Any:
    """Set the queue, and the defaults of ``launch`` with ASGI middleware."""
    gr = gradio()
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
        app_kwargs={"middleware": [*middleware]},
        state_session_capacity=100,
        run_history=False,
        ssr_mode=False,
        footer_links=[],
        mcp_server=False,
    )
    return demo
