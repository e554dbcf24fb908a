"""A server of chat completions on loopback, with faults on demand."""

from __future__ import annotations

import json
import re
import threading
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[dict[str, Any]], Any]
"""The body of a request → an answer."""
FAULTS = (
    *("429", "500", "503", "cut", "slow", "garbage", "no choices"),  # a later try succeeds
    *("not JSON", "wrong schema", "refusal", "too long", "no text"),  # invalid answers
    "other model",
)
PAYLOADS = {"garbage": b'{"choices": [', "no choices": {"error": "overloaded"}}
SLOW = {  # what is sent at once, and byte by byte with a pause after each
    "slow": (b"", b"\r", 0.8),
    "slow body": (b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n", b" " * 20, 0.1),
    "drip": (b"", b"HTTP/1.1 200 OK\r\nA:", 0.1),
}


@dataclass
class Loopback:
    """What a server does, and what it was asked.

    Attributes:
        answer: What models answer, from the body of a request.
        faults: What goes wrong with the next requests, one after the other; "" for nothing.
        refuses: Fields of requests that it doesn't take.
        requests: The bodies of all requests, in order.
        keys: The header ``Authorization`` of each.
        address: Where it is.
        reply: The status, payload and headers of all replies, from the body of a request; None for
            those of a server that works.
    """

    answer: Answer
    faults: list[str] = field(default_factory=list)
    refuses: Sequence[str] = ()
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    address: str = ""
    reply: Callable[[dict[str, Any]], tuple[int, Any, dict[str, str]]] | None = None

    def text_of(self, body, fault):
        if fault in ("refusal", "no text"):
            return None
        if fault == "not JSON":
            return "I'd say it is quite fluent."
        if fault == "wrong schema":
            return json.dumps({"quality": 5})
        return json.dumps(self.answer(body))


@contextmanager
def serve(answer, **how):
    """Run a server in threads of this process."""
    state = Loopback(answer, **how)
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                state.requests.append(body)
                state.keys.append(self.headers.get("Authorization"))
                fault = state.faults.pop(0) if state.faults else ""
            named = [name for name in state.refuses if name in body]
            if self.path != "/v1/chat/completions":
                self.reply(404, {"error": "no such page"})
            elif state.reply:
                self.reply(*state.reply(body))
            elif named:
                self.reply(400, {"error": {"message": f"Unsupported parameter: {named[0]!r}"}})
            elif fault in PAYLOADS:
                self.reply(200, PAYLOADS[fault])
            elif fault.isdigit():
                self.reply(int(fault), {"error": {"message": "try later"}}, {"Retry-After": "0"})
            elif fault in SLOW:
                self.drip(*SLOW[fault])
            elif fault == "cut":
                self.close_connection = True
                self.connection.close()
            else:
                self.complete(body, fault)

        def drip(self, at_once, slowly, pause):
            self.wfile.write(at_once)
            for byte in slowly:
                self.wfile.write(bytes([byte]))
                time.sleep(pause)
            self.close_connection = True

        def complete(self, body, fault):
            text = state.text_of(body, fault)
            refusal = "I can't help with that." if fault == "refusal" else None
            end = "length" if fault == "too long" else "stop"
            model = "another" if fault == "other model" else body["model"]
            self.reply(200, completion(text, model, refusal=refusal, finish_reason=end))

        def reply(self, status, payload, headers=None):
            data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(data)), **(headers or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args):
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *args: Any) -> None:  # a client that went away
            pass

    server = Quiet(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    state.address = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()


def completion(text, model="m", **how):
    """Return a chat completion; ``how`` replaces other fields of it."""
    message = {"role": "assistant", "content": text, "refusal": how.get("refusal")}
    end = how.get("finish_reason", "stop")
    return {
        "model": model,
        "system_fingerprint": how.get("fingerprint", "fp_1"),
        "choices": [{"message": message, "finish_reason": end, "logprobs": how.get("logprobs")}],
        "usage": {"total_tokens": how.get("tokens", 100)},
    }


def schema_of(body):
    """Return the JSON schema that a request asks for."""
    return body["response_format"]["json_schema"]["schema"]


def likes(schema, prefer=0.75):
    """Return a valid answer; ``prefer`` says which of the values."""
    if "properties" in schema:
        return {name: likes(one, prefer) for name, one in schema["properties"].items()}
    if "enum" in schema:
        return schema["enum"][int(prefer * len(schema["enum"]))]
    return schema["minimum"] + prefer * (schema["maximum"] - schema["minimum"])


def by_length(body):
    """Rate short outputs high."""
    length = max(map(len, versions_in(body)))
    return likes(schema_of(body), max(0.0, 0.9 - length / 50))


def varied(body):
    """Rate by chance that outputs and models decide."""
    key = body["model"] + "".join(versions_in(body))
    return likes(schema_of(body), zlib.crc32(key.encode()) % 100 / 101)


def versions_in(body):
    """Return the outputs in a prompt, without those of examples."""
    text = body["messages"][0]["content"].rpartition("What to rate:")[2]
    return re.findall(r"\[begin simpler version[^\]]*\]\n(.*?)\n\[end ", text, re.DOTALL)
