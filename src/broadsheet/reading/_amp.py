"""AMP: whether a page is an AMP page, and where its AMP version is."""

from broadsheet.base import urls
from broadsheet.document import Document
from broadsheet.document.metadata import Value
from broadsheet.document.tags import CODES

#: The attribute that AMP pages may have instead of `amp`; one variant has a second character.
_LIGHTNING = "\u26a1"
_HTML = CODES["html"]


def is_amp(document: Document) -> bool:
    """Tell whether a page declares itself an AMP page."""
    # The parser merges all `html` elements into the root.
    if document.nodes.tag[0] != _HTML:
        return False
    return any(name == "amp" or name.startswith(_LIGHTNING) for name in document.columns.attributes.names(0))


def find_amp(document: Document) -> Value | None:
    """Return the URL of the page's AMP version, unless it is the page itself."""
    for value in document.metadata.amp:
        address = urls.resolve(value.value, document.base_url)
        if address and address != document.url:
            return value._replace(value=address)
    return None
