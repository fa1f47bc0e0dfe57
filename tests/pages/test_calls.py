"""How much Python a page takes: most of the time beside the parser's goes into calls, and they can be counted."""

import sys
from types import FrameType

from broadsheet import analyse
from tests.corpora import tiny

#: What an article with a dozen paragraphs, a menu and metadata may take. Real pages take about twice as many, because
#: they state more; without a bound, each small addition would go unnoticed.
MAX_CALLS = 2_300

HEAD = """<html lang=en><head><title>Crane falls into the harbour - The Courier</title>
<meta property="og:title" content="Crane falls into the harbour"><meta property="og:type" content="article">
<meta property="article:published_time" content="2026-03-02T10:00:00+01:00">
<meta name="author" content="Jane Doe"><link rel=canonical href="/2026/03/crane"></head><body class=single>"""
MENU = "".join(f"<li class=nav-item><a href='/{name}'>{name.title()}</a></li>" for name in ("sport", "news", "city"))
BODY = "".join(
    f"<p>{word} {paragraph}</p>" for word in ("One", "Three", "Eleven", "Thirteen") for paragraph in tiny.PARAGRAPHS
)
ARTICLE = (
    f"{HEAD}<nav><ul>{MENU}</ul></nav><article><h1>Crane falls into the harbour</h1>"
    f"<p class=byline>By Jane Doe</p><time datetime=2026-03-02>2 March 2026</time>{BODY}</article></body></html>"
)


def test_an_article_takes_a_bounded_number_of_calls() -> None:
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    # The first page loads models and fills caches.
    page = analyse(ARTICLE.encode(), "https://www.courier.example/2026/03/crane")
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        analyse(ARTICLE.encode(), "https://www.courier.example/2026/03/crane")
    finally:
        sys.setprofile(before)

    assert page.article is not None
    assert page.article.title == "Crane falls into the harbour"
    assert calls <= MAX_CALLS
