import pytest

from broadsheet.document import parse
from broadsheet.pages.link_signs import LinkCounts, Thresholds, count_links, count_page_links, link_signs

ARTICLE = "https://news.yahoo.com/latest-twister-hits-texas-community-dozen-hurt-201112355.html"
ADVERTISEMENT = "https://business.comcast.com/4995internet?CMP=BAC-22238190-4304415-238973491-90614167&omndfa=1"


def test_the_number_of_the_worked_example_is_found() -> None:
    signs = link_signs("https://abcnews.go.com/story?id=62025268")

    assert signs.number
    assert not signs.date


def test_the_date_of_the_worked_example_is_found_and_is_not_a_number() -> None:
    signs = link_signs("https://www.nytimes.com/2019/04/15/us/politics/trump-ilhan-omar.html")

    assert signs.date
    assert not signs.number


def test_the_slash_of_the_worked_example_is_found() -> None:
    signs = link_signs("https://news.yahoo.com/")

    assert signs.slash
    assert (signs.number, signs.date, signs.reserved) == (False, False, False)


def test_the_reserved_word_of_the_worked_example_is_found() -> None:
    assert link_signs("https://video.foxnews.com/v/6026408055001/").reserved


@pytest.mark.parametrize("word", ["galerie", "fotos", "impressum", "privacidad", "reklama", "tietosuoja", "iletisim"])
def test_reserved_words_are_known_in_many_languages(word: str) -> None:
    assert link_signs(f"https://example.org/{word}/").reserved


def test_the_article_of_the_worked_example_is_shorter_than_the_advertisement() -> None:
    assert link_signs(ARTICLE).length < link_signs(ADVERTISEMENT).length


def test_the_links_with_each_feature_are_counted() -> None:
    urls = [ARTICLE, ADVERTISEMENT, "https://news.yahoo.com/", "https://news.yahoo.com/"]

    counts = count_links(urls, Thresholds(digits=5, short=30))

    assert counts == LinkCounts(number=2, date=0, reserved=0, slash=2, short=2, links=4)


def test_only_a_documents_links_to_pages_are_counted() -> None:
    page = b"""<p><a href="/2026/03/02/storm.html">Storm</a> <a href="/video/">Video</a> <a href="mailto:a@b.c">Mail</a>
        <a href="/video/">Video again</a></p>"""

    counts = count_page_links(parse(page, url="https://example.org/"))

    assert (counts.links, counts.date, counts.reserved, counts.slash) == (3, 1, 2, 2)


def test_no_links_count_nothing() -> None:
    assert count_links([]) == LinkCounts(0, 0, 0, 0, 0, 0)
