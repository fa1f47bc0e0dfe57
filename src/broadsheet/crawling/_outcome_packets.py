"""Serialise outcomes as packets, to send them from one process to another."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from broadsheet.base import reasons
from broadsheet.base.exchange import Exchange
from broadsheet.base.wire import Packet
from broadsheet.crawling.fetch_messages import Failure, FetchAnswer, Outcome, Request


def to_packet(outcome: Outcome) -> Packet:
    """Serialise an outcome."""
    head = {
        "request": _without_time(outcome.request),
        "exchanges": [_head(exchange) for exchange in outcome.exchanges],
        **_specific_fields(outcome),
    }
    content = outcome.content if isinstance(outcome, FetchAnswer) else b""
    return Packet(head, (content, *(exchange.body for exchange in outcome.exchanges)))


def from_packet(packet: Packet) -> Outcome:
    """Deserialise an outcome."""
    head, (content, *bodies) = packet.head, packet.bodies
    request = Request(**head["request"])
    exchanges = tuple(_exchange(fields, body) for fields, body in zip(head["exchanges"], bodies, strict=True))
    if "reason" in head:
        at, reason = datetime.fromisoformat(head["at"]), reasons.named(head["reason"])
        return Failure(request, at, reason, head["detail"], exchanges)
    return FetchAnswer(request, head["url"], head["status"], content, exchanges, tuple(head["sitemaps"]))


def _specific_fields(outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, Failure):
        return {"at": outcome.at.isoformat(), "reason": outcome.reason, "detail": outcome.detail}
    return {"url": outcome.url, "status": outcome.status, "sitemaps": outcome.sitemaps}


def _without_time(request: Request) -> dict[str, Any]:
    """Return a request as JSON types; its times no longer matter once it has an outcome."""
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
