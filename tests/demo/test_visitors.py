"""What one visitor may take of a page: a real one, which is asked as a hostile client would ask."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import itertools
import json
import os
import random
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gradio", reason="gradio is not installed")
httpx = pytest.importorskip("httpx")

from textsimp.demo.limits import Limits  # noqa: E402
from textsimp.demo.visitors import OWN, UploadLimit, client  # noqa: E402

REQUEST, KEPT = 200_000, 2**20
PAGE = f"""
import sys, threading
from textsimp.demo.page import blocks, gradio, protect
from textsimp.demo.limits import Limits

gr, open_ = gradio(), threading.Event()
with blocks("A page", "to be attacked") as demo:
    file, button, text = gr.File(), gr.Button(), gr.Textbox()
    button.click(lambda path: str(path), file, text)
    def wait(text: str) -> str:
        open_.wait(60)
        return text
    def go() -> str:
        open_.set()
        return ""
    gr.api(wait)
    gr.api(go, queue=False)
protect(demo, Limits(request={REQUEST}, kept={KEPT}, kept_of_all={20 * KEPT}))
demo.launch(prevent_thread_lock=True, quiet=True)
print(demo.local_url, flush=True)
sys.stdin.read()
"""


@dataclass
class Visitor:
    """Who asks a page, behind a proxy, and what the page stored before."""

    url: str
    address: str
    folder: Path
    before: frozenset[Path]

    @property
    def headers(self) -> dict[str, str]:
        """What the proxy says, after what the visitor says."""
        forged = f"8.8.{random.randrange(256)}.{random.randrange(256)}"
        return {"X-Forwarded-For": f"{forged}, {self.address}"}

    def ask(self, path: str, method: str = "POST", **request: Any) -> Any:
        headers = {**self.headers, **request.pop("headers", {})}
        address = f"{self.url}gradio_api/{path}"
        return httpx.request(method, address, headers=headers, timeout=60, **request)

    def upload(self, files: Any) -> Any:
        return self.ask("upload", files=files)

    def kept(self) -> list[int]:
        return [path.stat().st_size for path in stored(self.folder) - self.before]


def stored(folder: Path) -> frozenset[Path]:
    return frozenset(path for path in folder.rglob("*") if path.stat().st_size and path.is_file())


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("stored")
    started = subprocess.Popen(
        [sys.executable, "-c", PAGE],
        env={**os.environ, "GRADIO_TEMP_DIR": str(folder), "TMPDIR": str(folder), "NO_PROXY": "*"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert started.stdin
    assert started.stdout
    yield next(line.strip() for line in started.stdout if line.startswith("http")), folder
    started.stdin.close()
    started.wait(30)


@pytest.fixture
def visitor(page: tuple[str, Path], numbers: Iterator[int] = itertools.count(1)) -> Visitor:  # noqa: B008
    return Visitor(page[0], f"9.9.9.{next(numbers)}", page[1], stored(page[1]))


def files(*sizes: int, name: str = "a.txt", field: str = "files") -> list[Any]:
    return [(field, (name, os.urandom(size))) for size in sizes]


def asked(*forwarded: str, host: str = "10.0.0.1", port: int = 999) -> str:
    headers = [(b"x-forwarded-for", line.encode()) for line in forwarded]
    return client({"client": (host, port), "headers": headers})


def test_uploads_fill_a_clients_room_however_many_come_at_once(visitor: Visitor) -> None:
    with ThreadPoolExecutor(30) as pool:
        replies = [*pool.map(lambda _: visitor.upload(files(90_000, 90_000)), range(30))]
    replies += [visitor.upload(files(90_000, 90_000)) for _ in range(4)]
    taken = [reply for reply in replies if reply.status_code == 200]
    assert len(taken) == 5
    assert visitor.kept() == [90_000] * 10
    assert {(r.status_code, r.text.partition(":")[0]) for r in replies if r not in taken} == {
        (429, "your uploads may take 1 MB here until they are deleted, which is within two hours")
    }
    other = dataclasses.replace(visitor, address="1.1.1.1")
    assert other.upload(files(9)).status_code == 200

    for path in json.loads(taken[0].text):  # as Gradio does after a while
        Path(path).unlink()
    assert visitor.upload(files(150_000)).status_code == 200
    assert not Path(json.loads(taken[0].text)[0]).parent.exists()


def test_small_files_count_as_what_they_take_on_a_disk(visitor: Visitor) -> None:
    statuses = [visitor.upload(files(*[9] * 25)).status_code for _ in range(3)]
    assert statuses == [200, 429, 429]
    assert visitor.kept() == [9] * 25


def test_the_same_file_again_takes_no_more_room(visitor: Visitor) -> None:
    same = files(150_000)
    assert {visitor.upload(same).status_code for _ in range(9)} == {200}


@pytest.mark.parametrize(
    "form",
    [
        {"files": files(9, field="file")},  # which Gradio would store, and forget
        {"files": [*files(9), *files(9, name="..")]},  # the first would stay
        {"files": files(*[1] * 101)},
        {"files": files(9), "data": {"text": "x"}},
        {"content": b"--x\r\nContent-Disposition: form-data; name=files; filename=a\r\n\r\nhalf"},
        {"content": b"x" * REQUEST},
        {"json": {"files": []}},
    ],
    ids=["field", "name", "many", "text", "half", "none", "json"],
)
def test_nothing_of_an_odd_upload_is_stored(visitor: Visitor, form: dict[str, Any]) -> None:
    headers = {"content-type": "multipart/form-data; boundary=x"} if "content" in form else {}
    reply = visitor.ask("upload", headers=headers, **form)
    assert (reply.status_code, reply.text) == (400, "expected files, each with a name")
    assert not visitor.kept()


def test_an_upload_that_does_not_say_how_long_it_is_is_weighed_all_the_same(
    visitor: Visitor,
) -> None:
    good = httpx.Request("POST", "http://x", files=files(100_000))
    for times, status in ((1, 200), (9, 413)):
        chunks = iter([good.read()] * times)  # no Content-Length
        kind = {"content-type": good.headers["content-type"]}
        assert visitor.ask("upload", content=chunks, headers=kind).status_code == status
    assert visitor.kept() == [100_000]


def test_an_upload_that_ends_early_leaves_nothing(visitor: Visitor) -> None:
    body = httpx.Request("POST", "http://x", files=files(100_000))
    head = {**visitor.headers, **body.headers, "Content-Length": "101000"}
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    address = httpx.URL(visitor.url)
    for _ in range(30):  # more than there is room for at once
        with socket.create_connection((address.host, address.port)) as connection:
            start = f"POST /gradio_api/upload HTTP/1.1\r\n{lines}\r\n".encode()
            connection.sendall(start + body.read()[:60_000])
    assert visitor.upload(files(100_000)).status_code == 200
    assert visitor.kept() == [100_000]


def test_files_are_uploaded_and_not_fetched_from_elsewhere(visitor: Visitor) -> None:
    link = {"path": "http://127.0.0.1:9/x.txt", "meta": {"_type": "gradio.FileData"}}
    for data in (link, [link], {"a": [{"b": link}]}):
        body = {"data": [data], "fn_index": 0, "session_hash": "x"}
        assert visitor.ask("queue/join", json=body).status_code == 200
        said = visitor.ask("queue/data?session_hash=x", "GET").text
        assert "expected an uploaded file, got a link" in said


def test_what_no_page_asks_for_stores_nothing(visitor: Visitor) -> None:
    assert visitor.ask("process_recording", files=files(9, field="video")).status_code == 404
    assert visitor.ask("deep_link?session_hash=x", "GET").status_code == 404
    assert not visitor.kept()


def test_a_client_has_some_places_of_the_queue_and_others_the_rest(visitor: Visitor) -> None:
    def join(who: Visitor, session: int) -> int:
        body = {"data": ["x"], "session_hash": f"{who.address}{session}"}
        return int(who.ask("call/wait", json=body).status_code)

    statuses = [join(visitor, i) for i in range(OWN + 4)]
    assert statuses.count(200) in (OWN, OWN + 1)  # one is computed, the others wait
    assert statuses[-2:] == [503, 503]
    assert join(dataclasses.replace(visitor, address="1.1.1.1"), 1) == 200
    assert visitor.ask("run/go", json={"data": []}).status_code == 200


def test_a_client_is_the_last_public_address() -> None:
    assert asked(host="9.9.9.9") == "9.9.9.9/32"
    assert asked("1.1.1.1", host="9.9.9.9") == "9.9.9.9/32"
    assert asked("1.1.1.1, 9.9.9.9, 10.0.0.7") == "9.9.9.9/32"
    assert asked("1.1.1.1", "9.9.9.9") == "9.9.9.9/32"
    assert asked("1.1.1.1, 9.9.9.9:80") == asked("9.9.9.9:81") == "9.9.9.9/32"
    assert asked("[2600:1:2:3::4]:80") == asked("[2600:1:2:3::4]") == "2600:1:2:3::/64"
    assert asked("1.1.1.1, x") == asked("1.1.1.1, 9.9.9.9:x") == "10.0.0.1"
    assert asked("::ffff:9.9.9.9") == "9.9.9.9/32"
    assert asked("2600:1:2:3::4") == asked("2600:1:2:3:5::6") == "2600:1:2:3::/64"
    assert asked() == asked("") == asked("\x00") == "10.0.0.1"
    assert client({"headers": []}) == ""


@pytest.mark.parametrize("port", [0, 80])
def test_a_client_is_not_what_uvicorn_takes_from_headers_of_anybody(
    monkeypatch: pytest.MonkeyPatch, port: int
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    first = "8.8.8.8:80" if port else "8.8.8.8"
    assert asked(f"{first}, 9.9.9.9", host="8.8.8.8", port=port) == "9.9.9.9/32"


def test_an_upload_that_takes_too_long_gives_its_room_back(monkeypatch: Any) -> None:
    monkeypatch.setattr("textsimp.demo.visitors._PATIENCE", 0.01)
    monkeypatch.setattr("textsimp.demo.limits._PATIENCE", 0.01)
    sent: list[Any] = []

    async def receive() -> Any:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/upload", "headers": []}
    limit = UploadLimit(receive, Limits())
    asyncio.run(limit(scope, receive, send))
    assert sent[0]["status"] == 408
    assert limit._arriving == []


def test_a_length_beside_chunks_is_not_believed(visitor: Visitor) -> None:
    """Chunks count then, for the server: the length may say anything."""
    body = httpx.Request("POST", "http://x", files=files(190_000))
    address = httpx.URL(visitor.url)
    head = {"Transfer-Encoding": "chunked", "Content-Length": "1", "Host": "x"}
    head |= {"Content-Type": body.headers["content-type"], **visitor.headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    data = f"{len(body.read()):x}\r\n".encode() + body.read()
    with contextlib.ExitStack() as open_:
        for _ in range(2 * KEPT // REQUEST):
            connection = open_.enter_context(socket.create_connection((address.host, address.port)))
            connection.sendall(f"POST /gradio_api/upload HTTP/1.1\r\n{lines}\r\n".encode() + data)
        same = files(150_000)
        assert any(visitor.upload(same).status_code == 429 for _ in range(40))


def test_what_is_no_upload_brings_no_files(visitor: Visitor) -> None:
    head = b"--x\r\nContent-Disposition: form-data; name=file; filename=a\r\n\r\n"
    reply = visitor.ask(
        "component_server",
        headers={"content-type": "multipart/form-data; boundary=x"},
        content=iter([head, *[b"x" * (REQUEST // 3)] * 9]),
    )
    assert (reply.status_code, reply.text) == (415, "expected no files")
    assert not visitor.kept()
