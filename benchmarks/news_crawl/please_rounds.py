"""news-please in an environment of its own: one run for each line on standard input, with the configuration it brings.

It runs there as a script, `python please_rounds.py HOME`, and prints the URLs that it has stored anew as JSON.
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory


def main(home: str) -> None:
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
            # Its messages must not be taken for answers.
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)  # noqa: S603 - no input
            # Elsewhere it keeps the state of its queues, which is JSON, too.
            files = (folder / "stored" / "data").rglob("*.json")
            stored = {json.loads(file.read_text(encoding="utf-8"))["url"] for file in files}
            print(json.dumps(sorted(stored - known)), flush=True)
            known |= stored


if __name__ == "__main__":
    main(sys.argv[1])
