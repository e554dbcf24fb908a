"""What pages offer to programs and agents, as a running page shows it."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

import textsimp
from textsimp.demo import build_compare, build_demo, build_splits
from textsimp.metrics import catalogue

gradio = pytest.importorskip("gradio", reason="gradio is not installed")

CAT = {
    "sources": ["The feline sat."],
    "predictions": ["The cat sat."],
    "references": [["A cat sat."]],
}
PAIR = {"source": ["The feline sat."], "target": ["A cat sat."]}


@contextlib.contextmanager
def served(page: Any) -> Iterator[str]:
    page.launch(prevent_thread_lock=True, quiet=True)
    try:
        yield page.local_url
    finally:
        page.close(verbose=False)


@functools.cache
def page_of(name: str) -> Any:
    return {"compare": build_compare, "splits": build_splits}.get(name, lambda: build_demo(name))()


def function(page: Any) -> Any:
    (public,) = [f for f in page.fns.values() if f.api_visibility == "public"]
    return public.fn


def message_of(page: Any, **arguments: Any) -> str:
    with pytest.raises(gradio.Error) as error:
        function(page)(**arguments)
    return str(error.value.message)


@pytest.mark.parametrize("name", catalogue.names())
def test_arguments_without_a_default_have_an_example_of_which_scores_follow(name: str) -> None:
    page = page_of(name)
    page.config = page.get_config_file()
    (endpoint,) = page.get_api_info()["named_endpoints"].values()
    needed = [p for p in endpoint["parameters"] if not p["parameter_has_default"]]
    found = function(page)(**{p["parameter_name"]: p["example_input"] for p in needed})
    assert found["signature"].startswith(f"{name}|")


@pytest.mark.parametrize("name", ["sari", "samsa", "compare", "splits"])
def test_the_snippet_that_a_page_shows_runs_as_it_stands(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(page_of(name)) as url:
        with urllib.request.urlopen(f"{url}gradio_api/info", timeout=60) as reply:
            endpoints = json.load(reply)["named_endpoints"]
        (endpoint,) = endpoints.values()
        if "code_snippets" not in endpoint:
            pytest.skip("this version of Gradio makes them in the browser")
        ran: dict[str, Any] = {}
        exec(endpoint["code_snippets"]["python"], ran)
        ran["client"].close()
    shown = capsys.readouterr().out
    assert "'signature': '" in shown or "'divergence': {" in shown


def test_arguments_of_a_metric_are_its_columns() -> None:
    score = function(page_of("information_errors"))
    labels = {name: [[1]] for name in ("insertion", "deletion", "substitution")}
    assert score(**labels)["insertion_1"] == 100
    with pytest.raises(TypeError, match="unexpected keyword argument 'references'"):
        score(**labels, references=[["a"]])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sources": "abc"}, "sources: expected a list of strings, got str 'abc'"),
        ({"predictions": [5]}, "row 0 of predictions (counted from 0): expected a string, got int"),
        ({"references": {"a": 1}}, "references: expected a list with one string or list of"),
        ({"options": "xu"}, "options: expected an object with names and values, got str 'xu'"),
        ({"options": ["xu"]}, "options: expected an object with names and values, got list"),
        ({"options": {1: 2}}, "unknown option 1 of sari: expected one of"),
    ],
)
def test_wrong_types_of_columns_and_options_are_refused(
    change: dict[str, Any], message: str
) -> None:
    said = message_of(page_of("sari"), **{**CAT, **change})
    assert said.startswith(message)
    assert "\n" not in said


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"systems": ["a"]}, "systems: expected a mapping from names to predictions, got list"),
        ({"systems": {"a": 5, "b": ["x"]}}, "predictions of a: expected a list of strings, got"),
        ({"metric": ["sari"]}, "unknown metric ['sari']: expected one of"),
        ({"options": 5}, "options: expected an object with names and values, got int 5"),
        ({"options": {"baseline": "a"}}, "options: 'baseline' is none of them"),
        ({"options": {"data": "a"}}, "options: 'data' is none of them"),
    ],
)
def test_wrong_types_of_systems_are_refused(change: dict[str, Any], message: str) -> None:
    columns = {name: CAT[name] for name in ("sources", "references")}
    systems = {"a": ["The cat sat."], "b": ["A cat sat."]}
    assert message_of(page_of("compare"), **{"systems": systems, **columns, **change}).startswith(
        message
    )


@pytest.mark.parametrize(
    ("subsets", "message"),
    [
        ([1], "subsets: expected an object with their names, got list [1]"),
        ({"a": 5}, "subset 'a': expected an object with source and target, got int 5"),
        ({"a": {}}, "source of a: expected a list of strings, got None"),
        ({"a": {**PAIR, "target": {"b": 1}}}, "target of a: expected a list with one string or"),
        (None, "expected at least 2 subsets, got 0"),
    ],
)
def test_wrong_types_of_subsets_are_refused(subsets: Any, message: str) -> None:
    assert message_of(page_of("splits"), subsets=subsets).startswith(message)


def test_agents_find_a_tool_with_its_arguments_and_are_told_what_is_wrong() -> None:
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

    with served(page_of("sari")) as url:
        tool, (good, longer, text) = asyncio.run(talk(url))
    assert tool.name == "score"
    assert tool.description.startswith("Score simplified texts by sari. SARI scores")
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
