"""The pairs are the same in every run, are what their labels say, and the tables show what methods make of them."""

import random
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")

from benchmarks.likeness import lookups
from benchmarks.likeness.__main__ import main
from benchmarks.likeness.edits import EDITS
from benchmarks.likeness.pairs import make_pairs
from benchmarks.likeness.reports import REPORTS
from benchmarks.likeness.texts import ArticleText, save


def text(number: int) -> ArticleText:
    """Return an article of random words."""
    chance = random.Random(number)
    paragraphs = (" ".join("".join(chance.choices("abcdefghij", k=6)) for _ in range(30)) + "." for _ in range(8))
    return ArticleText(f"made/{number}", f"site{number % 4}.example", "\n\n".join(paragraphs))


TEXTS = [text(number) for number in range(12)]


def test_pairs_are_the_same_in_every_run() -> None:
    one, other = (list(make_pairs(TEXTS, 4, seed=7)) for _ in range(2))

    assert one == other
    assert {pair.label for pair in one} == {"same", "different"}
    assert all(pair.one != pair.other for pair in one if pair.label == "different")


def test_every_edit_leaves_much_of_a_text_and_no_two_reports_are_the_same() -> None:
    paragraphs = TEXTS[0].paragraphs
    for edit in EDITS.values():
        edited = " ".join(edit(paragraphs, random.Random(1), ["Another paragraph."])).split()
        assert len(set(edited) & set(TEXTS[0].body.split())) > 60
    for make in REPORTS.values():
        assert len({make(random.Random(number)) for number in range(20)}) == 20


def test_the_command_prints_methods_families_and_costs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(TEXTS, tmp_path / "texts.jsonl")

    code = main([str(tmp_path), "--texts", str(tmp_path / "texts.jsonl"), "--size", "4", "--index", "0"])

    out = capsys.readouterr().out
    assert code == 0
    assert "| sketch of 128, looked up            |    1.0000 |" in out
    assert "| copy elsewhere: shortened at the end     | same      |      4 |      4 |" in out
    assert "| real, one site                           | different |     12 |      0 |" in out


def test_the_index_costs_a_new_article_the_same_at_any_size(tmp_path: Path) -> None:
    small, large = lookups.measure(tmp_path / "archive", [2_000, 8_000])

    assert small.articles == 2_000
    # A lookup that grew with the archive would cost four times as much.
    assert large.best < 3 * small.best
