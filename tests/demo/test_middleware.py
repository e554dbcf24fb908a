"""What a hostile client can make a page store, read and fetch: nothing but whole uploads."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gradio", reason="gradio is not installed")
httpx = pytest.importorskip("httpx")

LIMIT = 200_000
PAGE = f"""
import sys
from textsimp.demo.gradio_page import gradio, new_page, set_up
from textsimp.demo.limits import Limits

gr = gradio()
with new_page("A page", "to be attacked") as demo:
    file, button, text = gr.File(), gr.Button(), gr.Textbox()
    button.click(lambda path: open(path).read(), file, text)
set_up(demo, Limits(request={LIMIT}))
demo.launch(prevent_thread_lock=True, quiet=True)
print(demo.local_url, flush=True)
sys.stdin.read()
"""


@dataclass
class Visitor:
    """Who asks a page, and what the page stored before."""

    url: str
    folder: Path
    before: frozenset[Path]

    def ask(self, path: str, method: str = "POST", **request: Any) -> Any:
        return httpx.request(method, f"{self.url}gradio_api/{path}", timeout=60, **request)

    def upload(self, *sizes: int) -> Any:
        return self.ask("upload", files=files(*sizes))

    def submit(self, *data: Any) -> str:
        """What the page answers to a click."""
        body = {"data": data, "fn_index": 0, "session_hash": "x"}
        reply = self.ask("queue/join", json=body)
        if reply.status_code != 200:
            return str(reply.text)
        return str(self.ask("queue/data?session_hash=x", "GET").text)

    def stored(self) -> list[int]:
        return [path.stat().st_size for path in stored(self.folder) - self.before]


def stored(folder: Path) -> frozenset[Path]:
    return frozenset(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("stored")
    process = subprocess.Popen(
        [sys.executable, "-c", PAGE],
        env={**os.environ, "GRADIO_TEMP_DIR": str(folder), "TMPDIR": str(folder), "NO_PROXY": "*"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    yield next(line.strip() for line in process.stdout if line.startswith("http")), folder
    process.stdin.close()
    process.wait(30)


@pytest.fixture
def visitor(page: tuple[str, Path]) -> Visitor:
    return Visitor(*page, stored(page[1]))


def files(*sizes: int, name: str = "a.txt", field: str = "files") -> list[Any]:
    return [(field, (name, os.urandom(size))) for size in sizes]


def test_files_are_stored_and_read(visitor: Visitor) -> None:
    reply = visitor.ask("upload", files=[("files", ("a.txt", b"hello there"))])
    (path,) = reply.json()
    assert "hello there" in visitor.submit({"path": path, "meta": {"_type": "gradio.FileData"}})


@pytest.mark.parametrize(
    "form",
    [
        {"files": files(9, field="file")},  # which Gradio would store and forget
        {"files": [*files(9), *files(9, name="..")]},  # the first would stay
        {"files": files(*[1] * 101)},
        {"files": files(9), "data": {"text": "x"}},
        {"content": b"--x\r\nContent-Disposition: form-data; name=files; filename=a\r\n\r\nhalf"},
        {"content": b"x" * LIMIT},
        {"json": {"files": []}},
    ],
    ids=["field", "name", "many", "text", "half", "none", "json"],
)
def test_nothing_of_a_malformed_upload_is_stored(visitor: Visitor, form: dict[str, Any]) -> None:
    headers = {"content-type": "multipart/form-data; boundary=x"} if "content" in form else {}
    reply = visitor.ask("upload", headers=headers, **form)
    assert (reply.status_code, reply.text) == (400, "expected files, each with a name")
    assert not visitor.stored()


@pytest.mark.parametrize("path", ["upload", "queue/join"])
@pytest.mark.parametrize("declared", [True, False])
def test_too_large_requests_are_refused_whatever_they_say_of_their_length(
    visitor: Visitor, path: str, declared: bool
) -> None:
    request = httpx.Request("POST", "http://x", files=files(LIMIT))
    content = request.read() if declared else iter([request.read()])  # no Content-Length
    headers = {"content-type": request.headers["content-type"]}
    reply = visitor.ask(path, content=content, headers=headers)
    assert (reply.status_code, reply.text) == (413, "expected at most 0.2 MB in one request")
    assert not visitor.stored()


def test_an_upload_that_is_aborted_leaves_nothing(visitor: Visitor) -> None:
    body = httpx.Request("POST", "http://x", files=files(100_000))
    head = {**body.headers, "content-length": "101000"}
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    address = httpx.URL(visitor.url)
    for _ in range(3):
        with socket.create_connection((address.host, address.port)) as connection:
            start = f"POST /gradio_api/upload HTTP/1.1\r\n{lines}\r\n".encode()
            connection.sendall(start + body.read()[:60_000])
            time.sleep(0.5)  # Gradio would have stored this much
    assert visitor.upload(100_000).status_code == 200
    assert visitor.stored() == [100_000]


def test_links_are_not_fetched(visitor: Visitor) -> None:
    fetched = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/x.txt"
        link = {"path": address, "meta": {"_type": "gradio.FileData"}}
        for data in (link, [link], {"a": [{"b": link}]}):
            assert visitor.submit(data) == "expected an uploaded file, got a link"
        with pytest.raises(TimeoutError):
            fetched.append(server.accept())
    assert not fetched


def test_files_that_were_not_uploaded_are_not_read(visitor: Visitor, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    for path in (secret, visitor.folder / ".." / secret.name, Path("/etc/passwd")):
        answer = visitor.submit({"path": str(path), "meta": {"_type": "gradio.FileData"}})
        assert '"success":false' in answer
        assert "the secret" not in answer
        assert visitor.ask(f"file={path}", "GET").status_code in (403, 404)


def test_what_no_page_asks_for_stores_nothing(visitor: Visitor) -> None:
    recording = {"files": files(9, field="video")}
    assert visitor.ask("process_recording", **recording).status_code == 404
    assert visitor.ask("deep_link?session_hash=x", "GET").status_code == 404
    reply = visitor.ask("component_server", files=files(9))
    assert (reply.status_code, reply.text) == (415, "expected no files")
    assert not visitor.stored()


# Who may ask a page of a study

OWN = ("rate.example.org",)
LOCAL = ("127.0.0.1:7860", "192.168.1.5", "[::1]:7860", "localhost:7860", "lab-pc:7860", "pc.local")


def ask_study(host: str, origin: str | None = None, method: str = "POST") -> Any:
    """What a page answers by a name, to a page of an origin."""
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.responses import PlainTextResponse
    from starlette.routing import Route
    from starlette.testclient import TestClient

    from textsimp.demo.middleware import RequestCheck

    def answers(_: Any) -> PlainTextResponse:
        return PlainTextResponse("the answers")

    app = Starlette(
        routes=[Route("/", answers, methods=["GET", "POST"])],
        middleware=[Middleware(RequestCheck, limit=LIMIT, hosts=OWN)],
    )
    with TestClient(app) as client:
        headers = {"host": host, **({} if origin is None else {"origin": origin})}
        reply = client.request(method, "/", headers=headers)
    return reply.status_code, reply.text


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("host", [*LOCAL, *OWN, "RATE.example.org:443"])
def test_a_page_answers_by_its_own_names(host: str, method: str) -> None:
    assert ask_study(host, None, method) == (200, "the answers")
    assert ask_study(host, f"http://{host}", method) == (200, "the answers")


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:7860", "rate.example.org.evil.example", "1.evil.example", ""],
)
def test_a_page_does_not_answer_by_another_name(host: str, method: str) -> None:
    """A name that its site lets stand for the address of this server: DNS rebinding."""
    status, text = ask_study(host, f"http://{host}", method)
    assert status == 403
    assert text.startswith(f"this page has no host {host.partition(':')[0]!r}")


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost:8000", "http://10.0.0.1", ""]
)
def test_a_page_takes_no_requests_from_pages_of_other_sites(origin: str) -> None:
    status, text = ask_study("localhost:7860", origin)
    assert (status, text) == (403, f"this page takes no requests from {origin.split('//')[-1]!r}")


def test_a_page_behind_a_proxy_takes_requests_by_its_name() -> None:
    assert ask_study("127.0.0.1:7860", "https://rate.example.org") == (200, "the answers")
