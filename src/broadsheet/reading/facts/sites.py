"""What a page's site is called."""

from broadsheet.base.domains import registrable_domain
from broadsheet.document import Document


def site_names(document: Document) -> list[str]:
    """Return what the page calls its site, and the names that its address gives it."""
    names = [value.value for value in document.metadata.site_names]
    if document.url:
        domain = registrable_domain(document.url)
        names += [domain, f"www.{domain}", domain.partition(".")[0]]
    return list(dict.fromkeys(names))
