"""Which page stands in for which target."""

from pathlib import Path

import pytest

pytest.importorskip("scrapy")

from benchmarks.replay.golden import Golden
from benchmarks.replay.standins import StandIn, deal, unpack

from broadsheet.base.errors import InputError
from tests.benchmarks.replay_folder import label, write_corpus


def golden(number: int, label: str = "ARTICLE") -> Golden:
    return Golden(f"gazette.example/{label}/{number}", "", label, "", is_certain=True, anchor="")


def page(number: int, kind: str = "article", language: str = "en", *, news_site: bool = True) -> StandIn:
    return StandIn(f"papers/{kind}-{language}-{number}", kind, None, language, news_site, Path())


ONE_EACH = [page(1, "section"), page(1, "other")]


def test_no_page_stands_in_for_two_targets_while_there_are_others() -> None:
    dealt = deal([*map(page, range(10)), *ONE_EACH], map(golden, range(10)), "en")

    assert len({stand_in.id for stand_in in dealt.values()}) == 10


def test_pages_are_used_again_when_they_run_out() -> None:
    dealt = deal([*map(page, range(3)), *ONE_EACH], map(golden, range(7)), "en")

    uses = sorted(list(dealt.values()).count(stand_in) for stand_in in set(dealt.values()))
    assert uses == [2, 2, 3]


def test_the_same_target_always_gets_the_same_page() -> None:
    pages = [*map(page, range(10)), *ONE_EACH]

    assert deal(pages, map(golden, range(10)), "en") == deal(pages[::-1], map(golden, reversed(range(10))), "en")


def test_pages_of_news_sites_come_first_and_among_those_the_ones_in_the_language_of_the_site() -> None:
    german, foreign, blog = page(1, language="de"), page(2, language="fr"), page(3, language="de", news_site=False)
    pages = [blog, foreign, german, *ONE_EACH]

    assert set(deal(pages, map(golden, range(1)), "de").values()) == {german}
    assert set(deal(pages, map(golden, range(2)), "de").values()) == {german, foreign}
    assert set(deal(pages, map(golden, range(3)), "de").values()) == {german, foreign, blog}


@pytest.mark.parametrize(
    ("name", "kind"), [("ARTICLE", "article"), ("SECTION", "section"), ("OTHER", "other"), ("unknown", "other")]
)
def test_a_target_gets_a_page_of_its_kind(name: str, kind: str) -> None:
    (stand_in,) = deal([page(1), *ONE_EACH], [golden(1, name)], "en").values()

    assert stand_in.kind == kind


def test_only_pages_of_a_known_kind_and_of_the_split_are_used(tmp_path: Path) -> None:
    kinds = ("article", "section", "other", "unknown")
    rows = [label(kind, number, split=split) for kind in kinds for number, split in enumerate(("train", "dev"))]
    write_corpus(tmp_path / "papers.tar.xz", rows)
    (tmp_path / "out").mkdir()

    assert [each.id for each in unpack(tmp_path, "dev", tmp_path / "out")] == [
        "papers/article-1",
        "papers/section-1",
        "papers/other-1",
    ]


@pytest.mark.parametrize(("stated", "news_site"), [(True, True), (False, False), (None, False)])
def test_a_page_is_from_a_news_site_only_if_its_labels_say_so(
    tmp_path: Path, stated: bool | None, *, news_site: bool
) -> None:
    kinds = ("article", "section", "other")
    write_corpus(tmp_path / "papers.tar.xz", [label(kind, 1, news_site=stated) for kind in kinds])

    assert [each.news_site for each in unpack(tmp_path, None, tmp_path)] == [news_site] * 3


def test_a_kind_without_pages_is_reported(tmp_path: Path) -> None:
    write_corpus(tmp_path / "papers.tar.xz", [label("article", 1), label("section", 1, split="dev"), label("other", 1)])

    with pytest.raises(InputError, match="no pages of split train with page_type section"):
        unpack(tmp_path, "train", tmp_path)
