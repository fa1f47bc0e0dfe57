"""The experiments on sites that were saved again and again, on two small ones made up here."""

import gzip
import json
import lzma
from pathlib import Path

import numpy as np
import pytest

from broadsheet.base.clock import SystemClock
from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.corpora.snapshot_folder import find_snapshot_sites
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.registry import find
from broadsheet.experiments.source_study._site_scores import KindScore, means, score_kinds

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
    gold = [{"url": url, "label": label, "confidence": "high", "texts": []} for url, label in labels.items()]
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


def context(folder: Path, snapshots: Path | None, said: list[str]) -> Context:
    return Context(folder=folder, clock=SystemClock(), counters=Counters(), snapshots=snapshots, say=said.append)


@pytest.mark.parametrize("name", ["stability", "dynamicity", "voting", "section-driven"])
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


def test_an_interrupted_experiment_goes_on(snapshots: Path, tmp_path: Path) -> None:
    first: list[str] = []
    again: list[str] = []
    find("stability").run(context(tmp_path / "out", snapshots, first))

    find("stability").run(context(tmp_path / "out", snapshots, again))

    assert any("reading the sites" in line for line in first)
    assert again == []


def test_without_snapshots_the_error_says_what_to_pass(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="pass --snapshots DIR"):
        find("stability").run(context(tmp_path, None, []))
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
