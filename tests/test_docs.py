"""The documents keep their word: their examples are recomputed, their code runs, their links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

from engines.chance import Chance
from protocol import codec, contribution, framing, group, hashing, opening, transcript
from protocol.ceremony import Context
from protocol.contract import SeatEntry, draft
from protocol.contribution import Contribution
from protocol.deck import Deck
from protocol.identity import Identity
from protocol.secrets import Secrets

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


def blocks(page: Path, kind: str) -> list[str]:
    """The fenced blocks of one kind in a page."""
    return re.findall(rf"^```{re.escape(kind)}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)


# -- protocol.md -------------------------------------------------------------------------------------------------------


def opened_table() -> dict[str, bytes]:
    """The first two steps of the table in the examples."""
    identities = [Identity(bytes([number]) * 32) for number in (1, 2)]
    entries = [
        SeatEntry(name, identity.public, fresh * 32)
        for name, identity, fresh in zip(("Ana", "Beto"), identities, (b"\xaa", b"\xbb"), strict=True)
    ]
    contract = draft("maamut", {"rounds": 100}, entries, "Living room")
    signatures = [contract.sign(identity) for identity in identities]
    secrets = [Secrets(bytes([number]) * 32, contract.table, seat) for seat, number in enumerate((0x10, 0x20))]
    start, deck = contribution.start_hash(contract, signatures), Deck(contract.table, 2)

    commit, commits = opening.Commit(deck), list[Contribution]()
    for seat in range(2):
        body = commit.make(Context(contract.table, start, 0, 0, seat), secrets[seat])
        commits.append(contribution.sign(contract, identities[seat], (0, 0), seat, "commit", body, start))
    commit.accept(0, {item.seat: item.body for item in commits}, start)
    second = contribution.next_hash(start, commits)
    context = Context(contract.table, second, 1, 0, 0)
    keys = opening.Keys(deck).make(context, secrets[0])

    first: list[hashing.Field] = [hashing.PROTOCOL, contract.table, second, 1, 0, 0, "key"]
    t = hashing.Transcript(context, "key")
    t.absorb("seeds", *deck.commitments)
    t.absorb("anchor", secrets[0].anchor)
    t.absorb("bases", group.G)
    t.absorb("values", secrets[0].public)
    return {
        "contract": contract.data,
        "table id": contract.table,
        "signature of seat 0": signatures[0],
        "h_0": start,
        "commitment of seat 0": secrets[0].commitment(),
        "contribution of seat 0": commits[0].data,
        "h_1": second,
        "x": group.scalar_bytes(secrets[0].x),
        "X": keys["key"],
        "anchor": keys["anchor"],
        "transcript start": b"".join(hashing._field(one) for one in first),
        "state before commitments": t.state(),
        "proof": keys["proof"],
    }


def examples() -> dict[str, str]:
    """What protocol.md gives as examples: names, and values without blanks."""
    chance, zeros = Chance(bytes(32)), bytes(32)
    found = {
        'fields ff, 258, "ä"': b"".join(hashing._field(one) for one in (b"\xff", 258, "ä")),
        'hash32 "p2pgame seed"': hashing.hash32("p2pgame seed", b"\xff", 258, "ä"),
        "H_0": group.h(0),
        "M_0": group.m(0),
        "record of the payload c0": framing.record(b"\xc0"),
        **opened_table(),
        "block 0": Chance(zeros)._take(64),
    }
    return {name: value.hex() for name, value in found.items()} | {
        "below 6, ten times": "".join(str(chance.below(6)) for _ in range(10))
    }


def given() -> dict[str, str]:
    """The same, as it stands in the document."""
    found: dict[str, str] = {}
    for block in blocks(DOCS / "protocol.md", "example"):
        for line in block.splitlines():
            name, equals, value = line.partition("=")
            if equals:
                last = name.strip()
                found[last] = ""
            else:
                value = line
            found[last] += "".join(value.split())
    return found


def test_the_examples_of_the_protocol_are_right() -> None:
    assert given() == examples()


def test_the_example_contract_says_what_the_text_says() -> None:
    contract = codec.decode(bytes.fromhex(given()["contract"]))
    assert [seat["name"] for seat in contract["seats"]] == ["Ana", "Beto"]
    assert transcript.FORMAT in (DOCS / "protocol.md").read_text(encoding="utf-8")
