"""The visual and the memory reader meet their quality floors on the dev sites, on which they were not trained."""

import json
from pathlib import Path

import numpy as np
import pytest

from broadsheet.base.counters import Counters
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.evaluation import CorpusSelection, read_pages
from broadsheet.experiments.visual_study import score_page

pytestmark = pytest.mark.long

FLOORS = Path(__file__).resolve().parents[2] / "quality" / "floors.json"
READERS = ("visual", "memory")
CORPORA = ("fundus", "l3s_gn1")
#: Pages of each corpus: enough to see that something broke, and few enough to wait for.
SIZE = 15


def test_titles_dates_and_bodies_of_unseen_sites_meet_the_quality_floors(shared_data: Path) -> None:
    floors = json.loads(FLOORS.read_text())
    corpora = find_corpora([shared_data / "pages" / f"{name}.tar.xz" for name in CORPORA])
    selection = CorpusSelection("dev", "article", SIZE)
    chosen = [labels for corpus in corpora for labels in selection.choose([corpus], Counters())]

    rows = [score_page(page, READERS)[1] for page in read_pages(corpora, chosen, Counters())]

    for reader in READERS:
        measured = {
            field: float(np.mean([row[reader][field] for row in rows if row[reader][field] is not None]))
            for field in floors[reader]
        }
        met = {field: measured[field] >= floor for field, floor in floors[reader].items()}
        assert met == dict.fromkeys(met, True), (reader, len(rows), measured)
