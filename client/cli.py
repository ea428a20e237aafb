"""The `p2pgame` command: what can be typed, and nothing else.

For: reading the command line, and turning every error into one line and an exit code. Never: work of its own; each
command imports what it needs when it runs, so that `--version` and `--help` are quick.

Exit codes: 0 well · 1 cheating or failed verification · 2 usage or unreadable input · 3 network or table unavailable ·
4 the table ended unfinished · 70 a bug in this program · 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click
from click.shell_completion import CompletionItem

from .settings import Forgiving, Program, Unheard

F = Callable[..., Any]

INTERRUPTED, BUG, USAGE, NETWORK = 130, 70, 2, 3


def _version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from importlib import metadata

        click.echo(f"p2pgame {metadata.version('p2pgame')}")
        context.exit()


def _common(function: F) -> F:
    """Options that every command understands."""
    log, number = click.Path(dir_okay=False), "For the bots' choices only; secrets never depend on it."
    options = (
        click.option("--me", metavar="NAME", help="The name that others see."),
        click.option("--auto", is_flag=True, help="A bot plays my seat; no screen."),
        click.option("--plain", is_flag=True, help="Lines instead of a full screen: for pipes and screen readers."),
        click.option("--ascii", "ascii_only", is_flag=True, help="Nothing but ASCII characters."),
        click.option("--no-color", is_flag=True, help="No colours (so does the variable NO_COLOR)."),
        click.option("--clock", is_flag=True, help="Show how long has been waited; the word clock at a table, too."),
        click.option("--no-bell", is_flag=True, help="Do not ring when my turn comes; the word bell at a table, too."),
        click.option("--seed", type=int, metavar="N", help=number),
        click.option("--json", "as_json", is_flag=True, help="The last line of standard output is one JSON object."),
        click.option("--log", metavar="FILE", type=log, help="Write a log, without secrets."),
    )
    for option in reversed(options):
        function = option(function)
    return function


def _common_but(*useful: str) -> Callable[[F], F]:
    """The options above for a command for which only these do something; its help is silent about the others."""

    def decorate(function: F) -> F:
        names = {param.name for param in _params(function)}
        for param in _params(_common(function)):
            if isinstance(param, click.Option) and param.name not in (*names, *useful):
                param.hidden = True
        return function

    return decorate


def _params(function: F) -> list[click.Parameter]:
    """What was declared of a command so far."""
    params: list[click.Parameter] = getattr(function, "__click_params__", [])
    return params


def _table_options(function: F) -> F:
    """Options that say what kind of table it is."""
    words = "An option of the game; they are listed below."
    option = click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help=words)
    players = click.option("--players", type=int, metavar="N", help="Seats at the table (default: the fewest).")
    return players(option(function))


class Game(click.types.StringParamType):
    """The name of a game. Whether there is such a game is said by whoever needs it."""

    name = "game"

    def shell_complete(self, _: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """See click."""
        from engines import registry

        return [CompletionItem(game) for game in registry.GAMES if game.startswith(incomplete)]

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        """See click."""
        from engines import registry

        return f"There are: {', '.join(registry.GAMES)}."


def _lobby_options(function: F) -> F:
    """Those of the options above that the lobby understands."""
    unkept = ("auto", "seed", "as_json")
    params = _params(_common(function))
    params[:] = [param for param in params if param.name not in unkept]
    return function


@click.group(
    cls=Program,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@_lobby_options
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
@click.pass_context
def program(context: click.Context, /, **wishes: Any) -> int:
    """Board games with hidden cards at a LAN party: no server, no dealer, nobody to trust.

    \b
    p2pgame                             the lobby: all that follows, by choosing
    p2pgame host maamut --players 3     open a table
    p2pgame join                        sit down at it, on another computer of the same network
    p2pgame verify FILE                 check a finished game, also as one who did not play
    """
    if context.invoked_subcommand is None:
        from .lobby import run_lobby

        return run_lobby(**wishes)
    for param in context.command.params:
        if param.name and context.get_parameter_source(param.name) is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"write {param.opts[0]} after the command {context.invoked_subcommand}")
    return 0


@program.command()
@click.argument("game", type=Game())
@_table_options
@click.option("--name", metavar="TABLE", help="What people call the table.")
@click.option("--bots", type=int, default=0, metavar="K", help="Seats that bots on this computer take.")
@click.option("--private", is_flag=True, help="Only who knows the code may join.")
@click.option("--port", type=click.IntRange(0, 65535), metavar="P", help="The port to be reached at.")
@_common
def host(**wishes: Any) -> int:
    """Open a table for GAME and play at it."""
    from .sit import host_table

    return host_table(**wishes)


@program.command()
@click.argument("where", required=False, metavar="[TABLE | HOST[:PORT] | [IPV6%SCOPE]:PORT | CODE]")
@click.option("--code", metavar="CODE", help="A private table's code, if it is joined by its address or name.")
@_common
def join(**wishes: Any) -> int:
    """Sit down at a table. Without an argument: the only open one, or a choice."""
    from .sit import join_table

    return join_table(**wishes)


@program.command()
@click.argument("table", required=False)
@_common
def resume(**wishes: Any) -> int:
    """Go on with an interrupted game. TABLE: the beginning of its id, where several are unfinished."""
    from .sit import resume_table

    return resume_table(**wishes)


@program.command()
@click.argument("game", default="maamut", type=Game())
@_table_options
@_common_but("seed", "as_json", "log")
def demo(**wishes: Any) -> int:
    """Watch a whole game among real peers on this computer, and the audit."""
    from .demo import run_demo

    return run_demo(**wishes)


@program.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@_common_but("as_json", "log")
def verify(files: tuple[str, ...], as_json: bool, log: str | None, **_: Any) -> int:
    """Check the records of finished games, with no other input than the files.

    FILE: a record, or the beginning of the id of a table that was played here.
    """
    from . import logs
    from .report import verify_files

    if log:
        logs.start(log)
    return verify_files(files, as_json=as_json)


@program.command()
@click.argument("file", metavar="FILE", type=click.Path())
@_common_but("plain", "ascii_only", "no_color", "log")
def replay(**wishes: Any) -> int:
    """Step through a finished game, forwards and backwards. FILE: its record, or the beginning of its table's id."""
    from .replay import run_replay

    return run_replay(**wishes)


@program.command()
@click.option("--verify", is_flag=True, help="Check every record that was not checked yet.")
@click.option("--all", "everything", is_flag=True, help="List all games, not only the latest.")
@_common_but("ascii_only", "as_json", "log")
def history(**wishes: Any) -> int:
    """Which games were played here, how they ended, and how everybody has fared."""
    from .history import run_history

    return run_history(**wishes)


@program.command()
@click.argument("game", required=False, type=Game())
@_common_but("ascii_only")
def rules(game: str | None, ascii_only: bool, **_: Any) -> int:
    """The rules of GAME in brief, and how this program reads them; or which games there are."""
    from .report import list_games, show_rules

    return show_rules(game, ascii_only=ascii_only) if game else list_games(ascii_only=ascii_only)


@program.command()
@click.argument("action", required=False, type=click.Choice(["forget"]))
@click.argument("name", required=False)
@_common_but("as_json", "log")
def peers(action: str | None, name: str | None, as_json: bool, log: str | None, **_: Any) -> int:
    """Whom this computer knows, and by which keys.

    `peers forget NAME` forgets a player: who comes next under that name, with whatever key, is new. NAME is a name as
    it is listed, or the beginning of a key.
    """
    from . import logs
    from .peers import forget_peer, list_peers

    if action and not name:
        raise click.UsageError("forget whom? Write the name: p2pgame peers forget NAME")
    if log:
        logs.start(log)
    return forget_peer(name, as_json=as_json) if name else list_peers(as_json=as_json)


@program.command(cls=Forgiving)
@_common_but("ascii_only", "as_json")
def doctor(as_json: bool, ascii_only: bool, **_: Any) -> int:
    """Find out what keeps this computer from playing, and say what to do about it."""
    from .doctor import examine

    return examine(as_json=as_json, ascii_only=ascii_only)


@program.command()
@click.option("--prepare", is_flag=True, help="Fetch what others will need; this takes internet, once.")
@click.option("--for", "platforms", multiple=True, metavar="PLATFORM", help="With --prepare: only for this; or 'this'.")
@click.option("--port", type=click.IntRange(0, 65535), metavar="P", help="The port to be reached at.")
@_common_but("as_json", "log")
def share(**wishes: Any) -> int:
    """Let others on this network install the program from this computer, without internet."""
    from .share import share_program

    return share_program(**wishes)


@program.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print what makes SHELL complete the words of this program."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"there is no completion for {shell}")
    click.echo(kind(program, {}, "p2pgame", "_P2PGAME_COMPLETE").source())
    return 0


def main(argv: list[str] | None = None) -> None:
    """Run a command line (default: the process's own) and exit."""
    code = _main(argv)
    from .output import settle

    settle()
    sys.exit(code)


def _main(argv: list[str] | None) -> int:
    try:
        code = program.main(argv, prog_name="p2pgame", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return USAGE
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except (BrokenPipeError, Unheard):
        from .output import discard

        discard()
        return 0
    except Exception as error:  # noqa: BLE001 - the last place where an error can be made readable
        from .failure import explain

        return explain(error)


if __name__ == "__main__":
    main()
