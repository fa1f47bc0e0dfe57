"""Where the browser is, and what to install where it is not."""

import importlib.util
import shutil
from pathlib import Path

from broadsheet.crawling.rendering.render_errors import BrowserMissing

#: What distributions call it, free ones first.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find_browser(named: str | Path | None = None) -> str:
    """Return the path of the Chromium that was named, or else of the system's."""
    if importlib.util.find_spec("playwright") is None:
        raise BrowserMissing("rendering needs Playwright: pip install 'broadsheet[render]'")
    for name in NAMES if named is None else (str(named),):
        if path := shutil.which(name):
            return path
    if named is not None:
        raise BrowserMissing(f"{named} is no program that can be run")
    raise BrowserMissing("rendering needs Chromium, which is not here (Debian: apt-get install chromium)")
