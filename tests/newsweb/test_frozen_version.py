"""Holds the bytes of planned sites to the version number that freezes them."""

import hashlib
import os
import subprocess
import sys
from datetime import UTC, datetime

from broadsheet.newsweb.drawn_sites import VERSION, draw_sites
from broadsheet.newsweb.site_services import service_paths
from broadsheet.newsweb.web import NewsWeb

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
#: What each version gives. If planned sites change on purpose, raise `VERSION` and add its digest.
DIGESTS = {
    3: "577e91c8529cdbc5",
    4: "44d65742f2daf8d3",
    5: "0a4eb664a5ec7567",
    6: "823184c6d45d3b94",
    7: "3e4d8d67170153fd",
    8: "d1f7bc7205662011",
}


def digest() -> str:
    """Return a digest of what some sites are and serve."""
    web = NewsWeb(sites=draw_sites(1, 6))
    found = hashlib.sha256()
    for site in web.sites:
        for path in (
            "/",
            site.paths.to_section(site.sections[0].slug),
            site.paths.sitemap,
            site.paths.to_legal("imprint"),
            *service_paths(site)[1:4],
        ):
            found.update(web.fetch(f"http://{site.host}{path}", NOON).body)
        for article in web.articles(NOON.replace(hour=6), NOON, site=site)[:3]:
            found.update(web.fetch(article.url, NOON).body)
    return found.hexdigest()[:16]


def test_a_version_gives_the_same_bytes_for_ever() -> None:
    assert digest() == DIGESTS[VERSION]


def test_the_same_seed_gives_the_same_bytes_in_every_process() -> None:
    program = "from tests.newsweb.test_frozen_version import digest; print(digest())"
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        found = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        assert found.stdout.strip() == digest()
