"""Pages fetched once, politely, in a process of their own: from anywhere, as often as one likes."""

import contextlib
from collections.abc import Generator, Iterable
from dataclasses import asdict
from importlib.util import find_spec

from broadsheet.base.companion import Companion
from broadsheet.base.manners import Manners
from broadsheet.base.wire import Packet
from broadsheet.crawling import frames
from broadsheet.crawling.crawl_errors import CrawlError
from broadsheet.crawling.fetch_messages import Outcome

_CHILD = "broadsheet.crawling.fetch_process"


def fetch(urls: Iterable[str], manners: Manners) -> Generator[Outcome]:
    """Give what came of each URL, as it comes; the tag of a request is the URL's place among those given.

    Whoever stops listening, be it by Ctrl-C, ends the fetching.
    """
    wanted = list(urls)
    if not wanted:
        return
    if find_spec("scrapy") is None:
        raise CrawlError("fetching pages needs: pip install 'broadsheet[crawl]'")
    with Companion.start(_CHILD) as child:
        yield from _outcomes(child, Packet({"urls": wanted, "manners": asdict(manners)}), len(wanted))


def _outcomes(child: Companion, job: Packet, wanted: int) -> Generator[Outcome]:
    with contextlib.suppress(ConnectionError):
        # A process that is gone already is noticed when it is listened to.
        child.wire.send(job)
    told = 0
    while (packet := child.wire.receive()) is not None:
        told += 1
        yield frames.of_packet(packet)
    if told < wanted:
        raise CrawlError(f"the process that fetches ended with {child.process.wait()} before its work was done")
