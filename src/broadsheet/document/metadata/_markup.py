"""Reads a page's metadata from every kind of markup, the most reliable first."""

from typing import TYPE_CHECKING, Final

from broadsheet.document.metadata._breadcrumbs import read_visible_trails
from broadsheet.document.metadata._head_links import head_links, read_canonical, read_links
from broadsheet.document.metadata._json_ld import json_ld_things
from broadsheet.document.metadata._metadata_values import Metadata, TimeElement
from broadsheet.document.metadata._metas import metas_with_content, opengraph_urls, read_metas
from broadsheet.document.metadata._microdata import microdata_things
from broadsheet.document.metadata.collector import Elements, MetadataCollector
from broadsheet.document.metadata.schema_org import MAX_URLS, read_things
from broadsheet.document.tags import CODES

if TYPE_CHECKING:
    from broadsheet.document.document import Document

#: A `time` element with more bytes of text than this does not contain a time.
MAX_TIME_TEXT: Final = 300
#: The longest `datetime` attribute, in characters.
MAX_DATETIME: Final = 300

_READ: Final = ("html", "title", "meta", "link", "script", "time", "nav")


def read_metadata(document: "Document") -> Metadata:
    """Return the metadata that the page states about itself; no content of a page makes this raise."""
    collector = MetadataCollector(document.base_url)
    elements = _elements(document, collector)
    links, metas = head_links(elements["link"]), metas_with_content(elements["meta"])
    read_canonical(links, collector)
    urls = [*filter(None, [document.url]), *opengraph_urls(metas)[:MAX_URLS]]
    urls += [canonical.value for canonical in collector.values("canonical")[:MAX_URLS]]
    read_things(json_ld_things(_json_ld_scripts(elements["script"]), collector), urls, collector)
    read_metas(metas, collector)
    read_things(microdata_things(document, collector), urls, collector)
    read_links(links, collector)
    _read_plain_elements(document, elements, collector)
    read_visible_trails(document, elements["nav"], collector)
    return collector.metadata()


def _elements(document: "Document", collector: MetadataCollector) -> dict[str, Elements]:
    """Return the elements to read, by name, as many of each as the budget allows."""
    all_rows = document.rows(*_READ)
    by_tag: dict[int, list[int]] = {CODES[name]: [] for name in _READ}
    for row, tag in zip(all_rows.tolist(), document.nodes.tag[all_rows].tolist(), strict=True):
        by_tag[tag].append(row)
    by_name = {name: collector.budget.afford_first(f"{name}: too many", by_tag[CODES[name]]) for name in _READ}
    return {name: list(zip(rows, map(document.element, rows), strict=True)) for name, rows in by_name.items()}


def _json_ld_scripts(scripts: Elements) -> list[tuple[int, str]]:
    return [
        (node, str(element.text or ""))
        for node, element in scripts
        if (kind := element.get("type")) and "ld+json" in kind.lower()
    ]


def _read_plain_elements(document: "Document", elements: dict[str, Elements], collector: MetadataCollector) -> None:
    """Read the metadata that plain HTML expresses: `title`, `lang` and `time`."""
    for node, _ in elements["title"]:
        if text := document.text(node).strip():
            collector.add("titles", text, "title", node)
            # Any later ones belong to SVG images.
            break
    for node, element in elements["html"][:1]:
        for attribute in ("lang", "xml:lang"):
            collector.add("languages", element.get(attribute) or "", f"html {attribute}", node)
    nodes = document.nodes
    for node, element in elements["time"]:
        if nodes.text_end.item(node) - nodes.text_start.item(node) > MAX_TIME_TEXT:
            collector.dropped["time: text too long"] += 1
            continue
        datetime = element.get("datetime")
        if len(datetime or "") > MAX_DATETIME:
            collector.dropped["time: text too long"] += 1
            continue
        text = " ".join(document.text(node).split())
        if datetime or text:
            collector.times.append(TimeElement(None if datetime is None else str(datetime), text, node))
