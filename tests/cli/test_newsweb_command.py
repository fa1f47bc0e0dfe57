import errno
import json
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from broadsheet.cli import exits
from broadsheet.cli.commands import newsweb_command
from broadsheet.newsweb.drawn_sites import draw_site
from broadsheet.newsweb.web import NewsWeb

Run = Callable[..., Any]

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
# A shell that starts tests in the background lets them ignore Ctrl-C, and their children inherit that.
PROGRAM = """\
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from broadsheet.cli.main import run
run()
"""


class Interrupted:
    """An event whose wait is interrupted by Ctrl-C."""

    def wait(self) -> None:
        raise KeyboardInterrupt


def test_each_site_is_described_in_one_row(run: Run) -> None:
    web = NewsWeb(seed=7, sites=4)

    outcome = run("newsweb", "describe", "--seed", 7, "--sites", 4, "--at", "2026-03-04T12:00", "--days", 2)

    assert outcome.code == exits.DONE
    for row, site in zip(outcome.rows, web.sites, strict=True):
        articles = len(web.articles(NOON - timedelta(days=2), NOON, site=site))
        assert row == {
            "site": site.slug,
            "name": site.name,
            "url": f"http://{site.host}/",
            "template": site.template,
            "languages": list(site.languages),
            "charset": site.charset,
            "sections": [section.slug for section in site.sections],
            "articles": articles,
            "articles_a_day": round(articles / 2, 1),
            "pages": len(web.permanent_pages(site, NOON)),
        }


def test_a_person_gets_a_table(run: Run) -> None:
    out = run("newsweb", "describe", "--at", "2026-03-04", terminal=True).out

    header, *_ = out.splitlines()
    assert header.split() == ["site", "template", "languages", "sections", "articles", "a", "day", "pages"]
    assert len(out.splitlines()) == 2 + 3


def test_every_article_is_listed_with_its_ground_truth(run: Run) -> None:
    web = NewsWeb()

    rows = run("newsweb", "describe", "--articles", "--at", "2026-03-04T14:00+02:00", "--days", 1).rows

    truths = web.articles(NOON - timedelta(days=1), NOON)
    assert [row["url"] for row in rows] == [truth.url for truth in truths]
    assert [datetime.fromisoformat(row["published"]) for row in rows] == [truth.published for truth in truths]
    assert [tuple(row["paragraphs"]) for row in rows] == [truth.paragraphs for truth in truths]


def test_planned_sites_are_described_with_their_kind_and_their_knobs(run: Run) -> None:
    argv = ("newsweb", "describe", "--planned", "--kind", "trapped", "--sites", 2, "--at", "2026-03-04T12:00")
    sites = [draw_site(1, index, "trapped") for index in range(2)]

    rows = run(*argv, "--days", 1).rows
    assert [(row["site"], row["kind"]) for row in rows] == [(site.slug, "trapped") for site in sites]

    rows = run(*argv, "--knobs", "--with", "knobs.feed=broken").rows
    found = {(row["site"], row["knob"]): row["value"] for row in rows}
    assert all(found[site.slug, "knobs.feed"] == "broken" for site in sites)
    assert all(found[site.slug, "extras.calendar"] is True for site in sites)


def test_a_page_is_described_at_a_moment(run: Run) -> None:
    site = draw_site(1, 0)
    web = NewsWeb(sites=[site])
    truth = web.truth(web.home(site), NOON)
    argv = ("newsweb", "describe", "--planned", "--sites", 1, "--at", "2026-03-04T12:00", "--page", web.home(site))
    assert truth is not None

    (row,) = run(*argv).rows
    assert (row["kind"], row["subtype"], row["links"]) == ("section", "home", len(truth.links))
    assert row["bytes"] == len(web.fetch(web.home(site), NOON).body)
    rows = run(*argv, "--links").rows
    assert [(row["url"], row["role"], row["text"]) for row in rows] == [
        (link.url, link.role, link.text) for link in truth.links
    ]


def test_the_default_time_is_now(run: Run) -> None:
    published = [row["published"] for row in run("newsweb", "describe", "--articles", "--days", 1).rows]

    assert datetime.now(UTC) - datetime.fromisoformat(published[0]) < timedelta(days=1, minutes=1)


@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        (["describe", "--at", "noon"], "'noon' is not a time"),
        (["describe", "--days", "0"], "'0' is not a number from 1"),
        (["describe", "--sites", "many"], "'many' is not a number"),
        (["describe", "--port", "80"], "--port is an option of newsweb serve, not of describe"),
        (["serve", "--articles"], "--articles is an option of newsweb describe, not of serve"),
        (["serve", "--port", "65536"], "'65536' is not a port"),
        (["serve", "--speed", "0"], "'0' is not a speed"),
        (["serve", "--speed", "fast"], "'fast' is not a speed"),
        (["grow"], "invalid choice"),
        (["describe", "--kind", "trapped"], "give --planned as well"),
        (["describe", "--links"], "name it with --page"),
        (["describe", "--with", "feed"], "'feed' is not a knob and its value"),
        ([], "required: serve|describe"),
    ],
)
def test_wrong_usage_is_one_line(run: Run, argv: list[str], reason: str) -> None:
    outcome = run("newsweb", *argv)

    assert outcome.code == exits.USAGE
    assert reason in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_port_in_use_is_named_with_the_option_that_chooses_another(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        outcome = run("newsweb", "serve", "--port", port)

    advice = "choose another one with --port, or leave it out for any free port"
    assert (outcome.code, outcome.err) == (
        exits.FAILED, f"broadsheet: port {port} is in use by another program; {advice}\n"
    )  # fmt: skip


def test_a_port_that_may_not_be_opened_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(newsweb_command, "serve", refuse)

    outcome = run("newsweb", "serve", "--port", 80)

    assert outcome.code == exits.FAILED
    assert "port 80 cannot be opened: Permission denied; choose another one with --port" in outcome.err


def test_a_terminal_shows_the_addresses(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newsweb_command, "Event", Interrupted)

    outcome = run("newsweb", "serve", "--start", "2026-03-04", terminal=True)

    assert outcome.code == exits.DONE
    assert all(f"/{site.slug}/" in outcome.out for site in NewsWeb().sites)
    assert "http_proxy=http://127.0.0.1:" in outcome.out
    assert "time starts at 2026-03-04T00:00:00+00:00, at speed 1" in outcome.err
    assert outcome.err.endswith("broadsheet: answered 0 requests\n")


def test_pages_are_served_until_ctrl_c() -> None:
    argv = ["newsweb", "serve", "--sites", "2", "--speed", "3600", "--start", "2026-03-04T12:00"]
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", PROGRAM, *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        rows = [json.loads(process.stdout.readline()) for _ in range(2)]
        for row in rows:
            with opener.open(row["url"], timeout=100) as response:
                assert row["name"] in response.read().decode(response.headers.get_content_charset())
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=200)

    assert (process.returncode, out) == (exits.DONE, "")
    assert (
        err.splitlines()[0]
        == "broadsheet: time starts at 2026-03-04T12:00:00+00:00, at speed 3600; press Ctrl-C to stop"
    )
    assert err.splitlines()[1].startswith("broadsheet: answered 2 requests (200: 2) with ")
