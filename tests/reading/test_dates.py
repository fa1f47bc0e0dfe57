from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.reading.facts._dates import MAX_CHARACTERS, read_dates
from broadsheet.reading.facts._months import month_of, months_in


def first(text: str, language: str | None = None, month_first: bool = False) -> str | None:
    return next((dated.moment.time.isoformat() for dated in read_dates(text, language, month_first)), None)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("2 March 2026", "en"), ("March 2, 2026", "en"), ("Mar. 2nd, 2026", "en"), ("Monday 2nd of March 2026", "en"),
        ("02-Mar-2026", "en"), ("2. März 2026", "de"), ("Montag, 2.3.2026", "de"), ("02.03.26", "de"),
        ("2 mars 2026", "fr"), ("2 de marzo de 2026", "es"), ("2 marzo 2026", "it"), ("2 de março de 2026", "pt"),
        ("2 maart 2026", "nl"), ("2. marts 2026", "da"), ("2. mars 2026", "nb"), ("2 mars 2026", "sv"),
        ("2. maaliskuuta 2026", "fi"), ("2. märts 2026", "et"), ("2. martā 2026", "lv"), ("2026 m. kovo 2 d.", "lt"),
        ("2 marca 2026", "pl"), ("2. března 2026", "cs"), ("2. marca 2026", "sk"), ("2. marec 2026", "sl"),
        ("2. ožujka 2026.", "hr"), ("2. марта 2026.", "sr"), ("2 март 2026", "bg"), ("2 марта 2026 г.", "ru"),
        ("2 березня 2026", "uk"), ("2 Μαρτίου 2026", "el"), ("2 martie 2026", "ro"), ("2026. március 2.", "hu"),
        ("2 Mart 2026 Pazartesi", "tr"), ("2 de març de 2026", "ca"), ("2 Maret 2026", "id"), ("2 Mac 2026", "ms"),
        ("٢ مارس ٢٠٢٦", "ar"), ("2 במרץ 2026", "he"), ("2 मार्च 2026", "hi"), ("২ মার্চ ২০২৬", "bn"),
        ("2 มีนาคม 2569", "th"), ("2 มี.ค. 2569", "th"), ("2026年3月2日", "ja"), ("2026年03月02日", "zh"),
        ("2026년 3월 2일", "ko"), ("2026/03/02", None), ("2026.3.2", None), ("Published: 2026-03-02", None),
    ],
)  # fmt: skip
def test_a_day_is_read_in_many_languages(text: str, language: str | None) -> None:
    assert first(text, language) == "2026-03-02T00:00:00"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("March 2, 2026 7:15 PM EST", "2026-03-02T19:15:00-05:00"),
        ("Mon, 02 Mar 2026 07:15:50 +0200", "2026-03-02T07:15:50+02:00"),
        ("Mon Mar 02 07:15:50 CET 2026", "2026-03-02T07:15:50+01:00"),
        ("2 mars 2026 à 07h15", "2026-03-02T07:15:00"),
        ("02.03.2026, 07:15 Uhr", "2026-03-02T07:15:00"),
        ("2 March 2026 12:05 a.m.", "2026-03-02T00:05:00"),
        ("2 March 2026 07:15 GMT+01:00", "2026-03-02T07:15:00+01:00"),
        ("7:15 am March 2, 2026", "2026-03-02T07:15:00"),
        ("14:05, 3 March 2026", "2026-03-03T14:05:00"),
        ("14:05 GMT, Tuesday 3 March 2026", "2026-03-03T14:05:00+00:00"),
        ("10:00 PM | 03.03.2026", "2026-03-03T22:00:00"),
        ("March 2, 2026 7:15 p.m. ET", "2026-03-02T19:15:00-05:00"),
        ("July 2, 2026 7:15 p.m. ET", "2026-07-02T19:15:00-04:00"),
        ("July 2, 2006 7:15 p.m. PT", "2006-07-02T19:15:00-07:00"),
        ("July 2, 2026 7:15 a.m. (CT)", "2026-07-02T07:15:00-05:00"),
        ("December 2, 2026 7:15 a.m. Mountain Time", "2026-12-02T07:15:00-07:00"),
        ("2 March 2026 07:15 IST", "2026-03-02T07:15:00"),
    ],
)
def test_the_time_and_its_offset_are_kept(text: str, written: str) -> None:
    assert first(text) == written


def test_which_number_is_the_month_follows_the_country() -> None:
    assert first("3/2/2026") == "2026-02-03T00:00:00"
    assert first("3/2/2026", month_first=True) == "2026-03-02T00:00:00"
    assert first("3/22/2026") == "2026-03-22T00:00:00"
    assert first("3.2.2026", month_first=True) == "2026-02-03T00:00:00"


def test_several_dates_are_read_in_order() -> None:
    text = "April 28, 2019 at 6:01 am Updated April 29, 2019 at 3:33 pm"

    assert [dated.moment.time.isoformat() for dated in read_dates(text)] == [
        "2019-04-28T06:01:00", "2019-04-29T15:33:00",
    ]  # fmt: skip


def test_times_stand_before_all_days_or_after_all() -> None:
    text = "Published 14:05, 3 March 2026. Updated 15:00, 4 March 2026"

    assert [dated.moment.time.isoformat() for dated in read_dates(text)] == [
        "2026-03-03T14:05:00", "2026-03-04T15:00:00",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "language", "days"),
    [
        ("par Jean-Marc Pastor le 20 juillet 2018", "fr", ["2018-07-20"]),
        ("24. April bis 2. Oktober 2017", "de", ["2017-10-02"]),
        ("It may appear on 5 March 2026", "en", ["2026-03-05"]),
        ("15 أيار/مايو 2020", "ar", ["2020-05-15"]),
    ],
)
def test_the_numbers_beyond_another_month_are_not_those_of_a_month(text: str, language: str, days: list[str]) -> None:
    assert [dated.moment.time.date().isoformat() for dated in read_dates(text, language)] == days


@pytest.mark.parametrize(
    "text",
    [
        "",
        "March 2026",
        "31 February 2026",
        "Version 2.3.2",
        "10:30",
        "0/0/2026",
        "1 2 3 2026",
        "99.99.2026",
        "Version 2.3.2026",
        "v1.2.2026",
        "Release 10.11.2026",
        "Versión 2.3.2026",
        "Version 2026.3.2",
        "Firmware 2.3.2026",
        "Firmware: 2.3.2026",
        "Kernel 4.4.2016",
        "Patch 7.1.2026 fixes the menu",
        "Android 4.4.2016 released",
        "iOS 10.3.2017",
        "Windows 10.0.2016",
    ],
)
def test_a_text_without_a_day_is_not_a_date(text: str) -> None:
    assert first(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Android 02.03.2026",
        "Software, 2.3.2026",
        "Windows | 2.3.2026",
        "Software vom 2.3.2026",
        "Apple iOS 2/3/2026",
        "Firmware, 2 March 2026",
        "Update 2.3.2026",
        "TV 2.3.2026",
    ],
)
def test_a_day_beside_the_name_of_software_is_a_date(text: str) -> None:
    assert first(text) == "2026-03-02T00:00:00"


@pytest.mark.parametrize(
    ("word", "language", "month"),
    [("listopada", "hr", 10), ("listopada", "pl", 11), ("Sept.", None, 9), ("mar", "fi", 11), ("mar", None, 3)],
)
def test_a_name_is_read_in_its_own_language_first(word: str, language: str | None, month: int) -> None:
    assert month_of(word, language) == month


def test_every_language_has_twelve_months() -> None:
    for language in ("en", "de", "ru", "ar", "th", "hi", "ka", "nb"):
        assert set(months_in(language).values()) == set(range(1, 13))


@pytest.mark.parametrize("text", ["² May 2026", "5 May ²⁰²⁶", "② May ②⓪②⑥"])
def test_superscript_and_circled_digits_are_not_part_of_a_date(text: str) -> None:
    assert first(text, "en") is None


def test_a_footnote_after_the_year_is_not_part_of_it() -> None:
    assert first("5 May 2026²", "en") == "2026-05-05T00:00:00"


def test_every_name_of_a_month_in_one_language_is_known_in_all() -> None:
    every = months_in(None).keys()
    assert all(months_in(language).keys() <= every for language in ("en", "de", "th", "ar", "nb", "fil"))


@given(st.text(st.sampled_from("0123456789²٢२ .-/:年月日MayMaiмая"), max_size=40))
def test_any_mix_of_digits_and_months_can_be_read(text: str) -> None:
    for dated in read_dates(text, "en"):
        assert 0 <= dated.start < dated.end <= len(text)


@given(st.text(max_size=2 * MAX_CHARACTERS))
def test_any_text_can_be_read(text: str) -> None:
    for dated in read_dates(text):
        assert 0 <= dated.start < dated.end <= MAX_CHARACTERS


@given(st.datetimes(datetime(1950, 1, 1), datetime(2150, 12, 31), timezones=st.just(UTC)))
def test_any_english_date_is_read_back(time: datetime) -> None:
    names = "January February March April May June July August September October November December".split()
    text = f"{names[time.month - 1]} {time.day}, {time.year} at {time.hour:02}:{time.minute:02} UTC"

    assert [dated.moment.time for dated in read_dates(text)] == [time.replace(second=0, microsecond=0)]
