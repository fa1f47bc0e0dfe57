"""What a new visit costs does not depend on how many there were before."""

import time

import numpy as np

from broadsheet.sources.link_history import LinkHistory, LinkVisit

LINKS = 400
_COLLECTIONS = np.repeat(np.arange(8, dtype=np.uint64), LINKS // 8)
_POSITIONS = np.tile(np.arange(LINKS // 8, dtype=np.int32), 8)


def add_visits(history: LinkHistory, first: int, number: int) -> float:
    """Add visits, each with five new links, and return the CPU time."""
    visits = [
        LinkVisit("home", float(each), each, [str(5 * each + link) for link in range(LINKS)], _COLLECTIONS, _POSITIONS)
        for each in range(first, first + number)
    ]
    start = time.process_time()
    history.add_all(visits)
    return time.process_time() - start


def test_a_visit_after_a_long_history_costs_as_much_as_after_a_short_one() -> None:
    ratios = []
    for _ in range(3):
        history = LinkHistory()
        add_visits(history, 0, 20)
        early = add_visits(history, 20, 60)
        add_visits(history, 80, 1200)
        ratios.append(add_visits(history, 1280, 60) / early)

    assert min(ratios) < 2
