"""Outcomes from one process to another, as packets."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from broadsheet.base import reasons
from broadsheet.base.exchange import Exchange
from broadsheet.base.wire import Packet
from broadsheet.crawling.fetch_messages import Failure, FetchAnswer, Outcome, Request


def to_packet(outcome: Outcome) -> Packet:
    """Return an outcome as it is sent."""
    head = {
        "request": _without_time(outcome.request),
        "exchanges": [_head(exchange) for exchange in outcome.exchanges],
        **_own(outcome),
    }
    content = outcome.content if isinstance(outcome, FetchAnswer) else b""
    return Packet(head, (content, *(exchange.body for exchange in outcome.exchanges)))


def of_packet(packet: Packet) -> Outcome:
    """Return the outcome that was sent."""
    head, (content, *bodies) = packet.head, packet.bodies
    request = Request(**head["request"])
    exchanges = tuple(_exchange(each, body) for each, body in zip(head["exchanges"], bodies, strict=True))
    if "reason" in head:
        at, reason = datetime.fromisoformat(head["at"]), reasons.named(head["reason"])
        return Failure(request, at, reason, head["detail"], exchanges)
    return FetchAnswer(request, head["url"], head["status"], content, exchanges)


def _own(outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, Failure):
        return {"at": outcome.at.isoformat(), "reason": outcome.reason, "detail": outcome.detail}
    return {"url": outcome.url, "status": outcome.status}


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
