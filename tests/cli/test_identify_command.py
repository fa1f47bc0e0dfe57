from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from broadsheet.cli import exits
from broadsheet.newsweb.sample_pages import make_pages

Run = Callable[..., Any]
KINDS = {page.name: page.kind for page in make_pages(1)}


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    for made in make_pages(1):
        (tmp_path / made.name).write_bytes(made.content)
    return tmp_path


def test_every_page_of_a_folder_gives_a_line_of_json(run: Run, pages: Path) -> None:
    outcome = run("identify", pages)

    assert outcome.code == exits.DONE
    assert len(outcome.rows) == len(list(pages.iterdir()))
    for row in outcome.rows:
        assert row["kind"] == KINDS[row["page"].rpartition("/")[2]]
        assert row["probability"] == max(row["probabilities"].values())
        assert row["reasons"]
        assert row["model"].startswith("page-")


def test_a_terminal_shows_a_table_with_the_first_reasons(run: Run, pages: Path) -> None:
    lines = run("identify", pages, terminal=True).out.splitlines()

    assert lines[0].split() == ["page", "kind", "probability", "reasons"]
    assert len(lines) == 2 + len(list(pages.iterdir()))


def test_all_reasons_are_listed_on_request(run: Run, pages: Path) -> None:
    page = next(pages.iterdir())
    [row] = run("identify", page).rows

    lines = run("identify", page, "--reasons", terminal=True).out.splitlines()

    assert lines[0].split() == ["page", "kind", "probability", "reason"]
    assert len(lines) == 2 + len(row["reasons"])


def test_standard_input_is_classified_with_the_given_address(run: Run) -> None:
    paragraph = "<p>The harbour bridge was opened to all traffic on Monday, three months later than planned.</p>"
    page = f"<html><title>A harbour bridge reopens</title><body>{paragraph * 9}</body></html>".encode()

    [bare] = run("identify", "-", stdin=page).rows
    [placed] = run(
        "identify", "-", "--url", "https://courier.example/2026/03/02/a-harbour-bridge-reopens", stdin=page
    ).rows

    assert bare["page"] == "-"
    assert bare["probabilities"] != placed["probabilities"]


def test_url_is_rejected_for_several_pages(run: Run, pages: Path) -> None:
    outcome = run("identify", pages, "--url", "https://courier.example/a")

    assert outcome.code == exits.USAGE


def test_a_failing_page_is_reported_and_the_others_continue(run: Run, pages: Path) -> None:
    broken = pages / "picture.html"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))

    outcome = run("identify", pages)

    assert outcome.code == exits.SOME_FAILED
    assert outcome.err.startswith(f"broadsheet: {broken}: ")
