"""The facts of an article: which mention on a page is chosen, and the evidence given for it."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broadsheet.base.records import Article, Image, Label
from broadsheet.document import parse
from broadsheet.reading import extract
from broadsheet.reading.facts import _dateparser_dates
from tests.document.html import MARKUP
from tests.document.real_pages import pages_of

NOW = datetime(2026, 3, 5, 12, 0, tzinfo=UTC)
TEXT = "".join(
    f"<p>The harbour bridge was opened to all traffic on day {number}, three months late, the city said.</p>"
    for number in range(8)
)


def read_article(body: str = "", head: str = "", url: str | None = None, fetched_at: datetime | None = None) -> Article:
    page = f"<html lang=en><head>{head}</head><body><h1>Harbour bridge reopens at last</h1>{body}</body></html>"
    article = extract(page, url, fetched_at=fetched_at)
    assert article is not None
    return article


def json_ld(properties: str, kind: str = "NewsArticle") -> str:
    return f'<script type="application/ld+json">{{"@type": "{kind}", {properties}}}</script>'


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


def test_the_date_of_a_caption_is_not_that_of_the_article() -> None:
    figure = "<figure><img src=/a.jpg><figcaption>The bridge on 4 March 2019</figcaption></figure>"

    assert day(read_article(figure + TEXT)) is None


def test_a_version_number_is_not_a_date() -> None:
    assert day(read_article(f"<p>Version 2.3.2026</p>{TEXT}")) is None


def test_a_description_is_plain_text() -> None:
    head = "<meta name=description content='&lt;p&gt;The bridge &lt;b&gt;opens&lt;/b&gt;.&lt;/p&gt; 2 &lt; 3'>"

    assert read_article(TEXT, head).description == "The bridge opens. 2 < 3"


@pytest.mark.parametrize(
    ("stated", "shown"),
    [
        ("/bridge-1024x768.jpg", "/bridge.jpg"),
        ("/bridge.jpg?w=1200&h=630", "/bridge.jpg?w=640&quality=80"),
        ("/1200x630/bridge.jpg", "/640x/bridge.jpg"),
        ("/w_1200,h_630,c_fill/bridge.jpg", "/w_640/bridge.jpg"),
    ],
)
def test_an_image_in_two_sizes_is_one_image(stated: str, shown: str) -> None:
    figure = f"<figure><img src='{shown}'><figcaption>The bridge</figcaption></figure>"
    head = f"<meta property=og:image content='https://courier.example{stated}'>"

    article = read_article(figure + TEXT, head, "https://courier.example/a")

    assert article.images == (Image(f"https://courier.example{stated}", "The bridge"),)


def test_images_with_other_names_or_ids_are_different() -> None:
    head = "".join(
        f"<meta property=og:image content='https://courier.example{path}'>"
        for path in ("/bridge-1.jpg", "/bridge-2.jpg", "/image?id=1", "/image?id=2", "/2026/a.jpg", "/2025/a.jpg")
    )

    assert len(read_article(TEXT, head).images) == 6


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


def test_the_people_of_an_article_are_listed_in_order() -> None:
    article = read_article(TEXT, json_ld('"author": [{"name": "Nora Pell"}, {"name": "By Ian Moor, Staff Writer"}]'))

    assert article.authors == ("Nora Pell", "Ian Moor")
    assert article.evidence["authors"] == "json-ld NewsArticle.author"


def test_a_byline_names_the_author() -> None:
    article = read_article(f"<p class=byline>By <a href=/authors/pell>Nora Pell</a> | Harbour correspondent</p>{TEXT}")

    assert article.authors == ("Nora Pell",)


def test_a_person_is_preferred_to_an_agency() -> None:
    head = json_ld('"author": {"@type": "Organization", "name": "Reuters"}')

    article = read_article(f"<p class=byline>By Nora Pell</p>{TEXT}", head)

    assert article.authors == ("Nora Pell",)


def test_all_people_in_a_byline_are_preferred_to_an_agency() -> None:
    head = json_ld('"author": {"@type": "Organization", "name": "Reuters"}')

    article = read_article(f"<p class=byline>By Nora Pell and Ian Moor</p>{TEXT}", head)

    assert article.authors == ("Nora Pell", "Ian Moor")


def test_an_organisation_alone_is_named_and_flagged() -> None:
    article = read_article(TEXT, json_ld('"author": {"@type": "Organization", "name": "Reuters"}'))

    assert article.authors == ("Reuters",)
    assert article.evidence["authors"].endswith(", no person")


@pytest.mark.parametrize(
    "page",
    [
        "<p>De la Turquie à la Chine, tout est possible.</p>",
        "<p class=byline>Name *</p>",
        "<p class=author>Publié le vendredi</p>",
        "<p class=author>Atelier de cartographie</p>",
        "<p class=author>Autor:</p>",
    ],
)
def test_words_that_only_look_like_a_byline_name_nobody(page: str) -> None:
    assert read_article(page + TEXT).authors == ()


@pytest.mark.parametrize(
    ("byline", "author"),
    [
        ("質問者： siphonjet5", "siphonjet5"),
        ("聯合報 記者林宸誼／即時報導", "林宸誼"),
        ("김두환 기자 kdh@courier.example", "김두환"),
        ("三和 護＝編集委員", "三和 護"),
    ],
)
def test_labels_and_titles_around_a_name_are_left_out(byline: str, author: str) -> None:
    assert author in read_article(f"<p class=byline>{byline}</p>{TEXT}").authors


def test_a_korean_reporter_signs_an_unmarked_line() -> None:
    assert read_article(f"<p>김두환 기자 kdh@courier.example</p>{TEXT}").authors == ("김두환",)


def test_a_place_in_a_byline_is_no_companion_of_a_stated_author() -> None:
    head = "<meta name=author content='Nora Pell'>"

    assert read_article(f"<p>By Nora Pell, Porto Velho</p>{TEXT}", head).authors == ("Nora Pell",)


def test_a_reviewer_is_not_an_author() -> None:
    article = read_article(f"<p class=byline>By Nora Pell | Reviewed by Ian Moor</p>{TEXT}")

    assert article.authors == ("Nora Pell",)


def test_a_lead_after_the_date_names_the_author() -> None:
    assert read_article(f"<p>3 March 2026 | by Nora Pell</p>{TEXT}").authors == ("Nora Pell",)


@pytest.mark.parametrize(
    "line",
    ["Written by Nora Pell", "This post was written by Nora Pell, harbour master", "Author: Nora Pell"],
)
def test_a_byline_after_the_text_names_the_author(line: str) -> None:
    assert read_article(f"<p>2 March 2026</p>{TEXT}<p>{line}</p>").authors == ("Nora Pell",)


def test_links_to_people_next_to_each_other_are_all_authors() -> None:
    people = ", ".join(f"<a href=/author/{number}>{name}</a>" for number, name in enumerate(("Nora Pell", "Ian Moor")))

    article = read_article(f"<p class=byline>{people}</p><p>2 March 2026</p>{TEXT}", url="https://courier.example/a")

    assert article.authors == ("Nora Pell", "Ian Moor")


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


def test_a_commenter_is_not_an_author() -> None:
    article = read_article(TEXT + "<div class=comments><p class=comment-author>Jo Dunn</p><p>Good!</p></div>")

    assert article.authors == ()


def test_pieces_that_show_date_and_author_are_labelled() -> None:
    article = read_article(f"<aside><p class=byline>By Nora Pell</p><p class=date>2 March 2026</p></aside>{TEXT}")

    labelled = {block.label: block.text for block in article.blocks}
    assert labelled[Label.AUTHOR] == "By Nora Pell"
    assert labelled[Label.DATE] == "2 March 2026"
    assert "Nora Pell" not in article.body


def test_figures_give_pictures_with_captions_and_credits() -> None:
    figure = (
        "<figure><img src=/bridge.jpg><figcaption>The bridge on Monday "
        "<span class=credit>Photo: A. Lind</span></figcaption></figure>"
    )

    article = read_article(figure + TEXT, "<meta property=og:image content=/share.jpg>", "https://courier.example/a")

    assert article.images == (
        Image("https://courier.example/share.jpg"),
        Image("https://courier.example/bridge.jpg", "The bridge on Monday Photo: A. Lind", "Photo: A. Lind"),
    )
    assert article.evidence["images"] == "meta og:image"


def test_a_picture_after_the_text_is_not_part_of_the_article() -> None:
    later = "<footer><p>More of it</p><p>And more</p><figure><img src=/other.jpg></figure></footer>"

    assert read_article(TEXT + later).images == ()


def test_the_last_step_of_a_trail_is_the_section() -> None:
    trail = "<nav class=breadcrumb><a href=/>Home</a> <a href=/city>City</a> <a href=/a>Harbour bridge</a></nav>"

    article = read_article(trail + TEXT, url="https://courier.example/a")

    assert (article.section, article.evidence["section"]) == ("City", "breadcrumb")


def test_tag_links_are_topics_if_the_metadata_has_none() -> None:
    article = read_article(TEXT + "<p><a rel=tag href=/t/1>Bridges</a> <a rel=tag href=/t/2>Harbour</a></p>")

    assert (article.topics, article.evidence["topics"]) == (("Bridges", "Harbour"), "rel=tag")


@pytest.mark.parametrize(("written", "language"), [("en_US", "en-US"), ("DE", "de"), ("pt-br", "pt-br")])
def test_the_language_is_a_tag(written: str, language: str) -> None:
    article = extract(f"<html lang={written}><p>{TEXT}")

    assert article is not None
    assert article.language == language


def test_an_invalid_language_is_ignored() -> None:
    article = extract(f"<html lang='please choose'><p>{TEXT}")

    assert article is not None
    assert article.language is None


@given(MARKUP, st.sampled_from([None, NOW]))
@settings(max_examples=150, deadline=None)
def test_any_page_can_be_read(markup: str, fetched_at: datetime | None) -> None:
    article = extract(markup, "https://courier.example/2026/03/02/a", fetched_at=fetched_at, force=True)

    assert article is not None
    assert article.evidence.keys() >= {"published", "published_precision"}


def test_the_same_page_always_gives_the_same_facts() -> None:
    page = f"<h1>Bridge</h1><p class=byline>By Nora Pell</p><p>2 March 2026</p>{TEXT}"

    assert extract(page) == extract(parse(page))


@pytest.mark.soak
def test_real_pages_are_read_without_an_error(shared_data: Path) -> None:
    for _, content in pages_of(shared_data, 40):
        article = extract(content, encoding="utf-8", force=True, fetched_at=NOW)

        assert article is not None
        assert article.published is None or article.published.year >= 1900


@pytest.mark.parametrize("byline", ["By Anna Tomova and Max Meier", "Von Anna Tomova und Max Meier"])
def test_an_unmarked_byline_names_all_its_authors(byline: str) -> None:
    text = "<p>" + "The council voted on Tuesday to keep the bridge open for ten years. " * 5 + "</p>"
    page = f"<title>Bridge stays open</title><body><h1>Bridge stays open</h1><div>{byline}</div>{text * 6}"

    article = extract(page, force=True)

    assert article is not None
    assert article.authors == ("Anna Tomova", "Max Meier")
