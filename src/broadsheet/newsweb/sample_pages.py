"""A few sample pages of one site, as a server would send them, with their ground truth."""

from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random

from broadsheet.base.records import Kind
from broadsheet.newsweb._editor import Editor
from broadsheet.newsweb._english import ENGLISH
from broadsheet.newsweb._greek import GREEK
from broadsheet.newsweb._japanese import JAPANESE
from broadsheet.newsweb._lexicon import NameAndSlug
from broadsheet.newsweb._page_content import kind_of
from broadsheet.newsweb._rhythm import make_rhythm
from broadsheet.newsweb._story_history import Story
from broadsheet.newsweb.site import Section, Site
from broadsheet.newsweb.templates._render import encode_html, render_html
from broadsheet.newsweb.templates._view import PageView

#: The time at which the pages are fetched.
OPENING = datetime(2026, 3, 2, 7, 30, tzinfo=UTC)
BASE = "https://www.tidewater-courier.example"

_SECTIONS = (
    (NameAndSlug("Harbour", "harbour"), ENGLISH),
    (NameAndSlug("Town", "town"), ENGLISH),
    (NameAndSlug("Culture", "culture"), ENGLISH),
    (NameAndSlug("Ελληνικά", "ellinika"), GREEK),
    (NameAndSlug("日本語", "nihongo"), JAPANESE),
)


@dataclass(frozen=True, slots=True)
class SamplePage:
    """A page as bytes, with its kind and, for an article, its story."""

    name: str
    url: str
    content: bytes
    kind: Kind
    story: Story | None = None


def make_courier(seed: int) -> Site:
    """Generate a site with sections in all languages."""
    rng = Random(f"{seed}/courier")
    return Site(
        seed=f"{seed}/courier",
        name="The Tidewater Courier",
        slug="tidewater-courier",
        template="semantic",
        lexicon=ENGLISH,
        sections=tuple(
            Section(index, named.name, named.slug, lexicon, make_rhythm(rng))
            for index, (named, lexicon) in enumerate(_SECTIONS)
        ),
    )


def make_pages(seed: int) -> tuple[SamplePage, ...]:
    """Generate the pages: home, a section's front page, an article in each language, the terms of use.

    The articles differ in encoding: UTF-8 and windows-1253 are declared, Shift_JIS has to be detected.
    """
    editor = Editor(make_courier(seed))
    newest = {
        slot.section.lexicon.language: editor.stories.version_at(slot, OPENING).path
        for section in reversed(editor.site.sections)
        for slot in [next(editor.timeline.before(OPENING, section))]
    }
    front = editor.site.paths.to_section("harbour")
    return (
        _page(editor, "home.html", "/"),
        _page(editor, "section.html", front),
        _page(editor, "article-en.html", newest["en"]),
        _page(editor, "article-el.html", newest["el"], "windows-1253"),
        _page(editor, "article-ja.html", newest["ja"], "shift_jis", declare=False),
        _page(editor, "legal.html", editor.site.paths.to_legal("terms")),
    )


def _page(editor: Editor, name: str, path: str, charset: str = "utf-8", declare: bool = True) -> SamplePage:
    page = editor.find(path, OPENING)
    if page is None:
        raise LookupError(f"the site has no page at {path}")
    view = PageView(editor.site, page, BASE, "", charset if declare else None)
    return SamplePage(name, view.url, encode_html(render_html(view), charset), kind_of(page.subtype), page.story)
