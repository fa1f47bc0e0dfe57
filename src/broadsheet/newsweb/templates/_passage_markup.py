"""How the passages of pages that are not articles stand on a composed page."""

import re
from collections.abc import Callable, Iterable
from html import escape

from broadsheet.newsweb._page_content import Passage

Named = Callable[[str], str]

_MAIL = re.compile(r"(?<![\w.])[\w.]++@[\w.-]+", re.ASCII)


def render_passages(passages: Iterable[Passage], vocabulary: int, named: Named) -> str:
    """Render passages one after the other.

    Sites differ in the level of headings, and in whether mail is a link and each passage has an element of its own.
    """
    level, linked = (3 if vocabulary % 3 == 2 else 2), vocabulary % 3 != 1
    parts = []
    for passage in passages:
        heading = f"<h{level}>{escape(passage.heading)}</h{level}>\n" if passage.heading else ""
        text = "".join(f"<p{named('par')}>{_broken(text, linked)}</p>\n" for text in passage.paragraphs)
        items = "".join(f"<li>{escape(item)}</li>" for item in passage.items)
        html = f"{heading}{text}<ul>{items}</ul>\n" if items else heading + text
        parts.append(f"<div{named('section')}>{html}</div>\n" if vocabulary % 5 < 3 else html)
    return "".join(parts)


def _broken(text: str, linked: bool) -> str:
    """Render a text whose lines are broken, with links to addresses of mail if they are `linked`."""
    html = "<br>\n".join(escape(line) for line in text.split("\n"))
    return _MAIL.sub(r'<a href="mailto:\g<0>">\g<0></a>', html) if linked else html
