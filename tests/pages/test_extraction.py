"""Which pages are read: those that may be articles, and any page on request."""

import re
from datetime import UTC, datetime

import pytest

import broadsheet
from broadsheet.base.records import Verdict
from broadsheet.document import Document, parse
from broadsheet.pages import extraction
from broadsheet.pages.extraction import FEW_LINKS, MIN_PROBABILITY, judge_and_read, may_be_article

SENTENCE = "The harbour bridge was opened to all traffic on Monday, three months later than the city had planned. "
#: Paragraphs that differ, because repeated ones are read once.
PARAGRAPHS = "".join(f"<p>{SENTENCE.replace('Monday', f'day {number}') * 3}</p>" for number in range(8))
STORY = f"<html><title>Bridge reopens</title><h1>Bridge reopens after repairs</h1>{PARAGRAPHS}</html>"
LINK = "<li><h2><a href='/city/{0}'>Bridge number {0} is opened to all traffic</a></h2></li>"
SECTION = f"<html><title>City</title><h1>City</h1><ul>{''.join(map(LINK.format, range(40)))}</ul></html>"


def verdict(article: float) -> Verdict:
    probabilities = {"article": article, "section": 1 - article, "other": 0.0}
    return Verdict(
        "article" if article > 0.5 else "section", None, max(article, 1 - article), probabilities, (), "made-1"
    )


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A list whose only item is the probability that any page is an article."""
    probability = [1.0]
    monkeypatch.setattr(extraction, "judge", lambda _: verdict(probability[0]))
    return probability


def test_an_article_is_read_and_carries_its_verdict() -> None:
    article = broadsheet.extract(STORY)

    assert article is not None
    assert article.verdict == broadsheet.identify(STORY)
    assert article.body.count("\n\n") >= 7


def test_a_section_is_not_read_unless_forced() -> None:
    assert broadsheet.extract(SECTION) is None

    forced = broadsheet.extract(SECTION, force=True)

    assert forced is not None
    assert forced.verdict is not None
    assert forced.verdict.kind == "section"


def test_a_page_is_read_if_it_may_be_an_article_though_something_else_is_likelier(judged: list[float]) -> None:
    judged[0] = MIN_PROBABILITY
    assert broadsheet.extract(STORY + SECTION) is not None

    judged[0] = MIN_PROBABILITY - 0.01
    assert broadsheet.extract(STORY + SECTION) is None


def test_a_page_too_bare_to_classify_is_read() -> None:
    bare = "<h1>A storm</h1><p>It came from the west.</p>"

    assert may_be_article(parse(bare), verdict(0.0))
    assert not may_be_article(parse(bare + "<a href=/a>a</a>" * FEW_LINKS), verdict(0.0))
    assert not may_be_article(parse(bare + "<p>" + "word " * 200), verdict(0.0))
    assert not may_be_article(parse(bare + "<form>Password: <input></form>"), verdict(0.0))


def test_a_page_without_text_has_no_article_whatever_its_verdict(judged: list[float]) -> None:
    judged[0] = 1.0

    assert broadsheet.extract("<img src=x>") is None
    forced = broadsheet.extract("<img src=x>", force=True)
    assert forced is not None
    assert forced.body == ""


def test_analysing_judges_and_reads_one_document_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Document] = []

    def judge(document: Document) -> Verdict:
        asked.append(document)
        return verdict(1.0)

    monkeypatch.setattr(extraction, "judge", judge)

    page = broadsheet.analyse(STORY, "https://courier.example/city/bridge")

    assert asked == [page.document]
    assert page.article is not None
    assert page.article.verdict is page.verdict
    assert page.document.url == page.article.url


def test_a_document_is_not_parsed_again() -> None:
    document = parse(STORY)

    assert broadsheet.analyse(document).document is document
    assert judge_and_read(document).article == broadsheet.extract(document)


def test_a_time_without_an_offset_is_refused_even_if_the_page_is_not_read() -> None:
    naive = datetime(2026, 3, 2, tzinfo=UTC).replace(tzinfo=None)

    for page in (STORY, SECTION):
        with pytest.raises(broadsheet.InputError, match="fetched_at needs a UTC offset"):
            broadsheet.extract(page, fetched_at=naive)


def test_reading_alone_does_not_classify_the_page() -> None:
    article = broadsheet.reading.extract(SECTION, force=True)

    assert article is not None
    assert article.verdict is None


def test_a_page_without_a_body_tag_is_read() -> None:
    page = (
        "<title>Harbour bridge reopens</title><nav><a href='/'>Home</a></nav><article><h1>Harbour bridge reopens</h1>"
    )

    article = broadsheet.extract(page + "<p>The bridge was closed for <b>three</b> months.</p></article>")

    assert article is not None
    assert article.body == "The bridge was closed for three months."


@pytest.mark.parametrize(
    "page",
    [
        "<title>404 Not Found</title><body><center><h1>404 Not Found</h1></center><hr><center>nginx</center>",
        "<body><nav><a href=/a>a</a></nav>",
    ],
)
def test_a_bare_page_without_a_sentence_is_not_an_article(page: str) -> None:
    assert broadsheet.extract(page) is None


def test_the_repr_of_a_page_is_one_line() -> None:
    article = repr(broadsheet.analyse(STORY, "https://courier.example/city/bridge"))
    section = repr(broadsheet.analyse(SECTION))

    assert re.fullmatch(
        r"Page\(\w+ \d\.\d\d, 'Bridge reopens after repairs', no date, \d+ words, '.*/bridge'\)", article
    )
    assert re.fullmatch(r"Page\(section \d\.\d\d, 'City'\)", section)
