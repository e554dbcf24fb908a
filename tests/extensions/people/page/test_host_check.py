"""Who may ask a page of a study."""

import pytest

pytest.importorskip("gradio", reason="gradio is not installed")

OWN = ("rate.example.org",)
OTHERS = ("http://localhost:8000", "http://10.0.0.1")
LOCAL = ("127.0.0.1:7860", "192.168.1.5", "[::1]:7860", "localhost:7860", "lab-pc:7860", "pc.local")


def ask_study(host, origin=None, method="POST"):
    """What a page answers by a name, to a page of an origin."""
    from starlette.responses import PlainTextResponse
    from starlette.testclient import TestClient

    from textsimp.extensions.people.page.host_check import HostCheck

    headers = {"host": host, **({} if origin is None else {"origin": origin})}
    client = TestClient(HostCheck(PlainTextResponse("the answers"), OWN))
    reply = client.request(method, "/", headers=headers)
    return reply.status_code, reply.text


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("host", [*LOCAL, *OWN, "RATE.example.org:443"])
def test_a_page_answers_by_its_own_names(host, method):
    assert ask_study(host, None, method) == (200, "the answers")
    assert ask_study(host, f"http://{host}", method) == (200, "the answers")


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:7860", "rate.example.org.evil.example", "1.evil.example", ""],
)
def test_a_page_does_not_answer_by_another_name(host, method):
    """A name that its site lets stand for the address of this server: DNS rebinding."""
    status, text = ask_study(host, f"http://{host}", method)
    assert status == 403
    assert text.startswith(f"this page has no host {host.partition(':')[0]!r}")


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        *(("localhost:7860", site) for site in ("https://evil.example", "null", "", *OTHERS)),
        *(
            (f"{name}:7860", f"http://{name}{port}")
            for name in ("127.0.0.1", "lab-pc", "rate.example.org")
            for port in ("", ":8000", ":786")
        ),
        ("127.0.0.1:7860", "https://rate.example.org:8443"),  # a proxy's name is of one port
    ],
)
def test_a_page_takes_no_requests_from_pages_of_other_sites_and_ports(host, origin):
    status, text = ask_study(host, origin)
    assert (status, text) == (403, f"this page takes no requests from {origin.split('//')[-1]!r}")


@pytest.mark.parametrize("host", ["rate.example.org:443", "rate.example.org", "127.0.0.1:7860"])
@pytest.mark.parametrize("origin", ["https://rate.example.org", "https://Rate.example.org:443"])
def test_a_page_takes_requests_by_its_name_without_the_usual_port_and_behind_a_proxy(host, origin):
    assert ask_study(host, origin) == (200, "the answers")
