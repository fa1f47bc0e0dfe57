"""`--log-file` and `--log-level`, for the commands that crawl."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.cli.command import UsageError
from broadsheet.cli.sizes import byte_size

if TYPE_CHECKING:
    from broadsheet.newsroom.crawl_log import CrawlLog

LEVELS = ("debug", "info", "warning", "error")


def add_log_options(parser: ArgumentParser) -> None:
    """Declare the log file and its level."""
    parser.add_argument(
        "--log-file", type=Path, metavar="FILE", help="append a log of the crawl to FILE: every address, with the time"
    )
    parser.add_argument(
        "--log-size",
        type=byte_size,
        metavar="SIZE",
        help="begin a new log file at this size (500k, 10M, 1G), and keep the five before it as FILE.1 to FILE.5",
    )
    parser.add_argument("--log-level", choices=LEVELS, help="how much to log (default: info)")


def crawl_log(args: Namespace) -> "CrawlLog | None":
    """Return the requested log, after checking that its file can be written."""
    from broadsheet.newsroom.crawl_log import CrawlLog  # noqa: PLC0415 - only with the extra

    if args.log_file is None:
        if args.log_level or args.log_size:
            raise UsageError(f"--log-{'level' if args.log_level else 'size'} needs a --log-file to write to")
        return None
    path: Path = args.log_file.absolute()
    with path.open("ab"):
        return CrawlLog(str(path), args.log_level or "info", args.log_size or 0)
