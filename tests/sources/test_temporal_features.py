"""The temporal features, by their definitions and worked examples (D'Onofrio's thesis, 2018)."""

import numpy as np
import pytest

from broadsheet.base.errors import InputError
from broadsheet.sources.link_history import LinkHistory, LinkVisit
from broadsheet.sources.temporal_features import BUILT_IN, feature_names, feature_table, find_feature
from tests.sources.visits import Lists, visit


def values(history: LinkHistory, feature: str, articles: set[str] | None = None) -> dict[str, float]:
    counts = history.counts(articles)
    return dict(zip(counts.keys, find_feature(feature).values(counts).tolist(), strict=True))


def home(*lists: Lists) -> LinkHistory:
    return LinkHistory().add_all(visit("home", number, each) for number, each in enumerate(lists))


def test_stability_is_the_share_of_snapshots_that_link_to_a_page() -> None:
    history = home({1: ["a"]}, {1: ["a"]}, {1: ["a", "u"]}, {1: ["a", "u"]}, {1: ["a"]})

    assert values(history, "stability")["u"] == 0.4
    assert values(history, "stability")["a"] == 1.0


def test_a_page_that_was_found_late_is_stable_among_the_snapshots_of_its_referrers() -> None:
    late = [visit("home", number, {1: ["section"]}) for number in range(4)]
    late += [visit("section", 3, {1: ["imprint"]}, minute=1)]
    history = LinkHistory().add_all(late)

    assert values(history, "stability")["imprint"] == 0.25
    assert values(history, "referred_stability")["imprint"] == 1.0


def test_a_link_pushed_down_has_moved_and_one_that_comes_or_goes_has_not() -> None:
    history = home({1: ["a", "b", "c"]}, {1: ["x", "a", "b"]})

    moves = values(history, "reference_dynamicity")

    assert {key: moves[key] for key in "abcx"} == {"a": 1, "b": 1, "c": 0, "x": 0}


def test_a_hop_counts_once_however_far_it_goes() -> None:
    history = home({1: ["a", "b", "c", "d"]}, {1: ["b", "c", "d", "a"]}, {1: ["b", "c", "d", "a"]})

    assert values(history, "reference_dynamicity")["a"] == 1
    assert values(history, "reference_dynamicity_rate")["a"] == 0.5


def test_more_visits_in_a_snapshot_do_not_make_links_seem_to_move_more_often_or_rarely() -> None:
    """In every hour a teaser comes at the top in the second quarter, so that those below move."""
    hours = [["d", "c", "b", "a"][3 - hour :] for hour in range(4)]
    hourly = [visit("home", hour, {1: links}) for hour, links in enumerate(hours)]
    between = [
        visit("home", hour, {1: links}, minute)
        for hour, links in enumerate([*hours[1:], ["e", "d", "c", "b"]])
        for minute in (15, 30, 45)
    ]
    often = sorted((*hourly, *between), key=lambda each: each.at)

    rarely, closely = (LinkHistory().add_all(visits) for visits in (hourly, often))

    for name in ("reference_dynamicity", "reference_dynamicity_rate", "stability"):
        assert values(closely, name)["a"] == values(rarely, name)["a"], name
    assert values(closely, "stability")["e"] == 0.25, "seen between two snapshots"


def test_a_new_teaser_above_moves_nothing_in_another_collection() -> None:
    history = home({1: ["a"], 2: ["politics", "sport"]}, {1: ["x", "a"], 2: ["politics", "sport"]})

    moves = values(history, "reference_dynamicity")

    assert (moves["a"], moves["politics"], moves["sport"]) == (1, 0, 0)


def test_several_links_to_one_page_in_a_collection_match_in_their_order() -> None:
    history = home({1: ["a", "s", "b", "s"]}, {1: ["a", "s", "x", "b", "s"]})

    assert values(history, "reference_dynamicity")["s"] == 1
    assert values(history, "reference_dynamicity_rate")["s"] == 0.5


def test_the_rate_is_unknown_before_two_adjacent_visits_have_a_link() -> None:
    assert np.isnan(values(home({1: ["a"]}), "reference_dynamicity_rate")["a"])


def test_a_page_that_could_not_be_fetched_is_unknown() -> None:
    failed = home({1: ["a", "b"]}, None, {1: ["b", "a"]})
    plain = home({1: ["a", "b"]}, {1: ["b", "a"]})

    for name in ("stability", "referred_stability", "reference_dynamicity", "reference_dynamicity_rate"):
        assert values(failed, name) == pytest.approx(values(plain, name), nan_ok=True)


def test_content_dynamicity_is_the_sum_over_the_targets_of_a_page() -> None:
    history = home({1: ["a", "b", "section"]}, {1: ["x", "a", "b", "section"]})
    history.add(visit("section", 1, {1: ["a"]}, minute=5))

    dynamicity = values(history, "content_dynamicity")

    assert dynamicity["home"] == 3
    assert dynamicity["section"] == 1
    assert np.isnan(dynamicity["a"])


def test_links_to_articles_are_counted_once_each_on_pages_that_were_fetched() -> None:
    history = home({1: ["a", "b", "imprint"], 2: ["a"]})

    links = values(history, "article_links", articles={"a", "b"})

    assert links["home"] == 2
    assert np.isnan(links["imprint"])
    assert np.isnan(values(history, "article_links")["home"])


def test_the_longest_text_is_known_of_pages_whose_content_was_read() -> None:
    history = LinkHistory().add_all([LinkVisit("imprint", 0.0, 0, [], longest_text=120), visit("home", 0, {})])

    assert values(history, "longest_text")["imprint"] == 120
    assert np.isnan(values(history, "longest_text")["home"])


def test_referring_page_changes_count_pages_that_begin_later() -> None:
    history = LinkHistory().add_all(
        [
            visit("home", 0, {1: ["politics"]}),
            visit("topic", 0, {1: ["a", "politics"]}, minute=1),
            visit("home", 1, {1: ["a", "politics"]}),
            visit("topic", 1, {1: ["politics"]}, minute=1),
        ]
    )

    assert values(history, "referrer_changes")["a"] == 1
    assert values(history, "referrer_changes")["politics"] == 0
    assert values(history, "ingoing_links")["a"] == values(history, "ingoing_links")["politics"] == 2


def test_ingoing_links_grow_only_with_new_referrers() -> None:
    history = home(*[{1: ["a"]}] * 8)
    history.add(visit("section", 7, {1: ["a"]}, minute=1))

    assert values(history, "ingoing_links")["a"] == 2
    assert values(history, "ingoing_growth")["a"] == 1


def test_age_and_lifetime_are_hours() -> None:
    history = home({1: ["a", "b"]}, {1: ["a"]}, {1: ["b"]}, {1: ["b"]})

    assert (values(history, "age")["a"], values(history, "lifetime")["a"]) == (3, 1)
    assert (values(history, "age")["b"], values(history, "lifetime")["b"]) == (3, 3)


@pytest.mark.parametrize("late", [visit("home", 2, {1: ["a"]}), visit("home", 1, {1: ["a"]})])
def test_a_visit_out_of_order_or_repeated_is_refused(late: LinkVisit) -> None:
    history = home({1: ["a"]}, {1: ["a"]}, {1: ["a"]})

    with pytest.raises(InputError, match=r"home: its visit at \d+ .* is not newer"):
        history.add(late)


def test_a_gap_of_days_counts_no_snapshots() -> None:
    history = LinkHistory().add_all([visit("home", 0, {1: ["a"]}), visit("home", 100, {1: ["a"]})])

    assert values(history, "stability")["a"] == 1.0


def test_features_are_found_by_name_and_chosen_by_phase() -> None:
    assert "article_links" not in feature_names("exploration")
    assert feature_names("exploitation") == tuple(BUILT_IN)
    with pytest.raises(InputError, match="no feature of a source is called 'colour'; choose from stability"):
        find_feature("colour")


def test_a_table_has_one_column_per_feature() -> None:
    counts = home({1: ["a", "b"]}).counts()

    assert feature_table(counts, ["stability", "age"]).shape == (3, 2)
    assert feature_table(counts, []).shape == (3, 0)
