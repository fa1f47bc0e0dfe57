import gzip
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from broadsheet.base.errors import InputError
from broadsheet.models.model_files import to_bytes
from broadsheet.pages.link_signs import LEARNED
from broadsheet.pages.url_verdicts import url_model
from broadsheet.training import link_thresholds, url_training
from broadsheet.training._labelled_addresses import (
    LabelledAddress,
    article_addresses,
    followed_addresses,
    page_addresses,
    publisher_of,
)
from broadsheet.training._url_evaluation import JudgedAddresses, f_scores, judge_left_out, summary
from broadsheet.training._url_model import AddressExamples, fit
from broadsheet.training.link_thresholds import learn_thresholds

pytestmark = pytest.mark.long

FLOORS = Path(__file__).resolve().parents[2] / "quality" / "floors.json"


def site_of(name: str) -> list[LabelledAddress]:
    """A small site: headlines with numbers are articles, short addresses sections, and one kind of page neither."""
    articles = [f"https://{name}/news/a-headline-of-many-words-{10_000 + n}.html" for n in range(40)]
    sections = [f"https://{name}/{topic}{n}/" for n in range(10) for topic in ("sport", "kultur", "reise")]
    other = [f"https://{name}/service/privacy{n}?page={n}" for n in range(30)]
    return [
        *(LabelledAddress(url, ("A headline of many words",), "article", name, certain=True) for url in articles),
        *(LabelledAddress(url, ("Sport",), "section", name, certain=True) for url in sections),
        *(LabelledAddress(url, (), "other", name, certain=True) for url in other),
    ]


def write_data(folder: Path) -> Path:
    """Data in the layout that the commands read: two followed sites and one corpus."""
    gold = folder / "temporal" / "gold"
    gold.mkdir(parents=True)
    for name in ("one.example", "two.example"):
        with gzip.open(gold / f"{name}.jsonl.gz", "wt") as file:
            for address in site_of(name):
                row = {
                    "url": address.url,
                    "label": address.kind.upper(),
                    "texts": address.anchors,
                    "confidence": "high",
                }
                file.write(json.dumps(row) + "\n")
            file.write(json.dumps({"url": f"https://{name}/x", "label": "unknown", "texts": [], "confidence": "low"}))
    brief = folder / "more" / "days" / "fr.three.example"
    brief.mkdir(parents=True)
    with gzip.open(brief / "gold.jsonl.gz", "wt") as file:
        labels = {"label": "SECTION", "texts": ["", "Sport"], "confidence": "low"}
        file.write(json.dumps({"url": "https://fr.three.example/sport/", **labels}) + "\n")
    corpus = folder / "pages" / "corpus"
    corpus.mkdir(parents=True)
    rows = [
        {
            "id": f"{n}",
            "url": f"https://three{n}.example/{path}",
            "page_type": "article",
            "title": "Storm",
            "split": split,
        }
        for n, split in enumerate(("train", "dev"))
        for path in ("a-storm-over-the-sea", "", "paper.pdf")
    ]
    (corpus / "labels.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return folder


def test_followed_addresses_are_read_without_those_of_unknown_kind(tmp_path: Path) -> None:
    *addresses, brief = followed_addresses(write_data(tmp_path))

    assert len(addresses) == 200
    assert {address.site for address in addresses} == {"one.example", "two.example"}
    assert brief == LabelledAddress(
        "https://fr.three.example/sport/", ("Sport",), "section", "fr.three.example", certain=False, brief=True
    )


def test_pages_give_addresses_of_their_split_without_roots_and_files(tmp_path: Path) -> None:
    [address] = page_addresses(write_data(tmp_path), "train")

    assert address == LabelledAddress(
        "https://three0.example/a-storm-over-the-sea", ("Storm",), "article", "three0.example", certain=True
    )


def test_a_folder_without_labels_is_named_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match="no labelled URLs here"):
        followed_addresses(tmp_path)
    assert url_training.main(["--data", str(tmp_path)]) == link_thresholds.main(["--data", str(tmp_path)]) == 1
    assert capsys.readouterr().err.count("\n") == 2


def test_sites_of_one_publisher_are_left_out_together() -> None:
    examples = AddressExamples.of(site_of("gmx.net") + site_of("web.de") + site_of("one.example"), [])

    others = examples.without({publisher_of("gmx.net")})

    assert {address.site for address in others.addresses} == {"one.example"}
    assert len(others.followed) == len(others.addresses)


def test_editions_of_a_site_have_one_publisher() -> None:
    assert publisher_of("fr.three.example") == publisher_of("three.example")


def test_briefly_followed_publishers_are_left_out_in_folds() -> None:
    sites = [site_of(f"{name}.example") for name in ("one", "two", "three", "four")]
    brief = [replace(address, brief=True) for addresses in sites for address in addresses]

    judged, _ = judge_left_out(brief, [], folds=2)

    assert {address.site for address in judged.addresses} == {address.site for address in brief}
    assert summary(judged.confusions())["article_f"] == 1.0


def test_publishers_followed_for_long_can_be_left_out_in_folds_too() -> None:
    followed = [address for name in ("one", "two", "three") for address in site_of(f"{name}.example")]

    judged, _ = judge_left_out(followed, [], folds=2, one_by_one=False)

    assert [address.site for address in judged.addresses[:: len(followed) // 3]] == [
        "one.example",
        "two.example",
        "three.example",
    ]


def test_the_same_examples_give_the_same_bytes() -> None:
    examples = AddressExamples.of(site_of("one.example"), site_of("two.example"))

    assert to_bytes(fit(examples)) == to_bytes(fit(examples))


def test_a_publisher_left_out_is_judged_by_what_the_others_taught() -> None:
    followed = site_of("one.example") + site_of("two.example")

    judged, bare = judge_left_out(followed, [])

    assert summary(judged.confusions()) == summary(bare.confusions()) == {"article_f": 1.0, "macro_f": 1.0}


def test_figures_are_means_over_sites_of_the_kinds_they_have() -> None:
    large = [LabelledAddress("x", (), "article", "large.example", certain=True)] * 9
    small = [LabelledAddress("x", (), kind, "small.example", certain=True) for kind in ("article", "section")]
    right, wrong = [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]

    confusions = JudgedAddresses([*large, *small], np.array([right] * 9 + [right, wrong])).confusions()

    assert f_scores(confusions["small.example"]) == {"article": 1.0, "section": 0.0}
    assert summary(confusions) == {"article_f": 1.0, "macro_f": 0.75}


def test_the_command_writes_a_model_and_says_how_good_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = write_data(tmp_path)

    assert url_training.main(["--data", str(data), "-o", str(tmp_path / "url.npz")]) == 0

    assert (tmp_path / "url.npz").is_file()
    assert "mean over sites: {'article_f': 1.0, 'macro_f': 1.0}" in capsys.readouterr().out


def test_a_threshold_is_the_value_that_best_tells_articles_from_the_rest() -> None:
    thresholds = learn_thresholds(site_of("one.example"))

    assert thresholds.digits in {3, 4, 5}
    assert (
        len("https://one.example/sport1/")
        <= thresholds.short
        < len("https://one.example/news/a-headline-of-many-words-10000.html")
    )


@pytest.fixture(scope="module")
def followed(shared_data: Path) -> list[LabelledAddress]:
    return followed_addresses(shared_data)


@pytest.fixture(scope="module")
def pages(shared_data: Path) -> list[LabelledAddress]:
    return article_addresses(shared_data)


def test_the_thresholds_in_use_are_those_that_the_data_teach(followed: list[LabelledAddress]) -> None:
    assert learn_thresholds([address for address in followed if address.certain and not address.brief]) == LEARNED


@pytest.mark.parametrize("one_by_one", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_addresses_of_publishers_left_out_are_judged_no_worse_than_the_floors_say(
    followed: list[LabelledAddress], pages: list[LabelledAddress], one_by_one: bool
) -> None:
    floors = json.loads(FLOORS.read_text())
    brief = {address.site for address in followed if address.brief}

    judged, bare = (each.confusions() for each in judge_left_out(followed, pages, one_by_one=one_by_one))

    for name, sites in (("identify_url", judged.keys() - brief), ("identify_url_brief", brief)):
        measured = summary({site: judged[site] for site in sites})
        for figure, value in summary({site: bare[site] for site in sites}).items():
            measured[f"{figure}_without_anchor"] = value
        too_low = {figure: value for figure, value in measured.items() if value < floors[name][figure]}
        assert not too_low, name


def test_the_shipped_model_knows_its_data(followed: list[LabelledAddress], pages: list[LabelledAddress]) -> None:
    stated = f"{len(followed)} addresses of 51 followed sites, {len(pages)} of articles among labelled pages"

    assert stated in url_model().card.training
