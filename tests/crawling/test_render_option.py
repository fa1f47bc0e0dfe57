"""`--render` on the command line."""

import io
import json
from pathlib import Path

import pytest

from broadsheet.cli.main import main
from tests.crawling.browsers import requires_browser

PAGE = "<title>Before</title><script>document.title = 'Μετά'; document.write('<a href=b>b</a>')</script>"


def run(*argv: object) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = main([str(word) for word in argv], io.BytesIO(), out, err, {})
    return code, out.getvalue(), err.getvalue()


@requires_browser
def test_pages_are_read_as_their_scripts_leave_them(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_bytes(PAGE.encode("cp1253"))
    described = ("--encoding", "windows-1253", "--url", "https://news.example/x/")

    code, out, _ = run("parse", page, *described, "--links", "--render")

    assert code == 0
    assert [json.loads(line)["url"] for line in out.splitlines()] == ["https://news.example/x/b"]
    code, out, _ = run("parse", page, *described)
    assert json.loads(out)["title"] == "Before"


@requires_browser
def test_a_page_that_cannot_be_rendered_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<body><script>document.body.title = 'x'.repeat(99999)</script>")
    (tmp_path / "b.html").write_text(PAGE)

    code, out, err = run("parse", tmp_path, "--render", "--set", "limits.max_bytes=9000")

    assert code == 3
    assert [json.loads(line)["title"] for line in out.splitlines()] == ["Μετά"]
    assert "a.html: the page's length in bytes, rendered, is" in err


def test_a_missing_browser_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.html").write_text(PAGE)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)

    code, out, err = run("parse", tmp_path, "--render")

    assert (code, out) == (1, "")
    assert err == "broadsheet: rendering needs Playwright: pip install 'broadsheet[render]'\n"
