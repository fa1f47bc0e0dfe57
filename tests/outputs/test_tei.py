"""Articles as TEI: well-formed whatever a page says, with all that TEI requires."""

import io
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from broadsheet.base.moments import Precision
from broadsheet.base.records import Article, Block, Label
from broadsheet.base.tei import NAMESPACE
from broadsheet.outputs.output import Output
from broadsheet.outputs.output_columns import READ
from broadsheet.outputs.writers import Style, write_text
from tests.outputs.samples import EARLY, article

SUBSET = etree.RelaxNG(etree.parse(Path(__file__).with_name("tei_subset.rng")))
NAMES = {"t": NAMESPACE}
TEXT = st.text(st.characters(exclude_categories=()), max_size=20)
MOMENTS = st.datetimes(timezones=st.integers(-86_399, 86_399).map(lambda seconds: timezone(timedelta(seconds=seconds))))


def valid(text: str) -> etree._Element:
    root = etree.fromstring(text.encode("utf-8"))
    SUBSET.assertValid(root)
    return root


def corpus(*articles: Article) -> str:
    file = io.StringIO()
    write_text((Output(article=one) for one in articles), Style("tei", READ), file)
    return file.getvalue()


def found(root: etree._Element, path: str) -> list[str]:
    return ["".join(map(str, element.itertext())) for element in root.findall(path, NAMES)]


def test_the_header_has_title_authors_date_publisher_source_and_language() -> None:
    read = article().article
    assert read is not None

    root = valid(read.to_tei())

    header = "t:teiHeader/t:fileDesc/"
    assert found(root, f"{header}t:titleStmt/t:title") == ["Bridge reopens"]
    assert found(root, f"{header}t:titleStmt/t:author") == ["Nora Pell", "J. <Ö> & Co"]
    assert found(root, f"{header}t:publicationStmt/t:publisher") == ["The Courier"]
    [date] = root.findall(f"{header}t:publicationStmt/t:date", NAMES)
    assert date.get("when") == "2026-03-02T01:15:00+02:00"
    addresses = {idno.get("type"): idno.text for idno in root.findall(f"{header}t:sourceDesc/t:bibl/t:idno", NAMES)}
    assert addresses == {"URL": "https://news.example/a?x=1&y=2", "canonicalURL": "https://news.example/a"}
    [language] = root.findall("t:teiHeader/t:profileDesc/t:langUsage/t:language", NAMES)
    assert language.get("ident") == root.get("{http://www.w3.org/XML/1998/namespace}lang") == "en-GB"
    assert found(root, ".//t:keywords/t:term") == ["City", "bridges", "traffic"]
    assert found(root, ".//t:abstract/t:p") == ["After months."]


def test_the_body_has_divisions_with_heads_paragraphs_and_lists() -> None:
    read = article().article
    assert read is not None

    [body] = valid(read.to_tei()).findall("t:text/t:body", NAMES)

    assert found(body, "t:head") == ["Bridge reopens"]
    before, after = body.findall("t:div", NAMES)
    assert (found(before, "t:head"), found(before, "t:p")) == ([], ["It was closed for months."])
    assert found(after, "t:head") == ["What comes next"]
    assert len(after.findall("t:p/t:lb", NAMES)) == 1
    assert found(after, "t:list/t:item") == ["The old one", "The new one"]


def test_the_time_of_capture_is_in_the_source() -> None:
    file = io.StringIO()
    write_text([article()], Style("tei", READ), file)

    dates = valid(file.getvalue()).findall(".//t:bibl/t:date", NAMES)

    assert {date.get("type"): date.get("when") for date in dates} == {
        "published": "2026-03-02T01:15:00+02:00",
        "captured": "2026-03-02T12:00:00+00:00",
    }


@pytest.mark.parametrize(
    ("precision", "when"), [("year", "2026"), ("month", "2026-03"), ("day", "2026-03-02"), (None, EARLY.isoformat())]
)
def test_a_date_says_no_more_than_is_known(precision: Precision | None, when: str) -> None:
    root = valid(Article(url="https://a.example/", published=EARLY, published_precision=precision).to_tei())

    assert {date.get("when") for date in root.findall(".//t:date", NAMES)} == {when}


def test_an_article_of_which_nothing_is_known_is_valid() -> None:
    root = valid(Article().to_tei())

    assert found(root, ".//t:titleStmt/t:title") == ["Untitled"]
    assert found(root, ".//t:publicationStmt/t:p") == ["The publisher is not known"]


def test_a_body_without_blocks_has_its_paragraphs() -> None:
    assert found(valid(Article(title="A", body="One.\n\nTwo.").to_tei()), ".//t:body/t:div/t:p") == ["One.", "Two."]


def test_several_articles_are_a_corpus() -> None:
    root = valid(corpus(Article(title="A"), Article(title="B"), Article(title="C")))

    assert root.tag == f"{{{NAMESPACE}}}teiCorpus"
    assert found(root, "t:TEI//t:titleStmt/t:title") == ["A", "B", "C"]


def test_no_article_is_a_corpus_without_any() -> None:
    root = etree.fromstring(corpus().encode())

    assert [child.tag for child in root] == [f"{{{NAMESPACE}}}teiHeader"]


@given(TEXT, TEXT, TEXT, st.lists(st.tuples(st.sampled_from(Label), TEXT, st.sampled_from(["/p", "/h2", "/li"]))))
def test_whatever_a_page_says_is_valid(
    title: str, url: str, language: str, blocks: list[tuple[Label, str, str]]
) -> None:
    read = Article(
        url=url,
        canonical_url=f"https://a.example/{url}",
        title=title,
        authors=(title,),
        language=language,
        section=title,
        description=url,
        body=title,
        blocks=tuple(Block(*block) for block in blocks),
    )

    assert valid(read.to_tei()).tag == f"{{{NAMESPACE}}}TEI"
    assert valid(corpus(read, read)).tag == f"{{{NAMESPACE}}}teiCorpus"


@given(MOMENTS, st.sampled_from(["year", "month", "day", "minute", "second", None]))
def test_every_time_is_one_for_xml(moment: datetime, precision: Precision | None) -> None:
    read = Article(url="https://a.example/", published=moment, published_precision=precision)

    assert len(found(valid(read.to_tei()), ".//t:publicationStmt/t:date")) == 1


def test_markup_in_a_page_stays_text() -> None:
    read = article().article
    assert read is not None
    attack = "]]><script>&lol;</p></TEI><!-- \"'"

    root = valid(replace(read, title=attack, url=f"https://a.example/{attack}", authors=(attack,)).to_tei())

    assert found(root, ".//t:titleStmt/t:title") == [attack]
