"""Which of the things that a page describes is the page itself, and what is said of it."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from broadsheet.base import urls
from broadsheet.document.metadata.breadcrumbs import read_structured_trail
from broadsheet.document.metadata.collector import MetadataCollector
from broadsheet.document.metadata.properties import PROPERTIES, read_names, read_truth
from broadsheet.document.metadata.things import Thing, first_text, opened, plain

#: Addresses by which a thing or the page is known: how many of one place are compared, and the longest.
MAX_ADDRESSES: Final = 3
MAX_ADDRESS: Final = 4_000

#: What an article is called.
ARTICLES: Final = frozenset(
    (
        *("Article", "NewsArticle", "AdvertiserContentArticle", "AnalysisNewsArticle"),
        *("AskPublicNewsArticle", "BackgroundNewsArticle", "OpinionNewsArticle"),
        *("ReportageNewsArticle", "ReviewNewsArticle", "SatiricalArticle", "ScholarlyArticle"),
        *("MedicalScholarlyArticle", "TechArticle", "Report", "BlogPosting", "LiveBlogPosting"),
        *("SocialMediaPosting", "DiscussionForumPosting"),
    )
)
#: What the page itself is called; it says the same as its article, if less exactly.
PAGES: Final = frozenset(
    (
        *("WebPage", "AboutPage", "CheckoutPage", "CollectionPage", "ContactPage", "FAQPage"),
        *("ItemPage", "MediaGallery", "ImageGallery", "VideoGallery", "MedicalWebPage"),
        *("ProfilePage", "QAPage", "SearchResultsPage"),
    )
)
#: What a page without an article may be about.
OTHERS: Final = frozenset(
    (
        *("VideoObject", "AudioObject", "PodcastEpisode", "Episode", "TVEpisode", "RadioEpisode"),
        *("Clip", "ClaimReview", "Review", "CriticReview", "Recipe", "HowTo", "Event", "NewsEvent"),
        *("Product", "Book", "Movie", "Course", "JobPosting", "Dataset", "SoftwareApplication"),
    )
)


def read_things(things: list[Thing], addresses: list[str], findings: MetadataCollector) -> None:
    """Read what speaks of the page, the trails, the site's name, and which other things there are."""
    if not things:
        return
    chosen = about_page(things, addresses, findings.base)
    for thing in chosen:
        _read(thing, findings)
    others = set(map(id, things)) - set(map(id, chosen))
    for place, wanted in (("@type", False), ("@type elsewhere", True)):
        for thing in things:
            if (id(thing) in others) is wanted:
                for kind in thing.types:
                    findings.add("types", kind, f"{thing.markup} {place}", thing.node)
    for thing in things:
        if "BreadcrumbList" in thing.types:
            read_structured_trail(thing, findings)
        elif "WebSite" in thing.types:
            read_names(thing, thing.properties, thing.source("name"), "site_names", findings)


def about_page(things: list[Thing], addresses: list[str], base: str | None) -> list[Thing]:
    """Return the articles and pages that speak of this page; if there are none, the other things that do.

    One that is alone of its kind does so, and so does one without a type. Of several, those that give the
    page's address; if none does, the only one that gives no address. So a list of other articles is never
    taken for this one.
    """
    kinds = [[thing for thing in things if not kind.isdisjoint(thing.types)] for kind in (ARTICLES, PAGES, OTHERS)]
    articles, pages, others = (_of_this_page(alike, addresses, base) for alike in kinds)
    return [*(articles + pages or others), *(thing for thing in things if not thing.types)]


def _of_this_page(things: list[Thing], addresses: list[str], base: str | None) -> list[Thing]:
    if len(things) < 2:
        return things
    keys = _keys(addresses, base)
    stated = [(thing, _keys(_addresses(thing), base)) for thing in things]
    here = [thing for thing, own in stated if own & keys]
    nowhere = [thing for thing, own in stated if not own]
    return here or (nowhere if len(nowhere) == 1 else [])


def _keys(addresses: Iterable[str], base: str | None) -> set[str]:
    short = (address for address in addresses if len(address) <= MAX_ADDRESS)
    return {urls.key(urls.resolve(address, base) or address) for address in short}


def _addresses(thing: Thing) -> Iterator[str]:
    for name in ("url", "mainEntityOfPage", "@id"):
        for value in islice(opened(thing.properties.get(name)), MAX_ADDRESSES):
            address = first_text(value, "@id", "url") if isinstance(value, dict) else plain(value)
            # A bare name or a fragment tells things of one page apart, not pages.
            if address and "/" in address:
                yield address


def _read(thing: Thing, findings: MetadataCollector) -> None:
    for name, field, read in PROPERTIES:
        if name in thing.properties:
            for value in thing.values(name):
                read(thing, value, thing.source(name), field, findings)
    for part in thing.values("hasPart"):
        if isinstance(part, dict):
            for value in opened(part.get("isAccessibleForFree")):
                read_truth(thing, value, thing.source("hasPart.isAccessibleForFree"), "free_access", findings)
