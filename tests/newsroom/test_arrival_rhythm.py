"""The hours at which the articles of a source come, as learned from when they came."""

from datetime import timedelta

from broadsheet.newsroom.arrival_rhythm import ArrivalRhythm
from tests.newsroom.turnovers import HOUR, MONDAY


def test_hours_at_which_much_comes_are_told_from_others() -> None:
    rhythm = ArrivalRhythm()

    for day in range(5):
        for hour in range(24):
            start = MONDAY + timedelta(days=day, hours=hour)
            rhythm.add(start, start + HOUR, 6 if hour == 8 else 0)

    assert rhythm.intensity(MONDAY + timedelta(days=7, hours=8.5)) > 10
    assert rhythm.intensity(MONDAY + timedelta(days=7, hours=3)) < 0.6
    assert rhythm.intensity(MONDAY + timedelta(days=5, hours=8.5)) == 1.0, "nothing is known of weekends"


def test_a_day_tells_more_of_the_likely_intensity_than_of_the_cautious_one() -> None:
    rhythm = ArrivalRhythm()

    for hour in range(24):
        rhythm.add(MONDAY + hour * HOUR, MONDAY + (hour + 1) * HOUR, 3 if 8 <= hour < 16 else 0)

    morning, night = (MONDAY + timedelta(days=1, hours=hours) for hours in (10.5, 2.5))
    assert rhythm.likely_intensity(night) < rhythm.intensity(night) / 1.5
    assert rhythm.likely_intensity(morning) > 1.3 * rhythm.intensity(morning)


def test_weekends_are_likely_to_be_like_weekdays_until_they_are_known() -> None:
    rhythm, saturday = ArrivalRhythm(), MONDAY + timedelta(days=5)
    for hour in range(24 * 5):
        rhythm.add(MONDAY + hour * HOUR, MONDAY + (hour + 1) * HOUR, 3 if 8 <= hour % 24 < 16 else 0)

    before = rhythm.likely_intensity(saturday + timedelta(days=1, hours=10.5))
    for hour in range(7 * 24, 14 * 24):
        is_weekend = hour >= 12 * 24
        articles = 3 if 8 <= hour % 24 < 16 and not is_weekend else 0
        rhythm.add(MONDAY + hour * HOUR, MONDAY + (hour + 1) * HOUR, articles)
    after = rhythm.likely_intensity(saturday + timedelta(days=14, hours=10.5))

    assert before > 2
    assert after < before / 1.2


def test_hours_are_likely_to_be_like_their_neighbours() -> None:
    rhythm = ArrivalRhythm()

    for hour in range(24):
        rhythm.add(MONDAY + hour * HOUR, MONDAY + (hour + 1) * HOUR, 12 if hour in {0, 9} else 0)

    likely = {hour: rhythm.likely_intensity(MONDAY + hour * HOUR) for hour in range(24)}
    assert min(likely[8], likely[9], likely[10]) > 3 * likely[12]
    assert min(likely[23], likely[0], likely[1]) > 3 * likely[21], "midnight is between two days"


def test_what_came_during_a_long_absence_says_nothing_about_the_hour() -> None:
    rhythm = ArrivalRhythm()

    rhythm.add(MONDAY, MONDAY + timedelta(days=2), 100)

    assert {rhythm.intensity(MONDAY + hour * HOUR) for hour in range(24)} == {1.0}
