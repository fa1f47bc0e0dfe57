"""Articles of several pages are archived as one, with the text of all pages."""

from pathlib import Path

import pytest

from broadsheet.archive import PageState, Store, VisitReason
from broadsheet.base.records import Article, Block, Image, Label
from broadsheet.newsroom.continuations import MAX_PAGES
from broadsheet.newsroom.joined_pages import join
from broadsheet.newsweb.response import failure
from tests.newsroom.site import START, ScriptedSite, article_path, front, story

PATH = article_path(1)
KEY = "gazette.example" + PATH


def page_path(number: int) -> str:
    return PATH if number == 1 else f"{PATH}?page={number}"


def part(number: int, of: int) -> str:
    """Return one page of an article, whose text names it, with links to the others."""
    links = "".join(f'<a href="{page_path(other)}">{other}</a> ' for other in range(1, of + 1) if other != number)
    text = story(f"page {number} of the story")
    return text.replace("page 1 of the story", "the story", 2).replace("</article>", f"</article><nav>{links}</nav>")


def make_site(pages: int) -> ScriptedSite:
    return ScriptedSite({"/": front(PATH)} | {page_path(number): part(number, pages) for number in range(1, pages + 1)})


def only_article(folder: Path) -> Article:
    with Store.open(folder) as archive:
        [stored] = archive.articles()
        assert list(archive.check()) == []
        assert [version.version for version in archive.versions(KEY)] == [1]
        return stored.article


def test_the_pages_of_an_article_are_joined_in_order(tmp_path: Path) -> None:
    site = make_site(3)

    progress = site.crawl(tmp_path, snapshots=2)

    body = only_article(tmp_path).body
    places = [body.index(f"page {number} of the story") for number in (1, 2, 3)]
    assert places == sorted(places)
    assert body.count("A spokesman for the mayor") == 15
    assert progress.articles == 1
    assert [path for path, _ in site.asked].count(page_path(3)) == 1


def test_the_further_pages_are_kept_as_parts_of_the_first(tmp_path: Path) -> None:
    make_site(2).crawl(tmp_path, snapshots=1)

    with Store.open(tmp_path) as archive:
        further = archive.pages([f"{KEY}?page=2"])[f"{KEY}?page=2"]
        whys = {row["page"]: row["why"] for row in archive.visits().to_table().to_pylist()}
    assert (further.state, further.duplicate_of) == (PageState.DUPLICATE, KEY)
    assert whys[f"{KEY}?page=2"] == VisitReason.CONTINUATION


def test_a_further_page_that_is_linked_on_its_own_is_not_archived_again(tmp_path: Path) -> None:
    site = make_site(2)
    site.crawl(tmp_path, snapshots=1)

    site.pages["/"] = front(PATH, page_path(2))
    site.crawl(tmp_path, snapshots=2, start=START.replace(hour=8))

    assert "page 2 of the story" in only_article(tmp_path).body


@pytest.mark.parametrize("missing", [None, failure(500, b"broken", START), "<html><body></body></html>"])
def test_an_article_whose_second_page_does_not_come_is_archived_without_it(tmp_path: Path, missing: object) -> None:
    site = make_site(3)
    del site.pages[page_path(2)]
    if missing is not None:
        site.pages[page_path(2)] = missing if isinstance(missing, str) else lambda _: missing  # type: ignore[assignment,return-value]

    progress = site.crawl(tmp_path, snapshots=1)

    body = only_article(tmp_path).body
    assert "page 1 of the story" in body
    assert "page 3 of the story" not in body
    assert progress.skips["further page of an article"] == 1


def test_the_pages_of_an_article_are_capped(tmp_path: Path) -> None:
    site = make_site(MAX_PAGES + 5)

    progress = site.crawl(tmp_path, snapshots=1)

    assert f"page {MAX_PAGES} of the story" in only_article(tmp_path).body
    assert f"page {MAX_PAGES + 1} of the story" not in only_article(tmp_path).body
    assert progress.skips["too many pages of an article"] == 1


def test_pages_that_continue_each_other_end(tmp_path: Path) -> None:
    site = make_site(2)
    site.pages[page_path(2)] = part(2, 3).replace("?page=3", "?page=1")

    site.crawl(tmp_path, snapshots=1)

    assert "page 2 of the story" in only_article(tmp_path).body


def test_what_has_come_of_an_article_is_archived_when_the_time_is_up(tmp_path: Path) -> None:
    site = make_site(2)
    crawl_ends = []

    def slow(at: object) -> str:
        crawl_ends.append(at)
        raise ConnectionResetError("gone")

    site.pages[page_path(2)] = slow
    site.crawl(tmp_path, snapshots=1)

    assert crawl_ends
    assert "page 1 of the story" in only_article(tmp_path).body


def test_joining_keeps_each_picture_once() -> None:
    first, again, other = (
        Image("https://a.example/1.jpg"),
        Image("https://a.example/1.jpg"),
        Image("https://a.example/2"),
    )
    pages = [
        Article(title="A", body="one", headings=("H",), images=(first,), evidence={"title": "og:title"}),
        Article(title="B", body="two", headings=("H", "I"), images=(again, other)),
    ]

    joined = join(pages)

    assert (joined.title, joined.body, joined.headings) == ("A", "one\n\ntwo", ("H", "I"))
    assert joined.images == (first, other)
    assert joined.evidence["body"] == "the page, joined from 2 pages"


def test_joining_keeps_once_what_every_page_repeats() -> None:
    lead, echo = "The council has decided.", "No."
    bodies = [(lead, lead, "One.", echo, "Two.", echo), (lead, "Three."), (lead, "Four.")]
    pages = [
        Article(body="\n\n".join(body), blocks=tuple(Block(Label.BODY, text, "p") for text in body)) for body in bodies
    ]

    joined = join(pages)

    # What only one page says twice, it means to say twice.
    wanted = [lead, "One.", echo, "Two.", echo, "Three.", "Four."]
    assert joined.body.split("\n\n") == wanted
    assert [block.text for block in joined.blocks] == wanted


def test_joining_drops_the_byline_of_a_further_page() -> None:
    told = (
        "Jane Doe and John Roe were both at the meeting, " + "which took the council longer than it had planned. " * 2
    )
    first = Article(body="One.", authors=("Jane Doe", "John Roe"))
    last = Article(body=f"By Jane Doe, John Roe, 2 March 2026, 13:56\n\nBy Jane Doe\n\n{told}")

    joined = join([first, last])

    assert joined.body.split("\n\n") == ["One.", "By Jane Doe", told]
