"""The links of followed pages in memory, and of no others."""

from pathlib import Path

import pytest

from broadsheet.base.quotas import Quotas
from broadsheet.newsroom.known_links import KnownLinks
from broadsheet.newsroom.page_links import PageLinks
from tests.newsroom.site import ScriptedSite, article_path, front, story

NAMES = ("sport", "culture", "politics")
MENU = "".join(f'<a href="/{name}">{name.title()}</a>' for name in NAMES)


def test_links_of_sections_that_are_not_followed_do_not_stay_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lists = {f"/{name}": range(10 * number, 10 * number + 10) for number, name in enumerate(NAMES, 1)}
    sections = {path: front(*map(article_path, numbers), also=MENU) for path, numbers in lists.items()}
    articles = {article_path(number): story(f"Story {number}") for number in range(40)}
    site = ScriptedSite({"/": front(*map(article_path, range(10)), also=MENU), **sections, **articles})
    remembered, remember = set[str](), KnownLinks.remember

    def watch(known: KnownLinks, key: str, links: PageLinks) -> None:
        remembered.add(key)
        remember(known, key, links)

    monkeypatch.setattr(KnownLinks, "remember", watch)

    site.crawl(tmp_path, snapshots=3, quotas=Quotas(max_sections=2))

    came = {path for path, status in site.asked if status == 200}
    assert came > sections.keys(), "all of them look like sections and were fetched"
    assert len(remembered) == 2, "the home page and the one section that there was room for"
