"""What sources have made the catalogue keep, held against their quotas."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from broadsheet.archive import Writer
from broadsheet.base import reasons
from broadsheet.base.quotas import Quotas
from broadsheet.base.reasons import Reason

#: A page that is only linked to costs about 1.4 kB in the catalogue; a source earns it with a ninth of that in what it
#: sends. So many are free, as the first page of a site may say much in few bytes.
BYTES_PER_PAGE = 160
FREE_PAGES = 1_000
DAY = timedelta(days=1)


@dataclass(slots=True)
class _Account:
    """The pages of one source, those that are new on the day that ends at `until`, and the bytes that it has sent."""

    until: datetime
    pages: int
    new: int
    bytes: int


class Ledger:
    """Says whether a source may have another page in the catalogue; it counts once, and adds up from then on."""

    def __init__(self, writer: Writer, quotas: Quotas) -> None:
        """Know no source yet."""
        self._writer = writer
        self._quotas = quotas
        self._accounts: dict[str, _Account] = {}

    def earn(self, source: str, number: int, at: datetime) -> None:
        """Enter bytes that a source has sent."""
        self._account(source, at).bytes += number

    def refusal(self, source: str, at: datetime) -> Reason | None:
        """Enter a new page of a source; where there is no room for it, return why."""
        account = self._account(source, at)
        if account.pages >= self._quotas.max_pages:
            return reasons.OVER_PAGES
        if account.new >= self._quotas.max_new_links:
            return reasons.OVER_NEW_LINKS
        if account.pages >= FREE_PAGES + account.bytes // BYTES_PER_PAGE:
            return reasons.OVER_BYTES
        account.pages += 1
        account.new += 1
        return None

    def _account(self, source: str, at: datetime) -> _Account:
        account = self._accounts.get(source)
        if account is None:
            midnight = _midnight(at)
            account = _Account(midnight + DAY, *self._writer.footprint(source, midnight))
            self._accounts[source] = account
        elif account.until <= at:
            account.until, account.new = _midnight(at) + DAY, 0
        return account


def _midnight(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
