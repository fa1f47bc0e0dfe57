"""Why a page fails or is skipped: one table of names to count by, with their meanings and what can be done about them.

The same name is used by exceptions, counters, progress, `status` and the docs.
"""

from collections.abc import Iterator
from functools import cache
from typing import Self

from broadsheet.base import events, statuses


class Reason(str):
    """A short name to count by that also knows what it means.

    `setting` is the setting that decides over it and `value` an example of another value for it, where `{site}`
    stands for the site in question; `{change}` in `advice` stands for the way to change that setting.
    """

    __slots__ = ("advice", "event", "meaning", "setting", "value")

    meaning: str
    event: str
    advice: str
    setting: str
    value: str

    def __new__(  # noqa: PLR0913, PLR0917 - one row of the table
        cls, name: str, meaning: str = "", advice: str = "", setting: str = "", value: str = "", event: str = ""
    ) -> Self:
        """Make a reason, which is one to fail unless another event is given."""
        made = super().__new__(cls, name)
        made.meaning, made.advice, made.setting, made.value = meaning, advice, setting, value
        made.event = event or events.FAILED
        return made

    @property
    def is_skip(self) -> bool:
        """Whether a page is left out on purpose, instead of failing."""
        return self.event == events.SKIPPED


def _skip(name: str, meaning: str, advice: str = "", setting: str = "", value: str = "") -> Reason:
    return Reason(name, meaning, advice, setting, value, events.SKIPPED)


_LATER = "the site may be in trouble: try again later"
_CHECK = "check the address"

# A request gets no answer that can be kept.
ADDRESS = Reason(
    "address",
    "all addresses of the host are outside the public internet",
    "{change} allows addresses of this machine, for instance",
    "crawl.allow_networks",
    "127.0.0.0/8",
)
CERTIFICATE = Reason(
    "certificate",
    "the server's certificate has expired, is for another host, is self-signed or not trusted; the detail says which",
    "{change} fetches from this site all the same",
    "crawl.unverified",
    "{site}",
)
CONNECTION = Reason("connection", "refused, reset, cut short, or not HTTP", _LATER)
ENCODING = Reason(
    "encoding",
    "the body does not match `Content-Encoding`, the encoding is unknown, or there are over 1,000 gzip members or zstd "
    "frames",
    _LATER,
)
NAME = Reason(
    "name",
    "the host name is unknown",
    "check the spelling of the address, and whether this machine is online",
)
REDIRECTS = Reason(
    "redirects", "more than `max_redirects`, or a loop", "open the address in a browser to see where it leads"
)
ROBOTS = Reason(
    "robots",
    "robots.txt disallows it",
    "ask the site for permission; with it, {change} disregards robots.txt",
    "crawl.robots",
    "false",
)
ROBOTS_UNREACHABLE = Reason(
    "robots unreachable", "robots.txt could not be fetched: 5xx, 429, a timeout, no connection", _LATER
)
SCHEME = Reason("scheme", "neither http nor https, on any hop", _CHECK)
STATUS = Reason("status", "the status is not between 100 and 999; the answer is not among the exchanges", _LATER)
TIMEOUT = Reason(
    "timeout", "the whole answer took longer than `timeout`", "{change} waits longer", "crawl.timeout", "120"
)
TOO_LARGE = Reason(
    "too large",
    "more than `max_bytes` on the wire, more than 256 KB or 1,000 lines of headers, more than 50,000 chunks, or more "
    "than 2,000 chunks of fewer than 16 bytes on average",
    "{change} takes longer answers",
    "crawl.max_bytes",
    "50000000",
)
TOO_LARGE_DECOMPRESSED = Reason(
    "too large decompressed",
    "more than `max_decompressed_bytes` after decompression",
    "{change} takes longer answers",
    "crawl.max_decompressed_bytes",
    "100000000",
)
UNEXPECTED = Reason(
    "unexpected", "anything else; the detail names the error", "this is a fault of the program: please report it"
)
URL = Reason(
    "url",
    "not an address, a host with a label that is empty or longer than 63 characters, or a redirect to an address of "
    "more than 2,000 characters",
    _CHECK,
)
FETCHING = (
    ADDRESS,
    CERTIFICATE,
    CONNECTION,
    ENCODING,
    NAME,
    REDIRECTS,
    ROBOTS,
    ROBOTS_UNREACHABLE,
    SCHEME,
    STATUS,
    TIMEOUT,
    TOO_LARGE,
    TOO_LARGE_DECOMPRESSED,
    UNEXPECTED,
    URL,
)

# A page came, and cannot be read.
UNREADABLE = Reason("unreadable", "nothing can be made of the page; the detail says why")
TOO_LONG = Reason(
    "too long", "more bytes than `limits.max_bytes`", "{change} reads it", "limits.max_bytes", "100000000"
)
TOO_MANY_NODES = Reason(
    "too many nodes", "more tags than `limits.max_nodes`", "{change} reads it", "limits.max_nodes", "2000000"
)
TOO_DEEP = Reason(
    "too deep", "elements nest deeper than `limits.max_depth`", "{change} reads it", "limits.max_depth", "10000"
)
TOO_TANGLED = Reason(
    "too tangled",
    "tags times their depth exceed `limits.max_work`",
    "{change} reads it",
    "limits.max_work",
    "1000000000",
)
ATTRIBUTE_TOO_LONG = Reason(
    "attribute too long",
    "an attribute is longer than `limits.max_attribute_bytes`",
    "{change} reads it",
    "limits.max_attribute_bytes",
    "20000000",
)
TOO_MANY_ATTRIBUTES = Reason(
    "too many attributes",
    "a tag has more attributes than `limits.max_attributes`",
    "{change} reads it",
    "limits.max_attributes",
    "10000",
)
TOO_MANY_LINES = Reason("too many lines", "more lines of text than any article")
TOO_SLOW = Reason("too slow", "the work on the page took too long and was ended")
TOO_MUCH_MEMORY = Reason("too much memory", "the work on the page took too much memory and was ended")
CRASHED = Reason("crashed", "the process that worked on the page died", UNEXPECTED.advice)
READING = (
    UNREADABLE,
    TOO_LONG,
    TOO_MANY_NODES,
    TOO_DEEP,
    TOO_TANGLED,
    ATTRIBUTE_TOO_LONG,
    TOO_MANY_ATTRIBUTES,
    TOO_MANY_LINES,
    TOO_SLOW,
    TOO_MUCH_MEMORY,
    CRASHED,
)

# A page or link is left out on purpose.
FEED = _skip("feed", "an RSS, Atom or JSON feed", "name the home page that the feed belongs to")
NOT_HTML = _skip("not HTML", "an answer that is not a page: a picture, a PDF, …", "name the address of a home page")
EMPTY = _skip("empty", "an answer without content", _LATER)
LEFT = _skip("left the site", "the address leads to another site", "name the address that it leads to")
DUPLICATE = _skip("duplicate", "archived already under another address")
KEPT_ELSEWHERE = _skip("kept by another source", "the page belongs to another source of the archive")
ADDRESS_TOO_LONG = _skip("address too long", "an address of more than 2,000 characters")
HREF_TOO_LONG = _skip("href too long", "a link whose address is too long to be looked at")
TOO_MANY_LINKS = _skip("too many links", "links of one page beyond those that are looked at")
TOO_MANY_LINK_BYTES = _skip("too many bytes of links", "links of one page beyond the bytes that are looked at")
TOO_MANY_FOREIGN_HOSTS = _skip("too many foreign hosts", "links of one page to further hosts in other scripts")
OVER_PAGE_LINKS = _skip("too many links on a page", "more than `source.max_page_links`")
OVER_PAGE_ROWS = _skip("too many link occurrences on a page", "more than `source.max_page_rows`")
OVER_ROUND_LINKS = _skip("too many links in a round", "more than `source.max_round_links`")
OVER_NEW_LINKS = _skip("too many new links in a day", "more than `source.max_new_links`")
OVER_PAGES = _skip("too many pages of the source", "more than `source.max_pages`")
OVER_BYTES = _skip("more links than its bytes pay for", "more pages than the bytes that the source has sent pay for")
OVER_SECTIONS = _skip("too many sections", "more than `source.max_sections`")
OVER_BUDGET = _skip("over the round's budget", "more than `source.max_fetches`; left for the next round")
STOPPED = _skip("stopped", "not fetched any more, because the crawl was told to end")
DEADLINE = _skip("deadline", "not fetched any more, because the time of the crawl was over")
SKIPPING = (
    FEED,
    NOT_HTML,
    EMPTY,
    LEFT,
    DUPLICATE,
    KEPT_ELSEWHERE,
    ADDRESS_TOO_LONG,
    HREF_TOO_LONG,
    TOO_MANY_LINKS,
    TOO_MANY_LINK_BYTES,
    TOO_MANY_FOREIGN_HOSTS,
    OVER_PAGE_LINKS,
    OVER_PAGE_ROWS,
    OVER_ROUND_LINKS,
    OVER_NEW_LINKS,
    OVER_PAGES,
    OVER_BYTES,
    OVER_SECTIONS,
    OVER_BUDGET,
    STOPPED,
    DEADLINE,
)

#: What may go better a little later.
TRANSIENT = frozenset((CONNECTION, NAME, TIMEOUT))


@cache
def answered(status: int) -> Reason:
    """Return the reason of an answer that is not the page."""
    name, meaning = f"answered {status}", "the site answered with this status instead of the page"
    if status in statuses.DENIED:
        advice = "the site refuses this program, or everybody without an account; {change} tells it who is asking"
        return Reason(name, meaning, advice, "crawl.contact", "you@example.org")
    if status in statuses.GONE:
        return Reason(name, meaning, "there is no such page: check the address")
    if status == statuses.TOO_MANY_REQUESTS:
        return Reason(name, meaning, "{change} asks less often", "crawl.delay", "10")
    if status in statuses.PASSING or status in statuses.SERVER_ERRORS:
        return Reason(name, meaning, _LATER)
    return Reason(name, meaning, "open the address in a browser to see what the site expects")


def named(name: str) -> Reason:
    """Return the reason of a name that was stored or sent; one that is not known says nothing but its name."""
    return _table().get(name) or Reason(name)


def every() -> Iterator[Reason]:
    """Give all reasons that have a name of their own, which is all but the statuses."""
    yield from (*FETCHING, *READING, *SKIPPING)


@cache
def _table() -> dict[str, Reason]:
    return {reason: reason for reason in (*every(), *map(answered, statuses.ALL))}
