"""The peers as systems that are timed: one that is not installed is only left out."""

from functools import partial

from benchmarks.pages import Page
from benchmarks.system import Run, System
from broadsheet.corpora import peers


def load(name: str) -> Run:
    """Load the call of a peer that is timed; a child process that measures one peer's memory holds no other."""
    peer = peers.PEERS[name]
    text_of = (peer.timed or peer.text)()

    def run(page: Page) -> str | None:
        return text_of(page.text, peers.ANY_URL)

    return run


PEERS = [System(name, name, partial(load, name)) for name in peers.PEERS]
