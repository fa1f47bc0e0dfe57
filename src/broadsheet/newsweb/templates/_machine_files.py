"""A site's machine-readable files (feeds, sitemaps, `robots.txt`) and its pictures."""

import json
from email.utils import format_datetime
from html import escape

from broadsheet.newsweb._story_history import Story
from broadsheet.newsweb.templates._view import PageView


def feed(view: PageView) -> str:
    """Render the site's latest stories in the format of its feed."""
    formats = {"rss": _rss, "atom": _atom, "json": _json}
    return formats[view.site.knobs.feed_format](view)


def _rss(view: PageView) -> str:
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


def _atom(view: PageView) -> str:
    entries = "\n".join(_atom_entry(view, story) for story in view.page.stories)
    return f"""<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{view.page.lexicon.language}">
<title>{escape(view.site.name)}</title>
<id>{view.base}/</id>
<link href="{view.base}/"/>
<link rel="self" href="{view.url}"/>
<updated>{view.page.changed.isoformat()}</updated>
{entries}
</feed>
"""


def _json(view: PageView) -> str:
    items = [
        {
            "id": view.entry_base + story.path,
            "url": view.entry_base + story.path,
            "title": story.headline,
            "summary": story.standfirst,
            "date_published": story.published.isoformat(),
            "date_modified": story.changed.isoformat(),
            "authors": [{"name": name} for name in story.authors],
            "tags": [story.section.name],
        }
        for story in view.page.stories
    ]
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": view.site.name,
        "home_page_url": f"{view.base}/",
        "feed_url": view.url,
        "language": view.page.lexicon.language,
        "items": items,
    }
    return json.dumps(feed, ensure_ascii=False, indent=1) + "\n"


def sitemap_index(view: PageView) -> str:
    """Render the list of the site's sitemaps."""
    entries = "\n".join(
        f"<sitemap><loc>{escape(view.entry_base + path)}</loc><lastmod>{changed.isoformat()}</lastmod></sitemap>"
        for path, changed in view.page.files
    )
    return f"""<?xml version="1.0" encoding="utf-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{entries}
</sitemapindex>
"""


def sitemap(view: PageView) -> str:
    """Render the stories of the last two days, or of one day, as a news sitemap."""
    entries = "\n".join(_entry(view, story) for story in view.page.stories)
    return f"""<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
{entries}
</urlset>
"""


def robots(view: PageView) -> str:
    """Render a `robots.txt` that allows nearly everything."""
    knobs = view.site.knobs
    named = knobs.announced and knobs.sitemap != "missing"
    sitemap_line = f"Sitemap: {view.base}{view.site.paths.sitemap}\n" if named else ""
    return f"User-agent: *\nDisallow: {view.root}/search\n{sitemap_line}"


def picture(view: PageView) -> str:
    """Render an SVG rectangle whose colour depends on the picture's name."""
    hue = sum(view.page.path.encode()) * 37 % 360
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180">'
        f'<rect width="320" height="180" fill="hsl({hue},40%,60%)"/></svg>\n'
    )


def _item(view: PageView, story: Story) -> str:
    url = escape(view.entry_base + story.path)
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


def _atom_entry(view: PageView, story: Story) -> str:
    url = escape(view.entry_base + story.path)
    authors = "".join(f"<author><name>{escape(name)}</name></author>" for name in story.authors)
    return f"""<entry>
<title>{escape(story.headline)}</title>
<id>{url}</id>
<link href="{url}"/>
<published>{story.published.isoformat()}</published>
<updated>{story.changed.isoformat()}</updated>
<category term="{escape(story.section.name)}"/>
{authors}
<summary>{escape(story.standfirst)}</summary>
</entry>"""


def _entry(view: PageView, story: Story) -> str:
    language = story.section.lexicon.language
    return f"""<url>
<loc>{escape(view.entry_base + story.path)}</loc>
<lastmod>{story.changed.isoformat()}</lastmod>
<news:news>
<news:publication><news:name>{escape(view.site.name)}</news:name><news:language>{language}</news:language></news:publication>
<news:publication_date>{story.published.isoformat()}</news:publication_date>
<news:title>{escape(story.headline)}</news:title>
</news:news>
</url>"""
