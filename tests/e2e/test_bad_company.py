"""What can be in the way of a guest, and of a host: other versions, hosts that vanish, no network, floods."""

from __future__ import annotations

import asyncio
import secrets
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from zeroconf import ServiceInfo, Zeroconf

from p2p.announcement import SERVICE, Announcement, new_instance, write_text
from p2p.transport import dial
from protocol import codec, framing, messages
from protocol.hashing import PROTOCOL
from protocol.identity import Identity, fingerprint
from tests.netns import lan, unavailable
from tests.p2p.nodes import heard

from .program import Program, free_port, programs, run

needs_namespaces = pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "namespaces can be made")


@contextmanager
def another_version() -> Iterator[int]:
    """A server of a later version, which says hello and no more; its port."""
    hello = codec.encode({"protocol": "p2pgame", "version": PROTOCOL + 6, "program": "9.0", "words": "come again"})

    def serve(listener: socket.socket) -> None:
        try:
            while True:
                caller, _ = listener.accept()
                with caller:
                    caller.recv(1000)
                    caller.sendall(framing.frame(hello))
        except OSError:
            return  # the test is over

    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        thread = threading.Thread(target=serve, args=(listener,))
        thread.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(10)


def failure(home: Path, *arguments: str) -> str:
    """The one line with which a program fails, for reasons of the network."""
    code, out, err = run(home, *arguments, "--auto", "--json")
    assert (code, out) == (3, ""), (code, out, err)
    assert err.count("\n") == 1
    return err


def test_a_host_of_another_version(tmp_path: Path) -> None:
    with another_version() as port:
        line = failure(tmp_path, "join", f"127.0.0.1:{port}")
    assert f"{PROTOCOL} here" in line
    assert f"{PROTOCOL + 6} at 127.0.0.1:{port}" in line


@pytest.mark.parametrize("kill", [True, False])
def test_a_host_that_goes_while_guests_wait(tmp_path: Path, kill: bool) -> None:
    port = free_port()
    with programs() as started:
        host = Program(tmp_path / "0", "host", "maamut", "--players=3", f"--port={port}", "--plain", typing=True)
        started.append(host)
        host.wait_line("Waiting for 2 more players")
        guest = Program(tmp_path / "1", "join", f"127.0.0.1:{port}", "--plain", typing=True)
        started.append(guest)
        guest.wait_line("Waiting for 1 more player")
        host.wait_line("Waiting for 1 more player")
        if kill:
            host.process.kill()
        else:
            host.process.communicate()  # the end of its input
        code, _, err = guest.end(20)
    assert code == 3
    assert err.count("\n") == 1
    assert f"The table at 127.0.0.1:{port} is not to be had any more" in err
    assert ("any more: its host has closed it" in err) != kill


def test_no_network(tmp_path: Path) -> None:
    """An interface that this machine does not have stands for one that is down."""
    nowhere = "203.0.113.1"
    with programs() as started:
        started.append(Program(tmp_path / "0", "join", "--auto", interfaces=nowhere))
        code, out, err = started[0].end(20)
        assert (code, out, err.count("\n")) == (3, "", 1)
        assert "no network" in err
        port = free_port()
        host = Program(tmp_path / "1", "host", "maamut", f"--port={port}", "--auto", "--json", interfaces=nowhere)
        started.append(host)
        host.wait_line("is open", "No network interface is up: nobody else can join")
        started.append(Program(tmp_path / "2", "join", f"127.0.0.1:{port}", "--auto", "--json"))
        assert host.result()["verified"]
        assert started[2].result()["verified"]


@needs_namespaces
def test_no_network_until_the_cable_is_plugged_in(tmp_path: Path) -> None:
    with lan(2) as net, programs() as started:
        net.plug(1, up=False)
        net.loopback(1, up=False)
        common = ("--auto", "--json")
        code, out, err = _end(net.prefix(1), tmp_path / "0", "join", *common)
        assert (code, out, err.count("\n")) == (3, "", 1)
        assert "no network" in err
        host = Program(tmp_path / "1", "host", "maamut", *common, prefix=net.prefix(1), interfaces="")
        started.append(host)
        host.wait_line("is open", "No network interface is up")
        net.plug(1, up=True)
        guest = Program(tmp_path / "2", "join", *common, prefix=net.prefix(2), interfaces="")
        code, out, err = guest.end(60)
        if code == 3:  # it looked before the host had seen its cable
            guest = Program(tmp_path / "2", "join", *common, prefix=net.prefix(2), interfaces="")
            code, out, err = guest.end(60)
        assert (code, err) == (0, ""), out
        assert host.result()["verified"]


def _end(prefix: list[str], home: Path, *arguments: str) -> tuple[int, str, str]:
    with programs() as started:
        started.append(Program(home, *arguments, prefix=prefix, interfaces=""))
        return started[0].end(30)


def test_a_stranger_at_a_running_table_of_programs(tmp_path: Path) -> None:
    """A link of the same protocol, from an identity without a seat: nothing comes over it but the bye."""
    port = free_port()

    async def call(saying: dict[str, Any] | None) -> tuple[list[Any], str]:
        async with trio.open_nursery() as nursery:
            with trio.fail_after(30):
                link = await dial(nursery, [("127.0.0.1", port)], Identity.generate())
                if saying:
                    link.send(saying)
                return await heard(link)

    with programs() as started:
        for number, what in enumerate((["host", "maamut", f"--port={port}"], ["join", f"127.0.0.1:{port}"])):
            if number:
                started[0].wait_line("Waiting for 1 more player")
            started.append(Program(tmp_path / str(number), *what, "--plain", f"--me=P{number}", typing=True))
        for one in started:
            one.wait_line("begins")
        for saying in (None, messages.make("want", rounds=0), messages.make("chat", text="boo"), {"t": "leave"}):
            assert trio.run(call, saying) == ([], "left: this table is closed to strangers")
        assert [one.process.poll() for one in started] == [None, None]


CALLS = 500
BOGUS = 200


def call_often(port: int, stack: ExitStack) -> int:
    """Connections from another address, half of them with garbage, all left open; how many were let in."""
    for number in range(CALLS):
        caller = stack.enter_context(closing(socket.socket()))
        caller.bind(("127.0.0.2", 0))
        caller.settimeout(2)
        caller.connect(("127.0.0.1", port))
        if number % 2:
            caller.sendall(b"\0\0\0\5hello")
    return CALLS


def shout(stack: ExitStack) -> None:
    """Announcements of tables that are not there."""
    zeroconf = Zeroconf(interfaces=["127.0.0.1"])
    stack.callback(zeroconf.close)
    assert zeroconf.loop is not None
    host = fingerprint(secrets.token_bytes(32))
    for number in range(BOGUS):
        table = Announcement(f"bogus {number}", "fungi", 1, 2, bool(number % 2), host, secrets.token_bytes(16), 9)
        info = ServiceInfo(
            SERVICE,
            f"{new_instance()}.{SERVICE}",
            port=9,
            properties=write_text(table),
            server=f"{new_instance()}.local.",
            parsed_addresses=["127.0.0.1"],
        )
        announcing = zeroconf.async_register_service(info, cooperating_responders=True)
        asyncio.run_coroutine_threadsafe(announcing, zeroconf.loop).result(10)


def test_a_flood_leaves_the_host_responsive(tmp_path: Path) -> None:
    port = free_port()
    with programs() as started, ExitStack() as stack:
        started.append(Program(tmp_path / "0", "host", "maamut", "--private", f"--port={port}", "--auto", "--json"))
        code = started[0].wait_open()
        shout(stack)
        assert call_often(port, stack) == CALLS
        started.append(Program(tmp_path / "1", "join", f"127.0.0.1:{port}", "--code", code, "--auto", "--json"))
        assert [one.result()["verified"] for one in started] == [True, True]
        assert memory(started[0]) < 300_000


def memory(program: Program) -> int:
    """Kilobytes at most so far; 0 where the system does not tell, or when it has ended."""
    try:
        status = Path(f"/proc/{program.process.pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")), 0)
