"""Servers that cannot prove who they are: nothing of theirs is archived unless a person says so."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from broadsheet.base.manners import Manners
from broadsheet.crawling.fetch_messages import Failure, Outcome, Request
from tests.attacks.authority import Authority, serving
from tests.crawling.crawler import live

HOSTS = ("good.example", "expired.example", "other.example", "self.example")
NAMES = {host: ["127.0.0.1"] for host in (*HOSTS, "inside.example")} | {"inside.example": ["10.0.0.1"]}
MANNERS = Manners(delay=0.0, retries=0, robots=False, timeout=10.0, allow_networks="127.0.0.0/8")


@pytest.fixture(scope="module")
def requests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Request]]:
    """One request for each kind of certificate, with the test's own authority trusted."""
    folder = tmp_path_factory.mktemp("certificates")
    authority = Authority(folder)
    contexts = {
        "good.example": authority.issue("good.example"),
        "127.0.0.1": authority.issue("127.0.0.1"),
        "expired.example": authority.issue("expired.example", ended=True),
        "other.example": authority.issue("another.example"),
        "self.example": authority.issue("self.example", self_signed=True),
    }
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(authority.path))
        ports = {host: stack.enter_context(serving(context)) for host, context in contexts.items()}
        yield [Request(f"https://{host}:{port}/", tag=host) for host, port in ports.items()]


def told(requests: list[Request], manners: Manners) -> dict[str, Outcome]:
    crawled = live(requests, manners, names=NAMES)
    assert (crawled.report["error"], crawled.err) == (None, "")
    return {outcome.request.tag: outcome for outcome in crawled.outcomes}


def test_certificates_are_verified_and_what_is_wrong_is_said(requests: list[Request]) -> None:
    outcomes = told(requests, MANNERS)

    failed = {tag: outcome.detail for tag, outcome in outcomes.items() if isinstance(outcome, Failure)}
    assert failed == {
        "expired.example": "the certificate of expired.example is not valid: it has expired",
        "other.example": "the certificate of other.example is not valid: it is for another host",
        "self.example": "the certificate of self.example is not valid: it is self-signed",
    }
    assert {outcome.reason for outcome in outcomes.values() if isinstance(outcome, Failure)} == {"certificate"}


def test_an_authority_that_is_not_trusted_vouches_for_nobody(
    requests: list[Request], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(Authority(tmp_path).path))

    outcomes = told(requests, MANNERS)

    assert [outcome.reason for outcome in outcomes.values() if isinstance(outcome, Failure)] == ["certificate"] * 5


def test_certificates_of_named_sites_are_not_verified(requests: list[Request]) -> None:
    outcomes = told(requests, replace(MANNERS, unverified="expired.example, self.example"))

    assert [tag for tag, outcome in outcomes.items() if isinstance(outcome, Failure)] == ["other.example"]


def test_certificates_of_a_request_that_says_so_are_not_verified_and_those_of_others_are(
    requests: list[Request],
) -> None:
    lenient = [replace(request, tag=f"{request.tag} as it is", verify_tls=False) for request in requests]

    outcomes = told([*lenient, *requests], MANNERS)

    failed = {tag for tag, outcome in outcomes.items() if isinstance(outcome, Failure)}
    assert failed == {"expired.example", "other.example", "self.example"}


def test_verification_can_be_turned_off(requests: list[Request]) -> None:
    outcomes = told(requests, replace(MANNERS, verify_tls=False))

    assert not [outcome for outcome in outcomes.values() if isinstance(outcome, Failure)]


@pytest.mark.parametrize("verifies", [True, False])
def test_the_address_guard_holds_over_tls(*, verifies: bool) -> None:
    manners = replace(MANNERS, verify_tls=verifies)

    outcomes = told([Request("https://inside.example/", tag="inside")], manners)

    assert isinstance(outcomes["inside"], Failure)
    assert outcomes["inside"].reason == "address"
