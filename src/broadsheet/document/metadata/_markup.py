"""Reads a page's metadata from every kind of markup, the most reliable first."""

from typing import TYPE_CHECKING, Final

from broadsheet.document.metadata._breadcrumbs import read_visible_trails
from broadsheet.document.metadata._head_links import head_links, read_canonical, read_links
from broadsheet.document.metadata._json_ld import json_ld_things
from broadsheet.document.metadata._metadata_values import Metadata, TimeElement
from broadsheet.document.metadata._metas import metas_with_content, opengraph_urls, read_metas
from broadsheet.document.metadata._microdata import microdata_things
from broadsheet.document.metadata.collector import MetadataCollector
from broadsheet.document.metadata.schema_org import MAX_URLS, read_things

if TYPE_CHECKING:
    from broadsheet.document.document import Document

#: A `time` element with more bytes of text than this does not contain a time.
MAX_TIME_TEXT: Final = 300
#: The longest `datetime` attribute, in characters.
MAX_DATETIME: Final = 300

#: The elements that are read, and the reasons to count those beyond the budget.
_READ: Final = {name: f"{name}: too many" for name in ("html", "title", "meta", "link", "time", "nav")}


def read_metadata(document: "Document") -> Metadata:
    """Return the metadata that the page states about itself; no content of a page makes this raise."""
    collector = MetadataCollector(document.base_url)
    rows = _rows(document, collector)
    links, metas = head_links(document, rows["link"]), metas_with_content(document, rows["meta"])
    read_canonical(links, collector)
    urls = [*filter(None, [document.url]), *opengraph_urls(metas)[:MAX_URLS]]
    urls += [canonical.value for canonical in collector.values("canonical")[:MAX_URLS]]
    read_things(json_ld_things(list(document.columns.json_ld.items()), collector), urls, collector)
    read_metas(metas, collector)
    read_things(microdata_things(document, collector), urls, collector)
    read_links(links, collector)
    _read_plain_elements(document, rows, collector)
    read_visible_trails(document, rows["nav"], collector)
    return collector.metadata()


def _rows(document: "Document", collector: MetadataCollector) -> dict[str, list[int]]:
    """Return the rows of the elements to read, by name, as many of each as the budget allows."""
    afford_first = collector.budget.afford_first
    return {name: afford_first(reason, document.rows(name).tolist()) for name, reason in _READ.items()}


def _read_plain_elements(document: "Document", rows: dict[str, list[int]], collector: MetadataCollector) -> None:
    """Read the metadata that plain HTML expresses: `title`, `lang` and `time`."""
    for node in rows["title"]:
        if text := document.text(node).strip():
            collector.add("titles", text, "title", node)
            # Any later ones belong to SVG images.
            break
    names = ("lang", "xml:lang")
    for node, languages in zip(rows["html"][:1], document.attributes(rows["html"][:1], *names), strict=True):
        for attribute, language in zip(names, languages, strict=True):
            collector.add("languages", language or "", f"html {attribute}", node)
    nodes = document.nodes
    for node, (datetime,) in zip(rows["time"], document.attributes(rows["time"], "datetime"), strict=True):
        if nodes.text_end.item(node) - nodes.text_start.item(node) > MAX_TIME_TEXT:
            collector.dropped["time: text too long"] += 1
            continue
        if len(datetime or "") > MAX_DATETIME:
            collector.dropped["time: text too long"] += 1
            continue
        text = " ".join(document.text(node).split())
        if datetime or text:
            collector.times.append(TimeElement(datetime, text, node))
