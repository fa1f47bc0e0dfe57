"""Dates relative to the time at which a page was fetched: "5 hours ago", "gestern", "3日前"."""

import re
from datetime import datetime, timedelta
from typing import Final

from broadsheet.base.moments import Precision
from broadsheet.reading.facts._machine_dates import Moment

#: Longer texts are not relative dates.
MAX_CHARACTERS: Final = 60

_UNITS: Final = {
    "minute": "minutes? mins? minuten? minut minuty minutos? minuti minuto minuter minutter minuuttia perc dakika"
    " минут минуты минуту хвилин хвилини λεπτά دقيقة دقائق דקות मिनट นาที phút menit 分钟 分鐘 分 분",
    "hour": "hours? hrs? stunden? std heures? horas? ore ora uur uren timmar timer tuntia godzin godziny godzinę"
    " hodin hodinami hodiny óra órája saat часов часа час годин години ώρες ساعة ساعات שעות"
    " घंटे घंटा ชั่วโมง giờ jam 小时 小時 時間 시간",
    "day": "days? tage?n? jours? días? dias? giorni giorno dagen dag dagar dager dage päivää dni dny dzień nap napja"
    " gün дней дня день днів дні ημέρες أيام يوم ימים दिन วัน ngày hari 天 日 일",
    "week": "weeks? wochen? semaines? semanas? settimane settimana weken week veckor uker uger viikkoa tygodni"
    " tygodnie týdny hét hete hafta недель недели неделю тижні εβδομάδες أسابيع أسبوع שבועות"
    " सप्ताह สัปดาห์ tuần minggu 周 週間 週 주",
}
_LENGTHS: Final = {
    "minute": timedelta(minutes=1), "hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1),
}  # fmt: skip
_PRECISIONS: Final[dict[str, Precision]] = {"minute": "minute", "hour": "minute", "day": "day", "week": "day"}
#: Words that place a time span in the past; a number and a unit alone may be a duration.
_PAST: Final = re.compile(
    r"\bago\b|\bvor\b|\bil y a\b|\bhace\b|\bhá\b|\batrás\b|\bfa\b|\bgeleden\b|\bsedan\b|\bsiden\b|\bsitten\b|\btemu\b"
    r"|\bpřed\b|\bpred\b|\bezelőtt\b|\bönce\b|назад|тому|πριν|منذ|قبل|לפני|पहले|ที่แล้ว|trước|lalu|前|전",
    re.IGNORECASE,
)
_DAYS: Final = {
    0: "today heute aujourd'hui aujourd’hui hoy oggi hoje vandaag i\u00a0dag idag tänään dzisiaj dziś dnes ma bugün"
    " сегодня сьогодні σήμερα اليوم היום आज วันนี้ 今天 今日 오늘",
    1: "yesterday gestern hier ayer ieri ontem gisteren i\u00a0går igår eilen wczoraj včera tegnap dün вчера вчора χθες"
    " أمس אתמול कल เมื่อวาน 昨天 昨日 어제",
}
_SPAN: Final = re.compile(
    r"(?<!\d)(\d{1,3}|an?|eine[mr]?|une?|uma?)\s*(?:"
    + "|".join(f"(?P<{unit}>{'|'.join(words.split())})" for unit, words in _UNITS.items())
    + r")(?![^\W\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af])",
    re.IGNORECASE,
)
_WORD_DAYS: Final = {
    word.replace("\u00a0", " "): days for days, words in _DAYS.items() for word in words.split(" ") if word
}


def read_relative(text: str, now: datetime) -> Moment | None:
    """Return the moment that a text gives relative to `now`, or None."""
    if len(text) > MAX_CHARACTERS:
        return None
    span = span_before(text)
    if span is None:
        return None
    length, precision = span
    time = now - length
    if precision == "day":
        time = time.replace(hour=0, minute=0, tzinfo=None)
    return Moment(time.replace(second=0, microsecond=0), precision)


def span_before(text: str) -> tuple[timedelta, Precision] | None:
    """Return how long ago a text says that something was, and the precision of this."""
    plain = text.casefold().strip()
    if plain in _WORD_DAYS:
        return timedelta(days=_WORD_DAYS[plain]), "day"
    match = _SPAN.search(plain) if _PAST.search(plain) else None
    if match is None:
        return None
    unit = next((unit for unit in _UNITS if match[unit]), None)
    if unit is None:
        return None
    number = int(match[1]) if match[1].isdigit() else 1
    return number * _LENGTHS[unit], _PRECISIONS[unit]
