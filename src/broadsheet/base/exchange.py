"""One HTTP exchange as it went over the wire: what is fetched and what is archived are the same record."""

from dataclasses import dataclass
from datetime import datetime, timedelta

#: Names and values in the order they came; a name may come several times.
Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and its answer; a redirect is an exchange of its own.

    The body is as received: its content encoding (gzip, …) is still on it, its transfer encoding is not.
    `at` is when the answer had come, `address` the IP address it came from.
    """

    url: str
    at: datetime
    status: int
    headers: Headers
    body: bytes
    asked: Headers = ()
    address: str | None = None
    protocol: str = "HTTP/1.1"

    def __post_init__(self) -> None:
        """Refuse a time that is not UTC."""
        if self.at.utcoffset() != timedelta():
            raise ValueError(f"an exchange's time is in UTC: {self.at.isoformat()} is not")

    def header(self, name: str) -> str | None:
        """Return the first value of a header, whatever the case of its name."""
        wanted = name.lower()
        return next((value for given, value in self.headers if given.lower() == wanted), None)
