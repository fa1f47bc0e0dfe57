"""Outcomes from one process to another: a line of JSON, then the bytes whose lengths it names."""

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any, BinaryIO

from broadsheet.base import reasons
from broadsheet.base.exchange import Exchange
from broadsheet.crawling.messages import Failure, Outcome, Page, Request


def write(outcome: Outcome, stream: BinaryIO) -> None:
    """Write one outcome."""
    content = outcome.content if isinstance(outcome, Page) else b""
    bodies = [content, *(exchange.body for exchange in outcome.exchanges)]
    head = {
        "request": _without_time(outcome.request),
        "exchanges": [_head(exchange) for exchange in outcome.exchanges],
        "sizes": [len(body) for body in bodies],
        **_own(outcome),
    }
    stream.write(json.dumps(head).encode("ascii") + b"\n")
    stream.writelines(bodies)
    stream.flush()


def read(stream: BinaryIO) -> Outcome | None:
    """Read one outcome; None where the stream has ended, be it in the middle of one."""
    line = stream.readline()
    if not line.endswith(b"\n"):
        return None
    head = json.loads(line)
    content, *bodies = (stream.read(size) for size in head["sizes"])
    if len(content) + sum(map(len, bodies)) < sum(head["sizes"]):
        return None
    request = Request(**head["request"])
    exchanges = tuple(_exchange(each, body) for each, body in zip(head["exchanges"], bodies, strict=True))
    if "reason" in head:
        at, reason = datetime.fromisoformat(head["at"]), reasons.named(head["reason"])
        return Failure(request, at, reason, head["detail"], exchanges)
    return Page(request, head["url"], head["status"], content, head["charset"], exchanges)


def _own(outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, Failure):
        return {"at": outcome.at.isoformat(), "reason": outcome.reason, "detail": outcome.detail}
    return {"url": outcome.url, "status": outcome.status, "charset": outcome.charset}


def _without_time(request: Request) -> dict[str, Any]:
    """Return a request as JSON can hold it; when it was to begin matters to nobody any more."""
    return {**asdict(request), "not_before": None, "not_after": None}


def _head(exchange: Exchange) -> dict[str, Any]:
    return {**asdict(exchange), "at": exchange.at.isoformat(), "body": None}


def _exchange(head: dict[str, Any], body: bytes) -> Exchange:
    return Exchange(
        **{
            **head,
            "at": datetime.fromisoformat(head["at"]),
            "headers": _pairs(head["headers"]),
            "asked": _pairs(head["asked"]),
            "body": body,
        }
    )


def _pairs(headers: list[list[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in headers)
