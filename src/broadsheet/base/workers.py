"""One spawned process that does task after task: started, talked to and ended from here, and what it does there."""

import multiprocessing
import os
import signal
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from multiprocessing.reduction import ForkingPickler
from queue import SimpleQueue
from threading import Thread
from typing import Generic, TypeAlias, TypeVar

from broadsheet.base.memory import limit_memory
from broadsheet.base.parent import end_with

Task = TypeVar("Task")
Message = TypeVar("Message")

#: Gives for a task one message after the other; each is sent as soon as it is there.
Work: TypeAlias = Callable[[Task], Iterable[Message]]
#: Makes the work, in the process that is to do it: a callable that can be sent there.
Prepare: TypeAlias = Callable[[], Work[Task, Message]]

#: Seconds that a process has to end when it is asked to.
PATIENCE = 5.0

# Every core has a process of its own already: threads of theirs would only be in each other's way.
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True, slots=True)
class OneAnswer(Generic[Task, Message]):
    """Work that gives one message per task: a function that a spawned process can import, or a method of a value."""

    work: Callable[[Task], Message]

    def __call__(self) -> Work[Task, Message]:
        """Prepare nothing: the work is ready when it has been received."""
        return lambda task: (self.work(task),)


@dataclass(frozen=True, slots=True)
class WorkerMessage(Generic[Message]):
    """A message of the work."""

    message: Message


@dataclass(frozen=True, slots=True)
class Ready:
    """The process is done with its task, or with preparing, and waits for the next."""


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    """The process met its cap of memory, and ends."""


@dataclass(frozen=True, slots=True)
class Raised:
    """The work raised an error that it should have dealt with; the process waits for the next task all the same."""

    reason: str
    trace: str


Answer: TypeAlias = WorkerMessage[Message] | Ready | OutOfMemory | Raised


@dataclass(eq=False)
class Worker(Generic[Task, Message]):
    """A process, what it is working on, what it has said of it, and since when it has said nothing."""

    process: SpawnProcess
    connection: Connection
    #: Whether it has prepared its work, which no task's time is charged with.
    ready: bool = False
    #: What it was given and has not finished, with each task's number among all: it works on the first.
    tasks: deque[tuple[int, Task]] = field(default_factory=deque)
    heard: list[Message] = field(default_factory=list)
    since: float = 0.0
    _outbox: SimpleQueue[memoryview | None] = field(default_factory=SimpleQueue)
    _sender: Thread | None = None

    @classmethod
    def start(cls, prepare: Prepare[Task, Message], max_memory: int | None) -> "Worker[Task, Message]":
        """Start a process that prepares its work."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, max_memory, os.getpid()), daemon=True)
        with _interrupts_held():
            process.start()
        theirs.close()
        worker = cls(process, ours)
        # A page is longer than what fits between two processes: whoever sends one to a process that is busy has to
        # wait for it, and meanwhile the others have to be listened to.
        worker._sender = Thread(target=worker._send_all, daemon=True)
        worker._sender.start()
        worker._send(prepare)
        return worker

    def give(self, number: int, task: Task, now: float) -> None:
        """Hand a task to the process, to work on after those that it has."""
        if not self.tasks:
            self.since = now
        self.tasks.append((number, task))
        self._send(task)

    def finish(self, now: float) -> None:
        """Note that the process is done with the first of its tasks, and has begun with the next."""
        self.tasks.popleft()
        self.heard, self.since = [], now

    def listen(self) -> Answer[Message] | None:
        """Return what the process says; None where it has died."""
        try:
            answer: Answer[Message] = self.connection.recv()
        except (EOFError, OSError):
            # It died between two messages, or in the middle of one.
            return None
        return answer

    def stop(self) -> None:
        """End the process, and see that it is gone."""
        self.process.terminate()
        self.process.join(PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self._outbox.put(None)
        if self._sender is not None:
            # It cannot hang: what it sends to a process that is gone fails.
            self._sender.join()
        self.connection.close()

    def _send(self, thing: object) -> None:
        self._outbox.put(ForkingPickler.dumps(thing))

    def _send_all(self) -> None:
        with suppress(OSError):
            # A process that is gone is noticed when it is listened to.
            while (thing := self._outbox.get()) is not None:
                self.connection.send_bytes(thing)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Let no Ctrl-C reach a process before it has said that it ignores them; ours comes when the block is left."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(connection: Connection, max_memory: int | None, parent: int) -> None:
    """Do tasks until the other end is closed, or the process at the other end is gone."""
    end_with(parent)
    # Ctrl-C reaches all processes of a terminal; the one that was started by hand decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.update(_ONE_THREAD)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        try:
            # Received only now, as this imports what the work needs, which reads the environment when it is loaded.
            prepare: Prepare[object, object] = connection.recv()
            work = prepare()
            if max_memory is not None:
                limit_memory(max_memory)
            connection.send(Ready())
            while True:
                for answer in _answers(work, connection.recv()):
                    connection.send(answer)
        except MemoryError:
            connection.send(OutOfMemory())


def _answers(work: Work[object, object], task: object) -> Iterator[Answer[object]]:
    """Give what the work says of a task, and last whether it came to its end."""
    try:
        for message in work(task):
            yield WorkerMessage(message)
    except MemoryError:
        # A process that met its cap is not to be trusted with the next task.
        raise
    except Exception as error:  # noqa: BLE001 - one task must not end the work on all others
        yield Raised(f"unexpected {type(error).__name__}: {error}", "".join(traceback.format_exception(error)))
    else:
        yield Ready()
