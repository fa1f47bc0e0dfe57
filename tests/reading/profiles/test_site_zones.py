import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.base.errors import InputError
from broadsheet.document import Document, parse
from broadsheet.reading import extract
from broadsheet.reading.facts import RULES, SiteZone, zones_of
from broadsheet.reading.facts._site_zones import common_offset
from broadsheet.reading.facts._zones import at_offset, offset_at
from broadsheet.reading.profiles import SiteProfile, _profile_files, induce, load, save
from tests.reading.profiles.site import page_markup

DAY = date(2026, 3, 2)
#: Evenings in winter, in summer, and between the beginnings of summer time in America and Europe, in Montréal.
WINTER, SUMMER, MARCH = "2026-01-15T18:30:00-05:00", "2026-07-15T18:30:00-04:00", "2026-03-20T18:30:00-04:00"


def page(number: int, published: str) -> Document:
    meta = f'<meta property="article:published_time" content="{published}">'
    return parse(page_markup(number).replace("<title>", f"{meta}<title>"), f"https://courier.example/{number}")


def profile_of(*published: str) -> SiteProfile:
    return induce([page(number, time) for number, time in enumerate(published)], day=DAY)


def published(document: Document, profile: SiteProfile) -> tuple[datetime | None, str]:
    article = extract(document, profile=profile, force=True)
    assert article is not None
    return article.published, article.evidence["published"]


def test_a_time_without_an_offset_gets_the_one_that_other_pages_of_the_site_state() -> None:
    profile = profile_of(WINTER, SUMMER, "2026-01-16T09:00:00-05:00")

    time, evidence = published(page(4, "2026-08-03T21:00:00"), profile)

    assert time is not None
    assert time.isoformat() == "2026-08-03T21:00:00-04:00"
    assert "with the offset of other pages of the site" in evidence


def test_what_pages_of_one_season_do_not_tell_stays_open() -> None:
    profile = profile_of(WINTER, "2026-01-16T09:00:00-05:00", "2026-02-01T10:00:00-05:00")

    winter, _ = published(page(4, "2026-01-20T21:00:00"), profile)
    summer, evidence = published(page(4, "2026-08-03T21:00:00"), profile)

    assert winter is not None
    assert winter.utcoffset() == timedelta(hours=-5)
    assert summer == datetime(2026, 8, 3, 21, 0)
    assert "without an offset" in evidence


def test_the_offset_that_a_page_states_itself_comes_first() -> None:
    profile = profile_of(WINTER, SUMMER, WINTER)

    time, _ = published(page(4, "2026-08-03T21:00:00+09:00"), profile)

    assert time is not None
    assert time.utcoffset() == timedelta(hours=9)


@pytest.mark.parametrize(
    "times",
    [
        (WINTER, SUMMER),
        (WINTER, SUMMER, "2026-01-16T09:00:00"),
        (WINTER, SUMMER, "2026-01-16T09:00:00Z"),
        (WINTER, SUMMER, "2026-01-16T09:00:00+09:00"),
    ],
    ids=["two pages", "no offset", "converted", "contradiction"],
)
def test_too_few_or_contradictory_offsets_tell_nothing(times: tuple[str, ...]) -> None:
    assert profile_of(*times, "2026-01-17T09:00:00").zones == ()


@given(
    st.sampled_from(RULES),
    st.integers(-48, 56),
    st.lists(st.datetimes(datetime(2001, 1, 1), datetime(2030, 1, 1)), min_size=3),
)
def test_the_zone_of_a_site_is_always_among_those_that_agree_with_its_times(
    rule: str, quarters: int, times: list[datetime]
) -> None:
    zone = SiteZone(15 * quarters, next(each for each in RULES if each == rule))
    stated = [at_offset(time, offset) for time in times if (offset := offset_at(time, *zone))]

    zones = zones_of([time] for time in stated)

    if len(stated) >= 3:
        assert zone in zones
        assert all(common_offset(zones, time.replace(tzinfo=None)) == time.utcoffset() for time in stated)


def test_zones_are_kept_in_the_file_and_described(tmp_path: Path) -> None:
    profile, path = profile_of(WINTER, SUMMER, MARCH), tmp_path / "courier.json"

    save(profile, path)

    assert load(path) == profile
    assert profile.zones == (SiteZone(-300, "us"),)
    assert "Times are UTC-05:00 with summer time of the United States." in profile.describe()


def test_a_profile_of_the_first_version_has_no_zones() -> None:
    values = json.loads(json.dumps(profile_of(WINTER, SUMMER, WINTER).to_dict()))
    del values["zones"]

    assert _profile_files.from_dict({**values, "version": 1}).zones == ()


@pytest.mark.parametrize(
    ("zone", "reason"),
    [
        ({"minutes": 61, "rule": "eu"}, "must be quarters of an hour from -720 to 840, not 61"),
        ({"minutes": True, "rule": "eu"}, "not True"),
        ({"minutes": 60, "rule": "moon"}, "must be one of fixed, eu, us, not 'moon'"),
        ({"minutes": 60}, "missing or unknown fields: rule"),
    ],
)
def test_an_impossible_zone_is_refused(zone: dict[str, object], reason: str) -> None:
    values = {**profile_of(WINTER, SUMMER, WINTER).to_dict(), "zones": [zone]}

    with pytest.raises(InputError, match=reason):
        _profile_files.from_dict(json.loads(json.dumps(values)))


def test_times_before_the_rule_was_made_get_no_offset() -> None:
    assert common_offset((SiteZone(-300, "us"),), datetime(1970, 7, 1)) is None
    assert common_offset((), datetime(2026, 7, 1, tzinfo=UTC).replace(tzinfo=None)) is None
