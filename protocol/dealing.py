"""What the seats do together with cards: shuffle, view, open, promise.

For: the session, as ceremonies. Never: a share of a card that is not in the request, or a step that a bad body of one
seat could bring to a false end.

Theory of operation. A request names cards in an order; every list in a body follows it, so lengths are known before a
body comes. Where a list is of points or scalars it is one piece of bytes, 32 to each. Bodies:

    shuffle  round r, seat r alone: see shuffle.py
    view     round 0, each viewer, for its own cards: "blinded" D = b·C1, "blind" the proof that it knows every b,
             "shares" x·D, "proof" of these. Round 1, each seat, for the cards that others view, in order of viewers:
             "shares" x·D and "proof". Nobody but the viewer knows b, and it needs the shares of all.
    open     one round, each seat: "shares" x·C1 and "proof"
    promise  one round, one seat: "proofs", 64 bytes for each card and each allowed face

The transcripts are named "view blind", "view own", "view", "open" and "promise". Those of a look and of a promise begin
with the cards as they are (C1, C2); that of a promise also with the place of the card in the request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import codec, elgamal, group, hashing, limits, shuffle, sigma
from .ceremony import Body, Context, Salted
from .deck import Deck, Joint, Look
from .elgamal import Ciphertext
from .errors import Misuse
from .group import Point
from .hashing import Transcript
from .pool import Batch, batch
from .secrets import Secrets


def _make_shares(context: Context, what: str, secrets: Secrets, bases: Sequence[Point]) -> Body:
    shares = [group.mul(secrets.x, one) for one in bases]
    proof = sigma.prove_shares(Transcript(context, what), secrets, bases, shares)
    return {"shares": b"".join(shares), "proof": proof}


def _check_shares(context: Context, what: str, key: Point, bases: Sequence[Point], body: Body) -> None:
    shares = group.claims(body["shares"], len(bases), f"{what}: share")
    sigma.check_shares(Transcript(context, what), key, bases, shares, body["proof"], what)


class Shuffle(Joint, Salted):
    """Distinct live cards get new handles in an order that nobody knows: as many rounds as seats, in seat order.

    The old handles retire unless `keep`. Errors: Misuse (no cards, too many, one twice, one that is not there).
    """

    kind = "shuffle"

    def __init__(self, deck: Deck, handles: Sequence[int], keep: bool = False) -> None:
        super().__init__(deck, len(deck.serving))
        self._seats = deck.serving
        self._handles = tuple(handles)
        self._keep = keep
        self._cards = deck.cards(self._handles)
        self._result = range(0)

    @property
    def size(self) -> int:
        """The number of cards."""
        return len(self._handles)

    def owes(self, round: int) -> tuple[int, ...]:
        """One seat a round; nobody in that of one who has left since the step began."""
        turn = self._seats[round : round + 1] if round >= 0 else ()
        return tuple(seat for seat in turn if seat not in self._deck.left)

    def _make(self, context: Context, secrets: Secrets) -> Body:
        return self._pass(context, secrets, self._cards, self._taken(secrets))

    def _taken(self, secrets: Secrets) -> Batch | None:
        deck, pool = self._deck, secrets.pool
        return pool.take(len(self._cards), deck.joint, deck.spread) if pool else None

    def _pass(self, context: Context, secrets: Secrets, cards: Sequence[Ciphertext], batch: Batch | None) -> Body:
        joint, spread = self._deck.joint, self._deck.spread
        done = shuffle.mix(context, secrets, joint, cards, batch=batch, spread=spread)
        return shuffle.prove(context, joint, cards, done, spread=spread)

    def again(self, context: Context, secrets: Secrets, body: Body) -> Body:
        """The pass with the batch that this one names. Errors: as `make`."""
        joint, spread, n = self._deck.joint, self._deck.spread, len(self._cards)
        return self._pass(context, secrets, self._cards, batch(secrets, body["salt"], body["first"], n, joint, spread))

    def foresee(self, context: Context, secrets: Secrets, bodies: Mapping[int, Body]) -> Body:
        """The pass over cards that have come and are not checked. What is no point ends in an error."""
        (body,) = bodies.values()
        claimed = group.sized(body.get("cards"), 2 * group.SIZE * len(self._cards), "shuffle cards")
        return self._pass(context, secrets, elgamal.pairs(group.checked(claimed)), self._taken(secrets))

    def _check(self, context: Context, body: object) -> None:
        shuffle.check(context, self._deck.joint, self._cards, body, spread=self._deck.spread)

    def _accept(self, round: int, bodies: Mapping[int, Body], prev: bytes) -> None:
        for body in bodies.values():
            self._cards = elgamal.pairs(group.checked(body["cards"]))
        if round + 1 == self.rounds:
            self._result = self._deck.append(self._cards)
            if not self._keep:
                self._deck.retire(self._handles)

    @property
    def result(self) -> range:
        """The new handles. Errors: Misuse, before the shuffle is over."""
        self._finished()
        return self._result


class View(Joint):
    """Seats look at cards, each alone; several seats may look at several cards, also the same, in one step.

    Errors: Misuse (no cards, a seat that is not there, one card twice for one seat, one that is not there).
    """

    kind = "view"

    def __init__(self, deck: Deck, views: Mapping[int, Sequence[int]]) -> None:
        wanted = {seat: tuple(views[seat]) for seat in sorted(views) if views[seat]}
        if not wanted or not wanted.keys() <= set(range(deck.seats)):
            raise Misuse("view: needs seats of the table, and cards for them")
        # Who has left looks at nothing; if that was everybody who should, both rounds are empty.
        self._views = {seat: handles for seat, handles in wanted.items() if seat not in deck.left}
        self._cards = {seat: deck.cards(handles) for seat, handles in self._views.items()}
        if sum(map(len, self._cards.values())) > limits.MAX_CARDS:
            raise Misuse(f"view: more than {limits.MAX_CARDS} cards")
        self._blinded: dict[int, list[Point]] = {}
        self._shares: dict[int, list[list[Point]]] = {}
        self._prev = b""
        super().__init__(deck, 2)

    def owes(self, round: int) -> tuple[int, ...]:
        """First the viewers, then whoever is not the only viewer."""
        if round == 0:
            return tuple(seat for seat in self._views if seat not in self._deck.left)
        looking = set(self._blinded) if self._done else set(self._views)
        return tuple(seat for seat in self._deck.serving if looking - {seat}) if round == 1 else ()

    def _source(self, prev: bytes, seat: int) -> bytes:
        """What a viewer's blinds are bound to. `prev` covers every earlier round, and so the place of this one."""
        cards = [part for card in self._cards[seat] for part in card]
        return hashing.hash64("p2pgame input", self._deck.table, prev, seat, *cards)

    def _bases(self, seat: int) -> list[Point]:
        """The blinded cards for which this seat owes a share in round 1."""
        return [one for viewer, blinded in self._blinded.items() if viewer != seat for one in blinded]

    def _blind(self, context: Context, cards: Sequence[Ciphertext]) -> Transcript:
        t = Transcript(context, "view blind")
        t.absorb("cards", *(part for card in cards for part in card))
        return t

    def _make(self, context: Context, secrets: Secrets) -> Body:
        if context.round == 1:
            return _make_shares(context, "view", secrets, self._bases(context.seat))
        cards = self._cards[context.seat]
        source = self._source(context.prev, context.seat)
        bs = [secrets.blind(source, index) for index in range(len(cards))]
        bases = [card.c1 for card in cards]
        blinded = [group.mul(b, base) for b, base in zip(bs, bases, strict=True)]
        proof = sigma.prove_logs(self._blind(context, cards), secrets, bases, blinded, bs)
        own = _make_shares(context, "view own", secrets, blinded)
        return {"blinded": b"".join(blinded), "blind": proof, **own}

    def _check(self, context: Context, body: object) -> None:
        key = self._deck.keys[context.seat]
        if context.round == 1:
            found = codec.fields(body, "view", shares=bytes, proof=bytes)
            return _check_shares(context, "view", key, self._bases(context.seat), found)
        found = codec.fields(body, "view", blinded=bytes, blind=bytes, shares=bytes, proof=bytes)
        cards = self._cards[context.seat]
        name = "view: blinded card"
        claimed, bases = group.claims(found["blinded"], len(cards), name), [card.c1 for card in cards]
        sigma.check_logs(self._blind(context, cards), bases, claimed, found["blind"], "view: blind", name)
        return _check_shares(context, "view own", key, group.checked(found["blinded"]), found)

    def _accept(self, round: int, bodies: Mapping[int, Body], prev: bytes) -> None:
        if round == 0:
            self._prev = prev
            self._blinded = {seat: group.checked(body["blinded"]) for seat, body in bodies.items()}
            self._shares = {seat: [[one] for one in group.checked(body["shares"])] for seat, body in bodies.items()}
        else:
            for seat, body in bodies.items():
                slots = [slot for viewer, slots in self._shares.items() if viewer != seat for slot in slots]
                for slot, share in zip(slots, group.checked(body["shares"]), strict=True):
                    slot.append(share)
        if round + 1 == self.rounds:
            for seat, handles in self._views.items():
                if seat in self._deck.left:
                    continue  # it looks at nothing any more
                source = self._source(self._prev, seat)
                for index, handle in enumerate(handles):
                    blinded = self._blinded[seat][index]
                    total = group.total([*self._shares[seat][index], *self._deck.left_shares(blinded)])
                    self._deck.note(seat, handle, Look(source, index, blinded, total))

    def faces(self, secrets: Secrets) -> dict[int, int]:
        """Handle to j, for the cards that this seat viewed. Errors: Misuse (not over); Refused, see `elgamal.find`."""
        self._finished()
        return {handle: self._deck.viewed(secrets, handle) for handle in self._views.get(secrets.seat, ())}


class Open(Joint):
    """Everybody sees the cards. Errors: Misuse (no cards, too many, one twice, one that is not there).

    `accept` would raise Refused for a card that opens to no face; see `elgamal.find` on why that cannot be.
    """

    kind = "open"

    def __init__(self, deck: Deck, handles: Sequence[int]) -> None:
        super().__init__(deck)
        self._handles = tuple(handles)
        self._bases = [card.c1 for card in deck.cards(self._handles)]
        self._result: dict[int, int] = {}

    def _make(self, context: Context, secrets: Secrets) -> Body:
        return _make_shares(context, "open", secrets, self._bases)

    def _check(self, context: Context, body: object) -> None:
        found = codec.fields(body, "open", shares=bytes, proof=bytes)
        _check_shares(context, "open", self._deck.keys[context.seat], self._bases, found)

    def _accept(self, round: int, bodies: Mapping[int, Body], prev: bytes) -> None:
        rows = [group.checked(body["shares"]) for body in bodies.values()]
        self._result = {
            handle: self._deck.find(handle, [*(row[index] for row in rows), *self._deck.left_shares(base)])
            for index, (handle, base) in enumerate(zip(self._handles, self._bases, strict=True))
        }
        self._deck.opened.update(self._result)

    @property
    def result(self) -> dict[int, int]:
        """Handle to j. Errors: Misuse, before all shares are there."""
        self._finished()
        return dict(self._result)


class Promise(Joint):
    """A seat proves of each of some cards that it viewed: its face is one of `allowed`. Nothing else comes to light.

    Errors: Misuse (no cards, one that the seat never viewed, no allowed faces, or such as no card has).
    """

    kind = "promise"

    def __init__(self, deck: Deck, seat: int, handles: Sequence[int], allowed: frozenset[int]) -> None:
        super().__init__(deck)
        self._seat = seat
        self._handles = tuple(handles)
        self._cards = deck.cards(self._handles)
        self._looks = [deck.look(seat, handle) for handle in self._handles if seat not in deck.left]
        self._allowed = sorted(allowed)
        if not allowed or not allowed <= set(deck.faces):
            raise Misuse("promise: needs allowed faces, of cards that there are")
        if 64 * len(self._cards) * len(allowed) > limits.PROMISE_BYTES:
            raise Misuse("promise: too many cards and faces for one message")

    def owes(self, round: int) -> tuple[int, ...]:
        """The seat that promises."""
        return (self._seat,) if round == 0 and self._seat not in self._deck.left else ()

    def _transcript(self, context: Context, index: int) -> Transcript:
        t = Transcript(context, "promise")
        t.absorb("card", index, *self._cards[index])
        t.absorb("allowed", *self._allowed)
        return t

    def _claim(self, index: int) -> sigma.Choice:
        """With C2 − M_j for each allowed j: x_T·C1 for the true one, and then S = b·x_T·C1 is b times that."""
        (c1, c2), look = self._cards[index], self._looks[index]
        return sigma.Choice(c1, look.blinded, [group.sub(c2, group.m(j)) for j in self._allowed], look.total)

    def _make(self, context: Context, secrets: Secrets) -> Body:
        proofs = []
        for index, (handle, look) in enumerate(zip(self._handles, self._looks, strict=True)):
            face = self._deck.viewed(secrets, handle)
            if face not in self._allowed:
                raise Misuse("promise: it would not be true")
            b = secrets.blind(look.source, look.index)
            true = self._allowed.index(face)
            t, claim = self._transcript(context, index), self._claim(index)
            proofs.append(sigma.prove_choice(t, secrets, claim, b, true, self._deck.spread))
        return {"proofs": b"".join(proofs)}

    def _check(self, context: Context, body: object) -> None:
        proofs = codec.fields(body, "promise", proofs=bytes)["proofs"]
        size = 2 * group.SIZE * len(self._allowed)
        group.sized(proofs, size * len(self._cards), "promise: proofs")
        for index in range(len(self._cards)):
            t, claim, proof = self._transcript(context, index), self._claim(index), proofs[size * index :][:size]
            sigma.check_choice(t, claim, proof, f"promise: card {index}", self._deck.spread)

    def _accept(self, round: int, bodies: Mapping[int, Body], prev: bytes) -> None:
        """A promise that was checked changes nothing."""
