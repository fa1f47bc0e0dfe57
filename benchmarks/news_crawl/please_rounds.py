"""news-please in an environment of its own: one run for each line on standard input, with the configuration it brings.

It runs there as a script, `python please_rounds.py HOME SECONDS`, and prints as JSON the URLs that it has stored anew,
and whether the run was ended because it took longer than that.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory


def main(home: str, seconds: float) -> None:
    """Let news-please crawl the site from the start in each round: without a database it does not know what it has."""
    import newsplease  # type: ignore[import-not-found, unused-ignore] # noqa: PLC0415 - only that environment has it

    usual = Path(newsplease.__file__).parent / "config" / "config.cfg"
    known: set[str] = set()
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        configuration = usual.read_text(encoding="utf-8").replace("~/news-please-repo/", f"{folder}/stored/")
        (folder / "config.cfg").write_text(configuration, encoding="utf-8")
        (folder / "sitelist.hjson").write_text(json.dumps({"base_urls": [{"url": home}]}), encoding="utf-8")
        for _ in sys.stdin:
            command = [sys.executable, "-m", "newsplease", "-c", f"{folder}/"]
            is_cut = _run(command, seconds)
            # Elsewhere it keeps the state of its queues, which is JSON, too.
            files = (folder / "stored" / "data").rglob("*.json")
            stored = {url for file in files if (url := _address(file)) is not None}
            print(json.dumps({"stored": sorted(stored - known), "is_cut": is_cut}), flush=True)
            known |= stored


def _run(command: list[str], seconds: float) -> bool:
    """Run it, with all processes that it starts; return whether they had to be ended."""
    # Its messages must not be taken for answers.
    with subprocess.Popen(  # noqa: S603 - no input
        command, stdin=subprocess.DEVNULL, stdout=sys.stderr, start_new_session=True
    ) as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return True
    return False


def _address(file: Path) -> str | None:
    """Return the address of a stored article; None if its file was being written when the run was ended."""
    try:
        return str(json.loads(file.read_text(encoding="utf-8"))["url"])
    except ValueError:
        return None


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
