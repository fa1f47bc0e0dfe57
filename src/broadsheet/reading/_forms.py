"""The form of an article: a live blog, one of several pages, an AMP page."""

from broadsheet.base.records import Reading
from broadsheet.document import Document
from broadsheet.reading._amp import find_amp, is_amp
from broadsheet.reading._live_blog import find_live_blog
from broadsheet.reading._multipage import find_pagination
from broadsheet.reading.facts import Facts


def add_forms(document: Document, reading: Reading, facts: Facts) -> None:
    """Add the entries of a live blog, the position among several pages, and the AMP page, as far as they exist."""
    if blog := find_live_blog(document, reading):
        facts.add("entries", blog.entries, blog.evidence)
    if pagination := find_pagination(document):
        for name, value in (
            ("page_number", pagination.number),
            ("next_page", pagination.next),
            ("previous_page", pagination.previous),
        ):
            if value is not None:
                facts.add(name, value, pagination.evidence)
    if is_amp(document):
        facts.add("is_amp", True, "html amp")
    if amp := find_amp(document):
        facts.add("amp_url", amp.value, amp.source)
