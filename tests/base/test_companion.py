"""Programs in child processes, and the wire to them."""

import os
import socket
from pathlib import Path

import pytest

from broadsheet.base.companion import Companion
from broadsheet.base.wire import Packet, Wire

ECHO = "tests.base.echo"


def test_prints_of_a_program_do_not_disturb_its_wire() -> None:
    with Path(os.devnull).open("wb") as nothing, Companion.start(ECHO, "twice", output=nothing) as program:
        program.wire.send(Packet({"name": "page \ud800"}, (b"\n\0" * 1_000_000, b"")))
        answer = program.wire.receive()

    assert answer == Packet({"name": "page \ud800", "arguments": ["twice"]}, (b"\n\0" * 1_000_000, b""))
    assert program.process.returncode is not None


def test_receiving_from_a_program_that_ended_returns_none() -> None:
    with Companion.start("tests.crawling.quitter") as program:
        assert program.wire.receive() is None
        assert program.process.wait() == 3


def test_packets_that_an_ended_program_did_not_read_are_not_an_error() -> None:
    ours, theirs = socket.socketpair()
    wire = Wire(ours)
    wire.send(Packet({"name": "never read"}))

    theirs.close()

    assert wire.receive() is None
    wire.close()


def test_a_timeout_while_waiting_for_a_packet_loses_nothing() -> None:
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


def test_a_failed_start_leaves_no_socket_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/no/such/python")

    with pytest.raises(FileNotFoundError):
        Companion.start(ECHO)
