"""What the crawler has: soonest first, counted per source, and told once."""

from datetime import UTC, datetime, timedelta

from broadsheet.archive import AgendaEntry, VisitReason
from broadsheet.newsroom.handed_visits import HandedVisits

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


def entry(page: str, hour: int = 0, source: str = "a.example", every: float | None = None) -> AgendaEntry:
    due = NOON + timedelta(hours=hour)
    return AgendaEntry(source=source, page=page, due=due, reason=VisitReason.CANDIDATE, every=every)


def test_the_soonest_visit_to_a_page_comes_back_first() -> None:
    handed, late, soon = HandedVisits(), entry("page", 2, every=60.0), entry("page", 1, "b.example", every=60.0)
    handed.hand(late, late.due)
    handed.hand(soon, soon.due)

    assert handed.entry_in_hand("page") == soon
    assert [handed.take_back("page"), handed.take_back("page"), handed.take_back("page")] == [soon, late, None]
    assert "page" not in handed


def test_only_pages_that_are_wanted_once_take_turns() -> None:
    handed = HandedVisits()
    handed.hand(entry("front", every=60.0), None)
    handed.hand(entry("article"), None)

    assert handed.turns("a.example") == 1
    handed.take_back("article")
    handed.take_back("front")
    assert handed.turns("a.example") == 0


def test_a_visit_serves_what_is_due_at_its_time_or_later() -> None:
    handed = HandedVisits()
    handed.hand(entry("page", 1), NOON + timedelta(hours=1))

    assert handed.serves(entry("page", 1, "b.example"))
    assert not handed.serves(entry("page", 0, "b.example"))
    assert not handed.serves(entry("other", 2))


def test_what_was_handed_out_is_told_once() -> None:
    handed = HandedVisits()
    handed.hand(entry("page"), None)

    assert [(visit.entry, not_before) for visit, not_before in handed.take_new()] == [(entry("page"), None)]
    assert handed.take_new() == []


def test_the_visit_that_came_is_taken_back_and_not_the_soonest() -> None:
    handed, late, soon = HandedVisits(), entry("page", 2, every=60.0), entry("page", 1, "b.example", every=60.0)
    handed.hand(late, late.due)
    handed.hand(soon, soon.due)
    numbers = {visit.entry: visit.number for visit, _ in handed.take_new()}

    handed.answered("page", numbers[late])

    assert handed.take_back("page") == late
    assert handed.entry_in_hand("page") == soon


def test_a_withdrawn_visit_is_not_wanted_unless_it_is_restored() -> None:
    handed, own = HandedVisits(), entry("page", every=60.0)
    handed.hand(own, None)
    [(visit, _)] = handed.take_new()

    assert handed.withdraw_all("a.example") == {"page"}
    assert "page" not in handed
    handed.restore_all("a.example")

    assert "page" in handed
    assert handed.is_wanted(visit.number)
    handed.withdraw_later(own)
    assert not handed.is_wanted(visit.number)


def test_a_visit_that_was_withdrawn_before_it_was_told_is_never_told() -> None:
    handed = HandedVisits()
    handed.hand(entry("page"), None)

    handed.withdraw_all("a.example")

    assert handed.take_new() == []
