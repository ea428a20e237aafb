"""Shuffling sealed cards, and the proof that nothing else was done to them.

For: one seat's pass over a list of cards. Never: cards that are not the ones that came in, a list of any other length
than the cards demand, or a proof that holds for another pass.

Theory of operation (Groth 2010, "A Verifiable Secret Shuffle of Homomorphic Encryptions", J. Cryptology 23; written
additively, made non-interactive by hashing: Fiat and Shamir 1986). Input E_i = (a_i, b_i), output E'_i, i = 1 … N. The
cards go through two orders. The secret order σ and all else that is random come from a batch of pool.py, so that most
of the proof can be made before the cards are there: the i-th card, E_{σ(i)}, gets the factor r'_i. Then it is put at
place τ(i) of the output, E'_{τ(i)} = E_{σ(i)} + r'_i·(G, X), and τ is told to all. The order that counts is their
secret product π = σ∘τ⁻¹, by output. It is bound to the cards and the place in the transcript, and τ is made from π and
σ. As σ is random and used once, τ says as little of π as a message under a one-time pad. Commitments are those of
vectors.py. The prover

 1. commits to the order, C = com(σ(1), …), to random masks, D = com(−d_1, …), tells τ and E_d = R·(G, X) − Σ
    d_i·E'_{τ(i)};
 2. answers challenges t_1 … t_N by f_i = t_{σ(i)} + d_i and Z = R + Σ t_{σ(i)}·r'_i;
 3. argues, for a challenge λ, that λ·C + D + com(f_1, …) hides the λ·i + t_i in some order (known.py).

What is checked: that τ is an order; Σ f_i·E'_{τ(i)} − Σ t_i·E_i + E_d = Z·(G, X), in both halves; and that argument.

Why that shows that the cards are the same. C and D stand before the t and f before λ; who could answer two values of λ
knows what is in C, and so in D. What is hidden by C, and by D + com(f), be p_i and v_i. If the pairs (p_i, v_i) are not
the pairs (i, t_i) in another order, there is one among them too often; its λ·p_i + v_i is that of another one, (j,
t_j), for at most one λ for each j. So for all but N values of λ the λ·p_i + v_i are not the λ·i + t_i in another order,
which known.py finds out. Hence p is an order σ, as it was before the t, and f_i = t_{σ(i)} + d_i for the d_i in D. Then
what is checked, of which all but the t_i and Z stood before the t, is Σ t_{σ(i)}·(E'_{τ(i)} − E_{σ(i)}) + (E_d + Σ
d_i·E'_{τ(i)}) = Z·(G, X): the sum is some multiple of (G, X), the same in both halves. If one E'_{τ(i)} − E_{σ(i)} is
no such multiple, that is so for one in q of the values of t_{σ(i)}. Each of these steps, and of those in known.py, goes
wrong for at most (N + 1)/q of the values of the challenge that follows it, and every challenge is a hash of the whole
statement and of all that was said before.

Why it says nothing else: d_i, R and all blinds are uniform and used once (pool.py); so f, Z and what is hidden are,
too, and E_d follows from them.

Numbers are 0 … N−1 here in the place of 1 … N; all that counts is that they differ.

Cost of a check: 2N multiplications for E', 2N for E (N if one half is the same in all cards, as in a fresh deck), and K
+ 5L for the commitments. Of making: 3N between cards and proof, if a batch is ready.

Transcript, after the context and "shuffle": "input" N, G, X; "generators" H_0 … H_{K−1}; "cards" E; "pool" salt, first;
"output" E'; "places" τ, a byte each; "commitments" C, D; "masked" E_d; challenges "t"; "responses" f, Z as bytes;
challenge "lambda"; then as in known.py. The order π is bound to its state after "cards".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import codec, elgamal, group, known, limits, pool, vectors
from .ceremony import Body, Context
from .elgamal import Ciphertext
from .errors import Malformed, Misuse, Refused
from .group import IDENTITY, G, Point
from .hashing import Q, Transcript
from .pool import Batch
from .secrets import Secrets
from .spread import Spread, each, inline

INDICES = 2**32
"""A batch's first index is below this."""


@dataclass(frozen=True, slots=True, repr=False)
class Pass:
    """What one seat does to the cards, and how: `order` is π, `places` τ."""

    cards: list[Ciphertext]
    order: list[int]
    places: list[int]
    batch: Batch


def _begin(context: Context, joint: Point, cards: Sequence[Ciphertext]) -> Transcript:
    n = len(cards)
    if not 1 <= n <= limits.MAX_CARDS:
        raise Misuse(f"a shuffle takes 1 to {limits.MAX_CARDS} cards, not {n}")
    t = Transcript(context, "shuffle")
    t.absorb("input", n, G, joint)
    t.absorb("generators", *vectors.generators(n))
    t.absorb("cards", *_flat(cards))
    return t


def _flat(cards: Sequence[Ciphertext]) -> list[Point]:
    return [part for card in cards for part in card]


def mix(
    context: Context,
    secrets: Secrets,
    joint: Point,
    cards: Sequence[Ciphertext],
    *,
    batch: Batch | None = None,
    spread: Spread = inline,
) -> Pass:
    """Permute the cards, by the seat's secrets for this very input, and reseal them with a batch that is used for
    nothing else; by default with one that is bound to the input, too. Errors: Misuse (no or too many cards)."""
    n = len(cards)
    source = _begin(context, joint, cards).state()
    order = secrets.permutation("order", source, n)
    found = batch or pool.batch(secrets, secrets.salt(source), 0, n, joint, spread)
    out_of = {place: i for i, place in enumerate(order)}
    places = [out_of[place] for place in found.start.order]
    seals = dict(zip(places, found.seals, strict=True))
    out = each(spread, lambda i: elgamal.added(cards[order[i]], seals[i]), range(n))
    return Pass(out, order, places, found)


def prove(context: Context, joint: Point, cards: Sequence[Ciphertext], done: Pass, *, spread: Spread = inline) -> Body:
    """The body {"cards", "first", "proof", "salt"} for a pass made by `mix`. Some 3N multiplications.

    Sizes for N cards and commitments in L rows: "cards" 64·N, "salt" 16; in "proof" "places" (τ) N, "commitments"
    (C, D) 64·L, "masked" (E_d) 64, "responses" (f, Z) 32·(N + 1), and "known" as in known.py.
    """
    n, begun, places = len(cards), done.batch.start, bytes(done.places)
    order = begun.order
    t = _begin(context, joint, cards)
    t.absorb("pool", begun.salt, begun.first)
    t.absorb("output", *_flat(done.cards))
    t.absorb("places", places)
    t.absorb("commitments", *begun.committed)
    masked = _masked(joint, cards, done.batch, spread)
    t.absorb("masked", *masked)
    weights = t.challenges("t", n)
    permuted = [weights[place] for place in order]
    sealed = begun.rest + sum(a * b for a, b in zip(permuted, begun.factors, strict=True))
    responses = group.packed([*(a + b for a, b in zip(permuted, begun.masks, strict=True)), sealed])
    t.absorb("responses", *group.split(responses))
    factor = t.challenge("lambda")
    contents = [(factor * place + weight) % Q for place, weight in zip(order, permuted, strict=True)]
    blinds = [factor * one + other for one, other in zip(*begun.blinds, strict=True)]
    argument = known.prove(t, contents, blinds, begun.announced, spread)
    return {
        "cards": elgamal.pack(done.cards),
        "salt": begun.salt,
        "first": begun.first,
        "proof": {
            "places": places,
            "commitments": b"".join(begun.committed),
            "masked": b"".join(masked),
            "responses": responses,
            "known": argument,
        },
    }


def _masked(joint: Point, cards: Sequence[Ciphertext], batch: Batch, spread: Spread) -> list[Point]:
    """E_d."""
    begun = batch.start
    if begun.faces and all(card == elgamal.fresh(j, joint) for j, card in enumerate(cards)):
        all_masks, first, second = sum(begun.masks), *batch.rest
        second = group.sub(second, begun.faces)
        return [group.sub(first, group.base(all_masks)), group.sub(second, group.mul(all_masks, joint))]
    against = [-mask % Q for mask in begun.masks]
    rows = [group.own(against, [cards[place][half] for place in begun.order]) for half in (0, 1)]
    return [group.add(*pair) for pair in zip(group.sums(rows, spread), batch.rest, strict=True)]


def check(
    context: Context, joint: Point, cards: Sequence[Ciphertext], body: object, *, spread: Spread = inline
) -> None:
    """Check a seat's pass over `cards`. Some 4N multiplications, by which 2N foreign points pass the gate.

    Errors: Malformed or Refused, naming the field.
    """
    n = len(cards)
    t = _begin(context, joint, cards)
    size, _ = vectors.shape(n)
    outer = codec.fields(body, "shuffle", cards=bytes, salt=bytes, first=int, proof=dict)
    kinds = dict.fromkeys(("places", "commitments", "masked", "responses"), bytes)
    proof = codec.fields(outer["proof"], "shuffle proof", known=dict, **kinds)
    # All lengths first: a list with one value too many once proved what was no permutation.
    group.sized(outer["cards"], 2 * group.SIZE * n, "shuffle cards")
    group.sized(proof["places"], n, "shuffle proof places")
    for key, count in {"commitments": 2 * size, "masked": 2, "responses": n + 1}.items():
        group.sized(proof[key], group.SIZE * count, f"shuffle proof {key}")
    argument = known.read(proof["known"], n, "shuffle proof known")
    group.sized(outer["salt"], pool.SALT, "shuffle salt")
    if not 0 <= outer["first"] < INDICES:
        raise Malformed("shuffle: no such first index")
    places = list(proof["places"])
    if sorted(places) != list(range(n)):
        raise Refused("shuffle proof places: not an order")
    *f, z = group.scalars(proof["responses"], n + 1, "shuffle proof responses")
    masked = group.points(proof["masked"], 2, "shuffle proof masked")
    out = group.claims(outer["cards"], 2 * n, "shuffle cards")
    committed = group.claims(proof["commitments"], 2 * size, "shuffle proof commitments")

    t.absorb("pool", outer["salt"], outer["first"])
    t.absorb("output", *out)
    t.absorb("places", proof["places"])
    t.absorb("commitments", *committed)
    t.absorb("masked", *masked)
    weights = t.challenges("t", n)
    t.absorb("responses", *group.split(proof["responses"]))
    factor = t.challenge("lambda")
    terms = group.foreign([factor] * size + [1] * size, committed, "shuffle proof commitments")
    contents = [factor * place + weight for place, weight in enumerate(weights)]
    opened, holds = argument.check(t, contents, list(zip(terms[:size], terms[size:], strict=True)), f)

    against = [-weight % Q for weight in weights]
    placed = [k for _, k in sorted(zip(places, f, strict=True))]
    rows = [
        group.foreign(placed, out[half::2], "shuffle card half", range(half, 2 * n, 2))
        + group.own([*against, -z], [*(card[half] for card in cards), key])
        for half, key in enumerate((G, joint))
    ]
    *halves, commitments = group.sums([*rows, opened], spread)
    # From here on all of them are points.
    left = [group.add(*pair) for pair in zip(halves, masked, strict=True)]
    if not holds or [*left, commitments] != [IDENTITY] * 3:
        raise Refused("shuffle proof: does not hold")
