"""Articles as RSS 2.0 and Atom feeds, for feed readers."""

from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape
from typing import Any
from urllib.parse import urlsplit
from uuid import NAMESPACE_URL, uuid5

from lxml import etree

from broadsheet.base.moments import to_utc
from broadsheet.base.records import Article
from broadsheet.base.tei import valid_text
from broadsheet.outputs.output import Output

ATOM = "http://www.w3.org/2005/Atom"
CONTENT = "http://purl.org/rss/1.0/modules/content/"
DUBLIN_CORE = "http://purl.org/dc/elements/1.1/"
TITLE = "News articles"

#: The type stubs of lxml do not allow a default namespace.
_ATOM: Any = {None: ATOM}
_RSS = {"content": CONTENT, "dc": DUBLIN_CORE}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SUMMARY_CHARACTERS = 300


def rss(outputs: Iterable[Output]) -> tuple[str, int]:
    """Return a feed as RSS 2.0, and the number of its articles."""
    root = etree.Element("rss", nsmap=_RSS, version="2.0")
    channel = etree.SubElement(root, "channel")
    articles = list(_articles(outputs))
    _add(channel, "title", TITLE)
    _add(channel, "link", _site(articles))
    _add(channel, "description", f"{len(articles):,} articles, the newest first")
    _add(channel, "lastBuildDate", format_datetime(_newest(articles)))
    for output, article in articles:
        item = etree.SubElement(channel, "item")
        _add(item, "title", article.title or _url(output) or TITLE)
        if url := _url(output):
            _add(item, "link", url)
        _add(item, "guid", _identity(output)).set("isPermaLink", "false")
        _add(item, "pubDate", format_datetime(_moment(output, article)))
        for author in article.authors:
            _add(item, f"{{{DUBLIN_CORE}}}creator", author)
        for topic in article.topics:
            _add(item, "category", topic)
        _add(item, "description", _summary(article))
        _add(item, f"{{{CONTENT}}}encoded", _html(article))
    return _serialised(root), len(articles)


def atom(outputs: Iterable[Output]) -> tuple[str, int]:
    """Return a feed as Atom, and the number of its articles."""
    root = etree.Element(f"{{{ATOM}}}feed", nsmap=_ATOM)
    articles = list(_articles(outputs))
    _add(root, f"{{{ATOM}}}id", f"urn:uuid:{uuid5(NAMESPACE_URL, _site(articles))}")
    _add(root, f"{{{ATOM}}}title", TITLE)
    _add(root, f"{{{ATOM}}}updated", _rfc_3339(_newest(articles)))
    for output, article in articles:
        entry = etree.SubElement(root, f"{{{ATOM}}}entry")
        _add(entry, f"{{{ATOM}}}id", _identity(output))
        _add(entry, f"{{{ATOM}}}title", article.title or _url(output) or TITLE)
        _add(entry, f"{{{ATOM}}}updated", _rfc_3339(article.modified or _moment(output, article)))
        _add(entry, f"{{{ATOM}}}published", _rfc_3339(_moment(output, article)))
        # An entry must have an author.
        for author in article.authors or (article.site_name or "unknown",):
            _add(etree.SubElement(entry, f"{{{ATOM}}}author"), f"{{{ATOM}}}name", author)
        if url := _url(output):
            etree.SubElement(entry, f"{{{ATOM}}}link", rel="alternate", href=valid_text(url))
        for topic in article.topics:
            etree.SubElement(entry, f"{{{ATOM}}}category", term=valid_text(topic))
        _add(entry, f"{{{ATOM}}}summary", _summary(article))
        _add(entry, f"{{{ATOM}}}content", _html(article)).set("type", "html")
    return _serialised(root), len(articles)


def _articles(outputs: Iterable[Output]) -> Iterable[tuple[Output, Article]]:
    return ((output, output.article) for output in outputs if output.article)


def _url(output: Output) -> str:
    """Return the address of an article, unless it is one that a feed reader should not open."""
    url = (output.article and output.article.url) or output.url or ""
    return url if urlsplit(url).scheme in {"http", "https"} else ""


def _identity(output: Output) -> str:
    """Return an id that an article keeps, whatever its address looks like."""
    return f"urn:uuid:{uuid5(NAMESPACE_URL, output.key or _url(output) or output.page or '')}"


def _moment(output: Output, article: Article) -> datetime:
    return article.published or output.fetched_at or _EPOCH


def _rfc_3339(moment: datetime) -> str:
    """Return a time as Atom wants it, where -00:00 means that the offset is unknown."""
    return moment.isoformat() if moment.tzinfo else f"{moment.isoformat()}-00:00"


def _newest(articles: Iterable[tuple[Output, Article]]) -> datetime:
    """Return when a feed changed last; the same articles always make the same feed."""
    moments = [article.modified or _moment(output, article) for output, article in articles]
    return max(moments, key=to_utc, default=_EPOCH)


def _site(articles: list[tuple[Output, Article]]) -> str:
    addresses = (urlsplit(_url(output)) for output, _ in articles)
    return next((f"{address.scheme}://{address.netloc}/" for address in addresses if address.netloc), "about:blank")


def _summary(article: Article) -> str:
    text = article.description or article.body.partition("\n\n")[0]
    return text if len(text) <= _SUMMARY_CHARACTERS else text[:_SUMMARY_CHARACTERS].rsplit(" ", 1)[0] + " …"


def _html(article: Article) -> str:
    return "".join(f"<p>{escape(paragraph)}</p>" for paragraph in article.body.split("\n\n") if paragraph)


def _add(parent: etree._Element, name: str, text: str) -> etree._Element:
    element = etree.SubElement(parent, name)
    element.text = valid_text(text)
    return element


def _serialised(root: etree._Element) -> str:
    etree.indent(root, space=" ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{etree.tostring(root, encoding="unicode")}\n'
