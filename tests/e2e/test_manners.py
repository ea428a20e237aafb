"""How the program behaves where people put it: pipes that close, inputs that end, old encodings, logs, shells."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p.door import read_code
from p2p.journal import read_transcript
from protocol.secrets import Secrets

from .program import Program, free_port, programs, run

PROGRAM = [sys.executable, "-W", "error", "-m", "client.cli"]
SHELL = shutil.which("bash")
needs_bash = pytest.mark.skipif(SHELL is None, reason="there is no bash here")


def environment(home: Path, **more: str) -> dict[str, str]:
    """As a shell would give it."""
    return {**os.environ, "P2PGAME_HOME": str(home), "P2PGAME_INTERFACES": "127.0.0.1", **more}


def shell(home: Path, line: str, **more: str) -> tuple[int, str, str]:
    """What a line of bash does; p2pgame is the program, and a pipe fails with its first command that fails."""
    script = f'set -o pipefail; p2pgame() {{ {" ".join(PROGRAM)} "$@"; }}; {line}'
    done = subprocess.run(
        [SHELL or "bash", "-c", script],
        env=environment(home, **more),
        capture_output=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two profiles, 0 and 1, the logs of the game that they have played, and the code of its table."""
    home = tmp_path_factory.mktemp("played")
    port = free_port()
    with programs() as started:

        def start(number: int, *what: str) -> Program:
            log = f"--log={home / str(number)}.log"
            started.append(Program(home / str(number), *what, "--auto", "--json", "--seed=5", log))
            return started[-1]

        lines = start(0, "host", "maamut", f"--port={port}", "--private").process.stdout
        assert lines is not None
        code = lines.readline().split()[-1]
        start(1, "join", f"127.0.0.1:{port}", "--code", code)
        for one in started:
            assert one.result()["verified"]
    (home / "code").write_text(code, encoding="ascii")
    return home


@pytest.fixture(scope="module")
def record(played: Path) -> Path:
    """The record of that game."""
    return next((played / "0" / "tables").glob("*.p2plog"))


@pytest.fixture(scope="module")
def broken(record: Path) -> Path:
    """The same with one bit turned."""
    data = bytearray(record.read_bytes())
    data[len(data) // 2] ^= 1
    path = record.with_name("broken.p2plog")
    path.write_bytes(data)
    return path


# -- pipes -------------------------------------------------------------------------------------------------------------


@needs_bash
@pytest.mark.parametrize(
    "line",
    [
        "p2pgame rules maamut | head -1",
        "p2pgame --help | true",
        "p2pgame host --help | head -1",
        "p2pgame completion bash | head -1",
        "p2pgame --version | true",
    ],
)
def test_a_reader_that_has_had_enough(tmp_path: Path, line: str) -> None:
    code, _, err = shell(tmp_path, line)
    assert (code, err) == (0, "")


@needs_bash
def test_verify_says_by_its_code_what_nobody_reads(tmp_path: Path, record: Path, broken: Path) -> None:
    code, out, err = shell(tmp_path, f"p2pgame verify {record} | head -1")
    assert (code, err) == (0, "")
    assert "SOUND" in out
    for reader in ("head -1", "true"):
        code, _, err = shell(tmp_path, f"p2pgame verify {record} {broken} | {reader}")
        assert code in (1, 2)
        assert err == ""


@needs_bash
def test_a_bot_plays_on_though_nobody_reads(tmp_path: Path) -> None:
    """The others at the table have nothing to do with our pipe."""
    host = f"p2pgame host maamut --players 2 --bots 1 --auto --port {free_port()}"
    code, out, err = shell(tmp_path, f"{host} | head -1")
    assert (code, err) == (0, "")
    assert "is open" in out
    assert list((tmp_path / "tables").glob("*.p2plog"))


@needs_bash
@pytest.mark.parametrize("command", ["rules maamut", "verify nothing", "--version"])
def test_closed_outputs(tmp_path: Path, command: str) -> None:
    for closed in (">&-", "2>&-", "<&- >&- 2>&-"):
        code, out, err = shell(tmp_path, f"p2pgame {command} {closed}")
        assert code == (2 if "nothing" in command else 0)
        assert "Traceback" not in out + err


@needs_bash
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_output_says_so(tmp_path: Path) -> None:
    code, _, err = shell(tmp_path, "p2pgame rules maamut >/dev/full")
    assert code == 2
    assert "Standard output cannot be written" in err
    assert err.count("\n") == 1


# -- inputs that end ---------------------------------------------------------------------------------------------------


def test_host_without_an_input(tmp_path: Path) -> None:
    """The table cannot be played from here, so it is left, properly, and says so."""
    code, out, err = run(tmp_path, "host", "maamut", f"--port={free_port()}", seconds=30)
    assert code == 4
    assert "Traceback" not in out + err
    assert "\x1b" not in out + err


@needs_bash
@pytest.mark.parametrize("source", ["echo x", "head -c 300000 /dev/zero"])
def test_join_from_a_pipe(tmp_path: Path, source: str) -> None:
    port = free_port()
    with programs() as started:
        started.append(Program(tmp_path / "host", "host", "maamut", f"--port={port}", "--auto", "--json"))
        started[0].wait_open()
        code, out, err = shell(tmp_path / "guest", f"{source} | p2pgame join 127.0.0.1:{port}")
        assert code == 4, (code, out, err)
        assert "Traceback" not in out + err
        assert "\x1b" not in out
        assert started[0].process.poll() in (None, 4)  # it may wait for another guest


# -- encodings ---------------------------------------------------------------------------------------------------------


@needs_bash
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-16"])
def test_old_encodings(tmp_path: Path, record: Path, encoding: str) -> None:
    lines = [
        "p2pgame rules maamut",
        f"p2pgame verify {record}",
        "p2pgame 'nonsense ▲'",
        "p2pgame verify 'no such ▲'",
    ]
    for line in lines:
        code, out, err = shell(tmp_path, line, PYTHONIOENCODING=encoding)
        assert code in (0, 2), (line, code, err)
        assert "Traceback" not in out + err
        assert "Error" not in err.replace("Error: No such command", "")


def test_a_game_in_an_old_encoding(tmp_path: Path) -> None:
    """With names that it lacks."""
    port = free_port()
    guest = [*PROGRAM, "join", f"127.0.0.1:{port}", "--auto", "--me", "Łucja 🍄"]
    with programs() as started:
        started.append(Program(tmp_path / "0", "host", "maamut", f"--port={port}", "--auto", "--me", "Ána ▲"))
        started[0].wait_open()
        done = subprocess.run(
            guest,
            env=environment(tmp_path / "1", PYTHONIOENCODING="cp1252"),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert "Ána ?".encode("cp1252") in done.stdout
        assert started[0].end(30)[0] == 0


@needs_bash
def test_file_names_that_are_no_text(tmp_path: Path) -> None:
    code, out, err = shell(tmp_path, "p2pgame verify $'\\xff\\x1b[31m' --json")
    assert code == 2
    assert "Traceback" not in out + err
    assert "\x1b" not in out.splitlines()[0] + err
    assert json.loads(out.splitlines()[-1])["verdict"]


# -- logs --------------------------------------------------------------------------------------------------------------


def secrets_of(profile: Path) -> Iterator[tuple[str, bytes]]:
    """All that must stay in a profile."""
    yield "identity", bytes.fromhex((profile / "identity").read_text(encoding="ascii"))
    for file in (profile / "tables").glob("*.seed"):
        seed, table = bytes.fromhex(file.read_text(encoding="ascii")), bytes.fromhex(file.stem)
        yield "master seed", seed
        for seat in range(2):
            mine = Secrets(seed, table, seat)
            yield "secret key", mine.x.to_bytes(32, "little")
            yield "secret key, backwards", mine.x.to_bytes(32, "big")
            yield "first link of the chain", mine.flip(1023)


def spelt(secret: bytes) -> Iterator[str]:
    """How it could stand in a log."""
    yield secret.hex()
    yield base64.b64encode(secret).decode().rstrip("=")
    yield base64.urlsafe_b64encode(secret).decode().rstrip("=")
    yield repr(secret)[2:-1]
    yield str(list(secret))[1:-1]
    yield str(int.from_bytes(secret, "little"))
    yield str(int.from_bytes(secret, "big"))


def test_no_secret_in_a_log(played: Path) -> None:
    logs = [(played / f"{number}.log").read_text(encoding="utf-8") for number in (0, 1)]
    assert all(text.splitlines()[0].split()[2:6] == ["INFO", "p2pgame:", "p2pgame", _version()] for text in logs)
    assert any("p2pgame.link" in text or "p2pgame.transport" in text for text in logs)
    found = [secret for number in (0, 1) for secret in secrets_of(played / str(number))]
    code = (played / "code").read_text(encoding="ascii")
    assert read_code(code)
    for text in logs:
        assert code.replace("-", "").casefold() not in text.replace("-", "").casefold()
    assert {what for what, _ in found} >= {"identity", "master seed", "secret key"}
    for what, secret in found:
        for way in spelt(secret):
            assert not any(way in text for text in logs), what


def test_the_search_for_secrets_would_find_them(played: Path, record: Path) -> None:
    """The record of a finished game has the seeds, since they are revealed at its end."""
    data = read_transcript(record)
    seeds = [secret for number in (0, 1) for what, secret in secrets_of(played / str(number)) if what == "master seed"]
    assert len(seeds) == 2
    assert all(seed in data for seed in seeds)


def _version() -> str:
    from importlib import metadata

    return metadata.version("p2pgame") + ","


# -- shells ------------------------------------------------------------------------------------------------------------


@needs_bash
@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["p2pgame", ""], {"host", "join", "doctor", "share", "completion"}),
        (["p2pgame", "ho"], {"host"}),
        (["p2pgame", "host", "ma"], {"maamut"}),
        (["p2pgame", "host", "maamut", "--pl"], {"--players", "--plain"}),
        (["p2pgame", "completion", ""], {"bash", "zsh", "fish"}),
    ],
)
def test_completion_in_bash(tmp_path: Path, words: list[str], found: set[str]) -> None:
    """As bash does it: the function that it registers is called with the words."""
    listed = " ".join(f"'{word}'" for word in words)
    script = f"""
        source <(p2pgame completion bash) || exit 1
        COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}
        _p2pgame_completion p2pgame
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "p2pgame").write_text(f'#!/bin/sh\nexec {" ".join(PROGRAM)} "$@"\n', encoding="utf-8")
    (folder / "p2pgame").chmod(0o755)
    code, out, err = shell(tmp_path, script, PATH=f"{folder}{os.pathsep}{os.environ['PATH']}")
    assert (code, err) == (0, "")
    assert found <= set(out.split())


@pytest.mark.parametrize("kind", ["bash", "zsh", "fish"])
def test_completion_scripts(tmp_path: Path, kind: str) -> None:
    code, out, err = run(tmp_path, "completion", kind)
    assert (code, err) == (0, "")
    assert f"_P2PGAME_COMPLETE={kind}_complete" in out


def test_no_completion_for_another_shell(tmp_path: Path) -> None:
    code, _, err = run(tmp_path, "completion", "tcsh")
    assert code == 2
    assert "'bash', 'zsh', 'fish'" in err


# -- settings ----------------------------------------------------------------------------------------------------------


def test_a_wrong_settings_file_is_one_line_and_code_2(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[hosts]\n", encoding="utf-8")
    code, out, err = run(tmp_path, "rules", "maamut")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "did you mean 'host'?" in err
