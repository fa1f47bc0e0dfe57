"""`broadsheet forget ARCHIVE URL|SOURCE`: remove pages or sources from an archive for good."""

import shlex
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.base.extras import needing
from broadsheet.cli import exits
from broadsheet.cli.command import UsageError
from broadsheet.cli.confirmation import confirm
from broadsheet.cli.console import Console
from broadsheet.cli.text_table import Row

if TYPE_CHECKING:
    from broadsheet.archive import ForgetPlan, Store, Tombstone

_EXAMPLES = """\
examples:
  broadsheet forget news https://news.example/story --because "court order 12/26"
  broadsheet forget news news.example                       a source, with all its pages
  broadsheet forget news https://news.example/story --now   remove its bytes from the files, too
  broadsheet forget news --now                              do that for everything that was forgotten before
  broadsheet forget news --list                             what was forgotten, when and why

A forgotten page disappears from every answer and export at once, with its copies at other addresses, its links and the
links to it; `repair` does not bring it back, and a crawl does not fetch it again. Its bytes are left out when the files
that hold them are next merged. With --now these files are rewritten immediately, which takes as long as copying them.

Sections that mention the page keep their text. Stop a running crawl first. What cannot be undone needs a confirmation:
answer "yes", or give --yes. Copies of the archive, exports and the folder lost+found are not touched.
"""
_COLUMNS = ("at", "scope", "url", "because")


def configure(parser: ArgumentParser) -> None:
    """Declare the archive, what to forget, and the options."""
    parser.epilog = _EXAMPLES
    parser.add_argument("archive", metavar="ARCHIVE", type=Path, help="the archive's folder")
    parser.add_argument(
        "targets", metavar="URL|SOURCE", nargs="*", default=[], help="a page by its URL, or a source by its URL or key"
    )
    parser.add_argument("--because", metavar="TEXT", default="", help="the reason, which is kept with the tombstone")
    parser.add_argument("--now", action="store_true", help="rewrite the files that hold forgotten pages immediately")
    parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")
    parser.add_argument("--list", action="store_true", help="list what was forgotten, and do nothing else")


def execute(args: Namespace, console: Console) -> int:
    """Say how much goes, ask, and forget it."""
    with needing("crawl", "an archive"):
        from broadsheet.archive import Store  # noqa: PLC0415 - only with the extra

    if args.list and (args.targets or args.now):
        raise UsageError("--list only lists: leave out what to forget, and --now")
    if not (args.list or args.targets or args.now):
        raise UsageError("name a page or a source to forget, or give --list or --now")
    with Store.open(args.archive) as archive:
        if args.list:
            rows = (_row(tombstone) for tombstone in archive.tombstones())
            console.rows(rows, _COLUMNS, if_none=f"{args.archive}: nothing was forgotten")
            return exits.DONE
        return _forget(args, archive, console)


def _forget(args: Namespace, archive: "Store", console: Console) -> int:
    plan = archive.plan_forgetting(*args.targets, because=args.because) if args.targets else None
    if plan is not None:
        console.message(f"{args.archive}: this forgets {_summary(plan)}")
        if not args.yes and not confirm(console, "Forget it for good?"):
            console.warning("nothing was forgotten")
            return exits.FAILED
    with archive.writer() as writer:
        if plan is not None:
            writer.forget(plan)
            console.message(f"forgot {_counted(len(plan.tombstones), 'entry', 'entries')}")
        if not args.now:
            console.message(
                "the bytes are removed when their files are next merged;"
                f" `{console.called} forget {shlex.quote(str(args.archive))} --now` removes them at once"
            )
            return exits.DONE
        done = writer.purge()
    console.message(f"rewrote {_counted(done.files, 'file')}, which are now {done.bytes:,} bytes smaller")
    for name in done.damaged:
        console.warning(f"{name} is damaged and was not rewritten: run `broadsheet repair`, then `forget --now` again")
    if any((args.archive / "lost+found").glob("*")):
        console.warning(
            f"{args.archive / 'lost+found'} may hold copies of forgotten pages: delete it if you do not need it"
        )
    return exits.SOME_FAILED if done.damaged else exits.DONE


def _summary(plan: "ForgetPlan") -> str:
    sources = "".join(f"the source {key}, " for key in sorted(plan.sources))
    articles = f"{_counted(plan.articles, 'article')} in {_counted(plan.versions, 'version')}"
    visits = f"{_counted(plan.visits, 'visit')} with {plan.bytes:,} bytes"
    return f"{sources}{_counted(plan.pages, 'page')}, {articles}, {visits}"


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _row(tombstone: "Tombstone") -> Row:
    return {
        "at": tombstone.at.isoformat(timespec="seconds"),
        "scope": tombstone.scope,
        "url": tombstone.url,
        "key": tombstone.key,
        "because": tombstone.because,
    }
