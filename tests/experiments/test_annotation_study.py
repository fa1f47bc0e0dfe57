"""The studies of annotated pages: which pages are annotated and tested, and what is learned from them."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from broadsheet.base.clock import SystemClock
from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.base.records import Label, Reading
from broadsheet.corpora.annotation.piece_learner import PoolPage
from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.document import Document, parse
from broadsheet.experiments.annotation_study import (
    active_learning_study,
    annotation_pools,
    chosen_pages_study,
    fine_tuning_study,
)
from broadsheet.experiments.annotation_study.adapted_reader import AdaptedReader
from broadsheet.experiments.annotation_study.annotation_pools import AnnotationPool, KnownPage
from broadsheet.experiments.annotation_study.unseen_pages import PageGroup, UnseenPages, page_groups
from broadsheet.experiments.experiment import Context
from broadsheet.reading import coreex
from broadsheet.training.labelled_documents import LabelledDocument
from tests.corpora import tiny


def rows(number: int, **changes: object) -> tuple[PageLabels, ...]:
    """Return the rows of so many pages, five of each site."""
    named = (tiny.row(f"p{place}", **{"domain": f"s{place // 5}", **changes}) for place in range(number))
    return tuple(PageLabels.from_row("tiny", row) for row in named)


def test_all_pages_of_a_site_are_used_in_each_order() -> None:
    group = PageGroup("s", is_kind=False, pages=rows(13, domain="s"))

    first, second = (group.order(seed) for seed in (0, 1))

    assert sorted(page.id for page in first) == sorted(page.id for page in group.pages)
    assert first != second


def test_pages_of_a_kind_are_all_of_different_sites() -> None:
    group = PageGroup("kind", is_kind=True, pages=rows(150))

    sites = [page.site for page in group.order(3)]

    assert len(sites) == len(set(sites)) == 30


def test_only_what_the_readers_have_not_learned_from_is_studied() -> None:
    dev = rows(8, domain="dev.example")
    train = rows(8, domain="train.example", split="train")
    shop = rows(8, domain="shop.example", split="train", page_type="other")
    many = tuple(
        PageLabels.from_row("tiny", tiny.row(f"m{place}", domain=f"m{place}", split="train", page_type="section"))
        for place in range(8)
    )

    groups = page_groups([*dev, *train, *shop, *many])

    assert [(group.name, group.is_kind) for group in groups] == [
        ("dev.example", False), ("shop.example", False), ("lists", True)
    ]  # fmt: skip


def test_pages_are_read_in_the_order_asked_for_without_those_that_lack_their_text(tmp_path: Path) -> None:
    folder = tiny.folder(tmp_path, "tiny", [tiny.row(name) for name in ("one", "two", "three")])
    (folder / "html" / "two.html").write_text(tiny.html(("Other text.",) * 3), encoding="utf-8")
    counters = Counters()
    wanted = [PageLabels.from_row("tiny", tiny.row(name)) for name in ("three", "two", "one")]

    read = UnseenPages(tmp_path, counters).read(wanted)

    assert [row.name for row, _ in read] == ["three", "one"]
    assert [(counted.name, number) for counted, number in counters] == [("left out", 1)]


def test_both_readers_are_compared_on_the_other_pages_before_and_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fine_tuning_study, "ORDERS", 1)
    group = PageGroup("courier.example", is_kind=False, pages=rows(8, domain="courier.example"))
    pages = {row.id: labelled_page(number) for number, row in enumerate(group.pages)}
    context = Context(folder=tmp_path, clock=SystemClock(), counters=Counters())

    results = fine_tuning_study.study(context, [group], lambda wanted: [(row, pages[row.id]) for row in wanted])

    assert [table.rows[0][:3] for table in results.tables[::2]] == [("courier.example", 8, 3)] * 2
    for table in results.tables[::2]:
        before, after, *more = table.rows[0][3:]
        assert isinstance(before, float)
        assert isinstance(after, float)
        assert more == [None, None]
    assert [table.rows[0][:3] for table in results.tables[1::2]] == [("sites", 5, 1)] * 2
    assert [plot.name for plot in results.plots] == ["fine-tuning-default", "fine-tuning-memory"]


def test_pages_whose_labels_do_not_fit_leave_the_others_to_annotate_and_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fine_tuning_study, "ORDERS", 1)
    group = PageGroup("courier.example", is_kind=False, pages=rows(10, domain="courier.example"))
    pages = {row.id: labelled_page(number) for number, row in enumerate(group.pages[:-1])}
    context = Context(folder=tmp_path, clock=SystemClock(), counters=Counters())

    results = fine_tuning_study.study(
        context, [group], lambda wanted: [(row, pages[row.id]) for row in wanted if row.id in pages]
    )

    assert results.tables[0].rows[0][:3] == ("courier.example", 10, 4)


def test_a_reader_that_pages_do_not_help_is_not_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [(row, labelled_page(number)) for number, row in enumerate(rows(8))]
    read: list[Document] = []

    def reads(document: Document, _: object) -> Reading:
        read.append(document)
        return coreex.read(document)

    monkeypatch.setattr(
        fine_tuning_study, "READERS", (AdaptedReader("plain", object, lambda _, models: models, reads),)
    )

    curve = dict(fine_tuning_study.learning_curve(pages))

    assert curve["plain 5"] == curve["plain 0"]
    assert len(read) == curve["tested"] == 3


def known_page(seed: int) -> KnownPage:
    """A page whose body is what has a high first feature, of one of four layouts."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(30, 3))
    layout = np.zeros(200)
    layout[seed % 4] = 1.0
    return KnownPage(f"s{seed % 7}", PoolPage(rows, np.full(30, 10.0), layout), rows[:, 0] > 0)


def test_pages_are_divided_into_those_to_choose_from_and_those_to_test_on() -> None:
    pool = AnnotationPool("pool", [known_page(seed) for seed in range(70)])

    (candidates, tested), (again, _), (other, _) = (pool.divide(order) for order in (0, 0, 1))

    assert (len(candidates), len(tested)) == (35, 35)
    assert set(map(id, candidates)).isdisjoint(map(id, tested))
    assert candidates == again != other


def test_every_way_of_choosing_is_compared_with_random_choice_in_the_same_divisions(tmp_path: Path) -> None:
    pool = AnnotationPool("made pages", [known_page(seed) for seed in range(70)])
    context = Context(folder=tmp_path, clock=SystemClock(), counters=Counters())

    results = active_learning_study.study(context, [pool], orders=2)

    by_page = results.tables[0]
    assert [row[0] for row in by_page.rows] == [4, 8, 16, 24, 32]
    # All begin with the same pages.
    assert len(set(by_page.rows[0][1:5])) == 1
    assert all(isinstance(f, float) and f > 0.9 for f in by_page.rows[-1][1:5])
    assert results.plots[0].name == "active-learning-made"


def test_readers_learn_from_chosen_and_from_random_pages_and_read_the_same_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chosen_pages_study, "TESTED", 4)
    monkeypatch.setattr(chosen_pages_study, "LEARNERS", (chosen_pages_study.MEMORY_ALONE,))
    pages = [(row, labelled_page(number)) for number, row in enumerate(rows(24))]

    scores = dict(chosen_pages_study.scores(pages))

    assert scores["memory alone, before"] == 0
    assert scores["memory alone, random"] > 0.9
    assert scores["memory alone, coverage of doubt"] > 0.9


def test_too_few_pages_are_refused(tmp_path: Path) -> None:
    context = Context(folder=tmp_path, clock=SystemClock(), counters=Counters())
    with pytest.raises(InputError, match="needs 64 labelled pages, not 50"):
        active_learning_study.study(context, [AnnotationPool("few", [known_page(seed) for seed in range(50)])])


def test_the_generated_archive_has_few_large_and_many_small_sources() -> None:
    sites = Counter(page.site for page in annotation_pools.generated_archive(2))

    assert sorted(sites.values()) == [40, 80]


def labelled_page(number: int) -> LabelledDocument:
    """A page whose long pieces of text are body."""
    document = parse(tiny.html(tuple(paragraph * (2 + number % 3) for paragraph in tiny.PARAGRAPHS)))
    long = np.diff(document.sums.characters) > 60
    return LabelledDocument(document, np.where(long, Label.BODY, Label.GARBAGE).astype(np.int8))
