"""`broadsheet events`: one line per event, at once, and an end when nobody reads on."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from broadsheet.archive import ArchiveEvent, EventKind, Store
from tests.archive.samples import NOON, SOURCE
from tests.cli.conftest import Outcome
from tests.newsroom.test_event_listener import happen

Run = Callable[..., Outcome]


def test_events_are_json_lines_when_piped_and_readable_on_a_terminal(run: Run, tmp_path: Path) -> None:
    happen(tmp_path, "A storm", "A flood")
    happen(tmp_path, "gone", kind=EventKind.DELETION)

    assert [row["detail"]["title"] for row in run("events", tmp_path).rows] == ["A storm", "A flood", "gone"]
    assert [row["id"] for row in run("events", tmp_path, "--after", "1", "--kind", "new article").rows] == [2]
    assert len(run("events", tmp_path, "--source", "https://news.example/").rows) == 3
    shown = run("events", tmp_path, terminal=True).out.splitlines()
    assert shown[0].split(maxsplit=1)[1] == "2026-03-02 12:00:00  new article     news.example  A storm"


def test_a_gap_names_the_time_since_which_something_may_have_been_missed(run: Run, tmp_path: Path) -> None:
    since, until = "2026-03-02T10:00:00+00:00", "2026-03-02T12:00:00+00:00"
    gap = {"url": SOURCE.url, "since": since, "until": until}
    with Store.open(tmp_path, create=True) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        batch.event(ArchiveEvent(kind=EventKind.GAP, at=NOON, source=SOURCE.key, page=SOURCE.key, detail=gap))
        writer.commit(batch)

    [row] = run("events", tmp_path, "--kind", "gap").rows
    assert row["detail"] == gap
    [shown] = run("events", tmp_path, "--kind", "gap", terminal=True).out.splitlines()
    assert shown.split(maxsplit=1)[1] == "2026-03-02 12:00:00  gap             news.example  since 2026-03-02 10:00:00"


def test_an_unknown_kind_is_refused_with_those_there_are(run: Run, tmp_path: Path) -> None:
    happen(tmp_path, "A storm")

    outcome = run("events", tmp_path, "--kind", "gossip")

    assert outcome.code == 2
    assert "the kinds are new article, revision" in outcome.err


def test_following_gives_each_line_at_once_and_ends_when_the_pipe_is_closed(tmp_path: Path) -> None:
    happen(tmp_path, "A storm")
    command = [sys.executable, "-m", "broadsheet", "events", str(tmp_path), "--follow"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:  # noqa: S603 - our own
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["detail"]["title"] == "A storm"
        happen(tmp_path, "A flood")
        assert json.loads(process.stdout.readline())["detail"]["title"] == "A flood"

        process.stdout.close()
        assert process.wait(60) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_delivering_needs_an_address(run: Run, tmp_path: Path) -> None:
    happen(tmp_path, "A storm")

    outcome = run("events", tmp_path, "--deliver")

    assert outcome.code == 2
    assert "set webhook.url" in outcome.err


def test_a_hook_that_cannot_be_reached_is_an_error_of_one_line(run: Run, tmp_path: Path) -> None:
    happen(tmp_path, "A storm")
    address = ("--set", "webhook.url=http://127.0.0.1:9/", "--set", "webhook.allow_local=true")

    assert run("events", tmp_path, "--deliver", *address).code == 0
    outcome = run("events", tmp_path, "--deliver", "--after", "0", *address)

    assert outcome.code == 1
    assert len(outcome.err.splitlines()) == 1
    assert "the webhook cannot be reached" in outcome.err


def test_the_secret_of_a_webhook_is_not_shown(run: Run) -> None:
    shown = run("config", "show", "--set", "webhook.secret=hush")

    assert "hush" not in shown.out
    assert next(row["value"] for row in shown.rows if row["key"] == "webhook.secret") == "(hidden)"


def test_a_person_is_told_that_there_is_no_event(run: Run, tmp_path: Path) -> None:
    happen(tmp_path, "A storm")

    outcome = run("events", tmp_path, "--kind", "move", terminal=True)

    assert (outcome.code, outcome.out, outcome.err) == (0, "", f"broadsheet: {tmp_path}: no such event\n")
