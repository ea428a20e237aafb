"""Lobbies to be looked at: tables that were heard of, games that were interrupted, games that are over; and what is
done there."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from client.entries import Wish
from client.hall import Hall, Page
from p2p.announcement import Announcement
from p2p.history import Past

ANA, BETO, CARO = (bytes([number]) * 32 for number in (1, 2, 3))
HOST = "AGHH-FBA4-2222-3333"


def table(name: str = "Living room", number: int = 1, **changes: Any) -> Announcement:
    """An announcement as it is heard."""
    values: dict[str, Any] = {
        "table_name": name,
        "game": "maamut",
        "seats_taken": 1,
        "seats": 3,
        "private": False,
        "host": HOST,
        "salt": bytes(16),
        "port": 24816,
        "instance": f"p2p-{number:012x}",
        "addresses": ("192.168.1.7",),
        **changes,
    }
    return Announcement(**values)


def heard(*tables: Announcement) -> dict[str, Announcement]:
    """As discovery tells it."""
    return {one.instance: one for one in tables}


def past(number: int = 1, **changes: Any) -> Past:
    """A game of the profile."""
    values: dict[str, Any] = {
        "path": Path(f"tables/{number:064x}.p2plog"),
        "when": datetime(2026, 5, 2, 20, 15).timestamp() - number * 86_400,
        "size": 1000,
        "table": f"{number:064x}",
        "game": "maamut",
        "label": "Sunday",
        "names": ("Ana", "Beto", "Caro"),
        "keys": (ANA, BETO, CARO),
        "result": {"winners": [1], "scores": [None] * 3, "reason": "trapped"},
        **changes,
    }
    return Past(**values)


def unfinished(number: int = 50) -> Past:
    """One that can be resumed."""
    return past(number, path=Path(f"tables/{number:064x}.log"), result=None)


def busy() -> Hall:
    """A lobby with some of everything."""
    hall = Hall("Ana", ANA, {HOST: "Beto"})
    games = [
        past(1),
        past(2, game="fungi", names=("Ana", "日本 😀"), keys=(ANA, BETO), verdict="sound"),
        past(3, result=None),
        past(4, table="", game="", names=(), keys=(), result=None, problem="it is damaged"),
    ]
    hall.found([unfinished()], games)
    assert hall.entries  # the interrupted game gets the first number
    hall.hear(
        heard(
            table(),
            table(
                "Attic 😀 日本",
                2,
                game="amnesia",
                private=True,
                seats=4,
                host="ZZZZ-FBA4-2222-3333",
                options="mode x\x07",
            ),
            table("Cellar", 3, game="fungi", seats=2, seats_taken=2),
            table("Old\x1b[31m", 4, version=9),
            table("Strange", 5, game="chess"),
        )
    )
    return hall


def typed(hall: Hall, text: str) -> None:
    """Key by key."""
    for char in text:
        hall.char(char)


def wish(hall: Hall) -> Wish | None:
    """What was decided."""
    return hall.wish


def page(hall: Hall) -> Page:
    """Where we are."""
    return hall.page
