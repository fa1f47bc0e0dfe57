"""A handful of pages of the invented site, as a server would send them, each with its truth."""

from dataclasses import dataclass

from broadsheet.base.records import Kind
from broadsheet.newsweb import markup
from broadsheet.newsweb.site import Site, Story, make_site


@dataclass(frozen=True, slots=True)
class Page:
    """A page as bytes, and what is true of it; `story` is what an article page tells."""

    name: str
    url: str
    content: bytes
    kind: Kind
    story: Story | None = None


def make_pages(seed: int) -> tuple[Page, ...]:
    """Generate the pages: home, a section's front, an article in each language, the terms of use.

    The articles differ in encoding: UTF-8 and windows-1253 are declared, Shift_JIS is left to be found out.
    """
    site = make_site(seed)
    section = site.sections[0]
    stories = {story.section.lexicon.language: story for story in reversed(site.stories)}
    return (
        Page("home.html", f"{site.url}/", markup.home(site).encode(), "section"),
        Page("section.html", f"{site.url}/{section.slug}/", markup.front(site, section).encode(), "section"),
        _article(site, stories["en"], "utf-8"),
        _article(site, stories["el"], "windows-1253"),
        _article(site, stories["ja"], "shift_jis", declare=False),
        Page("legal.html", site.url + markup.LEGAL_PATH, markup.legal(site).encode(), "other"),
    )


def _article(site: Site, story: Story, charset: str, declare: bool = True) -> Page:
    html = markup.article(site, story, charset if declare else None)
    return Page(
        name=f"article-{story.section.lexicon.language}.html",
        url=site.url + story.path,
        # What an old encoding lacks is written as a character reference, as editing systems do.
        content=html.encode(charset, errors="xmlcharrefreplace"),
        kind="article",
        story=story,
    )
