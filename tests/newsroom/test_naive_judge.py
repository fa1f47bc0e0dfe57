import pytest

from broadsheet.document import parse
from broadsheet.newsroom.judge import LinkEvidence
from broadsheet.newsroom.naive import NaiveJudge, article_links, link_share
from broadsheet.reading import extract

JUDGE = NaiveJudge()
HEADLINE = "Residents divided over the swimming hall"


@pytest.mark.parametrize(
    ("url", "anchor"),
    [
        ("https://a.example/town/residents-divided-over-the-hall", ""),
        ("https://a.example/2026/03/04/hall", ""),
        ("https://a.example/story/2254012", "61 στους εκατό κατοίκους θέλουν τη νέα γέφυρα"),
        ("https://a.example/article-7", "旧港地区の住民、新しい渡し船で意見分かれる"),
        ("https://a.example/n?id=7", HEADLINE),
    ],
)
def test_dates_numbers_words_and_headlines_speak_for_an_article(url: str, anchor: str) -> None:
    verdict = JUDGE.link(LinkEvidence(url, anchor))

    assert verdict.kind == "article"
    assert verdict.probability > 0.5
    assert verdict.reasons


@pytest.mark.parametrize(
    ("url", "anchor"),
    [
        ("https://a.example/", "Home"),
        ("https://a.example/sport/", "Sport"),
        ("https://a.example/legal/privacy/", "Προσωπικά δεδομένα"),
        ("https://a.example/town/index.html", "Town"),
    ],
)
def test_short_names_speak_for_a_section(url: str, anchor: str) -> None:
    assert JUDGE.link(LinkEvidence(url, anchor)).kind == "section"


def test_a_file_is_neither() -> None:
    assert JUDGE.link(LinkEvidence("https://a.example/feed.xml", "Feed")).kind == "other"


def test_what_is_linked_in_every_round_is_less_of_an_article_than_what_comes_and_goes() -> None:
    url, anchor = "https://a.example/about-our-town", "All about our town and its people"

    steady = JUDGE.link(LinkEvidence(url, anchor, seen=10, rounds=10))
    fleeting = JUDGE.link(LinkEvidence(url, anchor, seen=3, rounds=10, late=True))

    assert steady.kind == "section"
    assert fleeting.kind == "article"
    assert "linked in 30% of the rounds only" in fleeting.reasons


def test_a_page_of_links_to_articles_is_a_section() -> None:
    items = "".join(f'<li><a href="/2026/03/0{day}/hall">{HEADLINE}</a></li>' for day in range(1, 10))
    document = parse(f"<ul>{items}</ul>", "https://a.example/town/")

    verdict = JUDGE.page(document, extract(document), JUDGE.link(LinkEvidence("https://a.example/town/", "Town")))

    assert (article_links(document), link_share(document)) == (9, 1.0)
    assert verdict.kind == "section"


def test_a_page_of_text_is_an_article_only_where_its_link_said_so() -> None:
    text = "".join(f"<p>{HEADLINE}, and nobody knows why, or when it will end.</p>" for _ in range(8))
    document = parse(f"<article>{text}</article>", "https://a.example/2026/03/04/hall")
    article = extract(document)

    by_link = JUDGE.page(document, article, JUDGE.link(LinkEvidence("https://a.example/2026/03/04/hall")))
    legal = JUDGE.page(document, article, JUDGE.link(LinkEvidence("https://a.example/privacy", "Privacy")))

    assert (by_link.kind, legal.kind) == ("article", "other")
