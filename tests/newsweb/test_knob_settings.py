from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from broadsheet.base.errors import InputError
from broadsheet.newsweb.drawn_sites import draw_site
from broadsheet.newsweb.knob_settings import list_knobs, set_knob
from broadsheet.newsweb.page_layouts import LAYOUTS
from broadsheet.newsweb.site import make_site
from broadsheet.newsweb.site_plan import BoxPlan

SITE = draw_site(5, 2, "ordinary")
GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "newsweb.md"


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("knobs.feed", "broken", "broken"),
        ("knobs.trouble.failing", "0.25", 0.25),
        ("knobs.archive_pages", "7", 7),
        ("extras.calendar", "true", True),
        ("extras.tags", "sea,sky", ["sea", "sky"]),
        ("plan.front.0.size", "41", 41),
        ("plan.layout", "layout-09", "layout-09"),
        ("sections.0.rhythm.articles", "3.5", 3.5),
        ("sections.0.rhythm.dead_since", "2025-06-01", date(2025, 6, 1)),
        ("sections.0.rhythm.dead_since", "none", None),
        ("sections.0.copies", "1", 1),
    ],
)
def test_a_knob_is_set_by_its_name(name: str, text: str, value: object) -> None:
    site = set_knob(SITE, name, text)

    assert dict(list_knobs(site))[name] == value
    assert {key for key, setting in list_knobs(site) if dict(list_knobs(SITE))[key] != setting} <= {name}


def test_lists_and_a_redesign_are_set_as_a_whole() -> None:
    site = set_knob(SITE, "plan.front", "latest:40,most-read:8:side")
    assert site.plan is not None
    assert site.plan.front == (BoxPlan("latest", 40), BoxPlan("most-read", 8, spot="side"))

    redesign = set_knob(SITE, "extras.redesign", "2026-03-15T12:00/layout-07").extras.redesign
    assert redesign is not None
    assert (redesign.at, redesign.layout) == (datetime(2026, 3, 15, 12, tzinfo=UTC), LAYOUTS[6])


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("knobs.feed", "slow", "knobs.feed is one of good, missing,"),
        ("knobs.archive_pages", "many", "it needs a whole number"),
        ("extras.calendar", "maybe", "it is true or false"),
        ("plan.layout", "layout-99", "from layout-01 to layout-24"),
        ("plan.front", "latest", "it needs lists such as latest:30"),
        ("extras.redesign", "soon", "it needs a time and a layout"),
        ("knobs.trouble", "often", "it has parts"),
        ("knobs.speed", "1", "there is no knob knobs.speed"),
        ("sections.99.rhythm.articles", "1", "there is no knob sections.99"),
        ("slug", "other", "there is no knob slug"),
        ("sections.0.parent", "99", "has no section 99; its sections are 0 to"),
        ("sections.0.copies", "-1", "has no section -1"),
        ("plan.home.0.section", "99", "has no section 99"),
    ],
)
def test_a_wrong_setting_is_explained(name: str, text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        set_knob(SITE, name, text)


def test_a_small_site_has_no_plan_to_set() -> None:
    assert set_knob(make_site(1, 0), "knobs.feed", "stale").knobs.feed == "stale"
    with pytest.raises(InputError, match="a knob of planned sites"):
        set_knob(make_site(1, 0), "extras.calendar", "true")


def test_every_knob_is_described_in_the_guide() -> None:
    site = replace(SITE, sections=SITE.sections[:1])
    names = {name.rpartition(".")[2] for name, _ in list_knobs(site)}
    guide = GUIDE.read_text(encoding="utf-8")

    assert sorted(name for name in names if f"`{name}`" not in guide and not name.isdecimal()) == []
