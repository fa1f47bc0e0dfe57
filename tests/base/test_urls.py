"""How hrefs resolve, which form is fetched, and which URLs are the same page or the same site."""

import gzip
import json
import lzma
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from broadsheet.base import urls
from broadsheet.base.domains import registrable_domain

PAGE = "https://www.example.de/politik/ausland/wahl.html?seite=2#absatz"


@pytest.mark.parametrize(
    ("href", "target"),
    [
        # absolute URLs
        ("https://a.de/b", "https://a.de/b"),
        ("HTTP://A.de", "http://a.de/"),
        ("//a.de/b", "https://a.de/b"),
        ("https:a.de/b", "https://www.example.de/politik/ausland/a.de/b"),
        ("https:/b", "https://www.example.de/b"),
        ("http:a.de/b", "http://a.de/b"),
        ("http:///a.de/b", "http://a.de/b"),
        # relative to the page
        ("/sport/", "https://www.example.de/sport/"),
        ("bild.html", "https://www.example.de/politik/ausland/bild.html"),
        ("./", "https://www.example.de/politik/ausland/"),
        ("..", "https://www.example.de/politik/"),
        ("../../../../sport", "https://www.example.de/sport"),
        ("?seite=3", "https://www.example.de/politik/ausland/wahl.html?seite=3"),
        ("?", "https://www.example.de/politik/ausland/wahl.html?"),
        ("/a:b", "https://www.example.de/a:b"),
        ("./a:b", "https://www.example.de/politik/ausland/a:b"),
        # the page itself
        ("#kommentare", "https://www.example.de/politik/ausland/wahl.html?seite=2"),
        ("#", "https://www.example.de/politik/ausland/wahl.html?seite=2"),
        # malformed, but understood by browsers
        ("  /sport/ \n", "https://www.example.de/sport/"),
        ("\x00/sport/\x1f", "https://www.example.de/sport/"),
        ("ht\ntps://a.\tde/b\r\nc", "https://a.de/bc"),
        ("\\sport\\tennis", "https://www.example.de/sport/tennis"),
        ("\\\\a.de\\b?c\\d", "https://a.de/b?c%5Cd"),
        ("/a b?c d", "https://www.example.de/a%20b?c%20d"),
        ("/straße", "https://www.example.de/stra%C3%9Fe"),
        ("https://a.de:/b", "https://a.de/b"),
        ("https://a.de?b", "https://a.de/?b"),
        ("https://[2001:DB8::1]:8080/", "https://[2001:db8::1]:8080/"),
    ],
)
def test_hrefs_resolve_as_in_a_browser(href: str, target: str) -> None:
    assert urls.resolve(href, PAGE) == target


@pytest.mark.parametrize(
    "href",
    [
        "",
        " \t\n",
        "javascript:void(0)",
        "JavaScript:alert('/')",
        "java\nscript:void(0)",
        "mailto:redaktion@example.de",
        "tel:+4930123",
        "data:text/html,<p>",
        "whatsapp://send?text=https://example.de/",
        "ftp://example.de/",
        "file:///etc/hosts",
        "about:blank",
        "example.de:8080/a",
        "https://",
        "https://?a",
        "https://:80/",
        "https://a.de:65536/",
        "https://a.de:8o/",
        "https://a.de:" + "9" * 5000,
        "https://[::1/",
        "https://[::g]/",
        "https://[fe80::1%25eth0]/",
        "https://[v1.x]/",
        "https://a b.de/",
        "https://{{host}}/",
        "https://\u2100.de/",
        "https://" + "a" * 254,
        "https://" + "ä" * 64 + ".de",
    ],
)
def test_an_href_that_does_not_lead_to_a_page_resolves_to_none(href: str) -> None:
    assert urls.resolve(href, PAGE) is None


@pytest.mark.parametrize("base", [None, "", "a/b", "file:///home/page.html", "about:blank"])
def test_without_a_valid_base_only_absolute_urls_resolve(base: str | None) -> None:
    assert urls.resolve("https://a.de/b", base) == "https://a.de/b"
    assert urls.resolve("/b", base) is None
    assert urls.resolve("#b", base) is None
    assert urls.resolve("//a.de/b", base) is None


def test_a_base_need_not_be_in_normal_form() -> None:
    assert urls.resolve("b", " HTTPS://A.de:443\\x\\y ") == "https://a.de/x/b"
    assert urls.resolve("b", "https://a.de?c") == "https://a.de/b"
    assert urls.resolve("/b", "https://a.de:8080/") == "https://a.de:8080/b"


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("HTTPS://WWW.Example.DE/", "https://www.example.de/"),
        ("https://example.de", "https://example.de/"),
        ("http://example.de:80/", "http://example.de/"),
        ("https://example.de:443/", "https://example.de/"),
        ("http://example.de:443/", "http://example.de:443/"),
        ("http://example.de:008080/", "http://example.de:8080/"),
        ("http://example.de/a/./b/../c", "http://example.de/a/c"),
        ("http://example.de/a/%2e%2E/c", "http://example.de/c"),
        ("http://example.de/a/b/..", "http://example.de/a/"),
        ("http://example.de/%7efoo/%c3%a4%2fb", "http://example.de/~foo/%C3%A4%2Fb"),
        ("http://example.de/100%/%zz", "http://example.de/100%25/%25zz"),
        ("http://example.de/%%341", "http://example.de/%2541"),
        ("http://example.de/ä|b?q=ü&[]", "http://example.de/%C3%A4%7Cb?q=%C3%BC&%5B%5D"),
        ("http://example.de/a#b?c", "http://example.de/a"),
        ("http://me:a@b@example.de/", "http://me:a%40b@example.de/"),
        ("http://@example.de/", "http://example.de/"),
        # hosts in other scripts, as browsers (not IDNA 2003) write them
        ("http://bücher.de/", "http://xn--bcher-kva.de/"),
        ("http://STRASSE.de/", "http://strasse.de/"),
        ("http://straße.de/", "http://xn--strae-oqa.de/"),
        ("http://例え。テスト/", "http://xn--r8jz45g.xn--zckzah/"),
        ("http://\uff45xample.de/", "http://example.de/"),
        ("http://b%C3%BCcher.de/", "http://xn--bcher-kva.de/"),
        ("http://ex\u00adample.de/", "http://example.de/"),
    ],
)
def test_normalising_unifies_spellings(url: str, normal: str) -> None:
    assert urls.normalise(url) == normal


@pytest.mark.parametrize(
    "url",
    [
        "https://example.de/Artikel/ABC",
        "https://example.de/a/",
        "https://example.de/a//b",
        "https://example.de/?b=1&a=2&b=0",
        "https://example.de/a?",
        "https://example.de/a?utm_source=x",
        "https://www.example.de/index.html",
        "https://example.de./",
        "https://example.de/a;b=c,d",
    ],
)
def test_normalising_keeps_differences_that_may_matter_to_a_server(url: str) -> None:
    assert urls.normalise(url) == url


@pytest.mark.parametrize("text", ["", "a", "mailto:a@b.de", "http://a b/ä", "example.de/a"])
def test_normalising_only_trims_text_that_is_not_a_url(text: str) -> None:
    assert urls.normalise(f" {text}\n") == text


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://www.example.de/", "example.de"),
        ("http://example.de", "example.de"),
        ("http://www2.example.de:80/a/", "example.de/a"),
        ("https://m.example.de/a", "example.de/a"),
        ("https://amp.example.de/a?amp=1", "example.de/a"),
        ("https://mobile.example.de/a", "example.de/a"),
        ("https://www.de/", "www.de"),
        ("https://m.me/a", "m.me/a"),
        ("https://www.www.de/", "www.de"),
        ("https://media.example.de/", "media.example.de"),
        ("https://example.de./a", "example.de/a"),
        ("https://example.de:8080/a", "example.de:8080/a"),
        ("https://example.de/Index.html", "example.de"),
        ("https://example.de/a/index.php?id=5", "example.de/a?id=5"),
        ("https://example.de/index.php/artikel", "example.de/index.php/artikel"),
        ("https://example.de/a?b=2&a=1&b=2&", "example.de/a?a=1&b=2"),
        ("https://example.de/a?utm_source=x&id=1&fbclid=y&WT.mc_id=z", "example.de/a?id=1"),
        ("https://example.de/a?source=x&cid=2&mod=z", "example.de/a?cid=2&mod=z&source=x"),
        ("https://example.de/a;jsessionid=0A1B?b", "example.de/a?b"),
        ("https://example.de/..;jsessionid=1/a", "example.de/a"),
        ("https://example.de/a?PHPSESSID=1", "example.de/a"),
        ("https://example.de/a?sid=ea6cd060879d8f1b281b139b2b14b262", "example.de/a"),
        ("https://example.de/a?sid=4117394", "example.de/a?sid=4117394"),
        ("example.de/a", "example.de/a"),
        ("//www.example.de/a", "example.de/a"),
        ("https://a b/#c", "a b/#c"),
    ],
)
def test_the_key_ignores_what_does_not_distinguish_pages(url: str, key: str) -> None:
    assert urls.key(url) == key


def test_the_host_is_found_with_or_without_a_scheme() -> None:
    assert urls.host("https://me@WWW.Bücher.de:8080/a") == "www.xn--bcher-kva.de"
    assert urls.host("www.example.de/a") == "www.example.de"
    assert urls.host("javascript:void(0)") == ""


@pytest.mark.parametrize(
    ("url_or_host", "domain"),
    [
        ("https://www.bbc.co.uk/news", "bbc.co.uk"),
        ("news.bbc.co.uk", "bbc.co.uk"),
        ("WWW.Example.DE.", "example.de"),
        ("https://www.bücher.de/", "xn--bcher-kva.de"),
        ("https://eins.blogspot.com/", "eins.blogspot.com"),
        ("https://blogspot.com/", "blogspot.com"),
        ("https://www.city.kawasaki.jp/", "city.kawasaki.jp"),
        ("https://a.b.unknown-suffix/", "b.unknown-suffix"),
        ("co.uk", "co.uk"),
        ("localhost:8000", "localhost"),
        ("http://192.168.0.1:8080/a", "192.168.0.1"),
        ("http://0x7f.1/", "0x7f.1"),
        ("http://[2001:db8::1]/", "[2001:db8::1]"),
        ("2001:db8::1", "2001:db8::1"),
        ("a..b.de", "a..b.de"),
        ("", ""),
        ("java script:", "java script:"),
    ],
)
def test_the_registrable_domain_is_what_the_owner_registered(url_or_host: str, domain: str) -> None:
    assert registrable_domain(url_or_host) == domain


def test_importing_does_not_load_the_suffix_list() -> None:
    program = "from broadsheet.base import domains; assert domains._suffixes.cache_info().currsize == 0"
    subprocess.run([sys.executable, "-c", program], check=True)  # noqa: S603


@pytest.mark.parametrize(
    "piece",
    ["ä", "ä.", "a.", "%", "%41", "../", "/.", "@", ":", "0", "\\", "&", "[", "\t", "www.", ";jsessionid="],
)
@pytest.mark.parametrize("start", ["", "https://", "https://a:", "https://a.de/", "https://a.de/?"])
def test_long_texts_are_fast(start: str, piece: str) -> None:
    # No timing needed: anything worse than linear would take minutes here.
    text = start + piece * 50_000 + "\x00x"
    key = urls.key(text)

    assert urls.key(key) == key
    assert len(urls.resolve(text, text) or "") < 10 * len(text)
    assert len(registrable_domain(text)) <= len(text)


# Any text, including lone surrogates, and text dense in characters that matter to a parser.
any_text = st.text(st.characters(codec=None))
schemes_and_hosts = "http: https: HTTP:// // www. m. de ä ß [ ] [::1] @ : :80 :443 0 0x1"
paths_and_queries = "/ \\ . .. %2e %4 %% %C3 a B ; ;jsessionid= index.html ? & = utm_x=1 sid= #"
pieces = [*schemes_and_hosts.split(), *paths_and_queries.split(), " ", "\t", "\ud800"]
awkward = st.lists(st.sampled_from(pieces)).map("".join)
hrefs = any_text | awkward | awkward.map("https://a.de/".__add__) | awkward.map("https://".__add__)

words = st.text("abcXYZ019-_~é", min_size=1, max_size=6)
hosts = st.builds("{}.{}".format, st.text("abcxyz", min_size=2, max_size=6), st.sampled_from(["de", "co.uk"]))
paths = st.lists(words, max_size=4).map(lambda found: "".join("/" + word for word in found))
queries = st.lists(words.map("q".__add__), max_size=3).map("&".join)


@given(hrefs, hrefs | st.none())
def test_any_text_is_accepted(href: str, base: str | None) -> None:
    target = urls.resolve(href, base)
    registrable_domain(href)
    if target is not None:
        assert target.startswith(("http://", "https://"))
        assert target.isascii()
        assert urls.host(target)


@given(hrefs, hrefs)
@example("https://a.de/%%341", "https://a.de/")
def test_resolved_urls_are_in_normal_form(href: str, base: str) -> None:
    target = urls.resolve(href, base)
    assert target is None or urls.normalise(target) == target


@given(hrefs)
@example("http://example.de:443/")
def test_normalising_is_idempotent(url: str) -> None:
    assert urls.normalise(urls.normalise(url)) == urls.normalise(url)


@given(hrefs)
@example("http://a:443/")
@example("https://a.de/.;jsessionid=1/b")
@example("https://https:x/")
@example("HTTP: @0")
@example("http: \x01a@0")
def test_the_key_of_a_key_is_the_same(url: str) -> None:
    key = urls.key(url)
    assert urls.key(urls.normalise(url)) == key
    assert urls.key("https://" + key) == key


@given(hosts, paths, queries)
def test_spellings_of_one_page_share_a_key(host: str, path: str, query: str) -> None:
    page = f"https://{host}{path}"
    key = urls.key(f"{page}?{query}")
    assert urls.key(f"http://{host}{path}?{query}") == key
    assert urls.key(f"https://www.{host}{path}?{query}") == key
    assert urls.key(f"{page}/?{query}") == key
    assert urls.key(f"{page}/index.html?{query}") == key
    assert urls.key(f"{page}?{query}#fragment") == key
    assert urls.key(f"{page}?utm_source=rss&{query}&fbclid=1") == key
    assert urls.key(f"{page}?{'&'.join(reversed(query.split('&')))}") == key


@given(hosts, paths, words)
def test_different_pages_have_different_keys(host: str, path: str, word: str) -> None:
    page = f"https://{host}{path}"
    others = {
        f"{page}/{word}",
        f"{page}?{word}",
        f"{page}/x{word}",
        f"{page}/X{word}",
        f"https://other.{host}{path}",
    }
    assert len({urls.key(url) for url in {page, *others}}) == 6


@pytest.mark.parametrize(
    ("url", "plain"),
    [
        ("https://news.example/a-story?utm_source=front&utm_content=list", "https://news.example/a-story"),
        ("https://news.example/show?id=7&fbclid=x&page=2", "https://news.example/show?id=7&page=2"),
        ("https://news.example/show?utm_source=front#top", "https://news.example/show#top"),
        ("https://news.example/a-story", "https://news.example/a-story"),
    ],
)
def test_what_follows_visitors_can_be_left_out(url: str, plain: str) -> None:
    assert urls.without_tracking(url) == plain
    assert urls.key(plain) == urls.key(url)


def real_urls(folder: Path) -> Iterator[str]:
    for file in sorted((folder / "temporal" / "links").glob("*.jsonl.xz")):
        with lzma.open(file, "rt", encoding="utf-8") as rows:
            for row in islice(rows, 3):
                yield from (link[0] for link in json.loads(row).get("links", ()))
    for file in sorted((folder / "temporal" / "gold").glob("*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as rows:
            yield from (json.loads(row)["url"] for row in islice(rows, 500))


def test_real_urls_keep_their_identity(shared_data: Path) -> None:
    found = set(real_urls(shared_data))
    assert len(found) > 1000
    for url in found:
        normal, key = urls.normalise(url), urls.key(url)
        assert urls.normalise(normal) == normal
        assert urls.key(normal) == key == urls.key("https://" + key)
        assert urls.resolve(url, None) == (normal if url.startswith("http") else None)


def test_no_article_and_section_share_a_key(shared_data: Path) -> None:
    labels: dict[str, set[str]] = {}
    for file in sorted((shared_data / "temporal" / "gold").glob("*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as rows:
            for row in map(json.loads, rows):
                labels.setdefault(urls.key(row["url"]), set()).add(row["label"])
    assert [key for key, found in labels.items() if {"ARTICLE", "SECTION"} <= found] == []
