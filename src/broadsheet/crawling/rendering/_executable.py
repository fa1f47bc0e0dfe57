"""Find the browser, or say what to install."""

import importlib.util
import shutil
from pathlib import Path

from broadsheet.crawling.rendering._render_errors import BrowserMissing

#: Names that distributions use, free software first.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find_browser(named: str | Path | None = None) -> str:
    """Return the path of the given Chromium, by default of the system's."""
    if importlib.util.find_spec("playwright") is None:
        raise BrowserMissing("rendering needs Playwright: pip install 'broadsheet[render]'")
    for name in NAMES if named is None else (str(named),):
        if path := shutil.which(name):
            return path
    if named is not None:
        raise BrowserMissing(f"{named} is not an executable program: check the path of the browser")
    raise BrowserMissing("rendering needs Chromium, which is not installed (on Debian: apt-get install chromium)")
