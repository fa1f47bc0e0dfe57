"""Decode pages to UTF-8.

The encoding is determined in the order of the WHATWG standard: byte order mark, transport, `meta`, detection, then
windows-1252 as the fallback. There is one difference: valid UTF-8 is read as UTF-8 even if the transport or `meta`
declares another charset.
"""

import re
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

import webencodings
from chardetng_py import EncodingDetector

from broadsheet.base.errors import InputError

EncodingSource = Literal["caller", "text", "byte order mark", "transport", "meta", "detection", "default"]

#: How far into the page to look for a `meta` declaration; browsers stop much earlier.
PRESCAN_BYTES = 65_536
#: How much the detector reads at most: it takes about a tenth of a millisecond per kilobyte.
DETECTION_BYTES = 200_000
#: How much ASCII the detector reads as context before the first non-ASCII byte of a run.
CONTEXT_BYTES = 32
FALLBACK = "windows-1252"
#: Fewer continuation bytes than this can be valid UTF-8 by chance in a charset of two-byte characters.
MIN_CONTINUATION_BYTES = 8
TWO_BYTE_CHARSETS = frozenset({"big5", "euc-jp", "euc-kr", "gb18030", "gbk", "shift_jis"})

_BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
_OPENING = re.compile(rb"<(?:(!--)|meta[\s/]|(script|style|title)\b)")
_NON_ASCII = re.compile(rb"[\x80-\xff]")
_UP_TO_TAG = re.compile(rb"[^<>\r\n]*+")
# A name can only begin at a boundary: retrying the match from the middle of a name would be quadratic.
_ATTRIBUTE = re.compile(rb"""(?<![^\s/"'])([^\s=/"']++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s>]+))""")
_CHARSET = re.compile(rb"""charset\s*+=\s*+["']?+\s*+([^\s;"']++)""")
_XML = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([^"']+)""")


class Decoded(NamedTuple):
    """A page as UTF-8, with its original encoding and how that was determined."""

    data: bytes
    encoding: str
    source: EncodingSource


def decode(
    page: bytes | str, *, encoding: str | None = None, content_type: str | None = None, url: str | None = None
) -> Decoded:
    """Return the page as UTF-8; invalid bytes become replacement characters and never raise."""
    if encoding and webencodings.lookup(encoding) is None:
        raise InputError(f"unknown encoding: {encoding!r}")
    if isinstance(page, str):
        return Decoded(_to_utf8_bytes(page), "utf-8", "text")
    mark, marked = next(((mark, name) for mark, name in _BYTE_ORDER_MARKS if page.startswith(mark)), (b"", None))
    certain: tuple[tuple[str | None, EncodingSource], ...] = ((encoding, "caller"), (marked, "byte order mark"))
    for label, source in certain:
        if label and (known := webencodings.lookup(label)):
            return _decode_as(page[len(mark) :], known, source)
    if known := webencodings.lookup(_charset_of(content_type) or ""):
        return _decode_declared(page, known, "transport")
    if known := _meta_encoding(page[:PRESCAN_BYTES]):
        return _decode_declared(page, known, "meta")
    return _detect(page, url)


def _decode_declared(page: bytes, declared: webencodings.Encoding, source: EncodingSource) -> Decoded:
    if _is_utf8_despite(page, declared):
        return Decoded(page, "utf-8", "detection")
    return _decode_as(page, declared, source)


def _is_utf8_despite(page: bytes, declared: webencodings.Encoding) -> bool:
    """Return whether a page was saved as UTF-8 by a program that kept its old declaration.

    Text in another charset is practically never valid UTF-8, except for a few two-byte characters.
    """
    if page.isascii() or declared.name.startswith("utf-"):
        return False
    try:
        text = page.decode("utf-8")
    except UnicodeDecodeError:
        return False
    if declared.name not in TWO_BYTE_CHARSETS or len(page) - len(text) >= MIN_CONTINUATION_BYTES:
        return True
    return "\ufffd" in declared.codec_info.decode(page, "replace")[0]


def _decode_as(page: bytes, encoding: webencodings.Encoding, source: EncodingSource) -> Decoded:
    if encoding.name == "utf-8":
        # The parser replaces malformed sequences as the standard requires.
        return Decoded(page, "utf-8", source)
    text = encoding.codec_info.decode(page, "replace")[0]
    return Decoded(_to_utf8_bytes(text), encoding.name, source)


def _to_utf8_bytes(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        # Lone surrogates are replaced; pairs of them are joined into the character they encode.
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def _charset_of(content_type: str | None) -> str | None:
    charset = _CHARSET.search((content_type or "").lower().encode("ascii", "replace"))
    return charset[1].decode() if charset else None


def _meta_encoding(head: bytes) -> webencodings.Encoding | None:
    head = head.lower()
    # Skip the search for most pages without a declaration.
    at = 0 if b"charset" in head else len(head)
    while opening := _OPENING.search(head, at):
        end_mark = b"-->" if opening[1] else b"</" + opening[2] if opening[2] else b">"
        end = head.find(end_mark, opening.end())
        if opening[0].startswith(b"<meta") and (
            encoding := _lookup_declared(_charset_in_meta(head[opening.end() : end if end >= 0 else len(head)]))
        ):
            return encoding
        if end < 0:
            break
        at = end
    declaration = _XML.match(head)
    return _lookup_declared(declaration[1]) if declaration else None


def _charset_in_meta(attributes: bytes) -> bytes | None:
    values = {match[1]: match[2] or match[3] or match[4] or b"" for match in _ATTRIBUTE.finditer(attributes)}
    if charset := values.get(b"charset"):
        return charset
    if values.get(b"http-equiv") == b"content-type" and (match := _CHARSET.search(values.get(b"content", b""))):
        return match[1]
    return None


def _lookup_declared(label: bytes | None) -> webencodings.Encoding | None:
    encoding = webencodings.lookup(label.decode("ascii", "replace")) if label else None
    if encoding and encoding.name.startswith("utf-16"):
        # The declaration was readable as ASCII, so the page cannot be in UTF-16.
        return webencodings.UTF8
    return webencodings.lookup(FALLBACK) if encoding and encoding.name == "x-user-defined" else encoding


def _detect(page: bytes, url: str | None) -> Decoded:
    try:
        page.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return Decoded(page, "utf-8", "detection")
    detector = EncodingDetector()
    detector.feed(_non_ascii_text(page), last=True)
    guess = webencodings.lookup(detector.guess(tld=_top_level_domain(url), allow_utf8=False))
    if guess is None:
        return _decode_as(page, webencodings.lookup(FALLBACK), "default")
    return _decode_as(page, guess, "detection")


def _non_ascii_text(page: bytes) -> bytes:
    """Return the runs of text that contain non-ASCII bytes: the rest does not help and takes ten times as long."""
    runs: list[bytes] = []
    size = at = 0
    while size < DETECTION_BYTES and (non_ascii := _NON_ASCII.search(page, at)):
        before = page[max(at, non_ascii.start() - CONTEXT_BYTES) : non_ascii.start()]
        end = _UP_TO_TAG.match(page, non_ascii.start(), non_ascii.start() + DETECTION_BYTES)
        at = end.end() if end else non_ascii.end()
        runs.append(re.split(rb"[<>\r\n]", before)[-1] + page[non_ascii.start() : at])
        size += len(runs[-1]) + 1
    return b"\n".join(runs)


def _top_level_domain(url: str | None) -> bytes | None:
    """Return the last label of the host, which hints to the detector which languages are likely."""
    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:
        return None
    label = host.rpartition(".")[2]
    return label.encode() if label.isascii() and label.isalpha() else None
