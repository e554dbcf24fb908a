"""The page of whoever runs a study: how far its raters are, and a button for their answers."""

import secrets
import tempfile
from dataclasses import replace
from html import escape
from pathlib import Path
from string import Template

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from textsimp.core.draws import RESAMPLES
from textsimp.core.tables import Grid
from textsimp.extensions.people.judgements.analysis_results import agreement_grid, rater_grid
from textsimp.extensions.people.judgements.progress import add_progress
from textsimp.extensions.people.judgements.raters import measure_raters
from textsimp.extensions.people.judgements.reading import read
from textsimp.extensions.people.page.rating_server import RatingServer
from textsimp.report import marks, templates
from textsimp.support.errors import InputError

_SAMPLING = {"confidence": 0.95, "resamples": RESAMPLES, "seed": 0}
_FILE = "answers.jsonl"
_HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}


def owner_route(server: RatingServer, token: str) -> Route:
    """Return ``/owner?token=…``, the page; with ``&save`` the answers that it shows, as a file."""

    def reply(request: Request) -> Response:
        asked = request.query_params.get("token", "")
        if not secrets.compare_digest(asked.encode(), token.encode()):
            return PlainTextResponse("open the link that `textsimp rate serve` printed", 403)
        try:
            answers = server.results()
            if "save" in request.query_params:
                saved = {"Content-Disposition": f'attachment; filename="{_FILE}"', **_HEADERS}
                return Response(answers, media_type="application/jsonl", headers=saved)
            study = _draw(server, answers)
        except InputError as error:
            return PlainTextResponse(str(error), 500)
        page = Template(templates.read(f"{__package__}:owner.html")).substitute(
            style=marks.style() + templates.read("textsimp.demo:pages.css"),
            scheme=escape(server.plan.scheme.name),
            study=study,
            token=escape(token),
        )
        return HTMLResponse(page, headers=_HEADERS)

    return Route("/owner", reply)


def _draw(server: RatingServer, answers: str) -> str:
    """Return what `textsimp ratings` prints of raters; not of systems, lest a study end early."""
    if not answers:
        table = add_progress(rater_grid({}), server.plan, None)
        return _draw_table(table, "Raters") + "<p>Nobody has answered yet.</p>"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, _FILE)
        path.write_text(answers, encoding="utf-8", newline="\n")
        judgements = read(path, plan=server.plan)
    agreement, raters = measure_raters(judgements, _SAMPLING)
    about = [f"{name} {why}." for name in raters for why in raters[name].warn()]
    reasons = sorted({entry.raters.reason for entry in agreement.values()} - {""})
    about += [f"No alpha: {reason}." for reason in reasons]
    parts = [_draw_table(add_progress(rater_grid(raters), server.plan, judgements), "Raters")]
    parts += [f"<p>{escape(text)}</p>" for text in about]
    return "".join(parts) + _draw_table(agreement_grid(agreement), "Agreement")


def _draw_table(grid: Grid, name: str) -> str:
    return replace(grid, id=name.lower(), caption=name, named=1).to_html("stacked")
