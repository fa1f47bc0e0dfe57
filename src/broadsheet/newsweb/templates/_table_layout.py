"""The third template: a table layout as in the nineties, in the legacy encoding of its language, without metadata."""

from html import escape

from broadsheet.newsweb._page_content import Box, Link, Teaser
from broadsheet.newsweb._story_history import Story
from broadsheet.newsweb.templates._scripted_lists import scripted_lists
from broadsheet.newsweb.templates._view import PageView, anchor


def render(view: PageView) -> str:
    """Render the page as one table with three columns."""
    page, site = view.page, view.site
    return f"""<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">
<html>
<head>
<meta http-equiv="Content-Type" content="text/html; charset={view.charset}">
<meta http-equiv="Content-Language" content="{page.lexicon.language}">
<title>{view.title}</title>{view.neighbours}
</head>
<body bgcolor="#ffffff" link="#000099">
<table width="960" border="0" cellpadding="4" align="center">
<tr><td colspan="3" bgcolor="#eeeeee"><img src="{view.root}/static/logo.svg" alt="">
<font size="6"><b>{escape(site.name)}</b></font></td></tr>
<tr valign="top">
<td width="140" bgcolor="#f4f4f4">
{_column(page.bar)}
</td>
<td width="600">
{_main(view)}
</td>
<td width="220">
{"".join(_side(box) for box in view.boxes("most-read", "related"))}
</td>
</tr>
<tr><td colspan="3" align="center"><hr><font size="1">{_line(page.foot)}<br>© {escape(site.name)}</font></td></tr>
</table>
</body>
</html>
"""


def _main(view: PageView) -> str:
    page = view.page
    if page.story:
        return _article(view, page.story)
    parts = [f'<font size="5"><b>{escape(page.title)}</b></font><br>']
    parts.extend(_list(box) for box in view.boxes("lead", "list"))
    parts.extend(scripted_lists(view))
    parts.extend(f"{escape(paragraph)}<br><br>" for paragraph in page.paragraphs)
    parts.extend(_pages(page.pager))
    return "\n".join(parts)


def _article(view: PageView, story: Story) -> str:
    lexicon = view.page.lexicon
    body = [f"{escape(paragraph)}<br><br>" for paragraph in story.paragraphs]
    if story.crosshead:
        body.insert((len(body) + 1) // 2, f"<b>{escape(story.crosshead)}</b><br><br>")
    inner = "\n".join(body)
    times = lexicon.format_date(story.published)
    if story.modified:
        times += f"<br>{lexicon.interface.updated} {lexicon.format_date(story.modified)}"
    authors = ", ".join(anchor(link) for link in view.page.authors)
    return f"""<font size="1">{_line(view.page.crumbs)}</font><br>
<font size="5"><b>{escape(story.headline)}</b></font><br>
<i>{escape(story.standfirst)}</i><br>
<font size="2" color="#666666">{escape(lexicon.interface.by)} {authors}, {times}</font>
<table border="0" cellpadding="6" id="text"><tr><td>
<img src="{view.root}/static/{story.number}.svg" align="right" alt="">
{inner}
</td></tr></table>{"".join(_pages(view.page.pager))}"""


def _pages(links: tuple[Link, ...]) -> list[str]:
    return [f'<center><font size="2">{_line(links)}</font></center>'] if links else []


def _list(box: Box) -> str:
    rows = "\n".join(map(_row, box.teasers))
    heading = f'<tr><td colspan="2" bgcolor="#dddddd"><b>{escape(box.title)}</b></td></tr>'
    return f'<table width="100%">{heading}\n{rows}\n</table>'


def _row(teaser: Teaser) -> str:
    tag = f'<font size="1">[{anchor(teaser.tag)}]</font>' if teaser.tag else ""
    picture = f'<a href="{escape(teaser.link.path)}"><img src="{teaser.picture}" width="60" border="0" alt=""></a>'
    return f"<tr><td>{picture}</td><td><b>{anchor(teaser.link)}</b><br>{escape(teaser.standfirst)} {tag}</td></tr>"


def _side(box: Box) -> str:
    rows = "\n".join(f"<tr><td>{anchor(teaser.link)}</td></tr>" for teaser in box.teasers)
    return f'<table bgcolor="#f4f4f4"><tr><td><b>{escape(box.title)}</b></td></tr>\n{rows}\n</table>'


def _column(links: tuple[Link, ...]) -> str:
    return "<br>\n".join(anchor(link) for link in links)


def _line(links: tuple[Link, ...]) -> str:
    return " | ".join(anchor(link) for link in links)
