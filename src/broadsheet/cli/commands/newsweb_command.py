"""`broadsheet newsweb serve|describe`: a simulated news web, served over HTTP or described as rows."""

import contextlib
import errno
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import UTC, date, datetime, timedelta
from threading import Event

from broadsheet.base.clock import AcceleratedClock, SystemClock
from broadsheet.base.errors import InputError
from broadsheet.cli import exits
from broadsheet.cli.arguments import seed
from broadsheet.cli.command import UsageError
from broadsheet.cli.console import Console
from broadsheet.cli.text_table import Row
from broadsheet.newsweb.drawn_sites import SITE_KINDS, draw_site
from broadsheet.newsweb.knob_settings import list_knobs, set_knob
from broadsheet.newsweb.server import NewsServer, serve
from broadsheet.newsweb.site import Site, make_site
from broadsheet.newsweb.truth import ArticleTruth, PageTruth
from broadsheet.newsweb.web import NewsWeb

_EXAMPLES = """\
examples:
  broadsheet newsweb serve                                  three sites, in real time
  broadsheet newsweb serve --port 8600 --speed 3600         an hour of news every second
  broadsheet newsweb describe --sites 5 --seed 7            describe five sites
  broadsheet newsweb describe --at 2026-03-02T12:00 --days 1 --articles | jq .title
  broadsheet newsweb describe --planned --kind trapped --knobs
  broadsheet newsweb describe --planned --page http://NAME.example/ --at 2026-03-02T12:00 --links
  broadsheet newsweb serve --planned --with knobs.trouble.failing=0.5 --with extras.calendar=true
"""
#: The options of each action, with their defaults.
_OPTIONS: dict[str, dict[str, object]] = {
    "serve": {"port": 0, "speed": 1.0, "start": None},
    "describe": {"at": None, "days": 7, "articles": False, "knobs": False, "page": None, "links": False},
}
_PAGE_COLUMNS = ("url", "kind", "subtype", "language", "changed", "status", "bytes", "links")
_LINK_COLUMNS = ("group", "position", "role", "url", "text")
_ARTICLE_COLUMNS = ("published", "site", "section", "language", "title", "authors", "modified")


def configure(parser: ArgumentParser) -> None:
    """Declare the action, the news web, and the options of each action."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "action",
        metavar="|".join(_OPTIONS),
        choices=list(_OPTIONS),
        help="serve the news web over HTTP, or describe its sites",
    )
    parser.add_argument("--sites", type=_number_up_to(50), default=3, metavar="N", help="how many sites (default: 3)")
    parser.add_argument(
        "--seed", type=seed, default=1, metavar="S", help="another seed gives different sites (default: 1)"
    )
    parser.add_argument(
        "--planned", action="store_true", help="sites drawn to be like real ones, instead of small well-behaved ones"
    )
    parser.add_argument("--kind", choices=list(SITE_KINDS), help="with --planned: all sites of one kind")
    parser.add_argument(
        "--with",
        action="append",
        type=_setting,
        default=[],
        dest="turned",
        metavar="KNOB=VALUE",
        help="set a knob of all sites",
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
    describing.add_argument("--knobs", action="store_true", default=None, help="list the knobs of each site")
    describing.add_argument("--page", metavar="URL", help="describe one page at this time")
    describing.add_argument("--links", action="store_true", default=None, help="with --page: list its links")


def execute(args: Namespace, console: Console) -> int:
    """Serve or describe the news web."""
    options = _options(args)
    web = NewsWeb(sites=_sites(args))
    if args.action == "serve":
        _serve(web, options, console)
    else:
        _describe(web, options, console)
    return exits.DONE


def _sites(args: Namespace) -> list[Site]:
    if args.kind and not args.planned:
        raise UsageError("--kind is for planned sites: give --planned as well")
    sites = []
    for index in range(args.sites):
        site = draw_site(args.seed, index, args.kind) if args.planned else make_site(args.seed, index)
        for name, value in args.turned:
            site = set_knob(site, name, value)
        sites.append(site)
    return sites


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
    with _server(web, AcceleratedClock(system_clock, start, options.speed), options.port) as server:
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


def _server(web: NewsWeb, clock: AcceleratedClock, port: int) -> NewsServer:
    try:
        return serve(web, clock, port=port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            why = "is in use by another program"
        else:
            why = f"cannot be opened: {error.strerror or error}"
        raise InputError(
            f"port {port} {why}; choose another one with --port, or leave it out for any free port"
        ) from error


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
    if options.links and not options.page:
        raise UsageError("--links lists the links of a page: name it with --page")
    if options.page:
        page = web.truth(options.page, end)
        if page is None:
            raise InputError(f"there is no page {options.page} at {end.isoformat(timespec='minutes')}")
        rows = map(asdict, page.links) if options.links else [_page_row(web, page, options.page, end)]
        console.rows(rows, _LINK_COLUMNS if options.links else _PAGE_COLUMNS)
    elif options.knobs:
        console.rows(_knob_rows(web), ("site", "knob", "value"))
    elif options.articles:
        console.rows(map(_article_row, web.articles(start, end)), _ARTICLE_COLUMNS)
    else:
        columns = ("site", "template", "languages", "sections", "articles_a_day", "pages")
        console.rows(_site_rows(web, start, end), columns)


def _knob_rows(web: NewsWeb) -> Iterator[Row]:
    for site in web.sites:
        for name, value in list_knobs(site):
            yield {"site": site.slug, "knob": name, "value": str(value) if isinstance(value, date) else value}


def _page_row(web: NewsWeb, page: PageTruth, url: str, at: datetime) -> Row:
    response = web.fetch(url, at)
    return {
        "url": page.url,
        "kind": page.kind,
        "subtype": page.subtype,
        "site": page.site,
        "template": page.template,
        "language": page.language,
        "changed": page.changed.isoformat(),
        "status": response.status,
        "bytes": len(response.body),
        "links": len(page.links),
        "roles": dict(Counter(link.role for link in page.links)),
        "article": page.article and _article_row(page.article),
    }


def _site_rows(web: NewsWeb, start: datetime, end: datetime) -> Iterator[Row]:
    for site in web.sites:
        articles = len(web.articles(start, end, site=site, outlines=True))
        yield {
            "site": site.slug,
            "name": site.name,
            "url": web.home(site),
            "template": site.template,
            **({} if site.plan is None else {"kind": site.plan.kind, "layout": site.plan.layout.name}),
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


def _setting(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not name or not separator:
        raise ArgumentTypeError(f"{text!r} is not a knob and its value (knobs.feed=missing)")
    return name, value


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
