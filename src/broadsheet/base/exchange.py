"""One HTTP exchange as sent and received; fetching and archiving share this record."""

from dataclasses import dataclass
from datetime import datetime, timedelta

#: Names and values in the order received; a name may occur several times.
Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and its response; each redirect is a separate exchange.

    The body still has its content encoding (gzip, …), but not its transfer encoding. `at` is when the response was
    complete, `asked` the request's headers, `address` the server's IP address. `rendered` is the page as its scripts
    left it, in UTF-8, if a browser ran them.
    """

    url: str
    at: datetime
    status: int
    headers: Headers
    body: bytes
    asked: Headers = ()
    address: str | None = None
    protocol: str = "HTTP/1.1"
    rendered: bytes | None = None

    def __post_init__(self) -> None:
        """Refuse a time that is not UTC."""
        if self.at.utcoffset() != timedelta():
            raise ValueError(f"an exchange's time must be in UTC: {self.at.isoformat()} is not")

    def header(self, name: str) -> str | None:
        """Return the first value of a header; names are case-insensitive."""
        wanted = name.lower()
        for given, value in self.headers:
            if given.lower() == wanted:
                return value
        return None
