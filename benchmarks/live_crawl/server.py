"""A fast web server of several sites, each on a loopback address of its own: `python -m benchmarks.live_crawl.server`.

It is told the folder of the sites, prints the address of every site's home page, and answers each line on standard
input with what it has served since the last one. Bodies are compressed before it starts, as most sites do, so that
it takes little of the time that the crawlers need.
"""

import asyncio
import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

_HEAD = "HTTP/1.1 {status}\r\nContent-Type: {media}; charset=utf-8\r\nContent-Length: {length}\r\n{more}\r\n"


@dataclass(slots=True)
class Served:
    """What was served: pages (a robots.txt is not one), when the first was asked for, and the CPU time it took."""

    pages: int = 0
    missing: int = 0
    body_bytes: int = 0
    first: float = 0.0
    cpu: float = 0.0


class SiteServer:
    """Serves one site; all sites count together."""

    def __init__(self, folder: Path, served: Served) -> None:
        """Load all pages of a folder; each is named by its path, with `|` for `/`."""
        self._answers = {path.name.replace("|", "/").encode(): _answer(path.read_bytes()) for path in folder.iterdir()}
        self._served = served

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        served = self._served
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                path = head.split(b" ", 2)[1]
                served.first = served.first or time.monotonic()
                answer = self._answers.get(path)
                if answer is not None:
                    served.pages += 1
                    served.body_bytes += len(answer)
                elif path == b"/robots.txt":
                    answer = _ROBOTS
                else:
                    served.missing += 1
                    answer = _MISSING
                writer.write(answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


async def serve(folder: Path) -> None:
    """Serve every folder in a folder as a site until standard input closes."""
    served = Served()
    servers = []
    for number, site in enumerate(sorted(folder.iterdir()), start=2):
        server = await asyncio.start_server(SiteServer(site, served).handle, f"127.0.0.{number}", 0)
        servers.append(server)
    homes = [server.sockets[0].getsockname()[:2] for server in servers]
    print(json.dumps([f"http://{host}:{port}/" for host, port in homes]), flush=True)
    loop = asyncio.get_running_loop()
    used = time.process_time()
    while await loop.run_in_executor(None, sys.stdin.readline):
        served.cpu, used = time.process_time() - used, time.process_time()
        print(json.dumps(asdict(served)), flush=True)
        served.pages = served.missing = served.body_bytes = 0
        served.first = 0.0


def _answer(body: bytes) -> bytes:
    more = "Content-Encoding: gzip\r\nVary: Accept-Encoding\r\nServer: benchmark\r\n"
    return _HEAD.format(status="200 OK", media="text/html", length=len(body), more=more).encode() + body


_ROBOTS_BODY = b"User-agent: *\nDisallow:\n"
_ROBOTS = _HEAD.format(status="200 OK", media="text/plain", length=len(_ROBOTS_BODY), more="").encode() + _ROBOTS_BODY
_MISSING = _HEAD.format(status="404 Not Found", media="text/plain", length=0, more="").encode()

if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
