"""Host names in ASCII, as they go into a request."""

import re
import unicodedata
from functools import lru_cache
from ipaddress import AddressValueError, IPv6Address
from urllib.parse import unquote

# The limits of the DNS; they also keep punycode, which takes more than linear time, harmless.
_LONGEST_HOST = 253
_LONGEST_LABEL = 63

_ASCII_HOST = re.compile(r"[a-z0-9_-][a-z0-9._-]*").fullmatch
# A full stop that browsers map to a dot, and the characters that they ignore.
_MAPPED = str.maketrans({"\u3002": ".", "\u00ad": None, "\u200b": None, "\u2060": None, "\ufeff": None})


def ascii_host(host: str) -> str | None:
    """Return the host in lower-case ASCII (IPv6 addresses keep their brackets), or None if it is not a valid host."""
    if host.isascii() and "%" not in host:
        name = host.lower()
    elif len(host) <= 3 * _LONGEST_HOST:
        name = _punycoded(unquote(host, errors="replace"))
    else:
        return None
    if name[:1] == "[":
        return name if _is_ipv6(name) else None
    return name if len(name) <= _LONGEST_HOST and _ASCII_HOST(name) else None


def _is_ipv6(bracketed: str) -> bool:
    # A zone names a network interface of one machine, which is meaningless in a link.
    if bracketed[-1] != "]" or "%" in bracketed:
        return False
    try:
        IPv6Address(bracketed[1:-1])
    except AddressValueError:
        return False
    return True


# A page mostly links to few hosts, and the standard library's punycode is slow.
@lru_cache(maxsize=4096)
def _punycoded(host: str) -> str:
    # The standard library's codec follows IDNA 2003, which turns ß into ss and so names a different site than
    # browsers do: they keep ß, ς and the joiners, and otherwise map much as NFKC and lower case do.
    # Lower-casing each character separately keeps Python from choosing a final sigma by its context.
    folded = "".join([character.lower() for character in unicodedata.normalize("NFKC", host)])
    labels = unicodedata.normalize("NFC", folded).translate(_MAPPED).split(".")
    if max(map(len, labels)) > _LONGEST_LABEL:
        return ""
    return ".".join([x if x.isascii() else "xn--" + x.encode("punycode").decode("ascii") for x in labels])
