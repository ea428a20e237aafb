"""The documents keep their word: their examples are recomputed, their code runs, their links lead somewhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from client.cli import program
from client.text import width
from engines.chance import Chance
from engines.registry import GAMES
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


# -- adding-a-game.md --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def overlay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program to which the documents' game was added as they say."""
    root = tmp_path_factory.mktemp("overlay")
    for name in ("client", "engines", "p2p", "protocol", "tests"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", root)
    page = (DOCS / "adding-a-game.md").read_text(encoding="utf-8")
    files = re.findall(r"^`(\S+\.py)`:\n\n```python\n(.*?)^```$", page, re.M | re.S)
    assert [name for name, _ in files] == ["engines/summit.py", "client/render/summit.py"]
    for name, text in files:
        (root / name).write_text(text, encoding="utf-8")
    (line,) = re.findall(r"^GAMES = .*$", page, re.M)
    registry = root / "engines" / "registry.py"
    text, count = re.subn(r"^GAMES = .*$", line, registry.read_text(encoding="utf-8"), flags=re.M)
    assert count == 1
    registry.write_text(text, encoding="utf-8")
    return root


def run(overlay: Path, *arguments: str) -> str:
    """Python in the copy, as a process of its own; what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=overlay,
        env={**os.environ, "PYTHONPATH": str(overlay), "P2PGAME_HOME": str(overlay / "home")},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_registry_line_only_adds_a_game() -> None:
    (line,) = re.findall(r"^GAMES = \((.*)\)$", (DOCS / "adding-a-game.md").read_text(encoding="utf-8"), re.M)
    assert [name.strip(' "') for name in line.split(",")] == [*GAMES, "summit"]


def test_the_added_game_is_played_and_audited_among_real_peers(overlay: Path) -> None:
    printed = run(overlay, "client.cli", "demo", "summit", "--players=2", "--option=climbs=2", "--json", "--seed=1")
    summary = json.loads(printed.splitlines()[-1])
    assert summary["verified"] is True
    assert summary["game"] == "summit"
    assert "climbs to" in printed
    assert "played most cards" in printed
    assert "SOUND" in run(overlay, "client.cli", "verify", summary["transcript"])
    assert run(overlay, "client.cli", "rules", "summit").startswith("SUMMIT")


def test_the_added_game_passes_the_conformance_suite(overlay: Path) -> None:
    run(overlay, "pytest", "-q", "-p", "no:cacheprovider", "tests/engines", "-k", "summit")


def test_the_added_game_is_written_like_the_others(overlay: Path) -> None:
    files = ("engines/summit.py", "client/render/summit.py")
    run(overlay, "ruff", "check", "--no-cache", *files)
    run(overlay, "ruff", "format", "--no-cache", "--check", *files)


# -- README and all pages ----------------------------------------------------------------------------------------------


def test_the_readme_shows_a_screen_of_the_size_to_design_for() -> None:
    (screen,) = blocks(ROOT / "README.md", "screen")
    lines = screen.splitlines()
    assert len(lines) == 24
    assert max(map(width, lines)) <= 80


@pytest.mark.parametrize("page", ["README.md", "docs/adding-a-game.md", "docs/architecture.md"])
def test_every_command_that_is_mentioned_exists(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    mentioned = set(re.findall(r"^p2pgame ([a-z]+)\b", text, re.M)) | set(re.findall(r"`p2pgame ([a-z]+)\b", text))
    assert mentioned <= set(program.commands)


def test_the_readme_has_the_exit_codes_of_the_program() -> None:
    rows = re.findall(r"^\| (\d+) \| (.+?)(?:;.*)? \|$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    helped = CliRunner().invoke(program, ["--help"]).output
    assert rows
    for number, words in rows:
        assert re.search(rf"^\s+{number}\s+{re.escape(words)}", helped, re.M), number


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    titles = re.findall(r"^#+ (.*)$", text, re.M)
    anchors = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        assert "://" in target or (page.parent / path).exists(), target
        assert path or anchor in anchors, target
