"""Typed lines of the plain mode, as they come from a file descriptor."""

from __future__ import annotations

import os

import trio
from trio.testing import wait_all_tasks_blocked

from client.plain import MOST_BYTES, read_lines


def test_lines_of_a_descriptor() -> None:
    reading, writing = os.pipe()
    found: list[str] = []

    async def main() -> None:
        async for line in read_lines(reading):
            found.append(line)

    os.write(writing, b"one\r\ntwo\n\nthr")
    os.write(writing, "éé\n\xff".encode() + b"\xff\n" + b"x" * 100 + b"\nlast")
    os.close(writing)
    trio.run(main)
    os.close(reading)
    assert found == ["one", "two", "", "thréé", "ÿ\ufffd", "x" * 100, "last"]


def test_a_line_without_end_is_cut() -> None:
    reading, writing = os.pipe()
    found: list[str] = []

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.to_thread.run_sync, flood)
            async for line in read_lines(reading):
                found.append(line)

    def flood() -> None:
        for _ in range(64):
            os.write(writing, b"y" * 4096)
        os.close(writing)

    trio.run(main)
    os.close(reading)
    assert [len(line) for line in found] == [MOST_BYTES]


def test_reading_can_be_abandoned() -> None:
    reading, writing = os.pipe()

    async def read() -> None:
        async for _ in read_lines(reading):
            pass

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(read)
            await wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()

    trio.run(main)
    os.close(writing)
