"""Parses the simulated pages independently of the generator, with selectors for each template."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urljoin

from lxml import html

from broadsheet.newsweb.response import Response
from broadsheet.newsweb.web import NewsWeb

#: Six sites cover every template twice, every language, and both kinds of article pages.
WEB = NewsWeb(seed=3, sites=6)
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def get(url: str, at: datetime = NOON, web: NewsWeb = WEB, **headers: str) -> Response:
    return web.fetch(url, at, {name.replace("_", "-"): value for name, value in headers.items()})


def tree_of(response: Response) -> html.HtmlElement:
    charset = response.headers["Content-Type"].partition("charset=")[2]
    return html.document_fromstring(response.body.decode(charset))


def hrefs(tree: html.HtmlElement, url: str) -> list[str]:
    return [urljoin(url, str(href)) for href in _all(tree, "//a/@href")]


def texts(tree: html.HtmlElement, xpath: str) -> list[str]:
    return [str(element.text_content()) for element in _all(tree, xpath)]


def paragraphs_of_cells(tree: html.HtmlElement) -> list[str]:
    nodes = _all(tree, "//table[@id='text']//td/text()")
    return [stripped for text in nodes if (stripped := str(text).strip())]


PARAGRAPHS: dict[str, Callable[[html.HtmlElement], list[str]]] = {
    "semantic": lambda tree: texts(tree, "//article/p[not(@class)]"),
    "cards": lambda tree: texts(tree, "//div[@class='prose']/p"),
    "tables": paragraphs_of_cells,
}
TITLES = {"semantic": "//article/h1", "cards": "//h1", "tables": "//td/font[@size='5']/b"}
AUTHORS = {
    "semantic": "//a[@rel='author']",
    "cards": "//div[contains(@class,'text-xs')]//span[@class='font-bold']/a",
    "tables": "//font[@color='#666666']/a",
}
DATES = {
    "semantic": "//p[@class='when']",
    "cards": "//div[contains(@class,'date')]",
    "tables": "//font[@color='#666666']",
}


def _all(tree: html.HtmlElement, xpath: str) -> list[Any]:
    nodes = tree.xpath(xpath)
    assert isinstance(nodes, list)
    return nodes
