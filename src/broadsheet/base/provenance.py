"""Digests of the code and models behind a result, so that stale results are recognised."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

PACKAGE = Path(__file__).parents[1]

_SOURCES = frozenset({".py", ".pyx", ".h"})
_COMPILED = frozenset({".so", ".pyd"})
#: Generated from the sources, or unused at run time.
_IGNORED = frozenset({".c", ".pyi", ".pyc", ".typed"})


@dataclass(frozen=True, slots=True)
class Provenance:
    """Digests of the files of some subpackages.

    Sources and models are the same on every machine. Compiled files are not, but they are what runs: if they were
    built from older sources, the sources alone would mislead.
    """

    code: str
    models: str
    compiled: str

    @property
    def key(self) -> str:
        """One digest of all three."""
        return digest_of([part.encode() for part in (self.code, self.models, self.compiled)])

    def to_dict(self) -> dict[str, str]:
        """Return the digests as a dictionary."""
        return asdict(self)

    def __str__(self) -> str:
        """Return the digests as shown in a report."""
        return f"code {self.code}, models {self.models}"


def provenance(rooms: Iterable[str], package: Path = PACKAGE) -> Provenance:
    """Return the provenance of results made by these subpackages, which must be all that take part."""
    files = sorted(path for room in set(rooms) for path in (package / room).rglob("*") if path.is_file())
    known = _SOURCES | _COMPILED | _IGNORED
    return Provenance(
        code=digest_files([path for path in files if path.suffix in _SOURCES], package),
        models=digest_files([path for path in files if path.suffix not in known], package),
        compiled=digest_files([path for path in files if path.suffix in _COMPILED], package),
    )


def digest_files(files: Iterable[Path], root: Path) -> str:
    """Return a digest of files: their paths relative to a folder, and their content."""
    return digest_of(part for path in files for part in (str(path.relative_to(root)).encode(), path.read_bytes()))


def digest_of(parts: Iterable[bytes]) -> str:
    """Return a digest of some byte strings; it depends on where one ends and the next begins."""
    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()[:16]
