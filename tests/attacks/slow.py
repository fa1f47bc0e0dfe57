"""Invented webs whose answers take time, on the virtual clock: what a hanging host costs can be told exactly."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlsplit

import pytest

pytest.importorskip("scrapy")

import scrapy
from scrapy.http import Response

from broadsheet.base.manners import Manners
from broadsheet.crawling.fetch_messages import Request
from broadsheet.crawling.simulated import SimulatedWebHandler
from tests.crawling.scripted import Answered, page
from tests.crawling.simulation import START, Run

VICTIM, ATTACKER = "victim", "attacker"
#: How long every answer takes, and how long a host hangs before the crawler gives up.
ANSWER_SECONDS, HANG_SECONDS = 0.2, 30.0
Answer = Callable[[str], Answered]


class HangError(TimeoutError):
    """A host that accepts a connection and never answers."""


def slowly(patch: pytest.MonkeyPatch) -> None:
    """Let every answer of an invented web take its time."""
    at_once = SimulatedWebHandler.download_request

    async def download(handler: SimulatedWebHandler, request: scrapy.Request) -> Response:
        hangs = "hang" in (urlsplit(request.url).hostname or "")
        await asyncio.sleep(HANG_SECONDS if hangs else ANSWER_SECONDS)
        return await at_once(handler, request)

    patch.setattr(SimulatedWebHandler, "download_request", download)


def victims(number: int = 100) -> list[Request]:
    """Return the requests of a source that does nothing odd."""
    return [Request(f"http://www.victim.example/{each}", source=VICTIM) for each in range(number)]


def seconds_of_victim(attack: list[Request], answer: Answer, manners: Manners) -> float:
    """Return how long the victim's pages take while another source does its worst."""

    def fetch(url: str, at: datetime, headers: object) -> Answered:
        del at, headers
        if "hang" in (urlsplit(url).hostname or ""):
            raise HangError("no answer")
        return page() if "victim.example" in url else answer(url)

    run = Run([*attack, *victims()], fetch, manners=manners)
    times = [outcome.exchanges[-1].at for outcome in run.outcomes if outcome.request.source == VICTIM]
    assert len(times) == len(victims())
    return (max(times) - START).total_seconds()


def share_of_victim(attack: list[Request], answer: Answer, manners: Manners | None = None) -> float:
    """Return the victim's rate under attack as a share of its usual one."""
    manners = manners or Manners()
    return seconds_of_victim([], answer, manners) / seconds_of_victim(attack, answer, manners)
