import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from broadsheet.cli import exits
from broadsheet.newsweb.sample_pages import make_pages
from broadsheet.reading.profiles import load
from tests.reading.profiles.site import FOLLOW, SENTENCES, page_markup

Run = Callable[..., Any]


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    for page in make_pages(1):
        (folder / page.name).write_bytes(page.content)
    return folder


def test_a_terminal_shows_a_description_of_the_profile(run: Run, pages: Path) -> None:
    outcome = run("profile", pages, "--since", "2026-03-01", terminal=True)

    assert outcome.code == exits.DONE
    assert outcome.out.startswith("Valid from 2026-03-01. Built from 6 pages with the reader ")
    assert "main > article > p:" in outcome.out


def test_a_pipe_gets_the_profile_as_one_json_line(run: Run, pages: Path) -> None:
    [row] = run("profile", pages, "--reader", "separator").rows

    assert (row["version"], row["pages"], row["reader"]) == (2, 6, "separator")


def test_the_profile_is_written_to_a_file(run: Run, pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "courier.json"

    outcome = run("profile", pages, "-o", out)

    assert outcome.code == exits.DONE
    assert "wrote a profile of 6 pages" in outcome.err
    assert load(out).pages == 6
    assert json.loads(out.read_text())["format"] == "broadsheet site profile"


def test_an_existing_profile_is_replaced_only_with_overwrite(run: Run, pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "courier.json"
    out.write_text("mine")

    assert run("profile", pages, "-o", out).code == exits.USAGE
    assert out.read_text() == "mine"
    assert run("profile", pages, "-o", out, "--overwrite").code == exits.DONE


def test_one_page_is_too_few(run: Run, pages: Path, tmp_path: Path) -> None:
    out = tmp_path / "courier.json"

    outcome = run("profile", pages / "home.html", "-o", out)

    assert outcome.code == exits.FAILED
    assert "a profile needs at least 2 different pages with text from one site, not 1" in outcome.err
    assert not out.exists()


def test_a_day_is_written_as_one(run: Run, pages: Path) -> None:
    outcome = run("profile", pages, "--since", "soon")

    assert outcome.code == exits.USAGE
    assert "is not a time; write 2026-03-02" in outcome.err


def test_an_unreadable_page_is_reported_and_the_others_continue(run: Run, pages: Path) -> None:
    outcome = run("profile", pages, pages / "none.html")

    assert outcome.code == exits.SOME_FAILED
    assert "none.html" in outcome.err
    assert outcome.rows[0]["pages"] == 6


def test_extract_uses_a_profile(run: Run, tmp_path: Path) -> None:
    paths = []
    for number in range(4):
        paths.append(tmp_path / f"{number}.html")
        paths[-1].write_text(page_markup(number))
    out = tmp_path / "courier.json"
    run("profile", *paths[:3], "-o", out)

    plain, profiled = (
        run("extract", paths[3], "--force", "--reader", "coreex", *more).rows[0]["article"]["body"]
        for more in ((), ("--profile", out))
    )

    assert FOLLOW in plain
    assert FOLLOW not in profiled
    assert SENTENCES[0] in profiled


def test_extract_reports_a_file_that_is_not_a_profile(run: Run, pages: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{}")

    outcome = run("extract", pages, "--profile", broken)

    assert outcome.code == exits.FAILED
    assert "broken.json: this is not a site profile" in outcome.err
