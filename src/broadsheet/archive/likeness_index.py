"""Which articles tell one story: their sketches, looked up by a few of their hashes.

A hash leads to the first few articles that have it, however many there are, so that the cost of a new article depends
neither on the size of the archive nor on how many articles share a phrase.
"""

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, select, update

from broadsheet.archive import tables
from broadsheet.archive.article_records import NearDuplicate
from broadsheet.archive.catalogue import KEYS_AT_ONCE
from broadsheet.archive.insertions import send, upsert
from broadsheet.archive.prepared_queries import PreparedQuery
from broadsheet.archive.sql_expressions import among, listed, row_number
from broadsheet.base.domains import registrable_domain
from broadsheet.reading import likeness

#: Under how many of its hashes an article is looked up, and how many articles one hash leads to.
HASHES, ARTICLES_PER_HASH = 6, 8
#: With how many articles, those that share most hashes, a new one is compared.
MAX_COMPARED = 24

_SKETCHES, _ENTRIES = tables.sketches.c, tables.sketch_hashes.c
_OF_PAGES = PreparedQuery(select(tables.sketches).where(among(_SKETCHES.page)))
_OF_IDS = PreparedQuery(select(tables.sketches).where(among(_SKETCHES.id)))
_OF_HASHES = PreparedQuery(select(tables.sketch_hashes).where(among(_ENTRIES.hash)))
_LAST_ID = PreparedQuery(select(func.max(_SKETCHES.id)))
_ADDING = "INSERT INTO sketch_hashes (hash, sketch) VALUES (?, ?)"
_REMOVING = delete(tables.sketch_hashes).where(
    _ENTRIES.hash == bindparam("its_hash"), _ENTRIES.sketch == bindparam("its_sketch")
)


class Sketched(NamedTuple):
    """The row of an article."""

    id: int
    page: str
    story: int
    sketch: bytes


class IndexEntry(NamedTuple):
    """That a hash leads to an article."""

    hash: int
    sketch: int


class _Index:
    """What the catalogue holds about the hashes of some articles, with what is changed meanwhile."""

    def __init__(self, connection: Connection, sketches: Mapping[str, bytes]) -> None:
        """Look up all hashes at once."""
        self.known = {row.page: row for row in _rows(connection, _OF_PAGES, sketches)}
        [[last]] = _LAST_ID.rows(connection)
        self._last_id = last or 0
        self._hashes = {sketch: likeness.first_hashes(sketch, HASHES) for sketch in sketches.values()}
        wanted = {hash_ for hashes in self._hashes.values() for hash_ in hashes}
        self._holders: dict[int, list[int]] = {}
        for hash_, holder in _OF_HASHES.rows(connection, keys=listed(wanted)):
            self._holders.setdefault(hash_, []).append(holder)
        holders = {holder for some in self._holders.values() for holder in some}
        self._sketched = {row.id: row for row in _rows(connection, _OF_IDS, holders)}

    def new_id(self) -> int:
        """Return an id that no article has."""
        self._last_id += 1
        return self._last_id

    def story(self, page: str, sketch: bytes) -> int | None:
        """Return the story that an article tells, if another one tells it already: that of the most similar one."""
        shared = [holder for hash_ in self._hashes[sketch] for holder in self._holders.get(hash_, ())]
        best, found = 0.0, None
        # Most articles share nothing with any other.
        for holder, _ in Counter(shared).most_common(MAX_COMPARED) if shared else ():
            other = self._sketched.get(holder)
            if other is None or other.page == page:
                continue
            alike = likeness.compare(sketch, other.sketch)
            if alike.containment > best and _is_one_story(alike, page, other.page):
                best, found = alike.containment, other.story
        return found

    def put(self, row: Sketched) -> Iterator[IndexEntry]:
        """Remember an article, and give the entries that are to be added for it."""
        self._sketched[row.id] = row
        for hash_ in self._hashes[row.sketch]:
            holders = self._holders.setdefault(hash_, [])
            if len(holders) < ARTICLES_PER_HASH:
                holders.append(row.id)
                yield IndexEntry(hash_, row.id)

    def drop(self, row: Sketched) -> Iterator[IndexEntry]:
        """Forget what an article said before, and give the entries that are to be removed for it."""
        for hash_ in likeness.first_hashes(row.sketch, HASHES):
            if row.id in self._holders.get(hash_, ()):
                self._holders[hash_].remove(row.id)
            yield IndexEntry(hash_, row.id)


def add(connection: Connection, sketches: Mapping[str, bytes]) -> None:
    """Keep the sketches of articles, new or changed, by their keys, and find the stories that they tell."""
    if not sketches:
        return
    index = _Index(connection, sketches)
    removed: list[IndexEntry] = []
    added: list[IndexEntry] = []
    changed: list[Sketched] = []
    for page, sketch in sketches.items():
        known = index.known.get(page)
        if not sketch or (known and known.sketch == sketch):
            continue
        if known:
            removed += index.drop(known)
        number = known.id if known else index.new_id()
        row = Sketched(number, page, index.story(page, sketch) or number, sketch)
        added += index.put(row)
        changed.append(row)
    # A text that has become too short to be compared leaves the index.
    forget(connection, [page for page, sketch in sketches.items() if not sketch and page in index.known])
    _remove(connection, removed)
    upsert(connection, tables.sketches, [row._asdict() for row in changed])
    send(connection, _ADDING, sorted(added))


def rebuild(connection: Connection) -> None:
    """Find the stories of all articles of a catalogue that has no sketches yet, in the order in which they came."""
    versions, number = tables.versions.c, row_number(tables.versions)
    newest = select(number).where(versions.latest).order_by(versions.visit, versions.key)
    numbers = array("q", connection.execute(newest).scalars())
    for start in range(0, len(numbers), KEYS_AT_ONCE):
        some = numbers[start : start + KEYS_AT_ONCE]
        query = select(versions.key, versions.article).where(number.in_(some)).order_by(versions.visit, versions.key)
        add(connection, {key: _sketch(article) for key, article in connection.execute(query)})


def _sketch(article: str) -> bytes:
    try:
        return likeness.sketch(json.loads(article)["body"])
    except (KeyError, TypeError, ValueError):
        # A check names a damaged article; the others still have their stories.
        return b""


def forget(connection: Connection, pages: Iterable[str]) -> None:
    """Remove what is known of articles; others that tell the story of one of them still tell it together."""
    for row in list(_rows(connection, _OF_PAGES, pages)):
        _remove(connection, [IndexEntry(hash_, row.id) for hash_ in likeness.first_hashes(row.sketch, HASHES)])
        connection.execute(delete(tables.sketches).where(_SKETCHES.id == row.id))
        heir = connection.execute(select(func.min(_SKETCHES.id)).where(_SKETCHES.story == row.id)).scalar()
        if heir is not None:
            connection.execute(update(tables.sketches).where(_SKETCHES.story == row.id).values(story=heir))


def near_duplicates(connection: Connection, page: str) -> list[NearDuplicate]:
    """Return the articles that tell the story of the one at a page, the most similar first."""
    own = next(_rows(connection, _OF_PAGES, (page,)), None)
    if own is None:
        return []
    versions, pages = tables.versions.c, tables.pages.c
    # Not by `latest`: SQLite would look through the latest versions of all articles.
    newest = select(func.max(versions.version)).where(versions.key == _SKETCHES.page).correlate(tables.sketches)
    query = (
        select(_SKETCHES.page, _SKETCHES.sketch, pages.url, versions.source)
        .join(tables.pages, pages.key == _SKETCHES.page)
        .join(tables.versions, (versions.key == _SKETCHES.page) & (versions.version == newest.scalar_subquery()))
        .where(_SKETCHES.story == own.story, _SKETCHES.page != page)
    )
    found = []
    for key, sketch, url, source in connection.execute(query):
        alike = likeness.compare(own.sketch, sketch)
        if _is_one_story(alike, page, key):
            found.append(
                NearDuplicate(
                    key=key, url=url, source=source, resemblance=alike.resemblance, containment=alike.containment
                )
            )
    return sorted(found, key=lambda near: (-near.containment, -near.resemblance, near.key))


def _is_one_story(alike: likeness.Likeness, one: str, other: str) -> bool:
    shares_site = registrable_domain(f"https://{one}") == registrable_domain(f"https://{other}")
    return alike.is_near_duplicate(shares_site=shares_site)


def _remove(connection: Connection, entries: list[IndexEntry]) -> None:
    if entries:
        values = [{"its_hash": entry.hash, "its_sketch": entry.sketch} for entry in entries]
        connection.execute(_REMOVING, values)


def _rows(connection: Connection, query: PreparedQuery, values: Iterable[str | int]) -> Iterator[Sketched]:
    return (Sketched(*row) for row in query.rows(connection, keys=listed(values)))
