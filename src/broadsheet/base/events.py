"""What is counted while pages are fetched and read: each event has one name, wherever it is shown or stored."""

from types import MappingProxyType

REQUESTS = "requests"
ANSWERS = "answers"
UNANSWERED = "unanswered"
BYTES = "bytes"
RETRIES = "retries"
FAILED = "failed"
SKIPPED = "skipped"
ROBOTS_FILES = "robots.txt"
ROUNDS = "rounds"
VISITS = "visits"
UNCHANGED = "unchanged"
SECTIONS = "sections"
ARTICLES = "articles"
IN_FLIGHT = "in flight"

#: Where a round is counted, but the home page did not come.
HOME_NOT_REACHED = "home page not reached"
#: What a robots.txt is counted for: it was too long to be read to its end, or could not be had.
CUT, UNREACHABLE = "cut", "unreachable"

#: What each name means, as docs/reference/counters.md shows it.
MEANINGS = MappingProxyType(
    {
        REQUESTS: "HTTP requests sent; the row of a crawl and `status` leave out robots.txt and repeated tries",
        ANSWERS: "answers that came, by status",
        UNANSWERED: "requests that ended without an answer",
        IN_FLIGHT: "requests that were sent and whose answers have not come yet",
        BYTES: "bytes of bodies as received",
        RETRIES: "requests that were sent again, by the reason for it",
        FAILED: "pages that could not be fetched or read, by reason",
        SKIPPED: "pages and links that were left out on purpose, by reason",
        ROBOTS_FILES: "robots.txt files that were cut short, or could not be fetched",
        ROUNDS: "rounds of a source, those without its home page by that reason",
        VISITS: "visits to home pages and sections",
        UNCHANGED: "visits to pages that had not changed since the last one",
        SECTIONS: "sections that are followed",
        ARTICLES: "articles that were archived",
    }
)
