"""`broadsheet demo` as a newcomer runs it, only shorter."""

import json
import socket
from pathlib import Path

import pytest

from broadsheet.cli import exits
from broadsheet.simulation.demonstration import RECORD_FILE
from tests.newsroom.program import articles, run

pytestmark = pytest.mark.long

#: Times as fast as the clock: on a busy machine, half a day could be over before the crawl has begun.
SPEEDS = (7200, 720)


def test_the_demo_archives_the_news_and_given_again_goes_on(tmp_path: Path) -> None:
    for speed in SPEEDS:
        news = tmp_path / f"news-{speed}"
        first_code, first, first_err = run("demo", news, "--days", 0.5, "--speed", speed)
        held = len(articles(news))
        second_code, second, second_err = run("demo", news, "--days", 0.5, "--speed", speed)
        scores = [json.loads(out) for out in (first, second)]
        if all(score["recall"] >= 0.9 for score in scores):
            break

    assert (first_code, second_code) == (exits.DONE, exits.DONE)
    assert "serving a simulated news web" in first_err
    assert "resuming a simulated news web" in second_err
    for score in scores:
        assert score["published"] > 0
        assert score["recall"] >= 0.9
        assert (score["wrong"], score["twice"]) == (0, 0)
    assert scores[1]["published"] > scores[0]["published"]
    assert len(articles(news)) > held
    assert run("check", news)[0] == exits.DONE
    code, _, err = run("demo", news, "--seed", 9)
    assert code == exits.FAILED
    assert "contains a demo with --seed 1 and --sites 1" in err


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear")

    code, _, err = run("demo", tmp_path)

    assert code == exits.FAILED
    assert "contains something other than a demo" in err


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear")

    code, _, err = run("demo", tmp_path / "letter.txt")

    assert code == exits.FAILED
    assert "letter.txt is a file; name a folder" in err
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("note", ["", "[]", "{}", '{"seed": 1, "sites": 1, "port": 1, "colour": 2}'])
def test_a_damaged_note_gets_one_clear_line(tmp_path: Path, note: str) -> None:
    (tmp_path / RECORD_FILE).write_text(note)

    code, _, err = run("demo", tmp_path)

    assert code == exits.FAILED
    assert "is damaged" in err
    assert err.count("\n") == 1


def test_a_port_that_is_taken_meanwhile_gets_one_clear_line(tmp_path: Path) -> None:
    run("demo", tmp_path / "news", "--days", 0.05)
    port = json.loads((tmp_path / "news" / RECORD_FILE).read_text())["port"]
    with socket.create_server(("127.0.0.1", port)):
        code, _, err = run("demo", tmp_path / "news", "--days", 0.05)

    assert code == exits.FAILED
    assert f"port {port}, which this demo needs to resume, is in use" in err
