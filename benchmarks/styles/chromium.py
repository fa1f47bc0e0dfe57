"""Chromium's computed style of each text of a page, without scripts and network access."""

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
#: A page that has not loaded by then is used as it is.
LOAD_TIMEOUT_MS = 15_000


@dataclass(frozen=True, slots=True)
class Text:
    """One text node in the browser's tree."""

    #: Row of its parent element, -1 if the browser inserted that element.
    holder: int
    #: The values of `PROPERTIES`, None if the browser creates no box for the text.
    style: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class View:
    """A page as the browser renders it."""

    #: Texts by the row of the node that they are the text or tail of, and the slot.
    texts: dict[tuple[int, int], Text]
    seconds: float
    #: CPU time of all of the browser's processes.
    cpu_seconds: float
    version: str


def installed() -> str | None:
    """Return the path of the system's Chromium, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Viewer:
    """A browser that renders one page after another."""

    def __init__(self, browser: Browser) -> None:
        """Open a page without scripts and network access."""
        self._version = browser.version
        self._context = browser.new_context(
            java_script_enabled=False, viewport={"width": 1280, "height": 720}, offline=True
        )
        self._page: Page = self._context.new_page()
        self._page.route("**/*", lambda route: route.abort())
        self._session: CDPSession = self._context.new_cdp_session(self._page)

    def view(self, html: str) -> View:
        """Return the computed styles of a page's texts, and the time Chromium needed."""
        # Without this, new content would inherit from the previous document, such as its colour scheme.
        self._page.goto("about:blank")
        clock, cpu = time.perf_counter(), cpu_seconds("chrom")
        try:
            self._page.set_content(html, wait_until="load", timeout=LOAD_TIMEOUT_MS)
        except BrowserError:
            # A page that never finishes loading still has its text and styles.
            self._page.wait_for_timeout(100)
        snapshot = self._session.send("DOMSnapshot.captureSnapshot", {"computedStyles": list(PROPERTIES)})
        seconds, cpu = time.perf_counter() - clock, cpu_seconds("chrom") - cpu
        return View(read_snapshot(snapshot), seconds, cpu, self._version)


@contextmanager
def open_viewer() -> Iterator[Viewer]:
    """Run Chromium for the duration of a block."""
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
    # The last child element or comment of each node so far, which a text may follow.
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
    """Return the row that each of the browser's nodes is marked with, -1 for unmarked nodes."""
    rows = []
    for kind, value, attributes in zip(nodes["nodeType"], nodes["nodeValue"], nodes["attributes"], strict=True):
        row = ""
        if kind == 8:
            row = strings[value].partition(f"{MARK}=")[2].rstrip("?")
        for name, attribute_value in zip(attributes[::2], attributes[1::2], strict=True):
            if strings[name] == MARK:
                row = strings[attribute_value]
        rows.append(int(row) if row.isdecimal() else -1)
    return rows
