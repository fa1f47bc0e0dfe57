"""Sources whose pages only scripts write are found out, and their pages rendered, within a budget."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from broadsheet.archive import ScriptNeed, SourceRecord, Store
from broadsheet.base import counter_names
from broadsheet.base.frozen import FrozenMapping
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.base.quotas import Quotas
from broadsheet.base.source_settings import SourceSettings
from broadsheet.crawling.rendering import BrowserFailed, RenderedPage, Renderer, RenderTimeout
from broadsheet.newsroom.page_visit import FetchedVisit
from broadsheet.newsroom.render_budget import RenderBudget
from broadsheet.newsroom.scripted_pages import LocalRenderer
from tests.crawling.browsers import requires_browser
from tests.newsroom.site import HOME, START, ScriptedSite, article_path, front, story

PATHS = tuple(article_path(number) for number in range(1, 16))
#: Builds the list that `front` writes, from data in the page.
BUILD = """
const list = document.getElementById("list");
for (const path of JSON.parse(document.getElementById("data").textContent)) {
  const item = document.createElement("li");
  item.innerHTML = `<h3><a href="${path}">The long headline of ${path} in full</a></h3>`;
  list.append(item);
}
"""
SHELL = (
    '<html lang="en"><head><title>The Gazette</title><meta property="og:type" content="website"></head><body>'
    '<header>The Gazette</header><main><h2>Latest news</h2><ul id="list"></ul></main>'
    f'<script type="application/json" id="data">{json.dumps(PATHS)}</script><script>{BUILD}</script></body></html>'
)


class FakeBrowser:
    """Writes pages as a test says, and notes which."""

    def __init__(self, pages: dict[str, str], error: Exception | None = None) -> None:
        self.pages = pages
        self.error = error
        self.rendered: list[str] = []

    async def render(self, fetched: FetchedVisit) -> RenderedPage:
        path = fetched.url.removeprefix(HOME.rstrip("/"))
        self.rendered.append(path)
        if self.error:
            raise self.error
        html = self.pages.get(path, fetched.content.decode())
        return RenderedPage(html, fetched.url, True, 3, 1_000, FrozenMapping({}), 0.1)


def make_site(home: str = SHELL) -> ScriptedSite:
    return ScriptedSite({"/": home} | {path: story(path) for path in PATHS})


def source(folder: Path) -> SourceRecord:
    with Store.open(folder) as archive:
        [record] = archive.sources()
        assert list(archive.check()) == []
        return record


def archived(folder: Path) -> int:
    with Store.open(folder) as archive:
        return len(list(archive.articles()))


def rendered(folder: Path) -> int:
    with Store.open(folder) as archive:
        return archive.counters.total(counter_names.RENDERED)


@requires_browser
def test_a_front_that_only_scripts_write_is_rendered_by_a_real_browser(tmp_path: Path) -> None:
    site = make_site()
    with Renderer() as renderer:
        site.crawl(tmp_path / "with", snapshots=2, renderer=LocalRenderer(renderer))
    site.crawl(tmp_path / "without", snapshots=2)

    assert (archived(tmp_path / "with"), archived(tmp_path / "without")) == (15, 0)
    assert source(tmp_path / "with").scripts.fronts is True


def test_what_was_learned_is_used_from_then_on(tmp_path: Path) -> None:
    site, browser = make_site(), FakeBrowser({"/": front(*PATHS[:12])})

    site.crawl(tmp_path, snapshots=2, renderer=browser)
    browser.pages["/"] = front(*PATHS)
    site.crawl(tmp_path, snapshots=2, start=START + timedelta(hours=2), renderer=browser)

    assert source(tmp_path).scripts == ScriptNeed(fronts=True, tried_at=source(tmp_path).scripts.tried_at)
    # The page itself never changes, so it is asked for as if it had never come.
    assert site.asked.count(("/", 200)) == 4
    assert browser.rendered == ["/"] * 4
    assert archived(tmp_path) == 15
    assert rendered(tmp_path) == 4


def test_a_front_with_enough_links_is_not_rendered(tmp_path: Path) -> None:
    site = make_site(front(*PATHS).replace("</body>", "<script>1</script></body>"))
    browser = FakeBrowser({})

    site.crawl(tmp_path, snapshots=2, renderer=browser)

    assert browser.rendered == []
    assert source(tmp_path).scripts == ScriptNeed()


def test_a_front_without_scripts_is_not_rendered(tmp_path: Path) -> None:
    browser = FakeBrowser({})

    make_site(front(PATHS[0])).crawl(tmp_path, snapshots=2, renderer=browser)

    assert browser.rendered == []


def test_a_small_front_whose_scripts_add_nothing_is_tried_once_a_week(tmp_path: Path) -> None:
    site = make_site(front(PATHS[0], also="<script>1</script>"))
    browser = FakeBrowser({})

    site.crawl(tmp_path, snapshots=24 * 8, renderer=browser)

    assert browser.rendered == ["/"]
    assert source(tmp_path).scripts.fronts is False
    # The page has to change, or nobody looks at it again.
    site.pages["/"] = front(*PATHS[:2], also="<script>1</script>")
    site.crawl(tmp_path, snapshots=1, start=START + timedelta(days=9), renderer=browser)
    assert browser.rendered == ["/", "/"]


@pytest.mark.parametrize("pages", [SourceSettings(render="never"), SourceSettings(render="always")])
def test_a_source_can_be_told_never_or_always_to_render(tmp_path: Path, pages: SourceSettings) -> None:
    site = make_site(front(*PATHS, also="<script>1</script>") if pages.render == "always" else SHELL)
    browser = FakeBrowser({})
    site.crawl(tmp_path, snapshots=1)
    with Store.open(tmp_path) as archive, archive.writer() as writer:
        [record] = writer.sources()
        batch = writer.batch()
        batch.source(SourceRecord(key=record.key, url=record.url, name="", added_at=record.added_at, settings=pages))
        writer.commit(batch)

    site.pages["/"] = str(site.pages["/"]).replace("Latest", "Newest")
    site.crawl(tmp_path, snapshots=1, start=START + timedelta(hours=1), renderer=browser)

    assert bool(browser.rendered) is (pages.render == "always")


def test_the_newsroom_can_be_told_never_to_render(tmp_path: Path) -> None:
    browser = FakeBrowser({"/": front(*PATHS)})

    make_site().crawl(
        tmp_path, snapshots=1, settings=NewsroomSettings(revisit_after=0, render="never"), renderer=browser
    )

    assert browser.rendered == []


def test_an_article_that_only_scripts_write_is_rendered(tmp_path: Path) -> None:
    shell = '<html><head><title>One</title></head><body><div id="app"></div><script>1</script></body></html>'
    site = ScriptedSite({"/": front(*PATHS)} | dict.fromkeys(PATHS, shell))
    browser = FakeBrowser({path: story(path) for path in PATHS})

    site.crawl(tmp_path, snapshots=1, renderer=browser)

    assert archived(tmp_path) == 15
    assert source(tmp_path).scripts.articles is True


def test_rendering_has_a_budget_and_what_exceeds_it_is_counted(tmp_path: Path) -> None:
    shell = '<html><head><title>One</title></head><body><div id="app"></div><script>1</script></body></html>'
    site = ScriptedSite({"/": front(*PATHS)} | dict.fromkeys(PATHS, shell))
    browser = FakeBrowser({path: story(path) for path in PATHS})

    progress = site.crawl(tmp_path, snapshots=1, quotas=Quotas(max_renders=4), renderer=browser)

    assert len(browser.rendered) == 4
    assert progress.skips["too many pages to render"] == 11


def test_a_page_that_cannot_be_rendered_is_counted_and_kept_as_it_came(tmp_path: Path) -> None:
    browser = FakeBrowser({}, RenderTimeout("the page was not rendered within 15 seconds"))

    progress = make_site().crawl(tmp_path, snapshots=1, renderer=browser)

    assert progress.skips["not rendered"] == 1
    assert progress.examples["not rendered"].detail == "the page was not rendered within 15 seconds"
    assert source(tmp_path).snapshots == 1


def test_a_browser_that_does_not_start_is_not_tried_again(tmp_path: Path) -> None:
    site = make_site()
    browser = FakeBrowser({}, BrowserFailed("no sandbox"))

    def shell(at: datetime) -> str:
        return SHELL.replace("Latest", f"Latest at {at:%H}")

    site.pages["/"] = shell
    site.crawl(tmp_path, snapshots=3, renderer=browser)

    assert browser.rendered == ["/"]
    assert source(tmp_path).snapshots == 3


def test_a_budget_fills_up_again() -> None:
    budget, noon = RenderBudget(2), datetime(2026, 3, 2, 12, tzinfo=UTC)

    assert [budget.take("a", noon) for _ in range(3)] == [True, True, False]
    assert budget.take("b", noon)
    assert not budget.take("a", noon + timedelta(minutes=29))
    assert budget.take("a", noon + timedelta(minutes=31))
