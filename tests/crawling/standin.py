"""A driver without a browser, which ends at the moments at which a real one can hardly be made to.

Its "executable" is a file whose lines say what the drivers that are started one after the other do with a page. It
imports nothing of Broadsheet, which would take most of its time.
"""

import json
import os
import select
import socket
import sys
from pathlib import Path

ANSWER = "answer every page"
GONE = "leave before reading the page"
TOOK = "leave after reading the page"


def main() -> None:
    script = Path(sys.argv[2])
    way, *later = script.read_text(encoding="utf-8").splitlines()
    script.write_text("\n".join(later), encoding="utf-8")
    with socket.socket(fileno=0) as line, line.makefile("rb") as jobs:
        line.sendall(b'{"outcome": "done"}\n')
        if way == GONE:
            select.select([line], [], [])
            # Closing what was not read breaks the line, as when a driver ends on its own between two pages.
            os._exit(0)
        for job in jobs:
            if way == TOOK:
                os._exit(0)
            page = {name: json.loads(job)[name] for name in ("html", "url")}
            line.sendall(json.dumps({"outcome": "done", **page}).encode() + b"\n")
