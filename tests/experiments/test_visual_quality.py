"""The visual reader meets its quality floors on the dev sites, on which it was not trained."""

import json
from pathlib import Path

import numpy as np
import pytest

from broadsheet.base.counters import Counters
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.evaluation import CorpusSelection, read_pages
from broadsheet.experiments.visual_study import score_page
from broadsheet.reading.visual import NAME

pytestmark = pytest.mark.long

FLOORS = Path(__file__).resolve().parents[2] / "quality" / "floors.json"
CORPORA = ("fundus", "postlight", "l3s_gn1")
#: Pages of each corpus: enough to see that something broke, and few enough to wait for.
SIZE = 15


def test_titles_dates_and_bodies_of_unseen_sites_meet_the_quality_floors(shared_data: Path) -> None:
    floors = json.loads(FLOORS.read_text())["visual"]
    corpora = find_corpora([shared_data / "pages" / f"{name}.tar.xz" for name in CORPORA])
    chosen = [
        labels for corpus in corpora for labels in CorpusSelection("dev", "article", SIZE).choose([corpus], Counters())
    ]

    scores = [score_page(page, [NAME])[1][NAME] for page in read_pages(corpora, chosen, Counters())]

    measured = {
        field: float(np.mean([score[field] for score in scores if score[field] is not None])) for field in floors
    }
    assert {name: measured[name] >= floor for name, floor in floors.items()} == dict.fromkeys(floors, True), measured
