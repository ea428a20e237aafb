"""The end of every `--help`: examples that can be typed as they stand, and what the exit codes mean.

For: the commands. Never: an example that does not parse (a test types them all), or anything that takes time to import.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import click

CODES: Mapping[int, str] = {
    0: "all is well",
    1: "somebody cheated, or a file does not hold",
    2: "the command line, a file or the profile cannot be used",
    3: "the network or the table is not available",
    4: "the table ended unfinished",
    70: "a bug in this program; the log has the details",
    130: "interrupted",
}
_TABLE = (0, 1, 2, 3, 4, 70, 130)

Entry = tuple[tuple[tuple[str, str], ...], tuple[int, ...]]
HELPS: Mapping[str, Entry] = {
    "": ((), tuple(CODES)),
    "host": (
        (
            ("host maamut", "for the usual number of players"),
            ("host maamut --players 4 --bots 1", "three people and a bot"),
            ("host maamut --name Attic --port 4711", "called so, and reached there"),
            ("host maamut --auto --json", "a bot in my seat, the result for a script"),
        ),
        _TABLE,
    ),
    "join": (
        (
            ("join", "the only open table, or a choice"),
            ("join Attic", "a table by its name"),
            ("join 192.168.1.7", "by address: works where tables are not found"),
            ("join [fe80::1%eth0]:4711", "IPv6, with scope and port"),
            ("join --plain", "in lines, for a screen reader"),
        ),
        _TABLE,
    ),
    "resume": (
        (("resume", "the only unfinished game"), ("resume 3fa9", "the one whose id begins so")),
        _TABLE,
    ),
    "demo": (
        (("demo", "watch a game among peers on this computer"), ("demo maamut --players 4", "four of them")),
        (0, 1, 2, 3, 4, 70, 130),
    ),
    "verify": (
        (
            ("verify 3fa9c1.p2plog", "check the record of a game"),
            ("verify old.p2plog new.p2plog --json", "several, for a script"),
        ),
        (0, 1, 2, 70),
    ),
    "replay": ((("replay 3fa9c1.p2plog", "step through a finished game"),), (0, 1, 2, 70, 130)),
    "history": ((("history", "the games that were played here"),), (0, 2, 70)),
    "rules": (
        (
            ("rules", "which games there are"),
            ("rules maamut", "on the screen"),
            ("rules maamut --ascii", "for an old printer"),
        ),
        (0, 2, 70),
    ),
    "peers": (
        (
            ("peers", "whom this computer knows, and by which keys"),
            ("peers forget Beto", "Beto has a new computer: their next key is taken for theirs"),
        ),
        (0, 2, 70),
    ),
    "doctor": (
        (("doctor", "what works here, and what to do about the rest"), ("doctor --json", "the same for a script")),
        (0, 2, 3, 70),
    ),
    "share": (
        (
            ("share --prepare", "once, with internet: fetch what the others will need"),
            ("share --prepare --for this", "only for computers like this one"),
            ("share", "let others on this network install the program from here"),
        ),
        (0, 2, 3, 70, 130),
    ),
    "completion": (
        (
            ('eval "$(p2pgame completion bash)"', "in ~/.bashrc; zsh: the same in ~/.zshrc"),
            ("p2pgame completion fish | source", "in ~/.config/fish/config.fish"),
        ),
        (0, 2),
    ),
}
"""Per command (the empty name is the program's own): examples and exit codes. An example without the word p2pgame in it
is what follows that word."""

_PLACES = (
    "Every option can also be set by an environment variable, P2PGAME_ and its name (P2PGAME_ME, P2PGAME_NO_COLOR), "
    "or in config.toml in the profile, as in no-color = true. The command line comes first, then the environment, then "
    "the file. P2PGAME_HOME chooses another profile."
)


_ABOUT_GAMES = ("host", "demo")


def _games() -> Iterator[tuple[str, str]]:
    """Each game with its players, each of its options with what it can be and what it is by default."""
    from engines import registry

    for game in registry.GAMES:
        low, high = registry.seat_range(game)
        yield game, f"{low} to {high} players" if low < high else f"{low} players"
        for key, spec in registry.option_specs(game).items():
            if spec.values:
                given = " or ".join(spec.values)
            else:
                given = f"{spec.low} to {spec.high}" if isinstance(spec.default, int) else "..."
            yield f"  {key}={given}", f"{spec.text} (default: {spec.default})"


def write(command: str, formatter: click.HelpFormatter) -> None:
    """The end of a command's help."""
    if command in _ABOUT_GAMES:
        with formatter.section("Games, and their options"):
            formatter.write_dl(list(_games()), col_max=30)
    examples, codes = HELPS.get(command, ((), ()))
    if examples:
        with formatter.section("Examples"):
            lines = [(line if "p2pgame" in line else f"p2pgame {line}", meaning) for line, meaning in examples]
            formatter.write_dl(lines, col_max=50)
    if codes:
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), CODES[code]) for code in codes])
    if not command:
        formatter.write_paragraph()
        formatter.write_text(_PLACES)
