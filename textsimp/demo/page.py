"""What all pages share: how they are made, started and protected, and how they tell errors."""

from __future__ import annotations

import functools
import html
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import metadata, resources
from typing import Any, TypeVar

from textsimp.demo import forms, views
from textsimp.demo.limits import Limits, RequestLimit
from textsimp.demo.visitors import WAITING, UploadLimit, refuse_links, share
from textsimp.support.errors import InputError
from textsimp.support.extras import require

Handler = TypeVar("Handler", bound=Callable[..., Any])

_KEPT = 3600  # seconds that uploaded files are kept
_IDLE = 0.02  # seconds between looks at an empty queue; Gradio's 0.001 keeps a processor busy
# Of how to use the API the tab MCP, which is of no use where there is no such server.
_NO_AGENTS = ".api-docs :not(.cli-flavor-selector) > li.snippet:last-child { display: none; }"
WIDTH = 200  # of a control: two stand side by side, on a phone one


def gradio() -> Any:
    """The module Gradio.

    Raises:
        ImportError: It is not installed; the message names the extra.
    """
    return require("gradio", extra="demo")


def blocks(title: str, description: str) -> Any:
    """A page to be filled in a ``with`` statement, and then to be given to `protect`."""
    gr = gradio()
    demo = gr.Blocks(title=title, analytics_enabled=False, delete_cache=(_KEPT, _KEPT))
    with demo:
        html_block(views.heading(title, description))
    return demo


def html_block(value: str) -> Any:
    """A part of the page made by `textsimp.demo.views`."""
    return gradio().HTML(value, padding=False, apply_default_css=False)


def results_block(
    value: str = "", script: str = "", serving: Sequence[Callable[[Any], Any]] = ()
) -> Any:
    """The part of a page where results appear, to be given to `answered`.

    Args:
        value: What is there at first.
        script: The file of a script of its own.
        serving: Functions that the script may call.
    """
    folder = resources.files("textsimp.demo")
    files = ["dated.js", *([script] if script else [])]
    return gradio().HTML(
        value,
        padding=False,
        apply_default_css=False,
        js_on_load="\n".join(folder.joinpath(file).read_text(encoding="utf-8") for file in files),
        server_functions=[*serving] or None,
    )


def answered(
    results: Any,
    asking: Sequence[tuple[Any, Callable[..., str], Sequence[Any]]],
    at_once: Any = None,
) -> None:
    """Let buttons fill the results, and mark these as out of date once an input or tab changes.

    That is seen in the visitor's browser, and asks the server nothing. A result is out of date
    when an input that it was asked with has another value by now, or when its button stands in
    another tab than the one that is open.

    Args:
        results: Made by `results_block`.
        asking: Buttons, what makes a part of the page or raises, and the components that it is
            given the values of.
        at_once: The page, if the first is asked when it is opened.
    """
    quiet = {"show_progress": "hidden", "api_visibility": "private"}
    tabs: dict[int, Any] = {}
    watched: dict[int, Any] = {}
    for button, handler, inputs in asking:
        tab = _tab(button)
        tabs[tab._id] = tab
        watched |= {component._id: component for component in inputs}
        # The number of the answer comes in place of the results, which needn't be sent.
        ids = [component._id for component in inputs]
        call = {
            "fn": _numbered(shown(handler)),
            "inputs": [results, *inputs],
            "outputs": results,
            "js": f"(_, ...values) => textsimp.ask({tab._id}, {ids}, values)",
        }
        button.click(
            **call, api_visibility="private", scroll_to_output=True, trigger_mode="always_last"
        )
        if at_once is not None and button is asking[0][0]:
            at_once.load(**call, **quiet)
    for number, component in watched.items():
        component.change(
            None, component, js=f"(value) => textsimp.changed({number}, value)", **quiet
        )
    for number, tab in tabs.items():
        if isinstance(tab, gradio().Tab):
            tab.select(None, js=f"() => textsimp.opened({number})", **quiet)


def _numbered(handler: Callable[..., str]) -> Callable[..., str]:
    """A handler that is given the number of its answer first, and answers with it."""
    return lambda number, *values: views.answer(str(number), handler(*values))


def _tab(component: Any) -> Any:
    """The tab that a component stands in, or else the page."""
    block = component.parent
    while not isinstance(block, gradio().Tab) and block.parent is not None:
        block = block.parent
    return block


def files_tab(
    about: str, labels: Mapping[str, str], several: Collection[str], action: str
) -> tuple[Any, list[Any]]:
    """A tab to upload a text file or several of each kind, or one table.

    Args:
        about: What is expected, in Markdown.
        labels: Of the boxes for text files, by their names.
        several: Which boxes take more than one file.
        action: What the button says.

    Returns:
        The button, and a box for each name and one for the table.
    """
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
                file_types=[*forms.TABLES],
                **common,
            )
        button = gr.Button(action, variant="primary")
    return button, [*boxes, table]


def protect(demo: Any, limits: Limits) -> Any:
    """Set how a page is served: within limits, one computation at a time, in our own style.

    Gradio takes some of this at ``launch`` only, so these become its defaults.

    Returns:
        The page.
    """
    gr = gradio()
    middleware = require("starlette.middleware", extra="demo").Middleware
    demo.queue(max_size=WAITING, default_concurrency_limit=1, api_open=False)
    demo._queue.sleep_when_free = _IDLE
    share(demo)
    refuse_links(demo)
    demo.launch = functools.partial(
        demo.launch,
        theme=gr.themes.Default(
            primary_hue="blue",
            font=["system-ui", "sans-serif"],  # nothing is fetched from elsewhere
            font_mono=["ui-monospace", "monospace"],
        ).set(
            # What is written has a contrast of at least 4.5:1, in light and dark.
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
        app_kwargs={
            "middleware": [middleware(of, limits=limits) for of in (RequestLimit, UploadLimit)]
        },
        state_session_capacity=100,
        run_history=False,
        ssr_mode=False,
        footer_links=["api"],
        mcp_server=agents(),
        css=None if agents() else _NO_AGENTS,
    )
    return demo


def told(handler: Handler) -> Handler:
    """A handler of the API that tells what is wrong with its input, instead of failing."""

    @functools.wraps(handler)
    def telling(*args: Any, **kwargs: Any) -> Any:
        try:
            return handler(*args, **kwargs)
        except (InputError, ImportError) as error:
            # A client may show the message as HTML, and it may quote what was typed.
            message = html.escape(str(error), quote=False)
            raise gradio().Error(message, print_exception=False) from None

    return telling  # type: ignore[return-value]


def shown(handler: Callable[..., str]) -> Callable[..., str]:
    """A handler that makes a part of the page, or there says what is wrong with the input."""

    @functools.wraps(handler)
    def showing(*args: Any) -> str:
        try:
            return views.box(handler(*args))
        except (InputError, ImportError) as error:
            return views.box(views.problem(str(error)))

    return showing


def agents() -> bool:
    """Whether a page can be an MCP server: Gradio takes the first version of its library."""
    try:
        return int(metadata.version("mcp").split(".")[0]) == 1
    except metadata.PackageNotFoundError:
        return False
