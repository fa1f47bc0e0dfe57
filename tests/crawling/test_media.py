"""What is a page of HTML, what is a feed, and what is neither."""

import pytest

from broadsheet.base import reasons
from broadsheet.base.reasons import Reason
from broadsheet.crawling.media import not_a_page

RSS = b'<?xml version="1.0"?>\n<!-- made by hand -->\n<?xml-stylesheet href="x.xsl"?>\n<rss version="2.0"></rss>'
ATOM = b'\xef\xbb\xbf<feed xmlns="http://www.w3.org/2005/Atom"></feed>'
JSON = b'{"version": "https://jsonfeed.org/version/1.1", "items": []}'
HTML = b"<!DOCTYPE html><html><body><p>The feed &lt;rss> is here</p></body></html>"


@pytest.mark.parametrize(
    ("content", "content_type", "reason"),
    [
        (HTML, "text/html; charset=utf-8", None),
        (HTML, "application/xhtml+xml", None),
        (HTML, "", None),
        (RSS, "application/rss+xml; charset=utf-8", reasons.FEED),
        (RSS, "text/xml", reasons.FEED),
        (RSS, "text/html", reasons.FEED),
        (ATOM, "application/xml", reasons.FEED),
        (ATOM, "Application/Atom+XML", reasons.FEED),
        (JSON, "application/feed+json", reasons.FEED),
        (JSON, "application/json", reasons.FEED),
        (b'{"version": 1}', "application/json", reasons.NOT_HTML),
        (b"<urlset></urlset>", "application/xml", reasons.NOT_HTML),
        (b"%PDF-1.7", "application/pdf", reasons.NOT_HTML),
        (b" \n", "text/html", reasons.EMPTY),
        (b"", "", reasons.EMPTY),
    ],
)
def test_an_answer_is_a_page_a_feed_or_neither(content: bytes, content_type: str, reason: Reason | None) -> None:
    assert not_a_page(content, content_type) == reason
