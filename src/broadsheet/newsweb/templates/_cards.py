"""The second template: nested divs with utility classes, cards in rows, and only OpenGraph metadata."""

from html import escape

from broadsheet.newsweb._page_content import Box, Link, Teaser
from broadsheet.newsweb._story_history import Story
from broadsheet.newsweb.templates._scripted_lists import scripted_lists
from broadsheet.newsweb.templates._view import PageView, anchor, feed_link

CARDS_PER_ROW = 3

_STYLE = (
    ".flex{display:flex}.w-1\\/3{width:33%}.w-2\\/3{width:66%}.p-4{padding:1rem}.text-xs{font-size:.75rem}"
    ".text-3xl{font-size:1.9rem}.font-bold{font-weight:700}.text-gray-500{color:#6b7280}"
)


def render(view: PageView) -> str:
    """Render the page as nested divs."""
    page, site = view.page, view.site
    return f"""<!DOCTYPE html>
<html lang="{page.lexicon.language}">
<head>
<meta charset="{view.charset}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{view.title}</title>
<link rel="canonical" href="{escape(view.url)}">{feed_link(view)}{view.neighbours}
{_head(view)}
<style>{_STYLE}</style>
</head>
<body class="bg-white">
<div id="app"><div class="container mx-auto">
<div class="flex p-4 border-b">
<div class="font-bold text-xl">{escape(site.name)}</div>
<div class="flex">{_spans(page.bar, "px-2 text-sm")}</div>
</div>
<div class="flex">
<div class="w-2/3 p-4">
{_main(view)}
</div>
<div class="w-1/3 p-4">
{"".join(_sidebar(box) for box in view.boxes("most-read", "related"))}
</div>
</div>
<div class="border-t p-4 text-xs text-gray-500">
<div class="flex">{_spans(page.foot, "px-2")}</div>
<div>© {escape(site.name)}</div>
</div>
</div></div>
</body>
</html>
"""


def _main(view: PageView) -> str:
    page = view.page
    if page.story:
        return _article(view, page.story)
    parts = [f'<div class="text-3xl font-bold">{escape(page.title)}</div>']
    parts.extend(map(_block, view.boxes("lead", "list")))
    parts.extend(scripted_lists(view))
    parts.extend(f'<div class="mb-4">{escape(paragraph)}</div>' for paragraph in page.paragraphs)
    parts.extend(_pages(page.pager))
    return "\n".join(parts)


def _article(view: PageView, story: Story) -> str:
    lexicon = view.page.lexicon
    body = [f'<p class="mb-4 leading-7">{escape(paragraph)}</p>' for paragraph in story.paragraphs]
    if story.crosshead:
        body.insert((len(body) + 1) // 2, f'<div class="text-xl font-bold">{escape(story.crosshead)}</div>')
    inner = "\n".join(body)
    updated = "" if story.modified is None else f" · {lexicon.interface.updated} {lexicon.format_date(story.modified)}"
    return f"""<div class="text-xs text-gray-500">{_spans(view.page.crumbs, "pr-1")}</div>
<h1 class="text-3xl font-bold">{escape(story.headline)}</h1>
<div class="text-lg text-gray-500">{escape(story.standfirst)}</div>
<div class="flex text-xs"><div>{escape(lexicon.interface.by)} {_spans(view.page.authors, "font-bold")}</div>
<div class="pl-4 date">{lexicon.format_date(story.published)}{updated}</div></div>
<div class="my-4"><img class="w-full" src="{view.root}/static/{story.number}.svg" alt=""></div>
<div class="prose">
{inner}
</div>{"".join(_pages(view.page.pager))}
<div class="mt-4 text-xs">{escape(lexicon.interface.share)}</div>"""


def _pages(links: tuple[Link, ...]) -> list[str]:
    return [f'<div class="flex mt-4">{_spans(links, "px-2 border")}</div>'] if links else []


def _block(box: Box) -> str:
    return f'<div class="mt-8"><div class="text-lg">{escape(box.title)}</div>\n{_rows(box)}\n</div>'


def _rows(box: Box) -> str:
    rows = [box.teasers[start : start + CARDS_PER_ROW] for start in range(0, len(box.teasers), CARDS_PER_ROW)]
    return "\n".join(f'<div class="flex">{"".join(map(_card, row))}</div>' for row in rows)


def _card(teaser: Teaser) -> str:
    href = escape(teaser.link.path)
    tag = f'<div class="text-xs">{anchor(teaser.tag)}</div>' if teaser.tag else ""
    return f"""<div class="w-1/3 p-4">
<a class="block" href="{href}"><img class="w-full" src="{teaser.picture}" alt=""></a>
{tag}
<a class="block font-bold" href="{href}">{escape(teaser.link.text)}</a>
<div class="text-sm text-gray-500">{escape(teaser.standfirst)}</div>
</div>"""


def _sidebar(box: Box) -> str:
    rows = "\n".join(f'<div class="py-2 border-b">{anchor(teaser.link)}</div>' for teaser in box.teasers)
    return f'<div class="mb-8"><div class="font-bold">{escape(box.title)}</div>\n{rows}\n</div>'


def _spans(links: tuple[Link, ...], classes: str) -> str:
    return "\n".join(f'<span class="{classes}">{anchor(link)}</span>' for link in links)


def _head(view: PageView) -> str:
    story = view.page.story
    if story is None:
        return f'<meta property="og:type" content="website">\n<meta property="og:url" content="{escape(view.url)}">'
    authors = "\n".join(f'<meta property="article:author" content="{escape(name)}">' for name in story.authors)
    return f"""<meta property="og:type" content="article">
<meta property="og:title" content="{escape(story.headline)}">
<meta property="og:url" content="{escape(view.url)}">
<meta property="article:section" content="{escape(story.section.name)}">
<meta property="article:published_time" content="{story.published.isoformat()}">
<meta property="article:modified_time" content="{story.changed.isoformat()}">
{authors}"""
