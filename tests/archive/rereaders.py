"""What stands for the newsroom in a repair."""

from broadsheet.archive import Reread
from broadsheet.base.exchange import Exchange
from broadsheet.base.records import Kind


class NothingRead:
    """Reads nothing again."""

    def learn(self, url: str, exchange: Exchange) -> None:
        """Learn nothing."""

    def read(self, url: str, exchange: Exchange, known: Kind | None) -> Reread:
        """Find nothing."""
        del url, exchange, known
        return Reread()
