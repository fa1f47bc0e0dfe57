"""Programs of ours in processes of their own, and what is said over the wire between."""

import os
import socket
from pathlib import Path

import pytest

from broadsheet.base.companion import Companion
from broadsheet.base.wire import Packet, Wire

ECHO = "tests.base.echo"


def test_a_program_answers_over_its_wire_whatever_it_prints() -> None:
    with Path(os.devnull).open("wb") as nothing, Companion.start(ECHO, "twice", output=nothing) as program:
        program.wire.send(Packet({"name": "page \ud800"}, (b"\n\0" * 1_000_000, b"")))
        answer = program.wire.receive()

    assert answer == Packet({"name": "page \ud800", "arguments": ["twice"]}, (b"\n\0" * 1_000_000, b""))
    assert program.process.returncode is not None


def test_a_program_that_ended_says_nothing_more() -> None:
    with Companion.start("tests.crawling.quitter") as program:
        assert program.wire.receive() is None
        assert program.process.wait() == 3


def test_what_was_not_read_by_a_program_that_ended_is_no_error() -> None:
    ours, theirs = socket.socketpair()
    wire = Wire(ours)
    wire.send(Packet({"name": "never read"}))

    theirs.close()

    assert wire.receive() is None
    wire.close()


def test_waiting_for_a_packet_has_an_end_and_loses_nothing() -> None:
    ours, theirs = socket.socketpair()
    wire, data = Wire(ours), Packet({"name": "slow"}, (b"body",)).encode()
    theirs.sendall(data[:-2])
    wire.listen()

    with pytest.raises(TimeoutError):
        wire.listen(0.01)
    assert wire.arrived() is None
    theirs.sendall(data[-2:])
    wire.listen()

    assert wire.arrived() == Packet({"name": "slow"}, (b"body",))
    theirs.close()
    wire.close()


def test_a_python_that_is_not_there_leaves_no_socket_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/no/such/python")

    with pytest.raises(FileNotFoundError):
        Companion.start(ECHO)
