"""`make pictures`: run the commands that newcomers run first, and keep what they show as docs/pictures/*.svg."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.recording import record
from tools.terminal_svg import draw

from broadsheet.newsweb.web import NewsWeb

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
COLUMNS = 104
PORT = 8642
#: The crawler speaks to nobody on this machine unless it may, and need not spare a site that it serves itself.
_LOOPBACK = {"BROADSHEET_CRAWL_ALLOW_NETWORKS": "127.0.0.0/8, ::1", "BROADSHEET_CRAWL_DELAY": "0"}
_PROGRAM = str(Path(sys.executable).with_name("broadsheet"))


def main() -> int:
    """Make all pictures."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as name:
        folder = Path(name)
        _picture("demo", "broadsheet demo --days 1", folder)
        making = [_PROGRAM, "-q", "sample", "--out", "pages"]
        subprocess.run(making, cwd=folder, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own program
        _picture("extract", "broadsheet extract pages", folder)
        with _served():
            home = f"http://{NewsWeb(1, 1).sites[0].slug}.localhost:{PORT}/"
            _picture("crawl", f"broadsheet crawl news {home} --snapshots 1", folder)
        _picture("sections", "broadsheet sections news", folder)
    return 0


def _picture(name: str, command: str, folder: Path) -> None:
    words = [_PROGRAM, *command.split()[1:]]
    # What the program advises to type begins as it was called: with the bare name where that is on the path.
    path = {"PATH": f"{Path(_PROGRAM).parent}:/usr/bin:/bin"}
    moments = record(words, COLUMNS, folder, {**_LOOPBACK, **path})
    file = FOLDER / f"{name}.svg"
    file.write_text(draw(f"Terminal: {command}", command, moments, COLUMNS), encoding="utf-8")
    print(f"wrote {file} ({len(moments)} moments, {file.stat().st_size:,} bytes)")


@contextmanager
def _served() -> Iterator[None]:
    """Serve the news web while inside."""
    serving = [_PROGRAM, "newsweb", "serve", "--sites", "1", "--port", str(PORT), "--start", "2026-03-02T12:00"]
    with subprocess.Popen(serving, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:  # noqa: S603 - as above
        assert process.stdout is not None  # noqa: S101 - it was asked for
        process.stdout.readline()
        try:
            yield
        finally:
            process.terminate()


if __name__ == "__main__":
    sys.exit(main())
