"""Numbers of bytes as people write them: 500k, 10M, 1G."""

import re
from argparse import ArgumentTypeError

_UNITS = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000, "t": 1_000_000_000_000}
_MIN_SIZE = 1_000


def byte_size(text: str) -> int:
    """Return a number of bytes, for an option; less than 1k is refused."""
    match = re.fullmatch(r"([0-9]{1,15})\s*([kmgt]?)b?", text.strip(), re.IGNORECASE | re.ASCII)
    size = int(match[1]) * _UNITS[match[2].lower()] if match else 0
    if size < _MIN_SIZE:
        raise ArgumentTypeError(f"{text!r} is not a size of at least 1k; write 500k, 10M or 1G")
    return size
