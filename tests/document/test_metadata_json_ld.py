import json
from typing import Any

import pytest

from broadsheet.document import parse
from broadsheet.document.metadata import Crumb, Metadata, Value, read_metadata
from broadsheet.document.metadata._json_ld import flatten

URL = "https://www.example.org/news/story"


def read_text(*scripts: str, head: str = "", url: str | None = URL) -> Metadata:
    written = "".join(f'<script type="application/ld+json">{script}</script>' for script in scripts)
    return read_metadata(parse(f"<head>{head}{written}</head>", url))


def read(*things: Any, head: str = "", url: str | None = URL) -> Metadata:
    return read_text(*map(json.dumps, things), head=head, url=url)


def texts(values: tuple[Value, ...]) -> list[str]:
    return [value.value for value in values]


@pytest.mark.parametrize(
    ("author", "names"),
    [
        ("Ann", ["Ann"]),
        (["Ann", "Bob"], ["Ann", "Bob"]),
        ({"@type": "Person", "name": "Ann"}, ["Ann"]),
        ([{"name": "Ann"}, {"name": "Bob"}], ["Ann", "Bob"]),
        ([[{"name": "Ann"}], ["Bob"]], ["Ann", "Bob"]),
        ({"name": ["Ann", "Bob"]}, ["Ann", "Bob"]),
        ({"@type": "Person", "givenName": "Ann", "familyName": "Author"}, ["Ann Author"]),
        ({"@list": ["Ann"]}, ["Ann"]),
        ({"@value": "Ann"}, ["Ann"]),
        ({"name": {"@value": "Ann"}}, ["Ann"]),
        ({"@id": "#ann"}, ["Ann by reference"]),
        ({"@type": "Person", "@id": "#ann"}, ["Ann by reference"]),
        ({"@id": "#ann", "name": "Ann"}, ["Ann"]),
        ({"@id": "#nobody"}, []),
        ("  ", []),
        (None, []),
        (True, []),
        ({}, []),
        ([], []),
        ({"name": None}, []),
        ({"name": {"first": "Ann"}}, []),
        (7, ["7"]),
    ],
)
def test_authors_in_every_shape(author: object, names: list[str]) -> None:
    graph = [
        {"@type": "NewsArticle", "author": author},
        {"@type": "Person", "@id": "#ann", "name": "Ann by reference"},
    ]

    assert texts(read({"@context": "https://schema.org", "@graph": graph}).authors) == names


def test_the_source_shows_the_type_of_an_author_who_is_not_a_person() -> None:
    organisation = {"@type": "Organization", "name": "The Desk", "url": "/desk"}

    metadata = read({"@type": "NewsArticle", "author": [organisation, "https://social.example/ann"]})

    assert [value.source for value in metadata.authors] == ["json-ld NewsArticle.author/Organization"]
    assert texts(metadata.author_urls) == ["https://www.example.org/desk", "https://social.example/ann"]


@pytest.mark.parametrize(
    ("image", "urls"),
    [
        ("/a.jpg", ["https://www.example.org/a.jpg"]),
        ({"@type": "ImageObject", "url": "/a.jpg"}, ["https://www.example.org/a.jpg"]),
        ({"contentUrl": "/a.jpg", "@id": "/#image"}, ["https://www.example.org/a.jpg"]),
        ([{"url": ["/a.jpg"]}, "/b.jpg"], ["https://www.example.org/a.jpg", "https://www.example.org/b.jpg"]),
        ({"url": {"deeper": "/a.jpg"}}, []),
        (False, []),
    ],
)
def test_images_in_every_shape(image: object, urls: list[str]) -> None:
    assert texts(read({"@type": "Article", "image": image}).images) == urls


@pytest.mark.parametrize(
    ("keywords", "topics"),
    [
        ("one, two", ["one", "two"]),
        (["one", "two, three"], ["one", "two", "three"]),
        ([{"@type": "DefinedTerm", "name": "one"}], ["one"]),
        ({"a": 1}, []),
        (3.5, ["3.5"]),
    ],
)
def test_keywords_in_every_shape(keywords: object, topics: list[str]) -> None:
    assert texts(read({"@type": "Article", "keywords": keywords}).topics) == topics


@pytest.mark.parametrize(
    ("language", "read_as"),
    [
        ("en-GB", ["en-GB"]),
        ({"@type": "Language", "name": "English", "alternateName": "en"}, ["en"]),
        ({"@type": "Language", "name": "English"}, ["English"]),
        (["de", "fr"], ["de", "fr"]),
        ({}, []),
    ],
)
def test_languages_in_every_shape(language: object, read_as: list[str]) -> None:
    assert texts(read({"@type": "Article", "inLanguage": language}).languages) == read_as


@pytest.mark.parametrize(
    ("free", "read_as"),
    [
        (True, ["true"]),
        (False, ["false"]),
        ("False", ["false"]),
        ("http://schema.org/False", ["false"]),
        ("https://schema.org/True", ["true"]),
        (0, ["false"]),
        ("perhaps", []),
        ({}, []),
    ],
)
def test_free_access_in_every_shape(free: object, read_as: list[str]) -> None:
    metadata = read({"@type": "Article", "isAccessibleForFree": free})

    assert texts(metadata.free_access) == read_as
    assert dict(metadata.dropped) == ({} if read_as else {"json-ld: neither true nor false": 1})


def test_a_part_behind_a_paywall() -> None:
    part = {"@type": "WebPageElement", "isAccessibleForFree": "False", "cssSelector": ".paid"}

    metadata = read({"@type": "NewsArticle", "hasPart": [part, "x"]})

    assert metadata.free_access[0][:2] == ("false", "json-ld NewsArticle.hasPart.isAccessibleForFree")


def test_an_article_fills_every_field() -> None:
    metadata = read(
        {
            "@type": ["NewsArticle", "http://schema.org/LiveBlogPosting"],
            "headline": "Tom &amp; Jerry&#8217;s \n story",
            "alternativeHeadline": 5,
            "description": "About\u0000 it \ud83d",
            "datePublished": "2026-11-15T10:00:00Z",
            "dateModified": ["2026-11-16"],
            "articleSection": ["World", {"name": "Europe"}],
            "publisher": {"@type": "Organization", "name": "The Example"},
            "mainEntityOfPage": {"@type": "WebPage", "@id": "/news/story"},
        }
    )

    assert texts(metadata.titles) == ["Tom & Jerry\u2019s story", "5"]
    assert texts(metadata.descriptions) == ["About\u0000 it \ufffd"]
    assert metadata.published[0][:2] == ("2026-11-15T10:00:00Z", "json-ld NewsArticle.datePublished")
    assert texts(metadata.modified) == ["2026-11-16"]
    assert texts(metadata.sections) == ["World", "Europe"]
    assert texts(metadata.site_names) == ["The Example"]
    assert texts(metadata.canonical) == [URL]
    assert texts(metadata.types) == ["NewsArticle", "LiveBlogPosting", "WebPage"]


def article(headline: str, **properties: object) -> dict[str, object]:
    return {"@type": "NewsArticle", "headline": headline, **properties}


@pytest.mark.parametrize(
    ("things", "headlines"),
    [
        ([article("A")], ["A"]),
        ([article("A", url="/elsewhere")], ["A"]),
        ([article("A", url="/a"), article("B", url="/news/story")], ["B"]),
        ([article("A", url="/a"), article("B", mainEntityOfPage={"@id": URL})], ["B"]),
        ([article("A", url="/a"), article("B", **{"@id": f"{URL}#article"})], ["B"]),
        ([article("A", url="/a"), article("B", url="http://example.org/news/story/?utm_source=x")], ["B"]),
        ([article("A", url="/a"), article("B")], ["B"]),
        ([article("A", url="/a"), article("B", url="/b")], []),
        ([article("A"), article("B")], []),
        ([{"@type": "ItemList", "itemListElement": [article("A"), {"item": article("B")}]}], []),
        ([{"@type": "CollectionPage", "hasPart": [article("A")]}], []),
        ([{"@type": "WebPage", "mainEntity": article("A")}], ["A"]),
        ([[[article("A")]]], ["A"]),
        ([{"@graph": {"@graph": [article("A")]}}], ["A"]),
        ([{"@type": "VideoObject", "name": "V"}], ["V"]),
        ([{"@type": "VideoObject", "name": "V"}, article("A")], ["A"]),
        ([{"@type": "Organization", "name": "O"}], []),
        ([{"headline": "No type"}], []),
        ([article("A"), {"@type": "WebPage", "name": "P"}], ["A", "P"]),
    ],
)
def test_which_thing_describes_the_page(things: list[object], headlines: list[str]) -> None:
    assert texts(read(*things).titles) == headlines


def test_the_page_url_may_be_the_one_it_states() -> None:
    things = [article("A", url="/a"), article("B", url="/b")]

    assert texts(read(*things, head='<link rel=canonical href="/b">', url="https://www.example.org/x").titles) == ["B"]
    assert texts(read(*things, head='<meta property="og:url" content="/a">').titles) == ["A"]


def test_a_breadcrumb_list_follows_its_positions() -> None:
    items: list[object] = [
        {"@type": "ListItem", "position": "3", "name": "Page"},
        {"@type": "ListItem", "position": 1, "item": {"@id": "/", "name": "Home"}},
        {"@type": "ListItem", "position": 2, "name": "World", "item": "/w"},
        "nonsense",
        {"@type": "ListItem", "position": 9},
    ]

    (trail,) = read(
        {"@type": "WebPage", "breadcrumb": {"@type": "BreadcrumbList", "itemListElement": items}}
    ).breadcrumbs

    assert trail.crumbs == (
        Crumb("Home", "https://www.example.org/"),
        Crumb("World", "https://www.example.org/w"),
        Crumb("Page", None),
    )
    assert trail.source == "json-ld BreadcrumbList.itemListElement"


def test_without_positions_the_order_is_kept() -> None:
    items = [{"name": "B", "position": "first"}, {"name": "A", "position": 1}]

    (trail,) = read({"@type": "BreadcrumbList", "itemListElement": items}).breadcrumbs

    assert [crumb.name for crumb in trail.crumbs] == ["B", "A"]


def test_the_objects_themselves_are_kept() -> None:
    things = [{"@type": "Organization", "name": "O"}, article("A", articleBody="Text")]

    assert list(read({"@context": "https://schema.org", "@graph": things}).json_ld) == things


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("", "json-ld: empty"),
        (" \n ", "json-ld: empty"),
        ("no json at all", "json-ld: not JSON"),
        ("7", "json-ld: describes nothing"),
        ("[]", "json-ld: describes nothing"),
        ('{"@context": "https://schema.org"}', "json-ld: describes nothing"),
        ('{"headline": "A"}', "json-ld: no type"),
        ('{"@type": {"a": 1}, "headline": "A"}', "json-ld: no type"),
        ('{"@type": "a\\nb", "headline": "A"}', "json-ld: no type"),
        ("[" * 100_000, "json-ld: nested too deep"),
        ('{"a":' * 50_000 + "1" + "}" * 50_000, "json-ld: nested too deep"),
        ("[" * 150 + "]" * 150, "json-ld: nested too deep"),
        ("[" * 150 + ",]" * 150, "json-ld: nested too deep"),
        ('{"@type": "A", ' + " " * 2_000_000 + "}", "json-ld: too long"),
        ('{"@type": "A", ' + '"a": 1,' * 20_000 + "}", "json-ld: too long to repair"),
    ],
    ids=range(15),
)
def test_unreadable_scripts_are_counted(script: str, reason: str) -> None:
    metadata = read_text(script, json.dumps(article("A")))

    assert dict(metadata.dropped) == {reason: 1}
    assert texts(metadata.titles) == ["A"]


def test_flattening_is_not_recursive() -> None:
    deep: Any = {"@type": "Article"}
    for _ in range(10_000):
        deep = {"@graph": [deep]}

    assert flatten(deep) == [{"@type": "Article"}]
