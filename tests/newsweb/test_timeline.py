from datetime import UTC, date, datetime, timedelta
from itertools import islice, pairwise, takewhile

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from broadsheet.newsweb._timeline import DAY, HOUR, LOOK_BACK, MAX_READ, MAX_READ_SPAN, Timeline
from broadsheet.newsweb.drawn_sites import draw_site
from broadsheet.newsweb.site import FOUNDED, make_site

SITE = make_site(3, 0)
TIMELINE = Timeline(SITE)
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)

moments = st.datetimes(datetime(2020, 1, 3), datetime(2060, 1, 1)).map(lambda moment: moment.replace(tzinfo=UTC))
until_2030 = st.datetimes(datetime(2020, 1, 3), datetime(2030, 1, 1)).map(lambda moment: moment.replace(tzinfo=UTC))
PROPERTY = settings(max_examples=40, deadline=None)


@PROPERTY
@given(moments)
def test_results_do_not_depend_on_earlier_calls(at: datetime) -> None:
    assert list(islice(Timeline(SITE).before(at), 30)) == list(islice(TIMELINE.before(at), 30))
    assert Timeline(SITE).most_read(at) == TIMELINE.most_read(at)


@PROPERTY
@given(moments)
def test_published_slots_come_newest_first_and_none_from_the_future(at: datetime) -> None:
    published = [slot.published for slot in islice(TIMELINE.before(at), 50)]

    assert published == sorted(published, reverse=True)
    assert all(moment <= at for moment in published)


@PROPERTY
@given(moments, st.integers(0, 100), st.integers(0, 100))
def test_adjacent_windows_neither_overlap_nor_leave_gaps(at: datetime, first: int, second: int) -> None:
    middle, end = at + first * HOUR, at + (first + second) * HOUR

    assert TIMELINE.between(at, middle) + TIMELINE.between(middle, end) == TIMELINE.between(at, end)


@PROPERTY
@given(moments)
def test_a_window_contains_what_was_published_within_it(at: datetime) -> None:
    window = TIMELINE.between(at - 2 * DAY, at)

    before = [slot for slot in islice(TIMELINE.before(at), len(window) + 1) if at - 2 * DAY <= slot.published < at]
    assert before[::-1] == window


@PROPERTY
@given(moments)
def test_every_slot_is_found_by_its_number(at: datetime) -> None:
    slots = list(islice(TIMELINE.before(at), 20))

    assert len(slots) == 20
    assert [TIMELINE.find(slot.number) for slot in slots] == slots


@pytest.mark.parametrize("number", [999, 2_255_099, 2_255_900, 999_999_999, 10**12])
def test_other_numbers_have_no_slot(number: int) -> None:
    assert TIMELINE.find(number) is None


def test_nothing_is_published_before_the_first_day() -> None:
    assert list(TIMELINE.before(SITE.founded - HOUR)) == []
    assert TIMELINE.day(date(1950, 1, 1)) == ()
    assert TIMELINE.between(SITE.founded - 30 * DAY, SITE.founded) == []
    assert TIMELINE.most_read(SITE.founded) == ()
    assert TIMELINE.most_read_since(SITE.founded) == SITE.founded
    assert min(slot.day for slot in TIMELINE.before(SITE.founded + 5 * DAY)) == FOUNDED


def test_a_section_has_only_its_own_slots() -> None:
    section = SITE.sections[1]

    assert {slot.section.slug for slot in islice(TIMELINE.before(NOON, section), 40)} == {section.slug}


def test_days_follow_the_time_zone_of_the_site() -> None:
    slots = TIMELINE.between(NOON, NOON + 3 * DAY)

    assert {slot.day for slot in slots} >= {(NOON + day * DAY).date() for day in (1, 2)}
    for slot in slots:
        assert slot.published.tzinfo == SITE.offset
        assert slot.published.date() == slot.day


@PROPERTY
@given(moments)
@example(datetime(2048, 5, 24, 23, tzinfo=UTC))  # a quiet Sunday with fewer articles than the box has room for
def test_the_most_read_are_recent_and_distinct(at: datetime) -> None:
    counted = at.replace(minute=0, second=0, microsecond=0)
    recent = TIMELINE.between(counted - MAX_READ_SPAN, counted)

    slots = TIMELINE.most_read(at)

    assert len({slot.number for slot in slots}) == len(slots) == min(MAX_READ, len(recent))
    assert set(slots) <= set(recent)


@PROPERTY
@given(moments)
def test_the_most_read_box_has_the_time_of_its_last_change(at: datetime) -> None:
    since = TIMELINE.most_read_since(at)

    assert since <= at
    assert TIMELINE.most_read(since) == TIMELINE.most_read(at)
    assert TIMELINE.most_read(since - timedelta(seconds=1)) != TIMELINE.most_read(at)


def test_the_order_of_the_most_read_drifts() -> None:
    boxes = [TIMELINE.most_read(NOON + hour * HOUR) for hour in range(48)]
    same = [set(old) == set(new) for old, new in pairwise(boxes)]
    reordered = [set(old) == set(new) and old != new for old, new in pairwise(boxes)]

    assert any(same)
    assert any(reordered)
    assert set(boxes[0]).isdisjoint(boxes[-1])


def test_a_day_is_computed_once() -> None:
    timeline = Timeline(SITE)

    for hour in range(24 * 30):
        list(islice(timeline.before(NOON + hour * HOUR), 30))

    assert timeline.day.cache_info().misses <= 30 + 5


def test_a_distant_time_costs_no_more_than_a_near_one() -> None:
    near, far = Timeline(SITE), Timeline(SITE)

    list(islice(near.before(SITE.founded + 10 * DAY), 30))
    list(islice(far.before(datetime(2090, 1, 1, tzinfo=UTC)), 30))

    assert far.day.cache_info().misses <= near.day.cache_info().misses + 2


def test_the_end_of_the_calendar_does_not_raise() -> None:
    assert TIMELINE.find((date.max - FOUNDED).days * 1000) is None


class TestRecentSlots:
    """Of planned sites, which ask for the newest of some sections again and again."""

    PLANNED = draw_site(7, 1, "dead-sections")
    KEPT = Timeline(PLANNED)

    @PROPERTY
    @given(moments, st.lists(st.integers(0, 4), max_size=3, unique=True), st.integers(1, 90), st.booleans())
    def test_the_newest_are_found_whatever_was_asked_before(
        self, at: datetime, sections: list[int], number: int, prominent: bool
    ) -> None:
        indices = tuple(sections)
        asked = (indices, at, number, prominent)

        assert self.KEPT.newest_few(*asked) == Timeline(self.PLANNED).newest_few(*asked)

    @PROPERTY
    @given(moments, st.integers(1, 300))
    def test_those_of_all_sections_are_the_newest_of_the_site(self, at: datetime, number: int) -> None:
        assert self.KEPT.newest_few((), at, number) == list(islice(self.KEPT.before(at), number))

    # Walking back to a section's last article takes as long as it has been dead.
    @settings(max_examples=12, deadline=None)
    @given(until_2030, st.integers(0, 4))
    def test_those_of_a_section_go_back_no_further_than_the_limit(self, at: datetime, index: int) -> None:
        section = self.PLANNED.sections[index]
        end = min(at.astimezone(self.PLANNED.offset).date(), section.rhythm.dead_since or date.max)
        own = takewhile(lambda slot: slot.day >= end - LOOK_BACK, self.KEPT.before(at, section))

        assert list(self.KEPT.newest([section], at)) == list(own)

    @PROPERTY
    @given(moments, st.lists(st.integers(0, 4), max_size=3, unique=True))
    def test_nothing_is_published_before_the_next_time_that_is_given(self, at: datetime, sections: list[int]) -> None:
        chosen = [self.PLANNED.sections[index] for index in sections]
        until = self.KEPT.next_after(chosen, at)
        published = self.KEPT.between(at + timedelta.resolution, until)

        assert at < until <= at + DAY
        assert not [slot for slot in published if not chosen or slot.section in chosen]
