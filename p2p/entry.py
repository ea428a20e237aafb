"""Going through the door of a private table, on a link. Does IO: the link, and threads for the arithmetic.

For: the node, on both sides, before the first message of a lobby. Never: a name or an address of the guest told to a
host that has not proven to know the code.

Theory of operation: door.py says what is exchanged and why. Exchanges are worked out one at a time, in a thread, so
that many knocks cost a running program little.
"""

from __future__ import annotations

from typing import Any

import trio

from protocol import limits, messages
from protocol.errors import Malformed, ProtocolError, Refused

from .door import Code, Door, Exchange, Rejected
from .errors import DoorShut, Excluded, NeedsCode, NetworkError, NoCodeNeeded, TableFull, TableGone, WrongCode
from .link import Link, LinkClosed

PATIENCE = 10.0
"""Seconds in which the one who knocks has to be through, or else to ask for a seat."""

_one_at_a_time = trio.CapacityLimiter(1)


def _worked_out(exchange: Exchange, share: bytes) -> bytes:
    own = exchange.share()
    exchange.meet(share)
    return own


async def admit(door: Door, link: Link) -> dict[str, Any] | None:
    """The host's side; returns when the guest is in, with what it says instead of a knock if it is welcome without (it
    may knock all the same, to know that it is the right table). Errors: Rejected, LinkClosed, ProtocolError."""
    first = await link.receive()
    kind, content = messages.parse(first)
    if kind != "knock":
        if door.open_to(link.peer):
            return first
        raise Rejected("code")
    exchange = door.knock(link.peer, link.binding)
    own = await trio.to_thread.run_sync(_worked_out, exchange, content["share"], limiter=_one_at_a_time)
    link.send(messages.make("ajar", share=own))
    kind, content = messages.parse(await link.receive())
    if kind != "prove":
        raise Refused(f"a {kind} before the code was proven")
    link.send(messages.make("welcome", proof=door.judge(link.peer, exchange, content["proof"], link.where)))
    return None


async def enter(link: Link, code: Code, guest: bytes) -> None:
    """The guest's side, with its identity key; returns when both have proven that they know the code.

    Errors: NetworkError: WrongCode, and what else there can be in the way.
    """
    exchange = Exchange(code, guest=guest, host=link.peer, binding=link.binding, hosting=False)
    try:
        with trio.fail_after(PATIENCE):
            own = await trio.to_thread.run_sync(exchange.share, limiter=_one_at_a_time)
            link.send(messages.make("knock", share=own))
            share = (await _expect(link, "ajar"))["share"]
            await trio.to_thread.run_sync(exchange.meet, share, limiter=_one_at_a_time)
            link.send(messages.make("prove", proof=exchange.proof))
            proof = (await _expect(link, "welcome"))["proof"]
    except LinkClosed as closed:
        raise TableGone(where=link.where, why=closed.reason) from closed
    except ProtocolError as error:
        raise TableGone(where=link.where, why=str(error)) from error
    except trio.TooSlowError as error:
        raise TableGone(where=link.where, why=f"no answer within {PATIENCE:g} s") from error
    if not exchange.fits(proof):
        raise refusal("wrong", link.where)


async def _expect(link: Link, wanted: str) -> dict[str, Any]:
    kind, content = messages.parse(await link.receive())
    if kind == "refused":
        raise refusal(content["why"], link.where)
    if kind != wanted:
        raise Malformed(f"a {kind} where a {wanted} was due")
    return content


def refusal(why: str, where: str) -> NetworkError:
    """What `refused` means to the one who was."""
    match why:
        case "code":
            return NeedsCode(where=f"at {where}")
        case "wrong":
            return WrongCode(where=where, tries=limits.WRONG_CODES)
        case "shut":
            return DoorShut(where=where)
        case "open":
            return NoCodeNeeded(where=where)
        case "full":
            return TableFull(where=f"at {where}")
        case "excluded":
            return Excluded(where=where)
    return TableGone(where=where, why="it refuses")
