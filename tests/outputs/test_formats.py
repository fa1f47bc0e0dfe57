"""The name of a file says its format, and is not contradicted."""

from pathlib import Path

import pytest

from broadsheet.outputs.formats import FORMATS, WARC, FormatError, choose_format

NAMES = [
    ("a.jsonl", "jsonl"),
    ("a.ndjson", "jsonl"),
    ("a.json", "json"),
    ("a.CSV", "csv"),
    ("a.parquet", "parquet"),
    ("a.md", "md"),
    ("a.txt", "text"),
    ("a.xml", "tei"),
    ("a.tei.xml", "tei"),
]


@pytest.mark.parametrize(("name", "form"), NAMES)
def test_the_suffix_chooses(name: str, form: str) -> None:
    assert choose_format(None, Path(name)) == choose_format(form, Path(name)) == form


@pytest.mark.parametrize(("name", "form"), [*NAMES, ("a.warc", WARC), ("a.warc.gz", WARC)])
def test_a_contradiction_is_refused_in_one_line(name: str, form: str) -> None:
    other = "csv" if form != "csv" else "json"

    with pytest.raises(
        FormatError, match=rf"^{name}: ends in \.\S+, which means {form}, but {other} was asked for"
    ) as told:
        choose_format(other, Path(name), (*FORMATS, WARC))
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("name", ["out", "a.html", "csv", ".hidden"])
def test_another_name_needs_the_format(name: str) -> None:
    assert choose_format("csv", Path(name)) == "csv"
    with pytest.raises(FormatError, match=r"name the format with -f .*, or end the name in \.jsonl, "):
        choose_format(None, Path(name))


@pytest.mark.parametrize("name", ["a.csv.gz", "a.gz", "a.jsonl.zst", "a.warc.zst"])
def test_a_compressed_file_that_would_not_be_one_is_refused(name: str) -> None:
    with pytest.raises(FormatError, match=r"only \.warc\.gz is written compressed"):
        choose_format("csv", Path(name), (*FORMATS, WARC))


def test_a_format_that_the_command_lacks_is_not_named_as_one() -> None:
    with pytest.raises(FormatError, match="name the format") as told:
        choose_format(None, Path("a.warc.gz"))
    assert ".warc" not in str(told.value).removeprefix("a.warc.gz")
