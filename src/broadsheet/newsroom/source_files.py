"""Files that list sources: TOML, one table per source, and OPML, as feed readers write it."""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.parsers import expat

from lxml import etree

from broadsheet.archive import SourceRecord
from broadsheet.base import urls
from broadsheet.base.bounded_files import read_bounded
from broadsheet.base.errors import BroadsheetError, ConfigError, InputError
from broadsheet.newsroom.assignment import home
from broadsheet.newsroom.source_changes import SETTABLE, hint, values_of
from broadsheet.newsroom.source_values import plain_value

#: A file of a hundred thousand sources is smaller than this.
MAX_FILE_BYTES = 20_000_000
FORMATS = ("toml", "opml")
HOME = "home"
_KEEP = "keep"
_KEYS = (HOME, *SETTABLE)
#: The namespace of what OPML has no attribute for.
_OURS = "urn:broadsheet:sources"
#: Lists of addresses, which may contain commas but no spaces.
_ADDRESSES = frozenset({"editions", "feeds"})
_HEADER = re.compile(r"^\s*\[\[\s*source\s*\]\]")


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """A source as a file describes it: its home page, what is set, and where in the file it stands."""

    url: str
    values: Mapping[str, Any] = field(default_factory=dict)
    where: str = ""

    @property
    def key(self) -> str:
        """The key of the source."""
        return urls.key(self.url)


def read_sources(path: Path) -> list[SourceEntry]:
    """Read a file of sources, TOML or OPML; what it says is checked, and a mistake is named with its place."""
    try:
        data = read_bounded(path, MAX_FILE_BYTES, "a list of sources")
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    is_xml = path.suffix.lower() in {".opml", ".xml"} or data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
    entries = list((_from_opml if is_xml else _from_toml)(path, data))
    seen: dict[str, str] = {}
    for entry in entries:
        if entry.key in seen:
            raise ConfigError(f"{path}: {entry.where}: {entry.url} is listed twice, first in {seen[entry.key]}")
        seen[entry.key] = entry.where
    return entries


def write_sources(sources: Iterable[SourceRecord], form: str) -> str:
    """Return a file that lists sources, in a format of `FORMATS`."""
    return _to_toml(sources) if form == "toml" else _to_opml(sources)


def _from_toml(path: Path, data: bytes) -> Iterator[SourceEntry]:
    try:
        text = data.decode("utf-8")
        content = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{path}: is not valid TOML: {error}") from error
    for key in content:
        if key not in {"source", _KEEP}:
            raise ConfigError(f"{path}: unknown key {key!r}; sources are listed in tables named [[source]]")
    # The rule for all sources of the file that have none of their own.
    default = {_KEEP: content[_KEEP]} if _KEEP in content else {}
    tables = content.get("source", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise ConfigError(f"{path}: source must be a list of tables, each headed [[source]]")
    lines = [number for number, line in enumerate(text.splitlines(), 1) if _HEADER.match(line)]
    for number, table in enumerate(tables):
        line = f", line {lines[number]}" if len(lines) == len(tables) else ""
        yield _entry(path, f"source {number + 1}{line}", {**default, **table})


def _entry(path: Path, where: str, table: Mapping[str, Any]) -> SourceEntry:
    for key in table:
        if key not in _KEYS:
            raise ConfigError(f"{path}: {where}: unknown key {key!r}; {hint(key, _KEYS)}")
    if not isinstance(table.get(HOME), str):
        raise ConfigError(f'{path}: {where}: has no home page; write home = "https://…"')
    try:
        values = {
            key: plain_value(key, value) if isinstance(value, str) else value
            for key, value in table.items()
            if key != HOME
        }
        return SourceEntry(home(table[HOME]), values, where)
    except BroadsheetError as error:
        raise ConfigError(f"{path}: {where}: {error}") from error


def _from_opml(path: Path, data: bytes) -> Iterator[SourceEntry]:
    _refuse_declarations(path, data)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise ConfigError(f"{path}: is not valid OPML: {error}") from error
    if root.tag != "opml":
        raise ConfigError(f"{path}: is not OPML: its first element is <{root.tag}>, not <opml>")
    for outline in root.iter("outline"):
        if "htmlUrl" in outline.attrib or "xmlUrl" in outline.attrib:
            where = f"line {outline.sourceline}"
            yield _entry(path, where, _outlined(path, where, outline))


def _refuse_declarations(path: Path, data: bytes) -> None:
    """Refuse a document type, which may declare entities that grow without bounds or name other files."""

    def refuse(*_: object) -> None:
        raise ConfigError(f"{path}: has a document type (<!DOCTYPE …>), which a list of sources may not have")

    checker = expat.ParserCreate()
    checker.StartDoctypeDeclHandler = refuse
    try:
        checker.Parse(data, True)
    except expat.ExpatError as error:
        raise ConfigError(f"{path}: is not valid OPML: {error}") from error


def _outlined(path: Path, where: str, outline: Any) -> dict[str, Any]:  # noqa: ANN401 - lxml has no types
    """Return what an outline says of a source, by the keys of a TOML table."""
    said = dict(outline.attrib)
    feed = said.get("xmlUrl")
    folders = [parent.get("text") or parent.get("title") for parent in outline.iterancestors("outline")]
    tags = [*reversed(folders), *(said.get("category") or "").split(",")]
    table: dict[str, Any] = {
        HOME: said.get("htmlUrl") or "{0.scheme}://{0.netloc}/".format(urlsplit(feed or "")),
        "name": said.get("text") or said.get("title"),
        "language": said.get("language"),
        "feeds": [feed] if feed else [],
        "tags": list(dict.fromkeys(tag.strip() for tag in tags if tag and tag.strip())),
    }
    for name, value in said.items():
        if str(name).startswith(f"{{{_OURS}}}"):
            key = str(name).rpartition("}")[2]
            if key not in SETTABLE:
                raise ConfigError(f"{path}: {where}: unknown attribute {key!r}; {hint(key, SETTABLE)}")
            table[key] = value.split() if key in _ADDRESSES else value
    return {key: value for key, value in table.items() if value}


def _to_toml(sources: Iterable[SourceRecord]) -> str:
    blocks = []
    for source in sources:
        values = {HOME: source.url, **values_of(source)}
        blocks.append("\n".join(["[[source]]", *(f"{key} = {_toml(value)}" for key, value in values.items())]))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _toml(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        # JSON leaves this one control character as it is.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _to_opml(sources: Iterable[SourceRecord]) -> str:
    root = etree.Element("opml", {"version": "2.0"}, nsmap={"broadsheet": _OURS})
    etree.SubElement(etree.SubElement(root, "head"), "title").text = "Sources"
    body = etree.SubElement(root, "body")
    for source in sources:
        values = values_of(source)
        outline = etree.SubElement(body, "outline", {"text": values.pop("name", source.name), "htmlUrl": source.url})
        feeds, tags = values.pop("feeds", []), values.pop("tags", [])
        if feeds:
            outline.set("type", "rss")
            outline.set("xmlUrl", feeds[0])
        if len(feeds) > 1:
            values["feeds"] = feeds
        if tags:
            outline.set("category", ",".join(tags))
        if "language" in values:
            outline.set("language", values.pop("language"))
        for key, value in values.items():
            text = " ".join(value) if isinstance(value, list) else value if isinstance(value, str) else _toml(value)
            outline.set(f"{{{_OURS}}}{key}", text)
    return etree.tostring(root, pretty_print=True, xml_declaration=True, encoding="UTF-8").decode()
