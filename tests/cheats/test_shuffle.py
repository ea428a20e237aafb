"""Cheats with the deck: wrong cards, marked cards, and proofs that hold elsewhere, each at a table among honest seats.

Theory: a pass gives back the same cards in another order and other seals, and its proof says nothing else and holds at
one table, step, round and seat only. Every body here is the best that the cheat can make: the honest prover, fed with
what the cheat would like to be true. (tests/protocol/test_shuffle.py forges the proofs themselves.)
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from p2p.audit import audit
from protocol import elgamal, group, shuffle, vectors
from protocol.ceremony import Body, Context
from protocol.dealing import Shuffle
from protocol.elgamal import Ciphertext
from protocol.group import Point
from protocol.secrets import Secrets

from ..protocol.forge import reencrypt
from .cheat import CHEAT, CheatRing, Moment, Strike, double
from .points import WRONG_POINTS, marked, too_large
from .verdicts import caught, convicted

Forge = Callable[[Moment], Body]
NOT = "shuffle proof: does not hold"


def cards(m: Moment) -> list[Ciphertext]:
    """What comes in."""
    assert isinstance(m.ceremony, Shuffle)
    return m.ceremony._cards


def made(
    m: Moment,
    *,
    given: list[Ciphertext] | None = None,
    context: Context | None = None,
    secrets: Secrets | None = None,
    after: Callable[[shuffle.Pass], shuffle.Pass] = lambda done: done,
) -> Body:
    """What the honest prover makes of other cards, at another place, with other secrets, or of a pass that was tampered
    with before it was proven."""
    ceremony, mix = copy.copy(m.ceremony), shuffle.mix
    assert isinstance(ceremony, Shuffle)
    ceremony._cards = given or cards(m)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shuffle, "mix", lambda *args, **more: after(mix(*args, **more)))
        return ceremony._make(context or m.context(), secrets or m.secrets)


def twice(m: Moment) -> Body:
    """One card comes out twice, and another one not at all; and that is what is committed to and proven."""

    def again(done: shuffle.Pass) -> shuffle.Pass:
        start, out = done.batch.start, list(done.cards)
        order = (start.order[1], *start.order[1:])
        seal = done.batch.seals[0]
        out[done.places[0]] = elgamal.added(cards(m)[order[0]], seal)
        committed = vectors.commit_order(order, start.blinds[0]) + list(start.committed[len(start.blinds[0]) :])
        changed = replace(start, order=order, committed=tuple(committed))
        return replace(done, cards=out, batch=replace(done.batch, start=changed))

    return made(m, after=again)


def twice_quietly(m: Moment) -> Body:
    """The same, with the proof of an honest order."""

    def again(done: shuffle.Pass) -> shuffle.Pass:
        return replace(done, cards=[reencrypt(done.cards[1], m.table.deck.joint, 5), *done.cards[1:]])

    return made(m, after=again)


def changed(first: Callable[[Moment, Ciphertext], Ciphertext]) -> Forge:
    """Something done to the first card that comes out, before anything is proven."""
    return lambda m: made(m, after=lambda done: replace(done, cards=[first(m, done.cards[0]), *done.cards[1:]]))


def own_card(m: Moment, _: Ciphertext) -> Ciphertext:
    """A card that the cheat likes better, sealed like any other."""
    return reencrypt(elgamal.fresh(0, m.table.deck.joint), m.table.deck.joint, 11)


def scaled(_: Moment, card: Ciphertext) -> Ciphertext:
    return Ciphertext(group.mul(7, card.c1), group.mul(7, card.c2))


def shifted(_: Moment, card: Ciphertext) -> Ciphertext:
    """Recognisable to the cheat when the shares are known; opens to nothing."""
    return Ciphertext(card.c1, group.add(card.c2, group.G))


def swapped(m: Moment) -> Body:
    """Two cards change places after the proof."""
    body = m.honest()
    out = body["cards"]
    return {**body, "cards": out[64:128] + out[:64] + out[128:]}


def in_proof(field: str, change: Callable[[bytes], bytes]) -> Forge:
    def forge(m: Moment) -> Body:
        body = m.honest()
        return {**body, "proof": {**body["proof"], field: change(body["proof"][field])}}

    return forge


def in_argument(field: str, change: Callable[[bytes], bytes]) -> Forge:
    def forge(m: Moment) -> Body:
        body = m.honest()
        known = body["proof"]["known"]
        return {**body, "proof": {**body["proof"], "known": {**known, field: change(known[field])}}}

    return forge


def in_cards(change: Callable[[bytes], bytes]) -> Forge:
    return lambda m: {**m.honest(), "cards": change(m.honest()["cards"])}


def elsewhere(**what: Any) -> Forge:
    """An honest pass over these cards, proven for another place."""

    def forge(m: Moment) -> Body:
        context = replace(m.context(), **what)
        return made(m, context=context, secrets=Secrets(m.secrets._master, context.table, context.seat))

    return forge


def other_deck(m: Moment) -> Body:
    """An honest pass over other cards of this table."""
    return made(m, given=[reencrypt(card, m.table.deck.joint, 3) for card in cards(m)])


def pass_before(m: Moment) -> Body:
    """What the seat before has just sent."""
    return m.table.session.chain[-1][0].body


CHEATS: dict[str, tuple[Forge, str]] = {
    "a card too few": (lambda m: made(m, given=cards(m)[:-1]), "shuffle cards: 2240 bytes where 2304 are due"),
    "a card too many": (
        lambda m: made(m, given=[*cards(m), cards(m)[0]]),
        "shuffle cards: 2368 bytes where 2304 are due",
    ),
    "a card twice": (twice, NOT),
    "a card twice, the order unchanged": (twice_quietly, NOT),
    "a card of the cheat's own": (changed(own_card), NOT),
    "a scaled card": (changed(scaled), NOT),
    "a shifted card": (changed(shifted), NOT),
    "two cards swapped after the proof": (swapped, NOT),
    "a card marked by torsion": (in_cards(lambda out: marked(out[:32]) + out[32:]), "card half 0: not a point"),
    "the pass of the seat before": (pass_before, NOT),
    "a proof for another step": (elsewhere(step=4), NOT),
    "a proof for another round": (elsewhere(round=2), NOT),
    "a proof for another seat": (elsewhere(seat=0), NOT),
    "a proof for another table": (elsewhere(table=bytes(32)), NOT),
    "a proof on another history": (elsewhere(prev=bytes(32)), NOT),
    "a proof for another deck": (other_deck, NOT),
    "a place twice": (in_proof("places", lambda p: p[1:2] + p[1:]), "places: not an order"),
    "other places": (in_proof("places", lambda p: p[1:] + p[:1]), NOT),
    "a place too few": (in_proof("places", lambda p: p[:-1]), "places: 35 bytes where 36 are due"),
    "a commitment marked by torsion": (
        in_proof("commitments", lambda c: marked(c[:32]) + c[32:]),
        "proof commitments 0: not a point",
    ),
    "a response too many": (in_proof("responses", lambda f: f + f[-32:]), "responses: 1216 bytes where 1184"),
    "a response too few": (in_proof("responses", lambda f: f[:-32]), "responses: 1152 bytes where 1184"),
    "a response not below q": (in_proof("responses", lambda f: too_large(f[:32]) + f[32:]), "responses 0: not below"),
    "an announcement marked by torsion": (
        in_argument("points", lambda c: marked(c[:32]) + c[32:]),
        "known points 0: not a point",
    ),
    "an opening too many": (in_argument("z", lambda z: z + z[-32:]), "known z: 224 bytes where 192"),
    "an opening not below q": (in_argument("g", lambda g: too_large(g[:32]) + g[32:]), "known g 0: not below"),
    "a proof with a field more": (
        lambda m: {**m.honest(), "proof": {**m.honest()["proof"], "more": b""}},
        "'more' is missing or unknown",
    ),
    **{
        f"{what} as half a card": (in_cards(lambda out, wrong=wrong: wrong + out[32:]), "card half 0: not a point")  # type: ignore[misc]
        for what, wrong in WRONG_POINTS.items()
    },
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_deck_with(cheat: str) -> None:
    forge, reason = CHEATS[cheat]
    caught(Strike("shuffle", lambda m: m.sign(forge(m))), reason)


def test_whoever_hears_it_only_from_others_names_the_same_seat() -> None:
    """The cheat sends the bad pass to one seat, and nothing to the other."""
    ring = CheatRing(Strike("shuffle", lambda m: {2: [m.sign(swapped(m))]}))
    ring.play()
    convicted(ring, NOT)


def test_an_order_of_ones_choice() -> None:
    """As good as any other while the others shuffle, too, and no proof can object; the seed that is revealed does."""
    ring = CheatRing(Strike("shuffle", lambda m: m.sign(m.ceremony.make(m.context(), double(m.secrets)))), goes_on=True)
    ring.play()
    assert not ring.verdicts
    assert ring.complete == {0, 1, 2}
    (file,) = {table.file() for table in ring.tables}
    report = audit(file)
    assert report.exit_code == 1
    assert [(one.seat, one.reason) for one in report.findings] == [
        (CHEAT, "a shuffle that does not follow from the revealed seed")
    ]
    assert (report.findings[0].step, report.findings[0].round) == ring.struck[0]


def test_the_points_sent_here_are_what_they_are_called() -> None:
    """A mark that the gate let through would be one that it does not see."""
    assert marked(bytes(group.G)) != group.G
    assert group.add(Point(marked(bytes(group.G))), Point(marked(bytes(group.G)))) == group.mul(2, group.G)
