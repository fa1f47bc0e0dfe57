"""Accuracy of charset detection on undeclared encodings: `python -m benchmarks.charsets PAGES`.

PAGES holds `<corpus>.tar.xz` with `html/<id>.html` in UTF-8 and `labels.jsonl`. Pages of a known language are written
in the encodings that were used for it before UTF-8, their declarations struck out, and given to each detector as bytes.
An answer is right if a browser would show the same text.

`--declared` asks instead what becomes of declarations. Those of the pages in old encodings are true; those of the
files, which are all UTF-8, are false where they name another charset.
"""

import argparse
import json
import re
import sys
import tarfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import webencodings

from broadsheet.document.decoding import decode

MAX_PER_CORPUS = 6
ENCODINGS = {
    "ar": ("windows-1256",),
    "cs": ("windows-1250",),
    "de": ("windows-1252",),
    "el": ("windows-1253", "iso-8859-7"),
    "en": ("windows-1252",),
    "fr": ("windows-1252",),
    "he": ("windows-1255",),
    "ja": ("shift_jis", "euc-jp"),
    "ko": ("euc-kr",),
    "pl": ("iso-8859-2", "windows-1250"),
    "ru": ("windows-1251", "koi8-r"),
    "tr": ("windows-1254",),
    "uk": ("windows-1251",),
    "zh": ("gb18030", "big5"),
}
Detector = Callable[[bytes], str | None]
Label = dict[str, str | None]


class Case(NamedTuple):
    """One page in one encoding."""

    encoding: str
    page: bytes


def read_corpus(archive: Path) -> tuple[dict[str, bytes], list[Label]]:
    """Return the pages of a corpus and their labels."""
    pages: dict[str, bytes] = {}
    labels: list[Label] = []
    with tarfile.open(archive, "r|xz") as members:
        for member in members:
            file = members.extractfile(member) if member.isfile() else None
            if file and member.name.endswith(".html"):
                pages[PurePosixPath(member.name).stem] = file.read()
            elif file and member.name.endswith("labels.jsonl"):
                labels = [json.loads(line) for line in file]
    return pages, labels


def cases(pages: dict[str, bytes], labels: list[Label]) -> Iterator[Case]:
    """Yield the pages of a corpus in the old encodings of their languages, a few for each encoding."""
    counts_so_far: dict[str, int] = {}
    for row in labels:
        text = re.sub("(?i)charset|encoding", "undeclared", pages[str(row["id"])].decode("utf-8", "ignore"))
        for encoding in ENCODINGS.get((row["lang"] or "")[:2], ()):
            page = text.encode(encoding, "ignore")
            if counts_so_far.get(encoding, 0) < MAX_PER_CORPUS and not page.isascii():
                counts_so_far[encoding] = counts_so_far.get(encoding, 0) + 1
                yield Case(encoding, page)


def detectors() -> dict[str, Detector]:
    """Return our detector and the installed peers; each returns the name of an encoding."""
    available: dict[str, Detector] = {"broadsheet": lambda page: decode(page).encoding}
    for name, module in (
        ("chardet", "chardet"),
        ("faust-cchardet", "cchardet"),
        ("charset-normalizer", "charset_normalizer"),
    ):
        try:
            detect = import_module(module).detect
        except ImportError:
            print(f"{name} is not installed and left out", file=sys.stderr)
            continue
        available[name] = partial(_detect_with, detect)
    return available


def _detect_with(detect: Callable[[bytes], dict[str, str | None]], page: bytes) -> str | None:
    return detect(page)["encoding"]


def decode_as(label: str | None, page: bytes) -> str | None:
    """Decode a page as a browser would in this encoding."""
    encoding = webencodings.lookup(label or "")
    return str(encoding.codec_info.decode(page, "replace")[0]) if encoding else None


def print_declared(archives: list[Path]) -> None:
    """Print how many true declarations are believed, and how many false ones are not."""
    true = believed = false = doubted = 0
    for archive in archives:
        pages, labels = read_corpus(archive)
        for encoding, page in cases(pages, labels):
            true += 1
            believed += decode(page, content_type=f"text/html; charset={encoding}").source == "transport"
        for page in pages.values():
            declared = decode(re.sub(rb"[\x80-\xff]+", b"", page))
            if not page.isascii() and declared.source == "meta" and declared.encoding != "utf-8":
                false += 1
                doubted += decode(page).encoding == "utf-8"
    print(f"{believed} of {true} pages in old encodings are read as they declare")
    print(f"{doubted} of {false} pages that are UTF-8 and declare another charset are read as UTF-8")


def main() -> int:
    """Run the command and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.charsets", description=__doc__)
    parser.add_argument("pages", type=Path, help="a folder with <corpus>.tar.xz")
    parser.add_argument("--declared", action="store_true", help="ask what becomes of declarations")
    options = parser.parse_args()
    archives = sorted(options.pages.glob("*.tar.xz"))
    if options.declared:
        print_declared(archives)
        return 0
    samples = [case for archive in archives for case in cases(*read_corpus(archive))]
    if not samples:
        parser.error("no pages of a known language there")
    names = sorted({case.encoding for case in samples})
    counts = [sum(case.encoding == name for case in samples) for name in names]
    print(f"| detector | right of {len(samples)} | ms a page | " + " | ".join(names) + " |")
    print("|" + "---|" * (3 + len(names)))
    print("| pages | | | " + " | ".join(map(str, counts)) + " |")
    for name, detector in detectors().items():
        started = time.process_time()
        answers = [detector(case.page) for case in samples]
        ms = 1000 * (time.process_time() - started) / len(samples)
        hits = [
            (case.encoding, decode_as(answer, case.page) == decode_as(case.encoding, case.page))
            for case, answer in zip(samples, answers, strict=True)
        ]
        cells = [str(sum(hit for encoding, hit in hits if encoding == wanted)) for wanted in names]
        print(
            f"| {name} | {sum(hit for _, hit in hits) / len(samples):.3f} | {ms:.1f} | " + " | ".join(cells) + " |",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
