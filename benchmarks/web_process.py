"""The built-in news web in a process of its own, so that what it remembers is not taken for the crawler's memory."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection

from broadsheet.newsweb.response import Response
from broadsheet.newsweb.web import NewsWeb

FetchPage = Callable[[str, datetime, Mapping[str, str]], Response]
#: Makes what fetches pages, given a seed and how many sites there are.
OpenWeb = Callable[[int, int], FetchPage]


def open_news_web(seed: int, sites: int) -> FetchPage:
    """Return what fetches pages of a news web, with their HTML."""
    return NewsWeb(seed, sites).fetch


@contextmanager
def served_web(seed: int, sites: int, open_web: OpenWeb = open_news_web) -> Iterator[FetchPage]:
    """Give what fetches pages of a news web, which another process generates until the block ends."""
    # Not a copy of this process, with all its memory.
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, seed, sites, open_web), daemon=True)
    process.start()
    theirs.close()

    def fetch(url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        ours.send((url, at, dict(headers)))
        answer = ours.recv()
        if isinstance(answer, Exception):
            raise answer
        assert isinstance(answer, Response)  # noqa: S101 - it sends nothing else
        return answer

    try:
        yield fetch
    finally:
        ours.close()
        process.join()


def _serve(pipe: Connection, seed: int, sites: int, open_web: OpenWeb) -> None:
    fetch = open_web(seed, sites)
    while True:
        try:
            url, at, headers = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(fetch(url, at, headers))
        except Exception as error:  # noqa: BLE001 - it is raised where the page was asked for
            pipe.send(error)
