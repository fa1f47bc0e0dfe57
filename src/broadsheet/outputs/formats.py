"""The formats that articles are written in, and which of them the name of a file asks for."""

from pathlib import Path

from broadsheet.base.errors import InputError

#: All that the writers know; of these, only Parquet is not text.
FORMATS = ("jsonl", "json", "csv", "parquet", "md", "text", "tei")
PARQUET = "parquet"
#: What an archive's exchanges are written in.
WARC = "warc"

SUFFIXES = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".parquet": PARQUET,
    ".md": "md",
    ".txt": "text",
    ".xml": "tei",
    ".tei": "tei",
    ".warc": WARC,
    ".warc.gz": WARC,
}
_COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".zip")


class FormatError(InputError):
    """The format of a file is not said, or is said in two ways that contradict each other."""


def chosen(form: str | None, out: Path, formats: tuple[str, ...] = FORMATS) -> str:
    """Return the format to write a file in: the one that was asked for, or that the file's name ends in."""
    name = out.name.lower()
    suffix = next((suffix for suffix in SUFFIXES if name.endswith(suffix)), None)
    told = SUFFIXES[suffix] if suffix else None
    if suffix and form not in {None, told}:
        raise FormatError(f"{out}: ends in {suffix}, which is {told}, but {form} was asked for; change one of the two")
    if told is None and name.endswith(_COMPRESSED):
        raise FormatError(f"{out}: only .warc.gz is written compressed; leave out {out.suffix}")
    found = form or told
    if found not in formats:
        endings = ", ".join(suffix for suffix, form in SUFFIXES.items() if form in formats)
        raise FormatError(f"{out}: name the format with -f ({', '.join(formats)}), or end the name in {endings}")
    return found
