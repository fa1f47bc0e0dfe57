"""A site's machine-readable files (feed, news sitemap, `robots.txt`) and its pictures."""

from email.utils import format_datetime
from html import escape

from broadsheet.newsweb._stories import Story
from broadsheet.newsweb.templates._view import PageView


def feed(view: PageView) -> str:
    """Render the site's latest stories as RSS 2.0."""
    items = "\n".join(_item(view, story) for story in view.page.stories)
    return f"""<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>{escape(view.site.name)}</title>
<link>{view.base}/</link>
<description>{escape(view.page.lexicon.interface.latest)}</description>
<language>{view.page.lexicon.language}</language>
<lastBuildDate>{format_datetime(view.page.changed)}</lastBuildDate>
{items}
</channel>
</rss>
"""


def sitemap(view: PageView) -> str:
    """Render the stories of the last two days as a news sitemap."""
    entries = "\n".join(_entry(view, story) for story in view.page.stories)
    return f"""<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
{entries}
</urlset>
"""


def robots(view: PageView) -> str:
    """Render a `robots.txt` that allows nearly everything."""
    return f"User-agent: *\nDisallow: {view.root}/search\nSitemap: {view.base}{view.site.paths.sitemap}\n"


def picture(view: PageView) -> str:
    """Render an SVG rectangle whose colour depends on the picture's name."""
    hue = sum(view.page.path.encode()) * 37 % 360
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180">'
        f'<rect width="320" height="180" fill="hsl({hue},40%,60%)"/></svg>\n'
    )


def _item(view: PageView, story: Story) -> str:
    url = escape(view.base + story.path)
    authors = "".join(f"<dc:creator>{escape(name)}</dc:creator>" for name in story.authors)
    return f"""<item>
<title>{escape(story.headline)}</title>
<link>{url}</link>
<guid isPermaLink="true">{url}</guid>
<pubDate>{format_datetime(story.published)}</pubDate>
<category>{escape(story.section.name)}</category>
{authors}
<description>{escape(story.standfirst)}</description>
</item>"""


def _entry(view: PageView, story: Story) -> str:
    language = story.section.lexicon.language
    return f"""<url>
<loc>{escape(view.base + story.path)}</loc>
<lastmod>{story.changed.isoformat()}</lastmod>
<news:news>
<news:publication><news:name>{escape(view.site.name)}</news:name><news:language>{language}</news:language></news:publication>
<news:publication_date>{story.published.isoformat()}</news:publication_date>
<news:title>{escape(story.headline)}</news:title>
</news:news>
</url>"""
