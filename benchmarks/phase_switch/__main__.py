"""The command: `python -m benchmarks.phase_switch [options]`."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import benchmarks.phase_switch
from benchmarks.news_crawl.planned_ground import PlannedSite, judging_sites
from benchmarks.phase_switch.followed_pages import BY_SNAPSHOT, MIN_PRECISION, CrawledSite, FollowedPages
from benchmarks.progress import say
from benchmarks.replay.held_out import fit_missing, held_out
from benchmarks.replay.measuring import Conditions, prepare
from benchmarks.replay.snapshots import Folder
from benchmarks.replay.standins import unpack
from benchmarks.table import lay_out
from broadsheet.base.errors import InputError
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.pace_policies import PACES
from broadsheet.newsweb.drawn_sites import JUDGING_SEED
from broadsheet.newsweb.site import Site
from broadsheet.sources.switch_evaluators import EVALUATORS

#: Opens a site that is to be crawled.
Opening = Callable[[], AbstractContextManager[CrawledSite]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _options(arguments)
    settings = NewsroomSettings(switch=options.switch, pace=options.pace, revisits="never", render="never")
    try:
        found = _read(options.json)
        with TemporaryDirectory() as temporary:
            for name, opening in _sites(options, Path(temporary)):
                if any((each.site, each.evaluator) == (name, options.switch) for each in found):
                    continue
                with opening() as site:
                    found.append(site.follow(settings, options.most))
                say(f"{name}: {_moment(found[-1])}")
                _write(options.json, found)
    except InputError as error:
        say(str(error))
        return 1
    print(show([each for each in found if each.evaluator == options.switch]))
    return 0


def show(found: Sequence[FollowedPages]) -> str:
    """Lay out a row for each site, and what they come to."""
    rows = [
        [
            *(each.site, _moment(each), _share(each.value), str(each.followed), str(each.known)),
            *(str(len(each.wrong)), _share(each.precision)),
        ]
        for each in found
    ]
    in_time, wrong = sum(each.is_in_time for each in found), sum(each.is_wrong for each in found)
    table = lay_out(["site", "switch", "measured", "followed", "known", "wrong", "precision"], rows, left=1)
    total = f"{in_time} of {len(found)} sites switched by snapshot {BY_SNAPSHOT}, {wrong} of all wrongly"
    return f"{table}\n\n{total} (sections' precision below {MIN_PRECISION})"


def _moment(found: FollowedPages) -> str:
    return "never" if found.snapshot is None else f"snapshot {found.snapshot}"


def _share(share: float | None) -> str:
    return "\N{EN DASH}" if share is None else f"{share:.3f}"


def _sites(options: argparse.Namespace, temporary: Path) -> Iterator[tuple[str, Opening]]:
    """Yield the names of the sites, and what opens each."""
    if options.snapshots is None:
        for site in judging_sites(options.number, options.seed):
            if not options.sites or site.slug in options.sites:
                yield site.slug, partial(_news_web_site, site)
        return
    folder = Folder.find(options.snapshots)
    names = [site for site in folder.sites() if not options.sites or site in options.sites]
    conditions = Conditions(folder, unpack(options.pages, "dev", temporary), models=options.held_out)
    if options.held_out:
        fit_missing(options.held_out, folder.path, names)
    for name in names:
        yield name, partial(_saved_site, name, conditions)


@contextmanager
def _news_web_site(site: Site) -> Iterator[CrawledSite]:
    planned = PlannedSite(site, days=1)

    def kind_of(url: str, at: datetime) -> str | None:
        truth = planned.web.truth(url, at)
        return truth.kind if truth else None

    yield CrawledSite(site.slug, planned.web.home(site), planned.start, planned.web.fetch, kind_of)


@contextmanager
def _saved_site(site: str, conditions: Conditions) -> Iterator[CrawledSite]:
    """Serve a saved site, with stand-ins for the pages that were not saved, to models that have not seen it."""
    with TemporaryDirectory() as unpacked, held_out(conditions.models, site):
        replay = prepare(site, conditions, Path(unpacked))

        def kind_of(url: str, at: datetime) -> str | None:
            del at
            golden = replay.labels.find(url)
            return golden.kind if golden and golden.is_certain and golden.label != "unknown" else None

        yield CrawledSite(site, replay.home.url, replay.run.start, replay.served.fetch, kind_of)


def _read(path: Path | None) -> list[FollowedPages]:
    """Read the figures that are known from an earlier run."""
    if path is None or not path.is_file():
        return []
    try:
        return [FollowedPages(**row) for row in json.loads(path.read_text(encoding="utf-8"))]
    except (ValueError, TypeError) as error:
        raise InputError(f"{path}: not figures of this benchmark ({error}); remove the file to begin again") from error


def _write(path: Path | None, found: Sequence[FollowedPages]) -> None:
    if path is not None:
        rows = [asdict(each) for each in found]
        path.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.phase_switch",
        description=benchmarks.phase_switch.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--snapshots", type=Path, metavar="DIR", help="saved real sites: html/, gold/, links/ and manifest.jsonl.gz")
    add("--pages", type=Path, metavar="DIR", help="labelled pages that stand in for what was not saved (dev split)")
    add("--held-out", type=Path, metavar="DIR",
        help="judge with models that have not seen the site's publisher: in DIR, or fitted and kept there")  # fmt: skip
    add("--sites", nargs="+", default=(), metavar="SITE", help="only these sites")
    add("--switch", choices=tuple(EVALUATORS), default="quality", help="the evaluator (%(default)s)")
    add("--pace", choices=PACES, default=NewsroomSettings().pace, help="how often sections are visited (%(default)s)")
    add("--most", type=int, default=BY_SNAPSHOT + 1, metavar="N", help="crawl each site so often (%(default)s)")
    add("--seed", type=int, default=JUDGING_SEED, help="of the news web; choose constants below 1000 (%(default)s)")
    add("--number", type=int, default=10, metavar="N", help="sites of the news web (%(default)s)")
    add("--json", type=Path, metavar="FILE", help="keep the figures here, with what was wrong; the command resumes")
    options = parser.parse_args(arguments)
    if bool(options.snapshots) != bool(options.pages):
        parser.error("--snapshots and --pages belong together")
    if min(options.most, options.number) < 1:
        parser.error("--most and --number must be at least 1")
    return options


if __name__ == "__main__":
    sys.exit(main())
