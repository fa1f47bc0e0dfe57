"""Render pages: run their scripts in headless Chromium, capped and isolated, and return the resulting DOM."""

from broadsheet.crawling.rendering._render_errors import (
    BrowserFailed,
    BrowserMissing,
    RenderError,
    RenderFailed,
    RenderRefused,
    RenderTimeout,
    RenderTooLarge,
    RenderTooMuchMemory,
)
from broadsheet.crawling.rendering._render_limits import RenderLimits
from broadsheet.crawling.rendering._rendered import RenderedPage
from broadsheet.crawling.rendering._renderer import Renderer

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
