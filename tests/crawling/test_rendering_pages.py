"""What the real browser makes of pages."""

import pytest

import broadsheet
from broadsheet.base.errors import InputError
from broadsheet.crawling.rendering import Renderer, RenderFailed, RenderRefused, RenderTooLarge
from tests.crawling.browsers import Reply, requires_browser, serving
from tests.crawling.conftest import PATIENT

pytestmark = requires_browser


def test_text_that_only_scripts_write_is_there(renderer: Renderer) -> None:
    page = "<title>t</title><p id=a></p><script>a.textContent = 'Written by ' + 'a script'</script>"

    rendered = renderer.render(page, "https://news.example/politics/")

    document = broadsheet.parse(rendered.html, rendered.url)
    assert "Written by a script" in document.text(0)
    assert rendered.settled
    assert rendered.url == "https://news.example/politics/"
    assert rendered.requests == 0
    assert 0 < rendered.elapsed < 30


def test_the_doctype_and_the_whole_document_are_kept(renderer: Renderer) -> None:
    rendered = renderer.render("<!doctype html><!-- c --><html lang=el><body><p>x")

    assert rendered.html == '<!DOCTYPE html><!-- c --><html lang="el"><head></head><body><p>x</p></body></html>'
    assert rendered.url == "about:blank"


def test_what_comes_late_is_waited_for(renderer: Renderer) -> None:
    page = """<script>
      let n = 0;
      const tick = setInterval(() => { document.body.append(` step${++n}`); if (n == 4) clearInterval(tick); }, 100);
    </script>"""

    rendered = renderer.render(page)

    assert "step1 step2 step3 step4" in rendered.html
    assert rendered.settled


def test_bytes_are_decoded_as_everywhere_in_broadsheet(renderer: Renderer) -> None:
    page = "<meta charset=windows-1253><script>document.write('Ειδήσεις της ημέρας')</script>".encode("cp1253")

    assert "Ειδήσεις της ημέρας</" in renderer.render(page).html
    forced = "<script>document.write('Новости')</script>".encode("koi8-r")
    assert "Новости</" in renderer.render(forced, encoding="koi8-r").html


def test_text_that_utf8_cannot_hold_does_no_harm(renderer: Renderer) -> None:
    rendered = renderer.render("<p>a\ud800b</p><script>document.write('c\\udc00d')</script>")

    assert rendered.html.encode()
    assert "d</body>" in rendered.html


def test_relative_links_start_from_the_pages_address(renderer: Renderer) -> None:
    page = "<a href=b>b</a><script>document.write(document.links[0].href)</script>"

    assert "https://news.example/a/b</" in renderer.render(page, "https://news.example/a/").html


def test_dates_are_written_alike_on_every_machine(renderer: Renderer) -> None:
    page = "<script>document.write(navigator.language, ' ', new Date(0).toString())</script>"

    assert "en-US Thu Jan 01 1970 00:00:00 GMT+0000" in renderer.render(page).html


def test_pages_share_nothing(renderer: Renderer) -> None:
    page = """<script>
      document.write('before: ' + document.cookie + localStorage.length);
      document.cookie = 'a=b'; localStorage.a = 'b';
    </script>"""

    for _ in range(2):
        assert "before: 0</" in renderer.render(page, "https://news.example/").html


def test_a_page_cannot_hide_its_dom(renderer: Renderer) -> None:
    page = """<p>seen</p><img name=documentElement><form name=getElementsByTagName></form><script>
      for (const name of ['outerHTML', 'innerHTML'])
        Object.defineProperty(Element.prototype, name, {get: () => 'forged'});
      Document.prototype.getElementsByTagName = () => { throw 1 };
      XMLSerializer.prototype.serializeToString = () => 'forged';
    </script>"""

    rendered = renderer.render(page)

    assert "<p>seen</p>" in rendered.html
    assert rendered.settled


def test_dialogs_are_dismissed(renderer: Renderer) -> None:
    page = """<body><script>
      addEventListener('beforeunload', event => event.preventDefault());
      alert(1);
      document.write(`confirm ${confirm('?')} prompt ${prompt('?')}`);
      location = 'https://elsewhere.example/';
    </script>"""

    rendered = renderer.render(page)

    assert "confirm false prompt null" in rendered.html
    assert rendered.blocked["dialog"] >= 3


def test_popups_do_not_open(renderer: Renderer) -> None:
    page = """<a id=a target=_blank href='https://elsewhere.example/'>x</a><script>
      const opened = [1, 2, 3].map(() => window.open('https://elsewhere.example/'));
      a.click();
      document.write('opened ' + opened.filter(Boolean).length);
    </script>"""

    assert "opened 0</" in renderer.render(page).html
    assert "next</p>" in renderer.render("<p>next").html


def test_downloads_are_refused(renderer: Renderer) -> None:
    page = """<a id=a download=x.bin>x</a><script>
      a.href = URL.createObjectURL(new Blob(['x'.repeat(1000)])); a.click(); document.write('goes on');
    </script>"""

    assert "goes on</" in renderer.render(page).html


def test_a_page_of_the_loopback_is_loaded_with_its_scripts(open_renderer: Renderer) -> None:
    pages = {
        "/": Reply(b"<p id=a></p><script src=/app.js></script>"),
        "/app.js": Reply(b"fetch('/data').then(r => r.text()).then(t => a.textContent = t)", "text/javascript"),
        "/data": Reply("Grüße".encode(), "text/plain; charset=utf-8"),
        "/old": Reply(status=302, headers={"Location": "/"}),
    }
    with serving(pages) as site:
        rendered = open_renderer.render_url(site.url + "/old")
        named = open_renderer.render_url(site.url.replace("127.0.0.1", "localhost"))

    assert '<p id="a">Grüße</p>' in rendered.html
    assert rendered.url == site.url + "/"
    # A favicon may be asked for as well.
    assert 3 <= rendered.requests <= 4
    assert '<p id="a">Grüße</p>' in named.html


def test_a_page_of_the_web_loads_what_its_scripts_need_and_no_pictures() -> None:
    pages = {
        "/app.js": Reply(b"fetch('/data').then(r => r.text()).then(t => a.textContent = t)", "text/javascript"),
        "/data": Reply("Grüße".encode(), "text/plain; charset=utf-8"),
        "/picture.png": Reply(b"no picture", "image/png"),
    }
    with serving(pages) as site, Renderer(PATIENT, public=["127.0.0.0/8"]) as renderer:
        rendered = renderer.render("<p id=a></p><img src=/picture.png><script src=/app.js></script>", site.url + "/")

    assert '<p id="a">Grüße</p>' in rendered.html
    assert not site.hits["/picture.png"]
    assert rendered.blocked["not needed"] >= 1
    assert len("Grüße".encode()) < rendered.received < 10_000


def test_a_page_of_the_web_does_not_reach_the_machine() -> None:
    pages = {"/data": Reply(b"secret", "text/plain", headers={"Access-Control-Allow-Origin": "*"})}
    with serving(pages) as site, Renderer(PATIENT, public=[]) as renderer:
        script = f"fetch('{site.url}/data').then(r => r.text()).then(t => a.textContent = t)"
        rendered = renderer.render(f"<p id=a>nothing</p><script>{script}</script>", "https://news.example/")

    assert "nothing" in rendered.html
    assert not site.hits
    assert rendered.blocked["address"] == 1


def test_a_page_that_is_not_there_says_why(open_renderer: Renderer) -> None:
    with serving({}) as site:
        pass

    with pytest.raises(RenderFailed, match=r"could not be loaded: ERR_\w+$"):
        open_renderer.render_url(site.url)


def test_only_pages_of_the_loopback_are_loaded(renderer: Renderer, open_renderer: Renderer) -> None:
    for url in (
        "http://192.168.0.1/",
        "https://news.example/",
        "http://169.254.169.254/",
        "http://[::ffff:127.0.0.1]/",
    ):
        with pytest.raises(RenderRefused, match="not on this machine's loopback"):
            open_renderer.render_url(url)
    with pytest.raises(RenderRefused, match="allow_loopback"):
        renderer.render_url("http://127.0.0.1/")
    for url in ("file:///etc/passwd", "about:blank", "chrome://version", ""):
        with pytest.raises(InputError, match="not an http or https URL"):
            open_renderer.render_url(url)
        with pytest.raises(InputError, match="not an http or https URL"):
            open_renderer.render("<p>x", url)


def test_a_dom_beyond_the_cap_is_refused(limited_renderer: Renderer) -> None:
    grow = "<body><script>document.body.title = 'é'.repeat(%d)</script>"

    assert limited_renderer.render(grow % 4_000).settled
    for length in (6_000, 5_000_000):
        # The first has fewer characters than the cap, but more bytes.
        with pytest.raises(RenderTooLarge, match="10,000 is allowed"):
            limited_renderer.render(grow % length)
    with pytest.raises(RenderTooLarge):
        limited_renderer.render("x" * 10_001)
