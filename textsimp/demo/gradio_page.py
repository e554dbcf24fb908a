"""How all pages are made with Gradio: their frame, settings, results and error messages."""

from __future__ import annotations

import functools
import html
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from textsimp.core.examples import Examples
from textsimp.demo import text_inputs, views
from textsimp.demo.limits import Limits
from textsimp.support.errors import InputError
from textsimp.support.extras import require

Tab = tuple[Any, list[Any], Callable[..., Examples]]
"""A tab to enter texts: its button, its boxes, and the function that reads them."""

QUEUE = "page"
"""The queue of all that a page computes, which is one thing at a time."""

WIDTH = 200  # pixels of a control: two stand side by side, on a phone one

_WAITING = 20  # requests in the queue
_LIFETIME = 3600  # seconds after which uploaded files are deleted, and between looks for them


def gradio() -> Any:
    """Return the module Gradio, or raise an ImportError that names the extra."""
    return require("gradio", extra="demo")


def new_page(title: str, description: str) -> Any:
    """Return a page, which is filled in a ``with`` statement and completed by `set_up`."""
    gr = gradio()
    demo = gr.Blocks(title=title, analytics_enabled=False, delete_cache=(_LIFETIME, _LIFETIME))
    with demo:
        gr.HTML(views.heading(title, description), padding=False, apply_default_css=False)
    return demo


def results_block(value: str = "", script: str = "") -> Any:
    """Return the part of a page where results appear, with a first value and a script's file."""
    files = ["outdated.js", *([script] if script else [])]
    return gradio().HTML(
        value,
        padding=False,
        apply_default_css=False,
        js_on_load="\n".join(map(views.resource, files)),
    )


def connect(
    results: Any,
    buttons: Sequence[tuple[Any, Callable[..., str], Sequence[Any]]],
    at_once: Any = None,
) -> None:
    """Let buttons fill the results, at once the first one's; the browser marks outdated results."""
    quiet = {"show_progress": "hidden", "api_visibility": "private"}
    tabs: dict[int, Any] = {}
    watched: dict[int, Any] = {}
    for button, handler, components in buttons:
        tab = _tab(button)
        tabs[tab._id] = tab
        watched |= {component._id: component for component in components}
        # The number of the answer comes in place of the results, which needn't be sent.
        ids = [component._id for component in components]
        call = {
            "fn": answer_with(handler),
            "inputs": [results, *components],
            "outputs": results,
            "js": f"(_, ...values) => textsimp.ask({tab._id}, {ids}, values)",
            "concurrency_id": QUEUE,
        }
        button.click(
            **call, api_visibility="private", scroll_to_output=True, trigger_mode="always_last"
        )
        if at_once is not None and button is buttons[0][0]:
            at_once.load(**call, **quiet)
    for number, component in watched.items():
        component.change(
            None, component, js=f"(value) => textsimp.changed({number}, value)", **quiet
        )
    for number, tab in tabs.items():
        if isinstance(tab, gradio().Tab):
            tab.select(None, js=f"() => textsimp.opened({number})", **quiet)


def connect_tabs(
    results: Any,
    tabs: Sequence[Tab],
    settings: Sequence[Any],
    show: Callable[..., str],
    **more: Any,
) -> None:
    """Connect tabs; ``show`` takes reader, number of boxes, and values of boxes and settings."""
    buttons = [
        (button, functools.partial(show, read, len(boxes)), [*boxes, *settings])
        for button, boxes, read in tabs
    ]
    connect(results, buttons, **more)


def answer_with(handler: Callable[..., str]) -> Callable[..., str]:
    """Return a handler that also takes and shows the answer's number, and shows bad input."""

    def answer(number: Any, *values: Any) -> str:
        try:
            content = handler(*values)
        except (InputError, ImportError) as error:
            content = views.problem(str(error))
        return f'<div data-answer="{html.escape(str(number))}">{views.box(content)}</div>'

    return answer


def _tab(component: Any) -> Any:
    """Return the tab that a component stands in, or else the page."""
    block = component.parent
    while not isinstance(block, gradio().Tab) and block.parent is not None:
        block = block.parent
    return block


def files_tab(
    about: str, labels: Mapping[str, str], several: Collection[str], action: str
) -> tuple[Any, list[Any]]:
    """Make a tab for text files, of which ``several`` take more than one, and one table."""
    gr = gradio()
    common = {"height": 130, "min_width": WIDTH}
    with gr.Tab("Files"):
        gr.Markdown(about)
        with gr.Row():
            boxes = [
                gr.File(
                    label=label,
                    file_types=[".txt"],
                    file_count="multiple" if name in several else "single",
                    **common,
                )
                for name, label in labels.items()
            ]
            table = gr.File(
                label=f"{'or a' if boxes else 'a'} table (.jsonl, .csv, .tsv)",
                file_types=[*text_inputs.TABLES],
                **common,
            )
        button = gr.Button(action, variant="primary")
    return button, [*boxes, table]


def set_up(demo: Any, limits: Limits, *, api: bool = True) -> Any:
    """Set how a page is served; what Gradio takes at ``launch`` only becomes its default."""
    from starlette.middleware import Middleware

    from textsimp.demo.middleware import RequestCheck

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
        ),
        max_file_size=limits.request,
        app_kwargs={"middleware": [Middleware(RequestCheck, limit=limits.request)]},
        state_session_capacity=100,
        run_history=False,
        ssr_mode=False,
        footer_links=["api"] if api else [],
        mcp_server=api,
    )
    return demo
