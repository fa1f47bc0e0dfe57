"""The process that drives the browser, one page at a time, until its parent closes the connection.

It is the ancestor of all browser processes: when the connection closes, for whatever reason, it kills them, removes
their folder and exits. A page that hangs cannot prevent that.
"""

import asyncio
import os
import shutil
import socket
import sys
from typing import NoReturn

from playwright.async_api import Browser, Error, async_playwright

from broadsheet.base.companion import connect_to_parent
from broadsheet.base.wire import Packet
from broadsheet.crawling.rendering import _processes
from broadsheet.crawling.rendering._browser_visit import visit
from broadsheet.crawling.rendering._gate import Gate
from broadsheet.crawling.rendering._guard import Guard
from broadsheet.crawling.rendering._public_web import PublicWeb
from broadsheet.crawling.rendering._render_messages import RenderAnswer, RenderJob, RenderOutcome

#: The longest message; the renderer's own caps are far below.
_MAX_LINE = 2**31
#: How long killing the browser may take once the parent is gone.
_SHUTDOWN_SECONDS = 10.0

_FATAL = "FATAL:"

_ARGUMENTS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Only the guard may use the network: the browser itself resolves no names and sends no datagrams.
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)


async def serve(connection: socket.socket, executable: str, folder: str) -> NoReturn:
    """Start the browser, then work through the jobs in order."""
    reader, writer = await asyncio.open_connection(sock=connection, limit=_MAX_LINE)
    async with asyncio.TaskGroup() as tasks:
        guard = Guard()
        jobs: asyncio.Queue[RenderJob] = asyncio.Queue()
        tasks.create_task(_work(jobs, writer, guard, executable, folder))
        while (message := await reader.readline()).endswith(b"\n"):
            jobs.put_nowait(RenderJob.from_packet(Packet.decode(message)))
        shut_down(folder)


async def _work(
    jobs: asyncio.Queue[RenderJob], writer: asyncio.StreamWriter, guard: Guard, executable: str, folder: str
) -> None:
    try:
        server = await guard.listen()
        browser = await _launch(executable, server.sockets[0].getsockname()[1], folder)
    except Error as error:
        _send(writer, RenderAnswer(RenderOutcome.FAILED, _cause(error)))
        return
    browser.on("disconnected", lambda _: shut_down(folder))
    _send(writer, RenderAnswer(RenderOutcome.DONE))
    while True:
        job = await jobs.get()
        guard.gate = Gate(
            loopback=job.loopback,
            max_requests=job.max_requests,
            max_received=job.max_received,
            public=None if job.public is None else PublicWeb(job.public),
        )
        _send(writer, await visit(browser, guard.gate, job))


def _send(writer: asyncio.StreamWriter, answer: RenderAnswer) -> None:
    writer.write(answer.to_packet().encode())


async def _launch(executable: str, port: int, folder: str) -> Browser:
    playwright = await async_playwright().start()
    return await playwright.chromium.launch(
        executable_path=executable,
        args=[*_ARGUMENTS, f"--proxy-server=socks5://127.0.0.1:{port}"],
        # Keep Chromium's popup blocker on.
        ignore_default_args=["--disable-popup-blocking"],
        # The sandbox does not work for root.
        chromium_sandbox=os.geteuid() != 0,
        # The browser must see neither the user's files nor secrets in the environment.
        env={"PATH": os.environ.get("PATH", os.defpath), "HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8"},
    )


def _cause(error: Error) -> str:
    """Return the browser's own fatal error, or else Playwright's message."""
    fatal = error.message.partition(_FATAL)[2].partition("]")[2].partition("\n")[0].strip()
    return fatal or error.message.partition("\n")[0]


def shut_down(folder: str) -> NoReturn:
    """Kill all descendants, remove their folder and exit."""
    if _processes.kill_all(lambda: _processes.descendants(os.getpid())):
        _processes.reap()
    shutil.rmtree(folder, ignore_errors=True)
    # A regular exit would wait for a browser that is gone.
    os._exit(0)


def main() -> None:
    """Drive the browser; the arguments are its executable and the temporary folder."""
    _, executable, folder = sys.argv[1:]
    _processes.adopt_orphans()
    # The connection stays open if the parent dies while a process that it forked lives on.
    wire = connect_to_parent(first=lambda: shut_down(folder), grace=_SHUTDOWN_SECONDS)
    asyncio.run(serve(wire.socket, executable, folder))
