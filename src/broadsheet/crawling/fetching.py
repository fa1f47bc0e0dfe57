"""Fetch pages politely in a child process, so that any program can do it any number of times."""

import contextlib
from collections.abc import Generator, Iterable
from dataclasses import asdict
from importlib.util import find_spec

from broadsheet.base.companion import Companion
from broadsheet.base.manners import Manners
from broadsheet.base.wire import Packet
from broadsheet.crawling import _outcome_packets
from broadsheet.crawling.crawl_errors import CrawlError
from broadsheet.crawling.fetch_messages import Outcome

_CHILD = "broadsheet.crawling.fetch_process"


def fetch(urls: Iterable[str], manners: Manners) -> Generator[Outcome]:
    """Yield the outcome of each URL as it arrives; the tag of its request is the index of the URL.

    Closing the generator, for example by Ctrl-C, ends the fetching.
    """
    wanted = list(urls)
    if not wanted:
        return
    if find_spec("scrapy") is None:
        raise CrawlError("fetching pages needs Scrapy: pip install 'broadsheet[crawl]'")
    with Companion.start(_CHILD) as child:
        yield from _outcomes(child, Packet({"urls": wanted, "manners": asdict(manners)}), len(wanted))


def _outcomes(child: Companion, job: Packet, wanted: int) -> Generator[Outcome]:
    with contextlib.suppress(ConnectionError):
        # A child that has died already is noticed when receiving.
        child.wire.send(job)
    received = 0
    while (packet := child.wire.receive()) is not None:
        received += 1
        yield _outcome_packets.from_packet(packet)
    if received < wanted:
        code = child.process.wait()
        raise CrawlError(f"the fetching process ended early (exit code {code}), after {received} of {wanted} pages")
