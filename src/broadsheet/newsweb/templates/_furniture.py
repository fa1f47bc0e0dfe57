"""What stands on composed pages besides text and links: forms, adverts, the dates of other pages than articles."""

from collections.abc import Callable, Sequence
from html import escape

from broadsheet.newsweb._link_order import Region
from broadsheet.newsweb._page_content import Passage
from broadsheet.newsweb._places import SEARCH
from broadsheet.newsweb.templates._view import PageView

Named = Callable[[str], str]


def furnish(view: PageView, region: Region, named: Named) -> list[str]:
    """Render the forms and adverts of a region: a search at the top, adverts at the side, a newsletter at the end."""
    plan, words = view.site.plan, view.page.lexicon.interface
    if plan is None:
        return []
    if region == "top" and plan.forms:
        return [_search(view, named)]
    if region == "foot" and plan.forms > 1:
        label = f'<label>{escape(words.latest)} <input type="email" name="address"></label>'
        return [f'<form{named("newsletter")} method="post">{label}<button>{escape(words.more)}</button></form>']
    if region in ("side", "low") and plan.adverts:
        picture = f'<div{named("advert")}><img src="{view.root}/static/logo.svg" alt=""></div>'
        return [picture] * (plan.adverts // 2)
    return []


def _search(view: PageView, named: Named, words: str = "") -> str:
    action = view.root + (SEARCH if view.site.extras.search else "/")
    value = f' value="{escape(words)}"' if words else ""
    return f'<form{named("search")} action="{action}" role="search"><input type="search" name="q"{value}></form>'


def dateline(view: PageView, named: Named) -> str:
    """Render the author and the date of a page that is laid out like an article."""
    page = view.page
    if page.dated is None:
        return ""
    words = page.lexicon.interface
    by = f"<p{named('byline')}>{escape(words.by)} {escape(view.site.name)}</p>"
    return f"{by}<p{named('date')}>{page.lexicon.format_date(page.dated)}</p>\n"


def _fields(labels: Sequence[str], kinds: Sequence[str]) -> str:
    """Render fields of a form, one for each label."""
    return "".join(
        f'<label for="{kind}-{number}">{escape(label)}</label><br>'
        f'<input type="{kind}" name="{kind}" id="{kind}-{number}"><br>\n'
        for number, (label, kind) in enumerate(zip(labels, kinds, strict=False))
    )


def _question(passage: Passage) -> str:
    """Render a question of a quiz and its answers."""
    answers = "".join(f'<label><input type="radio"> {escape(item)}</label><br>\n' for item in passage.items)
    return "".join(f"<h3>{escape(text)}</h3>\n" for text in passage.paragraphs) + answers


def page_form(view: PageView, named: Named) -> str:
    """Render what a reader can fill in."""
    page, words = view.page, view.page.lexicon.interface
    button = f"<button>{escape(words.more)}</button>"
    match page.form:
        case "login":
            fields = _fields(page.labels, ("email", "password", *("text",) * len(page.labels)))
        case "contact":
            topics = "".join(f"<option>{escape(link.text)}</option>" for link in page.bar)
            fields = (
                f"{_fields(page.labels, ('text', 'email', *('text',) * len(page.labels)))}"
                f'<select name="topic">{topics}</select><textarea name="message"></textarea>'
            )
        case "newsletter":
            boxes = (f'<label><input type="checkbox"> {escape(link.text)}</label>' for link in page.bar)
            fields = "".join(boxes) + _fields(page.labels, ("email", *("text",) * len(page.labels)))
        case "search":
            return _search(view, named, page.title)
        case "quiz":
            fields = "".join(_question(passage) for passage in page.passages)
        case _:
            return ""
    return f'<form{named("form")} method="post">{fields}{button}</form>\n'
