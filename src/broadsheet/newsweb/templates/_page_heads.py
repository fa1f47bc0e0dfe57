"""The heads of composed pages: what they say about themselves, and the scripts and styles that fill them."""

import json
from functools import lru_cache
from html import escape
from random import Random

from broadsheet.newsweb._story_history import Story
from broadsheet.newsweb.site_plan import HeadKind
from broadsheet.newsweb.templates._view import PageView, feed_link

#: Stands for the styles and scripts in a page that is not yet encoded; no text has this character.
FILLING = "\uffff"

#: How all layouts look that have elements for their regions.
_LOOK = (
    "body{font:15px/1.4 Georgia,serif;max-width:1080px;margin:0 auto;padding:0 12px;color:#222}"
    "a{color:#143c5a;text-decoration:none}ul,ol{list-style:none;margin:0;padding:0}h2{font-size:1em;color:#a22}"
    "h3{font-size:1.05em;margin:.2em 0}header,nav,footer{border-bottom:1px solid #ccc;padding:6px 0;font-size:.85em}"
    "header li,nav li,footer li{display:inline-block;margin-right:.9em}nav+nav{font-size:.65em}"
    "strong{display:block;font-size:2em}main{float:left;width:66%}aside{float:right;width:30%}"
    "main li,main article,main tr{border-top:1px solid #eee;padding:6px 0;overflow:hidden}"
    "main img{width:150px;float:left;margin:0 10px 4px 0}aside li{padding:4px 0}aside~div,footer{clear:both}"
)


def render_head(view: PageView, kind: HeadKind, padding: int) -> str:
    """Render the head of a page, with a mark at the place of its styles and scripts."""
    story = view.page.whole
    canonical = "" if kind == "bare" else f'\n<link rel="canonical" href="{escape(view.url)}">'
    return (
        f'<meta charset="{view.charset}">\n<title>{view.title}</title>{canonical}{feed_link(view)}{view.neighbours}'
        f"{_small_screens(view)}{_about(view, story, kind)}\n<style>{_LOOK}</style>{FILLING if padding else ''}"
    )


def _small_screens(view: PageView) -> str:
    page = view.page
    if page.story is None or page.twin or not view.site.extras.twins:
        return ""
    return f'\n<link rel="amphtml" href="{escape(view.url)}?amp=1">'


def _about(view: PageView, story: Story | None, kind: HeadKind) -> str:
    if kind == "bare":
        return ""
    if story is None:
        return _about_page(view, kind)
    picture = f"{view.base}/static/{story.number}.svg"
    graph = _open_graph(view, story.headline, story.standfirst, picture)
    if kind == "opengraph":
        return f'{graph}\n<meta property="article:published_time" content="{story.published.isoformat()}">'
    if kind == "microdata":
        return f'{graph}\n<meta itemprop="datePublished" content="{story.published.isoformat()}">'
    properties: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": story.headline,
        "datePublished": story.published.isoformat(),
        "dateModified": story.changed.isoformat(),
        "author": [{"@type": "Person", "name": name} for name in story.authors],
        "publisher": {"@type": "Organization", "name": view.site.name},
        "isAccessibleForFree": not view.page.subscribe,
    }
    return graph + _linked_data(properties)


def _open_graph(view: PageView, title: str, description: str, picture: str) -> str:
    kind = _stated_type(view)
    stated = f'\n<meta property="og:type" content="{kind}">' if kind else ""
    return (
        f'{stated}\n<meta property="og:title" content="{escape(title)}">'
        f'\n<meta property="og:site_name" content="{escape(view.site.name)}">'
        f'\n<meta property="og:image" content="{escape(picture)}">'
        f'\n<meta name="description" content="{escape(description)}">'
    )


def _stated_type(view: PageView) -> str:
    """Return what `og:type` says; on some sites that is wrong, or the same on all pages."""
    types = view.site.plan.types if view.site.plan else "own"
    if types == "none":
        return ""
    made_as_article = view.page.story is not None or view.page.dated is not None
    is_article = types == "article" or made_as_article == (types == "own")
    return "article" if is_article else "website"


def _about_page(view: PageView, kind: HeadKind) -> str:
    """Render what a page that is not an article says about itself."""
    page = view.page
    description = page.intro or next(iter(page.paragraphs), "") or f"{page.title} – {view.site.name}"
    graph = _open_graph(view, page.title, description, f"{view.base}/static/logo.svg")
    if page.dated and kind in ("opengraph", "microdata"):
        graph += f'\n<meta property="article:published_time" content="{page.dated.isoformat()}">'
    if kind != "json-ld":
        return graph
    named = {"@type": "WebSite" if page.path == "/" else "WebPage", "name": page.title, "url": view.url}
    dated = {"datePublished": page.dated.isoformat()} if page.dated else {}
    return graph + _linked_data({"@context": "https://schema.org", **named, **dated})


def _linked_data(properties: dict[str, object]) -> str:
    # An end tag inside the JSON would end the script.
    data = json.dumps(properties, ensure_ascii=False).replace("<", "\\u003c")
    return f'\n<script type="application/ld+json">{data}</script>'


@lru_cache(maxsize=256)
def filling(seed: str, size: int) -> bytes:
    """Render so many bytes of styles and scripts, always the same for a site."""
    rng = Random(f"{seed}/filling")
    rules: list[str] = []
    lines: list[str] = []
    left = size // 3
    while left > 0:
        rules.append(f".c{rng.getrandbits(20):x}{{margin:{rng.randrange(40)}px;color:#{rng.getrandbits(24):06x}}}" * 8)
        left -= len(rules[-1])
    left = size - size // 3
    while left > 0:
        lines.append(f"q.push({{id:{rng.getrandbits(30)},name:'{rng.getrandbits(40):x}',on:true}});" * 8)
        left -= len(lines[-1])
    return f"\n<style>{''.join(rules)}</style>\n<script>var q=[];{''.join(lines)}</script>".encode() if size else b""
