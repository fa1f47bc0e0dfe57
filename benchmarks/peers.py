"""The peers, each called as it documents, on decoded text and without network access.

A peer is imported when it is loaded: one that is not installed is left out, and a child process that measures the
memory of one peer imports no other.
"""

from importlib import import_module

from benchmarks.pages import Page
from benchmarks.system import Run, System


def trafilatura() -> Run:
    """Load trafilatura's extraction of text and metadata; `extract` would add the cost of an output format."""
    extract = import_module("trafilatura").bare_extraction

    def run(page: Page) -> str | None:
        document = extract(page.text, with_metadata=True)
        return document.text if document is not None else None

    return run


def resiliparse() -> Run:
    """Load resiliparse's plain text of the main content (by default it returns the text of the whole page)."""
    extract = import_module("resiliparse.extract.html2text").extract_plain_text

    def run(page: Page) -> str | None:
        return str(extract(page.text, main_content=True))

    return run


def newspaper4k() -> Run:
    """Load newspaper4k's article from given HTML, without the images, which it would download."""
    article = import_module("newspaper").article

    def run(page: Page) -> str | None:
        return str(article("https://news.example/", input_html=page.text, fetch_images=False).text)

    return run


def readability() -> Run:
    """Load readability-lxml's title and summary."""
    document_of = import_module("readability").Document

    def run(page: Page) -> str | None:
        document = document_of(page.text)
        document.title()
        return str(document.summary())

    return run


def goose3() -> Run:
    """Load goose3 with its default configuration, one extractor for all pages."""
    goose = import_module("goose3").Goose()

    def run(page: Page) -> str | None:
        return str(goose.extract(raw_html=page.text).cleaned_text)

    return run


def justext() -> Run:
    """Load jusText with its English stop words, as its documentation does."""
    module = import_module("justext")
    stop_words = module.get_stoplist("English")

    def run(page: Page) -> str | None:
        paragraphs = module.justext(page.text, stop_words)
        return "\n\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)

    return run


def boilerpy3() -> Run:
    """Load boilerpy3's article extractor."""
    extractor = import_module("boilerpy3.extractors").ArticleExtractor()

    def run(page: Page) -> str | None:
        return str(extractor.get_content(page.text))

    return run


PEERS = [
    System("trafilatura", "trafilatura", trafilatura),
    System("resiliparse", "resiliparse", resiliparse),
    System("newspaper4k", "newspaper4k", newspaper4k),
    System("readability-lxml", "readability-lxml", readability),
    System("goose3", "goose3", goose3),
    System("jusText", "jusText", justext),
    System("boilerpy3", "boilerpy3", boilerpy3),
]
