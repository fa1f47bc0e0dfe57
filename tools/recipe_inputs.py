"""What recipes are tried on: pages, an archive and a WARC file of the built-in news web, and the web itself.

Nothing outside this machine is asked. On disk the sites of the news web have the addresses that the documentation
uses, https://www.example.org/ and so on; a recipe that fetches is given the addresses of a server on this machine.
"""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from broadsheet import Archive
from broadsheet.base.clock import SystemClock
from broadsheet.base.quotas import Quotas
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsweb.response import Response
from broadsheet.newsweb.server import serve
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.web import NewsWeb
from broadsheet.simulation.simulated_crawl import simulate

#: With this seed the three sites are in English, Greek and Japanese.
SEED = 5
HOMES = ("https://www.example.org", "https://www.example.net", "https://www.example.com")
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
SNAPSHOTS = 3
#: Enough to see how it goes, and no more than a few seconds.
REQUESTS = 12


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses of the documentation, and those at which the same sites are served."""

    pairs: tuple[tuple[str, str], ...]

    def served(self, text: str) -> str:
        """Put the addresses of the server into a text."""
        for shown, served in self.pairs:
            text = text.replace(shown, served)
        return text

    def shown(self, text: str) -> str:
        """Put the addresses of the documentation back."""
        for shown, served in self.pairs:
            text = text.replace(served, shown).replace(served.partition("//")[2], shown.partition("//www.")[2])
        return text


class DocumentedWeb:
    """The news web under the addresses of the documentation."""

    def __init__(self) -> None:
        """Invent the web."""
        self.web = NewsWeb(SEED, len(HOMES))
        self._names = Addresses(tuple(zip(HOMES, (f"http://{site.host}" for site in self.web.sites), strict=True)))

    def home(self, site: Site) -> str:
        """Return the documented address of a site, without a slash at its end."""
        return self._names.shown(f"http://{site.host}")

    def fetch(self, url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        """Answer as the news web does, uncompressed, with every address replaced."""
        asked = {name: value for name, value in headers.items() if name.lower() != "accept-encoding"}
        response = self.web.fetch(self._names.served(url), at, asked)
        # Latin-1 has a character for each byte, so that only addresses change, whatever the page's encoding.
        body = self._names.shown(response.body.decode("latin-1")).encode("latin-1")
        kept = {name: self._names.shown(value) for name, value in response.headers.items()}
        if "Content-Length" in kept:
            kept["Content-Length"] = str(len(body))
        return replace(response, headers=kept, body=body)

    def page(self, url: str) -> bytes:
        """Return the page at an address."""
        return self.fetch(url, NOON, {}).body

    def articles(self, site: Site, number: int) -> list[str]:
        """Return the addresses of the last articles of a site, the newest first."""
        day = self.web.articles(datetime(2026, 3, 1, tzinfo=UTC), NOON, site=site)
        return [self._names.shown(article.url) for article in reversed(day[-number:])]


def prepare(folder: Path) -> None:
    """Write everything that a recipe may use into a folder."""
    web = DocumentedWeb()
    english, greek, japanese = web.web.sites
    _save(web, folder / "saved")
    (folder / "page.html").write_bytes(web.page(web.articles(english, 1)[0]))
    (folder / "front.html").write_bytes(web.page(f"{web.home(english)}/harbour/"))
    # A Greek page in a Greek encoding that declares a western one.
    wrong = web.page(web.articles(greek, 1)[0]).decode().replace('charset="utf-8"', 'charset="iso-8859-1"')
    (folder / "wrong.html").write_bytes(wrong.encode("iso-8859-7", "xmlcharrefreplace"))
    (folder / "urls.txt").write_text(
        "\n".join([*web.articles(english, 2), f"{web.home(english)}/harbour/", *web.articles(japanese, 1)]) + "\n",
        encoding="utf-8",
    )
    homes = tuple(f"{web.home(site)}/" for site in (english, greek))
    simulate(
        folder / "news",
        web.fetch,
        NOON,
        Assignment(homes, snapshots=SNAPSHOTS),
        quotas=Quotas(max_requests=REQUESTS),
    )
    with Archive(folder / "news") as archive:
        archive.export("warc", folder / "crawl.warc.gz")
    shutil.copytree(folder / "news", folder / "damaged")
    for path in (folder / "damaged").glob("catalogue.*"):
        path.unlink()


def _save(web: DocumentedWeb, folder: Path) -> None:
    """Save a front page, legal terms and a few articles of each site."""
    folder.mkdir()
    for site in web.web.sites:
        name = site.lexicon.language
        (folder / f"{name}-home.html").write_bytes(web.page(f"{web.home(site)}/"))
        for number, url in enumerate(web.articles(site, 3), start=1):
            (folder / f"{name}-{number}.html").write_bytes(web.page(url))
    english = web.web.sites[0]
    (folder / "en-terms.html").write_bytes(web.page(web.home(english) + english.paths.to_legal("terms")))


@contextmanager
def served() -> Iterator[Addresses]:
    """Serve the news web on this machine, as it is now, and give its addresses."""
    web = NewsWeb(SEED, len(HOMES))
    with serve(web, SystemClock()) as server:
        homes = (server.by_host(site).rstrip("/") for site in web.sites)
        yield Addresses(tuple(zip(HOMES, homes, strict=True)))
