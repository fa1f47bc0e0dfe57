"""The first template: semantic HTML5 with JSON-LD and machine-readable times."""

import json
from html import escape

from broadsheet.newsweb._page_content import Box, Link
from broadsheet.newsweb._story_history import Story
from broadsheet.newsweb.templates._scripted_lists import scripted_lists
from broadsheet.newsweb.templates._view import PageView, anchor, feed_link, paragraphs

_STYLE = "body{font:16px/1.5 serif;margin:0 auto}.bar ul{display:flex;list-style:none}.caption{color:#666}"
_SCRIPT = 'window.courier={queue:[],push:function(item){this.queue.push(item)}};courier.push({"page":"view"});'


def render(view: PageView) -> str:
    """Render the page: head, navigation bar, main part, footer."""
    page, site = view.page, view.site
    declaration = f'<meta charset="{view.charset}">' if view.charset else "<!-- the encoding is left to the reader -->"
    return f"""<!DOCTYPE html>
<html lang="{page.lexicon.language}">
<head>
{declaration}
<title>{view.title}</title>
<link rel="canonical" href="{escape(view.url)}">{feed_link(view)}{view.neighbours}
<meta property="og:site_name" content="{escape(site.name)}">
{_head(view)}
<link rel="icon" href="{view.root}/static/logo.svg">
<style>{_STYLE}</style>
<script>{_SCRIPT}</script>
</head>
<body>
<header class="top">
<img class="logo" src="{view.root}/static/logo.svg" alt="{escape(site.name)}">
<nav class="bar">
{_items(page.bar, "ul")}
</nav>
</header>
<main>
{_main(view)}
</main>
<footer>
{_items(page.foot, "ul")}
<p>© {escape(site.name)}</p>
</footer>
</body>
</html>
"""


def _main(view: PageView) -> str:
    page = view.page
    if page.story:
        return _article(view, page.story)
    parts = [f"<h1>{escape(page.title)}</h1>"]
    parts.extend(_lead(box) for box in view.boxes("lead"))
    parts.extend(_cards(view, box) for box in view.boxes("list"))
    parts.extend(scripted_lists(view))
    parts.append(paragraphs(page.paragraphs))
    parts.extend(_pages(page.pager))
    parts.extend(_aside(box) for box in view.boxes("most-read"))
    return "\n".join(parts)


def _article(view: PageView, story: Story) -> str:
    page, words = view.page, view.page.lexicon.interface
    body = [f"<p>{escape(paragraph)}</p>" for paragraph in story.paragraphs]
    if story.crosshead:
        body.insert((len(body) + 1) // 2, f"<h2>{escape(story.crosshead)}</h2>")
    inner = "\n".join(body)
    return f"""<nav class="breadcrumbs" aria-label="Breadcrumb">{" / ".join(anchor(link) for link in page.crumbs)}</nav>
<article>
<h1>{escape(story.headline)}</h1>
<p class="standfirst">{escape(story.standfirst)}</p>
<p class="byline">{escape(words.by)} {", ".join(anchor(link, ' rel="author"') for link in page.authors)}</p>
<p class="when">{_times(view, story)}</p>
<figure>
<img src="{view.root}/static/{story.number}.svg" alt="">
<figcaption class="caption">{escape(story.standfirst)}</figcaption>
</figure>
{inner}
</article>{"".join(_pages(page.pager))}
<aside class="share"><p>{escape(words.share)}</p></aside>
{"".join(_aside(box) for box in page.boxes)}"""


def _pages(links: tuple[Link, ...]) -> list[str]:
    return [f'<nav class="pages">{" ".join(anchor(link) for link in links)}</nav>'] if links else []


def _times(view: PageView, story: Story) -> str:
    lexicon = view.page.lexicon
    times = f'<time datetime="{story.published.isoformat()}">{lexicon.format_date(story.published)}</time>'
    if story.modified is None:
        return times
    updated = f'<time datetime="{story.modified.isoformat()}">{lexicon.format_date(story.modified)}</time>'
    return f"{times} · {lexicon.interface.updated} {updated}"


def _lead(box: Box) -> str:
    return "\n".join(
        f'<section class="lead"><h2>{anchor(teaser.link)}</h2><p>{escape(teaser.standfirst)}</p>'
        f'<p class="tag">{anchor(teaser.tag) if teaser.tag else ""}</p></section>'
        for teaser in box.teasers
    )


def _cards(view: PageView, box: Box) -> str:
    cards = "\n".join(
        f'<div class="card"><h3>{anchor(teaser.link)}</h3><p>{escape(teaser.standfirst)}</p>'
        f'<p class="tag">{anchor(teaser.tag) if teaser.tag else ""}</p></div>'
        for teaser in box.teasers
    )
    # Leave out a heading that only repeats the page's title.
    heading = "" if box.title == view.page.title else f"<h2>{escape(box.title)}</h2>"
    return f'<section class="block">{heading}\n{cards}\n</section>'


def _aside(box: Box) -> str:
    links = tuple(teaser.link for teaser in box.teasers)
    return f'<aside class="{box.role}"><h3>{escape(box.title)}</h3>\n{_items(links, "ol")}\n</aside>\n'


def _items(links: tuple[Link, ...], tag: str) -> str:
    rows = "\n".join(f"<li>{anchor(link)}</li>" for link in links)
    return f"<{tag}>\n{rows}\n</{tag}>"


def _head(view: PageView) -> str:
    page, story = view.page, view.page.story
    if story is None:
        # Legal pages are meant to be read on the site, not in an archive.
        robots = '\n<meta name="robots" content="noarchive">' if page.subtype == "legal" else ""
        return f'<meta property="og:type" content="website">{robots}'
    properties = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": story.headline,
        "description": story.standfirst,
        "datePublished": story.published.isoformat(),
        "dateModified": story.changed.isoformat(),
        "inLanguage": page.lexicon.language,
        "articleSection": story.section.name,
        "author": [{"@type": "Person", "name": name} for name in story.authors],
        "publisher": {"@type": "Organization", "name": view.site.name},
        "isAccessibleForFree": True,
    }
    # An end tag inside the JSON would end the script.
    data = json.dumps(properties, ensure_ascii=False, indent=1).replace("<", "\\u003c")
    return f"""<meta property="og:type" content="article">
<meta property="og:title" content="{escape(story.headline)}">
<meta property="og:url" content="{escape(view.url)}">
<meta property="og:image" content="{view.base}/static/{story.number}.svg">
<meta property="article:published_time" content="{story.published.isoformat()}">
<meta name="description" content="{escape(story.standfirst)}">
<script type="application/ld+json">
{data}
</script>"""
