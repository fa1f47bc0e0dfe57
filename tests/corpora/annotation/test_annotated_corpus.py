"""A corpus that people annotate: saving, resuming, undoing, comparing; and what goes wrong with its files."""

from pathlib import Path

import pytest

from broadsheet.base.errors import InputError
from broadsheet.corpora.annotation import annotation_conversion as conversion
from broadsheet.corpora.annotation.annotated_corpus import DRAFTS, AnnotatedCorpus, check_name, create_corpus
from broadsheet.corpora.annotation.annotation_session import AnnotationSession
from broadsheet.corpora.annotation.corpus_report import agreement, report
from broadsheet.corpora.annotation.label_set import LabelSet, load_label_set
from broadsheet.corpora.annotation.page_doubt import doubt
from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.corpora.site_splits import leave_one_site_out, pages_apart, sites_apart
from broadsheet.document import Document, parse
from tests.corpora import tiny


@pytest.fixture
def corpus(tmp_path: Path) -> AnnotatedCorpus:
    return AnnotatedCorpus(tiny.folder(tmp_path, "mine", [tiny.row("one"), tiny.row("two")]))


def all_garbage(document: Document) -> str:
    return "g" * len(document.pieces)


def session(corpus: AnnotatedCorpus, annotator: str = "main") -> AnnotationSession:
    return AnnotationSession(corpus, all_garbage, list(corpus.pages), annotator)


def test_a_page_is_labelled_line_by_line_and_changes_are_undone(corpus: AnnotatedCorpus) -> None:
    page = session(corpus).open("one")
    title = next(row for row in page.rows() if row.tag == "h1")
    byline = next(row for row in page.rows() if row.text == "By Jane Doe")

    page.label(title, title, "t")
    page.label(byline, byline, "a")
    assert byline.end - byline.first == 2
    assert (page.letters.count("t"), page.letters.count("a"), page.changes) == (1, 2, 3)
    assert page.undo()
    assert "a" not in page.letters
    assert page.redo()
    assert page.letters.count("a") == 2
    assert page.undo()
    assert page.undo()
    assert not page.undo()
    assert page.changes == 0


def test_single_pieces_of_a_line_can_be_labelled(corpus: AnnotatedCorpus) -> None:
    page = session(corpus).open("one")

    page.by_piece = True
    name = next(row for row in page.rows() if row.text == "Jane Doe")
    page.label(name, name, "a")

    assert page.letters.count("a") == 1
    page.by_piece = False
    assert next(row for row in page.rows() if row.text == "By Jane Doe").letters == "ga"


def test_a_session_resumes_with_the_page_that_was_begun(corpus: AnnotatedCorpus) -> None:
    first = session(corpus)
    page = first.open("two")
    page.label(page.rows()[0], page.rows()[1], "b")
    first.keep(page)

    again = session(corpus)

    assert again.remaining() == ["two", "one"]
    assert again.open("two").letters == page.letters
    again.finish(again.open("two"))
    assert again.remaining() == ["one"]
    assert corpus.read("two", page.document) == page.letters
    assert not corpus.path("two", kind=DRAFTS).exists()


def test_a_page_without_its_file_and_a_damaged_annotation_are_named_and_nothing_is_replaced(
    corpus: AnnotatedCorpus,
) -> None:
    page = session(corpus).open("one")
    path = corpus.write("one", page.document, page.letters)
    path.write_text(path.read_text("utf-8")[:-30], encoding="utf-8")
    before = path.read_bytes()
    (corpus.folder / "html" / "two.html").unlink()

    with pytest.raises(InputError, match=r"one\.hra: the file ends within an entry"):
        session(corpus).open("one")
    with pytest.raises(InputError, match=r"two\.html: the page is missing"):
        session(corpus).open("two")
    assert path.read_bytes() == before


def test_a_write_that_fails_leaves_the_old_file(corpus: AnnotatedCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    page = session(corpus).open("one")
    path = corpus.write("one", page.document, page.letters)
    before = path.read_bytes()

    def full(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(InputError, match="cannot be written"):
        corpus.write("one", page.document, "b" * len(page.letters))

    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("name", ["../x", "a/b", ".hidden", "", "x\n", "a" * 300, "c:x"])
def test_names_that_are_no_safe_file_names_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="cannot be the name of a file"):
        check_name(name, "page")


def test_the_report_counts_labels_double_labels_and_structure_errors(corpus: AnnotatedCorpus) -> None:
    for name in ("one", "two"):
        conversion.from_texts(corpus, name)
    document = corpus.document("two")
    letters = corpus.read("two", document).replace("t", "g")
    corpus.write("two", document, letters)

    counted = report(corpus, "main")

    assert counted.letters["t"] == 1
    assert counted.letters["b"] == 6
    assert counted.doubles["tg"] == 1
    assert counted.doubles["bg"] == 6
    assert [(row["page"], row["structure"]) for row in counted.error_rows()] == [("two", "no title")]
    assert sum(int(str(row["number"])) for row in counted.double_rows()) == 2 * len(document.nodes)


def test_two_annotators_are_compared_label_by_label(corpus: AnnotatedCorpus) -> None:
    conversion.from_texts(corpus, "one")
    document = corpus.document("one")
    letters = corpus.read("one", document)
    last = letters.rindex("b")
    corpus.write("one", document, letters[:last] + "g" + letters[last + 1 :], "jane")

    rows = {row["label"]: row for row in agreement(corpus)}

    assert (rows["body"]["by_both"], rows["body"]["by_second_only"]) == (2, 1)
    assert rows["body"]["f"] == pytest.approx(0.8)
    assert (rows["title"]["f"], rows["title"]["kappa"]) == (1.0, 1.0)
    assert rows["heading"]["f"] is None


def test_a_label_that_only_one_annotator_gave_has_no_agreement(corpus: AnnotatedCorpus) -> None:
    conversion.from_texts(corpus, "one")
    document = corpus.document("one")
    corpus.write("one", document, corpus.read("one", document).replace("t", "h"), "jane")

    rows = {row["label"]: row for row in agreement(corpus)}

    assert rows["title"]["f"] == rows["heading"]["f"] == 0.0


def test_annotations_become_characters_instances_and_texts(corpus: AnnotatedCorpus, tmp_path: Path) -> None:
    conversion.from_texts(corpus, "one")
    document = corpus.document("one")

    path = conversion.to_characters(corpus, "one", "main", tmp_path / "chars")
    conversion.from_characters(corpus, path, "again")
    lines = conversion.to_instances(corpus, "one", "main", tmp_path).read_text("utf-8").splitlines()

    assert corpus.read("one", document, "again") == corpus.read("one", document)
    assert {len(line.split(",")) for line in lines} == {42}
    assert [line.rsplit(",", 1)[1] for line in lines].count("b+g") == 3
    row = conversion.to_row(corpus, "one", "main")
    assert (row["title"], row["body"]) == ("Crane falls into the harbour", "\n\n".join(tiny.PARAGRAPHS))


def test_a_corpus_may_have_labels_of_its_own(corpus: AnnotatedCorpus) -> None:
    (corpus.folder / "label-set.toml").write_text('rest = "o"\n[labels]\np = "price"\no = "other"\n', encoding="utf-8")
    priced = AnnotatedCorpus(corpus.folder)
    document = priced.document("one")

    priced.write("one", document, "p" + "o" * (len(document.pieces) - 1))

    assert priced.labels == LabelSet({"p": "price", "o": "other"}, rest="o")
    assert priced.read("one", document).count("p") == 1
    assert report(priced, "main").letters["p"] == 1
    with pytest.raises(InputError, match="labels of articles"):
        conversion.to_instances(priced, "one", "main", corpus.folder)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("labels", "not a valid TOML file"),
        ("[labels]\nx = 'one'\n", "needs 2 to 20 labels"),
        ("[labels]\nX = 'one'\ng = 'rest'", "one letter from a to z"),
        ("[labels]\nx = 'rest'\ng = 'rest'", "the same name"),
        ("[labels]\nx = 'one'\ny = 'two'", "is not among the labels"),
        ("[labels]\nx = 'one'\ng = 7", "a name of letters"),
        ("colour = 1\n[labels]\nx = 'one'\ng = 'two'", "needs a table"),
    ],
)
def test_a_wrong_label_set_is_refused_with_its_file(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "label-set.toml").write_text(content, encoding="utf-8")

    with pytest.raises(InputError, match=f"label-set.toml: .*{message}"):
        load_label_set(tmp_path)


def test_pages_are_added_to_a_corpus_and_known_ones_are_left_alone(tmp_path: Path) -> None:
    create_corpus(tmp_path / "new", [{"id": "a"}], [b"<p>A"])

    corpus = create_corpus(tmp_path / "new", [{"id": "a"}, {"id": "b"}], [b"<p>other", b"<p>B"])

    assert list(corpus.pages) == ["a", "b"]
    assert corpus.html("a") == b"<p>A"


def labels(name: str, site: str) -> PageLabels:
    return PageLabels.from_row("tiny", tiny.row(name, domain=site))


def test_pages_are_split_singly_by_site_and_leaving_one_site_out() -> None:
    pages = [labels(f"{site}{number}", site) for site in "abcd" for number in range(5)]

    kept, tested = pages_apart(pages, 0.25)
    assert (len(kept), len(tested)) == (15, 5)
    kept, tested = sites_apart(pages, 0.25)
    assert (len(kept), len({page.site for page in tested}), len(tested)) == (15, 1, 5)
    assert {page.site for page in kept}.isdisjoint(page.site for page in tested)
    rounds = list(leave_one_site_out(pages))
    assert [site for site, _, _ in rounds] == list("abcd")
    assert all({page.site for page in own} == {site} and len(others) == 15 for site, others, own in rounds)


def test_a_reading_that_all_agree_on_is_hardly_doubtful() -> None:
    paragraphs = "".join(f"<p>{text}</p>" for text in tiny.PARAGRAPHS)
    sure = doubt(parse(f"<h1>Crane falls into the harbour</h1>{paragraphs}"))
    empty = doubt(parse("<nav><a href=/>Home</a></nav>"))

    assert sure.structure == 0.0
    assert 0 <= sure.margin < 0.5
    assert 0 <= sure.disagreement <= 1
    assert empty.structure == 1.0
