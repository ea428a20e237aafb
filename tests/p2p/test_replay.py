"""Replays: forwards is backwards, what seats saw is what they saw at the table, and what does not hold ends it."""

from __future__ import annotations

from typing import Any

import pytest

from engines.requests import Ask
from engines.run import Run
from p2p.audit import BROKEN, SOUND
from p2p.errors import NotATranscript
from p2p.replay import Replay, read
from protocol import codec, transcript
from protocol.framing import record, records

from .recorded import file_of, played


def mark(game: str, table: Any) -> str:
    return f"{game} {table.round}"


def replay_of(data: bytes) -> Replay:
    return Replay(read(data, "x.p2plog"), mark)


@pytest.fixture(scope="module")
def replay() -> Replay:
    return replay_of(file_of())


def state(run: Run) -> tuple[str, dict[int, dict[Any, str]]]:
    return run.digest(), {seat: dict(faces) for seat, faces in run.known.items()}


def test_backwards_shows_what_forwards_showed(replay: Replay) -> None:
    forwards = []
    for number in range(len(replay.moments)):
        forwards.append((state(replay.at(number)), len(replay.events)))
    for number in reversed(range(len(replay.moments))):
        assert (state(replay.at(number)), len(replay.events)) == forwards[number]
        assert len(replay.events) == replay.moments[number].events
    assert len({digest for (digest, _), _ in forwards}) == len(forwards)


def test_a_moment_is_a_decision_after_something_new(replay: Replay) -> None:
    for number, moment in enumerate(replay.moments):
        run = replay.at(number)
        assert isinstance(run.pending, Ask) or run.finished
        assert replay.news(number) < moment.events or number == 0
        assert moment.mark == mark("maamut", run.game.table)
    assert replay.at(len(replay.moments) - 1).finished


def test_the_end_and_what_seats_saw_are_those_of_the_table(replay: Replay) -> None:
    table = played().tables[0]
    assert table.run is not None
    run = replay.at(len(replay.moments) - 1)
    assert run.digest() == table.run.digest()
    assert replay.about.known_seats == [0, 1]
    assert run.known[0] == table.run.known[0] != {}
    assert run.known[1] != {}
    assert replay.about.report.verdict == SOUND
    assert (replay.about.game, replay.about.names, replay.about.label) == ("maamut", ["P0", "P1"], "a table")


def test_without_seeds_only_what_all_saw() -> None:
    payloads = records(file_of()).payloads
    replay = replay_of(transcript.write(payloads[:-1]))
    assert replay.about.known_seats == []
    run = replay.at(len(replay.moments) - 1)
    assert run.finished
    assert all(not faces for faces in run.known.values())


def test_a_file_that_is_cut_short_is_replayed_so_far() -> None:
    payloads = records(file_of()).payloads
    replay = replay_of(transcript.write(payloads[: len(payloads) // 2]))
    run = replay.at(len(replay.moments) - 1)
    assert not run.finished
    assert run.result is None
    assert len(replay.moments) > 1


def test_a_file_that_was_changed_is_replayed_up_to_there() -> None:
    payloads = list(records(file_of()).payloads)
    value = codec.decode(payloads[-10])
    assert isinstance(value, dict)
    payloads[-10] = codec.encode({"item": value["item"][:-1] + b"x"})
    replay = replay_of(b"".join(map(record, payloads)))
    assert replay.about.report.verdict == BROKEN
    assert not replay.at(len(replay.moments) - 1).finished


@pytest.mark.parametrize("data", [b"", b"dear diary", b"\0" * 100])
def test_other_files_are_no_games(data: bytes) -> None:
    with pytest.raises(NotATranscript, match=r"x\.p2plog cannot be read as the record of a game"):
        replay_of(data)


def test_a_table_that_never_began_is_no_game() -> None:
    with pytest.raises(NotATranscript, match="nothing was played yet"):
        replay_of(transcript.write(records(file_of()).payloads[:2]))
