"""Where the value of an option comes from, and what `--help` says at its end.

For: every command of the `p2pgame` program, which is made with these classes. Never: a setting that is silently ignored
because it is misspelt, or one that a command line cannot override.

Theory of operation: the command line comes first, then the environment (P2PGAME_ and the option's long name, as in
P2PGAME_NO_COLOR), then `config.toml` in the profile, then the default. In that file the keys are the long names of
options: before the first table for every command that has such an option, in a table named like a command for that
command alone; there they weigh more. Each time the whole file is checked for names, and what the command uses for
values. `--help` and completion never read it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from p2p.errors import CannotRead, UserError

from . import helps

PREFIX = "P2PGAME_"
FILE = "config.toml"
MOST_BYTES = 65536


class BadSettings(UserError):
    """The settings in {path} cannot be used: {why}"""


def long_name(param: click.Parameter) -> str:
    """An option's name as it is typed, without its dashes; empty for what cannot be set beforehand."""
    if not isinstance(param, click.Option) or param.is_eager:
        return ""
    return next((name.removeprefix("--") for name in param.opts if name.startswith("--")), "")


def variable(name: str) -> str:
    """The environment variable of an option."""
    return PREFIX + name.replace("-", "_").upper()


class Command(click.Command):
    """A command whose options can be set beforehand. `forgiving`: it runs with whatever is wrong in the file."""

    forgiving = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_variables(self)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See click. Errors: BadSettings, CannotRead."""
        _prepare(self, ctx, args, self.forgiving)
        try:
            return super().parse_args(ctx, args)
        except click.BadParameter as error:
            param = error.param
            if param is not None and ctx.get_parameter_source(param.name or "") is ParameterSource.ENVIRONMENT:
                words = f"{error.message} The value is that of the variable {param.envvar}."
                raise click.BadParameter(words, error.ctx, param) from error
            raise

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Examples and exit codes."""
        helps.write(self.name or "", formatter)


class Forgiving(Command):
    """For the command that finds out what is wrong with the file."""

    forgiving = True


class Unheard(Exception):
    """Whoever read standard output has gone. click would take a closed pipe for its own affair, and exit with 1."""


@contextmanager
def _heard() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise Unheard from error


class Program(click.Group):
    """The program itself. Raises Unheard."""

    command_class = Command

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_variables(self)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See click. Errors: BadSettings, CannotRead."""
        if not set(args) & set(self.commands):  # else that command will read them
            _prepare(self, ctx, args, forgiving=False)
        with _heard():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """See click."""
        with _heard():
            return super().invoke(ctx)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Exit codes, and the other places of options."""
        helps.write("", formatter)


def _name_variables(command: click.Command) -> None:
    for param in command.params:
        if name := long_name(param):
            param.envvar = variable(name)


def _prepare(command: click.Command, ctx: click.Context, args: list[str], forgiving: bool) -> None:
    """Read the file, unless nobody will use it."""
    eager = {word for param in command.get_params(ctx) if param.is_eager for word in param.opts}
    if ctx.resilient_parsing or set(args) & eager:
        return
    from p2p.place import home

    try:
        ctx.default_map = defaults(home() / FILE, command, ctx)
    except UserError:
        if not forgiving:
            raise


def defaults(path: Path, command: click.Command, ctx: click.Context) -> dict[str, Any]:
    """What the file sets for a command, by parameter. Errors: BadSettings, CannotRead."""
    settings = read(path)
    root = ctx.find_root().command
    check_names(path, settings, root)
    given = {key: (key, value) for key, value in settings.items() if not isinstance(value, dict)}
    table = command.name if command is not root else None
    given |= {key: (f"[{table}] {key}", value) for key, value in settings.get(table or "", {}).items()}
    found: dict[str, Any] = {}
    for param in command.params:
        name = long_name(param)
        if name in given and isinstance(param, click.Option) and param.name:
            where, value = given[name]
            found[param.name] = _checked(path, where, value, param, ctx)
    return found


def read(path: Path) -> dict[str, Any]:
    """The file as it is; a missing one is empty. Errors: BadSettings, CannotRead."""
    import tomllib

    try:
        return tomllib.loads(read_text(path))
    except ValueError as error:
        raise BadSettings(path=path, why=f"{error}") from error


def read_text(path: Path) -> str:
    """The same, unread. Errors: BadSettings, CannotRead."""
    from p2p import files

    try:
        return files.read(path, MOST_BYTES).decode("utf-8")
    except CannotRead as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return ""
        raise
    except ValueError as error:
        raise BadSettings(path=path, why=f"{error}") from error


def check_names(path: Path, settings: Mapping[str, Any], root: click.Command) -> None:
    """Every name in the file is one that the program knows. Errors: BadSettings."""
    tables = dict(root.commands) if isinstance(root, click.Group) else {}
    anywhere = option_names(root)
    for key, value in settings.items():
        if not isinstance(value, dict):
            _known(path, key, anywhere, "there is no option")
            continue
        _known(path, key, set(tables), "there is no command")
        for name in value:
            _known(path, name, set(_options(tables[key])), f"[{key}] has no option")


def option_names(root: click.Command) -> set[str]:
    """The options of the program and of all its commands."""
    commands = root.commands.values() if isinstance(root, click.Group) else ()
    return {name for command in (root, *commands) for name in _options(command)}


def _options(command: click.Command) -> Iterator[str]:
    yield from filter(None, map(long_name, command.params))


def _known(path: Path, name: str, names: set[str], otherwise: str) -> None:
    if name in names:
        return
    import difflib

    near = difflib.get_close_matches(name, sorted(names), n=1)
    advice = f"did you mean {near[0]!r}?" if near else "there are: " + ", ".join(sorted(names))
    raise BadSettings(path=path, why=f"{otherwise} {name!r}; {advice}")


def _checked(path: Path, where: str, value: Any, param: click.Option, ctx: click.Context) -> Any:
    """A value that the option can have. Errors: BadSettings."""
    if param.is_flag != isinstance(value, bool):
        right = "true or false" if param.is_flag else "a number, a text or a list of texts"
        raise BadSettings(path=path, why=f"{where} is to be {right}")
    if param.multiple and not isinstance(value, list):
        value = [value]
    if any(isinstance(one, dict | list) for one in (value if param.multiple else [value])):
        raise BadSettings(path=path, why=f"{where} is to be one value")
    try:
        param.type_cast_value(ctx, value)
    except click.BadParameter as error:
        raise BadSettings(path=path, why=f"{where}: {error.message}") from error
    return value
