"""Which code and which models something was made with, so that it is never taken for the work of others."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

PACKAGE = Path(__file__).parents[1]

_SOURCES = frozenset({".py", ".pyx", ".h"})
_COMPILED = frozenset({".so", ".pyd"})
#: What is made from the sources, or says nothing to a running program.
_NEITHER = frozenset({".c", ".pyi", ".pyc", ".typed"})


@dataclass(frozen=True, slots=True)
class Provenance:
    """Digests of what some rooms of the package consist of.

    Sources and models are the same on every machine. What is compiled is not, but it is what runs: where it was built
    from older sources, these alone would say the wrong thing.
    """

    code: str
    models: str
    compiled: str

    @property
    def key(self) -> str:
        """One digest of all three."""
        return digest_of([part.encode() for part in (self.code, self.models, self.compiled)])

    def to_dict(self) -> dict[str, str]:
        """Return the digests in plain types."""
        return asdict(self)

    def __str__(self) -> str:
        """Return the digests as a person reads them in a report."""
        return f"code {self.code}, models {self.models}"


def provenance(rooms: Iterable[str], package: Path = PACKAGE) -> Provenance:
    """Return the provenance of what these rooms make, which must be all that it takes to make it."""
    files = sorted(path for room in set(rooms) for path in (package / room).rglob("*") if path.is_file())
    known = _SOURCES | _COMPILED | _NEITHER
    return Provenance(
        code=digest_files([path for path in files if path.suffix in _SOURCES], package),
        models=digest_files([path for path in files if path.suffix not in known], package),
        compiled=digest_files([path for path in files if path.suffix in _COMPILED], package),
    )


def digest_files(files: Iterable[Path], root: Path) -> str:
    """Return a digest of files, by their names below a folder and their content."""
    return digest_of(part for path in files for part in (str(path.relative_to(root)).encode(), path.read_bytes()))


def digest_of(parts: Iterable[bytes]) -> str:
    """Return a digest of some bytes, which is another where the same bytes are divided otherwise."""
    whole = sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "big"))
        whole.update(part)
    return whole.hexdigest()[:16]
