"""`broadsheet sources ACTION ARCHIVE …`: list the sources of an archive, and change what is followed."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.command import UsageError
from broadsheet.cli.console import Console
from broadsheet.cli.text_table import Row

if TYPE_CHECKING:
    from broadsheet.archive import SourceRecord, Store
    from broadsheet.newsroom.source_orders import OrderOutcome

_EXAMPLES = """\
examples:
  broadsheet sources list news                                    all sources; --tag local selects some
  broadsheet sources add news example.org every=30m tags=local    follow a site from now on
  broadsheet sources pause news example.org                       no more visits; what is planned is kept
  broadsheet sources resume news example.org
  broadsheet sources remove news example.org                      no more visits; its articles stay
  broadsheet sources set news example.org every=10m requests_per_hour=500 language=en
  broadsheet sources set news example.org editions=example.org/de,example.org/fr tags=
  broadsheet sources apply news sources.toml                      do what a file says; --prune pauses all others
  broadsheet sources export news -f opml > sources.opml

While a crawl runs on the archive, it carries out what you ask for within a second or so.

settings (an empty value sets the default):
  name               what the source is called
  every              time between two visits of its home page: 90s, 30m, 1h, 2d
  tags               your own words, separated by commas
  language           the language of its articles, such as en
  editions           further home pages on the same site, separated by commas
  feeds              feeds and sitemaps to follow, separated by commas
  requests_per_hour  its budget, instead of source.max_requests
  bytes_per_hour     its budget, instead of source.max_bytes
  render             whether a browser runs its scripts: never, auto or always
  verify_tls         whether its certificates must be valid: yes or no
  keep               how long responses and links are kept: "fronts 30d, other 7d, links 1y", or everything
"""
#: How many words after the archive an action takes, at least.
_NEEDED = {"list": 0, "add": 1, "pause": 1, "resume": 1, "remove": 1, "set": 2, "apply": 1, "export": 0}
_COLUMNS = ("source", "state", "name", "every", "tags", "language", "snapshots")


def configure(parser: ArgumentParser) -> None:
    """Declare the action, the archive, and what the action takes."""
    parser.epilog = _EXAMPLES
    parser.add_argument("action", metavar="|".join(_NEEDED), choices=list(_NEEDED), help="what to do")
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the archive's folder; add and apply create it")
    parser.add_argument(
        "words",
        metavar="SITE|KEY=VALUE|FILE",
        nargs="*",
        default=[],
        help="sites and settings, or for apply a TOML or OPML file",
    )
    parser.add_argument("--tag", metavar="T", help="list or export only sources with this tag")
    parser.add_argument("--state", choices=("active", "paused", "removed"), help="list or export only such sources")
    parser.add_argument("--prune", action="store_true", help="apply: pause the sources that are not in the file")
    parser.add_argument("-f", "--format", choices=("toml", "opml"), default="toml", help="export: the format")


def execute(args: Namespace, console: Console) -> int:
    """List, change or export the sources."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Store  # noqa: PLC0415 - only with the extra

    if len(args.words) < _NEEDED[args.action]:
        wanted = {"set": "a SITE and a setting such as every=30m", "apply": "a FILE"}.get(args.action, "a SITE")
        raise UsageError(f"sources {args.action} needs {wanted} after the archive")
    actions: dict[str, Callable[[Store, Namespace, Console], int]] = {
        "list": _list,
        "export": _export,
        "apply": _apply,
    }
    with Store.open(args.archive, create=args.action in {"add", "apply"}) as store:
        return actions.get(args.action, _change)(store, args, console)


def _list(store: "Store", args: Namespace, console: Console) -> int:
    console.rows(map(_row, _selected(store, args)), _COLUMNS, if_none=f"{args.archive}: has no such source")
    return exits.DONE


def _export(store: "Store", args: Namespace, console: Console) -> int:
    from broadsheet.newsroom.source_files import write_sources  # noqa: PLC0415 - only with the extra

    kept = [source for source in _selected(store, args) if args.state or source.state != "removed"]
    console.stdout.write(write_sources(kept, args.format))
    return exits.DONE


def _selected(store: "Store", args: Namespace) -> list["SourceRecord"]:
    return [
        source
        for source in store.sources()
        if (not args.tag or args.tag in source.settings.tags) and args.state in {None, source.state}
    ]


def _change(store: "Store", args: Namespace, console: Console) -> int:
    from broadsheet.archive import Order, OrderKind  # noqa: PLC0415 - only with the extra
    from broadsheet.newsroom.source_orders import give  # noqa: PLC0415
    from broadsheet.newsroom.source_values import assignments, is_assignment  # noqa: PLC0415

    settings = [word for word in args.words if is_assignment(word)]
    sites = [word for word in args.words if not is_assignment(word)]
    if settings and args.action not in {"add", "set"}:
        raise UsageError(f"sources {args.action} takes sites, not settings such as {settings[0]}")
    if not sites or (args.action == "set" and not settings):
        raise UsageError(f"sources {args.action} needs a SITE{' and a setting' if args.action == 'set' else ''}")
    values, now = assignments(settings), console.clock.now()
    orders = [Order(what=OrderKind(args.action), source=site, values=values, at=now) for site in sites]
    return report(give(store, orders), console)


def _apply(store: "Store", args: Namespace, console: Console) -> int:
    from broadsheet.newsroom.source_files import read_sources  # noqa: PLC0415 - only with the extra
    from broadsheet.newsroom.source_lists import apply_list  # noqa: PLC0415

    [name, *others] = args.words
    if others:
        raise UsageError(f"sources apply takes one file, not {len(args.words)}")
    applied = apply_list(store, read_sources(Path(name)), prune=args.prune)
    code = report(applied.outcomes, console)
    console.message(f"left alone: {', '.join(applied.left_alone) or 'none'}")
    return code


def report(outcomes: Sequence["OrderOutcome"], console: Console) -> int:
    """Say what became of each order, and return the exit code."""
    failed = 0
    for outcome in outcomes:
        if outcome.order.error is not None:
            failed += 1
            console.warning(str(outcome))
        else:
            console.message(str(outcome))
    if not failed:
        return exits.DONE
    return exits.FAILED if failed == len(outcomes) else exits.SOME_FAILED


def _row(source: "SourceRecord") -> Row:
    settings = source.settings
    return {
        "source": source.key,
        "url": source.url,
        "name": source.name,
        "state": source.state,
        "every": source.every,
        "tags": list(settings.tags),
        "language": settings.language,
        "editions": list(settings.editions),
        "feeds": list(settings.feeds),
        "requests_per_hour": settings.requests_per_hour,
        "bytes_per_hour": settings.bytes_per_hour,
        "render": settings.render,
        "verify_tls": settings.verify_tls,
        "keep": settings.keep,
        "snapshots": source.snapshots,
        "added_at": source.added_at.isoformat(),
    }
