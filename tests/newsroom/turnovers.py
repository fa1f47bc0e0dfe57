"""Sources whose fronts were watched."""

from datetime import UTC, datetime, timedelta

from broadsheet.newsroom.front_turnover import FrontVisit, SourceTurnover

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
HOUR = timedelta(hours=1)
HOME, FRONT = "gazette.example", "gazette.example/sport"


def visit(at: datetime, *, new: int = 0, first: int = 0, articles: int = 20) -> FrontVisit:
    return FrontVisit(at=at, articles=articles, new=new, first=first, kept=articles - new, before=articles)


def watched(page: str = FRONT, *, days: int = 7, per_day: int = 4, articles: int = 20) -> SourceTurnover:
    """Return a source with one section, visited every hour, that alone brings some articles a day, spread evenly."""
    source = SourceTurnover(HOME)
    for hour in range(24 * days + 1):
        brings = hour * per_day // 24 - (hour - 1) * per_day // 24 if hour else 0
        source.see(page, visit(MONDAY + hour * HOUR, new=brings, first=brings, articles=articles))
    return source


def after(source: SourceTurnover) -> datetime:
    last = source.front(FRONT).visited
    assert last is not None
    return last
