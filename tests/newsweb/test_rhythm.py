import math
from datetime import date, timedelta
from random import Random

from broadsheet.newsweb._rhythm import MAX_PER_DAY, Rhythm, make_rhythm

RHYTHM = Rhythm(articles=10, weekend=0.5, morning=8, evening=18)
MONDAY = date(2026, 3, 2)


def of_days(days: list[date]) -> list[list[int]]:
    return [RHYTHM.seconds(day, Random(day.toordinal())) for day in days]


def test_a_day_depends_only_on_its_rng() -> None:
    assert RHYTHM.seconds(MONDAY, Random(1)) == RHYTHM.seconds(MONDAY, Random(1))
    assert RHYTHM.seconds(MONDAY, Random(1)) != RHYTHM.seconds(MONDAY, Random(2))


def test_publication_times_are_sorted_and_within_the_day() -> None:
    for seconds in of_days([MONDAY + timedelta(days=day) for day in range(100)]):
        assert seconds == sorted(seconds)
        assert all(0 <= second < 86_400 for second in seconds)


def test_weekdays_have_as_many_articles_as_stated_and_weekends_fewer() -> None:
    days = [MONDAY + timedelta(days=day) for day in range(700)]
    weekdays = of_days([day for day in days if day.weekday() < 5])
    weekends = of_days([day for day in days if day.weekday() >= 5])

    assert 9.5 < sum(map(len, weekdays)) / len(weekdays) < 10.5
    assert 4.5 < sum(map(len, weekends)) / len(weekends) < 5.5


def test_most_articles_appear_in_the_morning_and_few_at_night() -> None:
    hours = [
        second // 3600
        for seconds in of_days([MONDAY + timedelta(days=day) for day in range(500)])
        for second in seconds
    ]
    morning, night = (sum(low <= hour < high for hour in hours) for low, high in ((6, 10), (0, 4)))

    assert morning > 0.4 * len(hours)
    assert 0 < night < 0.06 * len(hours)


def test_the_number_of_articles_per_day_is_limited() -> None:
    assert len(Rhythm(500, 1, 8, 18).seconds(MONDAY, Random(1))) == MAX_PER_DAY


def test_evenly_spread_shares_give_the_numbers_of_a_poisson_distribution() -> None:
    rhythm = Rhythm(articles=3, weekend=0.5, morning=8, evening=18)
    numbers = [rhythm.number(MONDAY, (step + 0.5) / 10_000) for step in range(10_000)]

    assert numbers == sorted(numbers)
    assert abs(sum(numbers) / len(numbers) - 3) < 0.01
    assert abs(numbers.count(0) / len(numbers) - math.exp(-3)) < 0.001
    assert rhythm.number(MONDAY, 1.0) <= MAX_PER_DAY
    assert Rhythm(0, 1, 8, 18).number(MONDAY, 0.999) == 0


def test_sections_differ() -> None:
    assert make_rhythm(Random(1)) != make_rhythm(Random(2))
