"""The judge by links in the newsroom: what it changes, what it says, and what it does without its links."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from broadsheet.archive import Store, VerdictRecord
from broadsheet.base.errors import ConfigError
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.judging import CONTENT, LINKS, combine
from tests.newsroom.site import HOME, HOUR, START, ScriptedSite, article_path, front, service, story

REVIEWED = NewsroomSettings(review_every=3600.0, revisit_after=0, feeds=False)
SECTIONS = ("politics", "sport", "culture", "business")
MENU = "".join(f'<a href="/{name}/">{name.title()}</a>' for name in SECTIONS) + '<a href="/prices">Prices</a>'


def moving_site() -> ScriptedSite:
    """Return a site whose lists move on every hour, with a menu that stays."""
    site = ScriptedSite({article_path(number): story(str(number)) for number in range(60)})
    site.pages["/prices"] = service()
    for place, path in enumerate(("/", *(f"/{name}/" for name in SECTIONS))):

        def page(at: datetime, place: int = place) -> str:
            hour = int((at - START) / HOUR)
            return front(*(article_path(10 * place + hour + number) for number in range(6)), also=MENU)

        site.pages[path] = page
    return site


def verdicts(folder: Path) -> Mapping[str, VerdictRecord]:
    with Store.open(folder) as archive:
        keys = archive.page_keys()
        return {key: page.judged for key, page in archive.pages(keys).items() if page.judged}


def test_pages_are_judged_by_how_links_to_them_behave(tmp_path: Path) -> None:
    moving_site().crawl(tmp_path, snapshots=5, settings=REVIEWED)

    found = verdicts(tmp_path)
    assert {found[f"gazette.example/{name}"].verdict.kind for name in SECTIONS} == {"section"}
    judged = found["gazette.example" + article_path(2)]
    assert judged.verdict.kind == "article"
    assert judged.evidence.keys() >= {CONTENT, LINKS}
    assert judged.verdict.probabilities == pytest.approx(combine(judged.evidence), abs=0.02)


def test_why_says_how_links_to_a_page_behaved(tmp_path: Path) -> None:
    moving_site().crawl(tmp_path, snapshots=5, settings=REVIEWED)

    with Store.open(tmp_path) as archive:
        told = archive.why(HOME + "sport/").to_dict()

    [sentence] = [reason for reason in told["verdict"]["reasons"] if reason.startswith("linked in ")]
    assert "never moved; linked from" in sentence


def test_a_crawl_that_is_begun_again_comes_to_the_same_verdicts(tmp_path: Path) -> None:
    moving_site().crawl(tmp_path / "whole", snapshots=6, settings=REVIEWED)
    site = moving_site()
    site.crawl(tmp_path / "parts", snapshots=3, settings=REVIEWED)
    site.crawl(tmp_path / "parts", snapshots=3, start=START + 3 * HOUR, settings=REVIEWED)

    whole, parts = verdicts(tmp_path / "whole"), verdicts(tmp_path / "parts")

    assert {key: each.verdict.kind for key, each in whole.items()} == {
        key: each.verdict.kind for key, each in parts.items()
    }
    for key in (f"gazette.example/{name}" for name in SECTIONS):
        assert parts[key].evidence[LINKS] == pytest.approx(whole[key].evidence[LINKS], abs=0.25)


def test_the_configuration_names_the_judge(tmp_path: Path) -> None:
    moving_site().crawl(tmp_path / "plain", snapshots=3, settings=replace(REVIEWED, judge="plain"))

    assert not any(LINKS in judged.evidence for judged in verdicts(tmp_path / "plain").values())
    with pytest.raises(ConfigError, match=r"no judge is called 'astrology'; the installed ones are links, plain"):
        moving_site().crawl(tmp_path / "odd", snapshots=1, settings=replace(REVIEWED, judge="astrology"))
