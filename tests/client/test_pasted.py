"""What the host's screen shows, pasted whole into the lobby's line."""

from __future__ import annotations

import pytest

from client.entries import Join
from client.hall import Hall, Page
from client.pasted import impossible_port, place_and_code
from client.screens.lobby_wait import join_commands
from p2p.status import Status

from .halls import heard, page, table, wish

CODE = "HBY9-S1ME-BQ5F"


def joining(text: str) -> Hall:
    """A lobby into whose line that was pasted."""
    hall = Hall("Ana")
    hall.char("j")
    hall.paste(text)
    hall.enter()
    return hall


@pytest.mark.parametrize(
    ("text", "where", "code"),
    [
        (f"p2pgame join {CODE}", CODE, ""),
        (f"  P2PGAME  join {CODE}\r\n", CODE, ""),
        (f"$ .venv/bin/p2pgame join {CODE}", CODE, ""),
        (f"p2pgame join --code {CODE}", CODE, ""),
        ("p2pgame join 127.0.0.1:36521", "127.0.0.1:36521", ""),
        (f"p2pgame join 127.0.0.1:36521 --code {CODE}", "127.0.0.1:36521", CODE),
        (f"p2pgame join --code={CODE} 127.0.0.1:36521", "127.0.0.1:36521", CODE),
        (f"127.0.0.1:36521 --code {CODE}", "127.0.0.1:36521", CODE),
        (f'127.0.0.1:36521 --code "{CODE}"', "127.0.0.1:36521", CODE),
        ("p2pgame join 127.0.0.1:36521 --code 'hby9 s1me bq5f'", "127.0.0.1:36521", "hby9 s1me bq5f"),
        ('"127.0.0.1:36521"', "127.0.0.1:36521", ""),
        ("“127.0.0.1:36521”", "127.0.0.1:36521", ""),
        ("'127.0.0.1:36521'", "127.0.0.1:36521", ""),
        ('p2pgame join "Living room"', "Living room", ""),
        ("Ana's table", "Ana's table", ""),
        ("join us", "join us", ""),
        ("--code", "--code", ""),
        ('"', '"', ""),
    ],
)
def test_what_was_pasted_is_a_place_and_a_code(text: str, where: str, code: str) -> None:
    assert wish(joining(text)) == Join(None, where, code)


@pytest.mark.parametrize("text", [CODE, f"p2pgame join {CODE}", f"10.0.0.1:24816 --code {CODE}", f'"{CODE}"'])
def test_where_a_code_is_asked_for_the_same_can_be_pasted(text: str) -> None:
    hall, private = Hall("Ana"), table(private=True)
    hall.hear(heard(private))
    hall.line("1")
    hall.paste(text)
    hall.enter()
    assert wish(hall) == Join(private, code=CODE)


def test_all_that_the_waiting_room_shows_is_understood() -> None:
    for code in ("", CODE):
        status = Status(addresses=["192.168.1.7:24816", "[fe80::1%eth0]:24816"], code=code)
        for command, address in zip(join_commands(status)[bool(code) :], status.addresses, strict=True):
            assert place_and_code(command) == (address, code)


def test_the_command_alone_leads_to_the_tables() -> None:
    hall = joining("p2pgame join")
    assert (page(hall), wish(hall)) == (Page.TABLES, None)


@pytest.mark.parametrize("where", ["127.0.0.1:99999", "127.0.0.1:0", "[fe80::1%eth0]:123456", "gate:65536"])
def test_a_port_that_cannot_be_is_named_at_once(where: str) -> None:
    port = where.rpartition(":")[2]
    for text in (where, f'p2pgame join "{where}" --code {CODE}'):
        hall = joining(text)
        assert (page(hall), wish(hall)) == (Page.ADDRESS, None)
        assert hall.note == f"{port} is no port: ports are numbers from 1 to 65535."


@pytest.mark.parametrize("where", ["127.0.0.1:65535", "127.0.0.1", "fe80::99999", CODE, "Room 99999", "Room: 99999"])
def test_what_is_no_port_is_not_taken_for_one(where: str) -> None:
    assert impossible_port(where) == ""


def test_a_table_may_be_called_like_an_address() -> None:
    hall = Hall("Ana")
    hall.hear(heard(table("gate:99999")))
    hall.char("j")
    hall.paste("gate:99999")
    hall.enter()
    assert wish(hall) == Join(None, "gate:99999")
