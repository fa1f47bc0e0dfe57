"""The child process behind `fetching`: it receives URLs, sends back outcomes and exits with its parent."""

# On import, this searches the stack and all modules three times, so it comes while there are few of either.
import scrapy.core.downloader.contextfactory  # noqa: F401

# isort: split
from broadsheet.base.clock import SystemClock
from broadsheet.base.companion import connect_to_parent
from broadsheet.base.manners import Manners
from broadsheet.base.wire import Wire
from broadsheet.crawling import _outcome_packets, live_crawl
from broadsheet.crawling.fetch_messages import Outcome, Request


def main() -> None:
    """Fetch the URLs of the first packet and send the outcomes."""
    wire = connect_to_parent()
    packet = wire.receive()
    if packet is None:
        return
    requests = [Request(url, tag=str(number)) for number, url in enumerate(packet.head["urls"])]
    manners = Manners(**packet.head["manners"])
    live_crawl.crawl(requests, lambda outcome: _send(outcome, wire), manners=manners, clock=SystemClock())


def _send(outcome: Outcome, wire: Wire) -> tuple[()]:
    wire.send(_outcome_packets.to_packet(outcome))
    return ()
