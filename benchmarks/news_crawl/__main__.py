"""The command: `python -m benchmarks.news_crawl [options]`."""

import argparse
import math
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import benchmarks.news_crawl
from benchmarks.news_crawl.curves import plot_curves
from benchmarks.news_crawl.entrants import ENTRANTS, PROGRAMS, installed_policies, program
from benchmarks.news_crawl.measures import cell, totals
from benchmarks.news_crawl.places import Extent, Place, ReplayPlaces, news_web_places
from benchmarks.news_crawl.planned_ground import FAMILY as NEWS_WEB
from benchmarks.news_crawl.replay_ground import FAMILY as REPLAY
from benchmarks.news_crawl.report import compare, lay_out
from benchmarks.news_crawl.results import Results
from benchmarks.progress import say
from benchmarks.replay.changing import CHANGE_RULES
from broadsheet.base.errors import InputError
from broadsheet.newsweb.drawn_sites import JUDGING_SEED

#: The interval at which whatever takes long is measured in the tier `links`.
USUAL = 60.0
TIERS = ("links", "pages")
BUDGETS = (1.0, 2.0, 4.0, 8.0, 16.0)
#: A crawler that looks more than so many times as often on a site as the largest budget allows does not run there at
#: shorter intervals, which take long and are not compared.
MAX_BEYOND = 4
#: What `--quick` sets.
QUICK = {"number": 1, "days": 1.15, "page_number": 1, "page_days": 0.1, "every": [60.0, 240.0]}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _options(arguments)
    try:
        results = Results(options.json, _conditions(options))
        with TemporaryDirectory() as temporary, closing(results):
            for place in _places(options, Path(temporary)):
                _measure(place, options, results)
    except InputError as error:
        say(str(error))
        return 1
    summed = totals(results.cells)
    print(lay_out(summed))
    if "links" in options.tiers:
        print("\n" + compare(summed, options.budgets))
    if options.plot:
        plot_curves(options.plot, summed)
    return 0


def _measure(place: Place, options: argparse.Namespace, results: Results) -> None:
    """Run all crawlers on a site that have not run there yet, each at shorter and shorter intervals."""
    most = MAX_BEYOND * max(options.budgets)
    begin, crawls, ground = time.process_time(), 0, None
    with ExitStack() as opened:
        for name in options.policies or options.entrants:
            for every in sorted(_intervals(name, place, options), reverse=True):
                known = results.find(name, place.tier, place.site, every)
                if known is None:
                    # That takes a while, and may not be needed.
                    ground = ground or opened.enter_context(place.open())
                    interval = timedelta(minutes=every)
                    finds, effort = options.entrants[name].run(ground, interval)
                    known, crawls = cell(name, interval, ground, finds, effort), crawls + 1
                    results.add(known)
                if place.tier == "links" and known.looking > most:
                    break
        if ground is not None:
            seconds, articles = time.process_time() - begin, len(ground.truth.first_linked)
            say(f"{place.site}, {place.tier}: {articles:,} articles, {crawls} crawls, {seconds:.0f} s of CPU time")


def _intervals(name: str, place: Place, options: argparse.Namespace) -> list[float]:
    entrant = options.entrants[name]
    is_left_out = entrant.on_request and place.tier == "pages" and not options.policies
    lacks_files = entrant.needs_files and place.family == REPLAY
    lacks_server = entrant.needs_server and (place.tier, place.family) != ("pages", NEWS_WEB)
    if is_left_out or lacks_files or lacks_server:
        return []
    if place.tier == "pages":
        return list(options.page_every)
    return [USUAL] if entrant.is_costly else list(options.every)


def _places(options: argparse.Namespace, temporary: Path) -> Iterator[Place]:
    extents = {
        "links": Extent(options.number, options.days, tuple(options.articles)),
        "pages": Extent(options.page_number, options.page_days, tuple(options.articles)),
    }
    for tier in options.tiers:
        yield from news_web_places(tier, extents[tier], options.seed, options.sites)
    if options.snapshots:
        replays = ReplayPlaces(options.snapshots, options.pages, temporary, options.held_out, options.page_changes)
        for tier in options.tiers:
            names = options.sites or (replays.sites() if tier == "links" else options.page_sites)
            yield from replays.places(names, tier)


def _conditions(options: argparse.Namespace) -> dict[str, object]:
    return {
        "seeds": sorted(options.seed),
        "days": options.days,
        "page_days": options.page_days,
        "round_minutes": options.round_minutes,
        "held_out": options.held_out is not None,
        "page_changes": options.page_changes,
    }


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.news_crawl",
        description=benchmarks.news_crawl.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--snapshots", type=Path, metavar="DIR", help="saved real sites: html/, gold/, links/ and manifest.jsonl.gz")
    add("--pages", type=Path, metavar="DIR", help="labelled pages that stand in for what was not saved")
    add("--held-out", type=Path, metavar="DIR",
        help="replay to models that have not seen the site's publisher: in DIR, or fitted and kept there")  # fmt: skip
    add("--page-changes", choices=CHANGE_RULES, default="measured",
        help="when stand-ins change: never, as often as the site's saved fronts, or as measured")  # fmt: skip
    add("--sites", nargs="+", default=(), metavar="SITE", help="only these sites, of both kinds")
    add("--policies", nargs="+", default=(), metavar="NAME", help=_names())
    add("--json", type=Path, metavar="FILE", help="keep the figures here; the same command goes on with them")
    add("--plot", type=Path, metavar="FILE", help="draw recall and delay over requests as SVG")
    add("--tiers", nargs="+", choices=TIERS, default=TIERS, help="what crawlers get: links, or pages (both)")
    add("--every", nargs="+", type=float, default=[20.0, 60.0, 180.0], metavar="MINUTES",
        help="shortest intervals in the tier links (20 60 180)")  # fmt: skip
    add("--page-every", nargs="+", type=float, default=[USUAL], metavar="MINUTES",
        help="shortest intervals in the tier pages (60)")  # fmt: skip
    add(
        "--budgets",
        nargs="+",
        type=float,
        default=BUDGETS,
        metavar="N",
        help="requests an hour for looking, to compare at",
    )
    add("--seed", nargs="+", type=int, default=[JUDGING_SEED], metavar="N",
        help=f"of the news web, or several; choose constants below 1000 ({JUDGING_SEED})")  # fmt: skip
    add("--number", type=int, default=4, metavar="N", help="sites to draw for each seed, tier links (%(default)s)")
    add("--articles", nargs=2, type=float, default=(0.0, math.inf), metavar=("LEAST", "MOST"),
        help="only those that publish so many articles a day")  # fmt: skip
    add("--days", type=float, default=3.0, metavar="N", help="for so long, the first day not counted (%(default)s)")
    add("--page-number", type=int, default=1, metavar="N", help="sites of the news web, tier pages (%(default)s)")
    add("--page-days", type=float, default=2.0, metavar="N", help="for so long (%(default)s)")
    add("--page-sites", nargs="+", default=("volksstimme.de",), metavar="SITE",
        help="saved sites in the tier pages (%(default)s)")  # fmt: skip
    add("--quick", action="store_true", help="one site of each tier for a few hours, in less than a minute")
    for name in PROGRAMS:
        add(f"--{name}", type=Path, metavar="PYTHON", help=f"the Python of an environment with {name}, to run it too")
    add("--round-minutes", type=float, default=5.0, metavar="N",
        help="a round of such a program is ended after so long, and what it stored counts (%(default)s)")  # fmt: skip
    options = parser.parse_args(arguments)
    pythons = {name: getattr(options, name.replace("-", "_")) for name in PROGRAMS}
    seconds = 60 * options.round_minutes
    programs = {name: program(name, python, seconds) for name, python in pythons.items() if python}
    options.entrants = {**ENTRANTS, **installed_policies(), **programs}
    if unknown := sorted(set(options.policies) - options.entrants.keys()):
        parser.error(f"no crawler is called {', '.join(unknown)}; the known ones are {'; '.join(options.entrants)}")
    if options.quick:
        for name, value in QUICK.items():
            setattr(options, name, value)
    if bool(options.snapshots) != bool(options.pages):
        parser.error("--snapshots and --pages belong together")
    lengths = (options.days, options.page_days, options.round_minutes, *options.every, *options.page_every)
    if min(*lengths, *options.budgets) <= 0:
        parser.error("days, intervals, minutes and budgets must be more than 0")
    if min(options.number, options.page_number) < 1:
        parser.error("--number and --page-number must be at least 1")
    if not 0 <= options.articles[0] <= options.articles[1]:
        parser.error("--articles takes the smaller number first, and none below 0")
    return options


def _names() -> str:
    return "only these crawlers: " + "; ".join(ENTRANTS)


if __name__ == "__main__":
    sys.exit(main())
