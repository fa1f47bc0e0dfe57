"""Submit tasks to a pool one by one, from any thread: a program that waits for other things can go on meanwhile."""

import socket
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock, Thread
from typing import Generic, TypeVar

from broadsheet.base._worker_group import WorkerGroup
from broadsheet.base.closable import Closable
from broadsheet.base.pool import Pool
from broadsheet.base.task_events import Failed

Task = TypeVar("Task")
Message = TypeVar("Message")


class PoolThread(Closable, Generic[Task, Message]):
    """A pool whose processes stay, and the thread that gives them tasks and listens to them.

    Each task has one message. In an asyncio program, use `await asyncio.wrap_future(pool.submit(task))`.
    """

    def __init__(self, pool: Pool[Task, Message]) -> None:
        """Take a pool; its processes start with `start` or with the first task."""
        self._pool = pool
        self._lock = Lock()
        self._open: dict[int, Future[Message | Failed]] = {}
        self._queue = deque[tuple[int, Task]]()
        self._count = 0
        self._thread: Thread | None = None
        self._is_closed = False
        self._wakeup_sender, self._wakeup_receiver = socket.socketpair()

    def __len__(self) -> int:
        """Return how many tasks are not answered yet."""
        return len(self._open)

    def start(self) -> None:
        """Start the processes, unless they run already."""
        with self._lock:
            self._require_open()
            self._start()

    def submit(self, task: Task) -> Future[Message | Failed]:
        """Return a future of the message of a task, or of why it failed; call this from any thread.

        A future that is cancelled before its task was given to a process saves the work. If no process can be
        started, the futures of all tasks raise `WorkerFailed`, and the next task starts processes again.
        """
        future: Future[Message | Failed] = Future()
        with self._lock:
            self._require_open()
            # While others wait, the next process that has room takes this one too.
            must_wake = not self._queue
            self._open[self._count] = future
            self._queue.append((self._count, task))
            self._count += 1
            self._start()
        if must_wake:
            self._wake()
        return future

    def close(self) -> None:
        """End the processes, wait until they are gone, and cancel what is not answered."""
        with self._lock:
            self._is_closed = True
            thread = self._thread
        self._wake()
        if thread is not None:
            thread.join()
        self._cancel_all()
        self._wakeup_sender.close()
        self._wakeup_receiver.close()

    def _require_open(self) -> None:
        if self._is_closed:
            raise RuntimeError("this pool is closed: no task can be submitted to it any more")

    def _start(self) -> None:
        if self._thread is None:
            # A daemon, so that a program that forgets to close the pool can still end.
            self._thread = Thread(target=self._serve, name="pool", daemon=True)
            self._thread.start()

    def _wake(self) -> None:
        # A full buffer wakes the thread as well, and a closed one needs no waking.
        with suppress(BlockingIOError, OSError):
            self._wakeup_sender.send(b"\0", socket.MSG_DONTWAIT)

    def _clear_wakeups(self) -> None:
        with suppress(BlockingIOError):
            self._wakeup_receiver.recv(4096, socket.MSG_DONTWAIT)

    def _serve(self) -> None:
        """Run the processes until the pool is closed or they cannot be run."""
        try:
            with WorkerGroup(self._pool) as workers:
                workers.add_reader(self._wakeup_receiver.fileno(), self._clear_wakeups)
                while not self._is_closed:
                    for event in workers.assign(self._draw):
                        self._resolve(event.number, event.answer)
                    for event in workers.listen():
                        self._resolve(event.number, event.answer)
        except BaseException as error:  # noqa: BLE001 - whoever waits for a task must learn of it
            self._fail_all(error)

    def _draw(self) -> tuple[int, Task] | None:
        with self._lock:
            while self._queue:
                number, task = self._queue.popleft()
                if not self._open[number].cancelled():
                    return number, task
                self._open.pop(number).set_running_or_notify_cancel()
        return None

    def _resolve(self, number: int, found: Message | Failed) -> None:
        """Answer a task; one that was answered before its process died stays so."""
        with self._lock:
            future = self._open.pop(number, None)
        if future is not None and future.set_running_or_notify_cancel():
            future.set_result(found)

    def _take_all(self) -> list[Future[Message | Failed]]:
        with self._lock:
            futures = list(self._open.values())
            self._open.clear()
            self._queue.clear()
            self._thread = None
        return futures

    def _fail_all(self, error: BaseException) -> None:
        for future in self._take_all():
            if future.set_running_or_notify_cancel():
                future.set_exception(error)

    def _cancel_all(self) -> None:
        for future in self._take_all():
            future.cancel()
            future.set_running_or_notify_cancel()
