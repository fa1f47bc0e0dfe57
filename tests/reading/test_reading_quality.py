"""The default reader meets its quality floors on the dev sites, on which it was not trained."""

import json
from pathlib import Path

import numpy as np
import pytest

from broadsheet.base.counters import Counters
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.eras import era
from broadsheet.corpora.evaluation import CorpusSelection, read_pages
from broadsheet.corpora.page_scoring import Truth, score_system
from broadsheet.corpora.systems import load
from broadsheet.reading.readers import DEFAULT

pytestmark = pytest.mark.long

FLOORS = Path(__file__).resolve().parents[2] / "quality" / "floors.json"
#: Pages of each corpus: enough to see that something broke, and few enough to wait for.
SIZE = 30
#: Pages of 2015 and later on the dev sites; older ones are built differently, and easier or harder to read.
RECENT = 140


def test_bodies_of_unseen_sites_meet_the_quality_floors(shared_data: Path) -> None:
    floors = json.loads(FLOORS.read_text())["body_f"]
    system, measured = load(DEFAULT), {}

    for name in floors:
        corpora = find_corpora([shared_data / "pages" / f"{name}.tar.xz"])
        chosen = CorpusSelection("dev", "article", SIZE).choose(corpora, Counters())
        results = [score_system(Truth.from_page(page), system) for page in read_pages(corpora, chosen, Counters())]
        measured[name] = float(np.mean([result.overlaps["words"].score.f for result in results]))

    assert {name: measured[name] >= floor for name, floor in floors.items()} == dict.fromkeys(floors, True), measured


def test_bodies_of_recent_pages_of_unseen_sites_meet_the_quality_floor(shared_data: Path) -> None:
    corpora, system = find_corpora([shared_data / "pages"]), load(DEFAULT)
    chosen = [
        labels
        for labels in CorpusSelection("dev", "article").choose(corpora, Counters())
        if era(labels) == "2015 or later"
    ]

    results = [score_system(Truth.from_page(page), system) for page in read_pages(corpora, chosen, Counters())]

    assert len(results) >= RECENT
    assert (
        np.mean([result.overlaps["words"].score.f for result in results]) >= json.loads(FLOORS.read_text())["recent_f"]
    )
