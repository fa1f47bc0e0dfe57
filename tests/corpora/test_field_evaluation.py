import json
from pathlib import Path

import pytest

from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.corpora import label_errata
from broadsheet.corpora.author_labels import author_labels
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.evaluation import CorpusSelection, read_pages
from broadsheet.corpora.field_evaluation import FieldResult, choose_pages, field_table, read_fields
from broadsheet.corpora.field_measures import Fields, FieldScores, names
from broadsheet.corpora.field_systems import OURS, field_version, load_fields
from broadsheet.reading import extract
from tests.corpora import tiny

FLOORS = Path(__file__).resolve().parents[2] / "quality" / "floors.json"


def test_ours_reads_the_facts_of_a_page(tmp_path: Path) -> None:
    corpora = find_corpora([tiny.folder(tmp_path, "harbour", [tiny.row("one")])])
    chosen = choose_pages(corpora, CorpusSelection(None), Counters())

    (result,) = read_fields(next(read_pages(corpora, chosen, Counters())), {OURS: load_fields(OURS)})

    assert (result.scores, result.error) == (FieldScores(1.0, 1.0, 1.0), None)


def test_pages_without_a_label_for_any_fact_are_counted(tmp_path: Path) -> None:
    rows = [tiny.row("one"), tiny.row("bare", title=None, date=None, authors=None)]
    counters = Counters()

    chosen = choose_pages(find_corpora([tiny.folder(tmp_path, "harbour", rows)]), CorpusSelection(None), counters)

    assert [labels.name for labels in chosen] == ["one"]
    assert [number for _, number in counters] == [1]


def test_labels_that_are_known_to_be_wrong_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpora = find_corpora([tiny.folder(tmp_path, "harbour", [tiny.row("one"), tiny.row("two")])])
    monkeypatch.setattr(label_errata, "known_errata", lambda: {"harbour/one": {"date": "the day of the last change"}})

    corrected = choose_pages(corpora, CorpusSelection(None), Counters())
    as_labelled = choose_pages(corpora, CorpusSelection(None, as_labelled=True), Counters())

    assert [labels.gold.date is None for labels in corrected] == [True, False]
    assert [labels.gold.date is None for labels in as_labelled] == [False, False]
    assert corrected[0].gold.title == as_labelled[0].gold.title


def test_every_erratum_has_a_page_a_field_and_a_reason() -> None:
    errata = label_errata.known_errata()

    assert all(name.count("/") == 1 for name in errata)
    assert {field for wrong in errata.values() for field in wrong} <= {"title", "date", "authors", "body"}
    assert all(reason for wrong in errata.values() for reason in wrong.values())


def test_a_system_that_fails_yields_no_facts(tmp_path: Path) -> None:
    def broken(_html: bytes, _url: str | None) -> Fields:
        raise RuntimeError

    corpora = find_corpora([tiny.folder(tmp_path, "harbour", [tiny.row("one")])])
    page = next(read_pages(corpora, choose_pages(corpora, CorpusSelection(None), Counters()), Counters()))

    (result,) = read_fields(page, {"broken": broken})

    assert (result.scores, result.error) == (FieldScores(0.0, 0.0, 0.0), "RuntimeError")


def test_the_table_has_the_mean_of_each_field_over_its_labelled_pages() -> None:
    scores = (FieldScores(1.0, None, 0.5), FieldScores(0.0, None, None))
    results = [FieldResult(str(number), "c", "ours", each, None) for number, each in enumerate(scores)]

    (row,) = field_table(results)

    assert (row["title"], row["title_pages"], row["authors"], row["authors_pages"]) == (0.5, 2, 0.5, 1)
    assert (row["published"], row["published_pages"]) == (None, 0)


def test_an_unknown_peer_is_refused() -> None:
    with pytest.raises(InputError, match="'nobody' extracts facts"):
        field_version("nobody")


def test_facts_of_unseen_sites_do_not_fall_below_the_floors(shared_data: Path) -> None:
    floors = json.loads(FLOORS.read_text())["fields"]
    files = [shared_data / "pages" / f"{name}.tar.xz" for name in ("wcxb", "fundus", "postlight")]
    corpora = find_corpora(files)
    chosen = choose_pages(corpora, CorpusSelection("dev", "article"), Counters())
    systems = {OURS: load_fields(OURS)}

    (row,) = field_table(
        result for page in read_pages(corpora, chosen, Counters()) for result in read_fields(page, systems)
    )

    measured = {name: float(str(row[name])) for name in floors}
    assert {name: measured[name] >= floor for name, floor in floors.items()} == dict.fromkeys(floors, True), measured


def test_authors_of_pages_labelled_by_hand_are_as_often_right_as_the_floor_says(shared_data: Path) -> None:
    by_hand = author_labels()
    corpora = find_corpora([shared_data / "pages", shared_data / "more" / "metahtml.tar.xz"])
    chosen = [
        labels for corpus in corpora for labels in corpus.labels() if labels.id in by_hand and labels.split == "dev"
    ]
    given = 0
    wrong: list[str] = []

    for page in read_pages(corpora, chosen, Counters()):
        article = extract(page.html, page.labels.url, encoding="utf-8", force=True)
        authors = article.authors if article else ()
        given += len(names(authors))
        wrong += by_hand[page.labels.id].wrong(authors)

    assert len(chosen) == 89
    assert given >= 60
    assert 1 - len(wrong) / given >= json.loads(FLOORS.read_text())["author_precision"], wrong
