"""How the article stands on a composed page."""

import re
from collections.abc import Callable
from html import escape
from itertools import groupby

from broadsheet.newsweb._story_history import Story
from broadsheet.newsweb.site_plan import ArticleKind
from broadsheet.newsweb.templates._view import PageView, anchor

Named = Callable[[str], str]

#: An advert stands after so many paragraphs of a wrapped text.
ADVERT_AFTER = 4

#: The entry of a live-blog begins with its time.
_ENTRY = re.compile(r"\d\d:\d\d ", re.ASCII)


def render_article(view: PageView, story: Story, kind: ArticleKind, named: Named) -> str:
    """Render the article of a page."""
    layouts: dict[ArticleKind, Callable[[Parts], str]] = {
        "plain": _plain,
        "prose": _prose,
        "breaks": _breaks,
        "wrapped": _wrapped,
        "columns": _columns,
    }
    return layouts[kind](Parts(view, story, named))


class Parts:
    """The parts of an article, rendered on demand."""

    def __init__(self, view: PageView, story: Story, named: Named) -> None:
        """Take the article and the names of classes."""
        lexicon = view.page.lexicon
        self.named = named
        self.story = story
        self.title = f"<h1{named('headline')}>{escape(story.headline)}</h1>"
        self.standfirst = f"<p{named('standfirst')}>{escape(story.standfirst)}</p>"
        authors = ", ".join(anchor(link, ' rel="author"') for link in view.page.authors)
        self.byline = f"<p{named('byline')}>{escape(lexicon.interface.by)} {authors}</p>" if authors else ""
        self.times = _times(view, story, named)
        self.picture = _pictures(view.root, story)
        self.share = f"<p{named('share')}>{escape(lexicon.interface.share)}</p>"
        subscribe = view.page.subscribe
        self.subscribe = f"<div{named('paywall')}><p>{escape(subscribe)}</p></div>" if subscribe else ""

    def body(self, before: str, after: str) -> list[str]:
        """Render the paragraphs, with a heading in the middle if there is one; a live-blog is a list of entries."""
        if self.story.form == "live":
            return self._entries(before, after)
        paragraphs = [f"{before}{escape(paragraph)}{after}" for paragraph in self.story.paragraphs]
        if self.story.crosshead:
            middle = (len(paragraphs) + 1) // 2
            paragraphs.insert(middle, f"<h2{self.named('crosshead')}>{escape(self.story.crosshead)}</h2>")
        return paragraphs

    def _entries(self, before: str, after: str) -> list[str]:
        """Render the entries of a live-blog, each under its time, as one list."""
        blocks: list[str] = []
        for timed, group in groupby(self.story.paragraphs, key=lambda paragraph: bool(_ENTRY.match(paragraph))):
            if timed:
                parts = (paragraph.partition(" ") for paragraph in group)
                inner = "\n".join(
                    f"<li{self.named('list-item')}><h3{self.named('title')}>{time}</h3>\n"
                    f"{before}{escape(text)}{after}</li>"
                    for time, _, text in parts
                )
                blocks.append(f"<ul{self.named('list')}>\n{inner}\n</ul>")
            else:
                blocks += [f"{before}{escape(paragraph)}{after}" for paragraph in group]
        return blocks


def _times(view: PageView, story: Story, named: Named) -> str:
    """Render when an article was published; every other layout says it to readers only."""
    plan, lexicon = view.site.plan, view.page.lexicon
    if plan is not None and not plan.bylines:
        return ""
    times = lexicon.format_date(story.published)
    if plan is None or (view.page.layout or plan.layout).vocabulary % 4 < 2:
        times = f'<time datetime="{story.published.isoformat()}">{times}</time>'
    if story.modified:
        times += f" {lexicon.interface.updated} {lexicon.format_date(story.modified)}"
    return f"<p{named('date')}>{times}</p>"


def _pictures(root: str, story: Story) -> str:
    """Render the picture of an article, the pictures of a gallery, or a player."""
    source = f"{root}/static/{story.number}.svg"
    if story.form == "video":
        return f'<video controls poster="{source}" src="{root}/static/{story.number}.mp4"></video>'
    figures = (
        f'<figure><img src="{source}?{number}" alt=""><figcaption>{escape(caption)}</figcaption></figure>'
        for number, caption in enumerate(story.captions)
    )
    return "\n".join(figures) or f'<img src="{source}" alt="">'


def _plain(parts: Parts) -> str:
    caption = f"<figcaption>{escape(parts.story.standfirst)}</figcaption>"
    text = "\n".join(parts.body("<p>", "</p>"))
    return (
        f"<article{parts.named('article')}>\n{parts.title}\n{parts.standfirst}\n{parts.byline}\n{parts.times}\n"
        f"<figure>{parts.picture}{caption}</figure>\n{text}\n{parts.subscribe}</article>\n{parts.share}"
    )


def _prose(parts: Parts) -> str:
    text = "\n".join(parts.body(f"<p{parts.named('par')}>", "</p>"))
    return (
        f"<div{parts.named('top')}>{parts.times}\n{parts.title}\n{parts.byline}</div>\n<div>{parts.picture}</div>\n"
        f"<div{parts.named('article')}>{parts.standfirst}\n{text}\n</div>{parts.subscribe}\n{parts.share}"
    )


def _breaks(parts: Parts) -> str:
    text = "\n".join(parts.body("", "<br><br>"))
    return (
        f"{parts.title}\n{parts.byline}\n{parts.times}\n<div{parts.named('article')}>"
        f"<b>{escape(parts.story.standfirst)}</b><br><br>\n{text}</div>{parts.subscribe}"
    )


def _wrapped(parts: Parts) -> str:
    blocks = parts.body(f"<div{parts.named('par')}><p>", "</p></div>")
    advert = f"<div{parts.named('advert')}><span>• • •</span></div>"
    for place in range(len(blocks) - len(blocks) % ADVERT_AFTER, 0, -ADVERT_AFTER):
        blocks.insert(place, advert)
    text = "\n".join(blocks)
    return (
        f"<div{parts.named('top')}>{parts.title}{parts.standfirst}<div>{parts.byline}{parts.times}</div></div>\n"
        f"<article{parts.named('article')}>{parts.picture}\n{text}\n{parts.subscribe}</article>"
    )


def _columns(parts: Parts) -> str:
    text = "\n".join(parts.body("<p>", "</p>"))
    return (
        f"<section{parts.named('top')}>{parts.title}{parts.standfirst}</section>\n<section{parts.named('article')}>"
        f"<div>{parts.share}</div><div>{text}\n{parts.subscribe}</div></section>\n<div>{parts.times}{parts.byline}</div>"
    )
