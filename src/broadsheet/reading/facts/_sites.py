"""The names of a page's site."""

from broadsheet.base.domains import registrable_domain
from broadsheet.document import Document


def site_names(document: Document) -> tuple[str, ...]:
    """Return the names of the site in the page's metadata and those derived from its domain."""
    return document.derive(_find_names)


def _find_names(document: Document) -> tuple[str, ...]:
    names = [value.value for value in document.metadata.site_names]
    if document.url:
        domain = registrable_domain(document.url)
        names += [domain, f"www.{domain}", domain.partition(".")[0]]
    return tuple(dict.fromkeys(names))
