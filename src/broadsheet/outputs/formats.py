"""Output formats, and how a file name chooses one."""

from pathlib import Path

from broadsheet.base.errors import InputError

#: The formats that the writers know; all but Parquet are text.
FORMATS = ("jsonl", "json", "csv", "parquet", "md", "text", "tei")
PARQUET = "parquet"
#: The formats of feeds, which hold the newest articles.
RSS, ATOM = "rss", "atom"
FEEDS = (RSS, ATOM)
#: The format for all HTTP exchanges of an archive.
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
    ".rss": RSS,
    ".atom": ATOM,
    ".warc": WARC,
    ".warc.gz": WARC,
}
_COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".zip")


class FormatError(InputError):
    """The format of a file is missing, or stated in two ways that contradict each other."""


def choose_format(form: str | None, out: Path, formats: tuple[str, ...] = FORMATS) -> str:
    """Return the format to write a file in: the requested one, or the one its suffix stands for."""
    name = out.name.lower()
    suffix = next((suffix for suffix in SUFFIXES if name.endswith(suffix)), None)
    implied = SUFFIXES[suffix] if suffix else None
    if suffix == ".xml" and form in FEEDS:
        # Feeds are XML, too, and mostly named so.
        implied = form
    if suffix and form not in {None, implied}:
        raise FormatError(
            f"{out}: ends in {suffix}, which means {implied}, but {form} was asked for; change one of the two"
        )
    if implied is None and name.endswith(_COMPRESSED):
        raise FormatError(f"{out}: only .warc.gz is written compressed; leave out {out.suffix}")
    choice = form or implied
    if choice not in formats:
        endings = ", ".join(suffix for suffix, form in SUFFIXES.items() if form in formats)
        raise FormatError(f"{out}: name the format with -f ({', '.join(formats)}), or end the name in {endings}")
    return choice
