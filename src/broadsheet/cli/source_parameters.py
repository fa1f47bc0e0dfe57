"""Every parameter by which a source is crawled: its scope, its value, and who set it."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING

from broadsheet.base.config import DEFAULT, Configuration, Setting
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.base.source_settings import DEFAULT_SETTINGS, SourceSettings
from broadsheet.cli.text_table import Row

if TYPE_CHECKING:
    from broadsheet.archive import AgendaEntry, FeedRecord, FrontRecord, ScheduledPage, SourceRecord, Store

#: The parts of the configuration that say how sources are crawled.
SYSTEM = ("crawl.", "newsroom.", "source.")
#: Which setting of a source goes before which quota of all sources.
OWN_QUOTAS = {"requests_per_hour": "source.max_requests", "bytes_per_hour": "source.max_bytes"}
USER, UPDATER = "user", "updater"


def parameter_rows(archive: "Store", address: str, configuration: Configuration) -> Iterator[Row]:
    """Give the settings of this command, then the parameters of a source, of its home page and sections, and its feeds.

    An archive does not store the settings that its crawls had, apart from the pace of each source. `set_by` is
    `user`, `default`, or `updater`: what Broadsheet sets by itself.
    """
    source = archive.find_source(address)
    settings = {setting.key: setting for setting in configuration if setting.key.startswith(SYSTEM)}
    for setting in settings.values():
        by = DEFAULT if setting.origin == DEFAULT else USER
        yield _row("system", "", setting.key, setting.value, by, "" if by == DEFAULT else setting.origin)
    yield from _source_rows(source, settings)
    known = {front.page: front for front in archive.front_records(source.key)}
    for section in archive.sections(source.key):
        yield from _section_rows(source, section, known.get(section.page.key))
    planned = {scheduled.page.key: scheduled.entry for scheduled in archive.agenda(source.key)}
    for feed in archive.feeds(source.key):
        if feed.page in planned:
            yield from _feed_rows(feed, planned[feed.page])


def _source_rows(source: "SourceRecord", settings: Mapping[str, Setting]) -> Iterator[Row]:
    given = source.every_given
    because = "crawl --every, or sources set" if given else ""
    yield _row("source", source.key, "every", source.every, USER if given else DEFAULT, because)
    if source.pace is not None:
        # The configuration of this command may be another than that of the crawl.
        by = DEFAULT if source.pace == NewsroomSettings().pace else USER
        yield _row("source", source.key, "pace", source.pace, by, "newsroom.pace of the last crawl")
    for field in fields(SourceSettings):
        value = getattr(source.settings, field.name)
        if value != getattr(DEFAULT_SETTINGS, field.name):
            yield _row("source", source.key, field.name, _plain(value), USER)
        elif field.name in OWN_QUOTAS:
            yield _quota_row(source, field.name, settings[OWN_QUOTAS[field.name]])
        else:
            yield _row("source", source.key, field.name, _plain(value), DEFAULT)
    phase = source.phase
    yield _row("source", source.key, "phase", phase.phase.value, UPDATER if phase.because else DEFAULT, phase.reason)
    for name in ("fronts", "articles"):
        needed = getattr(source.scripts, name)
        by = DEFAULT if needed is None else UPDATER
        yield _row("source", source.key, f"scripts.{name}", needed, by)


def _quota_row(source: "SourceRecord", name: str, quota: Setting) -> Row:
    """Give a budget that a source takes from all sources, as this command knows it."""
    if quota.origin == DEFAULT:
        return _row("source", source.key, name, quota.value, DEFAULT)
    return _row("source", source.key, name, quota.value, USER, f"{quota.key}, {quota.origin}")


def _section_rows(source: "SourceRecord", section: "ScheduledPage", front: "FrontRecord | None") -> Iterator[Row]:
    key = section.page.key
    by = front.set_by if front else ""
    # Where nothing else has set it, it is the interval of the source.
    who = UPDATER if by not in {"", USER} else USER if source.every_given else DEFAULT
    yield _row("section", key, "every", section.entry.every, who, by if who == UPDATER else "")
    from broadsheet.archive import USUAL_DEPTH  # noqa: PLC0415 - only with the extra

    depth = front.depth if front else USUAL_DEPTH
    is_usual = depth == USUAL_DEPTH
    because = "" if is_usual else "the further pages of its list did not lead to anything known"
    yield _row("section", key, "depth", depth, DEFAULT if is_usual else UPDATER, because)


def _feed_rows(feed: "FeedRecord", entry: "AgendaEntry") -> Iterator[Row]:
    """Give how often a feed is visited, and what it is worth, from which that follows."""
    yield _row("feed", feed.page, "every", entry.every, UPDATER, f"its standing is {feed.standing.value}")
    yield _row("feed", feed.page, "standing", feed.standing.value, UPDATER if feed.judged else DEFAULT, feed.judged)


def _row(scope: str, of: str, key: str, value: object, set_by: str, because: str = "") -> Row:  # noqa: PLR0913, PLR0917
    return {"scope": scope, "of": of, "key": key, "value": value, "set_by": set_by, "because": because}


def _plain(value: object) -> object:
    return ", ".join(value) if isinstance(value, tuple) else value
