"""What becomes of a task that a pool was given."""

from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from broadsheet.base.reasons import Reason

Task = TypeVar("Task")
Message = TypeVar("Message")


@dataclass(frozen=True, slots=True)
class Failed:
    """What stands in the place of a lost task's message: why there is none, as a line and to count by."""

    reason: str
    counted: Reason


@dataclass(frozen=True, slots=True)
class TaskMessage(Generic[Task, Message]):
    """A message of a task, with the task and its number."""

    number: int
    task: Task
    message: Message

    @property
    def answer(self) -> Message:
        """The message."""
        return self.message


@dataclass(frozen=True, slots=True)
class Lost(Generic[Task, Message]):
    """A task that failed: its messages until then, and the reason.

    Its process died, exceeded a limit and was replaced, or raised an error, whose traceback is `trace`.
    """

    number: int
    task: Task
    messages: tuple[Message, ...]
    reason: str
    #: The same to count by.
    counted: Reason
    trace: str = ""

    @property
    def answer(self) -> Failed:
        """What stands in the place of a message."""
        return Failed(self.reason, self.counted)


Event: TypeAlias = TaskMessage[Task, Message] | Lost[Task, Message]
