"""Decides which of the described things is the page itself, and reads its properties."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import islice
from typing import Final

from broadsheet.base import urls
from broadsheet.document.metadata._breadcrumbs import read_structured_trail
from broadsheet.document.metadata._properties import PROPERTIES, read_boolean, read_names
from broadsheet.document.metadata.collector import MetadataCollector
from broadsheet.document.metadata.things import Thing, as_text, first_text, iter_values

#: How many URLs from one place are compared to identify a thing or the page, and the longest, in characters.
MAX_URLS: Final = 3
MAX_URL: Final = 4_000

#: The types of an article.
ARTICLES: Final = frozenset(
    (
        *("Article", "NewsArticle", "AdvertiserContentArticle", "AnalysisNewsArticle"),
        *("AskPublicNewsArticle", "BackgroundNewsArticle", "OpinionNewsArticle"),
        *("ReportageNewsArticle", "ReviewNewsArticle", "SatiricalArticle", "ScholarlyArticle"),
        *("MedicalScholarlyArticle", "TechArticle", "Report", "BlogPosting", "LiveBlogPosting"),
        *("SocialMediaPosting", "DiscussionForumPosting"),
    )
)
#: The types of the page itself; its properties are those of its article, only less precise.
PAGES: Final = frozenset(
    (
        *("WebPage", "AboutPage", "CheckoutPage", "CollectionPage", "ContactPage", "FAQPage"),
        *("ItemPage", "MediaGallery", "ImageGallery", "VideoGallery", "MedicalWebPage"),
        *("ProfilePage", "QAPage", "SearchResultsPage"),
    )
)
#: The types of things that a page without an article may be about.
OTHERS: Final = frozenset(
    (
        *("VideoObject", "AudioObject", "PodcastEpisode", "Episode", "TVEpisode", "RadioEpisode"),
        *("Clip", "ClaimReview", "Review", "CriticReview", "Recipe", "HowTo", "Event", "NewsEvent"),
        *("Product", "Book", "Movie", "Course", "JobPosting", "Dataset", "SoftwareApplication"),
    )
)


def read_things(things: list[Thing], page_urls: list[str], collector: MetadataCollector) -> None:
    """Read the things that describe the page, the breadcrumb trails, the site's name, and the types of other things."""
    if not things:
        return
    selected = select_about_page(things, page_urls, collector.base)
    for thing in selected:
        _read(thing, collector)
    others = set(map(id, things)) - set(map(id, selected))
    for place, wanted in (("@type", False), ("@type elsewhere", True)):
        for thing in things:
            if (id(thing) in others) is wanted:
                for kind in thing.types:
                    collector.add("types", kind, f"{thing.markup} {place}", thing.node)
    for thing in things:
        if "BreadcrumbList" in thing.types:
            read_structured_trail(thing, collector)
        elif "WebSite" in thing.types:
            read_names(thing, thing.properties, thing.source("name"), "site_names", collector)


def select_about_page(things: list[Thing], page_urls: list[str], base: str | None) -> list[Thing]:
    """Return the articles and pages that describe this page; if there are none, other things that do.

    A thing that is the only one of its kind describes the page, and so does one without a type. Of several, those
    with the page's URL do; if none has it, the only one without any URL does. So a list of other articles is never
    mistaken for this one.
    """
    # Mostly there is only one thing of a kind, and then the page's URLs do not matter.
    page_keys = cache(partial(_keys, page_urls, base))
    articles, pages = (_of_this_page(things, kind, page_keys, base) for kind in (ARTICLES, PAGES))
    about = articles + pages or _of_this_page(things, OTHERS, page_keys, base)
    return [*about, *(thing for thing in things if not thing.types)]


def _of_this_page(
    things: list[Thing], kind: frozenset[str], page_keys: Callable[[], set[str]], base: str | None
) -> list[Thing]:
    same_kind = [thing for thing in things if not kind.isdisjoint(thing.types)]
    if len(same_kind) < 2:
        return same_kind
    things_and_keys = [(thing, _keys(_stated_urls(thing), base)) for thing in same_kind]
    with_page_url = [thing for thing, keys in things_and_keys if keys & page_keys()]
    without_url = [thing for thing, keys in things_and_keys if not keys]
    return with_page_url or (without_url if len(without_url) == 1 else [])


def _keys(stated_urls: Iterable[str], base: str | None) -> set[str]:
    short = (url for url in stated_urls if len(url) <= MAX_URL)
    return {urls.key(urls.resolve(url, base) or url) for url in short}


def _stated_urls(thing: Thing) -> Iterator[str]:
    for name in ("url", "mainEntityOfPage", "@id"):
        for value in islice(iter_values(thing.properties.get(name)), MAX_URLS):
            url = first_text(value, "@id", "url") if isinstance(value, dict) else as_text(value)
            # A bare name or a fragment only distinguishes things within a page.
            if url and "/" in url:
                yield url


def _read(thing: Thing, collector: MetadataCollector) -> None:
    for name, field, read in PROPERTIES:
        if name in thing.properties:
            for value in thing.values(name):
                read(thing, value, thing.source(name), field, collector)
    for part in thing.values("hasPart"):
        if isinstance(part, dict):
            for value in iter_values(part.get("isAccessibleForFree")):
                read_boolean(thing, value, thing.source("hasPart.isAccessibleForFree"), "free_access", collector)
