"""Histories that go on: pages that do not change, and targets that nothing links to any more."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.sources.link_history import LinkHistory, LinkVisit
from broadsheet.sources.source_links import SourceLinks
from tests.sources.visits import Lists, visit

LISTS = st.dictionaries(st.integers(1, 3), st.lists(st.sampled_from("abcdef"), max_size=5), max_size=3)
#: What a page links to at each visit; None if it is as it was.
VISITS = st.lists(st.tuples(st.sampled_from(("home", "sport")), st.none() | LISTS), max_size=12)


def counted(visits: list[tuple[str, Lists]], *, with_repeats: bool) -> LinkHistory:
    """Count visits, those without changes by repeating them or by adding the same links again."""
    history, last = LinkHistory(), dict[str, Lists]()
    for number, (page, lists) in enumerate(visits):
        snapshot, minute = number // 2, number % 2
        if lists is None and page not in last:
            continue
        current = last[page] if lists is None else lists
        seen = visit(page, snapshot, current, minute)
        if lists is None and with_repeats:
            assert history.repeat(page, seen.at, snapshot)
        else:
            history.add(seen)
        last[page] = current
    return history


def assert_same_counts(one: LinkHistory, other: LinkHistory) -> None:
    first, second = one.counts(), other.counts()
    assert list(first.keys) == list(second.keys)
    assert (first.total_snapshots, first.now) == (second.total_snapshots, second.now) or not len(first)
    for name in ("linked_snapshots", "possible_snapshots", "moves", "comparisons", "referrers", "visits"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), name)
    for name in ("later_referrers", "recent_referrers", "first_seen", "last_seen", "content_moves"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), name)


@given(VISITS)
def test_to_repeat_a_visit_is_to_add_its_links_again(visits: list[tuple[str, Lists]]) -> None:
    assert_same_counts(counted(visits, with_repeats=True), counted(visits, with_repeats=False))


def test_a_page_that_was_never_fetched_cannot_be_as_it_was() -> None:
    history = LinkHistory().add_all([visit("home", 0, {1: ["a"]}), LinkVisit("sport", 60.0, 0, None)])

    assert not history.repeat("culture", 120.0, 0)
    assert not history.repeat("sport", 120.0, 0)
    assert history.repeat("home", 120.0, 0)


def followed(*lists: Lists) -> SourceLinks:
    links = SourceLinks()
    for number, each in enumerate(lists):
        seen = visit("home", number, each)
        targets = list(seen.targets or ())
        links.add(seen, [f"https://news.example/{key}" for key in targets], targets, ["/html/body/a"] * len(targets))
    return links


def test_pruning_forgets_what_no_page_links_to_and_changes_nothing_else() -> None:
    lists: list[Lists] = [{1: ["a", "b"], 2: ["menu"]}, {1: ["x", "b"], 2: ["menu"]}, {1: ["b"], 2: ["menu"]}]
    links, whole = followed(*lists), followed(*lists)

    number = links.prune()

    assert number == 2
    assert list(links.urls) == ["b", "menu"]
    table, expected = links.table(["b", "menu"]), whole.table(["b", "menu"])
    assert (table.urls, table.anchors, table.path_names) == (expected.urls, expected.anchors, expected.path_names)
    for name in ("linked_snapshots", "moves", "comparisons", "referrers", "first_seen"):
        np.testing.assert_array_equal(getattr(table.counts, name), getattr(expected.counts, name))
    np.testing.assert_array_equal(table.depths, expected.depths)


def test_after_pruning_links_are_compared_as_before() -> None:
    first: Lists = {1: ["a", "b", "c"]}
    links, whole = followed(first, {1: ["b", "c"]}), followed(first, {1: ["b", "c"]})

    links.prune()
    for each in (links, whole):
        each.add(visit("home", 2, {1: ["c", "b", "a"]}), ["", "", ""], ["c", "b", "a"], ["/a"] * 3)

    pruned, expected = links.table(["b", "c"]).counts, whole.table(["b", "c"]).counts
    np.testing.assert_array_equal(pruned.moves, expected.moves)
    assert links.table(["a"]).counts.linked_snapshots.tolist() == [1]
