"""Articles in other forms: a line about one, Markdown, plain text, and the objects of schema.org."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from broadsheet.base.records import Article, Block

_HEADING = re.compile(r"/h([1-6])(?:\[\d+\])?(?:/|\Z)")
_ITEM = re.compile(r"/li(?:\[\d+\])?(?:/|\Z)")
_SPECIAL = re.compile(r"([\\`*_\[\]<>])")
# What stands at the beginning of a line makes a list, a heading or a quotation of it.
_LEADING = re.compile(r"^(?=[#+\-=|~])|^(\d+)(?=[.)]\s)", re.MULTILINE)

#: How much of a title or an address a line about an article shows.
_SHOWN = 60


def summary(article: "Article") -> str:
    """Return title, day, number of words and address in one line; words are what white space separates."""
    day = article.published.date().isoformat() if article.published else "no date"
    parts = [shortened(article.title), day, counted(len(article.body.split()))]
    return ", ".join(parts if article.url is None else [*parts, shortened(article.url)])


def counted(words: int) -> str:
    """Return a number of words as one says it."""
    return f"{words:,} word{'' if words == 1 else 's'}"


def shortened(text: str | None) -> str:
    """Return a title as Python writes it, without line breaks and other control characters, and cut if it is long."""
    if not text:
        return "no title"
    written = repr(text)
    return written if len(written) <= _SHOWN + 2 else f"{written[:_SHOWN]}…{written[0]}"


def markdown(article: "Article") -> str:
    """Return the title, a line with authors and date, and the text with its headings and lists, as Markdown."""
    parts = [f"# {_one_line(article.title)}"] if article.title else []
    published = article.published.isoformat() if article.published else ""
    if byline := ", ".join(filter(None, (*article.authors, published))):
        parts.append(f"*{_one_line(byline)}*")
    items_before = False
    blocks = shown_blocks(article)
    if not blocks:
        parts += map(_paragraph, filter(None, article.body.split("\n\n")))
    for block in blocks:
        written = _block(block)
        if is_item(block) and items_before:
            parts[-1] += f"\n{written}"
        else:
            parts.append(written)
        items_before = is_item(block)
    return "\n\n".join(parts) + "\n"


def text(article: "Article") -> str:
    """Return the title and the paragraphs, with a blank line between two."""
    return "\n\n".join(filter(None, (article.title, article.body))) + "\n"


def shown_blocks(article: "Article") -> "tuple[Block, ...]":
    """Return the blocks of the text without the title, which stands before them."""
    shown = tuple(block for block in article.blocks if block.label.name in ("BODY", "HEADING"))
    return shown[1:] if shown and article.title and shown[0].text == article.title else shown


def heading_level(block: "Block") -> int | None:
    """Return the level of a heading, 2 where its element does not tell; None of a block that is not one."""
    if block.label.name != "HEADING":
        return None
    level = _HEADING.search(block.path)
    return int(level[1]) if level else 2


def is_item(block: "Block") -> bool:
    """Say whether a block of text is an item of a list."""
    return block.label.name == "BODY" and bool(_ITEM.search(block.path))


def schema_org(article: "Article") -> dict[str, object]:
    """Return the article as an object of schema.org's `NewsArticle`, ready for JSON-LD; what is unknown is absent."""
    times = (("datePublished", article.published), ("dateModified", article.modified))
    stated: dict[str, object] = {
        "url": article.url,
        "mainEntityOfPage": article.canonical_url,
        "headline": article.title,
        "description": article.description,
        "author": [{"@type": "Person", "name": name} for name in article.authors],
        **{name: time.isoformat() for name, time in times if time},
        "inLanguage": article.language,
        "articleSection": article.section,
        "keywords": list(article.topics),
        "image": [_image(image.url, image.caption, image.credit) for image in article.images],
        "publisher": {"@type": "Organization", "name": article.site_name} if article.site_name else None,
        "articleBody": article.body,
    }
    if article.paywalled is not None:
        stated["isAccessibleForFree"] = not article.paywalled
    present = {name: value for name, value in stated.items() if value not in (None, "", [])}
    return {"@context": "https://schema.org", "@type": "NewsArticle", **present}


def _image(url: str, caption: str | None, credit: str | None) -> dict[str, str]:
    named = {"url": url, "caption": caption, "creditText": credit}
    return {"@type": "ImageObject", **{name: value for name, value in named.items() if value}}


def _block(block: "Block") -> str:
    if level := heading_level(block):
        return f"{'#' * max(level, 2)} {_one_line(block.text)}"
    if is_item(block):
        return f"- {_one_line(block.text)}"
    return _paragraph(block.text)


def _paragraph(text: str) -> str:
    # Two spaces at the end keep a line break.
    return _LEADING.sub(_guarded, _escaped(text)).replace("\n", "  \n")


def _guarded(match: re.Match[str]) -> str:
    return f"{match[1]}\\" if match[1] else "\\"


def _one_line(text: str) -> str:
    return _escaped(" ".join(text.split()))


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
