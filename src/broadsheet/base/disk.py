"""Plain-English reasons for failed writes, with advice."""

import errno

_REASONS = {
    errno.ENOSPC: "the disk is full; free some space and run it again",
    errno.EDQUOT: "the disk quota is used up; free some space and run it again",
    errno.EFBIG: "the file would be larger than this system allows",
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "there is no permission to write there",
    errno.EPERM: "there is no permission to write there",
    errno.EIO: "the disk reported an error",
}
FULL = _REASONS[errno.ENOSPC]


def reason(error: OSError) -> str:
    """Return why a write failed."""
    return _REASONS.get(error.errno or 0) or error.strerror or str(error)
