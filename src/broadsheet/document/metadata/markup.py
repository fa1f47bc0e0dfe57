"""A page's metadata, from every kind of markup, the strongest first."""

from typing import TYPE_CHECKING, Final

from broadsheet.document.metadata.breadcrumbs import read_visible_trails
from broadsheet.document.metadata.collector import Elements, MetadataCollector
from broadsheet.document.metadata.head_links import head_links, read_canonical, read_links
from broadsheet.document.metadata.json_ld import json_ld_things
from broadsheet.document.metadata.metadata_values import Metadata, TimeElement
from broadsheet.document.metadata.metas import read_metas, saying_metas, stated_addresses
from broadsheet.document.metadata.microdata import microdata_things
from broadsheet.document.metadata.schema_org import MAX_ADDRESSES, read_things
from broadsheet.document.tags import CODES

if TYPE_CHECKING:
    from broadsheet.document.document import Document

#: A `time` element with more bytes of text than this holds something else than a time.
MAX_TIME_TEXT: Final = 300
#: The longest `datetime` in characters.
MAX_DATETIME: Final = 300

_READ: Final = ("html", "title", "meta", "link", "script", "time", "nav")


def read_metadata(document: "Document") -> Metadata:
    """Return everything the page says of itself; nothing that a page may hold makes it raise."""
    findings = MetadataCollector(document.base_url)
    found = _elements(document, findings)
    links, metas = head_links(found["link"]), saying_metas(found["meta"])
    read_canonical(links, findings)
    addresses = [*filter(None, [document.url]), *stated_addresses(metas)[:MAX_ADDRESSES]]
    addresses += [canonical.value for canonical in findings.values("canonical")[:MAX_ADDRESSES]]
    read_things(json_ld_things(_json_ld_scripts(found["script"]), findings), addresses, findings)
    read_metas(metas, findings)
    read_things(microdata_things(document, findings), addresses, findings)
    read_links(links, findings)
    _read_plain_elements(document, found, findings)
    read_visible_trails(document, found["nav"], findings)
    return findings.metadata()


def _elements(document: "Document", findings: MetadataCollector) -> dict[str, Elements]:
    """Return the elements that are read, by name, as many of each as can be afforded."""
    found = document.rows(*_READ)
    by_tag: dict[int, list[int]] = {CODES[name]: [] for name in _READ}
    for row, tag in zip(found.tolist(), document.nodes.tag[found].tolist(), strict=True):
        by_tag[tag].append(row)
    read = {name: findings.budget.first(f"{name}: too many", by_tag[CODES[name]]) for name in _READ}
    return {name: list(zip(rows, map(document.element, rows), strict=True)) for name, rows in read.items()}


def _json_ld_scripts(scripts: Elements) -> list[tuple[int, str]]:
    return [
        (node, str(element.text or ""))
        for node, element in scripts
        if (kind := element.get("type")) and "ld+json" in kind.lower()
    ]


def _read_plain_elements(document: "Document", found: dict[str, Elements], findings: MetadataCollector) -> None:
    """Read what HTML itself has a place for: `title`, `lang` and `time`."""
    for node, _ in found["title"]:
        if text := document.text(node).strip():
            findings.add("titles", text, "title", node)
            # Those behind it belong to drawings.
            break
    for node, element in found["html"][:1]:
        for attribute in ("lang", "xml:lang"):
            findings.add("languages", element.get(attribute) or "", f"html {attribute}", node)
    nodes = document.nodes
    for node, element in found["time"]:
        if nodes.text_end.item(node) - nodes.text_start.item(node) > MAX_TIME_TEXT:
            findings.dropped["time: text too long"] += 1
            continue
        stated = element.get("datetime")
        if len(stated or "") > MAX_DATETIME:
            findings.dropped["time: text too long"] += 1
            continue
        text = " ".join(document.text(node).split())
        if stated or text:
            findings.times.append(TimeElement(None if stated is None else str(stated), text, node))
