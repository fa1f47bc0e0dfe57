"""The peers: other projects' extractors, each called as its own documentation shows it, and without a network.

Modules are imported when a peer is loaded, so peers are needed only by those who ask for them. All are given decoded
text, so that a wrong guess of the charset costs them nothing.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TypeAlias

from broadsheet.corpora.field_measures import Fields
from broadsheet.document import parse

#: Some peers want an address, and none may come to know the page by it.
ANY_URL = "https://news.example/"

#: Gives the text taken for the article's, by a page's text and address.
TextOf: TypeAlias = Callable[[str, str], str | None]
#: Gives the facts of an article, by a page's text and address.
PeerFieldsOf: TypeAlias = Callable[[str, str | None], Fields]


@dataclass(frozen=True, slots=True)
class PeerAdapter:
    """How one peer is called."""

    #: Loads what gives the text that is compared with the labels.
    text: Callable[[], TextOf]
    #: Loads what gives facts; None for a peer that has none.
    fields: Callable[[], PeerFieldsOf] | None = None
    #: Loads the call that is timed, where that is not `text`: the same work without what only a comparison needs.
    timed: Callable[[], TextOf] | None = None


def _trafilatura() -> TextOf:
    extract_text = import_module("trafilatura").extract

    def text_of(text: str, _: str) -> str | None:
        # No corpus counts readers' comments as body, and trafilatura can leave them out.
        body: str | None = extract_text(text, include_comments=False)
        return body

    return text_of


def _trafilatura_timed() -> TextOf:
    """Load text and metadata as an object: `extract` would add the cost of an output format."""
    extract = import_module("trafilatura").bare_extraction

    def text_of(text: str, _: str) -> str | None:
        document = extract(text, with_metadata=True)
        return document.text if document is not None else None

    return text_of


def _trafilatura_fields() -> PeerFieldsOf:
    read = import_module("trafilatura").extract_metadata

    def fields_of(text: str, url: str | None) -> Fields:
        found = read(text, default_url=url)
        if found is None:
            return Fields(None, None, ())
        return Fields(found.title, found.date, tuple(filter(None, (found.author or "").split("; "))))

    return fields_of


def _resiliparse() -> TextOf:
    """Load the plain text of the main content; the default is the text of the whole page."""
    plain_text = import_module("resiliparse.extract.html2text").extract_plain_text
    return lambda text, _: str(plain_text(text, main_content=True))


def _newspaper4k() -> TextOf:
    article = import_module("newspaper").article
    # Without this it would download the page's images.
    return lambda text, url: str(article(url, input_html=text, fetch_images=False).text)


def _newspaper4k_fields() -> PeerFieldsOf:
    article = import_module("newspaper").article

    def fields_of(text: str, url: str | None) -> Fields:
        found = article(url or ANY_URL, input_html=text, fetch_images=False)
        day = found.publish_date.date().isoformat() if found.publish_date else None
        return Fields(found.title or None, day, _texts(found.authors))

    return fields_of


def _readability() -> TextOf:
    document_of = import_module("readability").Document
    return lambda text, _: visible_text(str(document_of(text).summary()))


def _readability_timed() -> TextOf:
    """Load title and summary, which stays markup."""
    document_of = import_module("readability").Document

    def text_of(text: str, _: str) -> str | None:
        document = document_of(text)
        document.title()
        return str(document.summary())

    return text_of


def _goose3() -> TextOf:
    goose = import_module("goose3").Goose()
    return lambda text, _: str(goose.extract(raw_html=text).cleaned_text)


def _goose3_fields() -> PeerFieldsOf:
    goose = import_module("goose3").Goose()

    def fields_of(text: str, _: str | None) -> Fields:
        found = goose.extract(raw_html=text)
        return Fields(found.title or None, str(found.publish_date or "")[:10] or None, _texts(found.authors))

    return fields_of


def _justext() -> TextOf:
    module = import_module("justext")
    stop_words = module.get_stoplist("English")

    def text_of(text: str, _: str) -> str:
        paragraphs = module.justext(text, stop_words)
        return "\n\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)

    return text_of


def _boilerpy3() -> TextOf:
    extractor = import_module("boilerpy3.extractors").ArticleExtractor()
    return lambda text, _: str(extractor.get_content(text))


def visible_text(markup: str) -> str:
    """Return the text of a peer's HTML, a line for each line of the page."""
    document = parse(markup)
    numbers, texts = document.pieces.line, map(document.piece_text, range(len(document.pieces)))
    lines: dict[int, str] = {}
    for number, text in zip(numbers.tolist(), texts, strict=True):
        lines[number] = lines.get(number, "") + text
    return "\n".join(lines.values())


def _texts(authors: Iterable[object]) -> tuple[str, ...]:
    """Return the names among what a peer calls authors; a list among them is not a name."""
    return tuple(author for author in authors if isinstance(author, str))


#: The peers by the name of their distribution.
PEERS: Mapping[str, PeerAdapter] = {
    "trafilatura": PeerAdapter(_trafilatura, _trafilatura_fields, _trafilatura_timed),
    "resiliparse": PeerAdapter(_resiliparse),
    "newspaper4k": PeerAdapter(_newspaper4k, _newspaper4k_fields),
    "readability-lxml": PeerAdapter(_readability, timed=_readability_timed),
    "goose3": PeerAdapter(_goose3, _goose3_fields),
    "jusText": PeerAdapter(_justext),
    "boilerpy3": PeerAdapter(_boilerpy3),
}
