"""Known answers for a second implementation, in JSON files beside this script.

Regenerate them with `python -m tests.vectors.generate` from the root of the repository; a test recomputes and compares.
Bytes are hexadecimal, also points and scalars (32 bytes, little-endian). Each file holds what goes in and what comes
out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from protocol import elgamal, flips, group, hashing, limits, shuffle, sigma
from protocol.ceremony import Body, Context
from protocol.elgamal import Ciphertext
from protocol.group import G
from protocol.hashing import Stream, Transcript
from protocol.pool import Pool
from protocol.secrets import Secrets
from tests.protocol.forge import reencrypt

HERE = Path(__file__).parent
TABLE, PREV = bytes(range(32)), bytes(range(32, 64))
# At this step the three cards of the shuffle go round: an order that is its own inverse would hide a mix-up.
CONTEXT = Context(table=TABLE, prev=PREV, step=5, round=1, seat=2)
MASTER = bytes(range(64, 96))
SECRETS = Secrets(MASTER, TABLE, CONTEXT.seat)


def plain(value: Any) -> Any:
    """Bytes as hexadecimal text, all the way down."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | range):
        return [plain(one) for one in value]
    return value


def place() -> Body:
    return {
        "master": MASTER,
        "context": {
            "table": TABLE,
            "prev": PREV,
            "step": CONTEXT.step,
            "round": CONTEXT.round,
            "seat": CONTEXT.seat,
        },
    }


def numbers(scalars: Sequence[int]) -> list[bytes]:
    return [group.scalar_bytes(k) for k in scalars]


def of_hashing() -> Any:
    t = Transcript(CONTEXT, "what")
    start = t.state()
    t.absorb("label", b"\xff", 258, "ä")
    absorbed = t.state()
    challenges = t.challenges("u", 3)
    stream = Stream(b"seed")
    return {
        "hash64 'p2pgame seed' of b'', 0, ''": hashing.hash64("p2pgame seed", b"", 0, ""),
        "hash32 'p2pgame seed' of ff, 258, 'ä'": hashing.hash32("p2pgame seed", b"\xff", 258, "ä"),
        "the same with key 'key'": hashing.hash32("p2pgame seed", b"\xff", 258, "ä", key=b"key"),
        "scalar from 64 bytes ff": group.scalar_bytes(hashing.to_scalar(b"\xff" * 64)),
        "transcript": {
            **place(),
            "state after the start with 'what'": start,
            "state after absorbing 'label': ff, 258, 'ä'": absorbed,
            "3 challenges 'u'": numbers(challenges),
            "state after them": t.state(),
            "challenge 'e'": numbers([t.challenge("e")]),
        },
        "stream of seed 'seed'": {
            "20 numbers below 6": [stream.uniform(6) for _ in range(20)],
            "then 3 below 2^32": [stream.uniform(2**32) for _ in range(3)],
            "then 5 below 3000000000": [stream.uniform(3_000_000_000) for _ in range(5)],
            "then a shuffle of 0 to 9": stream.shuffle(range(10)),
        },
    }


def of_generators() -> Any:
    return {
        "G": G,
        "H_0 to H_4": [group.h(i) for i in range(5)],
        "H_256": group.h(256),
        "M_0 to M_4": [group.m(j) for j in range(5)],
        "M_4095": group.m(4095),
    }


def of_secrets() -> Any:
    source, state = b"\x01" * 64, b"\x02" * 64
    return {
        **place(),
        "commitment": SECRETS.commitment(),
        "x": group.scalar_bytes(SECRETS.x),
        "X": SECRETS.public,
        "b_0 of the flip chain": SECRETS.flip(limits.FLIPS - 1),
        "b_1": SECRETS.flip(limits.FLIPS - 2),
        "anchor": SECRETS.anchor,
        "source": source,
        "state": state,
        "permutation 'order' of source, 10": SECRETS.permutation("order", source, 10),
        "salt of source": SECRETS.salt(source),
        "pooled of that salt, 3 and 4": numbers([SECRETS.pooled(SECRETS.salt(source), index) for index in (3, 4)]),
        "pooled order of that salt, 3: of 10": SECRETS.pooled_order(SECRETS.salt(source), 3, 10),
        "blind of source, 1": numbers([SECRETS.blind(source, 1)]),
        "nonce of state, 'log', 3": numbers([SECRETS.nonce(state, "log", 3)]),
    }


def of_schnorr() -> Any:
    t = Transcript(CONTEXT, "key")
    seeds = [bytes([seat]) * 32 for seat in range(3)]
    t.absorb("seeds", *seeds)
    t.absorb("anchor", SECRETS.anchor)
    proof = sigma.prove_logs(t, SECRETS, [G], [SECRETS.public], [SECRETS.x])
    bases, logs = [group.m(0), group.m(1)], [5, 6]
    values = [group.mul(k, base) for k, base in zip(logs, bases, strict=True)]
    several = sigma.prove_logs(Transcript(CONTEXT, "test"), SECRETS, bases, values, logs)
    return {
        **place(),
        "seeds": seeds,
        "keys": {"key": SECRETS.public, "anchor": SECRETS.anchor, "proof": proof},
        "what": "test",
        "bases": bases,
        "logs": numbers(logs),
        "values": values,
        "proof of several": several,
    }


def of_shares() -> Any:
    bases = [group.m(j) for j in range(3)]
    shares = [group.mul(SECRETS.x, base) for base in bases]
    proof = sigma.prove_shares(Transcript(CONTEXT, "open"), SECRETS, bases, shares)
    return {**place(), "what": "open", "bases": bases, "shares": shares, "proof": proof}


def of_shuffle() -> Any:
    x = 99
    joint = group.base(x)
    cards = [reencrypt(elgamal.fresh(j, joint), joint, 5 + j) for j in range(3)]
    done = shuffle.mix(CONTEXT, SECRETS, joint, cards)
    pooled = Pool(SECRETS, bytes(range(96, 112)))
    pooled.take(3, joint)
    other = shuffle.mix(CONTEXT, SECRETS, joint, cards, batch=pooled.take(3, joint))
    return {
        **place(),
        "x of the joint key": group.scalar_bytes(x),
        "joint": joint,
        "cards": elgamal.pack(cards),
        "order": done.order,
        "secret order": done.batch.start.order,
        "factors": numbers(done.batch.start.factors),
        "masks": numbers(done.batch.start.masks),
        "body": shuffle.prove(CONTEXT, joint, cards, done),
        "body with the second batch of a pool": shuffle.prove(CONTEXT, joint, cards, other),
    }


def of_flip() -> Any:
    seats = [Secrets(MASTER, TABLE, seat) for seat in range(3)]
    values = [one.flip(4) for one in seats]
    return {
        "master of each of three seats": MASTER,
        "table": TABLE,
        "prev": PREV,
        "anchors": [one.anchor for one in seats],
        "values of flip 3": [one.flip(3) for one in seats],
        "values of flip 4": values,
        "result of flip 4": flips.result(TABLE, PREV, 4, values),
    }


def of_promise() -> Any:
    x, b = 99, 1234
    card = reencrypt(elgamal.fresh(3, group.base(x)), group.base(x), 50)
    allowed = [1, 3, 4]
    claim = sigma.Choice(
        card.c1,
        group.mul(b, card.c1),
        [group.sub(card.c2, group.m(j)) for j in allowed],
        group.mul(b * x, card.c1),
    )
    t = Transcript(CONTEXT, "promise")
    t.absorb("card", 0, *Ciphertext(*card))
    t.absorb("allowed", *allowed)
    proof = sigma.prove_choice(t, SECRETS, claim, b, 1)
    return {
        **place(),
        "x of the joint key": group.scalar_bytes(x),
        "face": 3,
        "allowed": allowed,
        "card": elgamal.pack([card]),
        "b": group.scalar_bytes(b),
        "D": claim.value,
        "S": claim.share,
        "proof": proof,
    }


FILES: dict[str, Callable[[], Any]] = {
    "hashing": of_hashing,
    "generators": of_generators,
    "secrets": of_secrets,
    "schnorr": of_schnorr,
    "shares": of_shares,
    "shuffle": of_shuffle,
    "flip": of_flip,
    "promise": of_promise,
}


def text(name: str) -> str:
    """What belongs into the file of that name."""
    return json.dumps(plain(FILES[name]()), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name in FILES:
        (HERE / f"{name}.json").write_text(text(name), encoding="utf-8")
