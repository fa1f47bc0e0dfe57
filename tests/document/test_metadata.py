import html
import json
import pickle
from collections.abc import Iterable
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.document import Document, parse
from broadsheet.document.metadata import Crumb, LinkedPage, Metadata, TimeElement, Value, read_metadata
from broadsheet.document.metadata._meta_names import NAMES
from broadsheet.document.metadata._metadata_values import VALUE_FIELDS
from broadsheet.document.metadata._metas import _PARSELY

from .html import MARKUP

URL = "https://www.example.org/news/story.html"


def read(page: str, url: str | None = URL) -> Metadata:
    return read_metadata(parse(page, url))


def with_sources(values: Iterable[Value]) -> list[tuple[str, str]]:
    """Return the values and their sources, without rows."""
    return [(value.value, value.source) for value in values]


@pytest.mark.parametrize(
    ("markup", "field", "value", "source"),
    [
        ('<meta property="og:title" content="A title">', "titles", "A title", "meta og:title"),
        ('<meta name="OG:Title " content="A title">', "titles", "A title", "meta og:title"),
        ('<meta name="twitter:title" content="A title">', "titles", "A title", "meta twitter:title"),
        ('<meta name="og:title" value="A title">', "titles", "A title", "meta og:title"),
        ("<title> A\n title </title>", "titles", "A title", "title"),
        ('<meta name="description" content="Said">', "descriptions", "Said", "meta description"),
        (
            '<meta property="article:published_time" content="2026-11-15T10:00:00+01:00">',
            "published",
            "2026-11-15T10:00:00+01:00",
            "meta article:published_time",
        ),
        (
            '<meta property="og:article:published_time" content="2026-11-15">',
            "published",
            "2026-11-15",
            "meta article:published_time",
        ),
        (
            '<meta name="DC.date.issued" content="2026-11-15">',
            "published",
            "2026-11-15",
            "meta dc.date.issued",
        ),
        ('<meta name="citation_date" content="2026/11/15">', "published", "2026/11/15", "meta citation_date"),
        ('<meta http-equiv="last-modified" content="Sun">', "modified", "Sun", "meta last-modified"),
        ('<meta name="author" content="Ann Author">', "authors", "Ann Author", "meta author"),
        (
            '<meta property="article:author" content="https://social.example/ann">',
            "author_urls",
            "https://social.example/ann",
            "meta article:author",
        ),
        (
            '<meta name="twitter:label1" content="Verfasst von"><meta name="twitter:data1" content="Ann">',
            "authors",
            "Ann",
            "meta twitter:data1",
        ),
        ('<meta property="article:section" content="World">', "sections", "World", "meta article:section"),
        (
            '<meta property="og:image" content="/a.jpg">',
            "images",
            "https://www.example.org/a.jpg",
            "meta og:image",
        ),
        (
            '<link rel="image_src" href="b.jpg">',
            "images",
            "https://www.example.org/news/b.jpg",
            "link image_src",
        ),
        (
            '<meta property="og:site_name" content="The Example">',
            "site_names",
            "The Example",
            "meta og:site_name",
        ),
        ('<html lang="de-AT">', "languages", "de-AT", "html lang"),
        ('<html xml:lang="el">', "languages", "el", "html xml:lang"),
        ('<meta http-equiv="Content-Language" content="en">', "languages", "en", "meta content-language"),
        ('<meta property="og:locale" content="en_GB">', "languages", "en_GB", "meta og:locale"),
        ('<link rel="canonical" href="/s">', "canonical", "https://www.example.org/s", "link canonical"),
        ('<meta property="og:url" content="//a.org/s">', "canonical", "https://a.org/s", "meta og:url"),
        ('<meta property="og:type" content="article">', "types", "article", "meta og:type"),
        ('<meta name="robots" content="NOARCHIVE">', "robots", "noarchive", "meta robots"),
        ('<meta name="tdm-reservation" content="1">', "robots", "1", "meta tdm-reservation"),
        (
            '<meta property="article:content_tier" content="metered">',
            "free_access",
            "metered",
            "meta article:content_tier",
        ),
        ('<link rel="amphtml" href="/amp/s">', "amp", "https://www.example.org/amp/s", "link amphtml"),
        ('<link rel="next" href="?page=2">', "next", f"{URL}?page=2", "link next"),
        ('<link rel="prev" href="?page=0">', "previous", f"{URL}?page=0", "link prev"),
        (
            '<link rel="nofollow author" href="/ann">',
            "author_urls",
            "https://www.example.org/ann",
            "link author",
        ),
    ],
)
def test_each_place_fills_its_field(markup: str, field: str, value: str, source: str) -> None:
    assert with_sources(getattr(read(markup), field)) == [(value, source)]


def test_every_value_has_the_row_that_contains_it() -> None:
    document = parse('<html lang="en"><title>T</title><meta name="author" content="Ann"><time datetime="2026">', URL)
    metadata = read_metadata(document)

    for field in ("titles", "authors", "languages"):
        (value,) = getattr(metadata, field)
        assert document.tag_name(value.node) in value.source
    assert document.tag_name(metadata.times[0].node) == "time"


@pytest.mark.parametrize(
    ("content", "topics"),
    [
        ("one, two ,two,, three;four", ["one", "two", "three", "four"]),
        (" , ;", []),
        ("R&amp;amp;B, AT&amp;T", ["R&B", "AT&T"]),
    ],
)
def test_keywords_are_split_and_deduplicated(content: str, topics: list[str]) -> None:
    assert [topic.value for topic in read(f'<meta name="keywords" content="{content}">').topics] == topics


def test_robots_directives_are_split() -> None:
    robots = read('<meta name="robots" content="NoIndex, max-snippet:-1"><meta name="googlebot" content="none">').robots

    assert with_sources(robots) == [
        ("noindex", "meta robots"),
        ("max-snippet:-1", "meta robots"),
        ("none", "meta googlebot"),
    ]


@pytest.mark.parametrize(
    ("content", "directives"),
    [
        (
            "noindex, unavailable_after: Fri, 25 Jun 2027 15:00:00 GMT, nofollow",
            ["noindex", "unavailable_after: fri, 25 jun 2027 15:00:00 gmt", "nofollow"],
        ),
        ("unavailable_after: 25 Jun 2027,noindex", ["unavailable_after: 25 jun 2027", "noindex"]),
        ("unavailable_after:Friday, 25-Jun-27", ["unavailable_after:friday, 25-jun-27"]),
        ("unavailable_after: soon, noindex; none,, ", ["unavailable_after: soon", "noindex", "none"]),
        ("unavailable_after, noindex", ["unavailable_after", "noindex"]),
    ],
)
def test_a_date_among_directives_keeps_its_comma(content: str, directives: list[str]) -> None:
    assert [robot.value for robot in read(f'<meta name="robots" content="{content}">').robots] == directives


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("Tom&amp;#8217;s", "Tom\u2019s"),
        ("AT&amp;T; more", "AT&T; more"),
        ("a&amp;copy=2", "a&copy=2"),
        (" a\n\tb\u00a0 c ", "a b c"),
        ("\u00a0 ", None),
    ],
)
def test_text_is_cleaned(written: str, value: str | None) -> None:
    descriptions = read(f'<meta name="description" content="{written}">').descriptions

    assert [description.value for description in descriptions] == ([] if value is None else [value])


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("<b>Bridge reopens</b> at last", "Bridge reopens at last"),
        ("<B>Bridge</B><br>It reopens <i class='x'>at last</i>", "Bridge It reopens at last"),
        ("&lt;em&gt;Bridge&lt;/em&gt; reopens", "Bridge reopens"),
        ("30 Years of <br> Tags", "30 Years of <br> Tags"),
        ("<table>: The Table element", "<table>: The Table element"),
        ("What <b> and <i> do", "What <b> and <i> do"),
        ("3 < 5", "3 < 5"),
        ("<b> </b>", "<b> </b>"),
    ],
)
def test_tags_that_format_a_title_are_removed_and_those_that_it_is_about_are_not(written: str, title: str) -> None:
    page = f'<meta property="og:title" content="{html.escape(written)}"><meta name=description content="<b>x</b> y">'

    metadata = read(page)

    assert with_sources(metadata.titles) == [(title, "meta og:title")]
    assert with_sources(metadata.descriptions) == [("<b>x</b> y", "meta description")]


def test_the_most_reliable_markup_comes_first() -> None:
    page = """<title>Plain</title><h1 itemprop="headline">Micro</h1><meta name="title" content="Meta">
        <meta property="og:title" content="Graph"><link rel="canonical" href="/c">
        <script type="application/ld+json">{"@type": "Article", "headline": "Linked", "url": "/j"}</script>
        <meta property="og:url" content="/o">"""

    metadata = read(page)

    assert [title.value for title in metadata.titles] == ["Linked", "Graph", "Meta", "Micro", "Plain"]
    assert [address.value[-2:] for address in metadata.canonical] == ["/c", "/j", "/o"]


def test_relative_urls_are_resolved_against_the_base() -> None:
    assert read('<base href="/deep/"><link rel="canonical" href="x">').canonical[0].value == (
        "https://www.example.org/deep/x"
    )


def test_without_a_page_url_relative_urls_stay_as_written() -> None:
    metadata = read('<link rel="canonical" href="/x"><meta property="og:url" content="https://a.org">', None)

    assert [value.value for value in metadata.canonical] == ["/x", "https://a.org/"]


@pytest.mark.parametrize("href", ["javascript:void(0)", "mailto:a@b.c", "data:image/png;base64,AA", "http://[", "//"])
def test_a_url_that_does_not_lead_to_a_page_is_counted(href: str) -> None:
    metadata = read(f'<link rel="canonical" href="{href}">', None)

    assert (metadata.canonical, dict(metadata.dropped)) == ((), {"address: leads to no page": 1})


def test_times_keep_attribute_and_text() -> None:
    times = read('<time datetime="2026-11-15"> Nov  15 </time><time>today</time><time></time>').times

    assert [(time.datetime, time.text) for time in times] == [("2026-11-15", "Nov 15"), (None, "today")]
    assert isinstance(times[0], TimeElement)


def test_feeds_and_other_languages() -> None:
    metadata = read(
        """<link rel="alternate" type="application/rss+xml" title="All news" href="/rss">
        <link rel="alternate" hreflang="fr" href="/fr/">
        <link rel="alternate stylesheet" href="/x.css" hreflang="fr">
        <link rel="alternate" media="handheld" href="/m"><link rel="alternate" type="application/atom+xml">"""
    )

    (feed,), (french,) = metadata.feeds, metadata.alternates
    assert feed[:4] == ("https://www.example.org/rss", "All news", "application/rss+xml", None)
    assert french[:4] == ("https://www.example.org/fr/", None, None, "fr")
    assert isinstance(feed, LinkedPage)


def test_feeds_and_other_languages_are_deduplicated() -> None:
    feed = '<link rel="Alternate alternate" type="application/rss+xml" title="All" href="/rss">'
    french = '<link rel="alternate" hreflang="fr" href="/fr">'

    metadata = read(feed + french + feed + french + french.replace("fr", "de") + feed.replace("All", "More"))

    assert [page.title for page in metadata.feeds] == ["All", "More"]
    assert [page.language for page in metadata.alternates] == ["fr", "de"]
    assert metadata.feeds[0].node < metadata.alternates[0].node < metadata.feeds[1].node


def test_parsely_in_one_object() -> None:
    content = json.dumps({"title": "T", "pub_date": "2026-11-15", "authors": ["A", "B"], "tags": "x", "link": "/l"})

    metadata = read(f"<meta name='parsely-page' content='{content}'><meta name=parsely-page content=no>", None)
    readable = read(f"<meta name='parsely-page' content='{content}'>")

    assert dict(metadata.dropped) == {"parsely-page: not JSON": 1}
    assert [author.value for author in readable.authors] == ["A", "B"]
    assert with_sources(readable.published) == [("2026-11-15", "meta parsely-pub-date")]


def test_every_name_of_parsely_is_known() -> None:
    assert set(_PARSELY.values()) <= NAMES.keys()


@pytest.mark.parametrize("markup", ["microdata", "rdf"])
def test_unknown_markup_is_ignored(markup: str) -> None:
    assert read(f"<p data-{markup}='x'>text</p>") == Metadata()


ARTICLE = """<div itemscope itemtype="https://schema.org/NewsArticle">
  <h1 itemprop="name headline">A title</h1>
  <span itemprop="author" itemscope itemtype="https://schema.org/Person">
    By <a itemprop="name" href="/ann">Ann</a></span>
  <span itemprop="author" itemscope itemtype="https://schema.org/Organization">The Desk</span>
  <a itemprop="author" href="/bob">Bob</a>
  <time itemprop="datePublished" datetime="2026-11-15">today</time>
  <span itemprop="dateModified" content="2026-11-16"></span>
  <img itemprop="image" src="/a.jpg"><meta itemprop="isAccessibleForFree" content="False">
  <div itemprop="publisher" itemscope itemtype="https://schema.org/Organization">
    <meta itemprop="name" content="Example"></div>
  <div itemprop="comment" itemscope itemtype="https://schema.org/Comment">
    <b itemprop="author">Troll</b><time itemprop="datePublished" datetime="2030-01-01"></time></div>
</div>"""


def test_microdata_respects_scopes() -> None:
    metadata = read(ARTICLE)

    assert with_sources(metadata.titles) == [
        ("A title", "microdata NewsArticle.headline"),
        ("A title", "microdata NewsArticle.name"),
    ]
    assert with_sources(metadata.authors) == [
        ("Ann", "microdata NewsArticle.author"),
        ("The Desk", "microdata NewsArticle.author/Organization"),
        ("Bob", "microdata NewsArticle.author"),
    ]
    assert with_sources(metadata.published) == [("2026-11-15", "microdata NewsArticle.datePublished")]
    assert with_sources(metadata.modified) == [("2026-11-16", "microdata NewsArticle.dateModified")]
    assert with_sources(metadata.images) == [("https://www.example.org/a.jpg", "microdata NewsArticle.image")]
    assert with_sources(metadata.site_names) == [("Example", "microdata NewsArticle.publisher")]
    assert with_sources(metadata.free_access) == [("false", "microdata NewsArticle.isAccessibleForFree")]
    assert ("NewsArticle", "microdata @type") in with_sources(metadata.types)


def test_microdata_outside_any_scope_has_its_own_source() -> None:
    metadata = read(
        '<meta itemprop="DatePublished" content="2026-11-15"><p itemscope><b itemprop="name">Nobody</b></p>'
    )

    assert with_sources(metadata.published) == [("2026-11-15", "microdata datePublished")]
    assert metadata.titles == ()
    assert dict(metadata.dropped) == {"microdata: no type": 1}


def test_of_several_articles_the_one_with_the_page_url_is_read() -> None:
    teaser = """<div itemscope itemtype="http://schema.org/Article">
        <a itemprop="url" href="{}">x</a><b itemprop="headline">{}</b></div>"""

    listed = read(teaser.format("/news/other.html", "Other") + teaser.format("/third", "Third"))
    own = read(teaser.format("/news/other.html", "Other") + teaser.format("/news/story.html", "Own"))

    assert listed.titles == ()
    assert with_sources(listed.types) == [("Article", "microdata @type elsewhere")]
    assert with_sources(own.titles) == [("Own", "microdata Article.headline")]


NAME = "<a href='/{0}'>{0}</a>"


@pytest.mark.parametrize(
    ("markup", "crumbs"),
    [
        (
            "<nav aria-label='Breadcrumb'><a href=/>Home</a> \u203a <a href='/w'>World</a> » This page</nav>",
            [("Home", "/"), ("World", "/w"), ("This page", None)],
        ),
        (
            "<ol class='c-breadcrumbs'><li><a href='/'>Home</a><li><a href='/w'>World</a></ol>",
            [("Home", "/"), ("World", "/w")],
        ),
        (
            "<ul><li class=breadcrumb-1><a href=/>Home</a><li class=breadcrumb-2><a href=/w>World</a></ul>",
            [("Home", "/"), ("World", "/w")],
        ),
        ("<div id='breadcrumb'>You are here: <a href='/'>Home</a> / </div>", [("Home", "/")]),
        ("<div class='breadcrumb'>no links</div>", None),
        ("<div class='breadcrumb'>" + "".join(NAME.format(n) for n in range(13)) + "</div>", None),
        ("<div class='crumble'><a href='/'>Home</a></div>", None),
    ],
)
def test_visible_breadcrumbs(markup: str, crumbs: list[tuple[str, str | None]] | None) -> None:
    trails = read(f"<body><p>x</p>{markup}<p>y</p>").breadcrumbs

    expected = [Crumb(name, path and f"https://www.example.org{path}") for name, path in crumbs or ()]
    assert [list(trail.crumbs) for trail in trails] == ([expected] if crumbs else [])


def test_microdata_breadcrumbs() -> None:
    step = """<li itemprop="itemListElement" itemscope itemtype="https://schema.org/ListItem">
        <a itemprop="item" href="/{0}"><span itemprop="name">{1}</span></a>
        <meta itemprop="position" content="{2}"></li>"""
    page = f"""<ol itemscope itemtype="https://schema.org/BreadcrumbList">
        {step.format("w", "World", 2)}{step.format("", "Home", 1)}</ol>"""

    (trail,) = read(page).breadcrumbs

    assert trail.crumbs == (
        Crumb("Home", "https://www.example.org/"),
        Crumb("World", "https://www.example.org/w"),
    )
    assert trail.source == "microdata BreadcrumbList.itemListElement"


def test_metadata_can_be_compared_and_pickled() -> None:
    metadata = read(ARTICLE)

    assert pickle.loads(pickle.dumps(metadata)) == metadata == read(ARTICLE)  # noqa: S301 - our own bytes


def test_every_field_of_values_is_known() -> None:
    assert {"titles", "authors", "next", "robots"} <= set(VALUE_FIELDS)
    assert not {"times", "json_ld", "dropped"} & set(VALUE_FIELDS)


@given(st.lists(MARKUP, max_size=4).map("".join))
def test_no_markup_raises(page: str) -> None:
    document: Document = parse(page, URL)

    assert read_metadata(document) == read_metadata(document)


def _nested(name: str, attribute: str, times: int, inner: str) -> str:
    return f"<{name} {attribute}>" * times + inner + f"</{name}>" * times


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (_nested("div", "itemprop=name", 150, "text " * 2_000), "microdata: text too long"),
        ("<div itemprop='name'>" + "text " * 3_000, "microdata: text too long"),
        ("<time>" + "text " * 100, "time: text too long"),
        ("<div class=breadcrumb><a href=/x>x</a>" + "text " * 1_000, "breadcrumb: text too long"),
        ("<i class=breadcrumb></i>" * 1_001, "breadcrumb: too many"),
    ],
)
def test_values_that_are_too_long_are_counted(page: str, reason: str) -> None:
    assert read(page).dropped[reason] >= 1


@pytest.mark.parametrize(
    "page",
    [
        _nested("span", "class=breadcrumb", 1_500, "") * 20,
        "<i class='breadcrumb'></i>" * 50_000 + "<a href=x>x</a>",
        "<p class='breadcrumb'><a href=/x>x</a></p>" * 20_000,
        _nested("b", "itemprop=name", 1_500, "x" * 9_000) * 5,
        _nested("time", "datetime=2026", 1_500, "x" * 290) * 20,
        "<meta property='article:tag' content='a,b;c'>" * 20_000,
        "<meta name='parsely-page' content='{{'>" * 20_000,
        "<meta name='keywords' content='" + "&amp;" * 100_000 + "'>",
        "<div itemscope itemtype='http://schema.org/Article'><b itemprop='headline'>x</b></div>" * 10_000,
    ],
    ids=range(9),
)
def test_hostile_pages_take_linear_time(page: str) -> None:
    document = parse(page, URL)

    start = process_time()
    read_metadata(document)

    assert process_time() - start < 20
