"""Pages with an article, for the tests of its facts."""

from datetime import UTC, datetime

from broadsheet.base.records import Article
from broadsheet.reading import extract

NOW = datetime(2026, 3, 5, 12, 0, tzinfo=UTC)
TEXT = "".join(
    f"<p>The harbour bridge was opened to all traffic on day {number}, three months late, the city said.</p>"
    for number in range(8)
)


def read_article(body: str = "", head: str = "", url: str | None = None, fetched_at: datetime | None = None) -> Article:
    page = f"<html lang=en><head>{head}</head><body><h1>Harbour bridge reopens at last</h1>{body}</body></html>"
    article = extract(page, url, fetched_at=fetched_at)
    assert article is not None
    return article


def json_ld(properties: str, kind: str = "NewsArticle") -> str:
    return f'<script type="application/ld+json">{{"@type": "{kind}", {properties}}}</script>'
