"""`broadsheet experiment NAME`: an experiment of the papers, run again, with tables, plots and every figure."""

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path

from broadsheet.base.counters import Counters
from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.arguments import positive
from broadsheet.cli.console import Console
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.findings import Findings, to_json, write

_EXAMPLES = """\
examples:
  broadsheet experiment list
  broadsheet experiment coreex                            on pages that are made here
  broadsheet experiment coreex --pages pages/ -o coreex/  on labelled pages; the same command goes on where it was
  broadsheet experiment coreex --pages pages/ --sample 50 --json figures.json
"""
_LIST = "list"


def configure(parser: ArgumentParser) -> None:
    """Declare the experiment, what it runs on and where its results go."""
    parser.epilog = _EXAMPLES
    parser.add_argument("name", metavar="NAME", help="an experiment, or list to name them all")
    parser.add_argument("--pages", metavar="DIR", type=Path, help="labelled pages (generated pages)")
    parser.add_argument("--snapshots", metavar="DIR", type=Path, help="snapshots of pages over time")
    parser.add_argument("-o", "--out", metavar="DIR", type=Path, help="where results go (experiment-NAME)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write every figure to this file, too")
    parser.add_argument("--sample", metavar="N", type=positive, help="at most N pages of each split")
    parser.add_argument("--workers", metavar="N", type=positive, help="number of processes (one per core)")


def execute(args: Namespace, console: Console) -> int:
    """Run the experiment and write what it found."""
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
        sample=args.sample,
        workers=args.workers or os.cpu_count() or 1,
        track=console.track,
        say=console.message,
    )
    findings = experiment.run(context)
    for counted, number in context.counters:
        console.message(f"{counted.name}: {number:,} ({counted.reason})")
    _write(findings, args, context, console)
    return exits.DONE


def _write(findings: Findings, args: Namespace, context: Context, console: Console) -> None:
    """Write the files, and show the tables."""
    day = context.clock.now().date()
    for remark in findings.remarks:
        console.text(remark)
    for table in findings.tables:
        console.text()
        console.text(table.title)
        console.rows(row if console.is_terminal else {"table": table.title, **row} for row in table.to_dicts())
    for path in write(findings, context.folder, day):
        console.message(f"wrote {path}")
    if args.json:
        args.json.write_text(to_json(findings, day), encoding="utf-8")
        console.message(f"wrote {args.json}")
