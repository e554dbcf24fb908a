"""The page on which people rate outputs."""

import functools
import html
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from textsimp.demo.example_corpus import SYSTEMS, examples
from textsimp.demo.gradio_page import gradio, new_page, set_up
from textsimp.demo.limits import Limits
from textsimp.extensions.people.judgements.assignment import design
from textsimp.extensions.people.judgements.schemes import Scheme
from textsimp.extensions.people.judgements.studies import Plan, read_plan
from textsimp.extensions.people.page.rating_server import RatingServer
from textsimp.metrics.information_errors import InformationErrors
from textsimp.report import templates
from textsimp.support.errors import InputError, shown

_DESCRIPTION = "Read the texts, and answer what is asked. Every answer is kept at once."
_EXAMPLES = 10  # sources of the example corpus


def _resource(name: str) -> str:
    return templates.read(f"{__package__}:{name}")


def build_rate(
    plan: str | Path | Plan | None = None,
    *,
    answers: str | Path | None = None,
    scheme: str | Path | Scheme | None = None,
    hosts: Sequence[str] = (),
    by_name: bool = False,
    owner: str = "",
) -> Any:
    """Make a page on which people rate outputs.

    Args:
        plan: A plan, or its file, see `people.design`; each rater opens the page by a
            link with a token, see `Plan.with_tokens`. By default a plan on the example corpus,
            which anybody rates by any name.
        answers: The folder where answers are kept, a file for each rater. Without it, answers to
            the example are lost when the process ends.
        scheme: The scheme of the plan, if it isn't one of the package; for the example a name or
            file. Default: ``"information_errors"``.
        hosts: Names by which raters open the page of a plan, such as ``rate.example.org``. Without
            them, addresses in numbers, and names of the local network.
        by_name: Raters choose their name, in place of a link. Anybody can rate by any of them.
        owner: The token of the page ``/owner?token=…``, which shows how far raters are. Without it
            there is no such page.

    Returns:
        A ``gradio.Blocks``; its ``launch()`` serves the page.
    """
    gr = gradio()
    if (plan is None) != (answers is None):
        raise InputError("expected a plan and a folder for answers, or none of them")
    if plan is None:
        plan = _example_plan(scheme or "information_errors")
    elif not isinstance(plan, Plan):
        plan = read_plan(plan, scheme)
    server = RatingServer(plan, None if answers is None else Path(answers), by_name=by_name)
    paper = InformationErrors if plan.scheme.name == "information_errors" else None
    with new_page("Rate simplifications", _DESCRIPTION, paper) as demo:
        gr.HTML(
            render_page(server),
            js_on_load=_resource("rating_screen.js") + "\n" + _resource("rating.js"),
            server_functions=[
                _reply(handler)
                for handler in (server.start, server.screen, server.answer, server.download)
            ],
            padding=False,
            apply_default_css=False,
        )
    if server.public:
        return set_up(demo, Limits())
    from starlette.middleware import Middleware

    from textsimp.extensions.people.page.host_check import HostCheck
    from textsimp.extensions.people.page.owner_page import owner_route

    check = Middleware(HostCheck, hosts=[name.lower() for name in hosts])
    return set_up(demo, Limits(), [check], [owner_route(server, owner)] if owner else [])


def render_page(server: RatingServer) -> str:
    """Return the HTML of the page, which its script fills."""
    raters: list[str] | None = None  # by their links
    if server.public:
        raters = []  # by any name
    elif server.by_name:
        raters = server.plan.raters
    page = _resource("rating.html").replace("RATERS", html.escape(json.dumps(raters)))
    return f"<style>{_resource('rating.css')}</style>{page}"


def _example_plan(scheme: str | Path | Scheme) -> Plan:
    rows = examples("sentences")[:_EXAMPLES]
    systems = {name: [row[name] for row in rows] for name in SYSTEMS["sentences"]}
    references = [row["references"] for row in rows]
    return design([row["source"] for row in rows], systems, scheme, references=references, raters=1)


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
