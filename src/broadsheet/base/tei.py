"""Articles as XML of the Text Encoding Initiative (TEI P5), the standard format of humanities corpora."""

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from lxml import etree

from broadsheet.base import rendition, urls

if TYPE_CHECKING:
    from broadsheet.base.records import Article

NAMESPACE = "http://www.tei-c.org/ns/1.0"
CORPUS_TITLE = "News articles"

#: The type stubs of lxml do not allow a default namespace.
_DEFAULT: Any = {None: NAMESPACE}
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
#: Characters that XML 1.0 does not allow, even escaped.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: How many characters of an ISO 8601 date are certain at each precision.
_CERTAIN = {"year": 4, "month": 7, "day": 10}
_LARGEST_OFFSET = timedelta(hours=14)


def document(article: "Article", fetched_at: datetime | None = None) -> str:
    """Return one article as a complete document, with its capture time if known."""
    return _DECLARATION + _serialise(_tei(article, fetched_at))


def part(article: "Article", fetched_at: datetime | None = None) -> str:
    """Return one article as part of a corpus."""
    return _serialise(_tei(article, fetched_at))


def corpus_start() -> str:
    """Return the beginning of a corpus, up to its first article."""
    header = _new("teiHeader")
    description = _sub(header, "fileDesc")
    _add(_sub(description, "titleStmt"), "title", CORPUS_TITLE)
    _add(_sub(description, "publicationStmt"), "p", "Unpublished corpus of published articles")
    _add(_sub(description, "sourceDesc"), "p", "Pages of the web; each article names its own")
    return f'{_DECLARATION}<teiCorpus xmlns="{NAMESPACE}">\n{_serialise(header)}'


def corpus_end() -> str:
    """Return the end of a corpus, after its last article."""
    return "</teiCorpus>\n"


def _tei(article: "Article", fetched_at: datetime | None) -> etree._Element:
    root = _new("TEI")
    language = article.language if _LANGUAGE.fullmatch(article.language or "") else None
    if language:
        root.set(_LANG, language)
    header = _sub(root, "teiHeader")
    description = _sub(header, "fileDesc")
    _titles(_sub(description, "titleStmt"), article)
    _publication(_sub(description, "publicationStmt"), article)
    _source(_sub(_sub(description, "sourceDesc"), "bibl"), article, fetched_at)
    _profile(header, article, language)
    _body(_sub(_sub(root, "text"), "body"), article)
    return root


def _titles(statement: etree._Element, article: "Article") -> None:
    # TEI requires every text to have a title.
    _add(statement, "title", article.title or "Untitled", type="main")
    for author in article.authors:
        _add(statement, "author", author)


def _publication(statement: etree._Element, article: "Article") -> None:
    publisher = _publisher(article)
    if publisher is None:
        _add(statement, "p", "The publisher is not known")
        return
    _add(statement, "publisher", publisher)
    _date(statement, article)


def _source(bibl: etree._Element, article: "Article", fetched_at: datetime | None) -> None:
    _titles(bibl, article)
    if publisher := _publisher(article):
        _add(bibl, "publisher", publisher)
    _date(bibl, article)
    if fetched_at is not None:
        _add(bibl, "date", _when(fetched_at), type="captured", when=_when(fetched_at))
    for kind, url in (("URL", article.url), ("canonicalURL", article.canonical_url)):
        if url:
            # A pointer would have to be a valid URI, which page URLs need not be.
            _add(bibl, "idno", " ".join(url.split()), type=kind)


def _profile(header: etree._Element, article: "Article", language: str | None) -> None:
    profile = _new("profileDesc")
    if article.description:
        _add(_sub(profile, "abstract"), "p", article.description)
    if language:
        _add(_sub(profile, "langUsage"), "language", language, ident=language)
    terms = [("section", article.section), *(("topic", topic) for topic in article.topics)]
    if known := [(kind, term) for kind, term in terms if term]:
        keywords = _sub(_sub(profile, "textClass"), "keywords")
        for kind, term in known:
            _add(keywords, "term", term, type=kind)
    if len(profile):
        header.append(profile)


def _body(body: etree._Element, article: "Article") -> None:
    """Write the title and one division per heading, plus one for the text before the first heading."""
    if article.title:
        _add(body, "head", article.title)
    division = items = None
    for block in rendition.shown_blocks(article):
        is_heading = rendition.heading_level(block) is not None
        if division is None or is_heading:
            division, items = _sub(body, "div"), None
        if rendition.is_item(block):
            items = _sub(division, "list") if items is None else items
            _add(items, "item", block.text)
        else:
            items = None
            _add(division, "head" if is_heading else "p", block.text)
    if division is None:
        # TEI does not allow an empty body.
        division = _sub(body, "div")
        for paragraph in article.body.split("\n\n"):
            _add(division, "p", paragraph)


def _publisher(article: "Article") -> str | None:
    return article.site_name or urls.host(article.canonical_url or article.url or "") or None


def _date(parent: etree._Element, article: "Article") -> None:
    if article.published is not None:
        when = _when(article.published)[: _CERTAIN.get(article.published_precision or "")]
        _add(parent, "date", when, type="published", when=when)


def _when(moment: datetime) -> str:
    """Format a time for XML Schema, which allows offsets of whole minutes up to 14 hours; others are left out."""
    offset = moment.utcoffset() or timedelta()
    is_allowed = not offset % timedelta(minutes=1) and abs(offset) <= _LARGEST_OFFSET
    return (moment if is_allowed else moment.replace(tzinfo=None)).isoformat()


def _new(name: str) -> etree._Element:
    return etree.Element(f"{{{NAMESPACE}}}{name}", nsmap=_DEFAULT)


def _sub(parent: etree._Element, name: str) -> etree._Element:
    return etree.SubElement(parent, f"{{{NAMESPACE}}}{name}")


def _add(parent: etree._Element, name: str, text: str, **attributes: str) -> None:
    """Add an element with text, keeping its line breaks."""
    element = _sub(parent, name)
    for key, value in attributes.items():
        element.set(key, valid_text(value))
    first, *others = valid_text(text).split("\n")
    element.text = first or None
    for line in others:
        _sub(element, "lb").tail = line


def valid_text(text: str) -> str:
    """Return text in which every character is one that XML allows."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n").replace("\r", "\n"))


def _serialise(element: etree._Element) -> str:
    etree.indent(element, space=" ")
    return f"{etree.tostring(element, encoding='unicode')}\n"


_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
