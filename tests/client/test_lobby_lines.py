"""The lobby in lines: its menu, its form, and the tables that come and go."""

from __future__ import annotations

from collections.abc import AsyncIterator

import trio
import trio.testing

from client.entries import Join, Open, Quit, Wish
from client.hall import ENDS_BOTS, Hall
from client.plain import Lines
from client.plain_lobby import PlainLobby
from client.style import ASCII, UNICODE, Glyphs

from .halls import busy, heard, table


def in_lines(hall: Hall, *lines: str, glyphs: Glyphs = UNICODE) -> tuple[Wish, str]:
    """What these lines lead to, and all that is printed."""
    said: list[str] = []

    async def typed() -> AsyncIterator[str]:
        for line in lines:
            yield line

    async def main() -> Wish:
        async with Lines.of(typed()) as source:
            plain = PlainLobby(source, glyphs, said.append)
            plain._news.set()
            return await plain.run(hall)

    return trio.run(main), "\n".join(said)


def test_the_menu_in_lines() -> None:
    wish, text = in_lines(busy(), "help", "p", "back", "nonsense", "4", "2")
    assert isinstance(wish, Join)
    assert "    2  Living room, Mâamut, 1 of 3, Beto AGHH-FBA4, yes" in text
    assert "    1  Sunday, Mâamut, with Beto, Caro, go on (2026-03-13)" in text
    assert "“nonsense” is no choice here." in text
    assert "Cellar: full" in text
    assert "Ana, Beto, Caro, Beto won, not yet" in text
    assert "h  host a table" in text
    assert "\x1b" not in text
    assert all(len(line) < 100 for line in text.splitlines())


def test_the_form_in_lines() -> None:
    wish, text = in_lines(Hall("Ana"), "h", "rules", "players 3", "rounds 9999", "open", "rounds 9", "bots 2", "open")
    assert isinstance(wish, Open)
    assert (wish.plan.players, wish.plan.options, wish.bots) == (3, {"rounds": 9}, 2)
    assert "players: 3 (2 to 4)" in text
    assert "rounds: 100 (0 to 1000)" in text
    # Below the form that it does not fit, and once more as the answer to `open`, where the form need not repeat it.
    assert text.count("option rounds is a whole number from 0 to 1000") == 2


def test_bots_that_play_on_are_told_of_in_lines_and_ended_only_if_that_is_meant() -> None:
    hall = Hall("Ana")
    hall.bots_at += ["Attic", "Cellar"]
    wish, text = in_lines(hall, "q", "p", "back", "q", "h", "quit", "back", "exit", "q")
    assert wish == Quit()
    assert "Your bots play on at “Attic” and “Cellar”.\ntables in this network:" in text
    assert text.count(ENDS_BOTS) == 4
    hall.note = ""
    assert in_lines(hall, "q", "q")[1].count(ENDS_BOTS) == 1


def test_ascii_lines_and_the_end_of_the_input() -> None:
    wish, text = in_lines(busy(), "j", glyphs=ASCII)
    assert wish == Quit()
    assert text.isascii()
    assert "Address, name or code:" in text
    assert in_lines(busy(), "p", "q")[0] == Quit()


def test_tables_that_come_and_go_are_told_of() -> None:
    hall, said = Hall("Ana"), list[str]()

    async def main() -> None:
        send, receive = trio.open_memory_channel[str](0)
        plain = PlainLobby(Lines(receive), UNICODE, said.append)
        plain._news.set()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(plain.run, hall)
            await trio.testing.wait_all_tasks_blocked()
            del said[:]
            for tables in (heard(table()), heard(table(seats_taken=2)), heard(table(seats_taken=2)), {}):
                hall.hear(tables)
                plain.heard()
            hall.waited = 6
            plain.heard()
            plain.heard()
            await send.send("q")

    trio.run(main)
    assert said[:3] == [
        "new:      1  Living room, Mâamut, 1 of 3, AGHH-FBA4, yes",
        "now:      1  Living room, Mâamut, 2 of 3, AGHH-FBA4, yes",
        "gone: 1  Living room",
    ]
    assert sum("No table is to be heard of" in line for line in said) == 1


def test_a_line_that_is_put_back_is_not_lost() -> None:
    async def typed() -> AsyncIterator[str]:
        for line in ("one", "two"):
            yield line

    async def main() -> list[str]:
        async with Lines.of(typed()) as lines:
            lines.put_back(await anext(lines))
            return [line async for line in lines]

    assert trio.run(main) == ["one", "two"]
