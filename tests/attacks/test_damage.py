"""Damage to an archive is always named, never made worse, and repaired as far as bytes are left."""

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from broadsheet.archive import DamagedRow, Store
from broadsheet.archive.export import FORMATS, export
from broadsheet.base.errors import BroadsheetError
from tests.attacks.damaged_archives import (
    SNAPSHOTS,
    articles,
    crawl,
    files,
    flip,
    flip_anywhere,
    problems,
    repaired,
    stored,
)
from tests.newsroom.site import HOUR

#: Flips at random, which hit every part of an archive; `make soak` makes all of them.
FLIPS = 60
FEW_FLIPS = 12


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of a crawl, with a catalogue as it was before the last snapshot beside it."""
    folder = tmp_path_factory.mktemp("sound") / "news"
    crawl(folder, SNAPSHOTS - 1)
    shutil.copy(folder / "catalogue.sqlite", folder.parent / "older.sqlite")
    crawl(folder, 1, (SNAPSHOTS - 1) * HOUR)
    return folder


@pytest.fixture
def news(sound: Path, tmp_path: Path) -> Path:
    """A copy to damage."""
    return Path(shutil.copytree(sound, tmp_path / "news"))


def without_catalogue(folder: Path) -> None:
    for path in folder.glob("catalogue.*"):
        path.unlink()


def with_an_older_catalogue(folder: Path, sound: Path) -> None:
    without_catalogue(folder)
    shutil.copy(sound.parent / "older.sqlite", folder / "catalogue.sqlite")


def with_an_empty_catalogue(folder: Path) -> None:
    without_catalogue(folder)
    (folder / "catalogue.sqlite").touch()


def with_half_a_catalogue(folder: Path) -> None:
    path = folder / "catalogue.sqlite"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def with_a_hole_in_the_catalogue(folder: Path) -> None:
    path = folder / "catalogue.sqlite"
    content = bytearray(path.read_bytes())
    content[20_480:28_672] = bytes(8_192)
    path.write_bytes(content)


def with_other_articles(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "catalogue.sqlite")) as connection, connection:
        connection.execute("UPDATE versions SET article = replace(article, 'the', 'no')")


def without(kind: str) -> Callable[[Path], None]:
    def remove(folder: Path) -> None:
        for path in (folder / kind).iterdir():
            path.unlink()

    return remove


def with_flips(kind: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        for path in (folder / kind).iterdir():
            flip(path, path.stat().st_size // 2)

    return damage


def without_catalogue_and_parquet(folder: Path) -> None:
    without_catalogue(folder)
    without("visits")(folder)
    without("occurrences")(folder)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "no catalogue": without_catalogue,
    "an empty catalogue": with_an_empty_catalogue,
    "half a catalogue": with_half_a_catalogue,
    "a hole in the catalogue": with_a_hole_in_the_catalogue,
    "other articles": with_other_articles,
    "no visits": without("visits"),
    "no occurrences": without("occurrences"),
    "flipped visits": with_flips("visits"),
    "flipped occurrences": with_flips("occurrences"),
    "nothing but WARC": without_catalogue_and_parquet,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_article_is_back_after_damage_to_all_but_the_pages(news: Path, damage: str) -> None:
    before = articles(news)
    DAMAGES[damage](news)

    repaired(news)

    assert articles(news) == before
    assert problems(news) == []


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_crawl_goes_on_after_a_repair_and_archives_nothing_twice(news: Path, damage: str) -> None:
    DAMAGES[damage](news)
    repaired(news)
    before = articles(news)

    crawl(news, 2, SNAPSHOTS * HOUR)

    after = articles(news)
    assert len(after) > len(before)
    assert all(after[key] == said for key, said in before.items())
    assert problems(news) == []


def test_files_of_a_catalogue_that_is_older_are_kept_aside_and_taken_back(news: Path, sound: Path) -> None:
    before = articles(news)
    with_an_older_catalogue(news, sound)
    assert any("not part of any commit" in problem for problem in problems(news))

    with Store.open(news) as archive, archive.writer() as writer:
        moved = writer.set_aside
    assert {path.parent.name for path in moved} >= {"warc", "visits"}
    assert all(path.exists() for path in moved)
    assert any("lost+found/warc/" in problem for problem in problems(news))

    repaired(news)

    assert articles(news) == before
    assert problems(news) == []


@pytest.mark.parametrize("damage", ["missing", "truncated", "flipped"])
def test_articles_whose_bytes_are_intact_survive_damage_to_the_pages(news: Path, damage: str) -> None:
    before, places = articles(news), stored(news)
    path = max((news / "warc").iterdir(), key=lambda path: path.stat().st_size)
    middle = path.stat().st_size // 2
    lost = {"missing": range(path.stat().st_size), "truncated": range(middle, path.stat().st_size), "flipped": [middle]}
    gone = {
        item.key
        for item in places
        if item.warc == path.name and any(at in range(item.offset, item.offset + item.length) for at in lost[damage])
    }

    if damage == "missing":
        path.unlink()
    elif damage == "truncated":
        path.write_bytes(path.read_bytes()[:middle])
    else:
        flip(path, middle)
    done = repaired(news)

    # A row that is intact still says what its page said, but an article is kept only with its page.
    assert {key: said for key, said in before.items() if key not in gone} == articles(news)
    assert done.lost
    assert problems(news) == []


def test_a_damaged_article_is_named_and_the_others_come(news: Path, tmp_path: Path) -> None:
    before = articles(news)
    with closing(sqlite3.connect(news / "catalogue.sqlite")) as connection, connection:
        connection.execute("UPDATE versions SET article = 'x' || article WHERE key = (SELECT min(key) FROM versions)")

    for form in FORMATS:
        damaged: list[DamagedRow] = []
        with Store.open(news) as archive:
            number = export(archive, form, tmp_path / f"out.{form}", on_damage=damaged.append)
        if form != "warc":
            assert number == len(before) - 1
            assert [min(before) in str(error) for error in damaged] == [True]


def test_a_damaged_warc_file_is_named_and_not_exported(news: Path, tmp_path: Path) -> None:
    [*_, path] = sorted((news / "warc").iterdir())
    whole = len(list((news / "warc").iterdir()))
    flip(path, 100)
    damaged: list[DamagedRow] = []

    with Store.open(news) as archive:
        number = export(archive, "warc", tmp_path / "out.warc.gz", on_damage=damaged.append)

    assert number == whole - 1
    assert [path.name in str(error) for error in damaged] == [True]


def use(folder: Path, out: Path) -> None:
    """Do with an archive what a person does; only errors that say what is wrong may come."""
    with Store.open(folder) as archive:
        for form in FORMATS:
            export(archive, form, out / f"out.{form}", overwrite=True, on_damage=lambda _: None)
        archive.status()
        archive.sections()


@pytest.mark.parametrize(
    "seed", [*range(FEW_FLIPS), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(FEW_FLIPS, FLIPS))]
)
def test_a_flipped_bit_anywhere_ends_in_a_named_problem_and_is_repaired(
    news: Path, sound: Path, tmp_path: Path, seed: int
) -> None:
    before, places = articles(news), stored(sound)
    path, at = flip_anywhere(news, random.Random(seed))
    gone = {item.key for item in places if item.warc == path.name and item.offset <= at < item.offset + item.length}

    try:
        named = problems(news)
    except BroadsheetError as error:
        named = [str(error)]
    try:
        use(news, tmp_path)
    except BroadsheetError as error:
        named.append(str(error))
    repaired(news)

    assert named
    assert not any("unexpected" in line for line in named)
    after = articles(news)
    assert {key: said for key, said in before.items() if key not in gone} == after
    assert problems(news) == []


def test_the_parts_of_an_archive_are_all_flipped(sound: Path) -> None:
    hit = {random.Random(seed).choice(files(sound)).parent.name for seed in range(FEW_FLIPS)}

    assert hit >= {"warc", "visits", "occurrences", "news"}
