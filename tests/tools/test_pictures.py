"""Pictures of a terminal: what was shown last, within the frame, and nothing that has to be fetched."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tools.recording import Moment, record
from tools.terminal_svg import draw

PICTURES = sorted((Path(__file__).parents[2] / "docs" / "pictures").glob("*.svg"))
SVG = "{http://www.w3.org/2000/svg}"
COLUMNS = 40
PROGRAM = """
import sys, time
print("\\x1b[1;36mHead  of a table\\x1b[0m")
sys.stdout.write("half done"); sys.stdout.flush(); time.sleep(1)
sys.stdout.write("\\r\\x1b[Kdone & <well>\\n")
print("日本語 and more")
print("x" * 40)
print("tty", sys.stdout.isatty(), file=sys.stderr)
"""


def run(program: str, cwd: Path) -> list[Moment]:
    return record([sys.executable, "-c", program], COLUMNS, cwd, {"PYTHONIOENCODING": "utf-8"})


def texts(moment: Moment) -> list[list[str]]:
    return [[span.text for span in line] for line in moment.lines]


def assert_fits(svg: str) -> None:
    """Every text lies within the picture, over an exact number of cells."""
    drawn = ElementTree.fromstring(svg)  # noqa: S314 - what is parsed was drawn here
    _, _, width, height = map(float, drawn.attrib["viewBox"].split())
    found = list(drawn.iter(f"{SVG}text"))
    assert found
    for text in found:
        assert float(text.attrib["x"]) + float(text.attrib["textLength"]) <= width - 8
        assert float(text.attrib["y"]) <= height - 8


def assert_fetches_nothing(svg: str) -> None:
    without_names = svg.replace('xmlns="http://www.w3.org/2000/svg"', "")
    for word in ("@import", "@font-face", "url(", "href", "src=", "<script", "<image", "<foreignObject"):
        assert word not in without_names


def test_the_last_moment_is_how_the_screen_was_left(tmp_path: Path) -> None:
    *before, last = run(PROGRAM, tmp_path)

    assert texts(last) == [["Head", "of a table"], ["done & <well>"], ["日本語", "and more"], ["x" * 40], ["tty True"]]
    assert any(["half done"] in texts(moment) for moment in before)
    head = last.lines[0][0]
    assert (head.colour, head.bold) == ("cyan", True)
    wide, after = last.lines[2]
    assert (wide.width, after.column) == (6, 7)


def test_a_picture_holds_every_moment_within_its_frame(tmp_path: Path) -> None:
    moments = run(PROGRAM, tmp_path)

    svg = draw("A title", "python program.py", moments, COLUMNS)

    assert_fits(svg)
    assert_fetches_nothing(svg)
    assert svg.count("<g class=") == len(moments)
    assert "$ python program.py" in svg
    assert "done &amp; &lt;well&gt;" in svg


def test_a_command_that_fails_makes_no_picture(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        run("print('so far'); raise SystemExit(3)", tmp_path)


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.stem)
def test_the_pictures_of_the_docs_are_whole(picture: Path) -> None:
    svg = picture.read_text(encoding="utf-8")

    assert_fits(svg)
    assert_fetches_nothing(svg)


def test_there_is_a_picture_of_what_newcomers_run_first() -> None:
    assert [picture.stem for picture in PICTURES] == ["crawl", "demo", "extract", "sections"]
