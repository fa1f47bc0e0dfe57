"""The result of rendering a page."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page after its scripts have run; `broadsheet.parse(rendered.html, rendered.url)` parses it.

    - `html`: the DOM of the page itself; frames and shadow trees are not part of it.
    - `url`: the URL of the page after redirects, `about:blank` if none was given.
    - `settled`: whether the page had stopped changing; if not, this is its state when the time was up.
    - `requests`: how many requests were allowed (a redirect counts as part of its request).
    - `received`: bytes that came over the network.
    - `blocked`: how often each kind of thing was refused: requests because of their `address` or `scheme`, as
      `too many requests`, or because they were `not needed`; connections after `too many bytes`; `navigation` away
      from the page; `popup` and `dialog`; and `connection`, which counts redirects, web sockets and connections of the
      browser itself.
    - `elapsed`: the seconds it took, not counting the start of a browser.
    """

    html: str
    url: str
    settled: bool
    requests: int
    received: int
    blocked: Mapping[str, int]
    elapsed: float
