"""The publication date of an article: days mentioned in metadata, URL and visible text, weighed by their signals."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from broadsheet.base.domains import registrable_domain
from broadsheet.base.moments import NO_OFFSET
from broadsheet.reading.facts._candidates import Candidate, pool
from broadsheet.reading.facts._date_mentions import (
    MAX_TIMES,
    Dated,
    DateMention,
    is_possible,
    label_of,
    mention_of,
    mentions,
    read_moment,
)
from broadsheet.reading.facts._date_words import UPDATED
from broadsheet.reading.facts._machine_dates import Moment, read_iso
from broadsheet.reading.facts._scene import NEAR, Scene
from broadsheet.reading.facts._signal_weights import shipped_weights
from broadsheet.reading.facts._site_zones import common_offset
from broadsheet.reading.facts._zones import at_offset, country_offset
from broadsheet.reading.lines.line_kinds import DATE

#: Statements this close to each other are made in the same offset.
_SAME_OFFSET = timedelta(days=1)
_MONTHS = 12
#: A day and a month in numbers, in either order.
_NUMBERS = re.compile(r"(?<!\d)\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]")


def find_days(scene: Scene) -> list[Candidate[Dated]]:
    """Return the days on which an article may have been published, likeliest first."""
    dates = list(mentions(scene))
    modified = {dated.moment.time.date() for dated, _ in stated_modified(scene)}
    stated = {mention.key for mention in dates if "stated" in mention.signals}
    dates = list(_in_stated_order(dates, stated | modified | {each.key for each in dates if each.source == "address"}))
    if stated:
        # The page states its publication date, so days that it states only as modification dates are ruled out.
        dates = [mention for mention in dates if mention.key in stated or mention.key not in modified]
    return pool(dates, shipped_weights().published, _relations(scene, dates, stated))


def _in_stated_order(dates: list[DateMention], known: set[object]) -> Iterator[DateMention]:
    """Yield the dates, with day and month exchanged where they are numbers and only that agrees with other places."""
    for mention in dates:
        time = mention.value.moment.time
        if mention.key not in known and time.day <= _MONTHS and _NUMBERS.search(mention.value.text):
            exchanged = time.replace(month=time.day, day=time.month)
            if exchanged.date() in known:
                dated = mention.value._replace(moment=mention.value.moment._replace(time=exchanged))
                yield mention_of(dated, mention.source, mention.signals, mention.pieces)
                continue
        yield mention


def with_known_offset(moment: Moment, scene: Scene) -> tuple[Moment, str]:
    """Give a time the offset that it must have, and say how that is known; a day and an unknown offset stay as stated.

    It is the offset that the page states for a time within a day, or that of the site by its other pages, or that of
    the country of its domain.
    """
    if moment.has_offset or moment.precision == "day":
        return moment, ""
    for value in (*scene.document.metadata.published, *scene.document.metadata.modified):
        other = read_iso(value.value)
        offset = other.time.utcoffset() if other else None
        # An offset of zero may mean that a time was converted, and not where the site is.
        if other and offset and abs(other.time.replace(tzinfo=None) - moment.time) < _SAME_OFFSET:
            return moment._replace(time=at_offset(moment.time, offset)), f"with the offset of {value.source}"
    offset = common_offset(scene.zones, moment.time)
    if offset is not None:
        return moment._replace(time=at_offset(moment.time, offset)), "with the offset of other pages of the site"
    domain = registrable_domain(scene.document.url) if scene.document.url else ""
    offset = country_offset(domain, moment.time)
    if offset is None:
        return moment, NO_OFFSET
    return moment._replace(time=at_offset(moment.time, offset)), "with the offset of its country"


def stated_modified(scene: Scene) -> Iterator[tuple[Dated, str]]:
    """Yield the modification dates in the metadata, each with its source."""
    for value in scene.document.metadata.modified:
        moment = read_moment(value.value, scene)
        if moment and is_possible(moment, scene):
            yield Dated(moment, value.value), value.source


def unread_dates(scene: Scene) -> Iterator[str]:
    """Yield the texts marked up as dates, for another parser to try if none could be read."""
    nodes = scene.document.nodes
    texts = [value.value for value in scene.document.metadata.published]
    for element in scene.document.metadata.times[:MAX_TIMES]:
        pieces = int(nodes.piece_start[element.node]), int(nodes.piece_end[element.node])
        if scene.place(scene.line_of(pieces[0])) in NEAR and not UPDATED.search(label_of(scene, pieces)):
            texts.append(element.text)
    # What could be read was rejected.
    yield from (text for text in texts if read_moment(text, scene) is None)


def _relations(scene: Scene, dates: list[DateMention], stated: set[object]) -> dict[object, list[str]]:
    """Return the signals of each day relative to the others: first after the title, before or after all stated ones."""
    relations: dict[object, list[str]] = {mention.key: [] for mention in dates}
    near = [(mention.pieces[0], mention.key) for mention in dates if mention.pieces and "near" in mention.signals]
    if near:
        title = scene.title or 0
        relations[min(near, key=lambda shown: (shown[0] < title, shown[0]))[1]].append("first near")
    shown = [(mention.key, mention.pieces[0]) for mention in dates if mention.pieces]
    for key, signals_of_line in scene.line_signals(DATE, shown).items():
        relations[key].extend(signals_of_line)
    days = [day for day in stated if isinstance(day, date)]
    for day, signals in relations.items():
        if days and isinstance(day, date) and day not in stated:
            if day > max(days):
                signals.append("after all stated")
            elif day < min(days):
                signals.append("before all stated")
    return relations
