"""The command: `python -m benchmarks.newsweb --data DIR [options]`."""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path

from benchmarks import machine, table
from benchmarks.newsweb.likeness import STATISTICS, Comparison, compare
from benchmarks.newsweb.made_sites import START, make_sites
from benchmarks.newsweb.models_check import ModelScore, check_models
from benchmarks.newsweb.real_sites import read_sites, read_texts
from benchmarks.progress import say
from broadsheet.newsweb.drawn_sites import VERSION, draw_sites
from broadsheet.newsweb.web import NewsWeb

#: Two samples with a larger distance are not alike.
MAX_DISTANCE = 0.25
#: How many statistics of fifteen have to be alike.
MIN_SHARE = 12 / 15
#: A month of 50 sites as link occurrences, and pages a second.
MAX_SECONDS, MIN_PAGES = 60.0, 300.0

DESCRIPTION = """\
Compare the planned sites of the news web with real ones, in statistics of their fronts and articles: quartiles, whether
the median lies among the medians of the real sites, and the Kolmogorov-Smirnov distance. Then measure how fast links
and pages are made (CPU time).
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 1 if the webs are not alike."""
    options = _options(arguments)
    if options.speed:
        print(measure_speed(options.seed))
        return 0
    if options.models:
        scores = check_models(options.data, options.seed, options.sites)
        print(_score_table(scores))
        return 0 if all(score.alike for score in scores if "mixed" not in score.name) else 1
    say("reading real sites")
    real = [*read_sites(options.data, options.fronts), *read_texts(options.data, options.fronts)]
    say("making sites")
    made = make_sites(options.seed, options.sites, options.snapshots, options.fronts)
    if options.plots:
        from benchmarks.newsweb.plots import plot_all  # noqa: PLC0415 - only plots need matplotlib

        plot_all(options.plots, STATISTICS, real, made)
    comparisons = [compare(statistic, real, made) for statistic in STATISTICS]
    alike = sum(each.distance <= MAX_DISTANCE for each in comparisons)
    inside = sum(each.inside for each in comparisons)
    print(_table(comparisons))
    print(f"\n{alike} of {len(comparisons)} statistics have a distance of at most {MAX_DISTANCE}")
    print(f"{inside} of {len(comparisons)} medians are among those of the real sites")
    print(f"news web version {VERSION}, seed {options.seed}, {options.sites} sites; {machine.describe()}")
    if options.json:
        options.json.write_text(json.dumps([asdict(each) for each in comparisons], indent=1) + "\n", encoding="utf-8")
    return 0 if inside == len(comparisons) and alike >= MIN_SHARE * len(comparisons) else 1


def measure_speed(seed: int) -> str:
    """Measure how long a month of 50 sites takes as link occurrences, and how many HTML pages a second are made."""
    sites = draw_sites(seed, 50)
    begin, links = time.process_time(), 0
    # Site by site, as an experiment would: what was made for the last hour serves the next one, and a site that is done
    # takes no memory.
    for site in sites:
        web = NewsWeb(sites=[site])
        for hour in range(30 * 24):
            links += len(web.occurrences(web.home(site), START + timedelta(hours=hour)))
    month = time.process_time() - begin
    begin, pages = time.process_time(), 0
    for site in sites:
        web = NewsWeb(sites=[site])
        for hour in range(24):
            pages += web.fetch(web.home(site), START + timedelta(days=30, hours=hour)).status == 200
    rate = pages / (time.process_time() - begin)
    return (
        f"a month of hourly home pages of 50 sites as occurrences: {links:,} links in {month:.1f} s of CPU time "
        f"(bar: {MAX_SECONDS:.0f} s)\nHTML: {rate:.0f} pages a second of CPU time (bar: {MIN_PAGES:.0f})"
    )


def _table(comparisons: Sequence[Comparison]) -> str:
    head = ["statistic", "real quartiles", "news web", "real medians", "inside", "distance"]
    rows = [
        [
            each.name,
            " ".join(map(_short, each.real)),
            " ".join(map(_short, each.made)),
            f"{_short(each.lowest)}-{_short(each.highest)}",
            "yes" if each.inside else "no",
            f"{each.distance:.2f}",
        ]
        for each in comparisons
    ]
    return table.lay_out(head, rows, left=1)


def _score_table(scores: Sequence[ModelScore]) -> str:
    head = ["what", "real", "95 %", "pages", "news web", "pages", "alike"]
    rows = [
        [
            each.name,
            f"{each.real:.3f}",
            "{:.3f}-{:.3f}".format(*each.interval) if each.is_share else "",
            str(each.real_pages),
            f"{each.made:.3f}",
            str(each.made_pages),
            "yes" if each.alike else "no",
        ]
        for each in scores
    ]
    return table.lay_out(head, rows, left=1)


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 20 else f"{value:.3g}"


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks.newsweb", description=DESCRIPTION)
    parser.add_argument("--data", type=Path, metavar="DIR", help="a folder with pages/, temporal/ and more/")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the news web (%(default)s)")
    parser.add_argument("--sites", type=int, default=30, metavar="N", help="planned sites (%(default)s)")
    parser.add_argument("--snapshots", type=int, default=20, metavar="N", help="snapshots of each front (%(default)s)")
    parser.add_argument("--fronts", type=int, default=3, metavar="N", help="fronts of each site (%(default)s)")
    parser.add_argument("--models", action="store_true", help="score identification and the default reader instead")
    parser.add_argument("--plots", type=Path, metavar="DIR", help="write a plot of each statistic here")
    parser.add_argument("--speed", action="store_true", help="measure only how fast it is; needs no --data")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here")
    options = parser.parse_args(arguments)
    if options.data is None and not options.speed:
        parser.error("name the folder with the real pages with --data, or ask for --speed")
    return options


if __name__ == "__main__":
    sys.exit(main())
