"""A spawned worker process that does one task after another: both its parent's side and its own."""

import gc
import multiprocessing
import os
import pickle
import signal
import socket
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from multiprocessing.reduction import ForkingPickler
from typing import Generic, TypeAlias, TypeVar

from broadsheet.base.garbage import spare_what_stays
from broadsheet.base.memory import limit_further_memory
from broadsheet.base.parent import exit_with_parent

Task = TypeVar("Task")
Message = TypeVar("Message")

#: Yields the messages of a task; each is sent at once. Those in a list or tuple are sent together, which costs less.
Work: TypeAlias = Callable[[Task], Iterable[Message]]
#: Creates the work inside the worker process; must be picklable.
Prepare: TypeAlias = Callable[[], Work[Task, Message]]

#: Seconds that a process has to terminate before it is killed.
STOP_SECONDS = 5.0

_BUFFER_BYTES = 65_536

# Every core already has a process: further threads would only compete with them.
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True, slots=True)
class OneAnswer(Generic[Task, Message]):
    """Work with one message per task: an importable function, or a method of a picklable object."""

    work: Callable[[Task], Message]

    def __call__(self) -> Work[Task, Message]:
        """Return the work, which needs no preparation."""
        return lambda task: (self.work(task),)


@dataclass(frozen=True, slots=True)
class WorkerMessage(Generic[Message]):
    """A message of the work."""

    message: Message


@dataclass(frozen=True, slots=True)
class Ready(Generic[Message]):
    """The process has finished its task, or its preparation, and waits for the next task."""

    #: Messages of the task that were not sent before.
    messages: Sequence[Message] = ()


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    """The process reached its memory limit and ends."""


@dataclass(frozen=True, slots=True)
class Raised:
    """The work raised an unexpected error; the process still waits for the next task."""

    reason: str
    trace: str


Answer: TypeAlias = WorkerMessage[Message] | Ready[Message] | OutOfMemory | Raised


@dataclass(frozen=True, slots=True)
class Attempt(Generic[Task]):
    """A task with its number, and how often it has been tried, this time included."""

    number: int
    task: Task
    tries: int = 1


@dataclass(eq=False)
class Worker(Generic[Task, Message]):
    """A process, its current task, the task's messages so far, and the time of the last one."""

    process: SpawnProcess
    #: Answers come through this.
    connection: Connection
    #: The same as a socket, which can send without blocking; a pickle needs no frame.
    channel: socket.socket
    #: Whether it has prepared its work; preparation does not count towards the first task's time.
    ready: bool = False
    #: The assigned tasks that are not finished; the process works on the first.
    tasks: deque[Attempt[Task]] = field(default_factory=deque)
    messages: list[Message] = field(default_factory=list)
    since: float = 0.0
    #: How many tasks it was given so far.
    given: int = 0
    #: Whether another process is to take its place.
    is_retiring: bool = False
    #: Whether its parent waits until it has room for what is to be sent.
    is_watched: bool = False
    _outbox: deque[memoryview] = field(default_factory=deque)

    @classmethod
    def start(cls, prepare: Prepare[Task, Message], max_memory: int | None) -> "Worker[Task, Message]":
        """Start a process that prepares its work."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, max_memory, os.getpid()), daemon=True)
        with _interrupts_blocked():
            process.start()
        theirs.close()
        worker = cls(process, ours, _socket_of(ours))
        worker._send(ForkingPickler.dumps(prepare))
        return worker

    def assign(self, number: int, task: Task, now: float) -> None:
        """Send a task to the process, to work on after those it already has."""
        self.give(Attempt(number, task), now)

    def give(self, attempt: Attempt[Task], now: float) -> None:
        """Send a task, as `assign` does; one that cannot be pickled raises and leaves the process as it was."""
        pickled = ForkingPickler.dumps(attempt.task)
        if not self.tasks:
            self.since = now
        self.tasks.append(attempt)
        self.given += 1
        self._send(pickled)

    def finish(self, now: float) -> tuple[Attempt[Task], tuple[Message, ...]]:
        """Note that the process has started the next of its tasks; return the finished one and its messages."""
        finished = self.tasks.popleft(), tuple(self.messages)
        self.messages, self.since = [], now
        return finished

    def receive(self) -> Answer[Message] | None:
        """Return the next answer of the process; None if it has died."""
        try:
            answer: Answer[Message] = self.connection.recv()
        except (EOFError, OSError):
            # It died between two messages or in the middle of one.
            return None
        return answer

    def stop(self) -> None:
        """End the process, and wait until it is gone."""
        self.process.terminate()
        self.process.join(STOP_SECONDS)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self._outbox.clear()
        self.channel.close()
        self.connection.close()

    def was_killed(self) -> bool:
        """Return whether a signal ended the process, which must be ending."""
        self.process.join(STOP_SECONDS)
        return (self.process.exitcode or 0) < 0

    @property
    def is_sending(self) -> bool:
        """Whether something waits until the process has room for it."""
        return bool(self._outbox)

    def flush(self) -> None:
        """Send as much as the process has room for.

        A page may not fit into the buffer of a busy process, and the other processes must be listened to meanwhile.
        """
        try:
            while self._outbox:
                rest = self._outbox[0][self.channel.send(self._outbox[0], socket.MSG_DONTWAIT) :]
                if rest:
                    self._outbox[0] = rest
                else:
                    self._outbox.popleft()
        except BlockingIOError:
            return
        except OSError:
            # The process is gone, which is noticed when it is listened to.
            self._outbox.clear()

    def _send(self, pickled: memoryview) -> None:
        self._outbox.append(pickled)
        self.flush()


def _socket_of(connection: Connection) -> socket.socket:
    return socket.socket(fileno=os.dup(connection.fileno()))


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C until the new process can ignore it; this process receives it at the end of the block."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(connection: Connection, max_memory: int | None, parent: int) -> None:
    """Do tasks until the parent closes the connection or ends."""
    exit_with_parent(parent)
    # Ctrl-C reaches all processes of a terminal; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.update(_ONE_THREAD)
    tasks = _socket_of(connection).makefile("rb", buffering=_BUFFER_BYTES)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        try:
            # Received only now: unpickling imports libraries that read the environment when they are loaded. That
            # leaves no garbage, so the collector need not look for any.
            gc.disable()
            prepare: Prepare[object, object] = pickle.load(tasks)  # noqa: S301 - from our own parent
            work = prepare()
            gc.enable()
            spare_what_stays()
            if max_memory is not None:
                # Libraries alone may have reserved a gigabyte, more on machines with many cores.
                limit_further_memory(max_memory)
            connection.send(Ready())
            while True:
                for answer in _answers(work, pickle.load(tasks)):  # noqa: S301 - from our own parent
                    connection.send(answer)
        except MemoryError:
            connection.send(OutOfMemory())


def _answers(work: Work[object, object], task: object) -> Iterator[Answer[object]]:
    """Yield the messages of a task, then whether it succeeded."""
    try:
        messages = work(task)
        done = messages if isinstance(messages, (list, tuple)) else ()
        for message in () if done else messages:
            yield WorkerMessage(message)
    except MemoryError:
        # A process that reached its memory limit cannot be trusted with another task.
        raise
    except Exception as error:  # noqa: BLE001 - one task must not end the work on all others
        yield Raised(f"unexpected {type(error).__name__}: {error}", "".join(traceback.format_exception(error)))
    else:
        yield Ready(done)
