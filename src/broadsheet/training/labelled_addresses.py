"""Labelled addresses to learn from: those of news sites followed over time, and those of the labelled pages."""

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from broadsheet.base.domains import registrable_domain
from broadsheet.base.errors import InputError
from broadsheet.base.records import KINDS, Kind
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.labelled_page import PageLabels, Split
from broadsheet.pages.address import split

#: Sites that one publisher makes with one system: they are left out together, or the test would be no test.
_PUBLISHERS = {
    "gmx.net": "united-internet",
    "web.de": "united-internet",
    "spiegel.de": "spiegel",
    "spiegeldaily.de": "spiegel",
    "foxnews.com": "fox",
    "foxbusiness.com": "fox",
    "zeit.de": "zeit",
    "zeitfuerdieschule.de": "zeit",
}

#: Corpora whose kinds do not carry over: the first two repeat sites that are labelled address by address, one of them
#: with other kinds, and recipes are articles to some sites and not to others.
_LEFT_OUT = frozenset({"frontpages_de", "news_crawl_2017", "recipes"})


@dataclass(frozen=True, slots=True)
class LabelledAddress:
    """An address, the texts of links to it, what it leads to, and how sure that is."""

    url: str
    anchors: tuple[str, ...]
    kind: Kind
    site: str
    certain: bool

    @property
    def publisher(self) -> str:
        """Whose site it is; a publisher is never on both sides of a test."""
        return publisher_of(self.site)


def publisher_of(site: str) -> str:
    """Return who publishes a site: the site itself where it is not known to have siblings."""
    return _PUBLISHERS.get(site, site)


def followed_addresses(data: Path) -> list[LabelledAddress]:
    """Read the addresses of the followed sites, `temporal/gold/<site>.jsonl.gz`; those of unknown kind are left out."""
    files = sorted((data / "temporal" / "gold").glob("*.jsonl.gz"))
    if not files:
        raise InputError(f"{data}: no labelled addresses here (temporal/gold/<site>.jsonl.gz)")
    return [address for file in files for address in _followed(file)]


def _followed(file: Path) -> Iterator[LabelledAddress]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            kind = next((kind for kind in KINDS if kind == row["label"].lower()), None)
            # Files are judged by their extension alone, so there is nothing to learn from them.
            if kind and split(row["url"]).extension != "file":
                anchors = tuple(text for text in row["texts"] if text.strip())
                site = file.name.removesuffix(".jsonl.gz")
                yield LabelledAddress(row["url"], anchors, kind, site, row["confidence"] == "high")


def page_addresses(data: Path, of: Split) -> list[LabelledAddress]:
    """Read the addresses of the labelled pages of a split; an article's title stands for the text of a link to it."""
    corpora = [corpus for corpus in find_corpora([data / "pages"]) if corpus.name not in _LEFT_OUT]
    labels = (row for corpus in corpora for row in corpus.labels() if row.split == of)
    return list({address.url: address for address in _of_pages(labels)}.values())


def article_addresses(data: Path) -> list[LabelledAddress]:
    """Read the addresses of articles among the labelled pages of the training split.

    Their sections and other pages are mostly those of shops and companies, and teach little of news sites.
    """
    return [address for address in page_addresses(data, "train") if address.kind == "article"]


def _of_pages(labels: Iterable[PageLabels]) -> Iterator[LabelledAddress]:
    for row in labels:
        kind = next((kind for kind in KINDS if kind == row.kind), None)
        if not kind or not row.url:
            continue
        address = split(row.url)
        # Whether a whole site's address is a section depends on its being a news site, which no address tells.
        if address.path.strip("/") and address.extension != "file":
            anchors = (row.gold.title,) if row.gold.title and kind == "article" else ()
            yield LabelledAddress(row.url, anchors, kind, registrable_domain(row.url), certain=True)
