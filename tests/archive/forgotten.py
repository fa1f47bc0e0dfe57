"""Archives in which something is forgotten, and the addresses that are left in their files."""

from pathlib import Path

from broadsheet.archive import Store, scan
from broadsheet.base import urls
from tests.archive.samples import NOON


def forget_(archive: Store, *targets: str, because: str = "", purge: bool = False) -> None:
    with archive.writer() as writer:
        writer.forget(archive.plan_forgetting(*targets, because=because, now=NOON))
        if purge:
            writer.purge()


def addresses(folder: Path) -> set[str]:
    """Return the keys of all addresses in the archive's WARC files."""
    return {
        urls.key(found.record.headers["warc-target-uri"])
        for path in (folder / "warc").iterdir()
        for found in scan.records(path)
        if "warc-target-uri" in found.record.headers
    }
