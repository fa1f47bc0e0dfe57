"""Which page to annotate next: what a small learner is in doubt about, and which pages stand for such."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from broadsheet.corpora.annotation import annotation_conversion as conversion
from broadsheet.corpora.annotation.annotated_corpus import AnnotatedCorpus
from broadsheet.corpora.annotation.annotation_session import TOGETHER, AnnotationSession
from broadsheet.corpora.annotation.page_choice import FIRST, CorpusChoice, PagePool
from broadsheet.corpora.annotation.piece_learner import FeatureScale, PieceLearner, PoolPage, fit_logistic
from tests.corpora import tiny

TABLE = f"<table>{'<tr><td><a href=/x>Link to a page</a></td><td>1</td></tr>' * 20}</table>"
NAMES = [f"p{number}" for number in range(8)]


def pool_page(seed: int, layout: int = 0, odd: float = 1.0) -> PoolPage:
    rows = np.random.default_rng(seed).normal(size=(30, 3)) * odd
    return PoolPage(rows, np.full(30, 10.0), np.eye(1, 200, layout)[0])


def test_a_learner_reads_pages_like_those_it_has_learned_from_and_is_in_doubt_before() -> None:
    pages = [pool_page(seed) for seed in range(9)]
    truths = [page.rows[:, 0] > 0 for page in pages]
    scale = FeatureScale.of(pages)

    little, much = (PieceLearner(pages[:count], truths[:count], scale) for count in (1, 8))

    assert much.f(pages[8], truths[8]) > 0.9
    assert 0 < much.doubt(pages[8]) < little.doubt(pages[8]) < 0.5


@pytest.mark.parametrize("scale", [0.01, 1.0, 4.0])
def test_the_weights_are_those_that_scikit_learn_finds(scale: float) -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(200, 6)) * scale
    truth = rows[:, 0] + 0.5 * rows[:, 1] > 0.9 * scale
    weights = rng.random(200)
    model = LogisticRegression(C=1.0, tol=1e-9, max_iter=1000).fit(rows, truth, weights)

    found = fit_logistic(rows, truth, weights)

    assert found == pytest.approx([*model.coef_[0], model.intercept_[0]], abs=1e-3)


def test_a_page_without_text_is_not_doubtful() -> None:
    pages = [pool_page(0), PoolPage(np.zeros((0, 3)), np.zeros(0), np.zeros(200))]

    assert PagePool(pages).learner({0: pages[0].rows[:, 0] > 0}).doubt(pages[1]) == 0.0


def test_the_next_page_is_of_a_doubtful_layout_that_no_annotated_page_has() -> None:
    # Pages of the second layout have faint features, so that nothing learned from the first says much about them.
    pages = [pool_page(seed, layout=seed % 2, odd=0.1 if seed % 2 else 1.0) for seed in range(12)]
    pool = PagePool(pages)
    done = [0, 2, 4, 6]
    learner = pool.learner({place: pages[place].rows[:, 0] > 0 for place in done})

    chosen = pool.next_pages(learner, done)

    assert sorted([*done, *chosen]) == list(range(12))
    assert chosen[0] % 2 == 1
    assert pool.next_pages(learner, done, 2) == chosen[:2]


@pytest.fixture
def corpus(tmp_path: Path) -> AnnotatedCorpus:
    pages = {name: TABLE + tiny.html() if number >= 6 else tiny.html() for number, name in enumerate(NAMES)}
    return AnnotatedCorpus(tiny.folder(tmp_path, "mine", [tiny.row(name) for name in NAMES], pages))


def test_as_long_as_too_little_is_annotated_pages_come_at_random_and_the_same_every_time(
    corpus: AnnotatedCorpus,
) -> None:
    for name in NAMES[: FIRST - 1]:
        conversion.from_texts(corpus, name)
    left = NAMES[FIRST - 1 :]

    order = CorpusChoice(corpus, "main").order(left)

    assert sorted(order) == left
    assert order == CorpusChoice(corpus, "main").order(left)


def test_pages_of_a_layout_that_is_not_annotated_come_first(corpus: AnnotatedCorpus) -> None:
    for name in NAMES[:FIRST]:
        conversion.from_texts(corpus, name)

    order = CorpusChoice(corpus, "main").order(NAMES[FIRST:])

    assert order[0] in {"p6", "p7"}
    assert sorted(order) == NAMES[FIRST:]


def test_what_cannot_be_read_is_named_and_the_others_are_chosen(corpus: AnnotatedCorpus) -> None:
    for name in NAMES[: FIRST + 1]:
        conversion.from_texts(corpus, name)
    corpus.path("p0").write_text("damaged", "utf-8")
    (corpus.folder / "html" / "p5.html").unlink()
    choice = CorpusChoice(corpus, "main")

    order = choice.order(NAMES[FIRST + 1 :])

    assert sorted(choice.left_out) == ["p0", "p5"]
    assert sorted(order) == ["p5", "p6", "p7"]
    assert order[-1] == "p5"


def test_pages_with_other_labels_are_chosen_by_all_that_is_labelled(corpus: AnnotatedCorpus) -> None:
    (corpus.folder / "label-set.toml").write_text('rest = "g"\n[labels]\ng = "garbage"\np = "price"\n', "utf-8")
    for name in NAMES[:FIRST]:
        document = corpus.document(name)
        corpus.write(name, document, "p" * 5 + "g" * (len(document.pieces) - 5))

    order = CorpusChoice(corpus, "main").order(NAMES[FIRST:])

    assert order[0] in {"p6", "p7"}


def test_annotations_that_hold_nothing_to_look_for_teach_nothing(corpus: AnnotatedCorpus) -> None:
    for name in NAMES[:FIRST]:
        document = corpus.document(name)
        corpus.write(name, document, "g" * len(document.pieces))

    assert sorted(CorpusChoice(corpus, "main").order(NAMES[FIRST:])) == NAMES[FIRST:]


def test_a_session_chooses_again_when_some_more_pages_are_annotated(corpus: AnnotatedCorpus) -> None:
    asked: list[list[str]] = []

    def choose(names: list[str]) -> list[str]:
        asked.append(names)
        return names[::-1]

    session = AnnotationSession(corpus, lambda document: "g" * len(document.pieces), list(NAMES), choose=choose)
    for name in NAMES[:TOGETHER]:
        session.finish(session.open(name))

    assert asked == [NAMES[TOGETHER:]]
    assert session.remaining() == NAMES[: TOGETHER - 1 : -1]
