"""Bytes to UTF-8, in the order that the WHATWG gives: byte order mark, transport, `meta`, detection, windows-1252.

One thing differs from the standard: what is valid UTF-8 is read as UTF-8 where the transport or `meta` says otherwise.
"""

import re
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

import webencodings
from chardetng_py import EncodingDetector

from broadsheet.base.errors import InputError

EncodingSource = Literal["caller", "text", "byte order mark", "transport", "meta", "detection", "default"]

#: A `meta` further down is not looked for; browsers stop much earlier.
PRESCAN_BYTES = 65_536
#: What the detector reads at most: it takes about a tenth of a millisecond per kilobyte.
DETECTION_BYTES = 200_000
#: How much ASCII before the first foreign character of a run it reads with it.
CONTEXT_BYTES = 32
FALLBACK = "windows-1252"
#: Fewer continuation bytes than this can be valid UTF-8 by chance in a charset of two-byte characters.
LEAST_CONTINUATION_BYTES = 8
TWO_BYTE_CHARSETS = frozenset({"big5", "euc-jp", "euc-kr", "gb18030", "gbk", "shift_jis"})

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
_OPENING = re.compile(rb"<(?:(!--)|meta[\s/]|(script|style|title)\b)")
_FOREIGN = re.compile(rb"[\x80-\xff]")
_UP_TO_TAG = re.compile(rb"[^<>\r\n]*+")
# Names begin where something else ended, and are never tried again from their middle: that would be quadratic.
_ATTRIBUTE = re.compile(rb"""(?<![^\s/"'])([^\s=/"']++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s>]+))""")
_CHARSET = re.compile(rb"""charset\s*+=\s*+["']?+\s*+([^\s;"']++)""")
_XML = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([^"']+)""")


class Decoded(NamedTuple):
    """A page as UTF-8, the encoding it came in, and what told us so."""

    data: bytes
    encoding: str
    source: EncodingSource


def decode(
    page: bytes | str, *, encoding: str | None = None, content_type: str | None = None, url: str | None = None
) -> Decoded:
    """Return the page as UTF-8; bytes that make no sense become replacement characters, never an error."""
    if encoding and webencodings.lookup(encoding) is None:
        raise InputError(f"unknown encoding: {encoding!r}")
    if isinstance(page, str):
        return Decoded(_encoded(page), "utf-8", "text")
    mark, marked = next(((mark, name) for mark, name in _MARKS if page.startswith(mark)), (b"", None))
    certain: tuple[tuple[str | None, EncodingSource], ...] = ((encoding, "caller"), (marked, "byte order mark"))
    for label, source in certain:
        if label and (found := webencodings.lookup(label)):
            return _to_utf8(page[len(mark) :], found, source)
    if found := webencodings.lookup(_charset_of(content_type) or ""):
        return _as_declared(page, found, "transport")
    if found := _meta_encoding(page[:PRESCAN_BYTES]):
        return _as_declared(page, found, "meta")
    return _detect(page, url)


def _as_declared(page: bytes, declared: webencodings.Encoding, source: EncodingSource) -> Decoded:
    if _is_utf8_all_the_same(page, declared):
        return Decoded(page, "utf-8", "detection")
    return _to_utf8(page, declared, source)


def _is_utf8_all_the_same(page: bytes, declared: webencodings.Encoding) -> bool:
    """Say whether a page was saved as UTF-8 by a program that left its old declaration as it was.

    Text in another charset is practically never valid UTF-8, except for a few characters of two bytes each.
    """
    if page.isascii() or declared.name.startswith("utf-"):
        return False
    try:
        text = page.decode("utf-8")
    except UnicodeDecodeError:
        return False
    if declared.name not in TWO_BYTE_CHARSETS or len(page) - len(text) >= LEAST_CONTINUATION_BYTES:
        return True
    return "\ufffd" in declared.codec_info.decode(page, "replace")[0]


def _to_utf8(page: bytes, encoding: webencodings.Encoding, source: EncodingSource) -> Decoded:
    if encoding.name == "utf-8":
        # Malformed sequences are left to the parser, which replaces them as the standard says.
        return Decoded(page, "utf-8", source)
    text = encoding.codec_info.decode(page, "replace")[0]
    return Decoded(_encoded(text), encoding.name, source)


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        # Halves of surrogate pairs, which make sense only as UTF-16 and there as a whole.
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def _charset_of(content_type: str | None) -> str | None:
    charset = _CHARSET.search((content_type or "").lower().encode("ascii", "replace"))
    return charset[1].decode() if charset else None


def _meta_encoding(head: bytes) -> webencodings.Encoding | None:
    head = head.lower()
    # Most pages without a declaration are spared the search.
    at = 0 if b"charset" in head else len(head)
    while opening := _OPENING.search(head, at):
        end_mark = b"-->" if opening[1] else b"</" + opening[2] if opening[2] else b">"
        end = head.find(end_mark, opening.end())
        if opening[0].startswith(b"<meta") and (
            found := _lookup_declared(_charset_in_meta(head[opening.end() : end if end >= 0 else len(head)]))
        ):
            return found
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
    found = webencodings.lookup(label.decode("ascii", "replace")) if label else None
    if found and found.name.startswith("utf-16"):
        # We could read the declaration as ASCII, so the page cannot be in what it declares.
        return webencodings.UTF8
    return webencodings.lookup(FALLBACK) if found and found.name == "x-user-defined" else found


def _detect(page: bytes, url: str | None) -> Decoded:
    try:
        page.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return Decoded(page, "utf-8", "detection")
    detector = EncodingDetector()
    detector.feed(_telling_text(page), last=True)
    found = webencodings.lookup(detector.guess(tld=_top_level_domain(url), allow_utf8=False))
    if found is None:
        return _to_utf8(page, webencodings.lookup(FALLBACK), "default")
    return _to_utf8(page, found, "detection")


def _telling_text(page: bytes) -> bytes:
    """Return the runs of text with other than ASCII in them: markup tells nothing and would take ten times as long."""
    runs: list[bytes] = []
    size = at = 0
    while size < DETECTION_BYTES and (foreign := _FOREIGN.search(page, at)):
        before = page[max(at, foreign.start() - CONTEXT_BYTES) : foreign.start()]
        end = _UP_TO_TAG.match(page, foreign.start(), foreign.start() + DETECTION_BYTES)
        at = end.end() if end else foreign.end()
        runs.append(re.split(rb"[<>\r\n]", before)[-1] + page[foreign.start() : at])
        size += len(runs[-1]) + 1
    return b"\n".join(runs)


def _top_level_domain(url: str | None) -> bytes | None:
    """Return the last label of the host, which tells the detector which languages are likely."""
    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:
        return None
    label = host.rpartition(".")[2]
    return label.encode() if label.isascii() and label.isalpha() else None
