import tarfile
from pathlib import Path

import pytest

from broadsheet.base.counters import Counted, Counters
from broadsheet.base.errors import InputError
from broadsheet.corpora.corpus_folder import Corpus, find_corpora
from broadsheet.corpora.labelled_page import PageLabels
from tests.corpora import tiny


def everything(labels: PageLabels) -> bool:
    return bool(labels.name)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return tiny.folder(tmp_path, "harbour", [tiny.row("one"), tiny.row("two", split="train", lang=None)])


def test_a_folder_and_its_archive_have_the_same_pages(corpus: Path) -> None:
    loose, dense = Corpus("harbour", corpus), Corpus("harbour", tiny.packed(corpus))

    assert list(loose.pages(everything, Counters())) == list(dense.pages(everything, Counters()))
    assert loose.labels() == dense.labels()
    assert [labels.id for labels in loose.labels()] == ["harbour/one", "harbour/two"]


def test_a_row_becomes_labels(corpus: Path) -> None:
    one, two = Corpus("harbour", corpus).labels()

    assert (one.site, one.split, one.language, one.kind) == ("courier.example", "dev", "en", "article")
    assert (one.gold.title, one.gold.date, one.gold.authors) == (
        "Crane falls into the harbour", "2026-03-02", ("Jane Doe",)
    )  # fmt: skip
    assert (one.gold.trust, one.gold.headings, two.language) == ("full", None, None)


def test_only_wanted_pages_are_read(corpus: Path) -> None:
    for path in (corpus, tiny.packed(corpus)):
        pages = Corpus("harbour", path).pages(lambda labels: labels.split == "train", Counters())

        assert [page.labels.name for page in pages] == ["two"]


def test_labels_without_a_page_are_counted(tmp_path: Path) -> None:
    corpus = tiny.folder(tmp_path, "harbour", [tiny.row("here"), tiny.row("gone")], {"here": tiny.html()})

    for path in (corpus, tiny.packed(corpus)):
        counters = Counters()
        pages = list(Corpus("harbour", path).pages(everything, counters))

        assert [page.labels.name for page in pages] == ["here"]
        assert counters.snapshot() == {Counted("left out", "no page for these labels"): 1}


def test_corpora_are_found_one_by_one_and_by_the_folder(tmp_path: Path) -> None:
    one, two = (tiny.folder(tmp_path, name, [tiny.row("page")]) for name in ("one", "two"))
    archive = tiny.packed(two)

    assert find_corpora([tmp_path]) == [Corpus("one", one), Corpus("two", two)]
    assert find_corpora([one, archive]) == [Corpus("one", one), Corpus("two", archive)]
    assert find_corpora([archive.parent]) == [Corpus("two", archive)]
    assert find_corpora([one, one]) == [Corpus("one", one)]


def test_a_missing_corpus_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere: no such corpus"):
        find_corpora([tmp_path / "nowhere"])
    with pytest.raises(InputError, match="no corpus here"):
        find_corpora([tmp_path])
    (tmp_path / "notes.txt").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match=r"a packed corpus must be named <corpus>\.tar\.xz"):
        find_corpora([tmp_path / "notes.txt"])


def test_two_corpora_of_one_name_are_refused(tmp_path: Path) -> None:
    one = tiny.folder(tmp_path / "a", "harbour", [tiny.row("page")])
    other = tiny.folder(tmp_path / "b", "harbour", [tiny.row("page")])

    with pytest.raises(InputError, match="two corpora are called harbour"):
        find_corpora([one, other])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "line 1: not valid JSON"),
        ("[]", "line 1: a row must be a JSON object"),
        ("{}", "has no id"),
        ('{"id": "x", "split": "test"}', "the split must be one of train, dev, not 'test'"),
        ('{"id": "x", "body": 7}', "body must be a string, not int"),
        ('{"id": "x", "authors": "Jane"}', "authors must be a list of strings"),
    ],
)
def test_invalid_labels_are_reported_with_their_line(tmp_path: Path, line: str, reason: str) -> None:
    (tmp_path / "labels.jsonl").write_text(line + "\n", encoding="utf-8")

    with pytest.raises(InputError, match=reason):
        Corpus("bad", tmp_path).labels()


def test_an_archive_may_have_its_labels_after_the_pages(corpus: Path) -> None:
    loose, dense = Corpus("harbour", corpus), Corpus("harbour", tiny.packed(corpus, labels_first=False))

    assert {page.labels.id: page for page in loose.pages(everything, Counters())} == {
        page.labels.id: page for page in dense.pages(everything, Counters())
    }


def test_an_invalid_archive_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "broken.tar.xz"
    broken.write_bytes(b"not an archive")
    with pytest.raises(InputError, match=r"not a \.tar\.xz"):
        Corpus("broken", broken).labels()
    unlabelled = tmp_path / "unlabelled.tar.xz"
    with tarfile.open(unlabelled, "w:xz"):
        pass
    with pytest.raises(InputError, match=r"the archive has no labels\.jsonl"):
        Corpus("unlabelled", unlabelled).labels()


def test_the_site_of_a_page_without_domain_comes_from_its_url_or_is_unique() -> None:
    named = PageLabels.from_row("c", tiny.row("x", domain=None, url="https://news.bbc.co.uk/1"))
    unknown = PageLabels.from_row("c", tiny.row("x", domain=None, url=None))

    assert (named.site, unknown.site) == ("bbc.co.uk", "c/x")


def test_entities_in_a_body_are_decoded() -> None:
    assert PageLabels.from_row("c", tiny.row("x", body="Don&#x2019;t &amp; do")).gold.body == "Don’t & do"


def test_the_shared_corpora_are_read(shared_data: Path) -> None:
    corpora = {corpus.name: corpus for corpus in find_corpora([shared_data / "pages"])}

    labels = corpora["zyte_aeb"].labels()

    assert len(corpora) == 33
    assert (len(labels), sum(each.split == "dev" for each in labels)) == (87, 8)
    sites = {split: {each.site for each in labels if each.split == split} for split in ("train", "dev")}
    assert not sites["train"] & sites["dev"]
