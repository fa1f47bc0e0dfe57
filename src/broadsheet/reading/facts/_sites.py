"""The names of a page's site."""

from broadsheet.base.domains import registrable_domain
from broadsheet.document import Document


def site_names(document: Document) -> list[str]:
    """Return the names of the site in the page's metadata and those derived from its domain."""
    names = [value.value for value in document.metadata.site_names]
    if document.url:
        domain = registrable_domain(document.url)
        names += [domain, f"www.{domain}", domain.partition(".")[0]]
    return list(dict.fromkeys(names))
