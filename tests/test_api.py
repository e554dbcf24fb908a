"""What pages offer to programs and agents, as a running page shows it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

import textsimp
from tests.demo.pages import api, build, page
from textsimp.core.metric import extra_required_columns
from textsimp.metrics import catalogue

gradio = pytest.importorskip("gradio", reason="gradio is not installed")

CAT = {
    "sources": ["The feline sat."],
    "predictions": ["The cat sat."],
    "references": [["A cat sat."]],
}

OWN_COLUMNS = ["sari"] + [
    name for name in catalogue.names() if extra_required_columns(catalogue.metric_class(name))
]


@contextlib.contextmanager
def served(site: Any) -> Iterator[str]:
    site.launch(prevent_thread_lock=True, quiet=True)
    try:
        yield site.local_url
    finally:
        site.close(verbose=False)


def message(name: str, **arguments: Any) -> str:
    with pytest.raises(gradio.Error) as error:
        api(page(name))(**arguments)
    return str(error.value.message)


@pytest.mark.parametrize("name", OWN_COLUMNS)
def test_arguments_without_a_default_have_an_example_of_which_scores_follow(name: str) -> None:
    site = page(name)
    site.config = site.get_config_file()
    (endpoint,) = site.get_api_info()["named_endpoints"].values()
    needed = [p for p in endpoint["parameters"] if not p["parameter_has_default"]]
    found = api(site)(**{p["parameter_name"]: p["example_input"] for p in needed})
    assert found["signature"].startswith(f"{name}|")


@pytest.mark.parametrize("name", ["sari", "compare"])
def test_the_snippet_that_a_page_shows_runs_as_it_stands(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(build(name)) as url:
        with urllib.request.urlopen(f"{url}gradio_api/info", timeout=60) as reply:
            endpoints = json.load(reply)["named_endpoints"]
        (endpoint,) = endpoints.values()
        if "code_snippets" not in endpoint:
            pytest.skip("this version of Gradio makes them in the browser")
        ran: dict[str, Any] = {}
        exec(endpoint["code_snippets"]["python"], ran)
        ran["client"].close()
    shown = capsys.readouterr().out
    assert "'signature': '" in shown


SYSTEMS = {"systems": {"a": ["The cat sat."], "b": ["A cat sat."]}} | {
    name: CAT[name] for name in ("sources", "references")
}


@pytest.mark.parametrize(
    ("name", "arguments", "start"),
    [
        ("sari", CAT | {"sources": "abc"}, "sources: expected a list of strings, got str 'abc'"),
        ("sari", CAT | {"predictions": [5]}, "row 0 of predictions (counted from 0): expected a "),
        ("sari", CAT | {"references": {"a": 1}}, "references: expected a list with one string or"),
        ("sari", CAT | {"options": "xu"}, "options: expected an object with names and values, got"),
        ("sari", CAT | {"options": {1: 2}}, "unknown option 1 of sari: expected one of"),
        ("compare", SYSTEMS | {"systems": [["a"]]}, "systems: expected a mapping from names to p"),
        ("compare", SYSTEMS | {"systems": {"a": 5, "b": ["x"]}}, "predictions of a: expected a li"),
        ("compare", SYSTEMS | {"metric": ["sari"]}, "unknown metric ['sari']: expected one of"),
        ("compare", SYSTEMS | {"options": 5}, "options: expected an object with names and values"),
        ("compare", SYSTEMS | {"options": {"baseline": "a"}}, "options: 'baseline' is none"),
    ],
)
def test_wrong_types_of_arguments_are_refused(
    name: str, arguments: dict[str, Any], start: str
) -> None:
    assert message(name, **arguments).startswith(start)


def test_agents_find_a_tool_and_its_messages() -> None:
    pytest.importorskip("mcp", reason="needs the extra demo")
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client

    async def talk(url: str) -> tuple[Any, list[Any]]:
        async with (
            streamablehttp_client(f"{url}gradio_api/mcp/") as (read, write, _),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            (tool,) = (await session.list_tools()).tools
            asked = [CAT, {**CAT, "predictions": ["a", "b"]}, {**CAT, "predictions": "a"}]
            return tool, [await session.call_tool(tool.name, given) for given in asked]

    with served(build("sari")) as url:
        tool, (good, longer, text) = asyncio.run(talk(url))
    assert tool.name == "score"
    assert tool.description.startswith("Score simplified texts by sari: what a simplification adds")
    assert "sari: mean of add, keep and delete, 0 to 100, higher is better" in tool.description
    assert tool.inputSchema["required"] == ["sources", "predictions", "references"]
    assert all(about["description"] for about in tool.inputSchema["properties"].values())
    assert not good.isError
    expected = textsimp.Sari().score(**CAT, per_example=True).to_dict()
    assert good.content[0].text == str(expected)
    assert longer.isError
    assert "predictions has 2" in longer.content[0].text
    assert text.isError
    assert "'a' is not of type 'array'" in text.content[0].text
