"""`broadsheet newsweb serve|describe`: a simulated news web, served over HTTP or described as rows."""

import contextlib
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from threading import Event

from broadsheet.base.clock import AcceleratedClock, SystemClock
from broadsheet.cli import exits
from broadsheet.cli.command import UsageError
from broadsheet.cli.console import Console
from broadsheet.cli.text_table import Row
from broadsheet.newsweb.server import NewsServer, serve
from broadsheet.newsweb.truth import ArticleTruth
from broadsheet.newsweb.web import NewsWeb

_EXAMPLES = """\
examples:
  broadsheet newsweb serve                                  three sites, in real time
  broadsheet newsweb serve --port 8600 --speed 3600         an hour of news every second
  broadsheet newsweb describe --sites 5 --seed 7            describe five sites
  broadsheet newsweb describe --at 2026-03-02T12:00 --days 1 --articles | jq .title
"""
#: The options of each action, with their defaults.
_OPTIONS: dict[str, dict[str, object]] = {
    "serve": {"port": 0, "speed": 1.0, "start": None},
    "describe": {"at": None, "days": 7, "articles": False},
}
_ARTICLE_COLUMNS = ("published", "site", "section", "language", "title", "authors", "modified")


def configure(parser: ArgumentParser) -> None:
    """Declare the action, the news web, and the options of each action."""
    parser.epilog = _EXAMPLES
    parser.add_argument("action", choices=list(_OPTIONS), help="serve the news web over HTTP, or describe its sites")
    parser.add_argument("--sites", type=_number_up_to(50), default=3, metavar="N", help="how many sites (default: 3)")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help="another seed gives different sites (default: 1)"
    )
    serving = parser.add_argument_group("options for serve")
    serving.add_argument("--port", type=_port, metavar="P", help="the port to listen on (default: any free port)")
    serving.add_argument("--speed", type=_speed, metavar="K", help="run K times faster than real time (default: 1)")
    serving.add_argument("--start", type=_time, metavar="TIME", help="the time to start at (default: now)")
    describing = parser.add_argument_group("options for describe")
    describing.add_argument(
        "--at", type=_time, metavar="TIME", help="describe the sites as of this time (default: now)"
    )
    describing.add_argument(
        "--days", type=_number_up_to(3650), metavar="D", help="count the articles of the D days before (default: 7)"
    )
    describing.add_argument(
        "--articles", action="store_true", default=None, help="list the articles of these days instead of the sites"
    )


def execute(args: Namespace, console: Console) -> int:
    """Serve or describe the news web."""
    options = _options(args)
    web = NewsWeb(args.seed, args.sites)
    if args.action == "serve":
        _serve(web, options, console)
    else:
        _describe(web, options, console)
    return exits.DONE


def _options(args: Namespace) -> Namespace:
    """Return the options of the action with their defaults; raise `UsageError` for an option of the other action."""
    for action, options in _OPTIONS.items():
        for name in options:
            if action != args.action and getattr(args, name) is not None:
                raise UsageError(f"--{name} is an option of newsweb {action}, not of {args.action}")
    given = {name: getattr(args, name) for name in _OPTIONS[args.action] if getattr(args, name) is not None}
    return Namespace(**{**_OPTIONS[args.action], **given})


def _serve(web: NewsWeb, options: Namespace, console: Console) -> None:
    system_clock = SystemClock()
    start = options.start or system_clock.now()
    with serve(web, AcceleratedClock(system_clock, start, options.speed), port=options.port) as server:
        console.rows(_server_rows(web, server), ("site", "template", "languages", "url"))
        console.text(f"Each site also has a host of its own, such as {server.by_host(web.sites[0])}")
        console.text(f"To crawl the sites under their real names, set http_proxy={server.url}")
        console.message(
            f"time starts at {start.isoformat(timespec='seconds')}, at speed {options.speed:g}; press Ctrl-C to stop"
        )
        console.flush()
        with contextlib.suppress(KeyboardInterrupt):
            Event().wait()
    console.message(_summary(server))


def _server_rows(web: NewsWeb, server: NewsServer) -> Iterator[Row]:
    for site in web.sites:
        yield {
            "site": site.slug,
            "name": site.name,
            "template": site.template,
            "languages": list(site.languages),
            "url": server.by_path(site),
            "host_url": server.by_host(site),
            "proxied_url": web.home(site),
            "proxy": server.url,
        }


def _summary(server: NewsServer) -> str:
    numbers = {counted.reason: number for counted, number in server.counters if counted.name == "requests"}
    statuses = ", ".join(f"{status}: {number:,}" for status, number in numbers.items())
    requests, size = server.counters.total("requests"), server.counters.total("bytes")
    return f"answered {requests:,} requests" + (f" ({statuses}) with {size:,} bytes" if requests else "")


def _describe(web: NewsWeb, options: Namespace, console: Console) -> None:
    end = options.at or SystemClock().now()
    start = end - timedelta(days=options.days)
    if options.articles:
        console.rows(map(_article_row, web.articles(start, end)), _ARTICLE_COLUMNS)
        return
    console.rows(_site_rows(web, start, end), ("site", "template", "languages", "sections", "articles_a_day", "pages"))


def _site_rows(web: NewsWeb, start: datetime, end: datetime) -> Iterator[Row]:
    for site in web.sites:
        articles = len(web.articles(start, end, site=site))
        yield {
            "site": site.slug,
            "name": site.name,
            "url": web.home(site),
            "template": site.template,
            "languages": list(site.languages),
            "charset": site.charset,
            "sections": [section.slug for section in site.sections],
            "articles": articles,
            "articles_a_day": round(articles / ((end - start) / timedelta(days=1)), 1),
            "pages": len(web.permanent_pages(site, end)),
        }


def _article_row(article: ArticleTruth) -> Row:
    modified = article.modified.isoformat() if article.modified else None
    return {**asdict(article), "published": article.published.isoformat(), "modified": modified}


def _time(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(
            f"{text!r} is not a time (2026-03-02, 2026-03-02T12:00, 2026-03-02T12:00+02:00)"
        ) from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _number_up_to(maximum: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text) <= maximum:
            raise ArgumentTypeError(f"{text!r} is not a number from 1 to {maximum:,}")
        return int(text)

    return number


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")
    return int(text)


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0
    # Beyond a year per second, the clock would soon run out of representable dates.
    if not 0 < speed <= 366 * 86_400:
        raise ArgumentTypeError(f"{text!r} is not a speed above 0 and at most 31,622,400 (a year per second)")
    return speed
