"""Which files are certainly not pages, told by how their bytes begin."""

_SIGNATURES = (
    (b"%PDF-", "a PDF"),
    (b"\x89PNG\r\n", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"\x00\x00\x01\x00", "a picture (icon)"),
    (b"\x1f\x8b", "a gzip file; unpack it first"),
    (b"BZh", "a bzip2 file; unpack it first"),
    (b"\xfd7zXZ\x00", "an xz file; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "a zstd file; unpack it first"),
    (b"PK\x03\x04", "a zip file or an office document"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip file"),
    (b"WARC/1.", "a WARC file; let its name end in .warc or .warc.gz"),
    (b"SQLite format 3\x00", "a SQLite database"),
    (b"PAR1", "a Parquet file"),
    (b"RIFF", "a picture, a sound or a film (RIFF)"),
    (b"OggS", "a sound or a film (Ogg)"),
    (b"ID3", "a sound (MP3)"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"\x7fELF", "a program"),
    (b"\xd0\xcf\x11\xe0", "an old office document"),
)
#: Pages in UTF-16 and UTF-32 are full of zero bytes, and no reason to refuse them.
_WIDE_STARTS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff", b"<\x00", b"\x00<")
_SAMPLE = 4096
#: Bytes that text has in no encoding of the web; ESC, SO and SI are how the ISO 2022 ones change alphabets.
_CONTROLS = bytes({*range(0x20), 0x7F} - {*b"\t\n\f\r\x0e\x0f\x1b"})
#: Real pages hold a stray one now and then; of random bytes every tenth is one.
_CONTROLS_ALLOWED = 0.02


def foreign(content: bytes) -> str | None:
    """Return what the content is if it cannot be a page, as a person would say it; else None."""
    for signature, kind in _SIGNATURES:
        if content.startswith(signature):
            return kind
    if content[4:8] == b"ftyp":
        return "a film or a picture (MP4)"
    sample = content[:_SAMPLE]
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    # However short the page, one stray byte is no reason to refuse it.
    if not content.startswith(_WIDE_STARTS) and controls > max(1, _CONTROLS_ALLOWED * len(sample)):
        return "a binary file"
    return None
