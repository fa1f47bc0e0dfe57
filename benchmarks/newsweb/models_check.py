"""What our models make of real pages and of planned ones: where they do much better here, the pages are too easy."""

import json
import lzma
import tarfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean

import broadsheet
from benchmarks.newsweb.made_sites import START
from broadsheet.corpora.measures import word_overlap
from broadsheet.newsweb.drawn_sites import JUDGING_SEED, draw_sites, is_for_judging
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.site_services import kind_of_service, service_paths
from broadsheet.newsweb.web import NewsWeb

#: The largest difference at which two scores count as equal.
MAX_DIFFERENCE = 0.03
#: A normal variable lies within so many standard deviations of its mean in 95 % of cases.
STANDARD_ERRORS = 1.96
#: Labelled pages of news sites; those for development, on which the models were not trained.
NEWS_CORPORA = (
    "pages/frontpages_de",
    "pages/hand_labelled",
    "pages/fundus",
    "pages/fundus_eval",
    "pages/zyte_aeb",
)
#: Home pages and articles of all kinds of sites that carried news, among them shops, institutions and social networks.
MIXED_CORPUS = "more/metahtml"
#: Labelled bodies of today's articles.
BODY_CORPORA = (
    "pages/fundus",
    "pages/fundus_eval",
    "pages/zyte_aeb",
    "pages/newspaper",
    "pages/readability",
    "pages/wcxb",
)
#: The kinds of services that a planned site has in turn: as many of its services show all of them.
SERVICES = 8
#: No corpus and no planned site contributes more pages of one kind.
MAX_PAGES = 80


@dataclass(frozen=True, slots=True)
class KnownPage:
    """A page, its kind, and the body of an article."""

    content: bytes
    url: str
    kind: str
    body: str | None = None


@dataclass(frozen=True, slots=True)
class ModelScore:
    """How well something is done on real and on planned pages, and on how many."""

    name: str
    real: float
    made: float
    real_pages: int
    made_pages: int
    #: Whether the scores are shares of pages; else they are means.
    is_share: bool = True

    @property
    def alike(self) -> bool:
        """Whether the two scores count as equal."""
        return abs(self.real - self.made) <= MAX_DIFFERENCE

    @property
    def interval(self) -> tuple[float, float]:
        """Between which shares the real one lies with 95 % confidence, if pages were independent (Wilson)."""
        number, square = self.real_pages, STANDARD_ERRORS**2
        middle = self.real + square / (2 * number)
        spread = STANDARD_ERRORS * sqrt(self.real * (1 - self.real) / number + square / (4 * number**2))
        return (middle - spread) / (1 + square / number), (middle + spread) / (1 + square / number)


def check_models(data: Path, seed: int, sites: int) -> list[ModelScore]:
    """Score identification for each kind of page, and the default reader, on both webs."""
    made = list(_made_pages(seed, sites))
    made_hits = _identified(made)
    news = _identified([*(page for corpus in NEWS_CORPORA for page in _sample(_read(data, corpus))), *_fronts(data)])
    mixed = _identified(_sample(_read(data, MIXED_CORPUS)))
    scores = [*_compared("news sites", news, made_hits), *_compared("mixed sites", mixed, made_hits)]
    bodies = [
        page for corpus in BODY_CORPORA for page in _sample(_read(data, corpus)) if page.body and page.kind == "article"
    ]
    read_real, read_made = _read_bodies(bodies), _read_bodies(page for page in made if page.body)
    return [
        *scores,
        ModelScore(
            "default reader: words", fmean(read_real), fmean(read_made), len(read_real), len(read_made), is_share=False
        ),
    ]


def _compared(name: str, real: dict[str, list[bool]], made: dict[str, list[bool]]) -> list[ModelScore]:
    return [
        ModelScore(f"identify: {kind}, {name}", fmean(real[kind]), fmean(made[kind]), len(real[kind]), len(made[kind]))
        for kind in ("article", "section", "other")
        if real[kind] and made[kind]
    ]


def _identified(pages: Iterable[KnownPage]) -> dict[str, list[bool]]:
    hits: dict[str, list[bool]] = defaultdict(list)
    for page in pages:
        hits[page.kind].append(broadsheet.identify(page.content, url=page.url).kind == page.kind)
    return hits


def _read_bodies(pages: Iterable[KnownPage]) -> list[float]:
    scores = []
    for page in pages:
        article = broadsheet.extract(page.content, url=page.url, force=True)
        scores.append(word_overlap(article.body if article else "", page.body or "").score.f)
    return scores


def _sample(pages: Iterable[KnownPage]) -> list[KnownPage]:
    by_kind: dict[str, list[KnownPage]] = defaultdict(list)
    for page in pages:
        by_kind[page.kind].append(page)
    return [page for group in by_kind.values() for page in Random(1).sample(group, min(MAX_PAGES, len(group)))]


def _read(data: Path, corpus: str) -> Iterator[KnownPage]:
    name = Path(corpus).name
    with tarfile.open(data / f"{corpus}.tar.xz") as archive:
        labels: dict[str, dict[str, str]] = {}
        contents: dict[str, bytes] = {}
        for member in archive:
            stream = archive.extractfile(member)
            if stream is None:
                continue
            if member.name == f"{name}/labels.jsonl":
                labels = {row["id"]: row for row in map(json.loads, stream)}
            elif member.name.endswith(".html"):
                contents[Path(member.name).stem] = stream.read()
        for key, row in labels.items():
            if key in contents and row["page_type"] != "unknown" and row["split"] == "dev":
                yield KnownPage(contents[key], row["url"], row["page_type"], row.get("body"))


def _fronts(data: Path) -> Iterator[KnownPage]:
    """Yield the first saved front of each page of the news sites that were saved on some days."""
    for file in sorted((data / "more" / "days").glob("*/html.tar.xz")):
        with lzma.open(file.parent / "links.jsonl.xz", "rt") as rows:
            addresses = {row["page"]: row["url"] for row in map(json.loads, rows)}
        with tarfile.open(file) as archive:
            for member in archive:
                stream = archive.extractfile(member)
                if stream and (url := addresses.pop(Path(member.name).parent.name, None)):
                    yield KnownPage(stream.read(), url, "section")


def _made_pages(seed: int, sites: int) -> Iterator[KnownPage]:
    drawn = draw_sites(seed, sites)
    # Seeds below those for judging may be looked at while the news web is changed, the layouts for judging never.
    web = NewsWeb(sites=[site for site in drawn if seed >= JUDGING_SEED or not is_for_judging(seed, site)])
    for site in web.sites:
        for url, body in _urls(web, site):
            page, response = web.truth(url, START), web.fetch(url, START)
            if page and response.status == 200:
                text = None
                if page.article and body:
                    text = " ".join((page.article.standfirst, page.article.crosshead, *page.part))
                yield KnownPage(response.body, url, page.kind, text)


def _urls(web: NewsWeb, site: Site) -> Iterator[tuple[str, bool]]:
    """Yield some addresses of each kind, and whether the page has a body."""
    base = f"http://{site.host}"
    tops = [section for section in site.sections if section.parent is None]
    yield from ((base + path, False) for path in ("/", *(site.paths.to_section(each.slug) for each in tops[:3])))
    yield from ((base + site.paths.to_legal(name), False) for name in ("imprint", "privacy"))
    # Overviews of services are lists, which the annotation guide calls sections and the news web other pages.
    kinds = [kind_of_service(number) for number in range(SERVICES)]
    services = zip(service_paths(site), kinds, strict=False)
    yield from ((base + path, False) for path, kind in services if kind != "overview")
    articles = web.articles(START - timedelta(hours=12), START, site=site)
    yield from ((article.url, True) for article in articles[-4:])
