"""`broadsheet evaluate CORPUS…`: compare our readers and other tools on labelled pages."""

import json
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from broadsheet.base.clock import SystemClock
from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.base.provenance import provenance
from broadsheet.cli import exits
from broadsheet.cli.arguments import positive, seed
from broadsheet.cli.command import UsageError
from broadsheet.cli.console import Console
from broadsheet.cli.writing import require_free
from broadsheet.corpora import field_systems
from broadsheet.corpora.corpus_folder import Corpus, find_corpora
from broadsheet.corpora.evaluation import ROOMS, CorpusSelection, evaluate, read_pages
from broadsheet.corpora.evaluation_report import render_report, worst
from broadsheet.corpora.evaluation_tables import GROUPINGS, OF_SEVERAL_SITES, details, grouped, leads, overview
from broadsheet.corpora.field_evaluation import choose_pages, field_table, measure_fields
from broadsheet.corpora.labelled_page import LabelledPage, PageLabels
from broadsheet.corpora.page_readers import ReaderPool
from broadsheet.corpora.peers import PEERS
from broadsheet.corpora.quality import alignment_quality
from broadsheet.corpora.results import Result, ResultFile, unique
from broadsheet.corpora.systems import MODEL, version_of
from broadsheet.outputs.output_files import replacing
from broadsheet.reading import names

_EXAMPLES = """\
examples:
  broadsheet evaluate pages/                                  our readers on the dev pages of every corpus
  broadsheet evaluate pages/ --peer all                       and all other tools, in the same run
  broadsheet evaluate pages/wcxb.tar.xz --reader coreex --peer trafilatura --html report.html
  broadsheet evaluate pages/ --reader default --reader default:judged   with what extract refuses, and without
  broadsheet evaluate pages/ --split all --sample 600 --state run.jsonl
  broadsheet evaluate pages/ --split all --sample 600 --state run.jsonl --resume
  broadsheet evaluate pages/ --split all --alignment          how well labels match pages, corpus by corpus
  broadsheet evaluate parts/test --reader default --model mine.npz   what a model of your own has gained
  broadsheet evaluate pages/ --fields --peer all              title, date and authors, ours and other tools

CORPUS is a folder with labels.jsonl and html/, the same packed as <corpus>.tar.xz, or a folder of these.
"""

#: The columns that fit a terminal; JSON output has all of them.
_TABLE_COLUMNS = "system pages failed precision recall f shingle_f piece_f exact below_half ms".split()


def configure(parser: ArgumentParser) -> None:
    """Declare the corpora, the pages, the systems, the output and the run."""
    parser.epilog = _EXAMPLES
    parser.add_argument("corpora", metavar="CORPUS", nargs="+", type=Path, help="labelled pages, packed or unpacked")
    _declare_pages(parser)
    _declare_systems(parser)
    _declare_output(parser)
    _declare_run(parser)


def _declare_pages(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("what is read")
    group.add_argument(
        "--split", choices=("dev", "train", "all"), default="dev", help="which sites' pages to use (default: dev)"
    )
    group.add_argument(
        "--kind",
        choices=("article", "section", "other", "unknown", "all"),
        default="article",
        help="which kind of page (default: article)",
    )
    group.add_argument("--sample", metavar="N", type=positive, help="use N pages, taken in turn from each corpus")
    group.add_argument(
        "--seed", metavar="S", type=seed, default=0, help="seed for the sample and the bootstrap (default: 0)"
    )
    group.add_argument("--as-labelled", action="store_true", help="also use the labels that we know to be wrong")


def _declare_systems(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("what is compared")
    group.add_argument(
        "--reader",
        metavar="NAME",
        action="append",
        help="one of our readers, or NAME:exact or NAME:judged (repeatable; default: all)",
    )
    group.add_argument(
        "--model",
        metavar="FILE",
        action="append",
        default=[],
        help="a model written by `broadsheet train CORPUS -o FILE` (repeatable); beside the readers that are named",
    )
    group.add_argument(
        "--peer", metavar="NAME", action="append", default=[], help="another tool to compare with, or all (repeatable)"
    )
    group.add_argument("--fields", action="store_true", help="measure title, date and authors instead of the text")
    group.add_argument("--alignment", action="store_true", help="only show how well labels match pages")


def _declare_output(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("what is printed and written")
    group.add_argument(
        "--by",
        choices=GROUPINGS,
        action="append",
        default=[],
        help="also show one row for each of these; era: before 2015 or later (repeatable)",
    )
    group.add_argument(
        "--html", metavar="FILE", type=Path, help="write an HTML report that shows the worst pages side by side"
    )
    group.add_argument(
        "--worst", metavar="N", type=positive, default=50, help="how many pages the report shows (default: 50)"
    )
    group.add_argument("--json", metavar="FILE", type=Path, help="write all figures as JSON")
    group.add_argument("--overwrite", action="store_true", help="replace the files of --html and --json if they exist")


def _declare_run(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("how it runs")
    group.add_argument(
        "--state", metavar="FILE", type=Path, help="save every result here, so that the run can be resumed"
    )
    group.add_argument("--resume", action="store_true", help="continue from the results in --state")
    group.add_argument(
        "--workers", metavar="N", type=positive, help="number of worker processes (default: one per core)"
    )
    group.add_argument(
        "--limit",
        metavar="SECONDS",
        type=positive,
        default=60,
        help="time limit for one system on one page (default: 60)",
    )


def execute(args: Namespace, console: Console) -> int:
    """Run every system over every page and write the tables."""
    if args.fields and (args.reader or args.model or args.html or args.alignment or args.state):
        raise UsageError("--fields cannot be combined with --reader, --model, --html, --state or --alignment")
    if args.resume and not args.state:
        raise UsageError("--resume needs the --state FILE of the run to continue")
    for file in filter(None, (args.html, args.json)):
        require_free(file, overwrite=args.overwrite)
    corpora = find_corpora(args.corpora)
    counters = Counters()
    selection = CorpusSelection(
        None if args.split == "all" else args.split, None if args.kind == "all" else args.kind, args.sample, args.seed,
        as_labelled=args.as_labelled,
    )  # fmt: skip
    if args.fields:
        _measure_fields(args, console, corpora, selection, counters)
        return _report_counts(console, counters)
    chosen = selection.choose(corpora, counters)
    if not chosen:
        raise InputError("no page of this split and kind has a labelled body; see --split and --kind")
    if args.alignment:
        tracked = _tracked(console, corpora, chosen, counters)
        console.rows(alignment_quality(tracked, counters))
    else:
        results = _measure(args, console, corpora, chosen, counters)
        _write(args, console, corpora, chosen, results)
    return _report_counts(console, counters)


def _report_counts(console: Console, counters: Counters) -> int:
    for counted, number in counters:
        console.message(f"{counted.name}: {number:,} ({counted.reason})")
    return exits.DONE


def _measure_fields(
    args: Namespace, console: Console, corpora: Sequence[Corpus], selection: CorpusSelection, counters: Counters
) -> None:
    """Measure title, date and authors, and write the table."""
    chosen = choose_pages(corpora, selection, counters)
    if not chosen:
        raise InputError("no page of this split and kind has a labelled title, date or author; see --split and --kind")
    peers = [name for peer in args.peer for name in (field_systems.FIELD_PEERS if peer == "all" else [peer])]
    systems = list(dict.fromkeys([field_systems.OURS, *peers]))
    for name in systems:
        field_systems.field_version(name)
    pages = _tracked(console, corpora, chosen, counters)
    results = list(measure_fields(pages, systems, args.workers or os.cpu_count() or 1, SystemClock(), args.limit))
    rows = field_table(results, args.seed)
    console.rows(rows)
    by_corpus = [
        {"corpus": corpus, **row}
        for corpus in sorted({result.corpus for result in results})
        for row in field_table([result for result in results if result.corpus == corpus], args.seed)
    ]
    if "corpus" in args.by:
        console.text()
        console.rows(by_corpus)
    if args.json:
        made_with = provenance(ROOMS).to_dict()
        _write_figures(args.json, {"made_with": made_with, "overview": rows, "corpus": by_corpus}, console)


def _tracked(
    console: Console, corpora: Sequence[Corpus], chosen: Sequence[PageLabels], counters: Counters
) -> Iterator[LabelledPage]:
    """Yield the chosen pages, and show progress."""
    pages = read_pages(corpora, chosen, counters)
    return (page for _, page in zip(console.track(chosen), pages, strict=False))


def _measure(
    args: Namespace, console: Console, corpora: Sequence[Corpus], chosen: Sequence[PageLabels], counters: Counters
) -> list[Result]:
    """Measure what has not been measured yet, and return all results for these pages and systems."""
    systems = [(name, version_of(name)) for name in _systems(args)]
    pool = ReaderPool([name for name, _ in systems], args.workers or os.cpu_count() or 1, SystemClock(), args.limit)
    pages = _tracked(console, corpora, chosen, counters)
    if not args.state:
        return unique(evaluate(pages, systems, pool.outcomes, counters))
    with ResultFile(args.state, args.resume) as file:
        if file.replaced:
            console.message(f"{args.state} was measured with other code; all pages are measured again")
        elif stale := sum(_is_stale(result, dict(systems)) for result in file.results):
            console.message(f"{stale:,} results in {args.state} come from other code or models and are measured again")
        return unique(evaluate(pages, systems, pool.outcomes, counters, known=file.results, keep=file.append))


def _is_stale(result: Result, versions: Mapping[str, str]) -> bool:
    return versions.get(result.system, result.version) != result.version


def _systems(args: Namespace) -> list[str]:
    """Return the requested systems without duplicates; by default, all of our readers or the models given."""
    peers = [name for peer in args.peer for name in (PEERS if peer == "all" else [peer])]
    models = [f"{MODEL}{path}" for path in args.model]
    return list(dict.fromkeys([*(args.reader or ([] if models else names())), *models, *peers]))


def _write(
    args: Namespace, console: Console, corpora: Sequence[Corpus], chosen: Sequence[PageLabels], results: list[Result]
) -> None:
    """Write the tables, and the files that were requested."""
    if not results:
        raise InputError("no page could be used; the reasons are listed above")
    rows = overview(results, args.seed)
    console.rows(rows, _TABLE_COLUMNS)
    groupings = list(dict.fromkeys(args.by))
    for by in groupings:
        console.text()
        console.rows(grouped(results, by, args.seed))
    ours = _systems(args)[0]
    if args.peer:
        console.text()
        console.rows(leads(results, ours, groupings, args.seed))
    if args.json:
        groups: dict[str, object] = {by: grouped(results, by, args.seed) for by in GROUPINGS}
        conditions = {name: getattr(args, name) for name in ("split", "kind", "sample", "seed")}
        figures = {
            "conditions": conditions,
            "made_with": provenance(ROOMS).to_dict(),
            "systems": details(results, args.seed),
            "overview": rows,
            "leads": leads(results, ours, OF_SEVERAL_SITES, args.seed),
            **groups,
        }
        _write_figures(args.json, figures, console)
    if args.html:
        order = worst(results, args.worst)
        shown = [labels for labels in chosen if labels.id in set(order)]
        pages = sorted(read_pages(corpora, shown, Counters()), key=lambda page: order.index(page.labels.id))
        with replacing(args.html) as path, path.open("w", encoding="utf-8", errors="replace") as file:
            file.writelines(render_report(rows, pages, results, provenance(ROOMS)))
        console.message(f"wrote {args.html}")


def _write_figures(file: Path, figures: Mapping[str, object], console: Console) -> None:
    with replacing(file) as path:
        path.write_text(json.dumps(figures, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    console.message(f"wrote {file}")
