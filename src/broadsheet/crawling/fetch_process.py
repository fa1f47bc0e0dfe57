"""The process that fetches for another: what to fetch comes in, outcomes go out; it ends with its parent."""

from broadsheet.base.clock import SystemClock
from broadsheet.base.companion import connect_to_parent
from broadsheet.base.manners import Manners
from broadsheet.base.wire import Wire
from broadsheet.crawling import frames, live_crawl
from broadsheet.crawling.fetch_messages import Outcome, Request


def main() -> None:
    """Fetch the URLs that the first packet names, and send what came of them."""
    wire = connect_to_parent()
    packet = wire.receive()
    if packet is None:
        return
    requests = [Request(url, tag=str(number)) for number, url in enumerate(packet.head["urls"])]
    manners = Manners(**packet.head["manners"])
    live_crawl.crawl(requests, lambda outcome: _tell(outcome, wire), manners=manners, clock=SystemClock())


def _tell(outcome: Outcome, wire: Wire) -> tuple[()]:
    wire.send(frames.to_packet(outcome))
    return ()
