"""The process that drives the browser, one page after the other, until whoever started it hangs up.

It is the parent of all of the browser's processes: when its line is closed, for whatever reason, it ends
them, removes their folder and leaves. A page that hangs cannot keep it from noticing.
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
from broadsheet.crawling.rendering import processes
from broadsheet.crawling.rendering.browser_visit import visit
from broadsheet.crawling.rendering.gate import Gate
from broadsheet.crawling.rendering.guard import Guard
from broadsheet.crawling.rendering.render_messages import RenderAnswer, RenderJob, RenderOutcome

#: The longest message that is read; the renderer's own caps are far below.
_LONGEST_LINE = 2**31
#: Seconds that ending the browser may take when the parent is gone.
_LEAVE_SECONDS = 10.0

_FATAL = "FATAL:"

_ARGUMENTS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Only the guard talks to the network: no name is resolved and no datagram sent by the browser itself.
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)


async def serve(line: socket.socket, executable: str, folder: str) -> NoReturn:
    """Start the browser, then answer one job after the other."""
    reader, writer = await asyncio.open_connection(sock=line, limit=_LONGEST_LINE)
    async with asyncio.TaskGroup() as tasks:
        guard = Guard()
        jobs: asyncio.Queue[RenderJob] = asyncio.Queue()
        tasks.create_task(_work(jobs, writer, guard, executable, folder))
        while (message := await reader.readline()).endswith(b"\n"):
            jobs.put_nowait(RenderJob.of_packet(Packet.decode(message)))
        leave(folder)


async def _work(
    jobs: asyncio.Queue[RenderJob], writer: asyncio.StreamWriter, guard: Guard, executable: str, folder: str
) -> None:
    try:
        server = await guard.listen()
        browser = await _launch(executable, server.sockets[0].getsockname()[1], folder)
    except Error as error:
        _tell(writer, RenderAnswer(RenderOutcome.FAILED, _cause(error)))
        return
    browser.on("disconnected", lambda _: leave(folder))
    _tell(writer, RenderAnswer(RenderOutcome.DONE))
    while True:
        job = await jobs.get()
        guard.gate = Gate(loopback=job.loopback, max_requests=job.max_requests)
        _tell(writer, await visit(browser, guard.gate, job))


def _tell(writer: asyncio.StreamWriter, answer: RenderAnswer) -> None:
    writer.write(answer.to_packet().encode())


async def _launch(executable: str, port: int, folder: str) -> Browser:
    playwright = await async_playwright().start()
    return await playwright.chromium.launch(
        executable_path=executable,
        args=[*_ARGUMENTS, f"--proxy-server=socks5://127.0.0.1:{port}"],
        # Chromium's own blocker then keeps popups from opening at all.
        ignore_default_args=["--disable-popup-blocking"],
        # The sandbox does not work for root.
        chromium_sandbox=os.geteuid() != 0,
        # Nothing of the user's, neither files nor secrets in the environment, is for the browser.
        env={"PATH": os.environ.get("PATH", os.defpath), "HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8"},
    )


def _cause(error: Error) -> str:
    """Return what the browser itself said last, or else what Playwright says."""
    said = error.message.partition(_FATAL)[2].partition("]")[2].partition("\n")[0].strip()
    return said or error.message.partition("\n")[0]


def leave(folder: str) -> NoReturn:
    """End every process below this one, remove their folder and end this one."""
    if processes.end(lambda: processes.descendants(os.getpid())):
        processes.reap()
    shutil.rmtree(folder, ignore_errors=True)
    # The usual way out would wait for a browser that is gone.
    os._exit(0)


def main() -> None:
    """Drive the browser and use the folder that the arguments name."""
    _, executable, folder = sys.argv[1:]
    processes.adopt_orphans()
    # The line stays open when the parent dies while a process that it forked lives on.
    wire = connect_to_parent(first=lambda: leave(folder), grace=_LEAVE_SECONDS)
    asyncio.run(serve(wire.socket, executable, folder))
