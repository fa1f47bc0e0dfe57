"""A minimal, fast web server for the pages of a folder, so that the crawler is the bottleneck."""

import asyncio
import sys
from pathlib import Path


async def serve(folder: Path) -> None:
    """Serve the folder's files by name until standard input closes; the first line of output is the port."""
    responses = {path.name.encode(): _response(path.read_bytes()) for path in folder.glob("*.html")}

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                name = head.split(b" ", 2)[1].partition(b"?")[0].rpartition(b"/")[2]
                writer.write(responses.get(name, _MISSING))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


def _response(body: bytes, status: str = "200 OK") -> bytes:
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        + body
    )


_MISSING = _response(b"", "404 Not Found")

if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
