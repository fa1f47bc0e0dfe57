"""Systems and pages that need no peer."""

import sys
import tarfile
from io import BytesIO
from pathlib import Path

import pytest

# Without the repository on the path, this folder would shadow the package of the same name.
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))


def page(paragraphs: int) -> bytes:
    return b"<html><head><title>T</title></head><body>" + b"<p>Some text</p>" * paragraphs + b"</body></html>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three corpora of 8, 4 and 2 pages, unpacked."""
    for corpus, count in {"big": 8, "middle": 4, "small": 2}.items():
        html = tmp_path / "pages" / corpus / "html"
        html.mkdir(parents=True)
        for number in range(count):
            (html / f"{number}.html").write_bytes(page(number + 1))
        (html.parent / "labels.jsonl").write_text("{}\n")
    return tmp_path / "pages"


@pytest.fixture
def packed(folder: Path, tmp_path: Path) -> Path:
    """The same three corpora as archives, with other files besides the pages."""
    target = tmp_path / "packed"
    target.mkdir()
    for corpus in folder.iterdir():
        with tarfile.open(target / f"{corpus.name}.tar.xz", "w:xz") as archive:
            archive.add(corpus, corpus.name)
            note = tarfile.TarInfo(f"{corpus.name}/note.html")
            note.size = 3
            archive.addfile(note, BytesIO(b"no\n"))
    return target
