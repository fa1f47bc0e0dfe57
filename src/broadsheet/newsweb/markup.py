"""The HTML of the invented site: what its templates make of sections and stories."""

import json
from dataclasses import dataclass
from html import escape

from broadsheet.newsweb.site import Section, Site, Story
from broadsheet.newsweb.words import Interface, Lexicon

LEGAL_PATH = "/legal/terms.html"

_STYLE = "body{font:16px/1.5 serif;margin:0 auto}.bar ul{display:flex;list-style:none}.caption{color:#666}"
_SCRIPT = 'window.courier={queue:[],push:function(item){this.queue.push(item)}};courier.push({"page":"view"});'


@dataclass(frozen=True, slots=True)
class View:
    """What differs between pages of one site."""

    title: str
    lexicon: Lexicon
    head: str
    main: str


def frame(site: Site, view: View) -> str:
    """Put a page into the site's frame: head, navigation bar, main part, footer."""
    bar = "\n".join(f'<li><a href="/{section.slug}/">{escape(section.name)}</a></li>' for section in site.sections)
    return f"""<!DOCTYPE html>
<html lang="{view.lexicon.language}">
<head>
{view.head}
<title>{escape(view.title)} | {escape(site.name)}</title>
<meta property="og:site_name" content="{escape(site.name)}">
<link rel="icon" href="/static/icon.png">
<style>{_STYLE}</style>
<script>{_SCRIPT}</script>
</head>
<body>
<header class="top">
<a class="logo" href="/"><img src="/static/logo.png" alt="{escape(site.name)}"></a>
<nav class="bar"><ul>
<li><a href="/">{escape(view.lexicon.interface.home)}</a></li>
{bar}
</ul></nav>
</header>
<main>
{view.main}
</main>
<footer>
<ul>
<li><a href="{LEGAL_PATH}">Terms of use</a></li>
<li><a href="/legal/privacy.html">Privacy</a></li>
<li><a href="/about.html">About us</a></li>
<li><a href="/newsletter.html">Newsletter</a></li>
</ul>
<p>© 2026 {escape(site.name)}. All rights reserved.</p>
</footer>
</body>
</html>
"""


def declared(charset: str | None) -> str:
    """Return the declaration of an encoding, if the page has one."""
    return f'<meta charset="{charset}">' if charset else "<!-- the encoding is left to the reader -->"


def home(site: Site) -> str:
    """Return the home page: a lead story, cards of other stories, the most-read box."""
    lead, *others = site.stories
    words = lead.section.lexicon.interface
    shown = others[:12]
    main = f"""<section class="lead">
<h1><a href="{lead.path}">{escape(lead.headline)}</a></h1>
<p>{escape(lead.standfirst)} <a class="more" href="{lead.path}">{escape(words.more)}</a></p>
</section>
{cards(shown)}
{most_read(sorted(others, key=lambda story: story.number % 7)[:5], words)}"""
    head = f"""{declared("utf-8")}
<link rel="canonical" href="{site.url}/">
<meta property="og:type" content="website">
<meta name="description" content="News from the harbour, the town and beyond.">"""
    return frame(site, View("News from the coast", site.sections[0].lexicon, head, main))


def front(site: Site, section: Section) -> str:
    """Return a section's front: its stories, and the way to older ones."""
    words = section.lexicon.interface
    main = f"""<h1>{escape(section.name)}</h1>
{cards(list(site.of(section)))}
<p class="pages"><a href="/{section.slug}/?page=2">2</a> <a href="/{section.slug}/?page=3">3</a></p>
{most_read(list(site.stories[-5:]), words)}"""
    head = f"""{declared("utf-8")}
<link rel="canonical" href="{site.url}/{section.slug}/">
<meta property="og:type" content="website">"""
    return frame(site, View(section.name, section.lexicon, head, main))


def article(site: Site, story: Story, charset: str | None) -> str:
    """Return a story's page, in a frame that speaks the story's language."""
    words, section = story.section.lexicon.interface, story.section
    related = [other for other in site.of(section) if other != story][:3]
    main = f"""<nav class="breadcrumbs" aria-label="Breadcrumb">
<a href="/">{escape(words.home)}</a> / <a href="/{section.slug}/">{escape(section.name)}</a>
</nav>
<article>
<h1>{escape(story.headline)}</h1>
<p class="standfirst">{escape(story.standfirst)}</p>
{byline(story)}
<figure>
<img src="/static/{story.number}.jpg" alt="">
<figcaption class="caption">{escape(story.standfirst)}</figcaption>
</figure>
{body(story)}
</article>
<aside class="share"><p>{escape(words.share)}</p></aside>
<aside class="related"><h3>{escape(words.related)}</h3>
{items(related)}
</aside>
{most_read(list(site.stories[2:7]), words)}"""
    return frame(site, View(story.headline, section.lexicon, article_head(site, story, charset), main))


def byline(story: Story) -> str:
    """Return who wrote a story and when, and when it was changed."""
    lexicon = story.section.lexicon
    words = lexicon.interface
    author = f'<a rel="author" href="/authors/{story.number % 5}.html">{escape(story.author)}</a>'
    times = f'<time datetime="{story.published.isoformat()}">{lexicon.day(story.published)}</time>'
    if story.modified:
        updated = f'<time datetime="{story.modified.isoformat()}">{lexicon.day(story.modified)}</time>'
        times += f" · {words.updated} {updated}"
    return f'<p class="byline">{escape(words.by)} {author}</p>\n<p class="when">{times}</p>'


def body(story: Story) -> str:
    """Return a story's paragraphs, with its crosshead in the middle."""
    parts = [f"<p>{escape(paragraph)}</p>" for paragraph in story.paragraphs]
    parts.insert((len(parts) + 1) // 2, f"<h2>{escape(story.crosshead)}</h2>")
    return "\n".join(parts)


def article_head(site: Site, story: Story, charset: str | None) -> str:
    """Return what a story's page says of itself: canonical address, OpenGraph and JSON-LD."""
    modified = story.modified or story.published
    described = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": story.headline,
        "description": story.standfirst,
        "datePublished": story.published.isoformat(),
        "dateModified": modified.isoformat(),
        "inLanguage": story.section.lexicon.language,
        "articleSection": story.section.name,
        "author": [{"@type": "Person", "name": story.author}],
        "publisher": {"@type": "Organization", "name": site.name},
        "isAccessibleForFree": True,
    }
    # An end tag inside the JSON would end the script.
    data = json.dumps(described, ensure_ascii=False, indent=1).replace("<", "\\u003c")
    return f"""{declared(charset)}
<link rel="canonical" href="{site.url}{story.path}">
<meta property="og:type" content="article">
<meta property="og:title" content="{escape(story.headline)}">
<meta property="og:url" content="{site.url}{story.path}">
<meta property="og:image" content="{site.url}/static/{story.number}.jpg">
<meta property="article:published_time" content="{story.published.isoformat()}">
<meta name="description" content="{escape(story.standfirst)}">
<script type="application/ld+json">
{data}
</script>"""


def legal(site: Site) -> str:
    """Return the terms of use: long text, and no news."""
    clauses = (
        "These terms govern the use of this site. Whoever reads it accepts them as they stand on the day.",
        "Texts and pictures belong to the Courier or its partners. Quoting with a link is welcome.",
        "Comments are read before they appear. We remove what insults, sells or repeats itself.",
        "We answer for what we write with care, and for nothing that others write under our stories.",
        "The courts of the harbour district decide where no agreement can be found.",
    )
    text = "\n".join(f"<h2>{number}. Clause</h2>\n<p>{clause}</p>" for number, clause in enumerate(clauses, 1))
    head = f'{declared("utf-8")}\n<meta name="robots" content="noarchive">'
    main = f"<h1>Terms of use</h1>\n{text}"
    return frame(site, View("Terms of use", site.sections[0].lexicon, head, main))


def cards(stories: list[Story]) -> str:
    """Return stories as cards, each a heading, a teaser and the name of its section."""
    return "\n".join(
        f"""<div class="card">
<h3><a href="{story.path}">{escape(story.headline)}</a></h3>
<p>{escape(story.standfirst)}</p>
<p class="tag"><a href="/{story.section.slug}/">{escape(story.section.name)}</a></p>
</div>"""
        for story in stories
    )


def most_read(stories: list[Story], words: Interface) -> str:
    """Return the box of the stories that others read."""
    return f'<aside class="most-read"><h3>{escape(words.most_read)}</h3>\n{items(stories)}\n</aside>'


def items(stories: list[Story]) -> str:
    """Return stories as a plain list of links."""
    rows = "\n".join(f'<li><a href="{story.path}">{escape(story.headline)}</a></li>' for story in stories)
    return f"<ol>\n{rows}\n</ol>"
