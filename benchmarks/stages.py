"""Our own stages, each on top of those before it and each on its own, and the bare parse they are held to.

What is timed includes freeing: a tree that is dropped inside the call is freed inside it.
"""

from functools import partial
from importlib import import_module
from typing import Any

from benchmarks.pages import Page
from benchmarks.system import Run, System

#: What a document computes when it is first asked for it, in the order in which the stages are stacked.
LAZY = ("links", "metadata", "tokens")

#: Relative links cost more once they can be resolved, and in use a page's address is nearly always known.
ADDRESS = "https://news.example/politics/2026/story.html"


def bare_parse() -> Run:
    """Load lxml's parse of the same bytes, with the settings that our own parse needs."""
    etree = import_module("lxml.etree")

    def run(page: Page) -> None:
        etree.fromstring(page.data, etree.HTMLParser(encoding="utf-8", huge_tree=True))

    return run


def parse_and_ask(attributes: tuple[str, ...]) -> Run:
    """Load our parse, followed by the lazy attributes named."""
    parse = import_module("broadsheet").parse

    def run(page: Page) -> None:
        document = parse(page.data, ADDRESS, encoding="utf-8")
        for attribute in attributes:
            getattr(document, attribute)

    return run


def identify_and_extract() -> Run:
    """Load the whole way from bytes to a verdict and, where the page is one, its article."""
    analyse = import_module("broadsheet").analyse

    def run(page: Page) -> None:
        analyse(page.data, ADDRESS, encoding="utf-8")

    return run


def ask(attribute: str) -> Run:
    """Load one lazy attribute of a document that is parsed already."""

    def run(document: object) -> None:
        getattr(document, attribute)

    return run


def parsed(page: Page) -> Any:  # noqa: ANN401 - a Document, which only the package that is timed can name
    """Parse the page outside the timing, anew for each call, since a document keeps what it was asked for."""
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
