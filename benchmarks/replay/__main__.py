"""The command: `python -m benchmarks.replay --snapshots DIR --pages DIR [options]`."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import benchmarks.replay
from benchmarks.progress import say
from benchmarks.replay.changing import CHANGE_RULES
from benchmarks.replay.disguise import LINK_RULES
from benchmarks.replay.held_out import fit_missing
from benchmarks.replay.measuring import Conditions, measure
from benchmarks.replay.row import Row, lay_out
from benchmarks.replay.snapshots import Folder
from benchmarks.replay.standins import unpack
from broadsheet.base.clock import SystemClock
from broadsheet.base.errors import InputError
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.base.pool import Pool
from broadsheet.base.task_events import Failed
from broadsheet.base.workers import OneAnswer
from broadsheet.newsroom.pace_policies import PACES

_MAX_MINUTES = 60 * 24 * 7
#: How long one site may take.
_MAX_SECONDS = 4 * 3600.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _options(arguments)
    rows: list[Row] = []
    try:
        for row in _replay(options):
            say(f"{row.site}: {row.fresh_archived} of {row.fresh} fresh articles, {row.cpu_seconds:.0f} s of CPU time")
            rows.append(row)
            if options.json:
                # After every site, so that a run that is stopped has not been in vain.
                options.json.write_text(
                    json.dumps([each.to_dict() for each in rows], indent=1, ensure_ascii=False) + "\n"
                )
    except InputError as error:
        say(str(error))
        return 1
    print(lay_out(rows))
    return 0


def _replay(options: argparse.Namespace) -> Iterator[Row]:
    folder = Folder.find(options.snapshots)
    sites = _chosen(folder, options.sites)
    with TemporaryDirectory() as temporary:
        pages = unpack(options.pages, options.split, Path(temporary))
        say(f"{len(sites)} sites; {len(pages):,} pages to stand in for others")
        if options.held_out:
            fit_missing(options.held_out, folder.path, sites)
        settings = NewsroomSettings(judge=options.judge, pace=options.pace)
        conditions = Conditions(
            *(folder, pages, options.every, options.links, settings, options.held_out, options.page_changes)
        )
        one = partial(measure, conditions=conditions, keep=options.archives)
        # Each site has a process of its own, so that none uses the memory or the caches of another.
        pool: Pool[str, Row] = Pool(OneAnswer(one), options.jobs, SystemClock(), _MAX_SECONDS, renew_after=1)
        for site, row in zip(sites, pool.ordered(sites), strict=True):
            if isinstance(row, Failed):
                raise InputError(f"{site}: {row.reason}")
            yield row


def _chosen(folder: Folder, names: Sequence[str]) -> list[str]:
    known = folder.sites()
    if unknown := sorted(set(names) - set(known)):
        raise InputError(f"{folder.path}: no site {', '.join(unknown)}; its sites are {', '.join(known)}")
    chosen = [site for site in known if not names or site in names]
    if unlabelled := [site for site in chosen if not folder.gold(site).is_file()]:
        raise InputError(f"{folder.path}/gold: no golden labels of {', '.join(unlabelled)}")
    return chosen


def _minutes(text: str) -> timedelta:
    minutes = float(text)
    if not 0 < minutes <= _MAX_MINUTES:
        raise argparse.ArgumentTypeError(f"must be more than 0 and at most {_MAX_MINUTES:,} minutes, not {text}")
    return timedelta(minutes=minutes)


def _count(text: str) -> int:
    if int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {text}")
    return int(text)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.replay",
        description=benchmarks.replay.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--snapshots", type=Path, required=True, metavar="DIR", help="html/, gold/, links/ and manifest.jsonl.gz"
    )
    parser.add_argument("--pages", type=Path, required=True, metavar="DIR", help="labelled corpora, packed or not")
    parser.add_argument("--sites", nargs="+", default=(), metavar="SITE", help="only these sites")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write a list with the figures of each site")
    parser.add_argument(
        "--every", type=_minutes, default="60", metavar="MINUTES", help="between two visits (%(default)s)"
    )
    parser.add_argument(
        "--pace",
        choices=PACES,
        default="fixed",
        metavar="POLICY",
        help=f"how often sections are visited: {', '.join(PACES)} (%(default)s)",
    )
    parser.add_argument("--split", choices=("train", "dev"), help="take stand-ins from this split only")
    parser.add_argument(
        "--links",
        choices=LINK_RULES,
        default="own",
        help="where links of stand-ins to their own site lead (%(default)s)",
    )
    parser.add_argument(
        "--page-changes",
        choices=CHANGE_RULES,
        default="never",
        help="when stand-ins change their bytes: never, as often as the site's saved fronts, or as measured "
        "(%(default)s)",
    )
    parser.add_argument(
        "--judge",
        default="links",
        metavar="NAME",
        help="what judges the targets of a site: links or plain (%(default)s)",
    )
    parser.add_argument(
        "--held-out",
        type=Path,
        metavar="DIR",
        help="judge with models that have not seen the site's publisher: they are in DIR, or are fitted and kept there",
    )
    parser.add_argument("--jobs", type=_count, default=1, metavar="N", help="sites at the same time (%(default)s)")
    parser.add_argument("--archives", type=Path, metavar="DIR", help="keep the archive of each site in this folder")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
