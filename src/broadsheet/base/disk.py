"""What an operating system means when it refuses to write, in words that say what to do."""

import errno

_REASONS = {
    errno.ENOSPC: "the disk is full; make room and run it again",
    errno.EDQUOT: "the disk quota is used up; make room and run it again",
    errno.EFBIG: "the file would be larger than this system allows",
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "there is no permission to write there",
    errno.EPERM: "there is no permission to write there",
    errno.EIO: "the disk reported an error",
}
FULL = _REASONS[errno.ENOSPC]


def reason(error: OSError) -> str:
    """Return why something could not be written."""
    return _REASONS.get(error.errno or 0) or error.strerror or str(error)
