"""The authors of an article: who is named, and who is not."""

import pytest

from broadsheet.reading import extract
from broadsheet.reading.facts import _name_relations
from tests.reading.fact_pages import TEXT, json_ld, read_article


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


def test_a_commenter_is_not_an_author() -> None:
    article = read_article(TEXT + "<div class=comments><p class=comment-author>Jo Dunn</p><p>Good!</p></div>")

    assert article.authors == ()


@pytest.mark.parametrize("byline", ["By Anna Tomova and Max Meier", "Von Anna Tomova und Max Meier"])
def test_an_unmarked_byline_names_all_its_authors(byline: str) -> None:
    text = "<p>" + "The council voted on Tuesday to keep the bridge open for ten years. " * 5 + "</p>"
    page = f"<title>Bridge stays open</title><body><h1>Bridge stays open</h1><div>{byline}</div>{text * 6}"

    article = extract(page, force=True)

    assert article is not None
    assert article.authors == ("Anna Tomova", "Max Meier")


@pytest.mark.parametrize(("language", "names"), [("zh", ("辛雨", "吴军辉")), ("ja", ("辛雨 吴军辉",))])
def test_a_space_separates_names_in_chinese_but_not_in_japanese(language: str, names: tuple[str, ...]) -> None:
    head = json_ld('"author": {"@type": "Person", "name": "辛雨 吴军辉"}')

    article = extract(f"<html lang={language}><head>{head}</head><body><h1>科学</h1>{TEXT}", force=True)

    assert article is not None
    assert article.authors == names


@pytest.mark.parametrize(
    "text",
    [
        f"<p>中新网北京电 (记者 杜燕)今后，{'紧急救援部门将在突发事件中联合行动。' * 8}</p>",
        f"<p>{'紧急救援部门将在突发事件中联合行动。' * 8}（记者杜燕）</p>",
    ],
)
def test_a_paragraph_names_its_reporter_at_its_beginning_or_end(text: str) -> None:
    head = "<meta name=author content='贺燕'><title>北京四家救援部门牵手</title>"

    article = extract(f"<html lang=zh>{head}<h1>北京四家救援部门牵手</h1>{text * 2}<p>编辑：贺燕</p>", force=True)

    assert article is not None
    assert article.authors == ("杜燕",)


def test_the_authors_of_teasers_are_none() -> None:
    teasers = "".join(
        f"<h3>More {name}</h3><p class=author>By <a href=/author/{name}>{name} Moor</a></p><p>Long ago.</p>"
        for name in ("Ada", "Ian", "Lea", "Max", "Tom")
    )

    article = read_article(f"<p class=byline>By Nora Pell</p>{TEXT}{teasers}")

    assert article.authors == ("Nora Pell",)


def test_who_made_the_site_is_no_author() -> None:
    head = "<meta name=author content='Design: Nora Pell. Programming: Ian Moor'>"

    assert read_article(TEXT, head).authors == ()


def test_all_stated_names_are_given_even_if_there_are_too_many_to_look_for_each_on_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_name_relations, "SEARCHED", 0)

    article = read_article(TEXT, json_ld('"author": [{"name": "Nora Pell"}, {"name": "Ian Moor"}, {"name": "Pell"}]'))

    assert article.authors == ("Nora Pell", "Ian Moor")
