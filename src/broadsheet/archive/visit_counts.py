"""What the archive counts by itself of its visits, by source."""

from collections import Counter
from itertools import chain

from broadsheet.base import statuses
from broadsheet.base.exchange import Exchange

VISITS_KEPT, REQUESTS_KEPT, BYTES_KEPT = "visits kept", "requests kept", "bytes kept"
#: How many of the visits were answered with 304.
NOT_MODIFIED_KEPT = "304 kept"


def counted(exchanges: tuple[Exchange, ...]) -> Counter[str]:
    """Return what a visit adds to the counters."""
    counts = Counter({VISITS_KEPT: 1, REQUESTS_KEPT: len(exchanges), BYTES_KEPT: wire_size(*exchanges)})
    if exchanges[-1].status == statuses.NOT_MODIFIED:
        counts[NOT_MODIFIED_KEPT] = 1
    return counts


def wire_size(*exchanges: Exchange) -> int:
    """Return how many bytes of headers and body some answers took."""
    # Each header ends in two characters and has two between its name and its value.
    return sum(
        len(exchange.body) + len("".join(chain.from_iterable(exchange.headers))) + 4 * len(exchange.headers)
        for exchange in exchanges
    )
