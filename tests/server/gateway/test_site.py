"""The files of the browser table over HTTP: how they come, what may be kept, and that nothing else comes."""

import asyncio
import gzip
import socket

import pytest
from websockets.asyncio.server import serve

from croupier_server.browser_table import browser_table
from croupier_server.gateway.http import as_asked, refuse_method
from croupier_server.gateway.site import Site

SCRIPT = "const word = 'croupier';\n" * 100


class Answer:
    """An HTTP answer: status, headers in lower case, body."""

    def __init__(self, raw: bytes) -> None:
        head, _, self.body = raw.partition(b"\r\n\r\n")
        status, *lines = head.decode().split("\r\n")
        self.status = status.removeprefix("HTTP/1.1 ")
        self.headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}


@pytest.fixture
def folder(tmp_path):
    """A web folder, and a secret beside it."""
    web = tmp_path / "web"
    (web / "js").mkdir(parents=True)
    (web / "index.html").write_text("<!doctype html><title>Café</title>", encoding="utf-8")
    (web / "js" / "app.js").write_text(SCRIPT)
    (web / "js" / "messages.d.ts").write_text("export type A = 1;")
    (web / "package.json").write_text("{}")
    (tmp_path / "secret.html").write_text("secret")
    return web


@pytest.fixture
async def port(folder):
    """A port that serves the folder."""
    listening = socket.create_server(("127.0.0.1", 0))
    site = Site(folder)

    async def nobody(_connection):
        raise AssertionError("no handshake was asked for")

    def respond(_connection, request):
        return as_asked(request, refuse_method(request) or site.respond(request))

    async with serve(nobody, sock=listening, process_request=respond):
        yield listening.getsockname()[1]


async def ask(port: int, path: str, method: str = "GET", **headers: str) -> Answer:
    """What a raw request gets; header names are written with underscores."""
    lines = [f"{method} {path} HTTP/1.1", "Host: a"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write("\r\n".join([*lines, "", ""]).encode())
    async with asyncio.timeout(10):
        raw = await reader.read()
    writer.close()
    return Answer(raw)


async def test_the_page_is_served_at_the_root_with_its_policy(port):
    answer = await ask(port, "/")
    assert answer.status == "200 OK"
    assert answer.body.decode() == "<!doctype html><title>Café</title>"
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-length"] == "35"
    policy = answer.headers["content-security-policy"].split("; ")
    assert "default-src 'self'" in policy
    assert not any("unsafe" in part for part in policy)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert (await ask(port, "/index.html?from=home")).body == answer.body


async def test_a_script_comes_compressed_to_those_who_take_it(port):
    plain = await ask(port, "/js/app.js")
    packed = await ask(port, "/js/app.js", Accept_Encoding="br, gzip")
    assert plain.body.decode() == SCRIPT
    assert plain.headers["content-type"] == "text/javascript; charset=utf-8"
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["content-length"] == str(len(packed.body))
    assert gzip.decompress(packed.body).decode() == SCRIPT
    assert len(packed.body) < len(plain.body) / 10
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    assert packed.headers["etag"] != plain.headers["etag"]
    refused = await ask(port, "/js/app.js", Accept_Encoding="gzip;q=0")
    assert refused.body.decode() == SCRIPT


async def test_a_small_file_is_not_compressed_for_nothing(port):
    answer = await ask(port, "/", Accept_Encoding="gzip")
    assert "content-encoding" not in answer.headers


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
async def test_what_a_browser_has_is_not_sent_again(port, encoding):
    first = await ask(port, "/js/app.js", Accept_Encoding=encoding)
    tag = first.headers["etag"]
    assert tag[0] == tag[-1] == '"'
    assert first.headers["cache-control"] == "no-cache"
    again = await ask(port, "/js/app.js", Accept_Encoding=encoding, If_None_Match=f'"other", {tag}')
    assert again.status == "304 Not Modified"
    assert again.body == b""
    assert again.headers["etag"] == tag
    changed = await ask(port, "/js/app.js", Accept_Encoding=encoding, If_None_Match='"other"')
    assert changed.status == "200 OK"


async def test_a_changed_file_has_another_tag(folder):
    before = Site(folder).assets["/js/app.js"].tag
    (folder / "js" / "app.js").write_text(SCRIPT + "\n")
    assert Site(folder).assets["/js/app.js"].tag != before


async def test_head_says_what_get_would_and_sends_nothing(port):
    got = await ask(port, "/js/app.js")
    head = await ask(port, "/js/app.js", method="HEAD")
    assert head.status == "200 OK"
    assert head.body == b""
    assert head.headers.items() >= {"content-length": "2500", "etag": got.headers["etag"]}.items()


@pytest.mark.parametrize("method", ["POST", "DELETE", "OPTIONS"])
async def test_other_methods_are_told_which_there_are(port, method):
    answer = await ask(port, "/", method=method)
    assert answer.status == "405 Method Not Allowed"
    assert answer.headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    "path",
    [
        "/metrics",
        "/readyz",
        "/ws/x",
        "/js",
        "/js/",
        "/js/messages.d.ts",
        "/package.json",
        "/../secret.html",
        "/js/../../secret.html",
        "/%2e%2e/secret.html",
        "//secret.html",
        "/js/app.js%00",
        "/INDEX.HTML",
    ],
)
async def test_nothing_else_is_served(port, path):
    """L9: metrics and health are on the admin port; only files that were listed at the start are here."""
    answer = await ask(port, path)
    assert answer.status == "404 Not Found"
    assert b"secret" not in answer.body


async def test_without_a_folder_there_is_only_the_socket():
    assert Site().assets == {}


def test_the_browser_table_that_comes_with_croupier_is_found():
    site = Site(browser_table())
    assert {"/", "/index.html", "/js/app.js"} <= site.assets.keys()
    page = site.assets["/"].content.decode()
    assert "croupier watch" in page
    assert "Tout le monde peut regarder" in page
