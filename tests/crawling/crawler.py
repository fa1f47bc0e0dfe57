"""A live crawl in a process of its own, as a process can run only one: `live(…)` starts it, `main` is it."""

import asyncio
import json
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import pytest

pytest.importorskip("scrapy")

from twisted.internet import base

from broadsheet.base.clock import SystemClock
from broadsheet.base.counters import Counters
from broadsheet.base.manners import Manners
from broadsheet.base.wire import Inbox
from broadsheet.crawling import _outcome_packets
from broadsheet.crawling import live_crawl as engine
from broadsheet.crawling.crawl_errors import CrawlError
from broadsheet.crawling.fetch_messages import Outcome, Request
from broadsheet.crawling.stop import Stop

STOP = Stop()
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Crawled:
    """What a process told, what it counted, and what it left on standard error."""

    outcomes: list[Outcome]
    report: dict[str, Any]
    err: str

    def of(self, path: str) -> Outcome:
        (found,) = [outcome for outcome in self.outcomes if outcome.request.url.endswith(path)]
        return found


def live(requests: list[Request], manners: Manners, **orders: Any) -> Crawled:
    """Crawl in a new process; orders are read by `main`."""
    order = {"requests": [asdict(request) for request in requests], "manners": asdict(manners), **orders}
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.crawling.crawler"],
        input=json.dumps(order).encode(),
        capture_output=True,
        timeout=200,
        cwd=ROOT,
        check=False,
    )
    head, _, rest = ran.stdout.partition(b"\n")
    assert head, ran.stderr.decode()
    return Crawled(list(_outcomes(rest)), json.loads(head), ran.stderr.decode())


def _outcomes(data: bytes) -> Iterator[Outcome]:
    inbox = Inbox()
    inbox.put(data)
    while (packet := inbox.take()) is not None:
        yield _outcome_packets.from_packet(packet)


class Orders:
    """How a crawl under test behaves."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.order = order
        self.outcomes: list[Outcome] = []
        self.idles = 0
        self.idle_while_deciding = 0
        self.deciding = 0
        self.decided: list[str] = []
        self.wakes = 0

    def decide(self, outcome: Outcome) -> Iterable[Request] | Awaitable[Iterable[Request]]:
        self.outcomes.append(outcome)
        match self.order.get("decide"):
            case "await":
                return self.slowly(outcome)
            case "await and raise":
                return self.at_a_loss()
            case "await and finish":
                STOP.finish()
                return self.slowly(outcome)
            case "await forever":
                return self.never()
            case "raise":
                raise LookupError("decide is at a loss")
            case "finish":
                STOP.finish()
                return [Request(outcome.request.url + "/more")]
            case int(number) if sum(other.request.tag == "victim" for other in self.outcomes) >= number:
                STOP.now()
        return []

    async def slowly(self, outcome: Outcome) -> list[Request]:
        """Decide on `/page` only after all others have been reported."""
        self.deciding += 1
        while outcome.request.tag == "/page" and len(self.outcomes) < self.order["others"] + 1:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        self.deciding -= 1
        self.decided.append(outcome.request.tag)
        return [Request(outcome.request.url + "?more", tag="more")] if outcome.request.tag == "/page" else []

    async def at_a_loss(self) -> list[Request]:
        await asyncio.sleep(0.01)
        raise LookupError("decide is at a loss")

    async def never(self) -> list[Request]:
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            self.decided.append("cancelled")
        return []

    def idle(self) -> None:
        self.idles += 1
        self.idle_while_deciding += bool(self.deciding)

    def wake(self) -> list[Request]:
        self.wakes += 1
        return [Request(self.order["woken"], tag="woken")] if self.wakes == 2 else []


def patched_names(names: dict[str, list[str]], slow_seconds: float) -> None:
    """Let names resolve as a test wants, below the guard; those that begin with `slow` take their time."""
    resolve = socket.getaddrinfo

    def getaddrinfo(host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
        if host.startswith("slow"):
            time.sleep(slow_seconds)
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        if host in names:
            return [found for address in names[host] for found in resolve(address, port, *args, **kwargs)]
        return resolve(host, port, *args, **kwargs)

    vars(base)["_GAIResolver"] = partial(vars(base)["_GAIResolver"], getaddrinfo=getaddrinfo)


def main() -> None:
    out: BinaryIO = sys.stdout.buffer
    order = json.load(sys.stdin)
    patched_names(order.get("names", {}), order.get("slow_seconds", 0.0))
    orders = Orders(order)
    counters = Counters()
    clock = SystemClock()
    if seconds := order.get("stop_after"):
        stop_after(seconds, order["stop_by"])
    began = clock.monotonic()
    error = None
    try:
        engine.crawl(
            [Request(**request) for request in order["requests"]],
            orders.decide,
            manners=Manners(**order["manners"]),
            clock=clock,
            idle=orders.idle,
            wake=orders.wake if "woken" in order else None,
            every=0.2,
            stop=STOP,
            counters=counters,
        )
    except BaseException as raised:  # noqa: BLE001
        error = f"{type(raised).__name__}: {raised}"
    report = {
        "error": error,
        "second": second_crawl(),
        "seconds": clock.monotonic() - began,
        "idles": orders.idles,
        "idle_while_deciding": orders.idle_while_deciding,
        "decided": orders.decided,
        "wakes": orders.wakes,
        "counted": {f"{counted.name} {counted.reason or ''}".strip(): number for counted, number in counters},
        "peak": peak_bytes(),
        "cpu": time.process_time(),
    }
    out.write(json.dumps(report).encode() + b"\n")
    out.writelines(_outcome_packets.to_packet(outcome).encode() for outcome in orders.outcomes)


def stop_after(seconds: float, by: str) -> None:
    """Stop from another thread, or from a signal handler."""
    if by == "thread":
        threading.Timer(seconds, STOP.now).start()
    else:
        signal.signal(signal.SIGALRM, lambda *_: STOP.now())
        signal.setitimer(signal.ITIMER_REAL, seconds)


def second_crawl() -> str | None:
    try:
        engine.crawl([], lambda _: [], manners=Manners(), clock=SystemClock())
    except CrawlError as error:
        return str(error)
    return None


def peak_bytes() -> int:
    # What the kernel counts for a process begins with the size of whoever started it; this begins anew.
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main()
