"""`broadsheet experiment NAME`: reproduce an experiment from the papers, with tables, plots and all figures."""

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path

from broadsheet.base.counters import Counters
from broadsheet.base.extras import needing
from broadsheet.base.provenance import Provenance, provenance
from broadsheet.cli import exits
from broadsheet.cli.arguments import positive
from broadsheet.cli.console import Console
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import ExperimentResults, rows_or_all, write

_EXAMPLES = """\
examples:
  broadsheet experiment list
  broadsheet experiment coreex                            on generated pages
  broadsheet experiment coreex --pages pages/ -o coreex/  on labelled pages; run it again to resume
  broadsheet experiment coreex --pages pages/ --sample 50 --json figures.json
  broadsheet experiment memory-settings --labelled 5      on five pages of each generated domain
  broadsheet experiment section-driven --snapshots snapshots/ --json rows.json
  broadsheet experiment voting --protocol seed            on the news web, with each site's own labels
"""
_LIST = "list"


def configure(parser: ArgumentParser) -> None:
    """Declare the experiment, its data and the output files."""
    parser.epilog = _EXAMPLES
    parser.add_argument("name", metavar="NAME", help="an experiment, or list to see them all")
    parser.add_argument("--pages", metavar="DIR", type=Path, help="labelled pages (default: generated pages)")
    parser.add_argument(
        "--snapshots",
        metavar="DIR",
        type=Path,
        help="sites captured repeatedly over time (default: 150 hourly snapshots of the built-in news web)",
    )
    parser.add_argument(
        "--protocol",
        choices=("unseen", "seed"),
        default="unseen",
        help="over time: learn from other publishers (unseen, the default), or from the judged site's own labels,"
        " cross-validated by address (seed)",
    )
    parser.add_argument(
        "-o", "--out", metavar="DIR", type=Path, help="folder for the results (default: experiment-NAME)"
    )
    parser.add_argument(
        "--json",
        metavar="FILE",
        type=Path,
        help="also write all figures, or one row per site, snapshot and label, to this file",
    )
    parser.add_argument(
        "--sample",
        metavar="N",
        type=positive,
        help="use at most N pages of each split; over time, N sites of each kind",
    )
    parser.add_argument(
        "--labelled",
        metavar="N",
        type=positive,
        help="label at most N pages of each domain (memory-settings, default 1), or at each size (learning-curves, "
        "default 12); with few pages it takes minutes, with more the figures are steadier",
    )
    parser.add_argument(
        "--most-pages",
        metavar="N",
        type=positive,
        nargs="+",
        default=(),
        help="regime: crawl sites of the news web to depth 1, 2 and so on, and fetch at most N pages per snapshot at "
        "each depth (default: 60 240 720)",
    )
    parser.add_argument(
        "--workers", metavar="N", type=positive, help="number of worker processes (default: one per core)"
    )


def execute(args: Namespace, console: Console) -> int:
    """Run the experiment and write its results."""
    with needing("train", "an experiment"):
        from broadsheet.experiments.registry import EXPERIMENTS, find  # noqa: PLC0415 - only with the extra

    if args.name == _LIST:
        console.rows({"name": experiment.NAME, "measures": experiment.HELP} for experiment in EXPERIMENTS)
        return exits.DONE
    experiment = find(args.name)
    context = Context(
        folder=args.out or Path(f"experiment-{args.name}"),
        clock=console.clock,
        counters=Counters(),
        pages=args.pages,
        snapshots=args.snapshots,
        protocol=args.protocol,
        sample=args.sample,
        labelled=args.labelled,
        most_pages=tuple(args.most_pages),
        workers=args.workers or os.cpu_count() or 1,
        track=console.track,
        say=console.message,
    )
    results = experiment.run(context)
    for counted, number in context.counters:
        console.message(f"{counted.name}: {number:,} ({counted.reason})")
    _write(results, args, context, console, provenance(experiment.ROOMS))
    return exits.DONE


def _write(
    results: ExperimentResults, args: Namespace, context: Context, console: Console, made_with: Provenance
) -> None:
    """Show the tables, and write the files."""
    day = context.clock.now().date()
    for remark in results.remarks:
        console.text(remark)
    for table in results.tables:
        console.text()
        console.heading(table.title)
        console.rows(row if console.is_terminal else {"table": table.title, **row} for row in table.to_dicts())
    for path in write(results, context.folder, day, made_with):
        console.message(f"wrote {path}")
    if args.json:
        args.json.write_text(rows_or_all(results, day, made_with), encoding="utf-8")
        console.message(f"wrote {args.json}")
