"""How many redesigns are noticed, and how many are seen where there is none."""

import io
import tarfile
from pathlib import Path

import pytest
from benchmarks.redesigns import HOUR, RedesignedSite, follow, main, saved_shares, show

from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsweb.drawn_sites import draw_site
from broadsheet.newsweb.web import NewsWeb


def test_redesigns_that_were_noticed_and_false_alarms_are_counted() -> None:
    found = [
        RedesignedSite("noticed", is_explored=True, noticed_after=2.04, false_alarm_after=None),
        RedesignedSite("missed", is_explored=True, noticed_after=None, false_alarm_after=None),
        RedesignedSite("alarmed", is_explored=False, noticed_after=0.5, false_alarm_after=7.0),
    ]

    lines = show(found).splitlines()

    assert [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:5]] == [
        ["noticed", "yes", "2.0 h", "never"],
        ["missed", "yes", "never", "never"],
        ["alarmed", "no", "0.5 h", "7.0 h"],
    ]
    assert lines[-1] == "2 of 3 redesigns were noticed; false alarms on 1 of the same sites"


def test_what_redesigns_keep_is_told_without_a_crawl(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--kept", "--seed", "5", "--number", "2"]) == 0

    assert capsys.readouterr().out == "kept, where anything is: 0.319\n2 of 2 keep at most 0.4\n"


def test_saved_home_pages_are_compared_with_the_one_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = draw_site(5, 1, "redesigned")
    web, redesign = NewsWeb(sites=[site]), site.extras.redesign
    assert redesign is not None
    before, after = (web.fetch(web.home(site), redesign.at + hours * HOUR, {}).body for hours in (-1, 1))
    pages = {
        "index/20260319T050000Z.html": before,
        "index/20260319T060000Z.html": before,
        "index/20260319T070000Z.html": after,
        "about/20260319T060000Z.html": after,
    }
    with tarfile.open(tmp_path / "news.example.tar.xz", "w:xz") as archive:
        for name, body in pages.items():
            member = tarfile.TarInfo(name)
            member.size = len(body)
            archive.addfile(member, io.BytesIO(body))

    shares = saved_shares(tmp_path / "news.example.tar.xz")

    assert shares == [1.0, pytest.approx(0.319, abs=0.001)]
    assert main(["--saved", str(tmp_path)]) == 0
    assert "3 home pages, two in a row share at least 0.32" in capsys.readouterr().out


def test_a_site_that_is_not_redesigned_is_refused() -> None:
    with pytest.raises(ValueError, match="is not redesigned"):
        follow(draw_site(5, 0, "ordinary"), NewsroomSettings())


def test_fewer_sites_than_one_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--number", "0"])
    assert "--number must be at least 1" in capsys.readouterr().err


def test_saved_home_pages_that_are_not_there_are_not_taken_for_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as missing:
        main(["--saved", str(tmp_path / "none")])
    assert missing.value.code == 2
    assert f"--saved: no such folder: {tmp_path / 'none'}" in capsys.readouterr().err

    assert main(["--saved", str(tmp_path)]) == 1
    assert "has two saved home pages" in capsys.readouterr().err
