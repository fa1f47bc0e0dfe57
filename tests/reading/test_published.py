"""When an article was published and changed: which date on a page is chosen, and how it is stated."""

from datetime import UTC, datetime

import pytest

from broadsheet.base.records import Article
from broadsheet.reading import extract
from broadsheet.reading._captions import MAX_WORDS
from broadsheet.reading.facts import _dateparser_dates
from tests.reading.fact_pages import NOW, TEXT, json_ld, read_article


def day(article: Article) -> str | None:
    return article.published.date().isoformat() if article.published else None


def test_a_date_in_words_below_the_title_is_the_day() -> None:
    article = read_article(f"<p>Monday, 2 March 2026, 07:15 CET</p>{TEXT}")

    assert article.published is not None
    assert article.published.isoformat() == "2026-03-02T07:15:00+01:00"
    assert article.published_raw == "Monday, 2 March 2026, 07:15 CET"
    assert article.evidence["published"].startswith("text ")


def test_the_day_is_that_of_the_stated_offset() -> None:
    article = read_article(TEXT, json_ld('"datePublished": "2026-03-02T01:30:00+11:00"'))

    assert day(article) == "2026-03-02"


def test_mentions_that_agree_outweigh_one_that_does_not() -> None:
    head = "<meta name=date content=2026-02-01>" + json_ld('"datePublished": "2026-03-02T07:15:00Z"')

    article = read_article(f"<p class=date>2 March 2026</p>{TEXT}", head, "https://courier.example/2026/03/02/bridge")

    assert day(article) == "2026-03-02"
    assert article.published is not None
    assert article.published.hour == 7
    assert "also" in article.evidence["published"]


def test_the_name_of_a_month_in_the_url_is_read() -> None:
    article = read_article(TEXT, url="https://courier.example/city/2026/mar/02/bridge")

    assert (day(article), article.evidence["published"]) == ("2026-03-02", "address")
    assert day(read_article(TEXT, url="https://courier.example/2026/bridges/02/")) is None


def test_the_day_that_is_said_to_be_that_of_publication_is_preferred_to_the_date_of_today() -> None:
    page = extract(
        "<html lang=en><p>Thursday, March 5, 2026 5:36PM</p><h1>Harbour bridge reopens at last</h1>"
        f"<p>Posted 9:28PM on Wednesday 30 December 2015</p>{TEXT}"
    )

    assert page is not None
    assert day(page) == "2015-12-30"


def test_a_date_may_open_the_first_paragraph() -> None:
    opening = "<p>Porto, 2 March 2026 – " + "The harbour bridge was opened to all traffic on Monday. " * 6 + "</p>"

    assert day(read_article(opening + TEXT)) == "2026-03-02"


def test_a_modification_date_is_never_taken_as_publication_date() -> None:
    head = json_ld('"datePublished": "2026-03-02", "dateModified": "2026-03-04"')

    article = read_article(f"<p class=updated>4 March 2026</p>{TEXT}", head)

    assert day(article) == "2026-03-02"
    assert article.modified is not None
    assert article.modified.date().isoformat() == "2026-03-04"


def test_the_date_of_a_comment_is_not_that_of_the_article() -> None:
    comments = "<div id=comments><p>Jo, <time datetime=2026-03-04>4 March 2026</time>: good!</p></div>"

    assert day(read_article(TEXT + comments)) is None


def test_the_day_is_taken_from_the_url_if_there_is_no_other_evidence() -> None:
    article = read_article(TEXT, url="https://courier.example/2026/03/02/bridge.html")

    assert (day(article), article.evidence["published"]) == ("2026-03-02", "address")


def test_dates_in_the_future_are_rejected() -> None:
    page = f"<p>2 March 2036</p>{TEXT}"

    assert day(read_article(page)) == "2036-03-02"
    assert day(read_article(page, fetched_at=NOW)) is None


def test_a_time_without_an_offset_stays_as_it_is_stated() -> None:
    article = read_article(TEXT, json_ld('"datePublished": "2026-03-02T07:15:00"'))

    assert article.published == datetime(2026, 3, 2, 7, 15)
    assert (article.published_precision, article.to_dict()["published"]) == ("second", "2026-03-02T07:15:00")
    assert article.evidence["published"] == "json-ld NewsArticle.datePublished, without an offset"


def test_a_day_is_not_midnight_anywhere() -> None:
    article = read_article(f"<p>2 March 2026</p>{TEXT}", url="https://courier.de/a")

    assert (article.published, article.published_precision) == (datetime(2026, 3, 2), "day")
    assert article.to_dict()["published"] == "2026-03-02"


def test_a_time_has_the_offset_that_the_page_states_elsewhere() -> None:
    head = json_ld('"dateModified": "2026-03-02T09:00:00-03:00"')

    article = read_article(f"<p>2 March 2026, 07:15</p>{TEXT}", head)

    assert article.published is not None
    assert article.published.isoformat() == "2026-03-02T07:15:00-03:00"
    assert article.evidence["published"].endswith("with the offset of json-ld NewsArticle.dateModified")


@pytest.mark.parametrize(
    ("domain", "shown", "written"),
    [
        ("courier.de", "2 March 2026, 07:15", "2026-03-02T07:15:00+01:00"),
        ("courier.de", "2 July 2026, 07:15", "2026-07-02T07:15:00+02:00"),
        ("courier.co.uk", "2 July 2026, 07:15", "2026-07-02T07:15:00+01:00"),
        ("courier.jp", "2 July 2026, 07:15", "2026-07-02T07:15:00+09:00"),
        ("courier.de", "2 July 1970, 07:15", "1970-07-02T07:15:00"),
        ("courier.com.br", "2 July 2026, 07:15", "2026-07-02T07:15:00"),
        ("courier.com", "2 July 2026, 07:15", "2026-07-02T07:15:00"),
    ],
)
def test_a_time_has_the_offset_of_a_country_with_a_single_zone(domain: str, shown: str, written: str) -> None:
    article = read_article(f"<p>{shown}</p>{TEXT}", url=f"https://{domain}/a")

    assert article.published is not None
    assert article.published.isoformat() == written


def test_an_offset_of_zero_may_be_a_conversion_and_says_nothing_of_other_times() -> None:
    head = json_ld('"dateModified": "2026-03-02T09:00:00Z"')

    article = read_article(f"<p>2 March 2026, 07:15</p>{TEXT}", head)

    assert article.published == datetime(2026, 3, 2, 7, 15)


def test_a_day_after_the_next_is_in_the_future_whatever_the_zone() -> None:
    assert day(read_article(f"<p>6 March 2026</p>{TEXT}", fetched_at=NOW)) == "2026-03-06"
    assert day(read_article(f"<p>7 March 2026</p>{TEXT}", fetched_at=NOW)) is None
    assert day(read_article(TEXT, json_ld('"datePublished": "2026-03-06T13:00:00"'), fetched_at=NOW)) is None


@pytest.mark.parametrize("label", ["Last updated:", "Updated on", "Aktualisiert am", "Mis à jour le", "Обновлено"])
def test_the_date_of_an_update_is_not_that_of_publication(label: str) -> None:
    alone = read_article(f"<p>{label} 4 March 2026</p>{TEXT}")
    after = read_article(f"<p>2 March 2026 | {label} 4 March 2026</p>{TEXT}")
    element = read_article(f"<p>{label} <time datetime=2026-03-04>4 March 2026</time></p>{TEXT}")

    assert (day(alone), day(after), day(element)) == (None, "2026-03-02", None)
    assert alone.modified == after.modified == datetime(2026, 3, 4)
    assert alone.modified_precision == "day"


@pytest.mark.parametrize(
    "caption",
    [
        "<figure><img src=/a.jpg><figcaption>The bridge on 4 March 2019</figcaption></figure>",
        "<div class=caption>The bridge on 4 March 2019</div>",
        "<p class=wp-caption-text>The bridge on <time>4 March 2019</time></p>",
        "<div class=image><img src=/a.jpg><div class=caption>4 March 2019</div></div>",
        "<div class=image><img src=/a.jpg><p class=wp-caption-text>4 March 2019, Skala</p></div>",
        "<div id=photoCaption><p>The bridge on 4 March 2019</p></div>",
    ],
)
def test_the_date_of_a_caption_is_not_that_of_the_article(caption: str) -> None:
    assert day(read_article(caption + TEXT)) is None


@pytest.mark.parametrize(
    "byline",
    [
        "<p class=item-caption>4 March 2019 | The harbour</p>",
        "<p class=item-caption><time>4 March 2019</time> | The harbour</p>",
    ],
)
def test_a_line_that_begins_with_its_date_is_a_byline_whatever_it_is_called(byline: str) -> None:
    assert day(read_article(byline + TEXT)) == "2019-03-04"


def test_a_header_is_no_caption_whatever_its_style_is_called() -> None:
    page = f"<header class=header__caption-style><h1>Bridge</h1><p>City, 4 March 2019</p></header>{TEXT}"

    assert day(read_article(page)) == "2019-03-04"


def test_what_is_longer_than_captions_are_may_show_the_date() -> None:
    story = f"<div class=with-caption><p>City, 4 March 2019</p>{TEXT}<p>{'word ' * MAX_WORDS}</p></div>"

    assert day(read_article(story)) == "2019-03-04"


def test_a_version_number_is_not_a_date() -> None:
    assert day(read_article(f"<p>Version 2.3.2026</p>{TEXT}")) is None


def test_a_relative_date_needs_the_time_of_fetching() -> None:
    page = f"<p class=date><time>5 hours ago</time></p>{TEXT}"

    with_time, without = read_article(page, fetched_at=NOW), read_article(page)

    assert with_time.published == datetime(2026, 3, 5, 7, 0, tzinfo=UTC)
    assert without.published is None
    assert without.published_raw == "5 hours ago"
    assert "relative" in without.evidence["published"]


def test_the_order_of_day_and_month_follows_the_page() -> None:
    american = extract(f"<html lang=en-US><h1>Bridge reopens at last</h1><p>3/2/2026</p>{TEXT}")
    british = extract(f"<html lang=en-GB><h1>Bridge reopens at last</h1><p>3/2/2026</p>{TEXT}")

    assert american is not None
    assert british is not None
    assert (day(american), day(british)) == ("2026-03-02", "2026-02-03")


def test_unreadable_dates_are_left_to_dateparser(monkeypatch: pytest.MonkeyPatch) -> None:
    given_texts: list[str] = []

    class Parser:
        @staticmethod
        def parse(text: str, **_: object) -> datetime | None:
            given_texts.append(text)
            return datetime(2026, 3, 2) if text == "3rd of the unknown" else None

    monkeypatch.setattr(_dateparser_dates, "_dateparser", lambda: Parser)
    times = "".join(f"<time>{text}</time> " for text in ("1st", "3rd of the unknown", "9 is never asked"))

    article = read_article(f"<p>{times}</p>{TEXT}")

    assert (day(article), article.evidence["published"]) == ("2026-03-02", "dateparser")
    assert given_texts == ["1st", "3rd of the unknown"]


def test_without_dateparser_such_a_date_stays_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_dateparser_dates, "_dateparser", lambda: None)

    assert day(read_article(f"<time>3rd of the unknown</time>{TEXT}")) is None


def test_dateparser_reads_complete_dates() -> None:
    pytest.importorskip("dateparser")

    assert _dateparser_dates.parse_with_dateparser(["unknown 1", "2 mars 2026"], "fr") is not None
    assert _dateparser_dates.parse_with_dateparser(["2 mars 2026"], None) is None
    assert _dateparser_dates.parse_with_dateparser(["mars"], "fr") is None
    assert _dateparser_dates.parse_with_dateparser(["2 mars 2026"], "xx") is None


def test_abbreviations_of_other_languages_that_are_english_words_are_no_months() -> None:
    article = read_article(f"<p>12 minutes ago Wed 29th April 2020</p>{TEXT}")

    assert day(article) == "2020-04-29"


def test_the_date_in_the_text_of_a_url_is_not_that_of_the_page() -> None:
    assert day(read_article(f"<p>https://courier.example/2016/11/21/bridge</p>{TEXT}")) is None


def test_day_and_month_are_read_in_the_order_that_agrees_with_the_metadata() -> None:
    head = json_ld('"datePublished": "2026-02-03"')

    article = read_article(f"<p>02/03/2026</p>{TEXT}", head)

    assert article.published is not None
    assert article.published.date().isoformat() == "2026-02-03"
