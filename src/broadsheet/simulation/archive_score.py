"""Compare an archive of the simulated news web with the truth."""

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from broadsheet.archive import SourceRecord, Store, StoredArticle
from broadsheet.corpora.measures import overlap
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.truth import ArticleTruth
from broadsheet.newsweb.web import NewsWeb


@dataclass(frozen=True, slots=True)
class ArchiveScore:
    """How much of what a site published between the first and the last snapshot was archived.

    `older` counts archived articles from before the first snapshot that were still linked; `wrong` counts archived
    pages that are not articles, `twice` duplicates. `titles` counts exact titles; `text` is the mean word F1 of the
    texts against the articles as they were when fetched.
    """

    source: str
    sections: int
    sections_found: int
    published: int
    archived: int
    older: int
    wrong: int
    twice: int
    titles: int
    text: float

    @property
    def recall(self) -> float:
        """The share of the articles published during the crawl that were archived."""
        return self.archived / self.published if self.published else 1.0

    def to_dict(self) -> dict[str, object]:
        """Return all figures as JSON types."""
        return {**asdict(self), "recall": round(self.recall, 4)}


def score(
    archive: Store, source: SourceRecord, web: NewsWeb, site: Site, later: timedelta = timedelta()
) -> ArchiveScore:
    """Compare the archived pages of a site with what it published from when it was added until the last snapshot.

    `later` extends that period.
    """
    until = last_visit(archive, source) + later
    truth = {_path(article.url): article for article in web.articles(source.added_at, until, site=site)}
    sections = {_path(page.url) for page in web.permanent_pages(site, until) if page.subtype == "front"}
    archived_sections = {_path(record.url) for record in archive.sections(source.key)}
    stored = {_path(item.article.url or ""): item for item in archive.articles(source=source.key)}
    copies = sum(1 for _ in archive.articles(source=source.key)) - len(stored)
    pairs = {path: (item, _truth(web, site, path, item.fetched_at)) for path, item in stored.items()}
    right = [(item, article) for item, article in pairs.values() if article is not None]
    return ArchiveScore(
        source=source.url,
        sections=len(sections),
        sections_found=len(sections & archived_sections),
        published=len(truth),
        archived=len(truth.keys() & stored.keys()),
        older=sum(1 for path, (_, article) in pairs.items() if article is not None and path not in truth),
        wrong=len(pairs) - len(right),
        twice=copies,
        titles=sum(1 for item, article in right if _words(item.article.title or "") == _words(article.title)),
        text=round(sum(_text_f1(item, article) for item, article in right) / max(1, len(right)), 4),
    )


def last_visit(archive: Store, source: SourceRecord) -> datetime:
    """Return when the home page of a source was last fetched."""
    home = archive.pages([source.key]).get(source.key)
    return home.fetch.fetched_at if home and home.fetch.fetched_at else source.added_at


def _path(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def _truth(web: NewsWeb, site: Site, path: str, at: datetime) -> ArticleTruth | None:
    page = web.truth(web.home(site).rstrip("/") + path, at)
    return page.article if page else None


def _text_f1(item: StoredArticle, truth: ArticleTruth) -> float:
    wanted = _words(" ".join((truth.standfirst, truth.crosshead, *truth.paragraphs)))
    return overlap(_words(item.article.body), wanted).score.f


def _words(text: str) -> list[str]:
    """Split a text into words; scripts without spaces are split into characters."""
    return [word for part in text.split() for word in (part if part and ord(part[0]) >= 0x2E80 else [part])]
