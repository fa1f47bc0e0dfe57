"""What rendering makes of a page."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page after its scripts ran; `broadsheet.parse(rendered.html, rendered.url)` reads it.

    - `html`: the DOM of the page itself; frames and shadow trees are not part of it.
    - `url`: the page's address after redirects, `about:blank` where none was given.
    - `settled`: whether the page had come to rest; if not, this is how far it had come.
    - `requests`: how many requests were let through (a redirect belongs to its request).
    - `blocked`: how often each kind of thing was refused: requests for their `address`, for their `scheme` or as
      `too many requests`; `navigation` away from the page; `popup` and `dialog`; and `connection`, which counts
      redirects and web sockets, but also what the browser tried of its own accord.
    - `elapsed`: the seconds it took, without those for starting a browser.
    """

    html: str
    url: str
    settled: bool
    requests: int
    blocked: Mapping[str, int]
    elapsed: float
