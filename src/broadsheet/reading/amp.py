"""AMP: whether a page is one, and where the AMP form of a page is."""

from broadsheet.base import urls
from broadsheet.document import Document
from broadsheet.document.metadata import Value
from broadsheet.document.tags import CODES

#: The sign that the root of such a page may be marked with in place of `amp`; a variant of it has a second character.
_LIGHTNING = "\u26a1"
_HTML = CODES["html"]


def is_amp(document: Document) -> bool:
    """Tell whether a page says to be an AMP page."""
    # The parser makes one `html` of all that a page has, and it is the root.
    if document.nodes.tag[0] != _HTML:
        return False
    names = map(str, document.element(0).keys())
    return any(name == "amp" or name.startswith(_LIGHTNING) for name in names)


def find_amp(document: Document) -> Value | None:
    """Return the address of the page's AMP form, where there is one besides the page itself."""
    for value in document.metadata.amp:
        address = urls.resolve(value.value, document.base_url)
        if address and address != document.url:
            return value._replace(value=address)
    return None
