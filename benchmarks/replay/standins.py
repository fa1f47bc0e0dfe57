"""Real pages that stand in for targets that were never saved, dealt out by kind."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.replay.golden import KINDS, Golden
from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.labelled_page import PageLabels


@dataclass(frozen=True, slots=True)
class StandIn:
    """A page that stands in for others: its name, its kind, and the file that holds it."""

    id: str
    kind: str
    url: str | None
    language: str
    news_site: bool
    file: Path

    def read(self) -> bytes:
        """Return the page, which is UTF-8 whatever it declares."""
        return self.file.read_bytes()


def unpack(folder: Path, split: str | None, into: Path) -> list[StandIn]:
    """Unpack all pages of a known kind, or those of one split only, from the corpora of a folder."""

    def wanted(labels: PageLabels) -> bool:
        return labels.kind in KINDS.values() and split in {None, labels.split}

    pages = []
    inside = folder / "pages"
    for corpus in find_corpora([inside if inside.is_dir() else folder]):
        for number, page in enumerate(corpus.pages(wanted, Counters())):
            labels = page.labels
            file = into / f"{corpus.name}-{number}.html"
            file.write_bytes(page.html)
            language = (labels.language or "").lower()[:2]
            pages.append(StandIn(labels.id, labels.kind, labels.url, language, labels.news_site, file))
    missing = set(KINDS.values()) - {page.kind for page in pages}
    if missing:
        of_split = f" of split {split}" if split else ""
        raise InputError(f"{folder}: no pages{of_split} with page_type {' or '.join(sorted(missing))}")
    return pages


def deal(pages: Iterable[StandIn], targets: Iterable[Golden], language: str) -> Mapping[str, StandIn]:
    """Give each target a page of its kind, by key; a page is used again only when all of its kind are used."""
    dealt: dict[str, StandIn] = {}
    pages, targets = list(pages), list(targets)
    for kind in KINDS.values():
        pack = sorted(
            (page for page in pages if page.kind == kind),
            key=lambda page: (not page.news_site, page.language != language, _digest(page.id)),
        )
        waiting = sorted((golden.key for golden in targets if golden.kind == kind), key=_digest)
        dealt |= {key: pack[number % len(pack)] for number, key in enumerate(waiting)}
    return dealt


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=16).digest()
