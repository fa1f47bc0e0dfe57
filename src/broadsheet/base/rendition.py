"""Renderings of an article: a one-line summary, Markdown, plain text and schema.org."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from broadsheet.base.records import Article, Block

_HEADING = re.compile(r"/h([1-6])(?:\[\d+\])?(?:/|\Z)")
_ITEM = re.compile(r"/li(?:\[\d+\])?(?:/|\Z)")
_SPECIAL = re.compile(r"([\\`*_\[\]<>])")
# At the beginning of a line these would start a list, a heading or a quotation.
_LEADING = re.compile(r"^(?=[#+\-=|~])|^(\d+)(?=[.)]\s)", re.MULTILINE)

#: The longest title or URL in a summary.
_SHOWN = 60


def summary(article: "Article") -> str:
    """Return title, day, word count and URL in one line; words are separated by white space."""
    day = article.published.date().isoformat() if article.published else "no date"
    parts = [format_title(article.title), day, format_word_count(len(article.body.split()))]
    return ", ".join(parts if article.url is None else [*parts, format_title(article.url)])


def format_word_count(words: int) -> str:
    """Format a word count."""
    return f"{words:,} word{'' if words == 1 else 's'}"


def format_title(text: str | None) -> str:
    """Return the repr of a title, which escapes line breaks and control characters, truncated if it is long."""
    if not text:
        return "no title"
    quoted = repr(text)
    return quoted if len(quoted) <= _SHOWN + 2 else f"{quoted[:_SHOWN]}…{quoted[0]}"


def markdown(article: "Article") -> str:
    """Return the title, a byline with authors and date, and the text with headings and lists, as Markdown."""
    parts = [f"# {_one_line(article.title)}"] if article.title else []
    if byline := ", ".join(filter(None, (*article.authors, article.format_time("published")))):
        parts.append(f"*{_one_line(byline)}*")
    items_before = False
    blocks = shown_blocks(article)
    if not blocks:
        parts += map(_paragraph, filter(None, article.body.split("\n\n")))
    for block in blocks:
        line = _block(block)
        if is_item(block) and items_before:
            parts[-1] += f"\n{line}"
        else:
            parts.append(line)
        items_before = is_item(block)
    return "\n\n".join(parts) + "\n"


def text(article: "Article") -> str:
    """Return the title and the paragraphs, separated by blank lines."""
    return "\n\n".join(filter(None, (article.title, article.body))) + "\n"


def shown_blocks(article: "Article") -> "tuple[Block, ...]":
    """Return the body and heading blocks, without a leading copy of the title."""
    shown = tuple(block for block in article.blocks if block.label.name in ("BODY", "HEADING"))
    return shown[1:] if shown and article.title and shown[0].text == article.title else shown


def heading_level(block: "Block") -> int | None:
    """Return the level of a heading, 2 if its element has none, or None for other blocks."""
    if block.label.name != "HEADING":
        return None
    level = _HEADING.search(block.path)
    return int(level[1]) if level else 2


def is_item(block: "Block") -> bool:
    """Return whether a block is a list item."""
    return block.label.name == "BODY" and bool(_ITEM.search(block.path))


def schema_org(article: "Article") -> dict[str, object]:
    """Return the article as a schema.org `NewsArticle` for JSON-LD, without unknown properties."""
    properties: dict[str, object] = {
        "url": article.url,
        "mainEntityOfPage": article.canonical_url,
        "headline": article.title,
        "description": article.description,
        "author": [{"@type": "Person", "name": name} for name in article.authors],
        "datePublished": article.format_time("published"),
        "dateModified": article.format_time("modified"),
        "inLanguage": article.language,
        "articleSection": article.section,
        "keywords": list(article.topics),
        "image": [_image(image.url, image.caption, image.credit) for image in article.images],
        "publisher": {"@type": "Organization", "name": article.site_name} if article.site_name else None,
        "articleBody": article.body,
    }
    if article.paywalled is not None:
        properties["isAccessibleForFree"] = not article.paywalled
    present = {name: value for name, value in properties.items() if value not in (None, "", [])}
    return {"@context": "https://schema.org", "@type": "NewsArticle", **present}


def _image(url: str, caption: str | None, credit: str | None) -> dict[str, str]:
    properties = {"url": url, "caption": caption, "creditText": credit}
    return {"@type": "ImageObject", **{name: value for name, value in properties.items() if value}}


def _block(block: "Block") -> str:
    if level := heading_level(block):
        return f"{'#' * max(level, 2)} {_one_line(block.text)}"
    if is_item(block):
        return f"- {_one_line(block.text)}"
    return _paragraph(block.text)


def _paragraph(text: str) -> str:
    # Two trailing spaces keep a line break.
    return _LEADING.sub(_escape_leading, _escape(text)).replace("\n", "  \n")


def _escape_leading(match: re.Match[str]) -> str:
    return f"{match[1]}\\" if match[1] else "\\"


def _one_line(text: str) -> str:
    return _escape(" ".join(text.split()))


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
