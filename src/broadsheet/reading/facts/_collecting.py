"""Collect all facts of an article, each with its evidence."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from broadsheet.base import urls
from broadsheet.base.records import Label
from broadsheet.document import Document
from broadsheet.reading.facts._authors import find_authors
from broadsheet.reading.facts._candidates import Candidate
from broadsheet.reading.facts._date_mentions import Dated, is_possible, read_moment, shown_modified
from broadsheet.reading.facts._dateparser_dates import parse_with_dateparser
from broadsheet.reading.facts._images import find_images
from broadsheet.reading.facts._languages import find_language
from broadsheet.reading.facts._line_signals import LineScorer
from broadsheet.reading.facts._machine_dates import Moment
from broadsheet.reading.facts._published import find_days, stated_modified, unread_dates, with_known_offset
from broadsheet.reading.facts._relative import span_before
from broadsheet.reading.facts._scene import Scene, is_near
from broadsheet.reading.facts._site_zones import SiteZone
from broadsheet.reading.paragraphs import collapse, without_tags

#: Topics beyond this number are dropped.
MAX_TOPICS: Final = 100

#: Plain numbers, because numpy looks for many attributes that the members of an enumeration do not have.
_DATE, _AUTHOR = int(Label.DATE), int(Label.AUTHOR)
_TITLE: Final = bytes((Label.TITLE,))
_BODY: Final = bytes((Label.BODY,))
_PAYWALLED: Final = {"true": False, "free": False, "false": True, "locked": True, "metered": True}


@dataclass
class Facts:
    """The fields of an article, the evidence for each, and the pieces that show dates and authors."""

    fields: dict[str, Any] = field(default_factory=dict)
    evidence: dict[str, str] = field(default_factory=dict)
    #: Label and pieces `[first, end)`.
    shown: list[tuple[int, tuple[int, int]]] = field(default_factory=list)

    def add(self, name: str, value: object, evidence: str) -> None:
        """Set a field with its evidence."""
        self.fields[name] = value
        self.evidence[name] = evidence


def collect(
    document: Document,
    labels: NDArray[np.int8],
    fetched_at: datetime | None = None,
    zones: tuple[SiteZone, ...] = (),
    score_lines: LineScorer | None = None,
) -> Facts:
    """Return the facts of an article, given the labels of its title and body, and the zones that its site may be in.

    `score_lines` tells how much lines look like bylines and dates.
    """
    facts = Facts()
    if language := document.derive(find_language):
        facts.add("language", language.value, language.source)
    scene = scene_of(document, labels, fetched_at, zones, score_lines)
    _add_stated(document, facts)
    _add_dates(scene, (labels == _DATE).nonzero()[0], facts)
    _add_authors(scene, facts)
    _add_topics(scene, facts)
    if images := find_images(scene):
        facts.add("images", *images)
    return facts


def scene_of(
    document: Document,
    labels: NDArray[np.int8],
    fetched_at: datetime | None = None,
    zones: tuple[SiteZone, ...] = (),
    score_lines: LineScorer | None = None,
) -> Scene:
    """Return where facts are searched, given the labels of title and body."""
    language = document.derive(find_language)
    # A label is one byte, and searching bytes is faster than searching arrays.
    label_bytes = labels.tobytes()
    title, body, body_end = label_bytes.find(_TITLE), label_bytes.find(_BODY), label_bytes.rfind(_BODY)
    return Scene(
        document,
        title if title >= 0 else None,
        (body, body_end) if body >= 0 else None,
        language.value.partition("-")[0] if language else None,
        fetched_at,
        zones,
        score_lines,
    )


def _add_stated(document: Document, facts: Facts) -> None:
    """Add the facts that come from metadata only."""
    metadata = document.metadata
    for name, values in (
        ("section", metadata.sections),
        ("site_name", metadata.site_names),
    ):
        if values:
            facts.add(name, values[0].value, values[0].source)
    for value in metadata.descriptions:
        if description := without_tags(value.value):
            facts.add("description", description, value.source)
            break
    if "section" not in facts.fields:
        _add_section(document, facts)
    for value in metadata.free_access:
        if value.value.lower() in _PAYWALLED:
            facts.add("paywalled", _PAYWALLED[value.value.lower()], value.source)
            break
    for value in metadata.canonical:
        if address := urls.resolve(value.value, document.base_url):
            facts.add("canonical_url", address, value.source)
            break


def _add_section(document: Document, facts: Facts) -> None:
    """Add the last breadcrumb that leads neither to this page nor to the site's root."""
    own = {urls.key(address) for address in (document.url, facts.fields.get("canonical_url")) if address}
    for trail in document.metadata.breadcrumbs:
        steps = [crumb for crumb in trail.crumbs[1:] if crumb.url and urls.key(crumb.url) not in own]
        if steps:
            facts.add("section", steps[-1].name, trail.source)
            return


def _add_dates(scene: Scene, labelled: NDArray[np.intp], facts: Facts) -> None:
    days = find_days(scene)
    shown = _shown_date(scene, labelled) if len(labelled) else None
    if shown:
        # The reader says which date it is; metadata of the same day may know the time.
        same = [day for day in days if day.mentions[0].key == shown.moment.time.date()]
        if same:
            _add_published(scene, same[0], facts)
        else:
            _add_published_moment(scene, *shown, "text", facts)
        facts.evidence["published"] += ", where the reader sees the date"
    elif days:
        _add_published(scene, days[0], facts)
    elif parsed := parse_with_dateparser(unread_dates(scene), scene.language):
        _add_published_moment(scene, *parsed, "dateparser", facts)
    else:
        _add_relative(scene, facts)
    modified = next(stated_modified(scene), None) or next(shown_modified(scene), None)
    if modified:
        (moment, _), source = modified
        moment, note = with_known_offset(moment, scene)
        facts.add("modified", moment.time, f"{source}, {note}" if note else source)
        facts.add("modified_precision", moment.precision, source)


def _shown_date(scene: Scene, labelled: NDArray[np.intp]) -> Dated | None:
    """Read the date that a reader has labelled, which may be divided between several pieces."""
    text = " ".join(text for piece in labelled.tolist() for text in scene.texts(piece, piece + 1))
    moment = read_moment(text, scene)
    if moment is None or not is_possible(moment, scene):
        return None
    return Dated(moment, text)


def _add_published(scene: Scene, day: Candidate[Dated], facts: Facts) -> None:
    """Add a day, with the most precise moment mentioned for it."""
    best = max(
        day.mentions, key=lambda mention: (mention.value.moment.precision != "day", mention.value.moment.has_offset)
    )
    others = sorted({mention.source for mention in day.mentions} - {best.source})
    _add_published_moment(scene, *best.value, best.source, facts)
    if others:
        facts.evidence["published"] += f"; also {', '.join(others)}"
    facts.shown += [(_DATE, mention.pieces) for mention in day.mentions if is_near(mention.source) and mention.pieces]


def _add_published_moment(scene: Scene, moment: Moment, text: str, source: str, facts: Facts) -> None:
    moment, note = with_known_offset(moment, scene)
    facts.add("published", moment.time, f"{source}, {note}" if note else source)
    facts.add("published_raw", text, source)
    facts.add("published_precision", moment.precision, source)


def _add_relative(scene: Scene, facts: Facts) -> None:
    """Keep a relative date as text if the time of fetching is not known."""
    for element in scene.document.metadata.times if scene.fetched_at is None else ():
        if span_before(element.text):
            facts.add("published_raw", element.text, "time")
            facts.evidence["published"] = "time, relative to a time of fetching that is not given"
            return


def _add_authors(scene: Scene, facts: Facts) -> None:
    authors = find_authors(scene)
    if authors:
        source = f"{authors.evidence}, no person" if authors.are_organisations else authors.evidence
        facts.add("authors", authors.names, source)
        facts.shown += [(_AUTHOR, pieces) for pieces in authors.pieces]


def _add_topics(scene: Scene, facts: Facts) -> None:
    topics = scene.document.metadata.topics
    if topics:
        facts.add("topics", tuple(dict.fromkeys(value.value for value in topics))[:MAX_TOPICS], topics[0].source)
        return
    links = scene.document.hrefs.node
    nodes = dict.fromkeys(node for first, end in scene.links_near for node in links[first:end].tolist())
    texts = (collapse(scene.document.text(node)) for node in nodes if _is_tag(scene.document.attribute(node, "rel")))
    if named := tuple(dict.fromkeys(filter(None, texts))):
        facts.add("topics", named, "rel=tag")


def _is_tag(relations: str | None) -> bool:
    return relations is not None and "tag" in relations.lower().split()
