"""The names of what is counted while pages are fetched and read; each has one name, wherever it is shown or stored."""

from types import MappingProxyType

REQUESTS = "requests"
ANSWERS = "answers"
UNANSWERED = "unanswered"
BYTES = "bytes"
RETRIES = "retries"
FAILED = "failed"
SKIPPED = "skipped"
ROBOTS_FILES = "robots.txt"
SNAPSHOTS = "snapshots"
VISITS = "visits"
UNCHANGED = "unchanged"
SECTIONS = "sections"
ARTICLES = "articles"
RENDERED = "rendered"
IN_FLIGHT = "in flight"
REVISITS = "revisits"
REVISIONS = "revisions"

#: The reason under which a snapshot is counted if the home page could not be fetched.
HOME_NOT_REACHED = "home page not reached"
#: The reasons under which a robots.txt is counted: it was truncated, or could not be fetched.
CUT, UNREACHABLE = "cut", "unreachable"

#: The meanings of the names; docs/reference/counters.md shows them.
MEANINGS = MappingProxyType(
    {
        REQUESTS: "HTTP requests sent; the report of a crawl and `status` exclude robots.txt and retries",
        ANSWERS: "responses received, by status",
        UNANSWERED: "requests that ended without a response",
        IN_FLIGHT: "requests that were sent and are waiting for a response",
        BYTES: "bytes of response bodies, as received",
        RETRIES: "requests that were retried, by reason",
        FAILED: "pages that could not be fetched or read, by reason",
        SKIPPED: "pages and links that were deliberately left out, by reason",
        ROBOTS_FILES: "robots.txt files that were truncated or could not be fetched",
        SNAPSHOTS: "times that a home page was asked for; those that did not reach it are counted by that reason",
        VISITS: "visits to home pages and sections",
        UNCHANGED: "visits to pages that had not changed since the last one",
        RENDERED: "pages whose scripts a browser ran",
        SECTIONS: "sections being followed",
        ARTICLES: "articles archived",
        REVISITS: "visits to articles that were archived already, by occasion",
        REVISIONS: "such visits that found a revision, or that the article is gone, by occasion",
    }
)
