"""The command: `python -m benchmarks.redesigns [options]`."""

import argparse
import sys
import tarfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from benchmarks import table
from benchmarks.progress import say
from broadsheet.archive import EventKind, Phase, Store
from broadsheet.base import statuses
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.document import parse
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.home_design import MAX_SHARED, collections_of, shared
from broadsheet.newsroom.pace_policies import PACES
from broadsheet.newsroom.page_links import link_rows
from broadsheet.newsweb.drawn_sites import JUDGING_SEED, draw_site
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.web import NewsWeb
from broadsheet.simulation.simulated_crawl import simulate

HOUR = timedelta(hours=1)
#: A crawl begins so long before the redesign, so that the source has been explored by then, and goes on for so long.
BEFORE, SNAPSHOTS = 14 * HOUR + timedelta(minutes=20), 22

#: What folders of saved home pages are called, and any address: only link collections are compared.
_HOMES, _ANYWHERE = frozenset({"index", "home"}), "https://news.example/"

DESCRIPTION = """\
Crawl sites of the built-in news web, hour by hour, across the redesign of each, and see whether their sources go back
to exploration; then the same sites over the same hours as they are without a redesign, where that is a false alarm.
With --kept, nothing is crawled: it shows which share of the link collections of each home page stays. With --saved, it
shows this share from one saved home page to the next (`*.tar.xz` with `index` or `home/<UTC time>.html`).

  python -m benchmarks.redesigns --seed 5 --number 2      a quick look; choose constants below seed 1000
  python -m benchmarks.redesigns --seed 5 --kept          what the redesigns of ten sites leave
"""


@dataclass(frozen=True, slots=True)
class RedesignedSite:
    """When a source was taken for redesigned: hours after its redesign, and hours after the crawl began without one."""

    site: str
    #: Whether it was explored by the time of the redesign: before that, there is no way back.
    is_explored: bool
    noticed_after: float | None
    false_alarm_after: float | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _options(arguments)
    if options.saved:
        return 0 if show_saved(options.saved) else 1
    sites = (draw_site(seed, index, "redesigned") for seed in options.seed for index in range(options.number))
    if options.kept:
        print(show_kept([kept_share(site) for site in sites]))
        return 0
    found: list[RedesignedSite] = []
    for site in sites:
        found.append(follow(site, NewsroomSettings(pace=options.pace)))
        say(f"{found[-1].site}: noticed after {_hours(found[-1].noticed_after)}")
    print(show(found))
    return 0


def show_saved(folders: Iterable[Path]) -> bool:
    """Show what saved home pages share with the ones before; return whether there were any."""
    found = False
    for archive in sorted(path for folder in folders for path in folder.rglob("*.tar.xz")):
        if shares := saved_shares(archive):
            print(f"{archive}: {len(shares) + 1} home pages, two in a row share at least {min(shares):.2f}")
            found = True
    if not found:
        say(f"no site in {', '.join(map(str, folders))} has two saved home pages")
    return found


def kept_share(site: Site) -> float:
    """Return which share of the link collections of a home page its redesign leaves."""
    at, web = _moment(site), NewsWeb(sites=[site])

    def collections(moment: datetime) -> frozenset[str]:
        while (answer := web.fetch(web.home(site), moment, {})).status != statuses.OK:
            moment += timedelta(minutes=5)
        return collections_of(link_rows(parse(answer.body, web.home(site)), sys.maxsize))

    return shared(collections(at - HOUR), collections(at + HOUR))


def saved_shares(archive: Path) -> list[float]:
    """Return which share of the link collections each saved home page of a site has in common with the one before."""
    with tarfile.open(archive) as pages:
        saved = {
            member.name: collections_of(link_rows(parse(pages.extractfile(member).read(), _ANYWHERE), sys.maxsize))  # type: ignore[union-attr]
            for member in pages
            if member.isfile() and PurePosixPath(member.name).parent.name in _HOMES
        }
    return [shared(saved[before], saved[after]) for before, after in pairwise(sorted(saved))]


def show_kept(shares: Sequence[float]) -> str:
    """Say which shares are left, and how many redesigns are told from none by them."""
    left = ", ".join(f"{share:.3f}" for share in sorted(shares) if share)
    told = sum(share <= MAX_SHARED for share in shares)
    return f"kept, where anything is: {left or 'nothing'}\n{told} of {len(shares)} keep at most {MAX_SHARED:g}"


def follow(site: Site, settings: NewsroomSettings) -> RedesignedSite:
    """Crawl a site across its redesign, and over the same time without one."""
    at = _moment(site)
    settings, begin = replace(settings, revisits="never", render="never"), at - BEFORE
    switches = phase_changes(site, begin, SNAPSHOTS, settings)
    back = [moment for moment, phase in switches if phase is Phase.EXPLORATION and moment >= at]
    as_before = replace(site, extras=replace(site.extras, redesign=None))
    unchanged = phase_changes(as_before, begin, SNAPSHOTS, settings)
    alarms = [moment for moment, phase in unchanged if phase is Phase.EXPLORATION]
    return RedesignedSite(
        site=site.slug,
        is_explored=any(moment < at for moment, phase in switches if phase is Phase.EXPLOITATION),
        noticed_after=(back[0] - at) / HOUR if back else None,
        false_alarm_after=(alarms[0] - begin) / HOUR if alarms else None,
    )


def phase_changes(
    site: Site, begin: datetime, snapshots: int, settings: NewsroomSettings
) -> list[tuple[datetime, Phase]]:
    """Crawl a site, and return when its phase changed, and to which."""
    web = NewsWeb(sites=[site])
    assignment = Assignment((web.home(site),), every=HOUR.total_seconds(), snapshots=snapshots)
    with TemporaryDirectory() as folder:
        simulate(Path(folder), web.fetch, begin, assignment, settings=settings, commit_often=False)
        with Store.open(folder) as archive:
            return [(event.at, Phase(event.detail["phase"])) for event in archive.events(kinds=[EventKind.PHASE])]


def show(found: Sequence[RedesignedSite]) -> str:
    """Lay out a row for each site, and what they come to."""
    rows = [
        [each.site, "yes" if each.is_explored else "no", _hours(each.noticed_after), _hours(each.false_alarm_after)]
        for each in found
    ]
    noticed, alarms = (
        sum(getattr(each, name) is not None for each in found) for name in ("noticed_after", "false_alarm_after")
    )
    laid_out = table.lay_out(["site", "explored before", "noticed after", "false alarm after"], rows, left=1)
    return f"{laid_out}\n\n{noticed} of {len(found)} redesigns were noticed; false alarms on {alarms} of the same sites"


def _moment(site: Site) -> datetime:
    """Return when a site is redesigned."""
    if site.extras.redesign is None:
        raise ValueError(f"{site.slug} is not redesigned")
    return site.extras.redesign.at


def _hours(number: float | None) -> str:
    return "never" if number is None else f"{number:.1f} h"


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.redesigns",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--seed", nargs="+", type=int, default=[JUDGING_SEED], metavar="N",
        help=f"of the news web, or several; choose constants below 1000 ({JUDGING_SEED})")  # fmt: skip
    add("--number", type=int, default=10, metavar="N", help="sites of each seed (%(default)s)")
    add("--kept", action="store_true", help="only show which share of the collections of home pages is kept")
    add("--pace", choices=PACES, default=NewsroomSettings().pace, help="how often sections are visited (%(default)s)")
    add("--saved", nargs="+", type=Path, metavar="DIR", help="show it for the saved home pages below these folders")
    options = parser.parse_args(arguments)
    if options.number < 1:
        parser.error("--number must be at least 1")
    if missing := [str(folder) for folder in options.saved or () if not folder.is_dir()]:
        parser.error(f"--saved: no such folder: {missing[0]}")
    return options


if __name__ == "__main__":
    sys.exit(main())
