"""`--log-file` and `--log-level`, for the commands that crawl."""

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from broadsheet.cli.command import UsageError

if TYPE_CHECKING:
    from broadsheet.newsroom.crawl_log import CrawlLog

_UNITS = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}
_LEAST_SIZE = 1_000
LEVELS = ("debug", "info", "warning", "error")


def add_log_options(parser: ArgumentParser) -> None:
    """Declare the log file and its level."""
    parser.add_argument(
        "--log-file", type=Path, metavar="FILE", help="append a log of the crawl to FILE: every address, with the time"
    )
    parser.add_argument(
        "--log-size",
        type=_size,
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


def _size(text: str) -> int:
    match = re.fullmatch(r"([0-9]+)\s*([kmg]?)b?", text.strip(), re.IGNORECASE)
    size = int(match[1]) * _UNITS[match[2].lower()] if match else 0
    if size < _LEAST_SIZE:
        raise ArgumentTypeError(f"{text!r} is not a size of at least 1k; write 500k, 10M or 1G")
    return size
