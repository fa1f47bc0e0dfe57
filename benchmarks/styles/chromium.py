"""Chromium's view of a page: for each text its computed style, scripts off, the network shut."""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright
from playwright.sync_api import Error as BrowserError

from benchmarks.styles.marking import MARK
from benchmarks.styles.processes import cpu_seconds

PROPERTIES = ("font-size", "font-family", "font-weight", "color", "display", "visibility")
ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --host-resolver-rules=MAP\t*\t~NOTFOUND"
).split(" ")
#: A page that has not loaded by then is looked at as it is.
PATIENCE_MS = 15_000


@dataclass(frozen=True, slots=True)
class Text:
    """One text in the browser's tree."""

    #: Row of the element that holds it, -1 where the browser made one up.
    holder: int
    #: The values of `PROPERTIES`, None where the browser makes no box for the text.
    style: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class View:
    """A page as the browser has it."""

    #: Texts by the row of the node whose text or tail they are, and the slot.
    texts: dict[tuple[int, int], Text]
    seconds: float
    #: CPU time of all of the browser's processes.
    cpu_seconds: float
    version: str


def installed() -> str | None:
    """Return the path of the system's Chromium, None where there is none."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Viewer:
    """A browser that is given one page after the other."""

    def __init__(self, browser: Browser) -> None:
        """Open a page with scripts off that can reach nothing."""
        self._version = browser.version
        self._context = browser.new_context(
            java_script_enabled=False, viewport={"width": 1280, "height": 720}, offline=True
        )
        self._page: Page = self._context.new_page()
        self._page.route("**/*", lambda route: route.abort())
        self._session: CDPSession = self._context.new_cdp_session(self._page)

    def view(self, html: str) -> View:
        """Return the computed styles of a page's texts, and how long Chromium took for them."""
        # Content set anew inherits from the document before it, its colour scheme for one.
        self._page.goto("about:blank")
        begun, worked = time.perf_counter(), cpu_seconds("chrom")
        try:
            self._page.set_content(html, wait_until="load", timeout=PATIENCE_MS)
        except BrowserError:
            # A page that never finishes loading has its text and styles all the same.
            self._page.wait_for_timeout(100)
        snapshot = self._session.send("DOMSnapshot.captureSnapshot", {"computedStyles": list(PROPERTIES)})
        taken, work = time.perf_counter() - begun, cpu_seconds("chrom") - worked
        return View(read_snapshot(snapshot), taken, work, self._version)


@contextmanager
def opened() -> Iterator[Viewer]:
    """Start Chromium and end it again."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=installed(), args=[argument.replace("\t", " ") for argument in ARGUMENTS]
        )
        try:
            yield Viewer(browser)
        finally:
            browser.close()


def read_snapshot(snapshot: dict[str, Any]) -> dict[tuple[int, int], Text]:
    """Return the texts of a snapshot's main document by our row and slot."""
    document, strings = snapshot["documents"][0], snapshot["strings"]
    nodes, layout = document["nodes"], document["layout"]
    styles: dict[int, tuple[str, ...]] = {}
    for node, style in zip(layout["nodeIndex"], layout["styles"], strict=True):
        if style and node not in styles:
            styles[node] = tuple(strings[value] for value in style)
    rows = _rows(nodes, strings)
    texts: dict[tuple[int, int], Text] = {}
    # What stands last so far inside each node: nothing, or a node that a text may follow.
    last: dict[int, int] = {}
    for index, parent in enumerate(nodes["parentIndex"]):
        if nodes["nodeType"][index] == 3:
            before = last.get(parent)
            key = (rows[parent], 0) if before is None else (rows[before], 1)
            if strings[nodes["nodeValue"][index]].strip() and key[0] >= 0:
                texts.setdefault(key, Text(rows[parent], styles.get(index)))
        else:
            last[parent] = index
    return texts


def _rows(nodes: dict[str, Any], strings: list[str]) -> list[int]:
    """Return the row that each of the browser's nodes is marked with, -1 for those that are not."""
    rows = []
    for kind, value, attributes in zip(nodes["nodeType"], nodes["nodeValue"], nodes["attributes"], strict=True):
        row = ""
        if kind == 8:
            row = strings[value].partition(f"{MARK}=")[2].rstrip("?")
        for name, held in zip(attributes[::2], attributes[1::2], strict=True):
            if strings[name] == MARK:
                row = strings[held]
        rows.append(int(row) if row.isdecimal() else -1)
    return rows
