import json
from time import process_time

import pytest

from broadsheet.document import parse
from broadsheet.document.metadata import Metadata, read_metadata
from broadsheet.document.metadata._budget import FIELD_BUDGET, LIMITS, VALUE_COST, Budget
from broadsheet.document.metadata.things import MAX_VALUES

URL = "https://www.example.org/news/story.html"


def script(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return f'<script type="application/ld+json">{text}</script>'


def article(**properties: object) -> dict[str, object]:
    return {"@type": "NewsArticle", "url": URL, **properties}


ANN = {"@id": "#ann"}
NAMES = {"@id": "#ann", "@type": "Person", "name": [f"Ann {number}" for number in range(30_000)]}
BLANKS = {"@id": "#ann", "@type": "Person", "name": [""] * 300_000, "url": [" " * 1_000] * 500}
STEPS = [{"@type": "ListItem", "@id": f"#{step}", "name": "Step", "position": step} for step in range(100)]
TRAILS = [{"@type": "BreadcrumbList", "itemListElement": [{"@id": f"#{step}"} for step in range(100)]}] * 390
MICRODATA = "<div itemscope itemtype=http://schema.org/Article><b itemprop=headline>x</b></div>"

BOMBS = {
    "references to one list": (script([article(author=[ANN] * 30_000), NAMES]), "authors: too many values"),
    "references from many things": (
        script([*[article(author=ANN, creator=ANN, publisher=ANN, image=ANN)] * 400, BLANKS]),
        "json-ld: too many references",
    ),
    "steps by reference": (script(STEPS + TRAILS), "breadcrumb: too many steps"),
    "rel=alternate": (
        "<link href=/x type=application/rss+xml rel='" + "alternate " * 40_000 + "'>",
        "link: attribute too long",
    ),
    "rel=next": (("<link href=/x rel='" + "next " * 790_000 + "'>") * 5, "link: attribute too long"),
    "links": ("<link rel=canonical href='/\u00e9/../x'>" * 100_000, "link: too many"),
    "alternates": (
        "".join(f"<link rel=alternate hreflang=fr href='/{number:0200}'>" for number in range(1_900)),
        "alternates: too many values",
    ),
    "itemprop": (("<b itemprop='" + "name " * 780_000 + "'>x</b>") * 5, "microdata: too many properties"),
    "microdata": (MICRODATA * 70_000, "microdata: too many things"),
    "microdata in depth": (
        ("<div>" * 190 + "<b itemprop=name>x</b>" + "</div>" * 190) * 2_000,
        "microdata: nested too deep",
    ),
    "long attributes": (
        ("<meta itemprop='name headline author' content='" + "a " * 900_000 + "'>") * 5,
        "microdata: text too long",
    ),
    "keywords": (("<meta name=keywords content='" + "ab," * 1_270_000 + "'>") * 5, "topics: too many values"),
    "few keywords often": (("<meta name=keywords content='" + "ab," * 600 + "'>") * 2_000, "topics: too many values"),
    "robots": (("<meta name=robots content='" + "ab," * 60_000 + "'>") * 50, "robots: too many values"),
    "metas": ("<meta property=og:url content='/\u00e9'>" * 100_000, "meta: too many"),
    "parsely": ("<meta name=parsely-page content='" + "[1," * 1_000_000 + "'>", "parsely-page: too long"),
    "broken scripts": (script('{"@type": "A", "a" 1,,}') * 100_000, "json-ld: too many scripts"),
    "long broken scripts": (
        script('{"@type": "A",' + '"a": 1,' * 12_000 + "}") * 20,
        "json-ld: too long to repair",
    ),
    "scripts": (script('{"@type": "Article"}') * 100_000, "json-ld: too many scripts"),
    "objects": (script([article(url=["/\u00e9/../a"] * 20)] * 5_000), "json-ld: too many things"),
    "times": ("<time>x</time>" * 390_000, "time: too many"),
    "long times": (("<time datetime='" + "x" * 4_000_000 + "'>x</time>") * 4, "time: text too long"),
    "addresses": (
        ("<p class=breadcrumb><a href='/" + "\u00e9" * 900_000 + "'>x</a></p>") * 5,
        "breadcrumbs: too many values",
    ),
}


def read_in_time(page: str) -> Metadata:
    document = parse(page, URL)
    start = process_time()
    metadata = read_metadata(document)

    assert process_time() - start < 20
    return metadata


@pytest.mark.parametrize(("page", "reason"), BOMBS.values(), ids=BOMBS)
def test_hostile_pages_are_fast_and_what_exceeds_the_budget_is_counted(page: str, reason: str) -> None:
    assert read_in_time(page).dropped[reason] >= 1


def test_each_reference_is_followed_once_per_property() -> None:
    ann = {"@id": "#ann", "@type": "Person", "name": ["Ann", "Anna"]}

    metadata = read_in_time(script([article(author=[ANN, ANN, {"@id": "#bob"}], creator=ANN), ann]))

    assert [(author.value, author.source) for author in metadata.authors] == [
        ("Ann", "json-ld NewsArticle.author"),
        ("Anna", "json-ld NewsArticle.author"),
        ("Ann", "json-ld NewsArticle.creator"),
        ("Anna", "json-ld NewsArticle.creator"),
    ]


def test_a_flood_in_one_field_does_not_affect_the_others() -> None:
    page = "<title>A title</title><meta name=author content=Ann><meta name=keywords content='" + "ab," * 100_000 + "'>"

    metadata = read_in_time(page)

    assert (metadata.titles[0].value, metadata.authors[0].value, metadata.topics) == ("A title", "Ann", ())
    assert dict(metadata.dropped) == {"topics: too many values": 1}


def test_a_truncated_list_is_always_counted() -> None:
    assert FIELD_BUDGET // (VALUE_COST + 1) < MAX_VALUES


def test_every_item_beyond_the_budget_is_counted() -> None:
    budget, most = Budget(), LIMITS["meta: too many"]

    assert budget.afford_first("meta: too many", list(range(most + 3))) == list(range(most))
    assert budget.afford_first("meta: too many", [1]) == []
    assert not budget.afford("meta: too many")
    assert budget.dropped == {"meta: too many": 5}
    assert not budget.take("meta: too many", 1)
    assert budget.dropped == {"meta: too many": 5}
