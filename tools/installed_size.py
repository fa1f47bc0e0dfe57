"""Report the size of this Python's environment, and fail if it exceeds a limit.

pip and setuptools do not count: they come with the environment.
"""

import argparse
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

_PREINSTALLED = {"pip", "setuptools", "_distutils_hack", "distutils", "pkg_resources", "wheel"}


def installed(folder: Path) -> list[Path]:
    """Return the entries of a site-packages folder, except the preinstalled ones."""
    return [entry for entry in sorted(folder.iterdir()) if entry.name.partition("-")[0] not in _PREINSTALLED]


def mebibytes(entries: Sequence[Path]) -> float:
    """Return the size of files and folders, in MiB."""
    files = (file for entry in entries for file in ([entry] if entry.is_file() else entry.rglob("*")))
    return sum(file.lstat().st_size for file in files if not file.is_dir()) / 2**20


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 1 if a limit is exceeded."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("most_mebibytes", type=float, help="the largest size in MiB")
    parser.add_argument("most_distributions", type=int, help="the largest number of distributions")
    parser.add_argument("--folder", type=Path, default=Path(sysconfig.get_path("platlib")), help="site-packages")
    options = parser.parse_args(arguments)
    entries = installed(options.folder)
    size, number = mebibytes(entries), sum(entry.name.endswith(".dist-info") for entry in entries)
    print(
        f"installed: {size:.0f} MiB in {number} distributions "
        f"(at most {options.most_mebibytes:.0f} in {options.most_distributions})"
    )
    return 0 if size <= options.most_mebibytes and number <= options.most_distributions else 1


if __name__ == "__main__":
    sys.exit(main())
