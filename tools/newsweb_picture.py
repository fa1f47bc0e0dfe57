"""Take a picture of the front page of a planned site with a real browser: `python -m tools.newsweb_picture FILE`."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import sync_playwright

from broadsheet.base.clock import ManualClock
from broadsheet.crawling.rendering._executable import find_browser
from broadsheet.newsweb.drawn_sites import draw_site
from broadsheet.newsweb.knob_settings import set_knob
from broadsheet.newsweb.server import serve
from broadsheet.newsweb.web import NewsWeb

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
WIDTH, HEIGHT = 1100, 1000
#: The layout has elements for all regions, and cards with pictures.
SETTINGS = {"plan.layout": "layout-06", "plan.banner": "false", "plan.menus": "false"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Save the home page of the first English site of seed 1."""
    file = Path((arguments or sys.argv[1:])[0])
    site = next(site for index in range(40) if (site := draw_site(1, index)).lexicon.language == "en")
    for knob, value in SETTINGS.items():
        site = set_knob(site, knob, value)
    web = NewsWeb(sites=[site])
    with serve(web, ManualClock(NOON)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(server.by_path(site))
        page.screenshot(path=str(file))
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
