"""Our own stages, cumulatively and alone, and lxml's parse as their baseline.

Times include deallocation: a tree that is dropped within the call is freed within it.
"""

from functools import partial
from importlib import import_module
from typing import Any

from benchmarks.pages import Page
from benchmarks.system import Run, System

#: The lazy attributes of a document, in the order of the cumulative stages.
LAZY = ("links", "metadata", "tokens")

#: Resolving relative links takes time, and in practice the URL of a page is nearly always known.
ADDRESS = "https://news.example/politics/2026/story.html"


def bare_parse() -> Run:
    """Load lxml's parse of the same bytes, with the options of our own parser."""
    etree = import_module("lxml.etree")

    def run(page: Page) -> None:
        etree.fromstring(page.data, etree.HTMLParser(encoding="utf-8", huge_tree=True))

    return run


def parse_and_ask(attributes: tuple[str, ...]) -> Run:
    """Load our parse, followed by some lazy attributes."""
    parse = import_module("broadsheet").parse

    def run(page: Page) -> None:
        document = parse(page.data, ADDRESS, encoding="utf-8")
        for attribute in attributes:
            getattr(document, attribute)

    return run


def identify_and_extract() -> Run:
    """Load the whole pipeline from bytes to a verdict and, if the page is an article, its text."""
    analyse = import_module("broadsheet").analyse

    def run(page: Page) -> None:
        analyse(page.data, ADDRESS, encoding="utf-8")

    return run


def ask(attribute: str) -> Run:
    """Load one lazy attribute of a parsed document."""

    def run(document: object) -> None:
        getattr(document, attribute)

    return run


def parsed(page: Page) -> Any:  # noqa: ANN401 - a Document, which only the timed package can name
    """Parse the page outside the timing, for each call, since a document caches its lazy attributes."""
    return import_module("broadsheet").parse(page.data, ADDRESS, encoding="utf-8")


BASELINE = System("lxml parse", "lxml", bare_parse)
PARSE = System("parse + columns", "broadsheet", partial(parse_and_ask, ()))
CUMULATIVE = [
    System(f"+ {attribute}", "broadsheet", partial(parse_and_ask, LAZY[:count]))
    for count, attribute in enumerate(LAZY, start=1)
]
ALONE = [System(f"{attribute} alone", "broadsheet", partial(ask, attribute), parsed) for attribute in LAZY]

WHOLE = System("identify + extract", "broadsheet", identify_and_extract)

STAGES = [BASELINE, PARSE, *CUMULATIVE, *ALONE, WHOLE]
