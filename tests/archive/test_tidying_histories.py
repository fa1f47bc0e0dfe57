"""What keep rules leave of an archive after any history, compared with a model."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broadsheet.archive import Store, repair
from broadsheet.base.clock import ManualClock, SystemClock
from broadsheet.base.keep_rules import KeepRule
from tests.archive.rereaders import NothingRead
from tests.archive.samples import NOON, harm
from tests.archive.tidying import HOME, HOUR, IMPRINT, SECTION, STORY, kept, visit

#: Pages with what they are to the rules.
PAGES = {HOME: "fronts", SECTION: "fronts", IMPRINT: "other", STORY: "articles", "news.example/unjudged": ""}
VISIT = st.tuples(st.sampled_from(list(PAGES)), st.integers(0, 2), st.booleans())
AGE = st.none() | st.integers(1, 12).map(lambda hours: hours * HOUR)
RULE = st.builds(KeepRule, AGE, AGE, AGE, AGE, st.none(), AGE)
ACT = st.tuples(st.just("commit"), st.lists(VISIT, min_size=1, max_size=4)) | st.tuples(st.just("tidy"), RULE)
THEN = st.lists(st.sampled_from(["repair", "merge"]), max_size=2)


@dataclass
class Model:
    """What an archive should hold: visits in order, and which of them bring content and versions."""

    visits: dict[int, tuple[str, float]] = field(default_factory=dict)
    same_as: dict[int, int] = field(default_factory=dict)
    newest: dict[str, int] = field(default_factory=dict)
    read: set[int] = field(default_factory=set)
    removed: set[int] = field(default_factory=set)
    unlinked: set[int] = field(default_factory=set)
    #: Of which not even a row is left.
    gone: set[int] = field(default_factory=set)

    def tidy(self, rule: KeepRule, hour: float) -> None:
        """Remove by a rule, one visit at a time."""
        self.removed |= self._going(lambda number: self._is_old(number, rule, hour), self.removed)
        self.unlinked |= self._going(
            lambda number: self._age(number, hour) > rule.links if rule.links else False, set(), links=True
        )
        if rule.visits is not None:
            self.gone |= self._rows_going(rule.visits, hour)

    def _rows_going(self, age: timedelta, hour: float) -> set[int]:
        empty = self.removed & (self.unlinked | set(self.same_as)) - self.gone
        going = {number for number in empty if self._age(number, hour) > age}
        while needed := {self.same_as[number] for number in self.same_as if number not in going | self.gone} & going:
            going -= needed
        return going

    def _going(self, is_old: Any, gone: set[int], *, links: bool = False) -> set[int]:
        safe = set(self.newest.values()) | (set() if links else self.read)
        going = {number for number in self.visits if number not in safe | gone and is_old(number)}
        while needed := {self.same_as[number] for number in self.same_as if number not in going | gone} & going:
            going -= needed
        return going

    def _age(self, number: int, hour: float) -> timedelta:
        return (hour - self.visits[number][1]) * HOUR

    def _is_old(self, number: int, rule: KeepRule, hour: float) -> bool:
        kind = PAGES[self.visits[number][0]]
        age = getattr(rule, kind) if kind else None
        return age is not None and self._age(number, hour) > age


def played(archive: Store, acts: list[Any]) -> Iterator[Model]:
    """Play acts, an hour apart, on an archive and on a model; give the model after each tidying."""
    model, bodies = Model(), dict[str, bytes]()
    clock = ManualClock(NOON)
    with archive.writer(clock=clock, most_files=3) as writer:
        for hour, (what, how) in enumerate(acts):
            clock.advance(HOUR)
            if what == "tidy":
                writer.tidy(how)
                model.tidy(how, hour + 1)
                yield model
                continue
            for key, content, is_unmodified in how:
                body = b"%s %d" % (key.encode(), content)
                says_so = is_unmodified and key in bodies
                is_same = says_so or bodies.get(key) == body
                title = f"Story {content}" if PAGES[key] == "articles" and not says_so else None
                before = len(archive.versions(key))
                number = visit(writer, hour, key, b"" if says_so else body, 304 if says_so else 200, title=title)
                model.visits[number] = key, hour
                if is_same:
                    model.same_as[number] = model.newest[key]
                else:
                    bodies[key], model.newest[key] = body, number
                if len(archive.versions(key)) > before:
                    model.read.add(model.newest[key])
    yield model


@given(st.lists(ACT, max_size=8), THEN)
@settings(max_examples=8, deadline=None)
def test_what_remains_is_what_a_model_says(acts: list[Any], then: list[str]) -> None:
    with TemporaryDirectory() as folder:
        with Store.open(folder, create=True) as archive:
            for model in played(archive, acts):
                assert remaining(archive) == predicted(model)
        for step in then:
            if step == "repair":
                repair(Path(folder), NothingRead(), SystemClock(), lambda _: None)
            else:
                with Store.open(folder) as archive, archive.writer(most_files=1) as writer:
                    batch = writer.batch()
                    batch.count("something")
                    writer.commit(batch)
            with Store.open(folder) as archive:
                assert remaining(archive) == predicted(model)


def remaining(archive: Store) -> dict[str, Any]:
    return {
        "responses": kept(archive),
        "visits": set(archive.visits().to_table()["visit"].to_pylist()),
        "visits with links": set(archive.occurrences().to_table()["visit"].to_pylist()),
        "harm": harm(archive),
    }


def predicted(model: Model) -> dict[str, Any]:
    visits = set(model.visits)
    return {
        "responses": visits - model.removed,
        "visits": visits - model.gone,
        "visits with links": visits - set(model.same_as) - model.unlinked,
        "harm": [],
    }


@pytest.mark.soak
@given(st.lists(ACT, max_size=40), THEN)
@settings(max_examples=300, deadline=None)
def test_the_same_for_longer_histories(acts: list[Any], then: list[str]) -> None:
    test_what_remains_is_what_a_model_says.hypothesis.inner_test(acts, then)  # type: ignore[attr-defined]
