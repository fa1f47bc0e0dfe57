"""Addresses that name the visitor's session, and the pages that they lead to."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from zlib import crc32

import pytest

from broadsheet.newsroom import session_links
from broadsheet.newsroom.page_links import PageLinks, readdress
from broadsheet.newsroom.session_links import SessionLinks
from broadsheet.newsweb.response import Response
from tests.newsroom.site import ScriptedSite, article_path, front, story

SOURCE = HOME = "a.example"
SECTIONS = ("news", "sport", "culture")


def links(value: str, name: str = "sid", paths: tuple[str, ...] = SECTIONS) -> dict[str, str]:
    """The links of a navigation, whose addresses all have one parameter."""
    return {f"a.example/{path}?{name}={value}": f"https://a.example/{path}?{name}={value}" for path in paths}


def seen(*visits: Mapping[str, str]) -> list[dict[str, str]]:
    sessions = SessionLinks()
    return [sessions.known(SOURCE, HOME, "https://a.example/", visit) for visit in visits]


def test_a_value_that_all_links_change_together_is_that_of_a_session() -> None:
    first, second, third = seen(links("0b1c2d3e"), links("4f5a6b7c"), links("8d9e0f1a"))

    assert first == {}
    assert second == dict(zip(links("4f5a6b7c"), links("0b1c2d3e").values(), strict=True))
    assert set(third.values()) == set(second.values())


def test_it_is_recognised_on_other_pages_of_the_source_and_on_no_other_source() -> None:
    sessions = SessionLinks()
    for value in ("0b1c2d3e", "4f5a6b7c"):
        sessions.known(SOURCE, HOME, "https://a.example/", links(value))

    known = sessions.known(SOURCE, "a.example/news", "https://a.example/news", links("8d9e0f1a", paths=("sport",)))

    assert known == {"a.example/sport?sid=8d9e0f1a": "https://a.example/sport?sid=0b1c2d3e"}
    assert not sessions.known("b.example", "b.example", "https://b.example/", links("8d9e0f1a"))


def test_an_address_without_session_is_preferred_also_that_of_the_page_itself() -> None:
    with_session = {**links("4f5a6b7c"), "a.example?sid=4f5a6b7c": "https://a.example/?sid=4f5a6b7c"}
    bare = {"a.example/news": "https://a.example/news"}

    _, known = seen(links("0b1c2d3e"), {**with_session, **bare})

    assert known["a.example/news?sid=4f5a6b7c"] == "https://a.example/news"
    assert known["a.example?sid=4f5a6b7c"] == "https://a.example/"


@pytest.mark.parametrize(
    "visits",
    [
        (links("20260302", "day"), links("20260303", "day")),
        (links("archive", "view"), links("current", "view")),
        ({**links("0b1c2d3e"), **links("1b1c2d3e")}, {**links("4f5a6b7c"), **links("5f5a6b7c")}),
        (links("0b1c2d3e"), links("0b1c2d3e", paths=(*SECTIONS, "travel"))),
        (links("0b1c2d3e", paths=("news", "sport")), links("4f5a6b7c", paths=("news", "sport"))),
        (links("0b1c2d3e"), links("4f5a6b7c", paths=("travel", "money", "garden"))),
    ],
    ids=["dates", "words", "several values at once", "always the same value", "few links", "other pages"],
)
def test_other_parameters_tell_pages_apart(visits: tuple[dict[str, str], ...]) -> None:
    assert not any(seen(*visits))


def test_links_beyond_the_cap_keep_their_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_links, "MAX_PAGES", 3)
    more = {**links("4f5a6b7c"), **links("4f5a6b7c", paths=("travel",))}

    _, _, known = seen(links("0b1c2d3e"), more, {**links("8d9e0f1a"), **links("8d9e0f1a", paths=("travel",))})

    assert len(known) == 3
    assert "a.example/travel?sid=8d9e0f1a" not in known


def test_targets_that_become_one_keep_the_longest_text() -> None:
    keys = ("a.example/x?sid=0b1c2d3e", "a.example/x", "a.example/y")
    urls = tuple(f"https://{key}" for key in keys)
    targets = PageLinks(keys, urls, ("a.example",) * 3, ("The long headline", "More", "Other"))

    found = readdress(targets, {keys[0]: urls[1]})

    assert found.keys == keys[1:]
    assert found.urls == urls[1:]
    assert found.anchors == ("The long headline", "Other")


class _SiteWithSessions(ScriptedSite):
    """Answers alike whatever session an address names."""

    def fetch(self, url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        return super().fetch(url.partition("?")[0], at, headers)


def test_sections_whose_addresses_change_at_every_visit_are_followed_once(tmp_path: Path) -> None:
    def page(number: int, at: datetime) -> str:
        session = f"{crc32(at.isoformat().encode()):07x}a"
        nav = "".join(f'<a href="/{path}?sid={session}">{path.title()}</a>' for path in SECTIONS)
        return front(*(article_path(10 * number + each) for each in range(6)), also=nav)

    pages = {f"/{path}": lambda at, number=number: page(number, at) for number, path in enumerate(("", *SECTIONS))}
    stories = {article_path(number): story(f"Story {number}") for number in range(40)}
    site = _SiteWithSessions({**pages, **stories})

    site.crawl(tmp_path, 12)

    visits = [at for path, at in site.asked_at if path == "/sport"]
    later = [at for at in visits if at - visits[0] > timedelta(hours=3)]
    assert len(later) <= 2 * 9, "without it, every visit of a front brings three sections more"
