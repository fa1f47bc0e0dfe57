"""What pages in the real browser can reach: the loopback where that is allowed, nothing anywhere else."""

import base64
import socket
import threading
from collections.abc import Iterator

import pytest

from broadsheet.crawling.rendering import Renderer, RenderRefused
from tests.crawling.browsers import Reply, Site, requires_browser, serving

pytestmark = requires_browser

OUTSIDE = "https://elsewhere.example/"
#: An address of a private network, as clouds use them for what pages must not see.
PRIVATE = "http://169.254.169.254/latest/"


@pytest.fixture
def site() -> Iterator[Site]:
    pages = {
        "/app.js": Reply(b"document.write('the script ran')", "text/javascript"),
        "/private": Reply(status=302, headers={"Location": PRIVATE}),
        "/away.js": Reply(status=302, headers={"Location": PRIVATE + "app.js"}),
        "/worker.js": Reply(
            b"fetch('%s').catch(() => fetch('/reached')).then(() => postMessage('done'))" % PRIVATE.encode(),
            "text/javascript",
        ),
        "/frame": Reply(b"<p>frame<script>fetch('/reached')</script>"),
        "/": Reply(b"<p>home"),
    }
    with serving(pages) as site:
        yield site


def test_a_script_of_the_loopback_runs_only_where_that_is_allowed(
    renderer: Renderer, open_renderer: Renderer, site: Site
) -> None:
    page = "<p><script src=/app.js></script>"

    assert "the script ran" not in renderer.render(page, site.url).html
    assert site.hits.total() == 0
    rendered = open_renderer.render(page, site.url)
    assert "the script ran" in rendered.html
    assert rendered.requests >= 1
    # The page itself came from memory.
    assert site.hits["/"] == 0


def test_the_page_that_is_given_wins_over_the_one_at_its_address(open_renderer: Renderer, site: Site) -> None:
    assert "<p>given</p>" in open_renderer.render("<p>given", site.url).html


@pytest.mark.parametrize(
    "page",
    [
        f"<meta http-equiv=refresh content='0;url={OUTSIDE}'><p>stays",
        f"<p>stays</p><script>location = '{OUTSIDE}'</script>",
        f"<p>stays</p><form id=f method=post action='{OUTSIDE}'></form><script>f.submit()</script>",
        "<p>stays</p><script>setTimeout(() => location.reload(), 100)</script>",
    ],
)
def test_a_page_cannot_go_away(open_renderer: Renderer, site: Site, page: str) -> None:
    rendered = open_renderer.render(page, site.url + "/given")

    assert "<p>stays" in rendered.html
    assert rendered.url == site.url + "/given"
    assert rendered.blocked["navigation"] >= 1
    assert site.hits.total() == 0


def test_requests_to_outside_are_refused_and_counted(open_renderer: Renderer) -> None:
    page = f"""<img src='{OUTSIDE}a.png'><link rel=stylesheet href='{OUTSIDE}a.css'>
      <iframe src='{OUTSIDE}'></iframe><script src='{PRIVATE}'></script><p id=a></p><script>
      fetch('http://2130706433.example/').catch(() => a.textContent = 'refused');
      navigator.sendBeacon('{OUTSIDE}');
    </script>"""

    rendered = open_renderer.render(page)

    assert '<p id="a">refused</p>' in rendered.html
    assert rendered.requests == 0
    assert rendered.blocked["address"] >= 5


def test_other_schemes_are_refused(open_renderer: Renderer) -> None:
    page = """<p id=a></p><script>
      for (const url of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'chrome://version/', 'view-source:x']) {
        fetch(url).then(() => a.append('read '), () => a.append('refused '));
        const frame = document.body.appendChild(document.createElement('iframe'));
        frame.onload = () => { try { a.append(frame.contentDocument.body.textContent) } catch {} };
        frame.src = url;
        try { location = url } catch {}
      }
    </script>"""

    rendered = open_renderer.render(page, "http://127.0.0.1/")

    assert '<p id="a">refused refused refused refused </p>' in rendered.html
    assert rendered.url == "http://127.0.0.1/"


def test_a_redirect_to_a_private_address_is_refused(open_renderer: Renderer, site: Site) -> None:
    page = "<p id=a></p><script src=/away.js onerror=\"a.textContent='refused'\"></script>"

    rendered = open_renderer.render(page, site.url)

    assert '<p id="a">refused</p>' in rendered.html
    assert rendered.blocked["connection"] >= 1
    with pytest.raises(
        RenderRefused, match=r"redirects to http://169\.254\.169\.254/latest/, which the renderer may not fetch"
    ):
        open_renderer.render_url(site.url + "/private")


def test_workers_and_frames_are_under_the_same_guard(open_renderer: Renderer, site: Site) -> None:
    page = """<p id=a></p><iframe src=/frame></iframe><script>
      const worker = new Worker('/worker.js');
      worker.onmessage = event => a.textContent = event.data;
    </script>"""

    rendered = open_renderer.render(page, site.url)

    assert '<p id="a">done</p>' in rendered.html
    assert site.hits["/reached"] == 2


def test_service_workers_do_not_start(open_renderer: Renderer, site: Site) -> None:
    page = "<p>here</p><script>navigator.serviceWorker.register('/worker.js')</script>"

    assert "<p>here</p>" in open_renderer.render(page, site.url).html
    assert site.hits["/worker.js"] == 0


class Listener:
    """Counts who calls at a port of the loopback, and answers with a web socket's greeting."""

    def __init__(self, kind: socket.SocketKind) -> None:
        self.calls = 0
        self._socket = socket.socket(type=kind)
        self._socket.bind(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._listen_tcp if kind == socket.SOCK_STREAM else self._listen_udp)
        self._thread.start()

    def close(self) -> None:
        with self._socket:
            # Waking it up by a call is the portable way out of accept and recv.
            with socket.socket(type=self._socket.type) as call:
                call.connect(("127.0.0.1", self.port))
                if self._socket.type == socket.SOCK_DGRAM:
                    call.send(b"end")
            self._thread.join(5)

    def _listen_tcp(self) -> None:
        self._socket.listen()
        while True:
            connection, _ = self._socket.accept()
            with connection:
                request = connection.recv(65_536)
                if not request:
                    return
                self.calls += 1

    def _listen_udp(self) -> None:
        while self._socket.recv(65_536) != b"end":
            self.calls += 1


def test_web_sockets_are_under_the_same_guard(renderer: Renderer, open_renderer: Renderer) -> None:
    listener = Listener(socket.SOCK_STREAM)
    page = """<p id=a></p><script>
      new WebSocket('ws://127.0.0.1:%d/').onerror = () => a.textContent = 'over';
      const source = "new WebSocket('ws://127.0.0.1:%d/').onerror = () => postMessage('over')";
      new Worker(URL.createObjectURL(new Blob([source])));
    </script>"""
    turn = """<script>
      const server = {urls: 'turn:127.0.0.1:%d?transport=tcp', username: 'a', credential: 'b'};
      const peer = new RTCPeerConnection({iceServers: [server]});
      peer.createDataChannel('x');
      peer.createOffer().then(offer => peer.setLocalDescription(offer));
    </script>"""
    try:
        page %= listener.port, listener.port
        closed = renderer.render(page + turn % listener.port, "http://127.0.0.1/")
        calls_when_closed = listener.calls
        opened = open_renderer.render(page, "http://127.0.0.1/")
        calls_when_open = listener.calls
    finally:
        listener.close()

    assert '<p id="a">over</p>' in closed.html
    assert closed.blocked["connection"] >= 2
    assert calls_when_closed == 0
    assert '<p id="a">over</p>' in opened.html
    assert calls_when_open == 2


def test_no_datagram_leaves_the_browser(open_renderer: Renderer) -> None:
    listener = Listener(socket.SOCK_DGRAM)
    page = """<p id=a></p><script>
      new WebTransport('https://127.0.0.1:%d/').ready.catch(() => 0);
      const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:%d'}]});
      peer.createDataChannel('x');
      peer.createOffer().then(offer => peer.setLocalDescription(offer)).then(() => a.textContent = 'offered');
    </script>"""
    try:
        rendered = open_renderer.render(page % (listener.port, listener.port), "http://127.0.0.1/")
    finally:
        listener.close()

    assert '<p id="a">offered</p>' in rendered.html
    assert listener.calls == 0


def test_requests_beyond_the_cap_are_refused(limited_renderer: Renderer, site: Site) -> None:
    page = "".join(f"<img src=/{number}.png>" for number in range(30)) + "<p>goes on"

    rendered = limited_renderer.render(page, site.url)

    assert rendered.requests == 10
    assert rendered.blocked["too many requests"] >= 20
    assert site.hits.total() == 10
    assert "<p>goes on</p>" in rendered.html


def test_an_endless_fetch_ends_at_the_cap(limited_renderer: Renderer, site: Site) -> None:
    # Each answer changes the page, since on a slow machine an unchanging page can settle before its tenth request.
    answered = "() => document.body.append('more')"
    page = f"<p>here<script>(async () => {{ for (;;) await fetch('/').then({answered}, () => 0) }})()</script>"

    rendered = limited_renderer.render(page, site.url + "/given")

    assert rendered.requests == 10
    assert site.hits.total() == 10
    assert "<p>here" in rendered.html


def test_pictures_in_the_page_itself_need_no_permission(renderer: Renderer) -> None:
    pixel = base64.b64encode(
        b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01"
        b"\x00\x01\x00\x00\x02\x01D\x00;"
    ).decode()
    page = f"<p id=a></p><img src='data:image/gif;base64,{pixel}' onload=\"a.textContent='shown'\">"

    assert '<p id="a">shown</p>' in renderer.render(page).html
