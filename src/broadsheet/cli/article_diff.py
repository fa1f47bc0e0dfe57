"""Two versions of an article side by side: what changed in its title, authors, date, description and text."""

from dataclasses import dataclass

from broadsheet.base.records import Article
from broadsheet.cli.word_diff import ParagraphChange, compare_paragraphs


@dataclass(frozen=True, slots=True)
class PartDiff:
    """A part of an article, such as its title or its text, with all its paragraphs."""

    part: str
    changes: tuple[ParagraphChange, ...]


def diff_articles(before: Article, after: Article) -> list[PartDiff]:
    """Return the parts of an article that changed, in the order in which they are read."""
    old, new = _parts(before), _parts(after)
    return [PartDiff(part, tuple(compare_paragraphs(old[part], new[part]))) for part in old if old[part] != new[part]]


def _parts(article: Article) -> dict[str, list[str]]:
    published = article.format_time("published") or ""
    return {
        "title": _lines(article.title or ""),
        "authors": list(article.authors),
        "date": _lines(published),
        "description": _lines(article.description or ""),
        "headings": list(article.headings),
        "text": _lines(article.body),
    }


def _lines(text: str) -> list[str]:
    return [paragraph for paragraph in text.split("\n\n") if paragraph]
