"""Cheats with looks, shares and promises, each at a table among honest seats.

Theory: whoever answers a look turns over the card that was blinded, so a look must be of the very card that the rules
allow, and is proven before anybody answers. A share must be made with the key that its seat has published; one proof
covers all shares of a round, with weights that depend on all of them. There is no message by which a viewer could raise
a false alarm: with every shuffle, blind and share checked, a card that opens to nothing cannot be.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest

from engines.fungi_cards import SPECIAL
from engines.menus import Choice
from p2p.table import Table
from protocol import group, sigma
from protocol.ceremony import Body
from protocol.dealing import Open, Promise, View
from protocol.errors import Misuse
from protocol.group import G, Point
from protocol.hashing import Transcript

from .cheat import CHEAT, CheatRing, Moment, Strike, recorded
from .looks import NOT_BLIND, hand, looking, pretending
from .points import WRONG_POINTS, marked, too_large
from .verdicts import caught, convicted

Forge = Callable[[Moment], Body]


def pile(m: Moment) -> list[int]:
    """Cards that nobody may see."""
    assert m.table.run is not None
    return [int(card) for card in m.table.run.game.table.pile]


def first(field: str, change: Callable[[bytes], bytes]) -> Forge:
    """An honest body but for the first 32 bytes of one field."""
    return lambda m: {**m.honest(), field: change(m.honest()[field][:32]) + m.honest()[field][32:]}


def unproven(m: Moment) -> Body:
    """The right proof, and another card in the place of the first."""
    return pretending(m, [pile(m)[0], *hand(m, m.seat)[1:]])


LOOKS: dict[str, tuple[Forge, str]] = {
    "at a card of the pile": (lambda m: looking(m, [pile(m)[0], *hand(m, m.seat)[1:]]), NOT_BLIND),
    "at another's hand": (lambda m: looking(m, hand(m, 0)), NOT_BLIND),
    "at one card twice": (lambda m: {**m.honest(), "blinded": m.honest()["blinded"][:32] * 3}, NOT_BLIND),
    "at a card of the pile, unproven": (unproven, NOT_BLIND),
    "at what is no card": (first("blinded", lambda _: bytes(G)), NOT_BLIND),
    "at one card more": (lambda m: looking(m, [*hand(m, m.seat), pile(m)[0]]), "blinded card: 128 bytes where 96"),
    "at one card less": (lambda m: looking(m, hand(m, m.seat)[:2]), "blinded card: 64 bytes where 96"),
    "in another's place": (lambda m: m.ceremony.make(m.context(0), m.ring.secrets(0)), NOT_BLIND),
    "marked by torsion": (first("blinded", marked), "blinded card 0: not a point"),
    "with a scalar too large": (first("blind", too_large), "blind: scalar 0: not below"),
    "with a share of another key": (first("shares", lambda _: bytes(group.m(9))), "view own: proof does not hold"),
    "with a field more": (lambda m: {**m.honest(), "more": b""}, "'more' is missing or unknown"),
    **{
        f"at {what}": (first("blinded", lambda _, wrong=wrong: wrong), "blinded card 0: not a point")  # type: ignore[misc]
        for what, wrong in WRONG_POINTS.items()
    },
}


@pytest.mark.parametrize("cheat", LOOKS)
def test_a_look(cheat: str) -> None:
    forge, reason = LOOKS[cheat]
    ring = caught(Strike("view", lambda m: m.sign(forge(m)), round=0), reason)
    assert all(ring.tables[seat].session.place[1] == 0 for seat in ring.honest), "somebody has answered it"
    assert all(set(ring.tables[seat].run.known[seat]) == set() for seat in ring.honest)  # type: ignore[union-attr]


def bases(m: Moment) -> list[Point]:
    """What this seat owes shares of."""
    if isinstance(m.ceremony, Open):
        return m.ceremony._bases
    assert isinstance(m.ceremony, View)
    return m.ceremony._bases(m.seat)


def sharing(m: Moment, others: list[Point]) -> Body:
    """Right shares of other points than those that are due, with a proof for these."""
    shares = [group.mul(m.secrets.x, one) for one in others]
    return {"shares": b"".join(shares), "proof": sigma.prove_shares(transcript(m), m.secrets, others, shares)}


def transcript(m: Moment) -> Transcript:
    return Transcript(m.context(), m.ceremony.kind)


def wrong_key(m: Moment) -> Body:
    """Shares made with another secret, proven as well as can be."""
    shares = [group.mul(m.secrets.x + 1, one) for one in bases(m)]
    proof = sigma.prove_shares(transcript(m), m.secrets, bases(m), shares)
    return {"shares": b"".join(shares), "proof": proof}


def one_wrong(m: Moment) -> Body:
    """One wrong share among good ones, made up for by another as if the weights were all the same."""
    good = [group.mul(m.secrets.x, one) for one in bases(m)]
    good[0], good[-1] = group.add(good[0], group.m(3)), group.sub(good[-1], group.m(3))
    proof = sigma.prove_shares(transcript(m), m.secrets, bases(m), good)
    return {"shares": b"".join(good), "proof": proof}


SHARES: dict[str, tuple[Forge, str]] = {
    "of another key": (wrong_key, "proof does not hold"),
    "that is wrong": (first("shares", lambda _: bytes(group.m(9))), "proof does not hold"),
    "of another card": (
        lambda m: sharing(m, [group.m(5) for _ in bases(m)]),
        "proof does not hold",
    ),
    "of another seat": (lambda m: m.ceremony.make(m.context(0), m.ring.secrets(0)), "proof does not hold"),
    "too many": (lambda m: sharing(m, [*bases(m), G]), "bytes where"),
    "marked by torsion": (first("shares", marked), "share 0: not a point"),
    "with a scalar too large": (first("proof", too_large), "scalar 0: not below"),
    **{
        f"that is {what}": (first("shares", lambda _, wrong=wrong: wrong), "share 0: not a point")  # type: ignore[misc]
        for what, wrong in WRONG_POINTS.items()
    },
}


@pytest.mark.parametrize("cheat", SHARES)
def test_a_share_of_an_opened_card(cheat: str) -> None:
    forge, reason = SHARES[cheat]
    caught(Strike("open", lambda m: m.sign(forge(m))), reason)


BATCH = {
    **{cheat: SHARES[cheat] for cheat in ("of another key", "that is wrong", "of another card", "too many")},
    "that another makes up for": (one_wrong, "view: proof does not hold"),
    "two in each other's place": (
        lambda m: {
            **m.honest(),
            "shares": m.honest()["shares"][32:64] + m.honest()["shares"][:32] + m.honest()["shares"][64:],
        },
        "view: proof does not hold",
    ),
}


@pytest.mark.parametrize("cheat", BATCH)
def test_a_share_hidden_in_a_batch(cheat: str) -> None:
    """Each seat answers for the cards of all others at once."""
    forge, reason = BATCH[cheat]
    strike = Strike("view", lambda m: m.sign(forge(m)), round=1)
    caught(strike, reason)


def test_a_wrong_share_alone() -> None:
    """One card, one viewer: nothing to hide it among."""
    place = next(
        item.place
        for item in recorded()
        if (item.kind, item.round, item.seat) == ("view", 1, CHEAT) and len(item.body["shares"]) == group.SIZE
    )
    strike = Strike("view", lambda m: m.sign(wrong_key(m)), round=1)
    ring = CheatRing(strike, begin=[item for item in recorded() if item.place < place])
    ring.play()
    assert ring.struck == [place]
    convicted(ring, "view: proof does not hold")


@pytest.mark.parametrize("kind", ["alarm", "complaint", ""])
def test_a_false_alarm(kind: str) -> None:
    """No message says that a card cannot be read, so whoever sends one has signed something that is not due."""
    alarm = Strike("open", lambda m: m.sign({"card": 0, "blind": bytes(32)}, kind=kind or "abandon"))
    caught(alarm, "where a open is due")


# -- promises, in a game that asks for them ----------------------------------------------------------------------------


def keeper(seat: int, table: Table) -> Choice:
    """Shows none of the cards that may not be kept."""
    assert table.menu is not None
    return Choice(0, (0,))


def hides(ring: CheatRing) -> bool:
    """Whether the cheat holds something that it may not keep."""
    run = ring.tables[CHEAT].run
    assert run is not None
    return not SPECIAL.isdisjoint(run.known[CHEAT].values())


@functools.cache
def hiding() -> int:
    """The seed of a table at which the cheat is dealt something to hide."""
    for seed in range(3, 40):
        ring = CheatRing(Strike("promise", lambda _: b""), game="fungi", seats=2, seed=seed, begin=())
        for seat in range(2):
            ring.pump(seat)
        while not ((run := ring.tables[CHEAT].run) and run.known[CHEAT]):
            assert ring.step()
        if hides(ring):
            return seed
    raise AssertionError("nobody is ever dealt a basket")


def false(m: Moment) -> Body:
    """The honest prover, told that a card it hides is the first of the allowed ones."""
    assert isinstance(m.ceremony, Promise)
    with pytest.raises(Misuse, match="would not be true"):
        m.honest()
    proofs = []
    for index, look in enumerate(m.ceremony._looks):
        b = m.secrets.blind(look.source, look.index)
        claim, begun = m.ceremony._claim(index), m.ceremony._transcript(m.context(), index)
        proofs.append(sigma.prove_choice(begun, m.secrets, claim, b, 0))
    return {"proofs": b"".join(proofs)}


def of_one_card(m: Moment) -> Body:
    """The proof of a card that is allowed, for each of the cards."""
    assert isinstance(m.ceremony, Promise)
    size = len(false(m)["proofs"]) // len(m.ceremony._handles)
    faces = [m.table.deck.viewed(m.secrets, handle) for handle in m.ceremony._handles]
    good = next(index for index, face in enumerate(faces) if face in m.ceremony._allowed)
    look = m.ceremony._looks[good]
    true = m.ceremony._allowed.index(faces[good])
    claim, begun = m.ceremony._claim(good), m.ceremony._transcript(m.context(), good)
    proof = sigma.prove_choice(begun, m.secrets, claim, m.secrets.blind(look.source, look.index), true)
    assert len(proof) == size
    return {"proofs": proof * len(faces)}


@pytest.mark.parametrize(
    ("forge", "reason"), [(false, "proof does not hold"), (of_one_card, "proof does not hold"), (None, "bytes where")]
)
def test_a_false_promise(forge: Forge | None, reason: str) -> None:
    """A hidden basket is caught when it is hidden, not after the game."""
    make: Forge = forge or (lambda _: {"proofs": b""})
    strike = Strike("promise", lambda m: m.sign(make(m)))
    ring = CheatRing(strike, game="fungi", seats=2, seed=hiding(), begin=())
    bots = ring.decide
    ring.decide = lambda seat, table: (keeper if seat == CHEAT else bots)(seat, table)
    ring.play()
    assert hides(ring)
    assert len(ring.struck) == 1
    convicted(ring, reason)
