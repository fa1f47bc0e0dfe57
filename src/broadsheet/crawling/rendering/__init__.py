"""The page as a browser shows it: its DOM after its scripts ran in headless Chromium, capped and guarded."""

from broadsheet.crawling.rendering.render_errors import (
    BrowserFailed,
    BrowserMissing,
    RenderError,
    RenderFailed,
    RenderRefused,
    RenderTimeout,
    RenderTooLarge,
    RenderTooMuchMemory,
)
from broadsheet.crawling.rendering.render_limits import RenderLimits
from broadsheet.crawling.rendering.rendered import RenderedPage
from broadsheet.crawling.rendering.renderer import Renderer

__all__ = [
    "BrowserFailed",
    "BrowserMissing",
    "RenderError",
    "RenderFailed",
    "RenderLimits",
    "RenderRefused",
    "RenderTimeout",
    "RenderTooLarge",
    "RenderTooMuchMemory",
    "RenderedPage",
    "Renderer",
]
