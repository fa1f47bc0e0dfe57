"""Kinds of lines are fitted on labelled pages: what shows the title, an author or the day, and what does not."""

import numpy as np
import pytest

from broadsheet.base.errors import InputError
from broadsheet.corpora.labelled_page import Gold, PageLabels, Split
from broadsheet.document import parse
from broadsheet.reading.lines.line_kinds import BYLINE, DATE, HEADLINE
from broadsheet.reading.lines.vocabulary import Vocabulary
from broadsheet.reading.measured_lines import assume_words, kept_lines
from broadsheet.reading.trained import read
from broadsheet.training._fact_examples import ReadPage
from broadsheet.training._line_kind_examples import UNKNOWN, LineExample, line_example
from broadsheet.training._line_kind_fitting import fit_kinds
from broadsheet.training.fact_training import KindsByFold

VOCABULARY = Vocabulary.build(("byline", "date", "headline", "menu", "posted", "teaser"), ("by", "home"))
TEXT = "<p>The crane fell into the harbour on Monday, and nobody was hurt, the city said in the evening.</p>" * 4


def labelled(number: int, gold: Gold, split: Split = "train") -> ReadPage:
    html = f"""<ul><li class=menu>Home of the city</ul><h2 class=teaser>Storm over the old town</h2>
    <h1 class=headline>Crane {number} falls into the harbour</h1><div class=byline>Nora Pell</div>
    <div class=date>2 March 2026</div><div class=posted>By us on 1 March 2026 at home</div>{TEXT}"""
    document = parse(html)
    assume_words(document, VOCABULARY)
    labels = PageLabels(
        name=str(number), corpus="c", site=f"site-{number}.example", split=split, language="en", kind="article",
        url=None, gold=gold,
    )  # fmt: skip
    return ReadPage(labels, document, read(document).labels)


def whole(number: int) -> Gold:
    return Gold(title=f"Crane {number} falls into the harbour", date="2026-03-02", authors=("Nora Pell",))


def shown(page: ReadPage) -> dict[str, list[int]]:
    """What is known of each line with a target, by the class of its element."""
    example, found = line_example(page), kept_lines(page.document)
    assert example is not None
    names = [page.document.attribute(int(block), "class") for block in found.lines.block.tolist()]
    rows = [found.measured.rows[line].astype(np.float16).tobytes() for line in range(len(names))]
    return {
        name or "text": target.tolist()
        for row, target in zip(example.rows, example.targets, strict=True)
        for name, other in zip(names, rows, strict=True)
        if other == row.tobytes()
    }


def test_lines_are_marked_by_what_they_show() -> None:
    targets = shown(labelled(1, whole(1)))

    assert targets["headline"][HEADLINE] == 1
    assert targets["byline"][BYLINE] == 1
    assert targets["date"][DATE] == 1
    assert targets["headline"][BYLINE] == 0
    assert targets["byline"][DATE] == UNKNOWN


def test_what_is_not_labelled_is_not_known() -> None:
    targets = shown(labelled(1, Gold(date="2026-03-02")))

    assert {target[BYLINE] for target in targets.values()} == {UNKNOWN}
    assert {target[HEADLINE] for target in targets.values()} == {UNKNOWN}
    assert targets["date"][DATE] == 1


def test_a_page_without_lines_is_no_example() -> None:
    document = parse("")
    assume_words(document, VOCABULARY)
    page = labelled(1, whole(1))._replace(document=document)

    assert line_example(page) is None


def examples() -> list[LineExample]:
    return [example for number in range(12) if (example := line_example(labelled(number, whole(number))))]


def test_fitted_kinds_tell_lines_of_other_pages_apart() -> None:
    fitted = fit_kinds(examples(), VOCABULARY)
    page = labelled(99, whole(99))
    lines, measured = kept_lines(page.document)
    names = [page.document.attribute(int(block), "class") for block in lines.block.tolist()]

    def score(kind: int, name: str) -> float:
        return fitted.scores(kind, [int(lines.first[names.index(name)])], lines, measured)[0]

    assert score(HEADLINE, "headline") > 0 > score(HEADLINE, "teaser")
    assert score(BYLINE, "byline") > 0 > score(BYLINE, "menu")
    assert score(DATE, "date") > 0 > score(DATE, "posted")


def test_a_kind_that_no_page_is_labelled_with_has_no_weights() -> None:
    pages = [labelled(number, Gold(date="2026-03-02")) for number in range(4)]

    fitted = fit_kinds([example for page in pages if (example := line_example(page))], VOCABULARY)

    assert not fitted.features[:, BYLINE].any()
    assert fitted.features[:, DATE].any()


def test_lines_of_train_sites_are_scored_by_those_of_other_folds() -> None:
    pages = [labelled(number, whole(number)) for number in range(12)]
    kinds = KindsByFold.fit(pages, VOCABULARY)
    unseen = labelled(99, whole(99), "dev")

    def score(page: ReadPage) -> list[float]:
        return kinds.scorer(page.labels)(unseen.document, BYLINE, [0])

    assert len({id(each) for each in kinds.without.values()}) == len(kinds.without) > 1
    assert score(unseen) == kinds.all_sites.scores(BYLINE, [0], *kept_lines(unseen.document))
    assert any(score(page) != score(unseen) for page in pages)


def test_without_labelled_pages_nothing_is_fitted() -> None:
    with pytest.raises(InputError, match="no page of a train site"):
        KindsByFold.fit([labelled(1, whole(1), "dev")], VOCABULARY)
