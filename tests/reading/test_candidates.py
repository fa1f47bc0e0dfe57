from hypothesis import given
from hypothesis import strategies as st

from broadsheet.reading.facts._candidates import Mention, pool

WEIGHTS = {"stated": 1.0, "shown": 0.6, "doubtful": -2.0}


def mention(key: str, *signals: str) -> Mention[str]:
    return Mention(key, key.title(), "somewhere", signals)


def test_mentions_that_agree_are_one_candidate() -> None:
    best, other = pool([mention("a", "stated"), mention("b", "shown"), mention("b", "stated")], WEIGHTS)

    assert (best.mentions[0].key, other.mentions[0].key) == ("b", "a")
    assert best.signals == {"stated", "shown"}


def test_a_signal_counts_once_however_often_it_is_given() -> None:
    best, other = pool([mention("a", "shown"), mention("a", "shown"), mention("b", "stated")], WEIGHTS)

    assert best.mentions[0].key == "b"
    assert other.score == WEIGHTS["shown"]


def test_ties_keep_the_order_of_mention() -> None:
    assert [candidate.mentions[0].key for candidate in pool([mention("b"), mention("a")], WEIGHTS)] == ["b", "a"]


def test_a_relation_is_a_signal_too() -> None:
    best, other = pool([mention("a", "stated"), mention("b", "shown")], WEIGHTS, {"a": ["doubtful"]})

    assert (best.mentions[0].key, other.score) == ("b", -1.0)


def test_some_signals_count_only_if_all_mentions_have_them() -> None:
    mentions = [mention("a", "stated", "doubtful"), mention("a", "shown"), mention("b", "doubtful")]

    best, other = pool(mentions, WEIGHTS, in_all=frozenset(("doubtful",)))

    assert best.signals == {"stated", "shown"}
    assert other.signals == {"doubtful"}


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([*WEIGHTS, "unknown"]))))
def test_every_mention_is_in_one_candidate_and_the_best_comes_first(given_mentions: list[tuple[str, str]]) -> None:
    candidates = pool([mention(key, signal) for key, signal in given_mentions], WEIGHTS)

    assert sum(len(candidate.mentions) for candidate in candidates) == len(given_mentions)
    assert [candidate.score for candidate in candidates] == sorted((each.score for each in candidates), reverse=True)
