"""RSS, Atom and sitemaps: XML that is read item by item, without entities, DTDs or the network."""

import re
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from itertools import islice

from lxml import etree

from broadsheet.base.errors import TooManyAttributes, TooManyNodes
from broadsheet.base.limits import Limits
from broadsheet.document._census import census
from broadsheet.document.feeds._item_collector import ItemCollector
from broadsheet.document.feeds.listing import FeedForm

#: Tags, comments and attributes of a feed; a sitemap of 50,000 addresses, with all that its protocol allows for each,
#: has 500,000.
MAX_NODES = 1_000_000
#: How many children of an item are looked at, and how much text of each.
_MAX_CHILDREN = 100
_MAX_PIECES = 50

_ROOTS: Mapping[str, FeedForm] = {
    "rss": "rss",
    "RDF": "rss",
    "feed": "atom",
    "urlset": "sitemap",
    "sitemapindex": "sitemap index",
}
_ITEMS = tuple(f"{{*}}{name}" for name in ("item", "entry", "url", "sitemap"))
#: What comes before the root element, up to a DTD.
_PROLOGUE = re.compile(rb"(?:\s++|<\?[^>]*+>|<!--(?:(?!-->).)*+-->)*+<!DOCTYPE[^>\[]*+(\[)?", re.DOTALL | re.IGNORECASE)


def declares_entities(data: bytes) -> bool:
    """Return whether a document has a DTD of its own, in which entities and attributes could be declared."""
    found = _PROLOGUE.match(data)
    return found is not None and found[1] is not None


def read_xml(data: bytes, collector: ItemCollector, limits: Limits) -> FeedForm | None:
    """Read the items of a document in UTF-8, and return what it is; None if it is neither feed nor sitemap."""
    nodes, _, _, attributes, _ = census(data)
    if nodes > MAX_NODES:
        raise TooManyNodes(nodes, MAX_NODES)
    if attributes > limits.max_attributes:
        raise TooManyAttributes(attributes, limits.max_attributes)
    events = etree.iterparse(
        BytesIO(data),
        events=("end",),
        tag=_ITEMS,
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        recover=True,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
        encoding="utf-8",
    )
    form: FeedForm | None = None
    is_news = False
    try:
        for _, element in events:
            form = form or _ROOTS.get(_name(element.getroottree().getroot()))
            if form is None or collector.is_full:
                break
            is_news |= _read_item(form, element, collector)
            _forget(element)
    except etree.XMLSyntaxError:
        # What came before the fault was read; a document that is not XML at all has no root.
        pass
    if form is None and events.root is not None:
        form = _ROOTS.get(_name(events.root))
    return "news sitemap" if form == "sitemap" and is_news else form


def _read_item(form: FeedForm, element: etree._Element, collector: ItemCollector) -> bool:
    """Take one item; return whether it is a news article of a sitemap."""
    name = _name(element)
    if name == "item" and form == "rss":
        _read_rss(element, collector)
    elif name == "entry" and form == "atom":
        _read_atom(element, collector)
    elif name == "url" and form == "sitemap":
        return _read_sitemap(element, collector)
    elif name == "sitemap" and form == "sitemap index":
        texts = _texts(element)
        collector.add(texts.get("loc", ""), changed=texts.get("lastmod", ""))
    return False


def _read_rss(item: etree._Element, collector: ItemCollector) -> None:
    texts = _texts(item)
    about = str(next((value for name, value in item.attrib.items() if str(name).endswith("}about")), ""))
    guid = texts.get("guid", "")
    # What redirects to the page is of less use than the page.
    href = texts.get("origLink") or texts.get("link") or (guid if guid.startswith("http") else "") or about
    date = texts.get("pubDate") or texts.get("date") or ""
    section = texts.get("category") or texts.get("subject") or ""
    # As the modules Atom and Dublin Core have it; RSS itself has no such date.
    changed = texts.get("updated") or texts.get("modified") or ""
    collector.add(href, title=texts.get("title", ""), published=date, changed=changed, section=section)


def _read_atom(entry: etree._Element, collector: ItemCollector) -> None:
    texts = _texts(entry)
    links = {str(link.get("rel") or "alternate"): str(link.get("href") or "") for link in _named(entry, "link")}
    category = next(iter(_named(entry, "category")), None)
    section = "" if category is None else str(category.get("label") or category.get("term") or "")
    collector.add(
        texts.get("origLink") or links.get("alternate", ""),
        title=texts.get("title", ""),
        # Version 0.3 called them otherwise.
        published=texts.get("published") or texts.get("issued") or "",
        changed=texts.get("updated") or texts.get("modified") or "",
        section=section,
    )


def _read_sitemap(element: etree._Element, collector: ItemCollector) -> bool:
    texts = _texts(element)
    news = next(iter(_named(element, "news")), None)
    told = {} if news is None else _texts(news)
    collector.add(
        texts.get("loc", ""),
        title=told.get("title", ""),
        published=told.get("publication_date", ""),
        changed=texts.get("lastmod", ""),
    )
    return news is not None


def _texts(element: etree._Element) -> dict[str, str]:
    """Return the text of each child by its name without namespace; the first of several that has any."""
    texts: dict[str, str] = {}
    for child in islice(element, _MAX_CHILDREN):
        name = _name(child)
        if not texts.get(name):
            texts[name] = "".join(islice(_pieces(child), _MAX_PIECES)).strip()
    return texts


def _pieces(element: etree._Element) -> Iterator[str]:
    # Entities that are not resolved are nodes, whose text is what was written.
    pieces: Callable[[], Iterator[object]] = element.itertext
    return map(str, pieces())


def _named(element: etree._Element, name: str) -> Iterator[etree._Element]:
    return (child for child in islice(element, _MAX_CHILDREN) if _name(child) == name)


def _name(element: etree._Element) -> str:
    # That of an entity is a function.
    tag: object = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _forget(element: etree._Element) -> None:
    """Free an item and what came before it: a sitemap may have tens of thousands."""
    parent = element.getparent()
    element.clear()
    while parent is not None and (before := element.getprevious()) is not None:
        parent.remove(before)
