"""Who has no seat gets nothing, whatever they say: at a running table, in a lobby, at a guest's port."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trio

from p2p import entry
from p2p.door import Exchange, new_code
from p2p.errors import DoorShut, NeedsCode, NoCodeNeeded, TableFull, TableGone, WrongCode
from p2p.link import Link, LinkClosed
from p2p.status import Presence
from p2p.transport import serve
from protocol import limits, messages
from protocol.identity import Identity

from .nodes import heard, playing, room, until

pytestmark = pytest.mark.trio

make = messages.make
SAYINGS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "join": make("join", name="Eve", addresses=[]),
    "have": make("have", rounds=0, prev=bytes(32), got=[]),
    "want": make("want", rounds=0),
    "item": make("item", data=b"x"),
    "chat": make("chat", text="hello"),
    "leave": make("leave"),
    "seed": make("seed", seat=0, seed=bytes(32)),
    "begin": make("begin", contract=b"", signatures=[], addresses=[]),
    "knock": make("knock", share=bytes(33)),
    "prove": make("prove", proof=bytes(32)),
    "refused": make("refused", why="full"),
    "nonsense": {"t": "nonsense"},
    "no kind": {"x": 1},
}


@pytest.mark.parametrize("saying", SAYINGS)
async def test_a_stranger_at_a_running_table_gets_nothing_but_a_bye(tmp_path: Path, saying: str) -> None:
    async with room(tmp_path) as here:
        host = await here.host()
        guest = here.join("Beto", here.doors["Ana"])
        await playing(host, guest)
        assert host.run is not None
        before = host.run.digest()
        link = await here.call(here.doors["Ana"])
        if SAYINGS[saying]:
            link.send(SAYINGS[saying])
        found, reason = await heard(link)
        assert found == []
        assert reason == "left: this table is closed to strangers"
        assert [one.presence for one in host.status.seats] == [Presence.YOU, Presence.HERE]
        assert host.run.digest() == before
        assert not here.failed


async def test_a_stranger_in_the_lobby_does_not_learn_who_sits_there_nor_what_is_played(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        host = await here.host(players=3)
        link = await here.call(here.doors["Ana"])
        for name in ("Beto", "Caro"):
            here.join(name, here.doors["Ana"])
        await playing(host)
        link.send(make("want", rounds=0))
        assert await heard(link) == ([], "left: this table is closed to strangers")


async def test_a_seat_without_a_join_is_not_given(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        host = await here.host()
        for message in (make("fresh", attempt=1, fresh=bytes(32)), make("sign", signature=bytes(64)), make("leave")):
            link = await here.call(here.doors["Ana"])
            link.send(message)
            found, reason = await heard(link)
            assert found == []
            assert "before a join" in reason
        assert host.status.taken == ["Ana"]


async def test_who_is_turned_away_gives_its_seat_back(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        host = await here.host(players=3)
        link = await here.call(here.doors["Ana"])
        link.send(make("join", name="Eve", addresses=[]))
        await until(host, lambda one: one.status.taken == ["Ana", "Eve"])
        link.send(make("knock", share=bytes(33)))
        await until(host, lambda one: one.status.taken == ["Ana"])
        found, _ = await heard(link)
        assert found[-1] == ("refused", {"why": "open"})
        assert not here.failed


async def test_who_asks_for_nothing_is_sent_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "PATIENCE", 0.2)
    for private, reason in ((False, "asked for a seat"), (True, "shown the code")):
        async with room(tmp_path / str(private)) as here:
            await here.host(private=private)
            found, why = await heard(await here.call(here.doors["Ana"]))
            assert found == []
            assert reason in why


async def test_a_guest_listens_to_nobody_but_its_host(tmp_path: Path) -> None:
    """Its own port is open while it waits: for the other seats, which may know earlier that the table begins."""
    async with room(tmp_path) as here:
        host = await here.host(players=3)
        guest = here.join("Beto", here.doors["Ana"])
        await until(guest, lambda one: len(one.status.taken) == 2)
        await until(host, lambda one: len(one.status.taken) == 2)
        port = guest.port
        eve = Identity.generate()
        seats = [{"name": "Eve", "key": eve.public}, {"name": "Beto", "key": guest.profile.identity.public}]
        lies = (
            make("seats", label="Trap", game="maamut", options={}, players=2, seats=seats),
            make("draw", attempt=7),
            make("refused", why="full"),
            make("begin", contract=b"", signatures=[], addresses=[]),
        )
        for lie in lies:
            link = await here.call(("127.0.0.1", port), eve)
            link.send(lie)
            found, _ = await heard(link)
            assert found == []
        assert guest.status.table == "Living room"
        here.join("Caro", here.doors["Ana"])
        await playing(host, guest)
        assert not here.failed


async def test_a_full_table_says_so(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        host = await here.host(players=3)
        # Two that are slow to sign keep the lobby full, and open.
        for _ in range(2):
            (await here.call(here.doors["Ana"])).send(SAYINGS["join"])
        await until(host, lambda one: len(one.status.taken) == 3)
        here.join("Beto", here.doors["Ana"])
        assert isinstance(await here.failure("Beto"), TableFull)


# -- private tables --------------------------------------------------------------------------------------------------


async def test_with_the_code_one_sits_down_and_plays(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        host = await here.host(players=3, private=True)
        assert host.door is not None
        guests = [here.join(name, here.doors["Ana"], host.door.code) for name in ("Beto", "Caro")]
        await playing(host, *guests)
        assert host.status.notes == []
        assert guests[0].status.code == str(host.door.code)
        assert not here.failed


@pytest.mark.parametrize("knocks", [True, False])
async def test_who_is_welcome_without_a_code_may_have_it_all_the_same(tmp_path: Path, knocks: bool) -> None:
    async with room(tmp_path) as here:
        host = await here.host(private=True)
        assert host.door is not None
        here.node("Beto")
        host.door.welcome([here.profiles["Beto"].identity.public])
        guest = here.join("Beto", here.doors["Ana"], host.door.code if knocks else None)
        await playing(host, guest)
        assert not here.failed


@pytest.mark.parametrize("saying", [one for one in SAYINGS if one not in ("nothing", "knock", "nonsense", "no kind")])
async def test_without_the_code_a_private_table_tells_nothing(tmp_path: Path, saying: str) -> None:
    async with room(tmp_path) as here:
        host = await here.host(private=True)
        link = await here.call(here.doors["Ana"])
        link.send(SAYINGS[saying])
        assert await heard(link) == ([("refused", {"why": "code"})], "left")
        assert host.status.taken == ["Ana"]


async def test_join_after_a_knock_without_a_proof(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        host = await here.host(private=True)
        assert host.door is not None
        link = await here.call(here.doors["Ana"])
        exchange = Exchange(
            host.door.code, guest=b"g" * 32, host=link.peer, binding=link.binding, hosting=False
        )  # even with the code, but for another key than that of the link
        link.send(make("knock", share=exchange.share()))
        link.send(SAYINGS["join"])
        found, reason = await heard(link)
        assert [kind for kind, _ in found] == ["ajar"]
        assert "before the code was proven" in reason
        link = await here.call(here.doors["Ana"])
        exchange = Exchange(host.door.code, guest=b"g" * 32, host=link.peer, binding=link.binding, hosting=False)
        link.send(make("knock", share=exchange.share()))
        exchange.meet(messages.parse(await link.receive())[1]["share"])
        link.send(make("prove", proof=exchange.proof))
        assert await heard(link) == ([("refused", {"why": "wrong"})], "left")
        assert host.status.taken == ["Ana"]


async def test_wrong_codes_shut_the_door_and_who_sits_stays(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        host = await here.host(players=3, private=True)
        assert host.door is not None
        wrong = new_code(bytes(16))
        sitting = here.join("Beto", here.doors["Ana"], host.door.code)
        await until(sitting, lambda one: len(one.status.taken) == 2)
        for number in range(limits.WRONG_CODES):
            here.join(f"Eve {number}", here.doors["Ana"], wrong)
            assert isinstance(await here.failure(f"Eve {number}"), WrongCode)
        here.join("Caro", here.doors["Ana"], host.door.code)
        assert isinstance(await here.failure("Caro"), DoorShut)
        assert host.status.taken == ["Ana", "Beto"]
        assert "Beto" not in here.failed
        assert len(host.status.notes) == limits.WRONG_CODES
        assert "shut for good" in host.status.notes[-1]


async def test_a_code_for_an_open_table_is_not_just_dropped(tmp_path: Path) -> None:
    """Or who pretends to be the table would need no code at all."""
    async with room(tmp_path) as here:
        host = await here.host()
        here.join("Beto", here.doors["Ana"], new_code(bytes(16)))
        assert isinstance(await here.failure("Beto"), NoCodeNeeded)
        assert host.status.taken == ["Ana"]


async def test_no_code_for_a_private_table(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        await here.host(private=True)
        here.join("Beto", here.doors["Ana"])
        assert isinstance(await here.failure("Beto"), NeedsCode)


async def test_a_false_host_learns_neither_name_nor_code(tmp_path: Path) -> None:
    """It answers the knock with a code of its own guess, and then claims that all is well."""
    eve, said = Identity.generate(), list[str]()
    code, guess = new_code(bytes(16)), new_code(bytes(16))

    async def pretend(link: Link) -> None:
        exchange = Exchange(guess, guest=link.peer, host=eve.public, binding=link.binding, hosting=True)
        while True:
            kind, content = messages.parse(await link.receive())
            said.append(kind)
            if kind == "knock":
                link.send(make("ajar", share=exchange.share()))
                exchange.meet(content["share"])
            elif kind == "prove":
                assert not exchange.fits(content["proof"])
                link.send(make("welcome", proof=exchange.proof))

    async with room(tmp_path) as here, trio.open_nursery() as nursery:
        port = await nursery.start(serve, eve, pretend)
        here.join("Beto", ("127.0.0.1", port), code)
        assert isinstance(await here.failure("Beto"), WrongCode)
        assert said == ["knock", "prove"]
        nursery.cancel_scope.cancel()


async def test_a_relay_in_between_gets_nobody_in_and_learns_no_name(tmp_path: Path) -> None:
    """It passes on whatever comes, both ways."""
    eve, passed = Identity.generate(), list[str]()
    async with room(tmp_path) as here, trio.open_nursery() as nursery:
        host = await here.host(private=True)
        assert host.door is not None

        async def relay(guest: Link) -> None:
            real = await here.call(here.doors["Ana"], eve)

            async def back() -> None:
                while True:
                    message = await real.receive()
                    passed.append(message["t"])
                    guest.send(message)

            async with trio.open_nursery() as both:
                both.start_soon(back)
                while True:
                    message = await guest.receive()
                    passed.append(message["t"])
                    real.send(message)

        async def attend(guest: Link) -> None:
            try:
                await relay(guest)
            except* LinkClosed:
                passed.append("bye")

        port = await nursery.start(serve, eve, attend)
        here.join("Beto", ("127.0.0.1", port), host.door.code)
        assert isinstance(await here.failure("Beto"), WrongCode)
        assert passed == ["knock", "ajar", "prove", "refused", "bye"]
        assert host.status.taken == ["Ana"]
        assert host.door.wrong == 1
        nursery.cancel_scope.cancel()


async def test_of_several_tables_with_that_tag_the_door_decides(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        false = await here.host("Eve", private=True)
        host = await here.host("Ana", private=True)
        assert host.door is not None
        assert false.door is not None
        here.join("Beto", here.doors["Eve"], host.door.code, others=[here.doors["Ana"]])
        await playing(host)
        assert host.names == ["Ana", "Beto"]
        assert false.door.wrong == 1
        here.join("Caro", here.doors["Eve"], host.door.code, others=[here.doors["Eve"]])
        assert isinstance(await here.failure("Caro"), WrongCode)


@pytest.mark.parametrize(
    ("answers", "kind"),
    [
        ([make("ajar", share=b"")], TableGone),
        ([make("ajar", share=b"B" + bytes(32))], TableGone),
        ([make("welcome", proof=bytes(32))], TableGone),
        ([make("seats", label="x", game="maamut", options={}, players=2, seats=[])], TableGone),
        ([make("refused", why="because \x1b[31m")], TableGone),
        ([make("refused", why="shut")], DoorShut),
        ([{"x": 1}], TableGone),
        ([], TableGone),
    ],
)
async def test_a_host_that_answers_a_knock_with_nonsense(
    tmp_path: Path, answers: list[dict[str, Any]], kind: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry, "PATIENCE", 2.0 if answers else 0.3)

    async def answer(link: Link) -> None:
        await link.receive()
        for message in answers:
            link.send(message)
        while True:
            await link.receive()

    async with room(tmp_path) as here, trio.open_nursery() as nursery:
        port = await nursery.start(serve, Identity.generate(), answer)
        here.join("Beto", ("127.0.0.1", port), new_code(bytes(16)))
        assert isinstance(await here.failure("Beto"), kind)
        assert "\x1b" not in str(here.failed["Beto"])
        nursery.cancel_scope.cancel()
