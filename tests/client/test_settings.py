"""Options from the command line, the environment and the file; and what `--help` says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest

from client import cli, helps, sit
from client.demo import surroundings
from client.settings import FILE, BadSettings, long_name
from engines import registry

COMMANDS = sorted(cli.program.commands)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings file of an empty profile; no variable is set."""
    monkeypatch.setenv("P2PGAME_HOME", str(tmp_path))
    for command in cli.program.commands.values():
        for param in command.params:
            if isinstance(param.envvar, str):
                monkeypatch.delenv(param.envvar, raising=False)
    return tmp_path / FILE


def parsed(*arguments: str) -> dict[str, Any]:
    """The options that a command would get."""
    with cli.program.make_context("p2pgame", list(arguments)) as root:
        name, command, rest = cli.program.resolve_command(root, list(arguments))
        assert command is not None
        with command.make_context(name, rest, parent=root) as context:
            return context.params


def test_defaults_without_a_file(file: Path) -> None:
    found = parsed("host", "maamut")
    assert (found["players"], found["bots"], found["plain"], found["options"]) == (None, 0, False, ())


def test_each_place_weighs_more_than_the_next(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text('me = "anywhere"\nplayers = 2\n[host]\nme = "host"\nport = 1\n')
    assert parsed("host", "maamut")["me"] == "host"
    assert parsed("join")["me"] == "anywhere"
    assert parsed("host", "maamut")["players"] == 2
    monkeypatch.setenv("P2PGAME_ME", "environment")
    monkeypatch.setenv("P2PGAME_PORT", "2")
    assert parsed("host", "maamut")["me"] == "environment"
    found = parsed("host", "maamut", "--me", "line", "--port=3")
    assert (found["me"], found["port"]) == ("line", 3)


def test_flags_and_lists(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text('no-color = true\nplain = false\n[host]\noption = ["a=1", "b=2"]\n')
    found = parsed("host", "maamut")
    assert (found["no_color"], found["plain"], found["options"]) == (True, False, ("a=1", "b=2"))
    monkeypatch.setenv("P2PGAME_OPTION", "c=3 d=4")
    monkeypatch.setenv("P2PGAME_PLAIN", "yes")
    monkeypatch.setenv("P2PGAME_NO_COLOR", "")
    found = parsed("host", "maamut")
    assert (found["options"], found["plain"], found["no_color"]) == (("c=3", "d=4"), True, True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('mee = "Ana"', "did you mean 'me'"),
        ("[hosts]\nport = 1", "did you mean 'host'"),
        ("[host]\nprot = 1", "[host] has no option 'prot'"),
        ("[join]\nplayers = 2", "[join] has no option 'players'"),
        ("zzz = 1", "there are: "),
        ("version = true", "no option 'version'"),
        ("[host]\nport = 70000", "[host] port"),
        ('[host]\nplayers = "many"', "[host] players"),
        ('plain = "yes"', "true or false"),
        ("me = true", "a text"),
        ("[host]\nme = [1]", "one value"),
        ("[host.me]\na = 1", "one value"),
        ("me = ", "Invalid value"),
        ("me = 1\nme = 2", "overwrite"),
        ("\x00", "cannot be used"),
    ],
)
def test_a_file_that_is_wrong_says_so(file: Path, text: str, words: str) -> None:
    file.write_text(text)
    with pytest.raises(BadSettings) as caught:
        parsed("host", "maamut")
    assert words in str(caught.value)
    assert str(file) in str(caught.value)
    assert caught.value.exit_code == 2


def test_not_utf_8_and_too_long(file: Path) -> None:
    file.write_bytes(b'me = "\xff"')
    with pytest.raises(BadSettings):
        parsed("join")
    file.write_text("#" * 100_000)
    with pytest.raises(Exception, match="cannot be read"):
        parsed("join")


def test_help_and_doctor_work_with_a_wrong_file(file: Path) -> None:
    file.write_text("nonsense")
    for arguments in (["host", "--help"], ["join", "-h"]):
        with pytest.raises(click.exceptions.Exit):
            parsed(*arguments)
    assert parsed("doctor")["as_json"] is False


def test_a_wrong_variable_names_itself(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("P2PGAME_PLAYERS", "many")
    with pytest.raises(click.BadParameter) as caught:
        parsed("host", "maamut")
    assert "P2PGAME_PLAYERS" in caught.value.format_message()


def test_the_peers_of_a_demo_have_no_settings_of_ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("PRIVATE", "PORT", "BOTS", "HOME"):
        monkeypatch.setenv(f"P2PGAME_{name}", "1")
    found = surroundings(tmp_path)
    assert {name for name in found if name.startswith("P2PGAME_")} == {"P2PGAME_HOME", "P2PGAME_INTERFACES"}
    assert found["P2PGAME_HOME"] == str(tmp_path)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_its_variable(name: str) -> None:
    for param in cli.program.commands[name].params:
        if option := long_name(param):
            assert param.envvar == "P2PGAME_" + option.upper().replace("-", "_")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_examples_that_parse_and_exit_codes(file: Path, name: str) -> None:
    assert name in helps.HELPS, f"give {name} examples and exit codes in client/helps.py"
    examples, codes = helps.HELPS[name]
    assert examples
    assert {0, 2} <= set(codes) <= set(helps.CODES)
    for line, meaning in examples:
        assert meaning
        if "p2pgame" not in line:
            assert line.split()[0] == name
            parsed(*line.split())


def said_by(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str]:
    """The exit code, and all that is printed."""
    with pytest.raises(SystemExit) as ended:
        cli.main(list(arguments))
    return ended.value.code, "".join(capsys.readouterr())


@pytest.mark.parametrize("name", ["host", "demo"])
def test_help_names_the_games_and_their_options(capsys: pytest.CaptureFixture[str], name: str) -> None:
    _, said = said_by(capsys, name, "--help")
    for game in registry.GAMES:
        assert f"\n  {game} " in said
        for key, spec in registry.option_specs(game).items():
            assert f"    {key}={' or '.join(spec.values)}" in said


def test_a_game_that_is_missing_is_asked_for_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = said_by(capsys, "host")
    assert code == 2
    assert "There are: maamut, fungi, amanite, amnesia" in said
    code, said = said_by(capsys, "rules", "--ascii")
    assert code == 0
    assert [line.split()[0] for line in said.splitlines()] == list(registry.GAMES)
    assert said.isascii()


@pytest.mark.parametrize(
    ("name", "useless"),
    [
        ("verify", {"--me", "--auto", "--seed", "--plain", "--ascii", "--no-color"}),
        ("history", {"--me", "--auto", "--seed", "--plain"}),
        ("rules", {"--me", "--auto", "--json", "--log"}),
        ("demo", {"--me", "--auto", "--plain"}),
        ("replay", {"--me", "--auto", "--seed", "--json"}),
        ("share", {"--me", "--seed"}),
        ("doctor", {"--me", "--plain"}),
    ],
)
def test_help_offers_only_what_does_something(
    file: Path, capsys: pytest.CaptureFixture[str], name: str, useless: set[str]
) -> None:
    """But scripts may give every command every common option."""
    _, said = said_by(capsys, name, "--help")
    assert not {word for word in useless if word + " " in said}
    assert "--me " in said_by(capsys, "host", "--help")[1]
    arguments = {"verify": ["x"], "replay": ["x"]}.get(name, [])
    assert parsed(name, *arguments, "--me", "Ana", "--seed=1")["me"] == "Ana"


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_shows_them(capsys: pytest.CaptureFixture[str], name: str) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main([*filter(None, [name]), "--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert "Exit codes:" in said
    assert ("Examples:" in said) == bool(name)
    assert all(line.isascii() for line in said.splitlines())


@pytest.mark.parametrize(("me", "label"), [("Ana", "Ana's table"), ("ł" * 29, "ł" * 29), ("x" * 64, "x" * 64)])
def test_a_long_name_still_makes_a_name_for_a_table(me: str, label: str) -> None:
    assert sit.name(sit.table_of(sit.name(me, "player")), "table") == label
