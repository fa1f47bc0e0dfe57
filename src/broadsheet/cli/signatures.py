"""Recognise files that are not pages by their first bytes."""

_SIGNATURES = (
    (b"%PDF-", "a PDF"),
    (b"\x89PNG\r\n", "an image (PNG)"),
    (b"\xff\xd8\xff", "an image (JPEG)"),
    (b"GIF8", "an image (GIF)"),
    (b"\x00\x00\x01\x00", "an image (icon)"),
    (b"\x1f\x8b", "a gzip file; unpack it first"),
    (b"BZh", "a bzip2 file; unpack it first"),
    (b"\xfd7zXZ\x00", "an xz file; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "a zstd file; unpack it first"),
    (b"PK\x03\x04", "a zip file or an office document"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip file"),
    (b"WARC/1.", "a WARC file; rename it to end in .warc or .warc.gz"),
    (b"SQLite format 3\x00", "a SQLite database"),
    (b"PAR1", "a Parquet file"),
    (b"RIFF", "an image, audio or video file (RIFF)"),
    (b"OggS", "an audio or video file (Ogg)"),
    (b"ID3", "an audio file (MP3)"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"\x7fELF", "a program"),
    (b"\xd0\xcf\x11\xe0", "an old office document"),
)
#: Pages in UTF-16 and UTF-32 are full of zero bytes, which would otherwise look binary.
_WIDE_STARTS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff", b"<\x00", b"\x00<")
_SAMPLE = 4096
#: Control bytes that no web encoding uses for text; ISO 2022 encodings switch character sets with ESC, SO and SI.
_CONTROLS = bytes({*range(0x20), 0x7F} - {*b"\t\n\f\r\x0e\x0f\x1b"})
#: Real pages contain a stray control byte now and then; of random bytes, about one in ten is a control byte.
_CONTROLS_ALLOWED = 0.02


def non_page_kind(content: bytes) -> str | None:
    """Describe the content if it cannot be a page; return None otherwise."""
    for signature, kind in _SIGNATURES:
        if content.startswith(signature):
            return kind
    if content[4:8] == b"ftyp":
        return "a video or an image (MP4)"
    sample = content[:_SAMPLE]
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    # One stray byte is allowed even in a very short page.
    if not content.startswith(_WIDE_STARTS) and controls > max(1, _CONTROLS_ALLOWED * len(sample)):
        return "a binary file"
    return None
