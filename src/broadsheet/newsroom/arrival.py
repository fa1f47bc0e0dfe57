"""From a page that came in to a document, or the reason why there is none."""

from broadsheet.base.errors import InputError
from broadsheet.base.limits import Limits
from broadsheet.crawling.messages import Page
from broadsheet.document import Document, parse
from broadsheet.newsroom.errors import NoPage

_HTML = frozenset({"text/html", "application/xhtml+xml", ""})


def reason(error: InputError) -> str:
    """Return what an arrival is counted as that gave no document."""
    return "not HTML" if isinstance(error, NoPage) else "refused page: " + str(error).partition(" is ")[0]


def document_of(page: Page, limits: Limits) -> Document:
    """Parse a page that came whole; anything but HTML is refused."""
    stated = page.exchanges[-1].header("content-type") or ""
    kind = stated.partition(";")[0].strip().lower()
    if kind not in _HTML:
        raise NoPage(f"it is {kind}")
    if not page.content.strip():
        raise NoPage("it is empty")
    return parse(page.content, page.url, content_type=stated, limits=limits)
