import gzip
import io
import json
import lzma
import tarfile
from pathlib import Path

import numpy as np
import pytest

from broadsheet.base.counters import Counted, Counters
from broadsheet.base.records import KINDS
from broadsheet.corpora import kind_errata
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.kind_errata import KindErratum
from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.pages.page_features import FEATURES
from broadsheet.pages.page_model import page_model
from broadsheet.training import page_examples
from broadsheet.training._followed_pages import followed_pages
from broadsheet.training._page_evaluation import FOLDS, BothWays, JudgedPages
from broadsheet.training._page_model import ADDRESS, PageModelSettings, weigh, without_address
from broadsheet.training._page_report import report, temperature_of
from broadsheet.training.page_examples import (
    CARRIED_NEWS,
    HandLabel,
    PageExamples,
    corpus_examples,
    examples,
    known_kinds,
    labelled_by_hand,
    news_sites,
)
from broadsheet.training.page_training import main
from tests.corpora import tiny

PAGE = "<html><title>Bridge</title><body><h1>Bridge</h1><p>It reopens on Monday.</p></body></html>"


def labels(name: str, site: str, kind: str, split: str = "train", corpus: str = "c") -> PageLabels:
    row = {"id": name, "domain": site, "page_type": kind, "split": split, "url": f"https://{site}/{name}"}
    return PageLabels.from_row(corpus, row)


def judged(kinds: list[str], scores: list[list[float]], news: list[bool] | None = None) -> JudgedPages:
    truth = np.array([KINDS.index(kind) for kind in kinds], np.intp)
    pages = tuple(
        labels(str(n), f"site-{n}.example", kind, "dev" if n % 2 else "train") for n, kind in enumerate(kinds)
    )
    rows = np.zeros((len(kinds), len(FEATURES)), np.float32)
    terms = (frozenset[str](),) * len(kinds)
    known = PageExamples(rows, terms, truth, np.array(news or [True] * len(kinds)), pages)
    return JudgedPages(known, np.array(scores), rows, dict.fromkeys(range(FOLDS), page_model()))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "pages" / "small"
    (folder / "html").mkdir(parents=True)
    rows = [
        {"id": f"{kind}-{site}", "domain": f"{kind}-{site}.example", "page_type": kind, "split": split}
        | {"url": f"https://{kind}-{site}.example/a/b", "news_site": site < 2}
        for kind in (*KINDS, "unknown")
        for site, split in enumerate(["train", "dev"] * 12)
    ]
    for row in rows:
        (folder / "html" / f"{row['id']}.html").write_text(PAGE)
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def test_labels_by_hand_are_settled_where_the_passes_differed() -> None:
    by_hand = labelled_by_hand()

    assert len(by_hand) == 2505
    assert {label.kind for label in by_hand.values()} == set(KINDS)
    assert sum(label.first != label.second for label in by_hand.values()) == 15
    assert not any(label.sure for label in by_hand.values() if label.first != label.second)


def test_a_page_of_unknown_kind_is_what_its_label_by_hand_says(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    label = HandLabel("small/unknown-3", "section", "home", True, True, "section", "section")
    monkeypatch.setattr(page_examples, "labelled_by_hand", lambda: {label.id: label})
    corpora = find_corpora([corpus / "pages"])

    known = {page.id: page.kind for page in known_kinds(corpora)}

    assert known["small/unknown-3"] == "section"
    assert "small/unknown-4" not in known
    assert "unknown-3.example" in news_sites(corpora)
    assert "unknown-4.example" not in news_sites(corpora)


def test_a_wrong_kind_is_corrected_unless_pages_are_wanted_as_labelled(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    errata = {"small/article-3": KindErratum("other", "a product"), "small/section-4": KindErratum(None, "empty")}
    monkeypatch.setattr(kind_errata, "known_kind_errata", lambda: errata)
    corpora = find_corpora([corpus / "pages"])

    corrected = {page.id: page.kind for page in known_kinds(corpora)}
    as_labelled = {page.id: page.kind for page in known_kinds(corpora, as_labelled=True)}

    assert (corrected["small/article-3"], as_labelled["small/article-3"]) == ("other", "article")
    assert "small/section-4" not in corrected
    assert as_labelled["small/section-4"] == "section"


def test_every_erratum_names_a_page_a_kind_and_a_reason() -> None:
    errata = kind_errata.known_kind_errata()

    assert all(name.count("/") == 1 for name in errata)
    assert {erratum.kind for erratum in errata.values()} == {*KINDS, None}
    assert all(erratum.reason for erratum in errata.values())


def test_pages_are_measured_in_one_order(corpus: Path) -> None:
    pages = corpus_examples(find_corpora([corpus / "pages"]), Counters())

    assert len(pages) == 72
    assert [page.id for page in pages.labels] == sorted(page.id for page in pages.labels)
    assert pages.news.sum() == 6


def test_pages_that_news_led_to_are_read_beside_the_corpora_and_weigh_less(corpus: Path) -> None:
    row = {"id": "led-to", "domain": "shop.example", "page_type": "section", "split": "train", "news_site": True}
    packed = tiny.packed(tiny.folder(corpus, CARRIED_NEWS, [row | {"url": "https://shop.example/list"}]))
    (corpus / "more").mkdir()
    packed.rename(corpus / "more" / packed.name)

    pages = examples(corpus, Counters())

    weights = weigh(pages, PageModelSettings(carried=0.2))
    ids = [page.id for page in pages.labels]
    led_to = ids.index(f"{CARRIED_NEWS}/led-to")
    assert len(pages) == 73
    assert not pages.news[led_to]
    assert weights[led_to] == pytest.approx(0.2 * weights[ids.index("small/section-5")])


def test_the_first_and_the_last_snapshot_of_a_followed_page_are_read(corpus: Path) -> None:
    site = corpus / "more" / "days" / "courier.example"
    site.mkdir(parents=True)
    times = ["20200501T000000Z", "20200502T000000Z", "20200503T000000Z"]
    urls = {
        "home": "https://courier.example/",
        "imprint": "https://courier.example/imprint",
        "x": "https://courier.example/x",
    }
    rows = [
        {"site": "courier.example", "page": page, "url": url, "ts": time, "links": []}
        for page, url in urls.items()
        for time in times
    ]
    (site / "links.jsonl.xz").write_bytes(lzma.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    gold = {"url": urls["imprint"], "label": "OTHER", "confidence": "high"}
    (site / "gold.jsonl.gz").write_bytes(gzip.compress(json.dumps(gold).encode()))
    with tarfile.open(site / "html.tar.xz", "w:xz") as archive:
        for row in rows:
            member = tarfile.TarInfo(f"{row['page']}/{row['ts']}.html")
            member.size = len(PAGE.encode())
            archive.addfile(member, io.BytesIO(PAGE.encode()))

    counters = Counters()
    found = [page.labels for page in followed_pages(corpus, {"courier.example": "dev"}, counters)]

    assert [(page.id, page.kind, page.split) for page in found] == [
        (f"days/courier.example/{page}/{time}", kind, "dev")
        for page, kind in (("home", "section"), ("imprint", "other"))
        for time in (times[0], times[2])
    ]
    assert counters.snapshot() == {Counted("left out", "a saved page of unknown kind"): 2}


def test_kinds_weigh_as_they_are_told_to_and_crowded_sites_less_by_page() -> None:
    pages = tuple(labels(str(n), "crowd.example" if n < 4 else f"{n}.example", "article") for n in range(6))
    others = (labels("6", "s.example", "section"), labels("7", "o.example", "other"))
    truth = np.array([0] * 6 + [1, 2], np.intp)
    rows, terms = np.zeros((8, len(FEATURES)), np.float32), (frozenset[str](),) * 8
    known = PageExamples(rows, terms, truth, np.zeros(8, np.bool_), (*pages, *others))

    weights = weigh(known, PageModelSettings(priors=(0.4, 0.3, 0.3)))

    assert weights.mean() == pytest.approx(1)
    assert weights[:6].sum() / weights.sum() == pytest.approx(0.4)
    assert weights[0] == pytest.approx(weights[5] / 2)


def test_hiding_an_address_leaves_the_rest() -> None:
    rows = np.ones((2, len(FEATURES)), np.float32)

    bare = without_address(rows)

    assert (bare[:, ADDRESS] == -1).all()
    assert bare.sum() == 2 * (len(FEATURES) - 2 * len(ADDRESS))
    assert (rows == 1).all()


def test_measures_are_those_of_the_confusion() -> None:
    right, wrong = [3.0, 0.0, 0.0], [0.0, 3.0, 0.0]
    found = judged(["article"] * 4 + ["section"] * 2 + ["other"], [right] * 3 + [wrong] * 3 + [wrong])

    assert found.confusion.tolist() == [[3, 1, 0], [0, 2, 0], [0, 1, 0]]
    assert found.section_balanced_accuracy() == pytest.approx((0.75 + 1) / 2)
    assert found.forced_balanced_accuracy() == pytest.approx((0.75 + 1) / 2)
    assert found.balanced_accuracy() == pytest.approx((0.75 + 1 + 0) / 3)
    assert found.article_balanced_accuracy() == pytest.approx((0.75 + 1) / 2)
    assert found.macro_f() == pytest.approx((6 / 7 + 4 / 6 + 0) / 3)


def test_a_page_taken_for_other_still_leans_to_one_of_two_kinds() -> None:
    found = judged(["article", "section"], [[1.0, 0.0, 3.0], [0.0, 1.0, 3.0]])

    assert found.section_balanced_accuracy() == 0
    assert found.forced_balanced_accuracy() == 1


def test_a_report_names_the_surest_errors_first() -> None:
    scores = [[3.0, 0, 0], [0, 3.0, 0], [0, 0, 3.0], [0, 1.0, 0], [0, 2.0, 0], [0, 0, 9.0]]
    found = judged(["article", "section", "other", "article", "article", "section"], [list(row) for row in scores])

    text = "\n".join(report(BothWays(found, found), BothWays(found, found)))

    errors = text[text.index("misidentified pages") :]
    assert errors.index("c/5") < errors.index("c/4") < errors.index("c/3")
    assert "c/0" not in errors
    assert "calibration error" in text


def test_the_temperature_is_fitted_on_train_sites_alone() -> None:
    kinds = ["article", "section", "other", "article", "section", "other", "article", "section"]
    scores = np.array([[KINDS[column] == kind for column in range(3)] for kind in kinds], float)
    # The two last pages, one of each split, are wrong.
    scores[-2:] = scores[-2:, ::-1]
    is_dev = np.arange(len(kinds)) % 2 == 1

    def temperature(pages: np.ndarray) -> float:
        found = judged(kinds, (scores * np.where(pages, 5.0, 1.0)[:, None]).tolist())
        return temperature_of(BothWays(found, found), BothWays(found, found))

    assert temperature(is_dev) == temperature(np.zeros_like(is_dev))
    assert temperature(~is_dev) > temperature(np.zeros_like(is_dev))


def test_the_command_trains_and_the_same_data_give_the_same_bytes(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "first.npz", tmp_path / "second.npz"]

    done = [main(["--data", str(corpus), "--rounds", "2", "--evaluate", "-o", str(file)]) for file in files]

    assert done == [0, 0]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert "article against the rest" in capsys.readouterr().out


def test_a_folder_without_pages_is_one_clear_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pages").mkdir()

    assert main(["--data", str(tmp_path)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
