from hypothesis import given
from hypothesis import strategies as st

from broadsheet.reading.facts.candidates import Saying, pool

WEIGHTS = {"stated": 1.0, "shown": 0.6, "doubtful": -2.0}


def saying(key: str, *signals: str) -> Saying[str]:
    return Saying(key, key.title(), "somewhere", signals)


def test_places_that_agree_speak_for_one_candidate() -> None:
    best, other = pool([saying("a", "stated"), saying("b", "shown"), saying("b", "stated")], WEIGHTS)

    assert (best.sayings[0].key, other.sayings[0].key) == ("b", "a")
    assert best.signals == {"stated", "shown"}


def test_a_signal_counts_once_however_often_it_is_given() -> None:
    best, other = pool([saying("a", "shown"), saying("a", "shown"), saying("b", "stated")], WEIGHTS)

    assert best.sayings[0].key == "b"
    assert other.score == WEIGHTS["shown"]


def test_of_equals_the_first_that_is_said_comes_first() -> None:
    assert [candidate.sayings[0].key for candidate in pool([saying("b"), saying("a")], WEIGHTS)] == ["b", "a"]


def test_a_relation_is_a_signal_too() -> None:
    best, other = pool([saying("a", "stated"), saying("b", "shown")], WEIGHTS, {"a": ["doubtful"]})

    assert (best.sayings[0].key, other.score) == ("b", -1.0)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([*WEIGHTS, "unknown"]))))
def test_every_saying_is_in_one_candidate_and_the_best_comes_first(said: list[tuple[str, str]]) -> None:
    candidates = pool([saying(key, signal) for key, signal in said], WEIGHTS)

    assert sum(len(candidate.sayings) for candidate in candidates) == len(said)
    assert [candidate.score for candidate in candidates] == sorted((each.score for each in candidates), reverse=True)
