"""Labelled URLs to learn from: those of news sites followed over time, and those of the labelled pages."""

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from broadsheet.base.domains import registrable_domain
from broadsheet.base.errors import InputError
from broadsheet.base.records import KINDS, Kind
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.kind_errata import with_corrected_kind
from broadsheet.corpora.labelled_page import PageLabels, Split
from broadsheet.pages.address import split

#: Sites that one publisher runs on one system: they are held out together, or the test would leak.
_PUBLISHERS = {
    "gmx.net": "united-internet",
    "web.de": "united-internet",
    "spiegel.de": "spiegel",
    "spiegeldaily.de": "spiegel",
    "foxnews.com": "fox",
    "foxbusiness.com": "fox",
    "zeit.de": "zeit",
    "zeitfuerdieschule.de": "zeit",
    "bbc.co.uk": "bbc",
    "bbc.com": "bbc",
    "elcomercio.pe": "el-comercio",
    "diariocorreo.pe": "el-comercio",
}

#: Corpora that would mislead: the first two repeat sites whose URLs are labelled one by one, one of them with other
#: kinds, and recipes are articles on some sites and not on others.
_EXCLUDED = frozenset({"frontpages_de", "news_crawl_2017", "recipes"})


@dataclass(frozen=True, slots=True)
class LabelledAddress:
    """A URL, the anchor texts of links to it, the kind of its page, and whether that label is certain."""

    url: str
    anchors: tuple[str, ...]
    kind: Kind
    site: str
    certain: bool
    #: Whether the site was saved on a few days only, and labelled by rules over its addresses.
    brief: bool = False

    @property
    def publisher(self) -> str:
        """The publisher of the site; never both trained on and tested on."""
        return publisher_of(self.site)


def publisher_of(site: str) -> str:
    """Return the publisher of a site: its registrable domain, unless it has known siblings."""
    domain = registrable_domain(f"https://{site}/")
    return _PUBLISHERS.get(domain, domain)


def followed_addresses(data: Path) -> list[LabelledAddress]:
    """Read the labelled URLs of the followed sites, except those of unknown kind.

    They are in `temporal/gold/<site>.jsonl.gz`, and in `more/days/<site>/gold.jsonl.gz` for sites saved on a few days.
    """
    long = {file.name.removesuffix(".jsonl.gz"): file for file in (data / "temporal" / "gold").glob("*.jsonl.gz")}
    if not long:
        raise InputError(f"{data}: no labelled URLs here (expected temporal/gold/<site>.jsonl.gz)")
    brief = {file.parent.name: file for file in (data / "more" / "days").glob("*/gold.jsonl.gz")}
    return [
        address
        for files, is_brief in ((long, False), (brief, True))
        for site, file in sorted(files.items())
        for address in site_addresses(site, file, is_brief)
    ]


def site_addresses(site: str, file: Path, brief: bool) -> Iterator[LabelledAddress]:
    """Read the labelled URLs of one site that was followed."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            kind = next((kind for kind in KINDS if kind == row["label"].lower()), None)
            # Files are identified by their extension alone, so there is nothing to learn from them.
            if kind and split(row["url"]).extension != "file":
                anchors = tuple(text for text in row["texts"] if text.strip())
                yield LabelledAddress(row["url"], anchors, kind, site, row["confidence"] == "high", brief)


def page_addresses(data: Path, of: Split) -> list[LabelledAddress]:
    """Read the URLs of the labelled pages of a split; an article's title serves as the anchor text of a link to it."""
    corpora = [corpus for corpus in find_corpora([data / "pages"]) if corpus.name not in _EXCLUDED]
    # A title that is wrong may still be the text of a link, so only kinds are corrected.
    labels = (with_corrected_kind(row) for corpus in corpora for row in corpus.labels() if row.split == of)
    return list({address.url: address for address in _from_labels(labels)}.values())


def article_addresses(data: Path) -> list[LabelledAddress]:
    """Read the URLs of articles among the labelled pages of the training split.

    The sections and other pages there are mostly those of shops and companies, and teach little about news sites.
    """
    return [address for address in page_addresses(data, "train") if address.kind == "article"]


def _from_labels(labels: Iterable[PageLabels]) -> Iterator[LabelledAddress]:
    for row in labels:
        kind = next((kind for kind in KINDS if kind == row.kind), None)
        if not kind or not row.url:
            continue
        address = split(row.url)
        # A home page is a section only on a news site, which its URL cannot tell.
        if address.path.strip("/") and address.extension != "file":
            anchors = (row.gold.title,) if row.gold.title and kind == "article" else ()
            yield LabelledAddress(row.url, anchors, kind, registrable_domain(row.url), certain=True)
