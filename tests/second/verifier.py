"""A second verifier of finished games, written from docs/protocol.md; numbers in brackets are that document's sections.

For: showing that the document is enough. Never: an import from protocol/ or p2p/; the rules of the games come from
engines/. It answers for whole games with all seeds; all else is `Unsound`.
`python -m tests.second.verifier FILE` prints the identity of a sound file, or why it is not sound.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from pathlib import Path
from typing import Any

from engines import menus, registry, requests
from engines.run import IllegalDecision, Run

from . import seeds
from .basics import (
    ZERO,
    Body,
    G,
    Place,
    Points,
    Q,
    Said,
    Unsound,
    add,
    commitment,
    cut,
    decode,
    digest,
    dot,
    encode,
    gate,
    generator,
    mul,
    need,
    numbers,
    shape,
    signed,
    split,
    sub,
)

FLIPS = 1024
Check = Callable[[Place, Body], Any]
Make = Callable[[Place, seeds.Seat], Body] | None


def logs(t: Said, bases: Points, values: Points, proof: bytes) -> None:  # [10]
    e, *z = numbers(proof)
    t.absorb("bases", *bases)
    t.absorb("values", *values)
    t.absorb("commitments", *(sub(mul(k, b), mul(e, v)) for k, b, v in zip(z, bases, values, strict=True)))
    need(t.challenges("e", 1) == [e], "a proof of logarithms does not hold")


def shares(t: Said, key: bytes, bases: Points, body: Body) -> None:
    (e, z), given = numbers(body["proof"]), gate(body["shares"])
    t.absorb("statement", G, key, len(bases))
    t.absorb("bases", *bases)
    t.absorb("shares", *given)
    weights = t.challenges("weights", len(bases))
    t.absorb("commitments", sub(mul(z, G), mul(e, key)), sub(mul(z, dot(weights, bases)), mul(e, dot(weights, given))))
    need(t.challenges("e", 1) == [e], "a proof of shares does not hold")


def choice(t: Said, c: bytes, d: bytes, choices: Points, s: bytes, proof: bytes) -> None:
    e, z = numbers(proof)[: len(choices)], numbers(proof)[len(choices) :]
    t.absorb("statement", c, d, s)
    t.absorb("choices", *choices)
    pairs = [(sub(mul(k, c), mul(f, d)), sub(mul(k, b), mul(f, s))) for f, k, b in zip(e, z, choices, strict=True)]
    t.absorb("commitments", *(point for pair in pairs for point in pair))
    need(t.challenges("e", 1) == [sum(e) % Q], "a proof of a choice does not hold")


def shuffled(t: Said, joint: bytes, halves: Points, body: Body) -> None:  # [13]
    n = len(halves) // 2
    rows, columns = commitment(n)
    proof = shape(body, cards=64 * n, first=int, proof=dict, salt=16)["proof"]
    known = shape(proof, commitments=64 * rows, known=dict, masked=64, places=n, responses=32 * n + 32)["known"]
    shape(known, f=32 * n, g=32 * n, points=96 * rows, z=64 * rows)
    need(0 <= body["first"] < 2**32, "no such first index")
    h = [generator("H", i) for i in range(columns)]
    out, masked = gate(body["cards"]), gate(proof["masked"])
    c, d, c_d, c_delta, c_a = (
        points[at : at + rows]
        for points, count in ((gate(proof["commitments"]), 2), (gate(known["points"]), 3))
        for at in range(0, rows * count, rows)
    )
    *f, z = numbers(proof["responses"])
    phi, gamma, blinds = (numbers(known[key]) for key in ("f", "g", "z"))
    t.absorb("input", n, G, joint)
    t.absorb("generators", *h)
    t.absorb("cards", *halves)
    t.absorb("pool", body["salt"], body["first"])
    t.absorb("output", *out)
    need(sorted(proof["places"]) == list(range(n)), "places that are no order")
    t.absorb("places", proof["places"])
    t.absorb("commitments", *c, *d)
    t.absorb("masked", *masked)
    weights = t.challenges("t", n)
    t.absorb("responses", *cut(proof["responses"]))
    (factor,), (x,) = t.challenges("lambda", 1), t.challenges("x", 1)
    t.absorb("announcements", *c_d, *c_delta, *c_a)
    (e,) = t.challenges("e", 1)
    t.absorb("openings", *cut(known["f"] + known["g"] + known["z"]))
    w = t.challenges("weights", 2 * rows)
    for half, key in enumerate((G, joint)):
        left = add(
            sub(dot(f, [out[2 * place + half] for place in proof["places"]]), dot(weights, halves[half::2])),
            masked[half],
        )
        need(left == mul(z, key), "a proof of a shuffle does not hold: its cards")
    sides = []  # of each equation: what has to be the identity without its generators, and what to multiply these by
    for j in range(rows):
        row = slice(columns * j, columns * (j + 1))
        given = add(mul(e * factor, c[j]), mul(e, d[j]), c_d[j], mul(-blinds[j], G))
        sides.append((given, [e * one - other for one, other in zip(f[row], phi[row], strict=True)]))
    for j in range(rows):
        row = slice(columns * j, columns * (j + 1))
        sides.append((add(mul(e, c_a[j]), c_delta[j], mul(-blinds[rows + j], G)), [-one for one in gamma[row]]))
    scalars = [sum(k * row[i] for k, (_, row) in zip(w, sides, strict=True) if i < len(row)) for i in range(columns)]
    need(
        add(dot(w, [one for one, _ in sides]), dot(scalars, h)) == ZERO, "a proof of a shuffle does not hold: openings"
    )
    value = e
    for i in range(n):
        value = (value * (phi[i] - e * x) + pow(e, i, Q) * gamma[i]) % Q
    right = pow(e, n + 1, Q) * prod(factor * i + one - x for i, one in enumerate(weights))
    need(value == right % Q, "a proof of a shuffle does not hold: the product")


class Table:
    """One file, from its contract to its seeds. Errors: Unsound."""

    def __init__(self, data: bytes) -> None:
        (first, *items, last), before = split(data)
        head = shape(shape(first, table=dict)["table"], contract=bytes, format=str, signatures=list)
        need(head["format"] == "p2pgame transcript 1", "another format")
        self.items = iter([shape(record, item=bytes)["item"] for record in items])
        self.contract(head["contract"], head["signatures"])
        given = shape(last, seeds=list)["seeds"]
        values = [decode(shape(record, item=bytes)["item"]) for record in items]
        self.leaves = {one["seat"]: self.key(one["body"]) for one in values if one.get("kind") == "leave"}
        due = [32 * (seat not in self.leaves) for seat in self.all]
        need([type(one) is bytes and len(one) for one in given] == due, "a seed is missing")
        self.seats = {seat: seeds.Seat(seed, self.id, seat) for seat, seed in enumerate(given) if seed}
        self.x, self.left = sum(self.leaves.values()) + sum(seat.x for seat in self.seats.values()), 0
        self.prev, self.step, self.flips = digest("p2pgame start", self.id, *head["signatures"], size=32), -1, 0
        self.cards, self.gone, self.faces = list[tuple[bytes, bytes]](), set[int](), dict[bytes, str]()
        self.decks, self.origin = list[range](), list[frozenset[int]]()
        self.looks = dict[tuple[int, int], tuple[bytes, int, bytes, bytes]]()
        self.open()
        self.play()
        need(next(self.items, None) is None, "something follows the closing")
        self.identity = digest("p2pgame file", data[:before], size=32)

    def contract(self, data: bytes, signatures: list[Any]) -> None:  # [7]
        value = shape(decode(data), protocol=int, game=str, options=dict, seats=list, label=str)
        entries = [shape(seat, name=str, key=32, fresh=32) for seat in value["seats"]]
        self.keys, self.n = [seat["key"] for seat in entries], len(entries)
        texts = [value["game"], value["label"], *(seat["name"] for seat in entries)]
        need(value["protocol"] == 1 and all(len(text.encode()) <= 64 for text in texts), "no such contract")
        need(2 <= len(set(self.keys)) == self.n == len(signatures) <= 8, "seats that are doubled or did not sign")
        for key, signature in zip(self.keys, signatures, strict=True):
            signed(key, "contract", data, shape({"sig": signature}, sig=64)["sig"])
        try:
            self.game = registry.create(value["game"], self.n, value["options"])
        except registry.BadTable as error:
            raise Unsound(str(error)) from error
        self.id, self.all = digest("p2pgame contract", data, size=32), list(range(self.n))

    def round(
        self, kind: str, owes: Iterable[int], check: Check, make: Make, number: int = 0
    ) -> dict[int, Body]:  # [8]
        """The bodies of the next round, each checked, and made again from its seed."""
        self.step += number == 0
        chained, bodies, gone = list[bytes](), dict[int, Body](), list[int]()
        for seat in owes:
            data, at = next(self.items, b"\xc0"), Place(self.id, self.prev, self.step, number, seat)
            kinds: dict[str, type] = {"step": int, "round": int, "seat": int, "kind": str, "body": dict}
            item = shape(decode(data), **kinds, table=32, prev=32, sig=64)
            leaves = item["kind"] == "leave" and kind not in ("commit", "keys", "closing") and len(self.all) >= 3
            need(
                [*at, "leave" if leaves else kind] == [item[n] for n in (*Place._fields, "kind")],
                f"{kind} {at[2:]} is due",
            )
            unsigned = encode({name: value for name, value in item.items() if name != "sig"})
            signed(self.keys[seat], "closing" if kind == "closing" else "contribution", unsigned, item["sig"])
            chained.append(data)
            if leaves:
                need(mul(self.key(item["body"]), G) == self.public[seat], "a leave with another key")
                gone.append(seat)
                continue
            check(at, item["body"])
            again = make(at, self.seats[seat]) if make and seat in self.seats else item["body"]
            need(encode(again) == encode(item["body"]), f"{kind} {at[2:]} does not follow from the seed")
            bodies[seat] = item["body"]
        self.all = [seat for seat in self.all if seat not in gone]
        self.left += sum(self.leaves[seat] for seat in gone)
        self.prev = digest("p2pgame round", self.prev, *chained, size=32)
        return bodies

    @staticmethod
    def key(body: Body) -> int:  # [12] leave
        return numbers(shape(body, x=32)["x"])[0]

    def open(self) -> None:  # [12] commit, keys
        commits = self.round(
            "commit", self.all, lambda _, body: shape(body, seed=32), lambda _, me: {"seed": me.commitment}
        )
        seed_hashes = [body["seed"] for body in commits.values()]

        def check(at: Place, body: Body) -> None:
            shape(body, anchor=32, key=32, proof=64)
            t = Said(at, "key")
            t.absorb("seeds", *seed_hashes)
            t.absorb("anchor", body["anchor"])
            logs(t, [G], gate(body["key"]), body["proof"])

        bodies = self.round("keys", self.all, check, lambda at, me: seeds.keys(at, me, seed_hashes))
        self.public, self.heads = ([body[name] for body in bodies.values()] for name in ("key", "anchor"))
        self.joint = add(*self.public)
        need(len(set(seed_hashes)) == len(set(self.public)) == self.n and self.joint != ZERO, "two equal seats")

    def flip(self) -> bytes:
        place, prev = FLIPS - 1 - self.flips, self.prev
        need(place >= 0, "a flip too many")

        def check(at: Place, body: Body) -> None:
            link = digest("p2pgame chain", self.id, at.seat, place, shape(body, value=32)["value"], size=32)
            need(link == self.heads[at.seat], "a flip that is not the preimage")

        bodies = self.round("flip", self.all, check, lambda _, me: {"value": me.chain[place]})
        values = {seat: body["value"] for seat, body in bodies.items()}
        self.heads, self.flips = [values.get(seat, head) for seat, head in enumerate(self.heads)], self.flips + 1
        return digest("p2pgame flipres", self.id, prev, self.flips - 1, *values.values(), size=32)

    def shuffle(self, request: requests.Shuffle) -> None:
        halves, said = self.halves(request.cards), Body()

        def check(at: Place, body: Body) -> None:
            shuffled(Said(at, "shuffle"), self.joint, halves, body)
            said.update(body)

        def make(at: Place, me: seeds.Seat) -> Body:
            return seeds.shuffle(at, me, self.joint, halves, said["salt"], said["first"])

        for number, seat in enumerate(list(self.all)):
            for body in self.round("shuffle", {seat}.intersection(self.all), check, make, number).values():
                halves = cut(body["cards"])
        self.gone.update(() if request.keep else request.cards)
        self.cards += zip(halves[::2], halves[1::2], strict=True)
        self.origin += [self.origins(request.cards)] * len(request.cards)

    def view(self, looks: Mapping[int, Sequence[int]]) -> None:
        halves = {seat: self.halves(looks[seat]) for seat in sorted(looks) if looks[seat] and seat in self.all}
        start = self.prev

        def check(at: Place, body: Body) -> None:
            cards, size = halves[at.seat], 16 * len(halves[at.seat])
            shape(body, blind=32 + size, blinded=size, proof=64, shares=size)
            t = Said(at, "view blind")
            t.absorb("cards", *cards)
            logs(t, cards[::2], gate(body["blinded"]), body["blind"])
            shares(Said(at, "view own"), self.public[at.seat], cut(body["blinded"]), body)

        first = self.round("view", halves, check, lambda at, me: seeds.view(at, me, halves[at.seat]))

        def bases(seat: int) -> list[bytes]:
            return [one for viewer, body in first.items() if viewer != seat for one in cut(body["blinded"])]

        def check_others(at: Place, body: Body) -> None:
            shape(body, proof=64, shares=32 * len(bases(at.seat)))
            shares(Said(at, "view"), self.public[at.seat], bases(at.seat), body)

        def make_others(at: Place, me: seeds.Seat) -> Body:
            return seeds.shares(Said(at, "view"), me, bases(at.seat))

        owed = [seat for seat in self.all if bases(seat)]
        second = self.round("view", owed, check_others, make_others, 1)
        given = {seat: iter(cut(body["shares"])) for seat, body in second.items()}
        for seat, cards in halves.items():
            if seat not in self.all:
                for one in given:  # what was answered for it counts for nothing
                    [next(given[one]) for _ in looks[seat] if one != seat and seat in first]
                continue
            source = digest("p2pgame input", self.id, start, seat, *cards)
            own = zip(looks[seat], cut(first[seat]["blinded"]), cut(first[seat]["shares"]), strict=True)
            for index, (handle, blinded, share) in enumerate(own):
                others = [next(given[other]) for other in second if other != seat]
                total = add(share, *others, mul(self.left, blinded))
                self.looks[seat, handle] = source, index, blinded, total

    def turn_over(self, handles: Sequence[menus.Card]) -> dict[menus.Card, str]:
        halves = self.halves(handles)

        def check(at: Place, body: Body) -> None:
            shape(body, proof=64, shares=16 * len(halves))
            shares(Said(at, "open"), self.public[at.seat], halves[::2], body)

        bodies = self.round("open", self.all, check, lambda at, me: seeds.shares(Said(at, "open"), me, halves[::2]))
        mine = [mul(self.left, c1) for c1 in halves[::2]]
        sums = [add(*one) for one in zip(mine, *(cut(body["shares"]) for body in bodies.values()), strict=True)]
        return {one: self.face(sub(c2, s)) for one, c2, s in zip(handles, halves[1::2], sums, strict=True)}

    def origins(self, handles: Sequence[int]) -> frozenset[int]:  # [14]
        return frozenset(one for handle in handles for one in self.origin[handle])

    def promise(self, request: requests.Promise) -> None:
        if request.seat not in self.all:
            self.round("promise", [], lambda *_: None, None)
            return
        halves, faces, points = self.halves(request.cards), list(self.faces.values()), list(self.faces)
        places = sorted(j for deck in self.origins(request.cards) for j in self.decks[deck])
        allowed = [j for j in places if faces[j] not in request.never]
        cards = list(zip(halves[::2], halves[1::2], strict=True))
        looks = [self.looks[request.seat, handle] for handle in request.cards]
        choices = [[sub(c2, points[j]) for j in allowed] for _, c2 in cards]

        def said(at: Place, index: int) -> Said:
            t = Said(at, "promise")
            t.absorb("card", index, *cards[index])
            t.absorb("allowed", *allowed)
            return t

        def check(at: Place, body: Body) -> None:
            size = 64 * len(allowed)
            proofs = shape(body, proofs=size * len(cards))["proofs"]
            for i, (_, _, d, s) in enumerate(looks):
                choice(said(at, i), cards[i][0], d, choices[i], s, proofs[size * i : size * (i + 1)])

        def make(at: Place, me: seeds.Seat) -> Body:
            proofs = []
            for i, (source, index, d, s) in enumerate(looks):
                b = me.secret("blind", source, index) or 1
                true = [mul(b, one) for one in choices[i]].index(s)
                proofs.append(seeds.choice(said(at, i), me, cards[i][0], d, choices[i], s, b, true))
            return {"proofs": b"".join(proofs)}

        self.round("promise", [request.seat], check, make)

    def ask(self, run: Run, request: requests.Ask) -> dict[int, menus.Choice]:  # [14]
        choices: dict[int, menus.Choice] = {}

        def check(at: Place, body: Body) -> None:
            shape(body, act=int, picks=list)
            menu = request.menus[at.seat]
            try:
                choices[at.seat] = menu.parse(body["act"], body["picks"])
            except menus.Illegal as error:
                raise Unsound(str(error)) from error
            refusal = run.refusal(at.seat, choices[at.seat]) or menu.judge(self.truth, choices[at.seat], final=True)
            need(not refusal, f"a decision against the rules: {refusal}")

        self.round("ask", sorted(set(request.menus).intersection(self.all)), check, None)
        return {seat: choices.get(seat, menu.lapse) for seat, menu in request.menus.items()}

    def halves(self, handles: Sequence[int]) -> list[bytes]:  # [11]
        need(not self.gone.intersection(handles), "a card that is gone")
        return [half for handle in handles for half in self.cards[handle]]

    def face(self, point: bytes) -> str:
        need(point in self.faces, "a card that does not open")
        return self.faces[point]

    def truth(self, handle: int) -> str:
        c1, c2 = self.cards[handle]
        return self.face(sub(c2, mul(self.x, c1)))

    def play(self) -> None:  # [14]
        run = Run(self.game)
        while not run.finished:
            request, answer = run.pending, None
            if isinstance(request, requests.Deck):
                self.decks.append(range(len(self.faces), len(self.faces) + len(request.faces)))
                self.origin += [frozenset([len(self.decks) - 1])] * len(request.faces)
                for face in request.faces:
                    point = generator("M", len(self.faces))
                    self.faces[point] = face
                    self.cards.append((G, add(point, self.joint)))
            elif isinstance(request, requests.Shuffle):
                first = len(self.cards)
                self.shuffle(request)
                for handle in range(first, len(self.cards)):
                    self.truth(handle)
            else:
                answer = self.answer(run, request)
            try:
                run.answer(answer)
            except IllegalDecision as error:
                raise Unsound(f"seat {error.seat} decided against the rules: {error}") from error
        assert run.result is not None
        result = {"winners": list(run.result.winners), "scores": list(run.result.scores), "reason": run.result.reason}
        self.round("closing", self.all, lambda *_: None, lambda *_: result)

    def answer(self, run: Run, request: requests.Request | None) -> Any:
        if isinstance(request, requests.Flip):
            return self.flip()
        if isinstance(request, requests.View):
            self.view(request.looks)
            return {}
        if isinstance(request, requests.Open):
            return self.turn_over(run.closed(request))
        if isinstance(request, requests.Ask):
            return self.ask(run, request)
        return self.promise(request) if isinstance(request, requests.Promise) else None


def verify(data: bytes) -> bytes:
    """The identity of a sound file. Errors: Unsound."""
    return Table(data).identity


if __name__ == "__main__":
    try:
        sys.stdout.write(verify(Path(sys.argv[1]).read_bytes()).hex() + "\n")
    except Unsound as unsound:
        sys.exit(str(unsound))
