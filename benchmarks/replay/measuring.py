"""Replay one site to the newsroom, and compare the archive with the golden labels."""

import re
import resource
import sys
import time
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.replay.changing import ChangeRule, StandInChanges
from benchmarks.replay.disguise import LinkRule, OwnTargets
from benchmarks.replay.golden import Golden, GoldenLabels
from benchmarks.replay.held_out import held_out
from benchmarks.replay.linked import Freshness, Period, at_start, fresh, read_links
from benchmarks.replay.row import Row
from benchmarks.replay.served_site import ServedSite
from benchmarks.replay.snapshots import Folder, SavedPage, home_page
from benchmarks.replay.standins import StandIn, deal
from benchmarks.replay.unsaved import UnsavedPages
from broadsheet.archive import Store
from broadsheet.base import urls
from broadsheet.base.domains import registrable_domain
from broadsheet.base.errors import InputError
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.assignment import Assignment
from broadsheet.simulation.simulated_crawl import simulate

_LANGUAGE = re.compile(rb"<html[^>]*\slang\s*=\s*[\"']?([a-zA-Z]{2})", re.IGNORECASE)


class Archived(NamedTuple):
    """What an archive holds of a site at the end: the keys of its articles, and of the sections that it follows."""

    articles: frozenset[str]
    sections: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conditions:
    """What all sites of a run share: the snapshots, the pages that stand in, how often to visit fronts, and so on."""

    snapshots: Folder
    pages: list[StandIn]
    every: timedelta = timedelta(hours=1)
    links: LinkRule = "own"
    #: Which judge and which pace.
    settings: NewsroomSettings = field(default_factory=NewsroomSettings)
    #: A folder with models that have not seen the publisher of a site; None for those that are shipped.
    models: Path | None = None
    #: When pages that stand in for others change their bytes.
    changes: ChangeRule = "never"


@dataclass(frozen=True, slots=True)
class Replay:
    """All that a site's run needs: what is served, when, and what is expected."""

    site: str
    home: SavedPage
    sections: list[SavedPage]
    labels: GoldenLabels
    unsaved: UnsavedPages
    served: ServedSite
    fresh: Freshness
    run: Period


def measure(site: str, conditions: Conditions, keep: Path | None) -> Row:
    """Replay a site, with its archive in a folder `keep` or in a temporary one."""
    seconds = time.process_time()
    with TemporaryDirectory() as temporary:
        unpacked = Path(temporary, "html")
        unpacked.mkdir()
        replay = prepare(site, conditions, unpacked)
        archive = keep / site if keep else Path(temporary, "archive")
        span = (replay.run.end - replay.run.start).total_seconds()
        assignment = Assignment((replay.home.url,), every=conditions.every.total_seconds(), span=span)
        with held_out(conditions.models, site):
            simulate(archive, replay.served.fetch, replay.run.start, assignment, settings=conditions.settings)
        row = compare(replay, read_archive(archive, replay.home.url))
    # Linux counts kilobytes, macOS bytes.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return row.costing(time.process_time() - seconds, peak // 10**6)


def read_archive(folder: Path, home: str) -> Archived:
    """Read what the newsroom has archived and what it follows."""
    with Store.open(folder) as store:
        source = store.find_source(home).key
        return Archived(
            frozenset(urls.key(stored.key) for stored in store.articles(source=source)),
            frozenset(urls.key(section.url) for section in store.sections(source)),
        )


def prepare(site: str, conditions: Conditions, unpacked: Path) -> Replay:
    """Read a site, deal out stand-ins, and find what is fresh."""
    snapshots, every = conditions.snapshots, conditions.every
    labels = GoldenLabels.read(snapshots.gold(site))
    saved = snapshots.saved(site, unpacked)
    home = home_page(site, saved)
    run = Period(home.snapshots[0].at, home.snapshots[-1].at, every)
    if run.end - run.start < every:
        raise InputError(f"{site}: its home page was not saved for longer than one interval ({every})")
    sections = [page for page in saved if page is not home and _is_section(labels.find(page.url))]
    linked = read_links(snapshots.links(site), saved, labels, registrable_domain(home.url))
    old = at_start(saved, linked, run.start)
    addresses = {urls.key(page.url) for page in saved}
    stand_ins = deal(conditions.pages, (golden for golden in labels if golden.key not in addresses), _language(home))
    unsaved = UnsavedPages(stand_ins, _own_targets(labels, old, home, conditions.links), unpacked)
    changes = StandInChanges.by(conditions.changes, snapshots.links(site), run.start)
    served = ServedSite(saved, labels, unsaved, changes)
    return Replay(
        site, home, sections, labels, unsaved, served, fresh([home, *sections], linked, old, labels, run), run
    )


def compare(replay: Replay, archived: Archived) -> Row:
    """Count what was archived and followed of what the golden labels name."""
    found = {golden.key: golden for key in archived.articles if (golden := replay.labels.find(key)) is not None}
    wrong = [golden for golden in found.values() if golden.is_certain and golden.label in {"SECTION", "OTHER"}]
    lasting, brief, served = replay.fresh.lasting, replay.fresh.brief, replay.served
    ignored = [page.url for page in replay.sections if urls.key(page.url) not in archived.sections]
    missed = [golden.url for golden in replay.labels if golden.key in lasting - found.keys()]
    return Row(
        site=replay.site,
        fresh=len(lasting),
        fresh_archived=len(lasting & found.keys()),
        archived=len(found),
        archived_wrong=len(wrong),
        saved_sections=len(replay.sections),
        saved_sections_followed=len(replay.sections) - len(ignored),
        requests=sum(tally.requests for tally in served.tallies.values()),
        bytes=sum(tally.bytes for tally in served.tallies.values()),
        fresh_asked=len(lasting & served.asked),
        fresh_brief=len(brief),
        fresh_brief_archived=len(brief & found.keys()),
        archived_uncertain=sum(1 for golden in found.values() if golden.label == "unknown" or not golden.is_certain),
        archived_unlabelled=sum(1 for key in archived.articles if replay.labels.find(key) is None),
        followed=len(archived.sections),
        by_class={name: tally.to_dict() for name, tally in served.tallies.items()},
        wrong={golden.url: f"{golden.label} {golden.subtype}, {replay.unsaved.name(golden.key)}" for golden in wrong},
        missed={url: _fate(replay, url) for url in missed},
        ignored_sections={url: "asked for" if urls.key(url) in served.asked else "never asked for" for url in ignored},
    )


def _fate(replay: Replay, url: str) -> str:
    key = urls.key(url)
    return f"asked for, {replay.unsaved.name(key)}" if key in replay.served.asked else "never asked for"


def _own_targets(labels: GoldenLabels, old: frozenset[str], home: SavedPage, rule: LinkRule) -> OwnTargets:
    """Return what links of stand-ins lead to: what was linked when the run began."""
    at_start = [golden for golden in labels if golden.key in old and golden.is_certain]
    articles = [golden.url for golden in at_start if golden.label == "ARTICLE"]
    sections = [golden.url for golden in at_start if golden.label == "SECTION"]
    return OwnTargets(articles or [home.url], sections or [home.url], rule)


def _is_section(golden: Golden | None) -> bool:
    return golden is not None and golden.label == "SECTION"


def _language(home: SavedPage) -> str:
    """Return the language that the home page declares, if it does."""
    found = _LANGUAGE.search(home.snapshots[0].file.read_bytes())
    return found[1].decode().lower() if found else ""
