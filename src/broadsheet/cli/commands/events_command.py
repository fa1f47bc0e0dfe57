"""`broadsheet events ARCHIVE`: list what happened in an archive, follow it, or deliver it to a webhook."""

import json
import select
import threading
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.arguments import natural
from broadsheet.cli.command import UsageError, settings
from broadsheet.cli.console import Console
from broadsheet.cli.event_rows import what_happened

if TYPE_CHECKING:
    from broadsheet.archive import ArchiveEvent, EventKind, Store

_EXAMPLES = """\
examples:
  broadsheet events news                                 all that happened, the oldest first
  broadsheet events news --follow                        and what happens from now on, until Ctrl-C
  broadsheet events news --kind "new article" --follow --after 0 | jq -r .detail.title
  broadsheet events news --deliver --follow              send events to the address set as webhook.url

Kinds of events: new article, revision, deletion, move, return, section found, section lost, source failing, source
back, phase, gap.
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the archive and what selects events."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the archive's folder")
    parser.add_argument("--follow", action="store_true", help="keep listing new events until Ctrl-C")
    parser.add_argument("--kind", action="append", default=[], metavar="KIND", help="only of this kind (repeatable)")
    parser.add_argument("--source", metavar="S", help="only of this source, given by its address or key")
    parser.add_argument("--after", type=natural, metavar="ID", help="only after the event with this id")
    parser.add_argument("--deliver", action="store_true", help="send events to the webhook instead of listing them")


def execute(args: Namespace, console: Console) -> int:
    """Write one line per event, or deliver them."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import EventKind, Store  # noqa: PLC0415 - only with the extra

    if unknown := [name for name in args.kind if name not in set(EventKind)]:
        raise UsageError(f"--kind: no event is of the kind {unknown[0]!r}; the kinds are {', '.join(EventKind)}")
    kinds = [EventKind(name) for name in args.kind]
    with Store.open(args.archive) as archive:
        if args.deliver:
            return _deliver(archive, args, console)
        return _list(archive, args, console, kinds)


def _list(archive: "Store", args: Namespace, console: Console, kinds: "list[EventKind]") -> int:
    from broadsheet.newsroom.event_listener import follow  # noqa: PLC0415 - only with the extra

    wait = partial(_wait, console.stdout, threading.Event()) if args.follow else None
    is_empty = True
    for event in follow(archive, args.after or 0, wait, kinds=kinds, source=args.source):
        if console.is_terminal:
            at, what = event.at.isoformat(sep=" ", timespec="seconds")[:19], what_happened(event)
            console.text(f"{event.id:>6}  {at}  {event.kind:<14}  {event.page}  {what}")
        else:
            console.stdout.write(json.dumps(_row(event), ensure_ascii=False) + "\n")
        console.flush()
        is_empty = False
    if is_empty and console.is_terminal:
        console.message(f"{args.archive}: no such event")
    return exits.DONE


def _row(event: "ArchiveEvent") -> dict[str, object]:
    from broadsheet.newsroom.webhook import to_values  # noqa: PLC0415 - only with the extra

    return to_values(event)


def _wait(stdout: TextIO, never: threading.Event, seconds: float) -> bool:
    """Wait, and say whether there is nobody left to write to."""
    never.wait(seconds)
    try:
        poll = select.poll()
        poll.register(stdout.fileno(), select.POLLERR)
    except (OSError, ValueError):
        # Not a file, as in tests.
        return False
    return bool(poll.poll(0))


def _deliver(archive: "Store", args: Namespace, console: Console) -> int:
    from broadsheet.newsroom.webhook import Webhook, WebhookDelivery  # noqa: PLC0415 - only with the extra

    configured = settings(args).webhook
    if not configured.url:
        raise UsageError("--deliver: set webhook.url, in the configuration file or by --set webhook.url=…")
    if args.kind or args.source:
        raise UsageError("--deliver sends the kinds set as webhook.kinds: it cannot be limited by --kind or --source")
    delivery = WebhookDelivery(archive, Webhook(configured))
    if args.after is not None or not args.follow:
        console.message(f"{delivery.deliver(args.after):,} events delivered")
    if args.follow:
        never: Callable[[float], bool] = threading.Event().wait
        delivery.run(never, console.warning)
    return exits.DONE
