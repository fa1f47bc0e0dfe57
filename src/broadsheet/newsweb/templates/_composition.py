"""Composed pages: a frame around the regions of a page, lists of one kind, cards of one kind, an article layout."""

from functools import lru_cache
from html import escape
from itertools import zip_longest

from broadsheet.newsweb._link_order import REGIONS, Region, groups_of
from broadsheet.newsweb._page_content import Link
from broadsheet.newsweb.site_plan import SitePlan
from broadsheet.newsweb.templates._article_layouts import render_article
from broadsheet.newsweb.templates._class_names import class_of
from broadsheet.newsweb.templates._composed_lists import box_html, links_html
from broadsheet.newsweb.templates._furniture import dateline, furnish, page_form
from broadsheet.newsweb.templates._page_heads import render_head
from broadsheet.newsweb.templates._passage_markup import render_passages
from broadsheet.newsweb.templates._scripted_lists import scripted_lists
from broadsheet.newsweb.templates._view import PageView

_WRAPPERS = ("div", "section", "article")
_REGION_TAGS: dict[str, dict[Region, str]] = {
    "semantic": {"top": "header", "bar": "nav", "menus": "nav", "main": "main", "side": "aside", "foot": "footer"},
    "left": {"bar": "header", "menus": "div", "main": "main", "side": "div", "foot": "footer"},
    "grid": {"bar": "nav", "main": "section", "side": "section", "low": "section", "foot": "footer"},
}


def render(view: PageView) -> str:
    """Render a page of a planned site."""
    plan = view.site.plan
    if plan is None:
        raise ValueError(f"the site {view.site.slug} has no plan to compose its pages by")
    composer = Composer(view, plan)
    head = render_head(view, (view.page.layout or plan.layout).head, plan.padding)
    return (
        f'<!DOCTYPE html>\n<html lang="{view.page.lexicon.language}">\n<head>\n{head}\n</head>\n'
        f"<body{composer.named('body')}>\n{composer.banner()}{composer.frame()}\n</body>\n</html>\n"
    )


class Composer:
    """Renders the regions of one page."""

    def __init__(self, view: PageView, plan: SitePlan) -> None:
        """Take the page and the parts to compose it of."""
        self._view = view
        self._plan = plan
        self._layout = view.page.layout or plan.layout

    def named(self, thing: str) -> str:
        """Return the class attribute for a thing."""
        return class_of(self._layout.vocabulary, thing)

    def banner(self) -> str:
        """Render the banner that asks for consent."""
        text = self._view.page.surround.banner if self._view.page.surround else ""
        if not text:
            return ""
        words = self._view.page.lexicon.interface
        button = f"<button>{escape(words.more)}</button>"
        return f'<div id="consent"{self.named("consent")}><p>{escape(text)}</p>{button}</div>\n'

    def frame(self) -> str:
        """Render all regions in the order of the frame."""
        frame = self._layout.frame
        if frame == "tables":
            return self._table_frame()
        tags = _REGION_TAGS.get(frame, {})
        parts = []
        for region in REGIONS[frame]:
            tag, inner = tags.get(region, "div"), self.region(region)
            parts.append(f"<{tag}{self.named(region)}>\n{inner}\n</{tag}>" if inner else "")
        inner = "\n".join(parts)
        # Sites that are not written by hand wrap everything a few times.
        depth = {"divs": 3, "grid": 1}.get(frame, 0)
        return f"{'<div>' * depth}{inner}{'</div>' * depth}"

    def _table_frame(self) -> str:
        top, bar, menus, main, side, low, foot = (self.region(region) for region in REGIONS["tables"])
        return (
            f'<table width="980" border="0"><tr><td colspan="3">{top}</td></tr>\n<tr valign="top"><td width="150">'
            f'{bar}{menus}</td><td width="600">{main}</td><td width="220">{side}</td></tr>\n'
            f'<tr><td colspan="3">{low}<hr>{foot}</td></tr></table>'
        )

    def region(self, region: Region) -> str:
        """Render one region."""
        page = self._view.page
        groups = dict(groups_of(page, region))
        if region == "main":
            return self._main(groups)
        parts = [links_html(self._layout, name, links) for name, links in groups.items() if links]
        if region == "foot":
            about = "" if page.surround is None else page.surround.about
            parts += [f"<p{self.named('about')}>{escape(about)}</p>"] if about else []
            parts.append(f"<p{self.named('rights')}>© {escape(self._view.site.name)}</p>")
        if not page.twin:
            parts += furnish(self._view, region, self.named)
        parts += self._boxes(region)
        return "\n".join(parts)

    def _main(self, groups: dict[str, tuple[Link, ...]]) -> str:
        page = self._view.page
        crumbs = links_html(self._layout, "crumbs", groups["crumbs"]) if groups["crumbs"] else ""
        pager = links_html(self._layout, "pager", groups["pager"]) if groups["pager"] else ""
        extras = [
            f"{'<nav>' * depth}{links_html(self._layout, name, links)}{'</nav>' * depth}"
            for depth, (name, links) in enumerate(page.extras, 1)
        ]
        boxes = self._boxes("main")
        if page.story:
            article = render_article(self._view, page.story, self._layout.article, self.named)
            return "\n".join((crumbs, article, *boxes, pager, *extras))
        headings = (f"<h2>{escape(heading)}</h2>" if heading else "" for heading in page.headings)
        pairs = zip_longest(headings, page.paragraphs, fillvalue="")
        text = "".join(f"{heading}<p{self.named('par')}>{escape(paragraph)}</p>\n" for heading, paragraph in pairs)
        # Some real pages of this kind have their title in another element: 11 to 36 in 100.
        level = 2 if page.passages and self._layout.vocabulary % 5 == 4 else 1
        title = f"<h{level}{self.named('title')}>{escape(page.title)}</h{level}>"
        intro = f"<p{self.named('standfirst')}>{escape(page.intro)}</p>" if page.intro else ""
        passages = render_passages(page.passages, self._layout.vocabulary, self.named) if page.form != "quiz" else ""
        form = page_form(self._view, self.named)
        text = f"{dateline(self._view, self.named)}{intro}{text}{passages}{form}"
        return "\n".join((crumbs, title, text, *boxes, *scripted_lists(self._view), pager, *extras))

    def _boxes(self, region: Region) -> list[str]:
        """Render the lists of a region; each is wrapped in its own way, as the widgets of real pages are."""
        parts, more = [], self._view.site.lexicon.interface.more
        for number, box in enumerate(self._view.boxes_at(region)):
            before, after = _wrapping(number)
            parts.append(f"{before}{box_html(self._layout, box, more)}{after}")
        return parts


@lru_cache(maxsize=256)
def _wrapping(number: int) -> tuple[str, str]:
    """Return the elements around the list with this number in its region, others for each number."""
    names = []
    number += 1
    while number:
        number, digit = divmod(number - 1, len(_WRAPPERS))
        names.append(_WRAPPERS[digit])
    return "".join(f"<{name}>" for name in names), "".join(f"</{name}>" for name in reversed(names))
