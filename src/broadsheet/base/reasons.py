"""The reasons why pages fail or are skipped: names to count by, with meanings and advice.

Exceptions, counters, progress, `status` and the docs all use these names.
"""

from collections.abc import Iterator
from functools import cache
from typing import Self

from broadsheet.base import counter_names, statuses


class Reason(str):
    """A short name to count by, with its meaning and advice.

    `setting` names the setting that affects it and `value` gives an example of another value, in which `{site}` stands
    for the site concerned; in `advice`, `{change}` stands for how to change that setting.
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
        """Create a reason, by default for a failure."""
        reason = super().__new__(cls, name)
        reason.meaning, reason.advice, reason.setting, reason.value = meaning, advice, setting, value
        reason.event = event or counter_names.FAILED
        return reason

    @property
    def is_skip(self) -> bool:
        """Whether the page is deliberately left out, as opposed to failing."""
        return self.event == counter_names.SKIPPED


def _skip(name: str, meaning: str, advice: str = "", setting: str = "", value: str = "") -> Reason:
    return Reason(name, meaning, advice, setting, value, counter_names.SKIPPED)


_LATER = "the site may have a temporary problem: try again later"
_CHECK = "check the URL"

# A request without a usable response.
ADDRESS = Reason(
    "address",
    "every IP address of the host is outside the public internet",
    "{change} allows addresses of this machine, for example",
    "crawl.allow_networks",
    "127.0.0.0/8",
)
CERTIFICATE = Reason(
    "certificate",
    "the server's certificate has expired, is for another host, or is not trusted; the detail says which",
    "{change} fetches from this site without verifying its certificate",
    "crawl.unverified",
    "{site}",
)
CONNECTION = Reason("connection", "the connection was refused, reset or cut short, or the response is not HTTP", _LATER)
ENCODING = Reason(
    "encoding",
    "the `Content-Encoding` is unknown or does not match the body, or over 1,000 gzip members or zstd frames",
    _LATER,
)
NAME = Reason(
    "name",
    "the host name could not be resolved",
    "check the spelling of the host name, and whether this machine is online",
)
REDIRECTS = Reason(
    "redirects",
    "more redirects than `max_redirects`, or a redirect loop",
    "open the URL in a browser to see where it leads",
)
ROBOTS = Reason(
    "robots",
    "robots.txt disallows the page",
    "ask the site for permission; if you have it, {change} ignores robots.txt",
    "crawl.robots",
    "false",
)
ROBOTS_UNREACHABLE = Reason(
    "robots unreachable", "robots.txt could not be fetched: status 5xx or 429, a timeout, no connection", _LATER
)
SCHEME = Reason("scheme", "a URL, or the target of a redirect, is neither http nor https", _CHECK)
STATUS = Reason("status", "the HTTP status is not between 100 and 999; the response is not kept", _LATER)
TIMEOUT = Reason("timeout", "the response took longer than `timeout`", "{change} waits longer", "crawl.timeout", "120")
TOO_LARGE = Reason(
    "too large",
    "the response has more than `max_bytes` on the wire, more than 256 KB or 1,000 lines of headers, more than 50,000 "
    "chunks, or more than 2,000 chunks of fewer than 16 bytes on average",
    "{change} accepts larger responses",
    "crawl.max_bytes",
    "50000000",
)
TOO_LARGE_DECOMPRESSED = Reason(
    "too large decompressed",
    "the decoded body is larger than `max_decompressed_bytes`",
    "{change} accepts larger responses",
    "crawl.max_decompressed_bytes",
    "100000000",
)
UNEXPECTED = Reason(
    "unexpected", "any other error; the detail names it", "this is a bug in Broadsheet: please report it"
)
URL = Reason(
    "url",
    "not a valid URL, a host with a label that is empty or longer than 63 characters, or a redirect to a URL longer "
    "than 2,000 characters",
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

# A page that was fetched but cannot be read.
UNREADABLE = Reason("unreadable", "the page could not be parsed; the detail says why")
TOO_LONG = Reason(
    "too long",
    "the page is larger than `limits.max_bytes`",
    "{change} raises the limit",
    "limits.max_bytes",
    "100000000",
)
TOO_MANY_NODES = Reason(
    "too many nodes",
    "the page has more tags than `limits.max_nodes`",
    "{change} raises the limit",
    "limits.max_nodes",
    "2000000",
)
TOO_DEEP = Reason(
    "too deep", "elements nest deeper than `limits.max_depth`", "{change} raises the limit", "limits.max_depth", "10000"
)
TOO_TANGLED = Reason(
    "too tangled",
    "the number of tags times their depth exceeds `limits.max_work`",
    "{change} raises the limit",
    "limits.max_work",
    "1000000000",
)
ATTRIBUTE_TOO_LONG = Reason(
    "attribute too long",
    "an attribute is longer than `limits.max_attribute_bytes`",
    "{change} raises the limit",
    "limits.max_attribute_bytes",
    "20000000",
)
TOO_MANY_ATTRIBUTES = Reason(
    "too many attributes",
    "a tag has more attributes than `limits.max_attributes`",
    "{change} raises the limit",
    "limits.max_attributes",
    "10000",
)
TOO_MANY_LINES = Reason("too many lines", "the page has more lines of text than any article")
TOO_SLOW = Reason("too slow", "processing the page took too long and was stopped")
TOO_MUCH_MEMORY = Reason("too much memory", "processing the page took too much memory and was stopped")
ENTITIES = Reason("declares entities", "a feed or sitemap has a DTD of its own, which could declare entities")
CRASHED = Reason("crashed", "the process that was working on the page died", UNEXPECTED.advice)
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
    ENTITIES,
    CRASHED,
)

# A page or link that is deliberately left out.
FEED = _skip(
    "feed", "the response is an RSS, Atom or JSON feed", "give the URL of the home page that the feed belongs to"
)
NOT_HTML = _skip("not HTML", "the response is not an HTML page but an image, a PDF, …", "give the URL of a home page")
EMPTY = _skip("empty", "the response has no content", _LATER)
LEFT = _skip("left the site", "the URL redirects to another site", "give the URL that it redirects to")
DUPLICATE = _skip("duplicate", "the page is already archived under another URL")
SOFT_404 = _skip(
    "soft 404",
    "an archived article has been replaced by a page with status 200 that is not an article, such as an error page",
)
ADDRESS_TOO_LONG = _skip("address too long", "the URL is longer than 2,000 characters")
HREF_TOO_LONG = _skip("href too long", "the `href` of a link is too long to be resolved")
TOO_MANY_LINKS = _skip("too many links", "the page has more links than are examined")
TOO_MANY_LINK_BYTES = _skip("too many bytes of links", "the links of the page are longer in total than is examined")
TOO_MANY_FOREIGN_HOSTS = _skip(
    "too many foreign hosts", "the page links to more hosts with non-ASCII names than are examined"
)
OVER_PAGE_LINKS = _skip("too many links on a page", "more links on one page than `source.max_page_links`")
OVER_PAGE_ROWS = _skip(
    "too many link occurrences on a page", "more link occurrences on one page than `source.max_page_rows`"
)
OVER_NEW_LINKS = _skip("too many new links in a day", "more new links in one day than `source.max_new_links`")
OVER_PAGES = _skip("too many pages of the source", "more known pages of the source than `source.max_pages`")
OVER_BYTES = _skip("more links than its bytes pay for", "more pages than the bytes received from the source allow for")
OVER_SECTIONS = _skip("too many sections", "more sections than `source.max_sections`")
OVER_SECTION_CANDIDATES = _skip(
    "too many section candidates", "more pages that may be sections in one day than `source.max_section_candidates`"
)
OVER_TARGETS = _skip(
    "too many targets to follow", "more pages linked to than are followed over time; those no longer linked to go first"
)
LINKS_UNREADABLE = _skip(
    "earlier links not readable", "judged without how links behaved, because the archive's rows are damaged"
)
CONTINUATION = _skip("further page of an article", "could not be fetched, so the article was archived without it")
OVER_ARTICLE_PAGES = _skip("too many pages of an article", "continues an article of more than 20 pages")
OVER_DEPTH = _skip("too many further pages", "lies deeper in a list than the ten pages that are visited at one time")
OVER_RENDERS = _skip("too many pages to render", "more pages in one hour that need a browser than `source.max_renders`")
NOT_RENDERED = _skip("not rendered", "read without running its scripts, because the browser could not do that")
FORGOTTEN = _skip(
    "forgotten", "the page was removed from the archive with `broadsheet forget`, and is not fetched again"
)
NOT_A_FEED = _skip("not a feed", "what was to be a feed or sitemap is something else, such as a page")
ITEM_ADDRESS = _skip("item without an address", "an item of a feed has no URL, or none that can be fetched")
ITEM_DATE = _skip("wrong date in a feed", "it, or many in the feed, cannot be read, lies ahead, or is before 1994")
FOREIGN_ITEM = _skip("item of another site", "an item of a feed leads to another site")
OLD_ITEM = _skip("old item", "an item that was in a feed already when the feed was found, and is over two days old")
OVER_FEED_ITEMS = _skip("too many items in a feed", "more items than are read or kept of one feed; the newest count")
FOREIGN_FEED = _skip("feed of another site", "a site names a feed or sitemap on another site as its own")
OVER_FEEDS = _skip("too many feeds", "more feeds and sitemaps of the source than `source.max_feeds`")
OVER_SITEMAPS = _skip("too many sitemaps in an index", "more sitemaps in one index than are followed; the newest count")
SITEMAP_TOO_DEEP = _skip("sitemap too deep", "sitemap indexes that lead to each other without an end")
STOPPED = _skip("stopped", "not fetched, because the crawl was stopped")
DEADLINE = _skip("deadline", "not fetched, because the time of the crawl was up")
WITHDRAWN = _skip("withdrawn", "not fetched for now, because its source was paused, removed or given another pace")
SKIPPING = (
    FEED,
    NOT_HTML,
    EMPTY,
    LEFT,
    DUPLICATE,
    SOFT_404,
    ADDRESS_TOO_LONG,
    HREF_TOO_LONG,
    TOO_MANY_LINKS,
    TOO_MANY_LINK_BYTES,
    TOO_MANY_FOREIGN_HOSTS,
    OVER_PAGE_LINKS,
    OVER_PAGE_ROWS,
    OVER_NEW_LINKS,
    OVER_PAGES,
    OVER_BYTES,
    OVER_SECTIONS,
    OVER_SECTION_CANDIDATES,
    OVER_TARGETS,
    LINKS_UNREADABLE,
    CONTINUATION,
    OVER_ARTICLE_PAGES,
    OVER_DEPTH,
    OVER_RENDERS,
    NOT_RENDERED,
    FORGOTTEN,
    NOT_A_FEED,
    ITEM_ADDRESS,
    ITEM_DATE,
    FOREIGN_ITEM,
    OLD_ITEM,
    OVER_FEED_ITEMS,
    FOREIGN_FEED,
    OVER_FEEDS,
    OVER_SITEMAPS,
    SITEMAP_TOO_DEEP,
    STOPPED,
    DEADLINE,
    WITHDRAWN,
)

#: Reasons worth a retry.
TRANSIENT = frozenset((CONNECTION, NAME, TIMEOUT))


@cache
def answered(status: int) -> Reason:
    """Return the reason for a response whose status is an error."""
    name, meaning = f"answered {status}", "the site answered with this status instead of a page"
    if status in statuses.DENIED:
        advice = "the site refuses crawlers, or visitors without an account; {change} tells it who is asking"
        return Reason(name, meaning, advice, "crawl.contact", "you@example.org")
    if status in statuses.GONE:
        return Reason(name, meaning, "there is no such page: check the URL")
    if status == statuses.TOO_MANY_REQUESTS:
        return Reason(name, meaning, "{change} sends requests less often", "crawl.delay", "10")
    if status in statuses.PASSING or status in statuses.SERVER_ERRORS:
        return Reason(name, meaning, _LATER)
    return Reason(name, meaning, "open the URL in a browser to see what the site expects")


def named(name: str) -> Reason:
    """Return the reason with a name that was stored or sent; an unknown one has no meaning or advice."""
    return _table().get(name) or Reason(name)


def every() -> Iterator[Reason]:
    """Yield all reasons except those for statuses."""
    yield from (*FETCHING, *READING, *SKIPPING)


@cache
def _table() -> dict[str, Reason]:
    return {reason: reason for reason in (*every(), *map(answered, statuses.ALL))}
