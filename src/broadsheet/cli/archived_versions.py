"""The versions of an article in an archive, as a command line names them: by address and number."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from broadsheet.base import urls
from broadsheet.base.errors import InputError

if TYPE_CHECKING:
    from broadsheet.archive import PageRecord, Store, StoredArticle


def find_versions(archive: "Store", url: str) -> "Sequence[StoredArticle]":
    """Return the versions of the article at an address, or of the article that it duplicates."""
    key = urls.key(url)
    if versions := archive.versions(key):
        return versions
    page = archive.pages((key,)).get(key)
    if page and page.duplicate_of and (versions := archive.versions(page.duplicate_of)):
        return versions
    known = f"; that page was {_fate(page)}, and `broadsheet why` says more" if page else ""
    raise InputError(f"{archive.folder}: contains no article at {url}{known}")


def _fate(page: "PageRecord") -> str:
    return f"judged {page.kind}" if page.kind else "not judged"


def choose_version(versions: "Sequence[StoredArticle]", number: int | None, url: str) -> "StoredArticle":
    """Return the version with a number, by default the newest."""
    matches = [stored for stored in versions if number in {None, stored.version}]
    if not matches:
        newest = versions[-1].version
        raise InputError(f"{url}: has no version {number}, only {f'1 to {newest}' if newest > 1 else 'version 1'}")
    return matches[-1]
