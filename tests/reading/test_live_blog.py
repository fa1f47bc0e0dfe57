import json
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from broadsheet.base.records import Entry
from broadsheet.document import parse
from broadsheet.reading import read, to_article
from broadsheet.reading._assembly_scans import clock_candidates
from broadsheet.reading._live_blog import LiveBlog, find_live_blog
from broadsheet.reading._timed_blocks import CLOCK
from tests.document.html import MARKUP

TEXTS = (
    "The first ferry has left the harbour with two hundred people, and the wind is falling at last.",
    "The port authority says that no ship will leave before noon, whatever the weather may bring until then.",
    "Waves of six metres are reported from the point, where two fishing boats are waiting for a tug.",
    "The storm warning was raised to its highest level overnight, for the first time in this winter.",
)
CLOCKS = ("11:40", "10:05", "9:15", "7:30")
URL = "https://courier.example/storm"
#: One that learned nothing, so that what it takes for the body of a page is the same in every version.
READER = "coreex"


@settings(deadline=None)
@given(st.from_regex(CLOCK).filter(lambda text: CLOCK.match(text.lstrip()) and "\0" not in text and "<" not in text))
@example("0\x1f:00")
def test_whatever_begins_with_a_time_is_a_candidate(text: str) -> None:
    document = parse(f"<p>{text.lstrip()}</p>")
    pieces, columns = document.pieces, document.columns

    candidates = clock_candidates(np.frombuffer(columns.text, np.uint8), pieces.start, document.sums.digits)

    starts = [columns.text[start:end].decode().lstrip() for start, end in zip(pieces.start, pieces.end, strict=True)]
    assert {piece for piece, start in enumerate(starts) if CLOCK.match(start)} <= set(candidates)


def live_blog_of(page: str) -> LiveBlog | None:
    document = parse(page, URL)
    return find_live_blog(document, read(document, READER))


def entries(page: str) -> tuple[Entry, ...]:
    blog = live_blog_of(page)
    assert blog is not None
    return blog.entries


def json_ld(thing: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(thing)}</script><h1>Storm</h1><p>{TEXTS[0]}</p>'


def blocks(markup: str) -> str:
    """Fill a block's markup with each time and text in turn."""
    return "".join(markup.format(clock=clock, text=text) for clock, text in zip(CLOCKS, TEXTS, strict=True))


def test_json_ld_gives_entries_with_their_times() -> None:
    updates = [
        {"@type": "BlogPosting", "headline": "Ferry leaves", "articleBody": TEXTS[0]}
        | {"datePublished": "2026-03-02T11:40:00+02:00"},
        {"@type": "BlogPosting", "headline": "No ships", "articleBody": f"{TEXTS[1]}\n{TEXTS[2]}"},
    ]

    blog = live_blog_of(json_ld({"@type": "LiveBlogPosting", "liveBlogUpdate": updates}))

    assert blog is not None
    assert blog.evidence == "json-ld liveBlogUpdate"
    assert blog.entries == (
        Entry(
            datetime(2026, 3, 2, 11, 40, tzinfo=timezone(timedelta(hours=2))),
            "Ferry leaves",
            TEXTS[0],
            "2026-03-02T11:40:00+02:00",
        ),
        Entry(None, "No ships", f"{TEXTS[1]}\n\n{TEXTS[2]}"),
    )


def test_lists_in_lists_and_tags_in_text_are_read() -> None:
    updates = [[{"headline": "A", "articleBody": "<p>One &amp; two</p><p>Three</p>"}, {"headline": "B"}], [], None, 7]

    first, second = entries(json_ld({"@type": "LiveBlogPosting", "liveBlogUpdate": updates}))

    assert first.text == "One & two\n\nThree"
    assert (second.title, second.text) == ("B", "")


def test_the_object_that_describes_this_page_is_preferred() -> None:
    other, own = (
        {"@type": "LiveBlogPosting", "url": url, "liveBlogUpdate": [{"headline": f"{url} {n}"} for n in range(size)]}
        for url, size in (("/other", 5), (URL, 2))
    )

    assert [entry.title for entry in entries(json_ld([other, own]))] == [f"{URL} 0", f"{URL} 1"]


def test_microdata_gives_entries() -> None:
    update = (
        '<div itemprop="liveBlogUpdate" itemscope><h2>News</h2>'
        '<time datetime="2026-03-02T09:30:00Z">half past nine</time><p>{text}</p></div>'
    )

    blog = live_blog_of(f"<main><h1>Storm</h1>{blocks(update)}</main>")

    assert blog is not None
    assert blog.evidence == "microdata liveBlogUpdate"
    assert blog.entries[0] == Entry(datetime(2026, 3, 2, 9, 30, tzinfo=UTC), "News", TEXTS[0], "half past nine")


def test_updates_inside_updates_are_part_of_the_outer_one() -> None:
    nested = "<div itemprop=liveBlogUpdate>" * 200 + f"<p>{TEXTS[0]}</p>" + "</div>" * 200
    page = f"<main>{nested}<div itemprop=liveBlogUpdate><p>{TEXTS[1]}</p></div></main>"

    assert [entry.text for entry in entries(page)] == [TEXTS[0], TEXTS[1]]


def test_entries_beyond_the_cap_are_dropped() -> None:
    page = "".join(f"<div itemprop=liveBlogUpdate><p>News {number}</p></div>" for number in range(1_200))
    stated = {"@type": "LiveBlogPosting", "liveBlogUpdate": [{"headline": f"News {n}"} for n in range(1_200)]}

    assert len(entries(page)) == len(entries(json_ld(stated))) == 1_000


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        ('<article class="post"><time>{clock}</time><p>{text}</p></article>', None),
        ('<li><div class="when">{clock} GMT</div><div>{text}</div></li>', None),
        ("<div><h3>What happened</h3><span>{clock}</span><p>{text}</p></div>", "What happened"),
        ("<p><b>{clock}</b> {text}</p>", None),
        ("<p> <b>•</b><i>–</i> <u>{clock}</u> {text}</p>", None),
        ("<h3>{clock} What happened</h3><p>{text}</p>", "What happened"),
        ("<dt>{clock}</dt><dd>{text}</dd>", None),
    ],
)
def test_blocks_that_each_begin_with_a_time_are_entries(markup: str, title: str | None) -> None:
    blog = live_blog_of(f"<main><h1>Storm at sea</h1><div>{blocks(markup)}</div></main>")

    assert blog is not None
    assert blog.evidence == "repeated blocks that begin with a time"
    assert [(entry.title, entry.text) for entry in blog.entries] == [(title, text) for text in TEXTS]
    assert [(entry.time_raw or "").removesuffix(" GMT") for entry in blog.entries] == list(CLOCKS)


def test_a_machine_readable_time_gives_the_day() -> None:
    markup = '<section><time datetime="2026-03-02T0{clock}:00+01:00">earlier</time><p>{text}</p></section>'
    page = blocks(markup).replace("T011:40", "T11:40").replace("T010:05", "T10:05")

    first, *_ = entries(f"<main>{page}</main>")

    assert first.time == datetime(2026, 3, 2, 11, 40, tzinfo=timezone(timedelta(hours=1)))
    assert first.time_raw == "earlier"


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("14:32 The bridge", "14:32"),
        ("12.31 Uhr: Die Brücke", "12.31 Uhr:"),
        ("9h05 - La Bourse", "9h05"),
        ("2pm The bridge", "2pm"),
        ("11:05 a.m. The bridge", "11:05 a.m."),
        ("14時32分", "14時32"),
    ],
)
def test_a_time_of_day_is_recognized_in_many_languages(text: str, time: str) -> None:
    match = CLOCK.match(text)

    assert match is not None
    assert match[0].strip(" -") == time


@pytest.mark.parametrize("text", ["1.234 people", "12:345", "3.50,00 euros", "25:10", "2026 was a year", "2 boats"])
def test_other_numbers_are_not_a_time_of_day(text: str) -> None:
    assert CLOCK.match(text) is None


def test_comments_with_times_are_not_a_live_blog() -> None:
    comments = blocks("<div class=comment><time>{clock}</time><p>{text}</p></div>")
    story = f"<main><h1>Storm</h1><p>{TEXTS[0] * 9}</p></main>"

    assert live_blog_of(f"{story}<div id=comments>{comments}</div>") is None


def test_a_list_of_links_with_times_is_not_a_live_blog() -> None:
    ticker = blocks("<li><time>{clock}</time><a href=/x>{text}</a></li>")

    assert live_blog_of(f"<main><h1>Storm</h1><p>{TEXTS[0] * 3}</p></main><ul>{ticker}</ul>") is None


def test_unordered_times_are_not_a_live_blog() -> None:
    results = "".join(
        f"<p>{clock} {text}</p>" for clock, text in zip(("3.20", "9.50", "1.10", "8.40"), TEXTS, strict=True)
    )

    assert live_blog_of(f"<main><h1>Results</h1>{results}</main>") is None


def test_two_blocks_are_not_a_live_blog() -> None:
    assert live_blog_of(f"<main><p>11:40 {TEXTS[0]}</p><p>10:05 {TEXTS[1]}</p></main>") is None


def test_the_article_has_the_entries_and_their_evidence() -> None:
    document = parse(f"<main><h1>Storm</h1>{blocks('<p>{clock} {text}</p>')}</main>", URL)

    article = to_article(document, read(document, READER))

    assert len(article.entries) == 4
    assert article.evidence["entries"] == "repeated blocks that begin with a time"
    assert article.to_dict()["entries"][0] == {"time": None, "title": None, "text": TEXTS[0], "time_raw": "11:40"}  # type: ignore[index]


@given(MARKUP, st.sampled_from(("", "<p>11:40 a</p>" * 4, "<time>x</time>" * 4)))
def test_any_page_is_read_without_an_error(page: str, more: str) -> None:
    document = parse(page + more)

    blog = find_live_blog(document, read(document))

    assert blog is None or len(blog.entries) >= 2
