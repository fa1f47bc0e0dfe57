"""The text of an article that its page states only in JSON-LD: scripts show it, or only those who have subscribed."""

from broadsheet.document import Document
from broadsheet.document.metadata.schema_org import ARTICLES
from broadsheet.document.metadata.things import first_text, types_of
from broadsheet.reading._stated_text import to_plain_text

PROPERTY = "articleBody"
EVIDENCE = f"json-ld {PROPERTY}"
#: The stated text replaces what the reader found if it is so many times as long: below, it is the same with captions
#: and boxes, and the reader is right more often.
MUCH_LONGER = 2
#: Shorter texts are descriptions; in characters.
MIN_LENGTH = 250
#: JSON-LD objects searched.
MAX_OBJECTS = 200


def find_stated_body(document: Document, shown: str) -> str | None:
    """Return the text that the page states for its article, if it is much longer than the text that was read.

    A page that states several texts is a list of articles, and none of them is the text of the page.
    """
    least = max(MIN_LENGTH, MUCH_LONGER * len(shown))
    things = (dict(thing) for thing in document.metadata.json_ld[:MAX_OBJECTS] if PROPERTY in thing)
    stated = {first_text(thing, PROPERTY) or "" for thing in things if not ARTICLES.isdisjoint(types_of(thing))}
    if len(stated) != 1 or len(raw := stated.pop()) < least:
        return None
    body = to_plain_text(raw)
    return body if len(body) >= least else None
