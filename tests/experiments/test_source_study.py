"""The experiments on sites that were saved again and again, on two small ones made up here."""

import gzip
import json
import lzma
import tarfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Self

import numpy as np
import pytest

from broadsheet.base.clock import SystemClock
from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.base.urls import key
from broadsheet.corpora.made_sites import made_sites
from broadsheet.corpora.snapshot_folder import find_snapshot_sites
from broadsheet.experiments.experiment import Context, Protocols
from broadsheet.experiments.registry import find
from broadsheet.experiments.source_study import regime_study
from broadsheet.experiments.source_study._depth_tables import depth_tables
from broadsheet.experiments.source_study._own_labels import PARTS, predicted_by_own_labels
from broadsheet.experiments.source_study._site_scores import KindScore, means, score_kinds
from broadsheet.experiments.source_study.costs_study import CrawlSizes, generic_crawl, section_crawl
from broadsheet.experiments.source_study.regime_study import FEATURES, CrawlFigures, plateau
from broadsheet.experiments.source_study.unlabelled_study import index_switch
from broadsheet.sources.temporal_features import feature_table
from broadsheet.training._url_model import AddressExamples
from broadsheet.training.site_training import SiteLessons, labelled_tables

SNAPSHOTS = 4


def write_site(folder: Path, site: str) -> None:
    home = f"https://{site}/"
    sections = [f"{home}{name}/" for name in ("politics", "sport", "culture", "world")]
    services = [f"{home}{name}" for name in ("imprint", "privacy", "login")]
    stories = [f"{home}politics/2026/11/16/the-minister-has-said-number-{number}" for number in range(40)]
    rows = []
    for number in range(SNAPSHOTS):
        listed = stories[(SNAPSHOTS - number) * 2 :][:32]
        links = [[url, f"/html/body/nav/ul/li[{place}]/a", "Politics"] for place, url in enumerate(sections, 1)]
        links += [
            [url, f"/html/body/main/div[{place}]/h2/a", f"The minister has said what she thinks of it: {place}"]
            for place, url in enumerate(listed, 1)
        ]
        links += [[url, f"/html/body/footer/a[{place}]", "Imprint"] for place, url in enumerate(services, 1)]
        time = f"20220129T{number:02}0000Z"
        rows.append(
            {"site": site, "page": "index", "url": home, "run": time, "ts": time, "status": 200, "links": links}
        )
    rows.append({**rows[-1], "run": "20220129T040000Z", "ts": "20220129T040000Z", "status": 503})
    rows.append({**rows[0], "run": "20220301T000000Z", "ts": "20220301T000000Z"})
    labels = dict.fromkeys(sections, "SECTION") | dict.fromkeys(services, "OTHER") | dict.fromkeys(stories, "ARTICLE")
    gold = [{"url": url, "label": label, "confidence": "high", "texts": [f"To {url}"]} for url, label in labels.items()]
    for name in ("links", "gold"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "links" / f"{site}.jsonl.xz").write_bytes(lzma.compress("\n".join(map(json.dumps, rows)).encode()))
    (folder / "gold" / f"{site}.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, gold)).encode()))


@pytest.fixture
def snapshots(tmp_path: Path) -> Path:
    folder = tmp_path / "snapshots"
    folder.mkdir()
    for site in ("one.example", "two.example"):
        write_site(folder, site)
    return folder


def context(folder: Path, snapshots: Path, said: list[str], protocol: Protocols = "unseen") -> Context:
    return Context(
        folder=folder,
        clock=SystemClock(),
        counters=Counters(),
        snapshots=snapshots,
        say=said.append,
        protocol=protocol,
    )


@pytest.mark.parametrize("name", ["stability", "dynamicity", "voting", "section-driven", "unlabelled"])
def test_an_experiment_gives_rows_per_site_snapshot_and_label(name: str, snapshots: Path, tmp_path: Path) -> None:
    results = find(name).run(context(tmp_path / "out", snapshots, []))

    assert results.rows is not None
    assert {tuple(row) for row in results.rows} == {("site", "snapshot", "label", "precision", "recall", "f1")}
    # The last snapshot failed: what is known stays known.
    assert {(row["site"], row["snapshot"]) for row in results.rows} == {
        (site, number) for site in ("one.example", "two.example") for number in range(1, SNAPSHOTS + 2)
    }
    assert {row["label"] for row in results.rows} >= {"article"}
    assert results.tables[0].title == "Means over sites"
    assert {plot.name for plot in results.plots} >= {f"{name}-article-f", f"{name}-sites"}


def test_the_model_understands_sites_that_it_has_never_seen(snapshots: Path, tmp_path: Path) -> None:
    results = find("section-driven").run(context(tmp_path / "out", snapshots, []))

    assert results.rows is not None
    last = [row for row in results.rows if row["snapshot"] == SNAPSHOTS]
    assert {row["label"]: row["f1"] for row in last} == {"article": 1.0, "section": 1.0, "other": 1.0}


def test_link_texts_tell_all_kinds_without_any_label(snapshots: Path, tmp_path: Path) -> None:
    results = find("unlabelled").run(context(tmp_path / "out", snapshots, []))

    assert results.rows is not None
    assert {(row["label"], row["f1"]) for row in results.rows} == {("article", 1.0), ("section", 1.0), ("other", 1.0)}


@pytest.mark.parametrize("name", ["stability", "voting", "section-driven"])
def test_by_the_protocol_of_the_thesis_a_site_learns_from_its_own_labels(
    name: str, snapshots: Path, tmp_path: Path
) -> None:
    (snapshots / "gold" / "two.example.jsonl.gz").unlink()

    results = find(name).run(context(tmp_path / "out", snapshots, [], "seed"))

    assert results.rows is not None
    assert {row["site"] for row in results.rows} == {"one.example"}
    assert "own labels" in results.remarks[0]


def test_an_address_is_never_judged_by_its_own_label(snapshots: Path) -> None:
    labelled = list(labelled_tables(find_snapshot_sites(snapshots)[0]))[-1]
    taught: list[set[int]] = []

    class Remembering:
        def fit(self, rows: np.typing.NDArray[np.float64], _: np.typing.NDArray[np.intp]) -> Self:
            taught.append({int(row[0]) for row in rows})
            return self

        def predict(self, rows: np.typing.NDArray[np.float64]) -> np.typing.NDArray[np.intp]:
            assert not taught[-1] & {int(row[0]) for row in rows}
            return np.zeros(len(rows), np.intp)

    rows = np.arange(len(labelled.truth), dtype=float)[:, None]
    predicted_by_own_labels(Remembering, rows, labelled.table.counts.keys, labelled.truth)

    assert len(taught) == PARTS


def test_costs_are_those_of_the_thesis_without_its_slips(snapshots: Path, tmp_path: Path) -> None:
    sizes = CrawlSizes()

    results = find("costs").run(context(tmp_path / "out", snapshots, []))

    assert generic_crawl(sizes).stored == pytest.approx(382.65)
    assert section_crawl(sizes).stored == pytest.approx(80.325)
    assert section_crawl(sizes).stored / generic_crawl(sizes).stored == pytest.approx(0.21, abs=0.001)
    assert [row["site"] for row in results.tables[1].to_dicts()] == ["one.example", "two.example"]


def test_the_plateau_begins_where_values_stay_near_the_last_one() -> None:
    assert plateau([(1, 0.5), (2, 0.89), (3, 0.7), (6, 0.89), (12, 0.9)]) == 6
    assert plateau([(1, 0.5), (2, 0.9)]) is None
    assert plateau([]) is None


@pytest.mark.parametrize(("last", "expected"), [(0.9, 2), (0.81, None)])
def test_who_calls_everything_an_article_has_no_plateau(last: float, expected: int | None) -> None:
    crawl = regime_study.StudiedCrawl("one.example", None, 1.0, None, None)
    scores = [
        KindScore("regime", "one.example", snapshot, snapshot, label, number, 1.0, 1.0, last)
        for snapshot in (2, 3)
        for label, number in (("article", 20), ("section", 10))
    ]

    figures = CrawlFigures.of(crawl, scores)

    assert figures.guessed_f1 == pytest.approx(0.8)
    assert figures.plateau == expected


def test_the_regime_is_studied_for_every_site(snapshots: Path, tmp_path: Path) -> None:
    results = find("regime").run(context(tmp_path / "out", snapshots, []))

    assert [row["site"] for row in results.tables[0].to_dicts()] == ["one.example", "two.example"]
    assert results.plots[0].name == "regime-article-f"


def test_the_regime_of_a_site_without_articles_has_no_plot(snapshots: Path, tmp_path: Path) -> None:
    for gold in (snapshots / "gold").iterdir():
        rows = [json.loads(line) for line in gzip.decompress(gold.read_bytes()).decode().splitlines()]
        kept = [json.dumps(row) for row in rows if row["label"] == "SECTION"]
        gold.write_bytes(gzip.compress("\n".join(kept).encode()))

    results = find("regime").run(context(tmp_path / "out", snapshots, []))

    assert [row["plateau"] for row in results.tables[0].to_dicts()] == [None, None]
    assert not results.plots


def test_one_crawl_counts_what_crawls_to_smaller_depths_would_have_seen() -> None:
    site = replace(made_sites(each=1)[0], snapshots=3)
    most_pages = (4, 12)

    tables = {(table.depth, table.snapshot): table for table in depth_tables(site, most_pages, {1, 3})}

    assert set(tables) == {(1, 1), (2, 1), (1, 3), (2, 3)}
    for depth, most in enumerate(most_pages, 1):
        alone = replace(site, depth=depth, most_pages=most, judged=(3,))
        [labelled] = labelled_tables(alone)
        table = tables[depth, 3]
        assert table.pages == len(alone.visits())
        assert table.counts.keys == labelled.table.counts.keys
        assert table.truth.tolist() == labelled.truth.tolist()
        assert feature_table(table.counts, FEATURES).tolist() == feature_table(labelled.table.counts, FEATURES).tolist()


def test_the_regime_of_the_news_web_has_a_row_for_every_depth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regime_study, "SNAPSHOTS", 2)
    monkeypatch.setattr(regime_study, "sites_of", lambda _: made_sites(each=1)[:1])

    results = regime_study.run(replace(context(tmp_path / "out", tmp_path, []), most_pages=(2, 4)))

    assert [(row["depth"], row["pages per snapshot"]) for row in results.tables[0].to_dicts()] == [(1, 2.0), (2, 4.0)]
    assert "regime-article-f-depth" in {plot.name for plot in results.plots}


def test_fewer_pages_at_a_greater_depth_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="must not fall with the depth, as 20 10 does"):
        regime_study.run(replace(context(tmp_path / "out", tmp_path, []), most_pages=(20, 10)))


def test_sites_of_the_news_web_are_visited_level_by_level() -> None:
    first, *_ = made_sites(each=1)
    site = replace(first, snapshots=2, judged=None, most_pages=5)

    visits, kinds = site.visits(), site.kinds()

    assert [saved.visit.snapshot for saved in visits] == [1] * 5 + [2] * 5
    assert visits[0].visit.page == key(site.web.home(site.made))
    assert set(kinds.values()) == {"article", "section", "other"}
    assert {table.snapshot for table in labelled_tables(site)} == {1, 2}


def test_the_indices_switch_only_when_they_are_good_and_steady() -> None:
    steady = [(number, 0.8, 0.5) for number in range(1, 6)]

    assert index_switch(steady) == 4
    assert index_switch([(number, 0.4, 0.5) for number in range(1, 6)]) is None
    assert index_switch([(number, 0.7 + 0.05 * number, 0.5) for number in range(1, 6)]) is None


def test_pages_without_links_files_are_parsed(snapshots: Path) -> None:
    name = "one.example"
    linked = {saved.visit.at: saved for saved in find_snapshot_sites(snapshots)[0].visits()}
    rows = [
        json.loads(line)
        for line in lzma.decompress((snapshots / "links" / f"{name}.jsonl.xz").read_bytes()).splitlines()
    ]
    (snapshots / "html").mkdir()
    with tarfile.open(snapshots / "html" / f"{name}.tar.xz", "w:xz") as archive:
        for row in rows:
            data = page_of(row["links"]).encode()
            member = tarfile.TarInfo(f"{row['page']}/{row['ts']}.html")
            member.size = len(data)
            archive.addfile(member, BytesIO(data))
    manifest = [{field: value for field, value in row.items() if field != "links"} for row in rows]
    (snapshots / "manifest.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, manifest)).encode()))
    (snapshots / "links" / f"{name}.jsonl.xz").unlink()

    parsed = find_snapshot_sites(snapshots)[0].visits()

    assert [saved.visit.at for saved in parsed] == list(linked)
    for saved in parsed:
        assert list(saved.visit.targets or ()) == list(linked[saved.visit.at].visit.targets or ())
    # The failed snapshot has a page, but its status says that it is not the one that was asked for.
    assert parsed[-1].visit.targets is None
    assert parsed[0].paths[0].endswith("/nav/ul/li/a")


def page_of(links: list[list[str]]) -> str:
    def anchor(link: list[str]) -> str:
        return f'<a href="{link[0]}">{link[2]}</a>'

    bar = "".join(f"<li>{anchor(link)}</li>" for link in links if "/nav/" in link[1])
    stories = "".join(f"<div><h2>{anchor(link)}</h2></div>" for link in links if "/main/" in link[1])
    foot = "".join(anchor(link) for link in links if "/footer/" in link[1])
    return f"<body><nav><ul>{bar}</ul></nav><main>{stories}</main><footer>{foot}</footer></body>"


def test_an_interrupted_experiment_goes_on(snapshots: Path, tmp_path: Path) -> None:
    first: list[str] = []
    again: list[str] = []
    find("stability").run(context(tmp_path / "out", snapshots, first))

    find("stability").run(context(tmp_path / "out", snapshots, again))

    assert any("reading the sites" in line for line in first)
    assert again == []


@pytest.mark.parametrize(
    ("labels", "why"),
    [(None, "no golden labels"), (b"", "no link to a page with a golden label of high confidence")],
    ids=["without labels", "without known pages"],
)
def test_a_site_that_cannot_be_scored_is_counted_and_named(
    labels: bytes | None, why: str, snapshots: Path, tmp_path: Path
) -> None:
    gold = snapshots / "gold" / "two.example.jsonl.gz"
    if labels is None:
        gold.unlink()
    else:
        gold.write_bytes(gzip.compress(labels))
    said: list[str] = []
    settings = context(tmp_path / "out", snapshots, said)

    results = find("section-driven").run(settings)

    assert results.rows is not None
    assert {row["site"] for row in results.rows} == {"one.example"}
    assert said[-1] == f"1 site is left out, {why}: two.example"
    assert dict(settings.counters) == {("sites left out", why): 1}


def test_a_site_whose_name_none_of_its_pages_has_is_one_clear_error(snapshots: Path, tmp_path: Path) -> None:
    (snapshots / "gold" / "two.example.jsonl.gz").unlink()
    for folder, ending in (("links", "jsonl.xz"), ("gold", "jsonl.gz")):
        (snapshots / folder / f"one.example.{ending}").rename(snapshots / folder / f"unknown.example.{ending}")

    with pytest.raises(InputError, match=r"leads to a page of unknown\.example: is that its name"):
        find("section-driven").run(context(tmp_path / "out", snapshots, []))


def test_pages_without_their_manifest_are_one_clear_error(snapshots: Path, tmp_path: Path) -> None:
    (snapshots / "html").mkdir()
    (snapshots / "links" / "one.example.jsonl.xz").rename(snapshots / "html" / "one.example.tar.xz")

    with pytest.raises(InputError, match=r"manifest\.jsonl\.gz is missing"):
        find("section-driven").run(context(tmp_path / "out", snapshots, []))


def test_a_publisher_that_the_shipped_model_knows_needs_others_to_learn_from() -> None:
    with pytest.raises(InputError, match="has learned from spiegel"):
        SiteLessons([], AddressExamples.of([], [])).fit({"spiegel"})


@pytest.mark.parametrize(
    ("made", "said"), [((), "is not a folder"), (("links",), "but no golden labels of their sites: add gold/")]
)
def test_why_a_folder_has_no_sites_is_said(made: tuple[str, ...], said: str, tmp_path: Path) -> None:
    folder = tmp_path / "strangers"
    for name in made:
        (folder / name).mkdir(parents=True)
        (folder / name / "one.example.jsonl.xz").touch()

    with pytest.raises(InputError, match=said):
        find_snapshot_sites(folder)


def test_a_folder_without_snapshots_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no snapshots"):
        find("stability").run(context(tmp_path, tmp_path, []))


def test_a_single_publisher_cannot_be_judged_by_others(snapshots: Path, tmp_path: Path) -> None:
    (snapshots / "gold" / "two.example.jsonl.gz").unlink()

    with pytest.raises(InputError, match=r"one\.example has no other publisher"):
        find("stability").run(context(tmp_path / "out", snapshots, []))


def test_visits_are_read_in_the_order_of_time_without_sparse_ones(snapshots: Path) -> None:
    site = find_snapshot_sites(snapshots)[0]

    visits = site.visits()

    assert [saved.visit.snapshot for saved in visits] == list(range(1, SNAPSHOTS + 2))
    assert visits[-1].visit.targets is None
    assert visits[0].paths[0] == "/html/body/nav/ul/li/a"


def test_a_damaged_file_is_named(snapshots: Path) -> None:
    path = snapshots / "links" / "one.example.jsonl.xz"
    path.write_bytes(path.read_bytes()[:-30])

    with pytest.raises(InputError, match=r"one\.example\.jsonl\.xz is damaged"):
        find_snapshot_sites(snapshots)[0].visits()


def test_sites_with_few_articles_do_not_count_for_articles() -> None:
    def score(site: str, number: int, f1: float) -> KindScore:
        return KindScore("all", site, 1, 0.0, "article", number, f1, f1, f1)

    assert means([score("large", 30, 0.9), score("small", 29, 0.1)]).article_f == 0.9


def test_precision_recall_and_f_are_per_label() -> None:
    truth, predicted = np.array([0, 0, 1, -1]), np.array([0, 1, 1, 2])

    article, section = score_kinds(("all", "site", 1, 0.0), truth, predicted)

    assert (article.precision, article.recall, article.number) == (1, 0.5, 2)
    assert (section.precision, section.recall, section.number) == (0.5, 1, 1)
