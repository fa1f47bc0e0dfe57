"""Complete evaluations with fake systems, loaded by name in the workers."""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from broadsheet.base.clock import SystemClock
from broadsheet.base.counters import Counted, Counters
from broadsheet.base.errors import BroadsheetError, InputError
from broadsheet.base.provenance import Provenance
from broadsheet.base.records import Label
from broadsheet.corpora import label_errata
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.eras import era
from broadsheet.corpora.evaluation import CorpusSelection, evaluate, read_pages
from broadsheet.corpora.evaluation_report import render_report, worst
from broadsheet.corpora.evaluation_tables import details, grouped, leads, overview
from broadsheet.corpora.labelled_page import LabelledPage
from broadsheet.corpora.measures import Overlap
from broadsheet.corpora.page_readers import LeftOut, Outcome, ReaderPool, Task
from broadsheet.corpora.page_scoring import Truth, score_system
from broadsheet.corpora.peers import PEERS, PeerAdapter, visible_text
from broadsheet.corpora.results import Result, unique
from broadsheet.corpora.systems import System, load, version_of
from broadsheet.document import Document
from tests.corpora import tiny

BODY = "\n\n".join(tiny.PARAGRAPHS)


@dataclass(frozen=True)
class Made:
    name: str
    answer: Callable[[], str]
    version: str = "1"

    def read(self, html: bytes, url: str | None) -> str:
        assert html
        assert url is None or url.startswith("https://")
        return self.answer()

    def labels(self, document: Document) -> NDArray[np.int8] | None:
        if self.name != "labels":
            return None
        return np.full(len(document.pieces), Label.BODY, np.int8)


def fail() -> str:
    raise RuntimeError("no")


def die() -> str:
    os._exit(3)


def hang() -> str:
    time.sleep(60)
    return ""


ANSWERS = {"right": lambda: BODY, "half": lambda: tiny.PARAGRAPHS[0], "fail": fail, "die": die, "hang": hang,
           "labels": lambda: BODY, "empty": lambda: ""}  # fmt: skip


def made(name: str) -> System:
    return Made(name, ANSWERS[name])


def missing(name: str) -> System:
    os._exit(len(name))


def score(page: LabelledPage, systems: list[System]) -> list[Result]:
    truth = Truth.from_page(page)
    return [score_system(truth, system) for system in systems]


def results_of(page: LabelledPage, *names: str) -> dict[str, Result]:
    return {result.system: result for result in score(page, [made(name) for name in names])}


def test_a_perfect_extraction_is_perfect_by_every_measure() -> None:
    result = results_of(tiny.page(), "right")["right"]

    assert result.exact
    assert all(found.score == (1, 1, 1) for found in result.overlaps.values())
    assert result.seconds is not None
    assert result.labels == {}


def test_a_third_of_the_pieces_is_a_third_of_the_recall() -> None:
    result = results_of(tiny.page(), "half")["half"]

    assert result.overlaps["pieces"].score.recall == pytest.approx(1 / 3)
    assert result.overlaps["pieces"].answer == 3
    assert result.overlaps["piece_words"].answer == sum(len(text.split()) for text in tiny.PARAGRAPHS)


def test_a_system_that_labels_is_measured_by_its_labels() -> None:
    result = results_of(tiny.page(), "labels")["labels"]

    assert result.labels["body"].score.recall == 1.0
    assert result.labels["body"].score.precision < 1.0
    assert result.labels["title"] == Overlap(0, 0, 1)


def test_a_system_that_fails_has_no_text_and_its_error_is_recorded() -> None:
    result = score_system(Truth.from_page(tiny.page()), made("fail"))

    assert (result.error, result.exact, result.took) == ("RuntimeError", False, ())
    assert result.overlaps["words"].score.f == 0


def test_workers_read_every_page_with_every_system() -> None:
    pages = [tiny.page(str(number)) for number in range(5)]
    names = ("right", "half")
    pool = ReaderPool(names, 2, SystemClock(), loader=made)

    results = unique(evaluate(pages, [(name, "1") for name in names], pool.outcomes, Counters()))

    assert [(result.page, result.system) for result in results] == [
        (f"tiny/{number}", name) for number in range(5) for name in ("half", "right")
    ]


def test_a_system_that_crashes_or_hangs_loses_only_its_own_page() -> None:
    names = ("right", "die", "hang", "half")
    pool = ReaderPool(names, 1, SystemClock(), limit=3, loader=made)
    counters = Counters()

    results = unique(evaluate([tiny.page()], [(name, "1") for name in names], pool.outcomes, counters))

    errors = {result.system: result.error for result in results}
    assert errors == {"right": None, "half": None, "die": "the process died", "hang": "took more than 3 s"}
    assert counters.snapshot() == {
        Counted("die failed", "the process died"): 1,
        Counted("hang failed", "took more than 3 s"): 1,
    }


def test_a_worker_that_cannot_load_its_systems_ends_the_run_with_one_line() -> None:
    pool = ReaderPool(["unknown"], 1, SystemClock(), loader=missing)

    with pytest.raises(BroadsheetError, match="ended before it started"):
        list(pool.outcomes([Task(tiny.page(), ("unknown",))]))


def test_an_unusable_page_is_counted() -> None:
    pool = ReaderPool(["right"], 1, SystemClock(), loader=made)

    outcomes = list(pool.outcomes([Task(tiny.page(body_in_html=0.1), ("right",))]))

    assert outcomes == [LeftOut("tiny/one", "label and page disagree, by the corpus's own count")]


def test_known_results_are_reused_unless_something_changed() -> None:
    page = tiny.page()
    known = list(score(page, [made("right")]))
    asked: list[Task] = []

    def outcomes(tasks: Iterable[Task]) -> Iterator[Outcome]:
        asked.extend(tasks)
        return iter(())

    reused = [
        len(list(evaluate([now], systems, outcomes, Counters(), known=known)))
        for systems, now in (
            ([("right", "1")], page),
            ([("right", "1"), ("half", "1")], page),
            ([("right", "2")], page),
            ([("right", "1")], tiny.page(title="Changed")),
        )
    ]

    assert reused == [1, 1, 0, 0]
    assert [task.systems for task in asked] == [("half",), ("right",), ("right",)]


def test_pages_are_chosen_by_split_and_kind_and_need_a_body(tmp_path: Path) -> None:
    rows = [
        tiny.row("dev"), tiny.row("train", split="train"), tiny.row("bare", body=None),
        tiny.row("section", page_type="section"),
    ]  # fmt: skip
    corpora = find_corpora([tiny.folder(tmp_path, "harbour", rows)])
    counters = Counters()

    def chosen(selection: CorpusSelection) -> list[str]:
        return [labels.name for labels in selection.choose(corpora, counters)]

    assert chosen(CorpusSelection()) == ["dev"]
    assert counters.snapshot() == {Counted("left out", "no body is labelled"): 1}
    assert chosen(CorpusSelection(split=None)) == ["dev", "train"]
    assert chosen(CorpusSelection(kind=None)) == ["dev", "section"]
    assert len(chosen(CorpusSelection(split=None, kind=None, size=2))) == 2
    labels = CorpusSelection().choose(corpora, counters)
    assert [page.labels.name for page in read_pages(corpora, labels, counters)] == ["dev"]


def test_bodies_that_are_known_to_be_wrong_are_left_out_unless_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpora = find_corpora([tiny.folder(tmp_path, "harbour", [tiny.row("one"), tiny.row("two")])])
    monkeypatch.setattr(label_errata, "known_errata", lambda: {"harbour/one": {"body": "the footer"}})
    counters = Counters()

    corrected = CorpusSelection().choose(corpora, counters)
    as_labelled = CorpusSelection(as_labelled=True).choose(corpora, Counters())

    assert [labels.name for labels in corrected] == ["two"]
    assert counters.snapshot() == {Counted("left out", "the labelled body is known to be wrong"): 1}
    assert [labels.name for labels in as_labelled] == ["one", "two"]


@pytest.fixture
def some_results() -> list[Result]:
    pages = [tiny.page("a"), tiny.page("b", lang="de", domain="kurier.example")]
    return [result for page in pages for result in score(page, [made("right"), made("half"), made("fail")])]


def test_the_best_system_comes_first(some_results: list[Result]) -> None:
    rows = overview(some_results)

    assert [(row["system"], row["pages"], row["failed"]) for row in rows] == [
        ("right", 2, 0), ("half", 2, 0), ("fail", 2, 2)
    ]  # fmt: skip
    assert (rows[0]["f"], rows[0]["exact"], rows[2]["below_half"], rows[2]["ms"]) == (1.0, 1.0, 1.0, None)


def test_figures_are_grouped_by_corpus_language_and_site(some_results: list[Result]) -> None:
    assert [(row["language"], row["system"]) for row in grouped(some_results, "language")] == [
        (language, system) for language in ("de", "en") for system in ("right", "half", "fail")
    ]
    assert {row["site"] for row in grouped(some_results, "site")} == {"courier.example", "kurier.example"}
    assert {row["corpus"] for row in grouped(some_results, "corpus")} == {"tiny"}


def test_a_group_has_the_figures_of_the_overview(some_results: list[Result]) -> None:
    (all_pages,) = (row for row in overview(some_results) if row["system"] == "half")
    (group,) = (row for row in grouped(some_results, "corpus") if row["system"] == "half")
    shingles = [result.overlaps["shingles"].score.f for result in some_results if result.system == "half"]

    assert {name: group[name] for name in ("f", "low", "high", "shingle_f", "below_half")} == {
        name: all_pages[name] for name in ("f", "low", "high", "shingle_f", "below_half")
    }
    assert group["mean_shingle_f"] == pytest.approx(sum(shingles) / len(shingles))


def test_pages_have_an_era_by_their_day_or_their_corpus() -> None:
    pages = [
        tiny.page("a", date="2014-12-31"), tiny.page("b", date="2015-01-01"), tiny.page("c", date=None),
        tiny.page("d", date=None, corpus="wcxb"), tiny.page("e", date="2009-05-01", corpus="wcxb"),
    ]  # fmt: skip

    assert [era(page.labels) for page in pages] == [
        "before 2015", "2015 or later", "before 2015", "2015 or later", "before 2015"
    ]  # fmt: skip


def test_leads_are_means_of_the_differences_on_the_same_pages(some_results: list[Result]) -> None:
    rows = leads(some_results, "right", ("language", "corpus"))

    assert [(row["by"], row["group"], row["ahead_of"], row["pages"]) for row in rows] == [
        (by, group, peer, pages)
        for by, group, pages in (("", "all", 2), ("language", "de", 1), ("language", "en", 1), ("corpus", "tiny", 2))
        for peer in ("half", "fail")
    ]
    assert rows[1]["lead"] == rows[1]["low"] == rows[1]["high"] == 1.0
    assert not leads(some_results, "absent")


def test_every_measure_is_in_the_details(some_results: list[Result]) -> None:
    found = details(some_results)["right"]

    assert isinstance(found, dict)
    assert set(found["measures"]) == {"words", "plain_words", "shingles", "pieces", "piece_words"}


def test_the_report_shows_missed_lines_and_escapes_page_content() -> None:
    nasty = "Look at <script>alert(1)</script> & see what happens to a page that says so."
    first, _, third = tiny.PARAGRAPHS
    page = tiny.page(
        markup=tiny.html((first, nasty.replace("&", "&amp;").replace("<", "&lt;"), third)),
        body=f"{first}\n\n{nasty}\n\n{third}",
    )
    results = list(score(page, [made("half"), made("fail")]))

    report = "".join(render_report(overview(results), [page], results, Provenance("c0de", "m0de1", "")))

    assert "<script" not in report
    assert "&lt;script&gt;alert(1)" in report
    assert 'class="mark right">✓' in report
    assert 'class="mark missed">missed' in report
    assert "failed: RuntimeError" in report
    assert "default-src 'none'" in report
    assert "Measured with code c0de, models m0de1." in report


def test_the_worst_pages_come_first() -> None:
    good, bad = list(score(tiny.page("good"), [made("right")])), list(score(tiny.page("bad"), [made("half")]))

    assert worst([*good, *bad], 5) == ["tiny/bad", "tiny/good"]
    assert worst([*good, *bad], 1) == ["tiny/bad"]


def test_unknown_systems_are_refused_with_the_known_names() -> None:
    with pytest.raises(InputError, match=r"no reader or peer is called 'nobody': choose from .*coreex.*trafilatura"):
        version_of("nobody")
    with pytest.raises(InputError, match="NAME, NAME:exact or NAME:judged"):
        version_of("coreex:loose")


def test_our_readers_are_systems() -> None:
    page = tiny.page()

    for name in ("coreex", "coreex:exact"):
        result = score_system(Truth.from_page(page), load(name))
        assert result.error is None
        assert result.version == version_of(name)
        assert "body" in result.labels


def test_a_reader_that_judges_has_nothing_from_pages_that_are_hardly_articles() -> None:
    item = "<li><a href=/{0}>The harbour of Brimmouth was closed on Monday, part {0}</a></li>"
    front = (
        f"<html><title>News</title><body><ul>{''.join(item.format(number) for number in range(60))}</ul></body></html>"
    )
    refused, read = (
        tiny.page(markup=front.replace("</body>", f"<p>{BODY}</p></body>"), url="https://courier.example/"),
        tiny.page(),
    )

    results = {
        (page.labels.url, name): score_system(Truth.from_page(page), load(name))
        for page in (refused, read)
        for name in ("default", "default:judged")
    }

    assert [bool(result.took) for result in results.values()] == [True, False, True, True]
    assert [result.overlaps["words"].extracted > 0 for result in results.values()] == [True, False, True, True]
    assert version_of("default:judged") != version_of("default")


def test_a_peer_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PEERS, "no-such-peer", PeerAdapter(lambda: lambda text, url: text + url))

    with pytest.raises(InputError, match="no-such-peer is not installed"):
        load("no-such-peer")


def test_the_html_of_a_peer_becomes_lines_of_text() -> None:
    assert visible_text("<div><p>One <b>and</b> two</p><p>three</p></div>") == "One and two\nthree"
